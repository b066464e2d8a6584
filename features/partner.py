"""What partner has shown, as far as the dynamic features use it.

A hand that is not known is averaged over: partner's length in a suit is distributed as the cards fall,
given one's own length and the bounds that partner has shown, and each card of a suit that is not one's own
is partner's with the chance that the lengths give, more or less as partner is strong or weak.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pidm.core.box import Range
from pidm.features.cards import SUITS
from pidm.features.key import Feature

Bounds = dict[Feature, Range]
"""What a player has shown: the least and the greatest value of some features."""

_AVERAGE_HCP, _DEVIATION_HCP = 10.0, 4.13


@dataclass(frozen=True)
class SuitShown:
    """What partner has shown about one suit, and of the strength of the hand that concerns every suit."""

    least: int = 0
    """The shortest that the suit may be."""
    most: int = 13
    """The longest that it may be."""
    ace: float | None = None
    """The chance that partner has the ace; None if nothing was said about it."""
    king: float | None = None
    """The chance that partner has the king; None if nothing was said about it."""
    strength: float = 1.0
    """Partner's expected high-card points, in units of an average hand."""

    @property
    def chance_of_length(self) -> npt.NDArray[np.float64]:
        """P(partner has l cards | I have m), [m, l], 14 by 14."""
        return _chance_of_length(self.least, self.most)


@dataclass(frozen=True)
class PartnerShown:
    """What partner has shown about each suit."""

    suits: tuple[SuitShown, SuitShown, SuitShown, SuitShown]
    """S H D C."""

    @staticmethod
    def of(bounds: Bounds | PartnerShown | None) -> PartnerShown:
        """Read bounds on `length(S)`, `hcp`, `aces(S)` and `kings(S)`; others say nothing used here."""
        if bounds is None or isinstance(bounds, PartnerShown):
            return bounds or UNKNOWN
        if not bounds:
            return UNKNOWN
        strength = _strength(*bounds.get(_HCP, (0, 37)))
        shown = []
        for length, aces, kings in _KEYS:
            least, most = _within(*bounds.get(length, (0, 13)))
            shown.append(
                SuitShown(least, most, _chance(bounds.get(aces)), _chance(bounds.get(kings)), strength)
            )
        spades, hearts, diamonds, clubs = shown
        return PartnerShown((spades, hearts, diamonds, clubs))


UNKNOWN = PartnerShown((SuitShown(), SuitShown(), SuitShown(), SuitShown()))
"""Any partner: nothing has been shown."""

# Keys compare as their spelling, and at this point of the import nothing is declared yet.
_HCP: Feature = str.__new__(Feature, "hcp")
_KEYS: list[tuple[Feature, ...]] = [
    tuple(str.__new__(Feature, f"{name}({suit})") for name in ("length", "aces", "kings")) for suit in SUITS
]


def _within(low: float, high: float) -> tuple[int, int]:
    least = min(max(math.ceil(max(low, 0)), 0), 13)
    return least, max(least, math.floor(min(high, 13)))


def _chance(bounds: Range | None) -> float | None:
    """The chance of a card that has been shown or denied; None if the bounds leave both open."""
    if bounds is None or (bounds[0] <= 0 and bounds[1] >= 1):
        return None
    return 1.0 if bounds[0] > 0 else 0.0


def _strength(low: float, high: float) -> float:
    return _mean_hcp(low, high) / _mean_hcp(0, 37)


@lru_cache(maxsize=1024)
def _mean_hcp(low: float, high: float) -> float:
    """The mean of a normal distribution cut off at the bounds: close to that of the points of a hand."""
    points = np.arange(38)
    inside = points[(points >= low) & (points <= high)]
    if not len(inside):
        return min(max(low, 0.0), 37.0)
    exponent = -0.5 * ((inside - _AVERAGE_HCP) / _DEVIATION_HCP) ** 2
    weight = np.exp(exponent - exponent.max())
    return float(weight @ inside / weight.sum())


@lru_cache(maxsize=128)
def _chance_of_length(least: int, most: int) -> npt.NDArray[np.float64]:
    chance = np.zeros((14, 14))
    for mine in range(14):
        ways = [math.comb(13 - mine, hers) * math.comb(26 + mine, 13 - hers) for hers in range(14)]
        allowed = [way if least <= hers <= most else 0 for hers, way in enumerate(ways)]
        if sum(allowed) == 0:  # more was shown than I leave: partner has all the rest
            allowed[13 - mine] = 1
        chance[mine] = np.array(allowed, dtype=float) / sum(allowed)
    return chance
