"""Trials of changes: a first opinion, the boards solved, and others to confirm it; and who does them.

A change is dropped as soon as it looks no better than nothing: on a quarter of the boards by the estimate,
on all of them by the estimate, on all of them solved. It is accepted if the mean over the pool lies three
standard errors above nothing, and no member of the pool gains more than its error from it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pidm.language.system import System
from pidm.match.statistics import Mean, mean_of
from pidm.play.match_boards import Board, random_boards, read_boards
from pidm.play.solved_deals import Solver
from pidm.tuning.changes import Change, changed_system, touched_blocks
from pidm.tuning.ground import GainEstimate, Ground, Judge, Setting

HOPE, ACCEPTED, CONFIRMED = 0.5, 3.0, 2.0
"""Standard errors above nothing: by the estimate, solved, and on the boards that confirm."""
FIRST_LOOK = 4
"""The first opinion is of a board in so many."""


@dataclass(frozen=True)
class Plan:
    """All that a process must know to try a change. Equal plans give equal results."""

    system: str
    """Name or file."""
    card: tuple[tuple[str, bool], ...] = ()
    pool: tuple[str, ...] = ("ourselves",)
    boards: int = 2000
    """To try changes on."""
    confirming: int = 2000
    """Others, to confirm what was accepted."""
    deals: str = "random"
    """`random`, or a file: its first boards are for trying, the next for confirming."""
    seed: int = 1
    look: bool = True
    store: str = ""
    """Where solved contracts are kept."""

    def sets(self) -> tuple[tuple[Board, ...], tuple[Board, ...]]:
        """The boards for trying, and those for confirming."""
        wanted = self.boards + self.confirming
        found = (
            random_boards(wanted, self.seed) if self.deals == "random" else read_boards(self.deals)[:wanted]
        )
        return tuple(found[: self.boards]), tuple(found[self.boards :])


@dataclass(frozen=True)
class Trial:
    """What came of trying a change."""

    change: str
    """Its id."""
    stage: str
    """How far it got: `nothing`, it touches no board; `first`, `estimate`, `solved`, `confirmed`."""
    accepted: bool
    """Whether it passed that stage."""
    gain: Mean
    """IMPs a board over the pool."""
    members: dict[str, Mean] = field(default_factory=dict)
    """The same by member."""
    touched: int = 0
    """Tables that were bid anew."""
    seconds: float = 0.0

    @property
    def sigmas(self) -> float:
        """Standard errors above nothing."""
        return sigmas(self.gain)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **asdict(self),
            "gain": list(self.gain),
            "members": {k: list(v) for k, v in self.members.items()},
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Trial:
        """The inverse."""
        members = {name: Mean(*mean) for name, mean in data["members"].items()}
        return cls(**{**data, "gain": Mean(*data["gain"]), "members": members})


def sigmas(mean: Mean) -> float:
    """Standard errors above nothing; none where nothing changed."""
    return mean.mean / mean.error if mean.error and math.isfinite(mean.error) else 0.0


class Laboratory:
    """The grounds of one process: the boards as the system with all accepted changes bids them."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self._original = System.load(plan.system, dict(plan.card))
        self.system = self._original
        """The system with all changes that were accepted."""
        self.accepted: tuple[Change, ...] = ()
        trying, confirming = plan.sets()
        self._settings = {
            "trying": Setting(trying, plan.pool, plan.look),
            "confirming": Setting(confirming, plan.pool, plan.look),
        }
        self._grounds: dict[tuple[str, str], Ground] = {}
        self._solver = Solver(Path(plan.store) if plan.store else None)

    def go_to(self, accepted: tuple[Change, ...]) -> None:
        """Let these changes be part of the system."""
        known = len(self.accepted)
        if self.accepted != accepted[:known]:
            raise ValueError("accepted changes are only ever added")
        for change in accepted[known:]:
            system = self._with(change)
            blocks = touched_blocks(self.system, change)
            for key, ground in self._grounds.items():
                self._grounds[key] = ground.with_system(system, blocks)
            self.system = system
            self.accepted = (*self.accepted, change)

    def _with(self, change: Change) -> System:
        """The system with one more change; from its files, since a card that is changed is read anew."""
        edits = [edit for one in (*self.accepted, change) for edit in one.edits]
        return changed_system(self._original, edits)

    def ground(self, which: str, member: str) -> Ground:
        """The boards for trying or confirming, bid against one member of the pool."""
        if (which, member) not in self._grounds:
            self._grounds[which, member] = Ground(self.system, self._settings[which], member)
        return self._grounds[which, member]

    def try_out(self, change: Change) -> Trial:
        """As far as the change gets on the boards for trying."""
        began = time.perf_counter()
        count = len(self._settings["trying"].boards)
        first = max(count // FIRST_LOOK, 1)
        auctions, touched = self._auctions(change, "trying", range(first))
        trial = self._judged(change, "first", auctions, GainEstimate(), first, HOPE)
        if trial.accepted or not touched:
            more, also = self._auctions(change, "trying", range(first, count))
            auctions = [{**some, **rest} for some, rest in zip(auctions, more)]
            touched += also
            if not touched:
                return Trial(change.id, "nothing", False, mean_of(np.zeros(count)))
            trial = self._judged(change, "estimate", auctions, GainEstimate(), count, HOPE)
        if trial.stage == "estimate" and trial.accepted:
            trial = self._judged(change, "solved", auctions, self._solver, count, ACCEPTED)
        return _with(trial, touched, began)

    def confirm(self, change: Change) -> Trial:
        """What it is worth on the other boards."""
        began = time.perf_counter()
        count = len(self._settings["confirming"].boards)
        auctions, touched = self._auctions(change, "confirming", range(count))
        return _with(
            self._judged(change, "confirmed", auctions, self._solver, count, CONFIRMED), touched, began
        )

    def _auctions(self, change: Change, which: str, boards: range) -> tuple[list[dict[int, Any]], int]:
        """For each member, the tables of these boards that are bid otherwise; and how many were bid."""
        system = self._with(change)
        blocks = touched_blocks(self.system, change)
        found, touched = [], 0
        for member in self.plan.pool:
            ground = self.ground(which, member)
            starts = {k: v for k, v in ground.touched(system, blocks).items() if k // 2 in boards}
            found.append(ground.rebid(system, starts))
            touched += len(starts)
        return found, touched

    def _judged(
        self,
        change: Change,
        stage: str,
        auctions: Sequence[dict[int, Any]],
        judge: Judge,
        count: int,
        needed: float,
    ) -> Trial:
        which = "confirming" if stage == "confirmed" else "trying"
        gains = [
            self.ground(which, member).gains(mine, judge)[:count]
            for member, mine in zip(self.plan.pool, auctions)
        ]
        members = {member: mean_of(one) for member, one in zip(self.plan.pool, gains)}
        gain = mean_of(np.mean(gains, axis=0))
        harmed = any(one.mean < -one.error for one in members.values())
        # A first opinion may be wrong of one member; what is solved must hold against each.
        fine = sigmas(gain) >= needed and not (harmed and stage in ("solved", "confirmed"))
        return Trial(change.id, stage, fine, gain, members)


def _with(trial: Trial, touched: int, began: float) -> Trial:
    return Trial(
        trial.change,
        trial.stage,
        trial.accepted,
        trial.gain,
        trial.members,
        touched,
        round(time.perf_counter() - began, 3),
    )


@lru_cache(maxsize=1)
def laboratory(plan: Plan) -> Laboratory:
    """That of this process; to bid the boards takes minutes."""
    return Laboratory(plan)


def tried(plan: Plan, accepted: tuple[Change, ...], change: Change) -> Trial:
    """A piece of work for a pool: try a change of the system with those that were accepted."""
    lab = laboratory(plan)
    lab.go_to(accepted)
    return lab.try_out(change)


def confirmed(plan: Plan, accepted: tuple[Change, ...], change: Change) -> Trial:
    """The same on the boards that confirm."""
    lab = laboratory(plan)
    lab.go_to(accepted)
    return lab.confirm(change)
