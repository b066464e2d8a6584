"""The endpoints of who explores a system."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pidm.errors import PidmError, RequestError
from pidm.web.events import events
from pidm.web.offers import UnknownError
from pidm.web.stamps import Stamp, mark_of

if TYPE_CHECKING:
    from pidm.web.app import Desk

LONGEST = 320
"""Calls of the longest auction that the laws allow."""
KEPT = 2000
"""Answers that are kept."""
LOOKS = 1.0
"""Seconds between looks at the files of a system that somebody follows."""
LINT_DEALS = 300


class _Kept:
    """Answers that hold as long as no file changes."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, tuple[object, Any]] = OrderedDict()

    def get(self, key: str, stamp: object) -> Any:
        known = self._answers.get(key)
        if known is None or known[0] != stamp:
            return None
        self._answers.move_to_end(key)
        return known[1]

    def put(self, key: str, stamp: object, answer: Any) -> None:
        self._answers[key] = (stamp, answer)
        while len(self._answers) > KEPT:
            self._answers.popitem(last=False)


def routes(desk: Desk) -> list[Route]:
    """The endpoints."""
    kept = _Kept()

    def position(request: Request) -> dict[str, Any]:
        given = request.query_params
        calls = [call for call in given.get("calls", "").split("-") if call]
        if len(calls) > LONGEST:
            raise RequestError(f"no auction has more than {LONGEST} calls")
        name = given.get("system", "")
        ours = desk.catalogue.system(name)
        theirs = desk.catalogue.system(given.get("against") or name)
        return {
            "ns": ours,
            "ew": theirs,
            "calls": calls,
            "dealer": given.get("dealer", "N"),
            "vul": given.get("vul", "None"),
        }

    async def answer(task: str, args: dict[str, Any], slow: bool) -> Any:
        """The answer of a worker, or the one that it gave before if no file has changed since."""
        key = json.dumps([task, args])
        stamp = desk.stamp(args["ns"], args["ew"])
        known = kept.get(key, stamp)
        if known is None:
            known = await (desk.pool.slow if slow else desk.pool.quick)(task, args)
            kept.put(key, stamp, known)
        return known

    async def explain(request: Request) -> Response:
        return JSONResponse(await answer("explain", position(request), slow=False))

    async def frequency(request: Request) -> Response:
        return JSONResponse(await answer("frequency", position(request), slow=True))

    async def hands(request: Request) -> Response:
        args = position(request)
        if not args["calls"]:
            raise RequestError("the last call is the one that the hands make: there is none")
        return JSONResponse({"hands": await answer("hands", args, slow=True)})

    async def search(request: Request) -> Response:
        words = request.query_params.get("words", "").strip()
        if not 2 <= len(words) <= 80:
            raise RequestError("search for 2 to 80 characters")
        args = {**position(request), "words": words}
        return JSONResponse(await answer("search", args, slow=True))

    async def source(request: Request) -> Response:
        args = {**position(request), "file": request.query_params.get("file", "")[:400]}
        found = await desk.pool.quick("source", args)
        if found is None:
            raise UnknownError(f"{args['file']} is not a file of this system")
        return JSONResponse(found)

    async def lint(request: Request) -> Response:
        """What lint finds in the files, or with `deals=yes` also when deals are bid, which takes a while."""
        deals = LINT_DEALS if request.query_params.get("deals") else 0
        args = {**position(request), "deals": deals}
        return JSONResponse(await desk.pool.slow("lint", args, seconds=400.0))

    async def follow(request: Request) -> Response:
        """Says when the files of a system are no longer those of which the page shows the meaning.

        With what is wrong if they cannot be read.
        """
        args, told = position(request), request.query_params.get("mark", "")

        async def changes() -> AsyncIterator[tuple[str, Any]]:
            shown = told
            last: Stamp | None = None
            while True:
                now = desk.stamp(args["ns"], args["ew"])
                if now != last:
                    last = now
                    try:
                        desk.note_files(await desk.pool.quick("files", args))
                        last = desk.stamp(args["ns"], args["ew"])
                        if shown != mark_of(last):
                            shown = mark_of(last)
                            yield "changed", {"error": ""}
                    except PidmError as error:
                        shown = ""
                        yield "changed", {"error": str(error)}
                await asyncio.sleep(LOOKS)

        return events(changes())

    return [
        Route("/api/explain", explain),
        Route("/api/frequency", frequency),
        Route("/api/hands", hands),
        Route("/api/search", search),
        Route("/api/source", source),
        Route("/api/lint", lint),
        Route("/api/follow", follow),
    ]
