"""What the rules propose for one hand or a few, without a net.

Most auctions of a search or of a batch are reached by one hand or by a few. To settle all rules and to make a
net of them would be wasted there: the rules are asked in their order, each first whether it speaks of such a
hand at all, and the first that applies tells. The answer is that of the net, and for a single hand it comes
sooner even where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, ItemsView, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from pidm.bridge.calls import PASS, Call
from pidm.core.box import INF, Box
from pidm.core.choices import Choices, Proposal
from pidm.features import Bounds, Feature, HandColumns, Range
from pidm.language.condition import hold
from pidm.language.counts import Counts
from pidm.language.meaning import CombinedTerm
from pidm.language.rules import Case, Ranges, Reading, Rule
from pidm.reading.matching import Position, is_heard, is_last_resort
from pidm.reading.rule_order import RuleOrder

Ordered = Callable[[tuple[Case, ...]], RuleOrder]
"""Puts the rules of some cases in order."""


class Speaking(Position, Protocol):
    """What must be known of an auction, and who may speak there."""

    @property
    def cases(self) -> Sequence[Case]:
        """The cases of blocks whose rules may apply."""

    @property
    def forbidden(self) -> Collection[Call]:
        """The calls that negative rules take away."""


class HandValues(dict[Feature, float]):
    """The features of one hand as the player to call counts them, found out when they are asked for."""

    __slots__ = ("_columns", "_counts", "_partner", "whole")

    def __init__(self, columns: HandColumns, counts: Counts | None, partner: Bounds):
        """Without `counts` they are in plain points."""
        super().__init__()
        self._columns = columns
        self._counts = counts
        self._partner = partner
        self.whole = True
        """Whether all that was asked for so far are whole numbers."""

    def __missing__(self, feature: Feature) -> float:
        asked = feature if self._counts is None else self._counts.of(feature)
        columns = self._columns.with_partner(self._partner) if asked.dynamic else self._columns
        value = columns.number(asked)
        if not isinstance(value, int):
            self.whole = False
        self[feature] = value
        return value

    def within(self, ranges: ItemsView[Feature, Range]) -> bool:
        """Does the hand lie in these ranges?"""
        for feature, (low, high) in ranges:  # noqa: SIM110, a loop as in `hold`
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

    def within_all(self, ranges: Ranges) -> bool:
        """Does the hand lie in ranges given in another form?"""
        for feature, low, high in ranges:  # noqa: SIM110
            if not low <= self[feature] <= high:
                return False
        return True


class Spoken(NamedTuple):
    """What a rule says to the hands in its ranges."""

    call: Call
    rule: Rule
    box: Box
    """The ranges in which such a hand lies."""
    priority: int
    """Of the rule, without that of its alternative."""
    heard: bool
    """False where a rule with a greater voice gives the call another meaning."""


_Place = tuple[int, tuple[int, ...]]
"""The number of a layer, and in it those of who speaks."""


class SpokenInOrder:
    """All that the rules may say in an auction, in their order, to one hand after another.

    It belongs to an auction and does not hold on to it, so that both are forgotten together.
    """

    __slots__ = ("_layers",)

    def __init__(self, cases: Iterable[Case], ordered: Ordered = RuleOrder):
        """`ordered` puts the rules of cases in order, or knows their order."""
        layers: dict[int, list[Case]] = {}
        for case in cases:
            layers.setdefault(case.block.layer, []).append(case)
        # What is in a layer is not even read as long as those above it have something to say.
        self._layers = [_Layer(layers[layer], ordered) for layer in sorted(layers, reverse=True)]

    def choices(self, values: HandValues, at: Speaking) -> Choices | None:
        """The plausible calls of a hand; None if no rule speaks of it, or a net must tell."""
        found = self._speak(values, at)
        return None if found is None else self._layers[found[0]].answer(found[1])

    def choices_of_each(self, hands: Iterable[HandValues], at: Speaking) -> Choices | None:
        """The plausible calls of some hands, a row for each; None if a net must tell of one of them."""
        rows: dict[_Place, list[int]] = {}
        number = 0
        for number, values in enumerate(hands):
            found = self._speak(values, at)
            if found is None:
                return None
            rows.setdefault(found, []).append(number)
        proposals: list[Proposal] = []
        stands: list[tuple[list[int], int]] = []
        for place in sorted(rows):  # what goes first for any of them comes first
            said = self._layers[place[0]].answer(place[1]).proposals
            proposals += said
            stands += [(rows[place], len(said))]
        mask = np.zeros((number + 1, len(proposals)), dtype=bool)
        column = 0
        for asking, width in stands:
            mask[asking, column : column + width] = True
            column += width
        return Choices(tuple(proposals), mask)

    def _speak(self, values: HandValues, at: Speaking) -> _Place | None:
        """Who speaks to a hand."""
        for number, layer in enumerate(self._layers):
            found = layer.first_to_speak(values, at)
            if not values.whole:  # how nets round such values is their own affair
                return None
            if found:
                return number, tuple(found)
        return None


class _Layer:
    """What the rules of one layer may say.

    Whether a rule applies is found out when the first hand lies in its ranges, and kept for others.
    """

    __slots__ = ("_answers", "_asked", "_cases", "_combined", "_order", "_ordered", "_spoken")

    def __init__(self, cases: Iterable[Case], ordered: Ordered):
        self._cases = tuple(cases)
        self._ordered = ordered
        self._order: RuleOrder | None = None
        self._asked = False
        self._combined: dict[int, Ranges] = {}
        self._spoken: dict[int, Spoken | None] = {}
        self._answers: dict[tuple[int, ...], Choices] = {}

    def answer(self, found: tuple[int, ...]) -> Choices:
        """The plausible calls of a hand of which these speak."""
        answer = self._answers.get(found)
        if answer is None:
            speaking = [one for number in found if (one := self._spoken[number]) is not None]
            answer = self._answers[found] = _choices(speaking)
        return answer

    def first_to_speak(self, values: HandValues, at: Speaking) -> list[int]:
        """Who speaks at the first place of the order at which a rule speaks of the hand."""
        found: list[int] = []
        first: tuple[int, ...] = ()
        again, self._asked = self._asked, True  # for a single hand it is not worth while to settle ranges
        if self._order is None:
            self._order = self._ordered(self._cases)
        order, spoken = self._order.readings, self._spoken
        for number, ranges in self._order.for_hand(values):
            if found and order[number].place[:-1] != first:
                break
            for feature, low, high in ranges:
                if not low <= values[feature] <= high:
                    break
            else:
                combined = order[number].alternative.combined
                if combined and not (
                    values.within_all(self._beside(number, at))
                    if again
                    else values.within_combined(combined, at)
                ):
                    continue
                if number not in spoken:
                    spoken[number] = _spoken(order[number], at)
                if spoken[number] is not None:
                    found.append(number)
                    first = order[number].place[:-1]
        return found

    def _beside(self, number: int, at: Speaking) -> Ranges:
        """The ranges in which a hand must lie with what others have shown."""
        found = self._combined.get(number)
        if found is None:
            assert self._order is not None
            terms = self._order.readings[number].alternative.combined
            added = [(term, more) for term in terms if abs(more := at.added(term)) < INF]
            found = tuple([(term.feature, term.low - more, term.high - more) for term, more in added])
            self._combined[number] = found
        return found


def _spoken(reading: Reading, at: Speaking) -> Spoken | None:
    """What a rule says to a hand in its ranges; None if it does not apply here, or is not heard."""
    place, rule, alternative, _ = reading
    call = rule.maker.resolve(at)
    if call is None or call in at.forbidden or not hold(rule.tests, at, call):
        return None
    layer, _, specificity, _, _, priority = place
    heard = is_heard(call, (layer, specificity), at.cases, at)
    if not (heard or call == PASS or is_last_resort(call, layer, priority)):
        return None
    settled = alternative.beside(at.added)
    assert settled is not None  # the hand lies in it
    return Spoken(call, rule, settled.box, priority, heard)


def _choices(found: list[Spoken]) -> Choices:
    """The calls of those who speak at one place of the order, as one row."""
    if len(found) > 1:
        # Those for fewer hands override those for all these and more, and go first among the others.
        found = [one for one in found if not any(other.box < one.box for other in found)]
        found.sort(key=lambda one: (-len(one.box), -one.priority, not one.heard))
        found = list({(one.rule, one.box): one for one in found}.values())
    proposals = tuple(Proposal(one.call, one.rule) for one in found)
    mask = np.ones((1, len(proposals)), dtype=bool)
    mask.flags.writeable = False  # hands that come later get the same answer
    return Choices(proposals, mask)
