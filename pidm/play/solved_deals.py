"""Double-dummy results, solved once ever: what has been solved is kept in a file of the user's cache."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import STRAINS, Contract, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.doubledummy import Memory, keys_of, solve, tables
from pidm.bridge.scoring import score_for
from pidm.bridge.worlds import from_deals
from pidm.errors import PidmError
from pidm.language.store import directory

Wanted = tuple[Deal, str, Seat]
"""A contract to be solved: deal, strain, declarer."""
FILE = "solved.sqlite"
_ASKED_AT_ONCE = 500
_WAIT = 60.0
"""Seconds to wait for others who write to the same file."""


class SolvedContracts:
    """Solved contracts on disk; any number of processes may use the same file at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        """The file, a database of SQLite."""
        self.trouble = ""
        """Why nothing is kept, if so."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._open()) as database, database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS contracts (key BLOB PRIMARY KEY, tricks INTEGER NOT NULL)"
                    " WITHOUT ROWID"
                )
        except (sqlite3.OperationalError, OSError) as error:
            self.trouble = f"solved contracts are not kept in {path}: {error}"
        except sqlite3.DatabaseError as error:
            raise PidmError(
                f"{path} holds no solved contracts ({error}); remove it to start a new one"
            ) from None

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_WAIT)

    def find(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """What is known of these."""
        found: dict[bytes, int] = {}
        if self.trouble:
            return found
        with closing(self._open()) as database:
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                some = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(some))
                found.update(
                    database.execute(f"SELECT key, tricks FROM contracts WHERE key IN ({marks})", some)
                )
        return found

    def add(self, solved: Iterable[tuple[bytes, int]]) -> None:
        """Keep these, all or none."""
        if self.trouble:
            return
        try:
            with closing(self._open()) as database, database:
                database.executemany("INSERT OR IGNORE INTO contracts VALUES (?, ?)", solved)
        except sqlite3.OperationalError as error:  # a full disk, a file made read-only
            self.trouble = f"solved contracts are not kept in {self.path}: {error}"


def default_store() -> Path | None:
    """Where solved contracts are kept; None when the cache is off (`PIDM_CACHE=off`)."""
    folder = directory()
    return folder / FILE if folder is not None else None


class Solver:
    """Solves contracts that nobody has solved before."""

    def __init__(self, store: Path | None = None, threads: int | None = None) -> None:
        """`store` is the file of what was solved before; without it, all is forgotten in the end."""
        self.store = SolvedContracts(store) if store is not None else None
        self.threads = threads
        self.solved = 0
        """Contracts that had to be solved."""
        self.known = 0
        """Contracts that were known."""
        self.seconds = 0.0
        """Time spent."""
        self._memory = Memory()

    def tricks(self, wanted: Sequence[Wanted]) -> list[int]:
        """The tricks of declarer in each contract."""
        began = time.perf_counter()
        worlds = from_deals(deal for deal, _, _ in wanted)
        strains, declarers = [strain for _, strain, _ in wanted], [int(seat) for _, _, seat in wanted]
        keys = keys_of(worlds, strains, declarers)
        fresh = {key: row for row, key in enumerate(keys) if key not in self._memory}
        self._recall(fresh)
        missing = {key: row for key, row in fresh.items() if key not in self._memory}
        if missing:
            rows = list(missing.values())
            tricks = solve(
                worlds[rows], [strains[row] for row in rows], [declarers[row] for row in rows], self.threads
            )
            self._keep(dict(zip(missing, tricks)))
        self.solved += len(missing)
        self.known += len(fresh) - len(missing)
        self.seconds += time.perf_counter() - began
        return self._answers(keys)

    def tables(self, deals: Sequence[Deal]) -> npt.NDArray[np.int8]:
        """The tricks in every strain S H D C N by every declarer N E S W: int8[n, 5, 4]."""
        began = time.perf_counter()
        worlds = from_deals(deals)
        strains, declarers = np.repeat(list(STRAINS), 4).tolist(), [*range(4)] * len(STRAINS)
        every = keys_of(np.repeat(worlds, 20, axis=0), strains * len(deals), declarers * len(deals))
        keys = [every[at : at + 20] for at in range(0, len(every), 20)]
        self._recall([key for key in every if key not in self._memory])
        missing = [n for n, some in enumerate(keys) if any(key not in self._memory for key in some)]
        if missing:
            for number, table in zip(missing, tables(worlds[missing], self.threads)):
                self._keep({key: int(tricks) for key, tricks in zip(keys[number], table.flat)})
        self.solved += 20 * len(missing)
        self.known += 20 * (len(deals) - len(missing))
        self.seconds += time.perf_counter() - began
        return np.array(self._answers(every), dtype=np.int8).reshape(-1, 5, 4)

    def _recall(self, keys: Iterable[bytes]) -> None:
        """Remember what was solved before, perhaps by others."""
        if self.store is not None:
            self._memory.add(self.store.find(list(keys)).items())

    def _keep(self, solved: dict[bytes, int]) -> None:
        self._memory.add(solved.items())
        if self.store is not None:
            self.store.add(solved.items())

    def _answers(self, keys: Sequence[bytes]) -> list[int]:
        answers = [tricks for tricks in self._memory.find(keys) if tricks is not None]
        assert len(answers) == len(keys)
        self._memory.forget()
        return answers

    @property
    def trouble(self) -> str:
        """Why nothing is kept, if so."""
        return self.store.trouble if self.store is not None else ""


def ns_score(contract: Contract | None, vul: Vul, tricks: int | None) -> int:
    """What NS score; nothing when all have passed."""
    return score_for(Seat.N, contract, vul, tricks or 0)
