"""What the rules propose for one hand, without a net.

Most auctions of a search or of a batch are reached by one hand. To settle all rules and to make a net of them
would be wasted there: the rules are asked in their order, each first whether it speaks of such a hand at all,
and the first that applies tells. The answer is that of the net.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np

from pidm.bridge.calls import PASS, Call
from pidm.core.box import INF, Box
from pidm.core.choices import Choices, Proposal
from pidm.features import Bounds, Feature, HandColumns, Range
from pidm.language.condition import hold
from pidm.language.counts import Counts
from pidm.language.meaning import CombinedTerm
from pidm.language.rules import Case, Reading, Rule
from pidm.reading.matching import Position, is_heard, is_last_resort

_PLACE = itemgetter(0)


class Speaking(Position, Protocol):
    """What must be known of an auction, and who may speak there."""

    @property
    def cases(self) -> Sequence[Case]:
        """The cases of blocks whose rules may apply."""

    @property
    def forbidden(self) -> Collection[Call]:
        """The calls that negative rules take away."""


class NotWholeError(Exception):
    """A feature has no whole number; how nets round such values is their own affair."""


class HandValues(dict[Feature, int]):
    """The features of one hand as the player to call counts them, found out when they are asked for."""

    def __init__(self, columns: HandColumns, counts: Counts, partner: Bounds):
        super().__init__()
        self._columns = columns
        self._counts = counts
        self._partner = partner
        columns.block()  # all simple features at once cost about what one does

    def __missing__(self, feature: Feature) -> int:
        asked = self._counts.of(feature) if self._counts else feature
        columns = self._columns.with_partner(self._partner) if asked.dynamic else self._columns
        column = columns.column(asked)
        if column.dtype.kind == "f":
            raise NotWholeError(asked)
        value = self[feature] = int(column[0])
        return value

    def within(self, bounds: Mapping[Feature, Range]) -> bool:
        """Does the hand lie in these ranges?"""
        for feature, (low, high) in bounds.items():  # noqa: SIM110, a loop as in `hold`
            if not low <= self[feature] <= high:
                return False
        return True

    def within_combined(self, terms: Iterable[CombinedTerm], at: Position) -> bool:
        """Does it with what others have shown?"""
        for term in terms:
            more = at.added(term)
            if abs(more) < INF and not term.low <= self[term.feature] + more <= term.high:
                return False
        return True


class Spoken(NamedTuple):
    """What a rule says to the hand."""

    call: Call
    rule: Rule
    box: Box
    """The ranges in which the hand lies."""
    priority: int
    """Of the rule, without that of its alternative."""
    heard: bool
    """False where a rule with a greater voice gives the call another meaning."""


def choices_of_one(values: HandValues, at: Speaking) -> Choices | None:
    """The plausible calls of a hand; None if no rule speaks of it, or a net must tell."""
    try:
        found = _first_to_speak(values, at)
    except NotWholeError:
        return None
    if not found:
        return None
    if len(found) > 1:
        # Those for fewer hands override those for all these and more, and go first among the others.
        found = [one for one in found if not any(other.box < one.box for other in found)]
        found.sort(key=lambda one: (-len(one.box), -one.priority, not one.heard))
        found = list({(one.rule, one.box): one for one in found}.values())
    proposals = tuple(Proposal(one.call, one.rule) for one in found)
    return Choices(proposals, np.ones((1, len(proposals)), dtype=bool))


def _first_to_speak(values: HandValues, at: Speaking) -> list[Spoken]:
    """What is said at the first place of the order at which a rule speaks of the hand."""
    found: list[Spoken] = []
    first: tuple[int, ...] = ()
    for place, rule, alternative in _in_order(at.cases):
        if found and place[:-1] != first:
            break
        if not values.within(alternative.box):
            continue
        if alternative.combined and not values.within_combined(alternative.combined, at):
            continue
        call = rule.maker.resolve(at)
        if call is None or call in at.forbidden or not hold(rule.tests, at, call):
            continue
        layer, _, specificity, _, _, priority = place
        heard = is_heard(call, (layer, specificity), at.cases, at)
        if heard or call == PASS or is_last_resort(call, layer, priority):
            settled = alternative.beside(at.added)
            assert settled is not None  # the hand lies in it
            found.append(Spoken(call, rule, settled.box, priority, heard))
            first = place[:-1]
    return found


def _in_order(cases: Iterable[Case]) -> list[Reading]:
    """All that the cases may say, what goes first first."""
    return sorted(chain.from_iterable(case.readings for case in cases), key=_PLACE, reverse=True)
