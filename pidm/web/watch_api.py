"""The endpoints of who watches training and matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pidm.web.events import events
from pidm.web.stamps import Stamp, stamp_of
from pidm.web.watch_files import part_of

if TYPE_CHECKING:
    from pidm.web.app import Desk

LOOKS = 1.0
"""Seconds between looks at what somebody watches."""
FILES = ("settings.json", "states.json", "examples.jsonl", "curve.csv", "log.txt")
"""What changes in the folder of a session."""


def routes(desk: Desk) -> list[Route]:
    """The endpoints."""

    def name_of(request: Request) -> str:
        return request.query_params.get("name", "")

    async def listed(request: Request) -> Response:
        return JSONResponse(
            {"sessions": list(desk.catalogue.sessions), "matches": list(desk.catalogue.all_matches())}
        )

    async def session(request: Request) -> Response:
        folder = desk.catalogue.session(name_of(request))
        matches = {name: str(path) for name, path in desk.catalogue.all_matches().items()}
        return JSONResponse(await desk.pool.slow("session", {"folder": str(folder), "matches": matches}))

    async def examples(request: Request) -> Response:
        folder = desk.catalogue.session(name_of(request))
        args = {"folder": str(folder), "auction": request.query_params.get("auction", "")[:400]}
        return JSONResponse({"examples": await desk.pool.slow("examples", args)})

    async def match(request: Request) -> Response:
        file = desk.catalogue.match(name_of(request))
        return JSONResponse(await desk.pool.slow("match", {"file": str(file)}))

    async def follow(request: Request) -> Response:
        """Says when there is something new."""
        name = name_of(request)
        if request.query_params.get("kind") == "match":
            matches = [desk.catalogue.match(name)]
            files: list[Path] = []
        else:
            matches = []
            files = [desk.catalogue.session(name) / file for file in FILES]

        def stamp() -> Stamp:
            played = matches or desk.catalogue.all_matches().values()
            return stamp_of([*files, *played, *map(part_of, played)])

        async def changes() -> AsyncIterator[tuple[str, Any]]:
            last: object = None
            while True:
                now = stamp()
                if now != last:
                    last = now
                    yield "changed", {}
                await asyncio.sleep(LOOKS)

        return events(changes())

    return [
        Route("/api/watch", listed),
        Route("/api/watch/session", session),
        Route("/api/watch/examples", examples),
        Route("/api/watch/match", match),
        Route("/api/watch/events", follow),
    ]
