"""What no parser sees: bids random deals by a system and measures where its rules fail.

Holes (hands that find no rule), ambiguity (hands that find several calls), passes of forcing calls, hands
that are not what their call showed, rules that never match or never win, examples that fail. All deals are
bid in lockstep, grouped by auction, so that every net is built once and asked for many hands at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np

from pidm.authoring.auction_as_seen import as_seen
from pidm.authoring.examples import failures, read_examples
from pidm.authoring.findings import FAILING, KINDS, REMARKS, Finding, Report, RuleCount
from pidm.authoring.reachable import reach
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.core.box import Box
from pidm.core.choices import Choices
from pidm.errors import SystemFileError, SystemFileErrors
from pidm.features import Feature, HandColumns
from pidm.language.declarations import SystemSpec
from pidm.language.finding import shipped
from pidm.language.loading import load_system
from pidm.language.rules import LAYERS, Line, Rule
from pidm.language.system import System
from pidm.reading.matching import Applied
from pidm.reading.situation import Situation
from pidm.reading.table import Table

__all__ = ["FAILING", "KINDS", "REMARKS", "Finding", "Report", "RuleCount", "lint"]

CHUNK = 1000
"""Deals that are bid together."""

ENOUGH = 10
"""Hands that fit a rule and go elsewhere, before the rule is said never to win."""

SAMPLES = 3
"""How many hands are kept as samples of a finding."""


def lint(
    name: str | Path,
    deals: int,
    rng: np.random.Generator,
    card: Mapping[str, bool] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """Check the files of a system, then bid `deals` random deals with four players who all play it.

    Without deals only the files and their examples are checked.
    `progress` is told how many deals have been bid to the end.
    """
    errors: list[SystemFileError] = []
    spec = load_system(name, card, errors)
    system: System | None = None
    try:
        system = System(spec)
    except SystemFileErrors as found:
        errors += found.errors
    findings = []
    if system is not None:
        examples = read_examples(system, errors)
        if not _is_shipped(spec.path):
            # What a shipped part shows holds in the systems that it was written for, and is tested there.
            examples = [one for one in examples if not _is_shipped(one.text.mark.path)]
        for failure in failures(system, examples):
            mark = failure.example.text.mark
            where = as_seen(failure.example.auction)
            findings.append(Finding("example", where, str(failure), 1, place=f"{mark.path}:{mark.line}"))
    ordered = SystemFileErrors(errors).errors if errors else ()
    findings += [Finding("error", "", error.message, 1, place=_place(error)) for error in ordered]
    findings += _unknown_names(spec)
    if system is None or errors or not deals:
        return _report(spec.name, 0, _Watch(None, np.zeros((0, 4, 4), np.uint16)), findings)
    watch = bid_and_watch(system, deals, rng, progress)
    return _report(spec.name, deals, watch, findings + watch.findings(deals))


def _place(error: SystemFileError) -> str:
    return ":".join(str(part) for part in (error.path, error.line, error.column) if part is not None)


def _report(name: str, deals: int, watch: _Watch, findings: list[Finding]) -> Report:
    order = list(KINDS)
    findings = sorted(findings, key=lambda finding: (order.index(finding.kind), -finding.count))
    return Report(name, deals, watch.decisions, dict(watch.layers), tuple(findings), watch.counts())


def _unknown_names(spec: SystemSpec) -> list[Finding]:
    """`plays NAME` and `in NAME` of names that no convention and no `starts:` declares."""
    import re

    from pidm.language.source import suggest

    started = {str(name) for block in spec.blocks for line in block.lines for name in line.starts}
    known = {"plays": set(spec.all_conventions), "in": started}
    found = []
    for block in spec.blocks:
        texts = [*block.when, *(text for line in block.lines for text in line.when)]
        texts += [text for never in block.never for text in never.when]
        for text in texts:
            for match in re.finditer(r"\b(plays|in)\s+([a-z0-9_]{2,})\b", text):
                word, name = match.groups()
                if name not in known[word] | set(spec.all_conventions):
                    what = f"`{word} {name}`: nothing has this name; {suggest(name, known[word])}"
                    found.append(Finding("name", text, what, 1, place=f"{text.mark.path}:{text.mark.line}"))
    return found


@dataclass
class _Tally:
    """Hands that have something in common, with samples."""

    count: int = 0
    samples: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)

    def add(self, hands: list[str], count: int) -> None:
        self.count += count
        self.samples += hands[: SAMPLES - len(self.samples)]


@dataclass
class _LineTally:
    """What became of the hands that reached a line."""

    reached: int = 0
    fitted: int = 0
    won: int = 0
    winners: Counter[str] = field(default_factory=Counter)


class _Watch:
    """Sees every decision of the deals that are bid, and keeps count."""

    def __init__(self, system: System | None, worlds: np.ndarray) -> None:
        self.system, self.worlds = system, worlds
        self.decisions = 0
        self.layers: Counter[str] = Counter()
        self.holes: dict[str, _Tally] = defaultdict(_Tally)
        self.natural: dict[str, _Tally] = defaultdict(_Tally)
        self.open: dict[str, _Tally] = defaultdict(_Tally)
        self.forced: dict[str, _Tally] = defaultdict(_Tally)
        self.violations: dict[tuple[Line, str], _Tally] = defaultdict(_Tally)
        self.made: Counter[Line] = Counter()
        self.lines: dict[Line, _LineTally] = defaultdict(_LineTally)

    def __call__(self, auction: Auction, rows: np.ndarray, choices: Choices) -> None:
        """One auction, the rows of the deals that are in it, and what the system proposes for them."""
        assert self.system is not None
        situation = Table.of(self.system).situation(auction)
        masks = self.worlds[rows, auction.actor]
        columns = HandColumns(masks)
        if situation.dynamic:
            columns = columns.with_partner(situation.bounds[situation.partner])
        applied = {id(one.rule): one for one in situation.applied}
        winner = choices.mask.argmax(axis=1)
        seen = as_seen(auction)
        self.decisions += len(rows)
        for one in situation.applied:
            self.lines[one.rule.line].reached += len(rows)
        for number in np.unique(winner):
            mine = winner == number
            self._decided(situation, seen, choices, int(number), applied, masks[mine], columns, mine)
        # Default actions are every legal call: such hands are a hole, not a choice.
        default = np.array([proposal.source is None for proposal in choices.proposals])
        several = choices.open() & ~default[winner]
        if several.any():
            self._several(seen, choices, np.flatnonzero(several), masks)
        self._losers(situation, choices, columns, winner)

    def _decided(
        self,
        situation: Situation,
        seen: str,
        choices: Choices,
        number: int,
        applied: dict[int, Applied],
        masks: np.ndarray,
        columns: HandColumns,
        mine: np.ndarray,
    ) -> None:
        """The hands whose call comes from one proposal."""
        proposal = choices.proposals[number]
        call = Call(proposal.action)
        rule = proposal.source
        one = applied.get(id(rule))
        count = len(masks)
        if isinstance(rule, Rule):
            self.layers[rule.block.spec.layer] += count
            self.lines[rule.line].won += count
        else:
            self.layers["none"] += count
        if one is None or not one.speaks:
            self.holes[seen].add(_samples(masks, call), count)
            self.holes[seen].calls[str(call)] += count
        elif one.rule.block.layer <= LAYERS["standard"]:
            self.natural[seen].add(_samples(masks, call), count)
            self.natural[seen].calls[str(call)] += count
        if call == PASS and situation.forced:
            self.forced[seen].add(_samples(masks, call), count)
        self._true(situation, call, columns, mine, masks)

    def _true(
        self, situation: Situation, call: Call, columns: HandColumns, mine: np.ndarray, masks: np.ndarray
    ) -> None:
        """Are these hands what explain says of the call?"""
        speaking = [one for one in situation.applied if one.call == call and one.speaks]
        if not speaking:
            return
        line = speaking[0].rule.line
        self.made[line] += len(masks)
        inside = np.zeros(len(columns), dtype=bool)
        for one in speaking:
            for box, _, _ in one.boxes:
                inside |= _fits(box, columns)
        inside &= _fits(Box(situation.meaning_of(call).shown), columns)
        wrong = ~inside[mine]
        if wrong.any():
            self.violations[line, str(call)].add(_samples(masks[wrong], call), int(wrong.sum()))

    def _several(self, seen: str, choices: Choices, rows: np.ndarray, masks: np.ndarray) -> None:
        tally = self.open[seen]
        tally.count += len(rows)
        patterns, first, counts = np.unique(
            choices.table[rows], axis=0, return_index=True, return_counts=True
        )
        for pattern, row, count in zip(patterns, first, counts):
            calls = "/".join(str(Call(choices.actions[k])) for k in np.flatnonzero(pattern))
            tally.calls[calls] += int(count)
            if len(tally.samples) < SAMPLES:
                (sample,) = _hands(masks[rows[row]][None])
                tally.samples.append(f"{sample} ({calls})")

    def _losers(
        self, situation: Situation, choices: Choices, columns: HandColumns, winner: np.ndarray
    ) -> None:
        """For rules that have never won: do hands fit them, and who takes those hands?"""
        for one in situation.applied:
            tally = self.lines[one.rule.line]
            if tally.won or tally.fitted >= 50 or one.call in situation.forbidden:
                continue
            fits = np.zeros(len(columns), dtype=bool)
            for box, _, _ in one.boxes:
                fits |= _fits(box, columns)
            tally.fitted += int(fits.sum())
            for number in winner[fits]:
                source = choices.proposals[number].source
                tally.winners[str(source) if isinstance(source, Rule) else "no rule"] += 1

    def findings(self, deals: int) -> list[Finding]:
        """All that was seen, by auction and by rule."""

        def often(count: int) -> float:
            return 1000 * count / max(deals, 1)

        found: list[Finding] = []
        by_auction = {
            "forced": (self.forced, "a forcing call is passed"),
            "hole": (self.holes, "no rule fits; they called"),
            "ambiguity": (self.open, "several calls fit:"),
            "natural": (self.natural, "only the natural layer speaks; they called"),
        }
        for kind, (tallies, words) in by_auction.items():
            for seen, tally in tallies.items():
                calls = ", ".join(f"{calls} {count}" for calls, count in tally.calls.most_common(4))
                what = f"{words} {calls}".strip()
                samples = tuple(tally.samples)
                found.append(Finding(kind, seen, what, tally.count, often(tally.count), "", samples))
        for (line, call), tally in self.violations.items():
            what = f"{tally.count} of {self.made[line]} hands that made the call are not what it shows"
            place = _line_place(line)
            found.append(
                Finding("violation", call, what, tally.count, often(tally.count), place, tuple(tally.samples))
            )
        return found + self._rules()

    def counts(self) -> tuple[RuleCount, ...]:
        """What became of every line."""
        if self.system is None:
            return ()
        violated: Counter[Line] = Counter()
        for (line, _), tally in self.violations.items():
            violated[line] += tally.count
        found = []
        for line in (line for block in self.system.blocks for line in block.lines):
            became = self.lines.get(line, _LineTally())
            call, made = str(line.spec.call), self.made[line]
            found.append(RuleCount(_line_place(line), call, became.reached, became.won, made, violated[line]))
        return tuple(found)

    def _rules(self) -> list[Finding]:
        assert self.system is not None
        found: list[Finding] = []
        foreign = not _is_shipped(self.system.spec.path)
        for block in self.system.blocks:
            if foreign and _is_shipped(block.spec.mark.path):
                continue  # what an author takes over from the shipped parts need not come up
            for line in block.lines:
                tally = self.lines.get(line)
                if tally is not None and tally.won:
                    continue
                call, place = str(line.spec.call), _line_place(line)
                if tally is None:
                    found.append(self._unseen(line, call, place))
                elif block.layer <= LAYERS["standard"]:
                    what = f"{tally.fitted} of {tally.reached} hands fit, all taken by other rules"
                    found.append(Finding("not reached", call, what, 0, 0.0, place))
                elif tally.fitted >= ENOUGH:
                    taken = ", ".join(f"{rule} {count}" for rule, count in tally.winners.most_common(2))
                    what = f"{tally.fitted} of {tally.reached} hands fit, all taken by {taken}"
                    found.append(Finding("never wins", call, what, tally.fitted, 0.0, place))
                elif tally.reached >= 500:
                    what = f"none of the {tally.reached} hands in its auctions fits"
                    found.append(Finding("never wins", call, what, 0, 0.0, place))
                else:
                    what = f"only {tally.reached} hands were in its auctions, {tally.fitted} fit"
                    found.append(Finding("not reached", call, what, 0, 0.0, place))
        return found

    def _unseen(self, line: Line, call: str, place: str) -> Finding:
        """A line that applied in none of the auctions."""
        assert self.system is not None
        reached = reach(self.system, line)
        if reached.hidden_by is not None:
            # A convention may well replace what the system says: that is what the card is for.
            kind = "not reached" if reached.hidden_by.block.layer > line.block.layer else "never matches"
            what = f"another rule speaks of the call in its auctions: {reached.hidden_by}"
            return Finding(kind, call, what, 0, 0.0, place)
        if not reached.found and reached.complete:
            what = "no auction was found that its pattern and conditions allow"
            return Finding("never matches", call, what, 0, 0.0, place)
        unsure = "" if reached.found else "; it may never match"
        return Finding("not reached", call, f"the auction did not come up{unsure}", 0, 0.0, place)


@cache
def _is_shipped(path: str) -> bool:
    """Is it a file of the systems that come with the package, so that it is not the author's to mend?"""
    return Path(path).resolve().is_relative_to(shipped())


def _line_place(line: Line) -> str:
    return f"{line.spec.mark.path}:{line.spec.mark.line}"


def _fits(box: Box, columns: HandColumns) -> np.ndarray:
    """bool[n], which hands lie in the box."""
    inside = np.ones(len(columns), dtype=bool)
    for feature, (low, high) in box.items():
        column = columns.column(cast(Feature, feature))
        inside &= (column >= low) & (column <= high)
    return inside


def _hands(masks: np.ndarray) -> list[str]:
    from pidm.bridge.worlds import hands_of

    return [str(hand) for hand in hands_of(masks)]


def _samples(masks: np.ndarray, call: Call) -> list[str]:
    return [f"{hand} {call}" for hand in _hands(masks[:SAMPLES])]


def bid_and_watch(
    system: System, deals: int, rng: np.random.Generator, progress: Callable[[int], object] | None = None
) -> _Watch:
    """Bids random deals by four copies of a system; north deals, everything else is random."""
    from pidm.bridge.worlds import random_deals
    from pidm.reading.lockstep import bid_out

    worlds = random_deals(deals, rng)
    vuls = [Vul(int(number)) for number in rng.integers(0, 4, size=deals)]
    watch = _Watch(system, worlds)
    for start in range(0, deals, CHUNK):
        part = slice(start, min(start + CHUNK, deals))
        watch.worlds = worlds[part]
        bid_out(Table.of(system), watch.worlds, [Seat.N] * len(watch.worlds), vuls[part], watch)
        if progress is not None:
            progress(part.stop)
    return watch
