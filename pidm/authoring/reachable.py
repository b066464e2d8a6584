"""Can a rule ever apply? Looks for an auction that its pattern and its conditions allow."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.language.pattern import ELLIPSIS, Pattern
from pidm.language.pattern_index import PatternIndex
from pidm.language.rules import Block, BlockInstance, Line, Rule
from pidm.language.suits import expand
from pidm.language.system import System
from pidm.reading.situation import Situation
from pidm.reading.table import Table

TRIES = 8
"""Auctions that are tried for one pattern, one vulnerability and one number of leading passes."""
MOST = 400
"""Auctions that are tried for one block."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What the search for an auction found."""

    found: bool = False
    """Some auction lets the line apply."""
    complete: bool = True
    """All auctions that the patterns match were tried."""
    hidden_by: Rule | None = None
    """A rule that speaks of the same call in an auction where the line would apply otherwise."""
    auction: Auction | None = None
    """An auction in which the line applies, and its call."""
    call: Call | None = None
    legal: bool = False
    """Its call is legal in some auction of the pattern."""
    excluded: bool = False
    """Wherever it applies, a negative rule takes its call away."""


def reach(system: System, block: Block, lines: Collection[Line]) -> dict[Line, Reach]:
    """Look for auctions in which lines of a block apply."""
    found = {line: Reach() for line in lines}
    conditions = " ".join((*block.spec.when, *(text for line in lines for text in line.spec.when)))
    tables = [Table.of(system)]
    if "matchpoints" in conditions:
        tables.append(Table((system, system), "matchpoints"))
    complete, tried = True, 0
    for auction in _auctions(block):
        if auction is None or tried >= MOST:
            complete = False
            if auction is None:
                continue
            break
        tried += 1
        for table in tables:
            _try(table.situation(auction), auction, found)
        if all(one.found and not one.excluded for one in found.values()):
            break
    return {line: replace(one, complete=complete) for line, one in found.items()}


def _try(situation: Situation, auction: Auction, found: dict[Line, Reach]) -> None:
    """What one auction tells of the lines."""
    for applied in situation.applied:
        line = applied.rule.line
        if line in found and (not found[line].found or found[line].excluded):
            excluded = applied.call in situation.forbidden
            found[line] = Reach(True, True, None, auction, applied.call, True, excluded)
    for line, one in found.items():
        if not one.found and (one.hidden_by is None or not one.legal):
            rule, legal = _hiding(situation, line)
            found[line] = replace(one, hidden_by=one.hidden_by or rule, legal=one.legal or legal)


def _auctions(block: Block) -> Iterator[Auction | None]:
    """Auctions of a block's patterns; None where there are more than are tried."""
    for pattern in block.patterns:
        for binding in expand(pattern.variables, {}, block.restrictions, distinct=True):
            tokens = pattern.tokens(binding)
            if any(calls == ELLIPSIS for _, calls in tokens):
                yield None
                continue
            for start in _starts(pattern):
                tried = list(islice(_continued(start, tokens), TRIES))
                yield from tried
                if len(tried) == TRIES:
                    yield None


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


def _hiding(situation: Situation, line: Line) -> tuple[Rule | None, bool]:
    """The rule that speaks instead of the line, if the line's conditions hold; and is its call legal?"""
    legal = False
    for instance in PatternIndex.matches(situation.states[situation.me]):
        if not isinstance(instance, BlockInstance) or instance.block is not line.block:
            continue
        for case in instance.cases:
            for rule in case.rules:
                call = rule.maker.resolve(situation) if rule.line is line else None
                legal = legal or call is not None
                if call is not None and all(test(situation, call) for test in (*case.tests, *rule.tests)):
                    return next((one.rule for one in situation.applied if one.call == call), None), True
    return None, legal


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
