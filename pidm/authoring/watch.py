"""Deals bid by four players of one system, and what becomes of every decision there.

The work comes in pieces of random deals, each the same for a seed and a number whoever bids it. What was seen
is plain data, so that it can be kept, sent between processes and added up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from pidm.authoring.absurd import DealtHands, absurdities
from pidm.authoring.auction_as_seen import as_seen, pattern_of
from pidm.authoring.reference import contract_word
from pidm.authoring.taking_over import offered, parts_for
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.worlds import Worlds, hands_of, random_deals
from pidm.core.box import Box
from pidm.core.choices import Choices
from pidm.features import Feature, HandColumns
from pidm.language.finding import shipped
from pidm.language.rules import LAYERS, Line, Rule
from pidm.language.system import System
from pidm.reading.lockstep import bid_out
from pidm.reading.matching import Applied
from pidm.reading.situation import Situation
from pidm.reading.table import Table

PIECE = 250
"""Deals that are bid together: a piece of work."""
SAMPLES = 3
"""How many hands are kept as samples of a finding."""
SURE = 50
"""Hands that fit a rule which has never won, after which no more are counted."""
OWNERS = ("yours", "taken over", "staying out", "natural", "nobody's")
"""Whose a call is: of a line of the author's files (a pass in an auction that they speak of is theirs, too),
of a shipped system or convention, a pass of a side that has not come in, which no system need speak of, of
what good players do undiscussed, or for want of any rule."""


def deals_of(seed: int, number: int, size: int) -> tuple[Worlds, list[Vul]]:
    """The deals of one piece of work, and the vulnerabilities; north deals."""
    rng = np.random.default_rng([seed, number])
    worlds = random_deals(PIECE, rng)
    vuls = [Vul(int(vul)) for vul in rng.integers(0, 4, size=PIECE)]
    return worlds[:size], vuls[:size]


@dataclass
class Tally:
    """Hands that have something in common, with samples."""

    count: int = 0
    samples: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)
    spots: list[tuple[int, int]] = field(default_factory=list)
    """The deals, and which side (0: NS)."""

    def add(self, hands: list[str], rows: list[int], side: int) -> None:
        """Some more hands."""
        self.count += len(rows)
        self.samples += hands[: SAMPLES - len(self.samples)]
        self.spots += [(row, side) for row in rows]


@dataclass
class LineTally:
    """What became of the hands that reached a line."""

    reached: int = 0
    fitted: int = 0
    won: int = 0
    made: int = 0
    excluded: int = 0
    """Hands that a negative rule kept from it."""
    winners: Counter[str] = field(default_factory=Counter)


@dataclass
class Sightings:
    """What was seen, by auction as the player to call sees it or by line (see `line_key`)."""

    decisions: int = 0
    layers: Counter[str] = field(default_factory=Counter)
    owners: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    """Calls of the natural layer that a shipped part would make the author's, by part."""
    holes: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    natural: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    open: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    forced: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    violations: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """By line and call, joined by a blank."""
    absurd: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """By kind."""
    gaps: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """By auction pattern: where a side first made a call that is not the author's."""
    first_bids: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """By line: the first bids of sides all whose calls were the author's."""
    lines: dict[str, LineTally] = field(default_factory=lambda: defaultdict(LineTally))
    contracts: list[str] = field(default_factory=list)
    """Of every deal: `3NS`, `4HXE`; empty when it was passed out."""

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            one.name: {key: vars(tally) for key, tally in value.items()} if one.name in _TALLIES else value
            for one in fields(self)
            for value in (getattr(self, one.name),)
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Sightings:
        """From what `to_data` gave."""
        seen = cls()
        for name, value in data.items():
            if name in _TALLIES:
                kind = LineTally if name == "lines" else Tally
                for key, tally in value.items():
                    got = getattr(seen, name)[key] = kind(**tally)
                    for counter in ("calls", "winners"):
                        if hasattr(got, counter):
                            setattr(got, counter, Counter(getattr(got, counter)))
            else:
                setattr(seen, name, Counter(value) if isinstance(value, dict) else value)
        return seen

    def add(self, other: Sightings) -> None:
        """What was seen in the deals that follow."""
        before = len(self.contracts)
        self.decisions += other.decisions
        self.layers += other.layers
        self.owners += other.owners
        self.offered += other.offered
        self.contracts += other.contracts
        for name in _TALLIES:
            mine = getattr(self, name)
            for key, tally in getattr(other, name).items():
                _join(mine[key], tally, before)


_TALLIES = ("holes", "natural", "open", "forced", "violations", "absurd", "gaps", "first_bids", "lines")


def _join(mine: Any, other: Any, before: int) -> None:
    for name, value in vars(other).items():
        if name == "samples":
            mine.samples += value[: SAMPLES - len(mine.samples)]
        elif name == "spots":
            mine.spots += [(row + before, side) for row, side in value]
        else:
            setattr(mine, name, getattr(mine, name) + value)


def line_key(line: Line) -> str:
    """How a line is named in what was seen: its block's place in the system, and its place there."""
    return f"{line.block.position}/{line.number}"


@cache
def is_shipped(path: str) -> bool:
    """Is it a file of the systems that come with the package, so that it is not the author's to mend?"""
    return Path(path).resolve().is_relative_to(shipped())


class _Decisions:
    """Decisions in one auction: the hands, and what the system proposes for them."""

    def __init__(
        self, situation: Situation, auction: Auction, rows: np.ndarray, worlds: Worlds, choices: Choices
    ):
        self.situation, self.auction, self.rows, self.choices = situation, auction, rows, choices
        self.seen = as_seen(auction)
        self.side = auction.actor & 1
        """0: NS."""
        self.masks = worlds[rows, auction.actor]
        """The hands."""
        self.columns = HandColumns(self.masks)
        if situation.dynamic:
            self.columns = self.columns.with_partner(situation.bounds[situation.partner])
        self.winner = choices.mask.argmax(axis=1)
        """int[n], the proposal that makes the call."""
        self.applied: dict[int, Applied] = {id(one.rule): one for one in situation.applied}
        """By the identity of the rule."""


class Watch:
    """Sees every decision of the deals that are bid, and keeps count."""

    def __init__(self, system: System, worlds: Worlds):
        self.system, self.worlds = system, worlds
        self.foreign = not is_shipped(system.spec.path)
        """Is the system somebody's own?"""
        self.parts = parts_for(system)
        """Shipped parts that the author may take over."""
        self.seen = Sightings()
        self._left: dict[tuple[int, int], str] = {}
        """Where each side of each deal first made a call that is not the author's."""
        self._began: dict[tuple[int, int], str] = {}
        """The line of each side's first bid."""

    def __call__(self, auction: Auction, rows: np.ndarray, choices: Choices) -> None:
        """One auction, the rows of the deals that are in it, and what the system proposes for them."""
        here = _Decisions(Table.of(self.system).situation(auction), auction, rows, self.worlds, choices)
        self.seen.decisions += len(rows)
        for one in here.situation.applied:
            tally = self.seen.lines[line_key(one.rule.line)]
            tally.reached += len(rows)
            tally.excluded += len(rows) if one.call in here.situation.forbidden else 0
        for number in np.unique(here.winner).tolist():
            self._decided(here, number)
        # Default actions are every legal call: such hands are a hole, not a choice.
        default = np.array([proposal.source is None for proposal in choices.proposals])
        several = choices.open() & ~default[here.winner]
        if several.any():
            self._several(here, np.flatnonzero(several))
        self._losers(here)

    def _decided(self, here: _Decisions, number: int) -> None:
        """The hands whose call comes from one proposal."""
        situation, mine = here.situation, here.winner == number
        proposal = here.choices.proposals[number]
        call = Call(proposal.action)
        rule = proposal.source
        one = here.applied.get(id(rule))
        hands, listed, side = _samples(here.masks[mine], call), here.rows[mine].tolist(), here.side
        count = len(listed)
        if isinstance(rule, Rule):
            self.seen.layers[rule.block.spec.layer] += count
            self.seen.lines[line_key(rule.line)].won += count
        else:
            self.seen.layers["none"] += count
        if one is None or not one.speaks:
            self.seen.holes[here.seen].add(hands, listed, side)
            self.seen.holes[here.seen].calls[str(call)] += count
        elif one.rule.block.layer <= LAYERS["standard"]:
            self.seen.natural[here.seen].add(hands, listed, side)
            self.seen.natural[here.seen].calls[str(call)] += count
        if call == PASS and situation.forced:
            self.seen.forced[here.seen].add(hands, listed, side)
        owner = self._owner(situation, one, call)
        self.seen.owners[owner] += count
        if owner == "natural":
            part = offered(situation, self.parts)
            if part is not None:
                self.seen.offered[part] += count
        for row in listed:
            if owner in ("natural", "nobody's"):
                self._left.setdefault((row, side), pattern_of(here.auction))
            elif one is not None and call.is_bid:
                self._began.setdefault((row, side), line_key(one.rule.line))
        self._true(here, call, mine)

    def _owner(self, situation: Situation, one: Applied | None, call: Call) -> str:
        """Whose a call is: one of `OWNERS`."""
        if one is None:
            return "nobody's"
        if one.rule.block.layer > LAYERS["standard"]:
            own = not self.foreign or not is_shipped(one.rule.block.spec.mark.path)
            return "yours" if own else "taken over"
        if call != PASS or situation.forced:
            return "natural"
        if not situation.undiscussed:
            return "yours"
        return "natural" if situation.active[situation.side] else "staying out"

    def _true(self, here: _Decisions, call: Call, mine: np.ndarray) -> None:
        """Are these hands what explain says of the call?"""
        speaking = [one for one in here.situation.applied if one.call == call and one.speaks]
        if not speaking:
            return
        line = line_key(speaking[0].rule.line)
        self.seen.lines[line].made += int(mine.sum())
        inside = np.zeros(len(here.columns), dtype=bool)
        for one in speaking:
            inside |= _in_some_box(one, here.columns)
        inside &= fits(Box(here.situation.meaning_of(call).shown), here.columns)
        wrong = ~inside & mine
        if wrong.any():
            tally = self.seen.violations[f"{line} {call}"]
            tally.add(_samples(here.masks[wrong], call), here.rows[wrong].tolist(), here.side)

    def _several(self, here: _Decisions, some: np.ndarray) -> None:
        """Hands that find several calls, counted by which."""
        tally = self.seen.open[here.seen]
        tally.add([], here.rows[some].tolist(), here.side)
        patterns, first, counts = np.unique(
            here.choices.table[some], axis=0, return_index=True, return_counts=True
        )
        for pattern, row, count in zip(patterns, first, counts):
            calls = "/".join(str(Call(here.choices.actions[k])) for k in np.flatnonzero(pattern))
            tally.calls[calls] += int(count)
            if len(tally.samples) < SAMPLES:
                (sample,) = hands_of(here.masks[some[row]][None])
                tally.samples.append(f"{sample} ({calls})")

    def _losers(self, here: _Decisions) -> None:
        """For rules that have never won: do hands fit them, and who takes those hands?"""
        for one in here.situation.applied:
            if self.foreign and is_shipped(one.rule.block.spec.mark.path):
                continue
            tally = self.seen.lines[line_key(one.rule.line)]
            if tally.won or tally.fitted >= SURE or one.call in here.situation.forbidden:
                continue
            inside = _in_some_box(one, here.columns)
            tally.fitted += int(inside.sum())
            for number in here.winner[inside]:
                source = here.choices.proposals[number].source
                tally.winners[str(source) if isinstance(source, Rule) else "no rule"] += 1

    def ended(self, auctions: list[Auction]) -> None:
        """How the deals ended."""
        table, hands = Table.of(self.system), DealtHands(self.worlds)
        for row, auction in enumerate(auctions):
            self.seen.contracts.append(contract_word(auction.contract))
            for side in (0, 1):
                for kind in absurdities(table, auction, hands, row, side):
                    pair = " and ".join(map(str, hands_of(self.worlds[row, side::2])))
                    self.seen.absurd[kind].add([f"{auction}: {pair}"], [row], side)
        for (row, side), pattern in self._left.items():
            self.seen.gaps[pattern].add([], [row], side)
        for (row, side), line in self._began.items():
            if (row, side) not in self._left:
                self.seen.first_bids[line].add([], [row], side)


def fits(box: Box, columns: HandColumns) -> np.ndarray:
    """bool[n], which hands lie in the box."""
    inside = np.ones(len(columns), dtype=bool)
    for feature, (low, high) in box.items():
        column = columns.column(cast(Feature, feature))
        inside &= (column >= low) & (column <= high)
    return inside


def _in_some_box(one: Applied, columns: HandColumns) -> np.ndarray:
    """bool[n], which hands a rule means."""
    inside = np.zeros(len(columns), dtype=bool)
    for box, _, _ in one.boxes:
        inside |= fits(box, columns)
    return inside


def _samples(masks: Worlds, call: Call) -> list[str]:
    return [f"{hand} {call}" for hand in hands_of(masks[:SAMPLES])]


def watched(system: System, seed: int, number: int, size: int) -> Sightings:
    """Bid one piece of the work by four copies of a system."""
    worlds, vuls = deals_of(seed, number, size)
    watch = Watch(system, worlds)
    watch.ended(bid_out(Table.of(system), worlds, [Seat.N] * size, vuls, watch))
    return watch.seen
