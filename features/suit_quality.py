"""A.3: features of the quality of suits."""

# The stubs of numpy know of no type for an int times an array.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from pidm.features.cards import CARDS, HOLDINGS, Cards, Column
from pidm.features.columns import HandColumns, look_up
from pidm.features.declare import SUIT_QUALITY, Over, hand_feature, suit_feature, trump_feature

RUFFING_TRUMPS = 3
"""With fewer trumps than this, shortness stops nothing."""


@suit_feature("biddable", Over.SUIT, suit=(0, 8), family=SUIT_QUALITY, paper="BIDDABLE")
def biddable(cards: Cards) -> Column:
    """How many times the suit can be bid: 0 below four cards, then more for length and for a good suit.

    None with three cards or fewer; 1 with four or five cards and one more for each card over five; from
    five cards on one more if the suit is good: two of A K Q, or three of A K Q J T. At most 8.
    """
    good = ((cards.count("AKQ") >= 2) | (cards.count("AKQJT") >= 3)) & (cards.length >= 5)
    times = np.maximum(cards.length - 4, 1) + good
    return np.where(cards.length >= 4, np.minimum(times, 8), 0)


@suit_feature(
    "intermediates", suit=(0, 3.5), hand=(0, 14), family=SUIT_QUALITY, paper="INTER", whole_numbers=False
)
def intermediates(cards: Cards) -> Column:
    """Intermediate cards: T=2, 9=1, 8=½."""
    return 2 * cards.has("T") + cards.has("9") + 0.5 * cards.has("8")


@trump_feature("losers", suit=(0, 3), hand=(0, 12), family=SUIT_QUALITY, paper="LOSERS")
def losers(cards: Cards, trump: bool) -> Column:
    """Losers by the modern losing-trick count: the missing A, K and Q among the first three cards of a suit.

    Cards after the third are winners; so are an ace, a king with another card and a queen with two. In
    trumps, where partner's cards guard them, a singleton king and a queen with fewer than two others are
    winners too.
    """
    winners = sum(guarded_honor(cards, rank, trump) for rank in "AKQ")
    return np.minimum(cards.length, 3) - winners


def guarded_honor(cards: Cards, rank: str, trump: bool) -> Column:
    """1 where the A, the K with another card or the Q with two is held; in trumps wherever it is held."""
    needed = 0 if trump else "AKQ".index(rank) + 1
    return cards.has(rank) * (cards.length >= needed)


@suit_feature("stopper", Over.SUIT, suit=(0, 4), family=SUIT_QUALITY, paper="STOP-NT")
def stopper(cards: Cards) -> Column:
    """Stopper in notrump: 0 none, 1 half (Qx), 2 probable (Kx, Qxx), 3 sure (A, KQ, QJT), 4 double.

    Half are a bare K and Jxx too, probable Jxxx, sure KJT, and QJ with four cards; double are AK, and with
    three cards or more AQJ, AQT, AJT and KQJ.
    """
    long, has = cards.length, {rank: cards.has(rank) == 1 for rank in "AKQJT"}
    ace, king, queen, jack, ten = has.values()
    double = (ace & king) | (ace & ((queen & (jack | ten)) | (jack & ten))) | (king & queen & jack)
    sure = ace | (king & queen) | (jack & ten & (king | queen)) | (queen & jack & (long >= 4))
    probable = (king & (long >= 2)) | (queen & (long >= 3)) | (jack & (long >= 4))
    half = king | (queen & (long >= 2)) | (jack & (long >= 3))
    return np.select([double, sure, probable, half], [4, 3, 2, 1], 0)


@hand_feature(
    "trump_stopper",
    Over.TRUMP_SUIT,
    suit=(0, 4),
    family=SUIT_QUALITY,
    paper="STOP-TRUMP",
    whole_numbers=True,
)
def trump_stopper(columns: HandColumns, trump: str, suit: str) -> Column:
    """Stopper of the second suit when the first is trumps: as in notrump, or by ruffing with three trumps.

    A void is a double stopper (4), a singleton a sure one (3; the ace alone 4) and a doubleton a half one
    (1), if there are three trumps to ruff with. Trumps themselves are stopped by their honors only.
    """
    if suit == trump:
        return columns.gather(_STOPPERS, suit)
    return look_up(_STOPPERS, columns.index(suit) + columns.gather(_RUFFING, trump))


@suit_feature("quality", Over.SUIT, suit=(0, 9), family=SUIT_QUALITY, paper="QLTY")
def quality(cards: Cards) -> Column:
    """Quality of the suit, 0 bad to 9 excellent: A, K, Q 2 each, J and T 1 each, six cards 1.

    The jack and the ten count only with a higher one of A K Q J, as in Klinger's suit quality test.
    """
    tops = cards.count("AKQ")
    jack = cards.has("J") * (tops > 0)
    ten = cards.has("T") * (cards.count("AKQJ") > 0)
    return 2 * tops + jack + ten + (cards.length >= 6)


_SHORT = [
    CARDS.length == 0,
    (CARDS.length == 1) & (CARDS.has("A") == 1),
    CARDS.length == 1,
    CARDS.length == 2,
]
_BY_HONORS = stopper(CARDS)
_STOPPERS = np.concatenate([_BY_HONORS, np.maximum(_BY_HONORS, np.select(_SHORT, [4, 4, 3, 1], 0))]).astype(
    np.int8
)
"""Two tables one after the other: without trumps to ruff with, and with them."""
_RUFFING = (CARDS.length >= RUFFING_TRUMPS).astype(np.intp) * HOLDINGS
"""An offset into those tables, by the holding in trumps."""
