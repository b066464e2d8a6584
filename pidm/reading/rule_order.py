"""The order in which the rules of some cases speak, and those in it that may speak to a hand.

The same cases are open in many auctions, so their rules are put in order once. Where hands ask often, the
rules are parted by the values of a feature: a hand of six points need not be held against every strong bid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from operator import itemgetter

from pidm.language.rules import Asked, Case, Ranges, Reading

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

    def for_hand(self, values: Mapping[Asked, float]) -> list[tuple[int, Ranges]]:
        """The numbers of the readings that a hand may fit, in order, with what is still to be asked of it."""
        part = self._whole
        while (what := part.parted_by or part.ask()) is not None:
            value = values[what]
            below = part.below.get(value)
            if below is None:
                below = part.below[value] = part.where(what, value)
            part = below
        return part.left


class _Part:
    """The readings that hands with some values may fit."""

    __slots__ = ("_asked", "below", "left", "parted_by")

    def __init__(self, left: list[tuple[int, Ranges]]):
        self.left = left
        self.below: dict[float, _Part] = {}
        """The parts of it, by the value of what it is parted by."""
        self._asked = 0
        self.parted_by: Asked | None = None
        """What tells the parts of it from each other, once it was asked often."""

    def ask(self) -> Asked | None:
        """Ask once more of one that is not parted; returns what it is parted by from now on."""
        if self._asked < OFTEN:
            self._asked += 1
            if self._asked == OFTEN and len(self.left) >= MANY:
                asking = Counter(what for _, ranges in self.left for what, _, _ in ranges)
                what, number = max(asking.items(), key=itemgetter(1), default=(None, 0))
                self.parted_by = what if 3 * number >= len(self.left) else None
        return self.parted_by

    def where(self, asked: Asked, value: float) -> _Part:
        """The readings left for hands with this value."""
        left = []
        for number, ranges in self.left:
            others = tuple([one for one in ranges if one[0] is not asked])
            if len(others) == len(ranges) or _within(ranges, asked, value):
                left.append((number, others))
        return _Part(left)


def _within(ranges: Ranges, asked: Asked, value: float) -> bool:
    return not any(value < low or value > high for what, low, high in ranges if what is asked)
