"""A.4: features of the quality of the hand."""

# The stubs of numpy know of no type for an int times an array.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pidm.features.cards import CARDS, Cards, Column
from pidm.features.columns import HandColumns, total_of
from pidm.features.declare import HAND_QUALITY, Over, hand_feature, trump_feature
from pidm.features.distribution import shortness
from pidm.features.high_cards import hcp
from pidm.features.suit_quality import losers

NO_ACE = 1024
"""A suit without the ace in a sum of quarter points: above any sum of points, so that one sum tells both."""


def honor_quarters(cards: Cards) -> Column:
    """High-card points in quarters as Lindelöf corrects them, without his point off for a hand with no ace.

    A ten is a quarter; a point off for a singleton K, Q or J and half a point for a doubleton with Q or J.
    """
    alone = (cards.length == 1) & (cards.count("KQJ") > 0)
    pair = (cards.length == 2) & (cards.count("QJ") > 0)
    return (4 * hcp(cards) + cards.has("T") - 4 * alone - 2 * pair).astype(np.int16)


def no_ace(cards: Cards) -> Column:
    """What a table of quarters has on top, for `points_of_sum` to know a hand without an ace."""
    return NO_ACE * (1 - cards.has("A").astype(np.int16))


def points_of_sum(columns: HandColumns, tables: Sequence[Column]) -> Column:
    """Points from tables of quarters and aces for the four suits, a point off if there is no ace."""
    total = total_of(columns.gather(table, suit) for suit, table in enumerate(tables))
    off = total >> 10
    off &= 4  # the quarters of a point if all four suits are without the ace: 4 * NO_ACE is one bit
    total &= NO_ACE - 1
    total -= off
    quarters = total.astype(np.float32)
    quarters *= np.float32(0.25)
    return quarters


@hand_feature("nt_lindelof", hand=(-1, 37), family=HAND_QUALITY, paper="NTLP")
def nt_lindelof(columns: HandColumns) -> Column:
    """Lindelöf points for notrump: honors corrected for tens, aces and shortness, and good long suits.

    High-card points; ¼ for a ten; 1 off without an ace; 1 off for a singleton K, Q or J; ½ off for a
    doubleton with Q or J; ½ for each card after the fourth of a suit with two of A K Q J. Two hands need 26
    for nine tricks, and 2 a trick more: on deals solved double dummy 26 made 8.9 tricks, and a trick took
    2.1.
    """
    return points_of_sum(columns, [_NT_QUARTERS] * 4)


@hand_feature("ratio", hand=(0, 1), family=HAND_QUALITY, paper="RATIO")
def ratio(columns: HandColumns) -> Column:
    """The share of the high-card points that lies in the two longest suits.

    Of suits of equal length the stronger counts as the longer. A hand without points has ratio 0.
    """
    a, b, c, d = (columns.gather(_LENGTH_AND_HCP, suit) for suit in range(4))
    total = a + b
    total += c
    total += d
    total -= 13 * 16
    long, long2, short, short2 = np.maximum(a, b), np.maximum(c, d), np.minimum(a, b), np.minimum(c, d)
    second = np.minimum(long, long2)
    np.maximum(second, np.maximum(short, short2, out=short), out=second)
    two = np.maximum(long, long2, out=long)
    two &= 15
    second &= 15
    two += second
    share, points = two.astype(np.float32), total.astype(np.float32)
    points += _NEARLY_NOTHING
    share /= points
    return share


@trump_feature("points", suit=(0, 10), hand=(0, 37), family=HAND_QUALITY, paper="POINTS")
def points(cards: Cards, trump: bool) -> Column:
    """Points for play in trumps: high-card points and points for shortness outside trumps (hcp + dp)."""
    return hcp(cards) + shortness(cards) * (not trump)


@hand_feature(
    "unsupported_losers", Over.SUIT, suit=(0, 13), family=HAND_QUALITY, paper="UNLOS", whole_numbers=True
)
def unsupported_losers(columns: HandColumns, suit: str) -> Column:
    """Losers of the hand if partner has no support for the suit.

    One more than the losing-trick count if the suit has four to six cards and no jack: the count makes every
    card after the third a winner, which needs partner's help; alone, a fourth round is lost. The paper marks
    UNLOS as one for each suit, and its words speak of the longest one: so the suit asked about is the one$
    that the hand means to be its longest.
    """
    total = total_of(columns.gather(_LOSERS, number) for number in range(4))
    total += columns.gather(_FOURTH_ROUND, suit)
    return total


def _nt_quarters(cards: Cards) -> Column:
    long = 2 * np.maximum(cards.length - 4, 0) * (cards.count("AKQJ") >= 2)
    return honor_quarters(cards) + long + no_ace(cards)


_NT_QUARTERS = _nt_quarters(CARDS)
_LENGTH_AND_HCP = (16 * CARDS.length.astype(np.int16) + hcp(CARDS)).astype(np.uint8)
_NEARLY_NOTHING = np.float32(1e-30)
"""Added to points it changes none but 0, which can then be divided by."""
_LOSERS = losers(CARDS, False).astype(np.uint8)
_FOURTH_ROUND = ((CARDS.length >= 4) & (CARDS.length < 7) & (CARDS.has("J") == 0)).astype(np.uint8)
"""Whether a suit loses a fourth round when it stands alone."""
