"""The kinds of hands that make a call, as far as the player can still hold them after calls made earlier."""

from __future__ import annotations

from collections.abc import Iterable

from pidm.core.box import INF
from pidm.features import Bounds, Feature
from pidm.language.meaning import HCP, LENGTH, feature
from pidm.reading.inference import POINTS, bounds_of
from pidm.reading.matching import Applied

BALANCE = feature("balance")
SHAPE = {*LENGTH.values(), BALANCE}
MOST_FOR_SHORTNESS = 6
"""What shortness adds to high cards at most, in hands that players hold."""


def kinds_of_hand(applied: Iterable[Applied], shown: Bounds) -> list[Bounds]:
    """The hands that make a call by these rules, as ranges, narrowed to what the player has shown before.

    What contradicts that is left out, as are kinds that another one includes.
    """
    kinds: list[Bounds] = []
    for one in applied:
        for box, _, alternative in one.boxes:
            found = bounds_of(box)
            for what, (low, high) in alternative.implied.items():
                old = found.get(what, (-INF, INF))
                found[what] = (max(low, old[0]), min(high, old[1]))
            narrowed = _narrowed(found, shown)
            if narrowed is not None and narrowed not in kinds:
                kinds.append(narrowed)
    return [one for one in kinds if not any(other is not one and _includes(other, one) for other in kinds)]


def _narrowed(found: Bounds, shown: Bounds) -> Bounds | None:
    """The ranges together with what was shown before; None if they contradict each other."""
    result = dict(found)
    for what, (low, high) in found.items():
        least, most = shown.get(what, (-INF, INF))
        if max(low, least) > min(high, most) or _too_strong(what, low, shown):
            return None
        # That a long suit elsewhere leaves little room goes without saying.
        if what not in SHAPE or high < 13:
            result[what] = (max(low, least), min(high, most))
    return result


def _too_strong(what: Feature, low: float, shown: Bounds) -> bool:
    """More points with shortness than the high cards that were shown can make?"""
    return what in POINTS.values() and low > shown.get(HCP, (0, 37))[1] + MOST_FOR_SHORTNESS


def _includes(wide: Bounds, narrow: Bounds) -> bool:
    """Does every hand of the second kind belong to the first?"""
    within = (
        what in narrow and low <= narrow[what][0] and narrow[what][1] <= high
        for what, (low, high) in wide.items()
    )
    return wide != narrow and all(within)
