"""Counts that follow the tricks: points as solved deals have them, on the scale of the plain count.

Aces take more tricks than their points say, queens and jacks fewer, tens take some, and an honor that stands
alone or with one card is worth less. The weights are those of a regression of tricks on what both hands of a
side hold (`scripts/fit_counts`), in notrump and in the longest suit, scaled so that the honors of a suit are
worth ten points together. Honors that stand together, or in long suits, came out no better than apart: double
dummy there is nothing to count for them. A system that has the convention `count_by_tricks` on its card
chooses its calls by these counts where its rules speak of `hcp` and `points`; what calls show stays in plain
points.
"""

# The stubs of numpy know of no type for an int times an array.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pidm.features.cards import CARDS, Cards, Column
from pidm.features.columns import HandColumns, total_of
from pidm.features.declare import Over, hand_feature
from pidm.features.distribution import shortness
from pidm.features.high_cards import hcp

FAMILY = "counts by tricks"

PARTS = 16
"""Parts of a point in which holdings are counted: sums of them are exact."""
SHARE = 0.5
"""How far the counts go from plain points to what was fitted."""

HONORS = {"A": (4.3, 4.45), "K": (2.8, 2.8), "Q": (1.7, 1.55), "J": (0.9, 0.85), "T": (0.3, 0.35)}
"""Points of an honor: in general, and for play in a suit."""
ALONE = {"A": (-0.6, -1.0), "K": (-1.4, -1.4), "Q": (-1.1, -0.95), "J": (-0.4, -0.65)}
"""What is added if it is the only card of its suit."""
IN_TWO = {"A": (0.0, -0.15), "K": (-0.25, -0.3), "Q": (-0.4, -0.35), "J": (-0.25, -0.25)}
"""What is added if it is one of two cards."""
SHORTNESS = (3.6, 2.15, 0.75)
"""Points of a void, a singleton and a doubleton beside trumps."""
IN_GENERAL, WITH_TRUMPS = 0, 1


def honors_by_tricks(cards: Cards, kind: int) -> Column:
    """Points of the honors of a suit, as fitted."""
    length = cards.length
    total = np.zeros(len(length))
    for weights, counted in ((HONORS, length > 0), (ALONE, length == 1), (IN_TWO, length == 2)):
        for rank, points in weights.items():
            total += points[kind] * (cards.has(rank) * counted)
    return total


def _in_parts(plain: Column, fitted: Column) -> Column:
    """Between the plain count and the fitted one, in parts of a point."""
    return np.rint(PARTS * (plain + SHARE * (fitted - plain))).astype(np.int16)


def _whole_points(columns: HandColumns, tables: Sequence[Column]) -> Column:
    """The sum of the four suits, to the nearest point."""
    total = total_of(columns.gather(table, suit) for suit, table in enumerate(tables))
    total += PARTS // 2
    total //= PARTS
    return np.maximum(total, 0).astype(np.int8)


@hand_feature("hcp_by_tricks", hand=(0, 40), family=FAMILY, whole_numbers=True)
def hcp_by_tricks(columns: HandColumns) -> Column:
    """High-card points that follow the tricks, to the nearest point: A 4.15, K 2.9, Q 1.85, J 0.95, T 0.15.

    Halfway between the plain count and what deals solved double dummy say, with something off for honors
    that stand alone or, but for aces, in twos.
    """
    return _whole_points(columns, [_HONORS] * 4)


@hand_feature("points_by_tricks", Over.SUIT, suit=(0, 46), family=FAMILY, whole_numbers=True)
def points_by_tricks(columns: HandColumns, trump: str) -> Column:
    """Points for play in trumps that follow the tricks: as `points`, from high cards and shortness."""
    return _whole_points(columns, [_TRUMPS if suit == trump else _BESIDE_TRUMPS for suit in "SHDC"])


def _short_by_tricks(cards: Cards) -> Column:
    worth = np.array([*SHORTNESS, *[0.0] * 11])
    return worth[cards.length]


_HONORS = _in_parts(hcp(CARDS), honors_by_tricks(CARDS, IN_GENERAL))
_TRUMPS = _in_parts(hcp(CARDS), honors_by_tricks(CARDS, WITH_TRUMPS))
_BESIDE_TRUMPS = _in_parts(
    hcp(CARDS) + shortness(CARDS), honors_by_tricks(CARDS, WITH_TRUMPS) + _short_by_tricks(CARDS)
)
