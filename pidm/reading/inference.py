"""What players have shown: ranges of features, joined over alternatives and narrowed call by call."""

from __future__ import annotations

from typing import cast

from pidm.bridge.calls import Call
from pidm.core.box import INF, Box
from pidm.features import Feature
from pidm.language.meaning import HCP, LENGTH, Range, feature

Bounds = dict[Feature, Range]

POINTS = {suit: feature(f"points({suit})") for suit in "SHDC"}
"""High card points plus shortness with this suit as trumps."""
NATURAL: Bounds = {
    **{LENGTH[suit]: (0, 13) for suit in "SHDC"},
    HCP: (0, 37),
    **dict.fromkeys(POINTS.values(), (0, 46)),
}
"""What any hand may hold of the features that are asked most."""
ANY_VALUE: Range = (-INF, INF)


def natural_reading(call: Call) -> Bounds:
    """What a call shows that no rule speaks of: a suit bid shows the suit."""
    if call.is_bid and call.strain != "N":
        return {LENGTH[call.strain]: (4, 13)}
    return {}


def bounds_of(box: Box) -> Bounds:
    """The ranges of a box; the core does not know that its features are bridge features."""
    return cast("Bounds", dict(box.items()))


def joined(one: Bounds, other: Bounds) -> Bounds:
    """The ranges that hold in either case."""
    return {
        what: (min(low, other[what][0]), max(high, other[what][1]))
        for what, (low, high) in one.items()
        if what in other
    }


def updated(before: Bounds, shown: Bounds) -> Bounds:
    """What is known after one more call; where that contradicts the older ones, it is right."""
    if not shown:
        return before
    after = dict(before)
    for what, (low, high) in shown.items():
        old = after.get(what) or NATURAL.get(what, ANY_VALUE)
        both = (max(low, old[0]), min(high, old[1]))
        after[what] = both if both[0] <= both[1] else (low, high)
    return _lengths_add_up(after)


def _lengths_add_up(bounds: Bounds) -> Bounds:
    """Thirteen cards: what is long in some suits is short in the others."""
    least = {s: bounds.get(LENGTH[s], (0, 13))[0] for s in "SHDC"}
    total = sum(least.values())
    if 0 < total <= 13:
        for suit in "SHDC":
            low, high = bounds.get(LENGTH[suit], (0, 13))
            room = 13 - (total - least[suit])
            if room < high:
                bounds[LENGTH[suit]] = (low, room)
    return bounds


def shown_suits(bounds: Bounds, before: frozenset[str], call: Call) -> frozenset[str]:
    """The suits shown by length: four cards, or three in a suit that was bid."""
    named = call.strain if call.is_bid else ""
    found = set()
    for suit in "SHDC":
        least = bounds.get(LENGTH[suit], (0, 13))[0]
        if least >= 4 or (least >= 3 and (suit == named or suit in before)):
            found.add(suit)
    return frozenset(found)
