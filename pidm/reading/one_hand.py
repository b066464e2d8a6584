"""What the rules propose for one hand or a few, without a net.

Most auctions of a search or of a batch are reached by one hand or by a few. To settle all rules and to make a
net of them would be wasted there: the rules are asked in their order, each first whether it speaks of such a
hand at all, and the first that applies tells. The answer is that of the net, and for a single hand it comes
sooner even where there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, ItemsView, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from pidm.bridge.calls import PASS, Call
from pidm.core.box import INF, Box
from pidm.core.choices import Choices, Proposal
from pidm.features import Bounds, Feature, HandColumns, Range
from pidm.language.condition import hold
from pidm.language.counts import Counts
from pidm.language.meaning import CombinedTerm, Together
from pidm.language.rules import Asked, Case, Reading, Rule
from pidm.reading.laws import NOTES
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


UNASKED = math.nan
"""The value of what a rule does not ask in an auction: neither too low nor too high for any range. There is
this one object of it, by which what is parted by values finds it again."""

Added = Callable[[CombinedTerm], float]
"""What is added to the value of a hand that a term measures; infinite where it asks nothing."""


class HandValues(dict[Asked, float]):
    """The features of one hand as the player to call counts them, found out when they are asked for."""

    __slots__ = ("_added", "_columns", "_counts", "_numbers", "_partner", "_row", "whole")

    def __init__(self, columns: HandColumns, counts: Counts | None, partner: Bounds, added: Added):
        """Without `counts` they are in plain points."""
        super().__init__()
        self._columns = columns
        self._counts = counts
        self._partner = partner
        self._added = added
        batch, self._row = columns.among()
        # Hands of a batch are told the same features, so each is looked for once.
        self._numbers: dict[Asked, list[float]] = batch.kept.counted.setdefault(counts, {})
        self.whole = True
        """Whether all that was asked for so far are whole numbers."""

    def __missing__(self, what: Asked) -> float:
        numbers = self._numbers.get(what)
        if numbers is not None:
            value = numbers[self._row]
        elif isinstance(what, Together):
            more = self._added(what.term)
            value = self[what] = self[what.term.feature] + more if abs(more) < INF else UNASKED
            return value
        else:
            value = self._found_out(what)
        if not isinstance(value, int):
            self.whole = False
        self[what] = value
        return value

    def _found_out(self, feature: Feature) -> float:
        asked = feature if self._counts is None else self._counts.of(feature)
        if asked.dynamic:
            return self._columns.with_partner(self._partner).number(asked)
        batch, row = self._columns.among()
        numbers = self._numbers[feature] = batch.numbers(asked)
        return numbers[row]

    def within(self, ranges: ItemsView[Feature, Range]) -> bool:
        """Does the hand lie in these ranges?"""
        for feature, (low, high) in ranges:  # noqa: SIM110, a loop as in `hold`
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

    def without_vulnerability(self) -> SpokenInOrder:
        """The same for another vulnerability, with what was found out without asking for it."""
        other = SpokenInOrder.__new__(SpokenInOrder)
        other._layers = [layer.without_vulnerability() for layer in self._layers]
        return other

    def choices_of_each(self, hands: Iterable[HandValues], at: Speaking) -> list[Choices] | None:
        """The plausible calls of some hands, one after the other; None if no rule speaks of one of them, or a
        net must tell."""
        found = []
        for values in hands:
            place = self._speak(values, at)
            if place is None:
                return None
            found.append(self._answer(place))
        return found

    def choices_of_all(self, hands: Sequence[HandValues], at: Speaking) -> Choices | None:
        """The same together, a row for each."""
        rows: dict[_Place, list[int]] = {}
        for number, values in enumerate(hands):
            found = self._speak(values, at)
            if found is None:
                return None
            rows.setdefault(found, []).append(number)
        if len(hands) == 1:
            return self._answer(*rows)
        proposals: list[Proposal] = []
        stands: list[tuple[list[int], int]] = []
        for place in sorted(rows):  # what goes first for any of them comes first
            said = self._answer(place).proposals
            proposals += said
            stands += [(rows[place], len(said))]
        mask = np.zeros((len(hands), len(proposals)), dtype=bool)
        column = 0
        for asking, width in stands:
            mask[asking, column : column + width] = True
            column += width
        return Choices(tuple(proposals), mask)

    def _answer(self, place: _Place) -> Choices:
        """What those who speak there say, as one row."""
        return self._layers[place[0]].answer(place[1])

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

    __slots__ = ("_answers", "_asking", "_cases", "_order", "_ordered", "_spoken")

    def __init__(self, cases: Iterable[Case], ordered: Ordered):
        self._cases = tuple(cases)
        self._ordered = ordered
        self._order: RuleOrder | None = None
        self._spoken: dict[int, Spoken | None] = {}
        self._answers: dict[tuple[int, ...], Choices] = {}
        self._asking: set[int] = set()
        """The rules of which it was asked who is vulnerable."""

    def without_vulnerability(self) -> _Layer:
        """What was found out without asking who is vulnerable."""
        other = _Layer(self._cases, self._ordered)
        other._order = self._order
        asking = self._asking
        if asking:
            other._spoken = {number: one for number, one in self._spoken.items() if number not in asking}
            other._answers = {n: one for n, one in self._answers.items() if asking.isdisjoint(n)}
        else:
            other._spoken, other._answers = dict(self._spoken), dict(self._answers)
        return other

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
        if self._order is None:
            self._order = self._ordered(self._cases)
        order, spoken = self._order.readings, self._spoken
        for number, ranges in self._order.for_hand(values):
            if found and order[number].place[:-1] != first:
                break
            for what, low, high in ranges:
                value = values[what]
                if value < low or value > high:
                    break
            else:
                if number not in spoken:
                    before = NOTES.last
                    spoken[number] = _spoken(order[number], at)
                    if NOTES.last is not before:
                        self._asking.add(number)
                if spoken[number] is not None:
                    found.append(number)
                    first = order[number].place[:-1]
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
