"""What players have shown: ranges of features, joined over alternatives and narrowed call by call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from pidm.bridge.calls import Call
from pidm.core.box import INF, Box
from pidm.features import Bounds, Feature, Range
from pidm.language.meaning import HCP, LENGTH, feature, narrow
from pidm.language.rules import Rule
from pidm.language.suits import FIT
from pidm.reading.matching import Applied

POINTS = {suit: feature(f"points({suit})") for suit in "SHDC"}
"""High card points plus shortness with this suit as trumps."""
NATURAL: Bounds = {
    **{LENGTH[suit]: (0, 13) for suit in "SHDC"},
    HCP: (0, 37),
    **dict.fromkeys(POINTS.values(), (0, 46)),
}
"""What any hand may hold of the features that are asked most."""
ANY_VALUE: Range = (-INF, INF)
ANY_LENGTH: Range = (0, 13)
REAL_SUIT = 4
"""The cards that show a suit, and what a bid shows that no rule speaks of."""
BID_SUIT = 3
"""The cards that show a suit which was bid."""
USUAL_SHORTNESS = 2
"""How much of its points a hand usually owes to shortness."""


class Meant(NamedTuple):
    """A call of the auction as the rules explain it."""

    call: Call
    seat: int
    """Counted from the dealer."""
    rules: tuple[Rule, ...]
    """The rules that speak of the call in its auction; none when no rule does."""
    shown: Bounds
    """What the call by itself shows."""


def meant_by(call: Call, seat: int, applied: Iterable[Applied]) -> Meant:
    """What a call shows, given the rules that make it."""
    rules: dict[Rule, None] = {}
    hull: Bounds | None = None
    for one in applied:
        if not one.speaks:
            continue
        rules[one.rule] = None
        if one.rule.line.spec.tells is not None:
            continue
        for box, _, alternative in one.boxes:
            bounds = bounds_of(box)
            for what, (low, high) in alternative.implied.items():
                narrow(bounds, what, low, high)
            hull = bounds if hull is None else joined(hull, bounds)
    if hull is None:
        # A call without agreement, or one that tells nothing, is not natural either.
        hull = {} if rules else natural_reading(call)
    return Meant(call, seat, tuple(rules), hull)


def covering(call: Call, applied: Iterable[Applied], forbidden: frozenset[Call]) -> Bounds:
    """Ranges that hold for every hand that could make a call, last resorts and defaults included.

    Wider than what the call shows to partner: this is what drawing worlds needs.
    """
    hull: Bounds | None = None
    closed = False
    for one in applied:
        for box, _, alternative in one.boxes:
            if not box and one.call not in forbidden:
                closed = True  # some rule speaks for every hand: nobody gets to the default actions
            if one.call == call:
                bounds = {**alternative.implied, **bounds_of(box)}
                hull = bounds if hull is None else joined(hull, bounds)
    if hull is None or (not closed and call not in forbidden):
        return {}
    return hull


def natural_reading(call: Call) -> Bounds:
    """What a call shows that no rule speaks of: a suit bid shows the suit."""
    if call.is_bid and call.strain != "N":
        return {LENGTH[call.strain]: (REAL_SUIT, 13)}
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
    least = {s: bounds.get(LENGTH[s], ANY_LENGTH)[0] for s in "SHDC"}
    total = sum(least.values())
    if 0 < total <= 13:
        for suit in "SHDC":
            low, high = bounds.get(LENGTH[suit], ANY_LENGTH)
            room = 13 - (total - least[suit])
            if room < high:
                bounds[LENGTH[suit]] = (low, room)
    return bounds


def shown_suits(bounds: Bounds, before: frozenset[str], call: Call) -> frozenset[str]:
    """The suits shown by length, shorter in a suit that was bid."""
    named = call.strain if call.is_bid else ""
    found = set()
    for suit in "SHDC":
        least = bounds.get(LENGTH[suit], ANY_LENGTH)[0]
        if least >= REAL_SUIT or (least >= BID_SUIT and (suit == named or suit in before)):
            found.add(suit)
    return frozenset(found)


def range_of(what: Feature, bounds: Bounds) -> Range:
    """The least and the most of a feature that a player has shown."""
    found = bounds.get(what)
    return found if found is not None else NATURAL.get(what, ANY_VALUE)


def strength(bounds: Bounds) -> Range:
    """The least and the most strength in points: high cards if they were named, else with distribution."""
    low, high = bounds.get(HCP, NATURAL[HCP])
    for points in POINTS.values():
        if points in bounds:
            least, most = bounds[points]
            low, high = max(low, least - USUAL_SHORTNESS), min(high, most)
    return low, max(low, high)


def longest_fit(hands: Sequence[Bounds]) -> str | None:
    """The suit in which two hands have shown the most cards together, if they are enough for trumps."""
    together = {suit: sum(range_of(LENGTH[suit], bounds)[0] for bounds in hands) for suit in "SHDC"}
    fits = [suit for suit in "SHDC" if together[suit] >= FIT]
    return max(fits, key=lambda suit: together[suit], default=None)
