"""The endpoints of the practice tables."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pidm.bridge.calls import Call, Seat
from pidm.errors import PidmError, RequestError
from pidm.play.practice_kinds import KINDS
from pidm.web.events import events
from pidm.web.guard import body_of, number_of, text_of, texts_of
from pidm.web.practise import PracticeTable

if TYPE_CHECKING:
    from pidm.web.app import Desk

LARGEST_SEED = 2**31 - 1
MOST_BOARDS = 9999


def routes(desk: Desk) -> list[Route]:
    """The endpoints."""

    async def systems(request: Request) -> Response:
        """What can be played, with the conventions on each card."""
        names = {name: str(path) for name, path in desk.catalogue.systems.items()}
        told, broken = [], []
        for name, path in names.items():
            try:
                found = await desk.pool.quick("systems", {"names": [path]})
                told.append({**found[0], "name": name})
            except PidmError as error:  # a file with mistakes; the others can be played
                broken.append({"name": name, "error": str(error)})
        return JSONResponse({"systems": told, "broken": broken})

    async def catalogue(request: Request) -> Response:
        """What there is by name alone: known at once, before a system has been read."""
        kinds = [{"name": name, **kind._asdict()} for name, kind in KINDS.items()]
        return JSONResponse({"systems": list(desk.catalogue.systems), "kinds": kinds})

    async def open_table(request: Request) -> Response:
        """Deal a board."""
        given = await body_of(request)
        seats = [Seat.from_str(seat) for seat in texts_of(given, "seats", 2)] or [Seat.S]
        if len({seat.side for seat in seats}) > 1 or len(set(seats)) < len(seats):
            raise RequestError("people who practise together sit opposite each other")
        asked: dict[str, Any] = {
            "us": text_of(given, "us"),
            "them": text_of(given, "them"),
            "kind": text_of(given, "kind", "random"),
            "seed": int(number_of(given, "seed", secrets.randbelow(10**6), 0, LARGEST_SEED, whole=True)),
            "number": int(number_of(given, "number", 1, 1, MOST_BOARDS, whole=True)),
            "seconds": number_of(given, "seconds", 0.5, 0, 3),
        }
        paths = {key: desk.catalogue.system(asked[key]) for key in ("us", "them")}
        table = await desk.club.open(asked, paths, tuple(seats), text_of(given, "session", ""))
        return JSONResponse({"id": table.name, "asked": asked})

    def table_of(request: Request) -> tuple[PracticeTable, Seat]:
        table = desk.club.find(request.path_params["table"])
        seat = Seat.from_str(request.query_params.get("seat", str(table.people[0])))
        if seat not in table.people:
            raise RequestError(f"{seat} is not a seat of yours at this table")
        return table, seat

    async def see_table(request: Request) -> Response:
        """A table as it is now."""
        table, seat = table_of(request)
        return JSONResponse(table.seen_from(seat))

    async def watch_table(request: Request) -> Response:
        """A table as it goes on."""
        table, seat = table_of(request)

        async def states() -> AsyncIterator[tuple[str, Any]]:
            while True:
                changed = table.changed
                yield "table", table.seen_from(seat)
                # Who has a partner waits for the next board, which the partner may deal.
                if table.judged and (table.following or len(table.people) == 1):
                    return
                await changed.wait()

        return events(states())

    async def call(request: Request) -> Response:
        """A call of a person."""
        table, seat = table_of(request)
        given = await body_of(request)
        await desk.club.call(table, seat, Call.from_str(text_of(given, "call")))
        return JSONResponse(table.seen_from(seat))

    async def go_on(request: Request) -> Response:
        """Try again what went wrong."""
        table, seat = table_of(request)
        desk.club.go_on(table)
        return JSONResponse(table.seen_from(seat))

    async def next_table(request: Request) -> Response:
        """The next board for the same people, or with `again` the same board."""
        table, _ = table_of(request)
        given = await body_of(request)
        asked = dict(table.asked)
        if not given.get("again"):
            asked |= {"seed": secrets.randbelow(10**6), "number": asked["number"] % MOST_BOARDS + 1}
        found = await desk.club.next(table, asked)
        return JSONResponse({"id": found.name, "asked": found.asked})

    async def history(request: Request) -> Response:
        """What was practised, with the score over the session."""
        session = request.query_params.get("session")
        boards = desk.history.practice(session)
        totals = {"session": desk.history.totals(session), "all": desk.history.totals()}
        return JSONResponse({"boards": boards, **totals})

    return [
        Route("/api/catalogue", catalogue),
        Route("/api/systems", systems),
        Route("/api/tables", open_table, methods=["POST"]),
        Route("/api/tables/{table}", see_table),
        Route("/api/tables/{table}/events", watch_table),
        Route("/api/tables/{table}/call", call, methods=["POST"]),
        Route("/api/tables/{table}/next", next_table, methods=["POST"]),
        Route("/api/tables/{table}/go_on", go_on, methods=["POST"]),
        Route("/api/history", history),
    ]
