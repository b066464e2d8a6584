"""What a process needs to bid and score boards, and how much work on them took."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pidm.bridge.utilities import Form
from pidm.errors import PidmError
from pidm.play.calling import Caller, make_caller
from pidm.play.journal import Journal, JournalError
from pidm.play.pair import Pair
from pidm.play.pool import Pool
from pidm.play.solved_deals import Solver
from pidm.play.systems import Systems
from pidm.play.tables import add

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Setup:
    """All that a process must know to bid and score boards."""

    pairs: tuple[Pair, ...]
    """Who plays; the first two are each other's rivals."""
    seed: int = 0
    """Of the simulations."""
    form: Form = "imps"
    """What everybody plays for."""
    store: Path | None = None
    """Where solved contracts are kept."""

    @property
    def simulates(self) -> bool:
        """Whether calls may take long."""
        return any(pair.simulates for pair in self.pairs)


class Room:
    """The callers and the solver of one process."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.systems = Systems()
        made: dict[Pair, Caller] = {}
        self.callers: list[Caller] = []
        """One for each pair; pairs that differ only by name share theirs."""
        for place, pair in enumerate(setup.pairs):
            key = pair.unnamed
            if key not in made:
                rivals = setup.pairs[1 - place] if place < 2 <= len(setup.pairs) else pair
                made[key] = make_caller(key, rivals, self.systems, setup.seed, setup.form)
            self.callers.append(made[key])
        self.solver = Solver(setup.store)
        self.seconds: dict[str, float] = {}
        """Time by caller."""

    def notices(self) -> dict[str, float]:
        """What callers have said since this was asked that answers no question."""
        found: dict[str, float] = {}
        for place, caller in enumerate(self.callers):
            add(found, {f"{place} {said}": times for said, times in caller.notices.items()})
            caller.notices.clear()
        return found

    def close(self) -> None:
        """Nothing more will be asked."""
        for caller in self.callers:
            caller.close()


@dataclass(frozen=True)
class Effort:
    """What some work took, over all processes."""

    bidding: dict[str, float] = field(default_factory=dict)
    """Seconds that the callers took, by the place of their pair."""
    solving: float = 0.0
    """Seconds for double dummy."""
    solved: int = 0
    """Contracts that had to be solved."""
    known: int = 0
    """Contracts that had been solved before."""
    trouble: str = ""
    """Why solved contracts are not kept, if so."""
    notices: dict[str, float] = field(default_factory=dict)
    """What engines said that answers no question, after the place of their pair, and how often."""

    def __add__(self, other: Effort) -> Effort:
        bidding, notices = dict(self.bidding), dict(self.notices)
        add(bidding, other.bidding)
        add(notices, other.notices)
        return Effort(
            bidding,
            self.solving + other.solving,
            self.solved + other.solved,
            self.known + other.known,
            self.trouble or other.trouble,
            notices,
        )


@dataclass(frozen=True)
class Kept(Generic[T, R]):
    """Where the results of tasks are kept, and how they are written there."""

    journal: Journal
    plain: Callable[[R], Any]
    """A result as plain data."""
    read: Callable[[Any, T], R]
    """The result of a task from plain data."""


@dataclass(frozen=True)
class Done(Generic[R]):
    """A piece of work, and what it took."""

    result: R
    effort: Effort


def spread(pool: Pool, work: Callable[[Room, T], R], setup: Setup, tasks: Sequence[T]) -> Iterator[Done[R]]:
    """The results in the order of the tasks, as they come. To stop early, close the iterator."""
    if pool.here or len(tasks) <= 1:
        with closing(Room(setup)) as room:
            for task in tasks:
                yield _measured(work, room, task)
        return
    coming = pool.do(_elsewhere, [(work, setup, task) for task in tasks])
    try:
        yield from coming
    finally:
        if any(pair.command for pair in setup.pairs):  # engines end with the processes that started them
            pool.dismiss()


def results_of(
    work: Callable[[Room, Sequence[T]], list[R]],
    setup: Setup,
    tasks: Sequence[T],
    together: int,
    pool: Pool,
    kept: Kept[T, R] | None = None,
) -> Iterator[Done[list[R]]]:
    """The results of many tasks, `together` in one piece of work; those that were kept come first."""
    if kept is None:
        yield from spread(pool, work, setup, chunks(tasks, together))
        return
    done = 0
    for place, line in kept.journal.take(len(tasks)):
        try:
            found = [kept.read(one, task) for one, task in zip(line["results"], tasks[done:])]
            effort = Effort(**line["effort"])
        except (PidmError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise JournalError(f"{place}: {error}") from None
        done += len(found)
        yield Done(found, effort)
    for one in spread(pool, work, setup, chunks(tasks[done:], together)):
        kept.journal.add([kept.plain(result) for result in one.result], asdict(one.effort))
        yield one


def _elsewhere(work: Callable[[Room, T], R], setup: Setup, task: T) -> Done[R]:
    """In a process of its own: the room is kept for the next task."""
    return _measured(work, _room(setup), task)


@functools.lru_cache(maxsize=1)
def _room(setup: Setup) -> Room:
    return Room(setup)


def _measured(work: Callable[[Room, T], R], room: Room, task: T) -> Done[R]:
    room.seconds.clear()
    solver = room.solver
    before = solver.seconds, solver.solved, solver.known
    result = work(room, task)
    seconds, solved, known = (now - then for now, then in zip(_spent(solver), before))
    notices = room.notices()
    return Done(result, Effort(dict(room.seconds), seconds, int(solved), int(known), solver.trouble, notices))


def _spent(solver: Solver) -> tuple[float, int, int]:
    return solver.seconds, solver.solved, solver.known


def chunks(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """The items in pieces."""
    return [items[start : start + size] for start in range(0, len(items), size)]
