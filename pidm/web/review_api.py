"""The endpoints of reviews: a file comes in, its boards go out one by one."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pidm.errors import PidmError, RequestError
from pidm.web.events import events
from pidm.web.guard import LARGEST_FILE, TooLargeError, body_of, number_of, text_of

if TYPE_CHECKING:
    from pidm.web.app import Desk

MOST_BOARDS = 400
"""Boards of one review."""
MOST_RUNNING = 4
"""Reviews at once."""
MOST_KEPT = 40
"""Reviews that are kept in memory."""


class NoReviewError(RequestError):
    """A review that is not there."""

    status = 404


@dataclass
class Review:
    """A file being reviewed."""

    title: str
    text: str
    form: str
    paths: dict[str, str]
    """The systems' files, `ns` and `ew`."""
    systems: dict[str, str]
    """Their names, `NS` and `EW`."""
    seconds: float
    count: int
    errors: list[str]
    """What is wrong with boards that could not be read."""
    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    boards: list[dict[str, Any] | None] = field(default_factory=list)
    standings: dict[str, Any] = field(default_factory=dict)
    over: bool = False
    stopped: bool = False
    trouble: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def bump(self) -> None:
        """Tell everybody who looks on that something has changed."""
        self.changed.set()
        self.changed = asyncio.Event()

    @property
    def done(self) -> list[dict[str, Any]]:
        """The boards from the first to the first that is not reviewed yet."""
        first = next((at for at, board in enumerate(self.boards) if board is None), len(self.boards))
        return [board for board in self.boards[:first] if board is not None]

    def told(self) -> dict[str, Any]:
        """All but the boards."""
        return {
            "id": self.name,
            "title": self.title,
            "systems": self.systems,
            "count": self.count,
            "done": sum(board is not None for board in self.boards),
            "errors": self.errors,
            "over": self.over,
            "stopped": self.stopped,
            "trouble": self.trouble,
            "standings": self.standings,
        }


def routes(desk: Desk) -> list[Route]:
    """The endpoints."""
    reviews: OrderedDict[str, Review] = OrderedDict()

    def find(request: Request) -> Review:
        name = request.path_params["review"]
        if name in reviews:
            return reviews[name]
        kept = desk.history.review(name)
        if kept is None:
            raise NoReviewError("there is no such review; drop the file again")
        found = Review(name=name, **kept)
        found.changed.set()
        reviews[name] = found
        return found

    async def start(request: Request) -> Response:
        """Take a file and begin."""
        given = await body_of(request, LARGEST_FILE)
        title = text_of(given, "name")
        form = title.rsplit(".", 1)[-1].lower()
        if form not in ("pbn", "lin"):
            raise RequestError(f"{title} is no file of boards; expected .pbn or .lin")
        text = given.get("text")
        if given.get("file"):  # one that was named on the command line
            text = desk.catalogue.record(text_of(given, "file")).read_text(encoding="utf-8", errors="replace")
        if not isinstance(text, str):
            raise RequestError('"text" is the content of the file')
        systems = {side: text_of(given, side) for side in ("NS", "EW")}
        paths = {side.lower(): desk.catalogue.system(name) for side, name in systems.items()}
        if sum(not one.over for one in reviews.values()) >= MOST_RUNNING:
            raise RequestError("other reviews are running; please wait until one is ready")
        found = await desk.pool.slow("records", {"text": text, "form": form})
        if found["boards"] > MOST_BOARDS:
            raise TooLargeError(f"{found['boards']} boards; at most {MOST_BOARDS} are reviewed at once")
        seconds = number_of(given, "seconds", 0.6, 0, 5)
        review = Review(title, text, form, paths, systems, seconds, found["boards"], found["errors"])
        review.boards = [None] * review.count
        reviews[review.name] = review
        while len(reviews) > MOST_KEPT:
            reviews.popitem(last=False)
        review.task = asyncio.get_running_loop().create_task(run(review))
        desk.background.add(review.task)
        review.task.add_done_callback(desk.background.discard)
        return JSONResponse(review.told())

    async def run(review: Review) -> None:
        """Review all boards, as many at once as there are searches."""
        waiting = iter(range(review.count))

        async def some() -> None:
            for at in waiting:
                args = {**review.paths, "text": review.text, "form": review.form, "at": at}
                board = await desk.pool.slow(
                    "review_board", {**args, "seconds": review.seconds}, seconds=300.0
                )
                review.boards[at] = board
                review.bump()

        workers = [asyncio.create_task(some()) for _ in range(max(desk.pool.searches, 1))]
        try:
            await asyncio.gather(*workers)
        except PidmError as error:
            review.trouble = str(error)
        except asyncio.CancelledError:
            if desk.closing:
                raise
            review.stopped = True
        for worker in workers:
            worker.cancel()
        try:
            review.standings = await desk.pool.slow("standings", {"boards": review.done})
        except PidmError as error:
            review.trouble = str(error)
        review.over = True
        if review.done:
            desk.history.add_review(review.name, review.title, len(review.done), kept(review))
        review.bump()

    def kept(review: Review) -> dict[str, Any]:
        names = ("title", "text", "form", "paths", "systems", "seconds", "count", "errors")
        more = ("boards", "standings", "over", "stopped", "trouble")
        return {name: getattr(review, name) for name in (*names, *more)}

    async def see(request: Request) -> Response:
        review = find(request)
        return JSONResponse({**review.told(), "boards": review.boards})

    async def watch(request: Request) -> Response:
        """The boards as they come."""
        review = find(request)

        async def coming() -> AsyncIterator[tuple[str, Any]]:
            told: set[int] = set()
            while True:
                changed = review.changed
                for at, board in enumerate(review.boards):
                    if board is not None and at not in told:
                        told.add(at)
                        yield "board", {"at": at, "board": board}
                yield "review", review.told()
                if review.over:
                    return
                await changed.wait()

        return events(coming())

    async def stop(request: Request) -> Response:
        """Enough; what there is stays."""
        review = find(request)
        if review.task is not None and not review.over:
            review.task.cancel()
        return JSONResponse(review.told())

    async def file(request: Request) -> Response:
        """The review as a file: HTML to mail, PBN with notes."""
        review, kind = find(request), request.path_params["kind"]
        if kind not in ("html", "pbn"):
            raise NoReviewError("a review can be had as html or pbn")
        args = {"boards": review.done, "name": review.title, "systems": review.systems, "as": kind}
        text = await desk.pool.slow("review_file", {**args, "text": review.text, "form": review.form})
        stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in review.title.rsplit(".", 1)[0])
        headers = {"Content-Disposition": f'attachment; filename="{stem}-review.{kind}"'}
        kinds = {"html": "text/html; charset=utf-8", "pbn": "application/x-pbn; charset=utf-8"}
        return PlainTextResponse(text, media_type=kinds[kind], headers=headers)

    async def listed(request: Request) -> Response:
        return JSONResponse({"reviews": desk.history.reviews(), "files": list(desk.catalogue.records)})

    return [
        Route("/api/reviews", listed),
        Route("/api/reviews", start, methods=["POST"]),
        Route("/api/reviews/{review}", see),
        Route("/api/reviews/{review}/events", watch),
        Route("/api/reviews/{review}/stop", stop, methods=["POST"]),
        Route("/api/reviews/{review}/file.{kind}", file),
    ]
