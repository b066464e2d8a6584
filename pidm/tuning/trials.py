"""Trials of changes: a race on ever more boards, the boards solved, and others to confirm it; who does them.

A change runs against the first member of the pool, by the estimate, on a sixteenth of the boards, then an
eighth, and so on. It is dropped where it touches too few boards to be told from chance, and where even with
luck it would not gain what is asked for in the end. What is left is tried against the whole pool, and then
solved. It is accepted if the mean over the pool lies three standard errors above nothing, and no member of
the pool gains more than its error from it.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from pidm.errors import PidmError
from pidm.language.source import Mark
from pidm.language.system import System
from pidm.match.statistics import Mean, mean_of
from pidm.play.match_boards import Board, random_boards, read_boards
from pidm.play.solved_deals import Solver
from pidm.tuning.changes import Change, changed_system, touched_blocks, with_changes
from pidm.tuning.ground import Attempt, GainEstimate, Ground, Judge, Setting

ACCEPTED, CONFIRMED = 3.0, 2.0
"""Standard errors above nothing: solved, and on the boards that confirm."""
LUCK = 0.8
"""Standard errors by which a gain by the estimate may turn out greater on more boards, or solved."""
ALONE = 0.6
"""What a change must gain against the first member of the pool, as a share of the standard errors that are
asked for against all: against one alone the same gain is told with less certainty."""
RACE = (16, 8, 4, 2, 1)
"""The race is run on a board in so many, one after the other."""
FEWEST = 6
"""Boards that a change must touch against the first member, with some luck: hardly any with fewer comes to
three standard errors."""


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
    measuring: int = 2000
    """Others again, to measure in the end what all that was accepted gains together."""
    judges: tuple[str, ...] = ()
    """Who has no say in what is accepted, but is met on the last boards."""
    deals: str = "random"
    """`random`, or a file: boards for trying come first, then those for confirming, then for measuring."""
    seed: int = 1
    look: bool = True
    store: str = ""
    """Where solved contracts are kept."""

    def sets(self) -> dict[str, tuple[Board, ...]]:
        """The boards for `trying`, `confirming` and `measuring`."""
        counts = {"trying": self.boards, "confirming": self.confirming, "measuring": self.measuring}
        wanted = sum(counts.values())
        boards = iter(
            random_boards(wanted, self.seed) if self.deals == "random" else read_boards(self.deals)[:wanted]
        )
        return {which: tuple(islice(boards, count)) for which, count in counts.items()}


@dataclass(frozen=True)
class Trial:
    """What came of trying a change."""

    change: str
    """Its id."""
    stage: str
    """How far it got: `impossible`, the rules do not allow it; `nothing`, it touches no board, `rare`, too
    few; `first`, the race against the first of the pool; `estimate`, against all; `solved`; `confirmed`. What
    was accepted is `measured` together."""
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
        self._settings = {
            which: Setting(boards, plan.pool, plan.look) for which, boards in plan.sets().items()
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
        """The system with one more change; from its files where the card changes, since that is read anew."""
        if touched_blocks(self.system, change) is None:
            return with_changes(self._original, (*self.accepted, change))
        return changed_system(self.system, change.edits)

    def ground(self, which: str, member: str) -> Ground:
        """The boards for trying or confirming, bid against one member of the pool."""
        if (which, member) not in self._grounds:
            self._grounds[which, member] = Ground(self.system, self._settings[which], member)
        return self._grounds[which, member]

    def uses(self) -> Counter[Mark]:
        """How many calls each line makes on the boards for trying."""
        return self.ground("trying", self.plan.pool[0]).uses

    def try_out(self, change: Change) -> Trial:
        """As far as the change gets on the boards for trying."""
        began = time.perf_counter()
        count, estimate = len(self._settings["trying"].boards), GainEstimate()
        try:
            system = self._with(change)
        except PidmError:
            return _with(Trial(change.id, "impossible", False, mean_of(np.zeros(count))), 0, began)
        trial, auctions = self._race(change, system, estimate)
        touched = trial.touched
        if trial.accepted and len(self.plan.pool) > 1:
            others = [
                self._rebid("trying", member, change, system, range(count)) for member in self.plan.pool[1:]
            ]
            touched += sum(map(len, others))
            auctions = [*auctions, *others]
        if trial.accepted:
            trial = self._judged(change, "estimate", auctions, estimate, count, ACCEPTED - LUCK)
        if trial.accepted:
            trial = self._judged(change, "solved", auctions, self._solver, count, ACCEPTED)
        return _with(trial, touched, began)

    def _race(self, change: Change, system: System, judge: Judge) -> tuple[Trial, list[dict[int, Any]]]:
        """Against the first of the pool on more and more boards; and how the tables were bid."""
        first = self.plan.pool[0]
        ground = self.ground("trying", first)
        attempt = Attempt(ground, system, touched_blocks(self.system, change))
        boards = len(ground.setting.boards)
        done, hopeful = 0, True
        starts: dict[int, Any] = {}
        auctions: dict[int, Any] = {}
        for share in RACE:
            count = max(boards // share, 1)
            more = attempt.starts(range(done, count))
            starts.update(more)
            auctions.update(attempt.rebid(more))
            done = count
            part, touched = count / boards, len({place // 2 for place in starts})
            gains = ground.gains(auctions, judge)[:count]
            gain, changed = mean_of(gains), int(np.count_nonzero(gains))
            stage = "first"
            if (touched + 2 * math.sqrt(touched) + 2) / part < FEWEST:
                stage = "rare" if touched else "nothing"
            needed = ALONE * ACCEPTED * math.sqrt(part) - LUCK
            early = part < 1 and changed < FEWEST
            hopeful = stage == "first" and (early or (bool(changed) and gain.mean >= needed * gain.error))
            if not hopeful:
                break
        return Trial(change.id, stage, hopeful, gain, {first: gain}, len(starts)), [auctions]

    def confirm(self, change: Change) -> Trial:
        """What it is worth on the other boards."""
        began = time.perf_counter()
        system, count = self._with(change), len(self._settings["confirming"].boards)
        auctions = [
            self._rebid("confirming", member, change, system, range(count)) for member in self.plan.pool
        ]
        # Several sizes of what is tried at once come here one after the other: one of them has luck easily.
        needed = ACCEPTED if change.parts else CONFIRMED
        trial = self._judged(change, "confirmed", auctions, self._solver, count, needed)
        return _with(trial, sum(map(len, auctions)), began)

    def _rebid(
        self, which: str, member: str, change: Change, system: System, boards: range
    ) -> dict[int, Any]:
        """The tables of these boards that are bid otherwise."""
        attempt = Attempt(self.ground(which, member), system, touched_blocks(self.system, change))
        return attempt.rebid(attempt.starts(boards))

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


def measured(plan: Plan, accepted: tuple[Change, ...], member: str) -> Trial:
    """What all changes gain together against a member of the pool or a judge, on boards on which nothing was
    chosen: the system as it is in its files has bid them before."""
    began = time.perf_counter()
    original = System.load(plan.system, dict(plan.card))
    system = with_changes(original, accepted)
    each = [touched_blocks(original, change) for change in accepted]
    blocks = None if None in each else frozenset().union(*(one for one in each if one is not None))
    ground = Ground(original, Setting(plan.sets()["measuring"], plan.pool, plan.look), member)
    try:
        attempt = Attempt(ground, system, blocks)
        auctions = attempt.rebid(attempt.starts(range(len(ground.setting.boards))))
        gain = mean_of(ground.gains(auctions, Solver(Path(plan.store) if plan.store else None)))
    finally:
        ground.close()
    return _with(Trial("", "measured", True, gain, {member: gain}), len(auctions), began)
