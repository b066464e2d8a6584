"""Double dummy through endplay: only the strain and declarer that are asked for, in batches, remembered."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from threading import Event, Lock, Thread

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import STRAINS
from pidm.bridge.worlds import Worlds, to_deals

Tricks = npt.NDArray[np.int8]

_BATCH = 200
"""The most boards that the solver takes at once."""
_TABLES = 40
"""The most full tables that the solver takes at once."""
_solver = Lock()
"""The solver is one for the process, and so is its number of threads."""
_threads_now: int | None = None
_share: int | None = None


def share_processors(processes: int) -> None:
    """This is one of several processes that solve at the same time: by default, take only its part of the
    processors."""
    global _share
    _share = None
    _share = max(available_threads() // processes, 1)


def available_threads() -> int:
    """The processors that this process may use."""
    if _share is not None:
        return _share
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Memory:
    """The tricks of contracts that have been solved, by their keys; the oldest go when there are too many."""

    def __init__(self, size: int = 200_000) -> None:
        self.size = size
        """Contracts that are remembered."""
        self._known: dict[bytes, int] = {}

    def __contains__(self, key: bytes) -> bool:
        return key in self._known

    def find(self, keys: Sequence[bytes]) -> list[int | None]:
        """What is remembered of each."""
        return [self._known.get(key) for key in keys]

    def add(self, solved: Iterable[tuple[bytes, int]]) -> None:
        """Remember these."""
        self._known.update(solved)

    def forget(self) -> None:
        """Forget the oldest when there is too much to remember."""
        if len(self._known) > self.size:
            with _solver:  # who solves in a thread of its own may be adding to it
                for key in list(self._known)[: len(self._known) - self.size]:
                    del self._known[key]


def keys_of(worlds: Worlds, strains: Sequence[str], declarers: Sequence[int]) -> list[bytes]:
    """What the contract of each world is known by: the owners of the 52 cards, two bits each, then strain and
    declarer."""
    owners = _owners(worlds).reshape(-1, 13, 4)[:, ::-1]
    packed = (owners << np.arange(0, 8, 2, dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
    return [
        cards.tobytes() + bytes((4 * STRAINS.index(strain) + declarer,))
        for cards, strain, declarer in zip(packed, strains, declarers)
    ]


def _owners(worlds: Worlds) -> npt.NDArray[np.uint8]:
    """Who holds each card, uint8[n, 52]: 0..3 = N E S W; card = 13 * suit + rank, suits S H D C, two = 0."""
    bits = worlds[:, :, :, None] >> np.arange(13, dtype=np.uint16) & 1
    return np.asarray(bits.reshape(len(worlds), 4, 52).argmax(axis=1), dtype=np.uint8)


class DoubleDummy:
    """Solves contracts and remembers what it has solved."""

    def __init__(self, threads: int | None = None, memory: int = 200_000) -> None:
        """Solve on this many threads, by default on all processors; remember this many contracts."""
        self.threads = threads or available_threads()
        self.solved = 0
        """How many contracts had to be solved so far."""
        self.seconds = 0.0
        """How long that took."""
        self._memory = Memory(memory)

    @property
    def cost(self) -> float:
        """About how many seconds a new contract takes."""
        return self.seconds / self.solved if self.solved >= 20 else 0.02 / self.threads

    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Tricks:
        """How many tricks declarer takes in each world, int8[n]."""
        keys, rows = self._open(worlds, strain, declarer)
        self._solve(worlds, keys, rows, strain, declarer, _BATCH)
        answer = np.array(self._memory.find(keys), dtype=np.int8)
        self._memory.forget()
        return answer

    def tricks_within(
        self, worlds: Worlds, strain: str, declarer: int, seconds: float
    ) -> npt.NDArray[np.float64]:
        """The same as far as it is found out in this time, float64[n]; NaN elsewhere.

        One deal in a thousand takes as long as a hundred others, and the solver cannot be interrupted. So it
        works in a thread of its own, a few deals at a time, and is left alone with the last of them when time
        is up; what comes of those is remembered.
        """
        keys, rows = self._open(worlds, strain, declarer)
        if rows:
            stop, failed = Event(), list[BaseException]()

            def work() -> None:
                try:
                    self._solve(worlds, keys, rows, strain, declarer, self.threads, stop)
                except BaseException as error:
                    failed.append(error)

            thread = Thread(target=work, name="double dummy", daemon=True)
            _wait_at_exit()
            thread.start()
            thread.join(seconds)
            stop.set()
            if failed:
                raise failed[0]
        answer = np.array(self._memory.find(keys), dtype=np.float64)  # NaN for None
        self._memory.forget()
        return answer

    def _open(self, worlds: Worlds, strain: str, declarer: int) -> tuple[list[bytes], list[int]]:
        """What each world is remembered by, and the worlds that are not yet, each once."""
        keys = keys_of(worlds, [strain] * len(worlds), [declarer] * len(worlds))
        missing: dict[bytes, int] = {}
        for row, key in enumerate(keys):
            if key not in self._memory:
                missing.setdefault(key, row)
        return keys, list(missing.values())

    def _solve(
        self,
        worlds: Worlds,
        keys: list[bytes],
        rows: list[int],
        strain: str,
        declarer: int,
        size: int,
        stop: Event | None = None,
    ) -> None:
        """Solve and remember, so many at a time, until all are solved or somebody says stop."""
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            with _solver:
                if stop is not None and stop.is_set():
                    return
                began = time.perf_counter()
                found = _solved(worlds[batch], [strain] * len(batch), [declarer] * len(batch), self.threads)
                self.seconds += time.perf_counter() - began
                self.solved += len(batch)
                self._memory.add(zip((keys[row] for row in batch), found))


@cache
def _wait_at_exit() -> None:
    """The process must not end while its solver is at work."""
    atexit.register(_solver.acquire, timeout=10)


def warm_up() -> None:
    """Load the solver and let it solve once: its first use takes as long as a hundred others, and should not
    count as thinking."""
    suits = np.array([0x1FFF, 0, 0, 0], dtype=np.uint16)
    solve(np.stack([np.roll(suits, seat) for seat in range(4)])[None], "N", [0])


def tables(worlds: Worlds, threads: int | None = None) -> Tricks:
    """The tricks in every strain S H D C N by every declarer N E S W: int8[n, 5, 4]. About 120 ms a world."""
    from endplay.dds import calc_all_tables
    from endplay.types import Deal

    found = []
    with _solver:
        _set_threads(threads or available_threads())
        for start in range(0, len(worlds), _TABLES):
            batch = [Deal(str(deal)) for deal in to_deals(worlds[start : start + _TABLES])]
            found += [table.to_list() for table in calc_all_tables(batch)]
    return np.array(found, dtype=np.int8).reshape(-1, 5, 4)


def write_solved(path: Path, worlds: Worlds, table: Tricks) -> None:
    """Store solved deals as an npz of

    owner  int8[n, 52]    who holds each card: 0..3 = N E S W; card = 13 * suit + rank, suits S H D C, two = 0
    table  int8[n, 5, 4]  tricks in strain S H D C N by declarer N E S W
    """
    np.savez_compressed(path, owner=_owners(worlds).astype(np.int8), table=table)


def read_solved(path: Path) -> tuple[Worlds, Tricks]:
    """The worlds and tables of a file as `write_solved` makes it."""
    with np.load(path, allow_pickle=False) as stored:
        owner, table = stored["owner"], stored["table"]
    worlds = np.zeros((len(owner), 4, 4), dtype=np.uint16)
    for card in range(52):
        worlds[np.arange(len(owner)), owner[:, card], card // 13] |= np.uint16(1 << card % 13)
    return worlds, table


def solve(
    worlds: Worlds, strains: Sequence[str], declarers: Sequence[int], threads: int | None = None
) -> list[int]:
    """The tricks of each world's declarer in that world's strain, on all processors unless told otherwise."""
    with _solver:
        return _solved(worlds, strains, declarers, threads or available_threads())


def _solved(worlds: Worlds, strains: Sequence[str], declarers: Sequence[int], threads: int) -> list[int]:
    """The same for one who has the solver."""
    from endplay.dds import solve_all_boards
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    boards = [
        Deal(str(deal), first=Player((declarer + 1) & 3), trump=Denom(STRAINS.index(strain)))
        for deal, strain, declarer in zip(to_deals(worlds), strains, declarers)
    ]
    _set_threads(threads)
    solved: list[int] = []
    for start in range(0, len(boards), _BATCH):
        found = solve_all_boards(boards[start : start + _BATCH], SolveMode.OptimalOne)
        # The defence's best first card; cards of one sequence come as several with the same number.
        solved += [13 - next(iter(board))[1] for board in found]
    return solved


def _set_threads(threads: int) -> None:
    """Set the number of threads of the solver, which by itself takes all processors."""
    global _threads_now
    if _threads_now != threads:
        from endplay._dds import SetMaxThreads

        SetMaxThreads(threads)
        _threads_now = threads
