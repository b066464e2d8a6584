"""The application: JSON over the same functions as the command line, and one page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from pidm.errors import PidmError
from pidm.web.guard import Guard
from pidm.web.history import History
from pidm.web.offers import Catalogue
from pidm.web.practise import Club
from pidm.web.processes import BusyError, LostError, Processes
from pidm.web.stamps import stamp_of

STATIC = Path(__file__).with_name("static")


class Desk:
    """What the endpoints share; its pool and tables live as long as the application runs."""

    def __init__(self, catalogue: Catalogue, history: History, searches: int | None) -> None:
        self.catalogue = catalogue
        self.history = history
        self.searches = searches
        self.background: set[asyncio.Task[None]] = set()
        """What goes on for longer than a request."""
        self.closing = False
        self._files: dict[str, list[str]] = {}
        self.pool: Processes
        self.club: Club

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Open the pool while the application runs."""
        self.pool = Processes(self.searches)
        self.club = Club(self.pool, self.history)
        starting = asyncio.get_running_loop().create_task(self._warm_up())
        try:
            yield
        finally:
            self.closing = True
            for task in (starting, *self.background):
                task.cancel()
            self.club.close()
            await self.pool.close()

    def note_files(self, files: dict[str, list[str]]) -> None:
        """Remember of which files systems are made."""
        self._files.update(files)

    def stamp(self, *systems: str) -> tuple[tuple[int, int], ...]:
        """Changes when a file of these systems does."""
        return stamp_of(path for system in systems for path in self._files.get(system) or [system])

    async def _warm_up(self) -> None:
        """Let the processes read the systems before somebody asks for them.

        One after the other, so that the first page does not wait for all of them to start at once.
        """
        first = str(next(iter(self.catalogue.systems.values())))
        await self.pool.quick("explain", {"ns": first, "ew": first, "calls": []})
        await self.pool.warm_up("files", {"ns": first, "ew": first})
        for path in self.catalogue.systems.values():
            with contextlib.suppress(PidmError):  # told when somebody wants to play it
                self.note_files(await self.pool.quick("files", {"ns": str(path), "ew": str(path)}))


def make_app(
    paths: Iterable[str | Path] = (),
    hosts: Sequence[str] = ("127.0.0.1:8753", "localhost:8753"),
    history: Path | None = None,
    searches: int | None = None,
) -> Starlette:
    """The application that serves the files and folders in `paths` under the names in `hosts`.

    `history`: the folder of what must last, by default the user's. `searches`: how many run at once.
    """
    from pidm.web import explore_api, practise_api, review_api, watch_api

    desk = Desk(Catalogue.of(paths), History(history), searches)
    routes: list[BaseRoute] = [
        Route("/", _page),
        *practise_api.routes(desk),
        *explore_api.routes(desk),
        *review_api.routes(desk),
        *watch_api.routes(desk),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts)],
        lifespan=desk.lifespan,
        exception_handlers={PidmError: _failed, HTTPException: _not_found},
    )
    app.state.desk = desk
    return app


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _failed(request: Request, error: Exception) -> Response:
    """What the visitor can put right, or must wait for."""
    status = 503 if isinstance(error, BusyError | LostError) else getattr(error, "status", 400)
    return JSONResponse({"error": str(error)}, status)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code)
