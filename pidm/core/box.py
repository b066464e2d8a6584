"""Boxes: conjunctions of range constraints on features, the state constraints (SC) of section 4.1.

A box stands for the set of all private parts whose features lie between the bounds. The fewer constraints
it has, the larger the set; the empty box is the set of everything.
"""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping
from typing import Any

from pidm.errors import PidmError

FeatureKey = Hashable
"""A key that `Columns.column` understands; the core never looks inside."""

Range = tuple[float, float]
"""Lowest and highest value, both included; infinite where a side is open."""

INF = float("inf")


class Box(Mapping[FeatureKey, Range]):
    """An immutable set of constraints `low <= feature <= high`, all of which must hold.

    >>> strong = Box({"hcp": (15, 17), "balanced": (1, 1)})
    >>> strong <= Box({"hcp": (12, 19)})
    True
    """

    __slots__ = ("_bounds", "_hash")

    def __init__(self, bounds: Mapping[Any, Range] | None = None) -> None:
        kept = {}
        for feature, (low, high) in (bounds or {}).items():
            if low != low or high != high:
                raise PidmError(f"a bound of {feature} is not a number")
            # A constraint that nothing can violate would make equal sets look different.
            if low > -INF or high < INF:
                kept[feature] = (low, high)
        self._bounds: dict[FeatureKey, Range] = kept
        self._hash: int | None = None

    def __getitem__(self, feature: FeatureKey) -> Range:
        return self._bounds[feature]

    def __iter__(self) -> Iterator[FeatureKey]:
        return iter(self._bounds)

    def __len__(self) -> int:
        return len(self._bounds)

    def items(self) -> ItemsView[FeatureKey, Range]:
        """The constraints, feature by feature: what `Mapping` says, without its detour by way of the keys."""
        return self._bounds.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self._bounds == other._bounds

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._bounds.items()))
        return self._hash

    def __le__(self, other: Box) -> bool:
        """Is this set of states contained in the other one?"""
        mine = self._bounds
        for feature, (low, high) in other._bounds.items():
            bounds = mine.get(feature)
            if bounds is None or bounds[0] < low or bounds[1] > high:
                return False
        return True

    def __lt__(self, other: Box) -> bool:
        return self <= other and self._bounds != other._bounds

    def __ge__(self, other: Box) -> bool:
        return other <= self

    def __gt__(self, other: Box) -> bool:
        return other < self

    def __and__(self, other: Box) -> Box:
        """The states that are in both; possibly none, see `possible`."""
        both = dict(self._bounds)
        for feature, (low, high) in other._bounds.items():
            if feature in both:
                mine = both[feature]
                both[feature] = (max(mine[0], low), min(mine[1], high))
            else:
                both[feature] = (low, high)
        return Box(both)

    @property
    def possible(self) -> bool:
        """False when some constraint contradicts itself, so that no state belongs to the box."""
        return all(low <= high for low, high in self._bounds.values())

    def beyond(self, other: Box) -> Box:
        """The constraints of this box that the other one does not already state."""
        return Box({f: bounds for f, bounds in self._bounds.items() if other._bounds.get(f) != bounds})

    def __str__(self) -> str:
        ranges = [describe_range(feature, *bounds) for feature, bounds in self._bounds.items()]
        return ", ".join(ranges) or "anything"

    def __repr__(self) -> str:
        return f"Box({self._bounds!r})"


EVERYTHING = Box()


def describe_range(feature: FeatureKey, low: float, high: float) -> str:
    """One constraint as people write it: `hcp 15-17`, `hcp 12+`, `losers 7-`, `balanced 1`."""
    if low == high:
        return f"{feature} {low:g}"
    if high == INF:
        return f"{feature} {low:g}+"
    if low == -INF:
        return f"{feature} {high:g}-"
    return f"{feature} {low:g}-{high:g}"
