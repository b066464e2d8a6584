"""Can a rule ever apply? Looks for an auction that its pattern and its conditions allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.language.pattern import ELLIPSIS, Pattern, PatternIndex
from pidm.language.rules import Block, BlockInstance, Line, Rule
from pidm.language.suits import expand
from pidm.language.system import System
from pidm.reading.situation import Situation
from pidm.reading.table import Table

TRIES = 8
"""Auctions that are tried for one pattern, one vulnerability and one number of leading passes."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What the search for an auction found."""

    found: bool
    """Some auction lets the line apply."""
    complete: bool
    """All auctions that the patterns match were tried."""
    hidden_by: Rule | None
    """A rule that speaks of the same call in an auction where the line would apply otherwise."""


def reach(system: System, line: Line) -> Reach:
    """Look for an auction in which a line applies."""
    block = line.block
    complete = True
    conditions = " ".join((*block.spec.when, *line.spec.when))
    tables = [Table.of(system)]
    if "matchpoints" in conditions:
        tables.append(Table((system, system), "matchpoints"))
    hidden: Rule | None = None
    for pattern in block.patterns:
        for binding in expand(pattern.variables, {}, block.restrictions, distinct=True):
            tokens = pattern.tokens(binding)
            if any(calls == ELLIPSIS for _, calls in tokens):
                complete = False
                continue
            for start in _starts(pattern):
                tried = list(islice(_continued(start, tokens), TRIES))
                for auction, table in product(tried, tables):
                    situation = table.situation(auction)
                    if any(applied.rule.line is line for applied in situation.applied):
                        return Reach(True, complete, None)
                    hidden = hidden or _hiding(situation, line)
                complete = complete and len(tried) < TRIES
    return Reach(False, complete, hidden)


def auctions_of(block: Block, dealer: Seat, vul: Vul, tries: int = 2) -> Iterator[Auction]:
    """Some auctions after which a block may have something to say, its conditions not looked at.

    There are up to `tries` for each way to fill in a pattern.
    """
    for pattern in block.patterns:
        for binding in expand(pattern.variables, {}, block.restrictions, distinct=True):
            tokens = pattern.tokens(binding)
            if any(calls == ELLIPSIS for _, calls in tokens):
                continue
            for passes in range(1 if pattern.exact_start else 4):
                start = Auction(dealer, vul).after_all([PASS] * passes)
                yield from islice(_continued(start, tokens), tries)


def _hiding(situation: Situation, line: Line) -> Rule | None:
    """The rule that speaks instead of the line, if the line's conditions hold."""
    for instance in PatternIndex.matches(situation.states[situation.me]):
        if not isinstance(instance, BlockInstance) or instance.block is not line.block:
            continue
        for case in instance.cases:
            for rule in case.rules:
                call = rule.maker.resolve(situation) if rule.line is line else None
                if call is not None and all(test(situation, call) for test in (*case.tests, *rule.tests)):
                    return next((one.rule for one in situation.applied if one.call == call), None)
    return None


def _starts(pattern: Pattern) -> Iterator[Auction]:
    """Every vulnerability, after as many passes as the pattern allows before its first call.

    Both may matter to what the calls mean, so all are tried; most lines are found with the first.
    """
    for vul in Vul:
        for passes in range(1 if pattern.exact_start else 4):
            yield Auction(Seat.N, vul).after_all([PASS] * passes)


def _continued(auction: Auction, tokens: tuple[tuple[bool, int], ...]) -> Iterator[Auction]:
    """The legal auctions that match the tokens."""
    if not tokens:
        if not auction.over:
            yield auction
        return
    (_, calls), *rest = tokens
    for call in auction.legal():
        if calls >> call & 1:
            yield from _continued(auction.after(Call(call)), tuple(rest))
