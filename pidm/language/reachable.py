"""Can a rule ever apply? Looks for an auction that its pattern and its conditions allow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.language.pattern import ELLIPSIS, Pattern
from pidm.language.rules import Line
from pidm.language.suits import expand
from pidm.language.system import System

FOUND, NEVER, UNKNOWN = "found", "never", "unknown"
TRIES = 8
"""Auctions that are tried for one pattern, one vulnerability and one number of leading passes."""


def reach(system: System, line: Line) -> str:
    """`found` if some auction lets the line apply, `never` if all that match were tried, else `unknown`."""
    block = line.block
    complete = True
    for pattern in block.patterns:
        for binding in expand(pattern.variables, {}, block.restrictions, distinct=True):
            tokens = pattern.tokens(binding)
            if any(calls == ELLIPSIS for _, calls in tokens):
                complete = False
                continue
            for start in _starts(pattern):
                tried = list(islice(_continued(start, tokens), TRIES))
                for auction in tried:
                    if any(applied.rule.line is line for applied in system.situation(auction).applied):
                        return FOUND
                complete = complete and len(tried) < TRIES
    return NEVER if complete else UNKNOWN


def _starts(pattern: Pattern) -> Iterator[Auction]:
    """Every vulnerability, after as many passes as the pattern allows before its first call."""
    for passes in (0,) if pattern.exact_start else (0, 1, 2, 3):
        for vul in Vul:
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
