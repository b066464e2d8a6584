"""The order in which the rules of some cases speak, and those in it that may speak to a hand.

The same cases are open in many auctions, so their rules are put in order once. Where hands ask often, the
rules are parted by the values of a feature: a hand of six points need not be held against every strong bid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from operator import itemgetter

from pidm.features import Feature
from pidm.language.rules import Case, Ranges, Reading

_PLACE = itemgetter(0)

OFTEN = 4
"""Hands that ask until rules are parted."""
MANY = 8
"""Rules that are worth it; a part of them must ask for a feature."""


class RuleOrder:
    """All that the rules of some cases may say, what goes first first."""

    __slots__ = ("_whole", "readings")

    def __init__(self, cases: Iterable[Case]):
        everything = chain.from_iterable(case.readings for case in cases)
        self.readings: list[Reading] = sorted(everything, key=_PLACE, reverse=True)
        self._whole = _Part([(number, one.ranges) for number, one in enumerate(self.readings)])

    def for_hand(self, values: Mapping[Feature, float]) -> list[tuple[int, Ranges]]:
        """The numbers of the readings that a hand may fit, in order, with what is still to be asked of it."""
        part = self._whole
        while (feature := part.parted_by()) is not None:
            value = values[feature]
            below = part.below.get(value)
            if below is None:
                below = part.below[value] = part.where(feature, value)
            part = below
        return part.left


class _Part:
    """The readings that hands with some values may fit."""

    __slots__ = ("_asked", "_feature", "below", "left")

    def __init__(self, left: list[tuple[int, Ranges]]):
        self.left = left
        self.below: dict[float, _Part] = {}
        """The parts of it, by the value of a feature."""
        self._asked = 0
        self._feature: Feature | None = None

    def parted_by(self) -> Feature | None:
        """The feature by whose value it is parted, once it was asked often."""
        if self._asked < OFTEN:
            self._asked += 1
            if self._asked == OFTEN and len(self.left) >= MANY:
                asking = Counter(feature for _, ranges in self.left for feature, _, _ in ranges)
                feature, number = max(asking.items(), key=itemgetter(1), default=(None, 0))
                self._feature = feature if 3 * number >= len(self.left) else None
        return self._feature

    def where(self, feature: Feature, value: float) -> _Part:
        """The readings left for hands with this value."""
        left = []
        for number, ranges in self.left:
            others = tuple([one for one in ranges if one[0] is not feature])
            if len(others) == len(ranges) or _within(ranges, feature, value):
                left.append((number, others))
        return _Part(left)


def _within(ranges: Ranges, feature: Feature, value: float) -> bool:
    return all(low <= value <= high for what, low, high in ranges if what is feature)
