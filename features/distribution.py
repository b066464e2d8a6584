"""A.2: features of the distribution."""

# The stubs of numpy know of no type for an int times an array.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from pidm.features.cards import Cards, Column
from pidm.features.declare import DISTRIBUTION, Over, shape_feature, sum_feature, trump_feature


def shortness(cards: Cards) -> Column:
    """3 for a void, 2 for a singleton, 1 for a doubleton."""
    return np.maximum(3 - cards.length, 0)


@shape_feature("balance", hand=(0, 6), family=DISTRIBUTION, paper="BAL")
def balance(lengths: Column) -> Column:
    """How unbalanced the hand is: 0 is 4333, 1 is 4432, 2 is 5332, 3 semi-balanced, 6 a freak.

    3 is 5422 and 6322; 4 is 7222 and the hands with one singleton and at most nine cards in two suits:
    4441, 5431, 6331; 5 has ten cards in two suits with a singleton, or a void: 5521, 6421, 7321, 5440,
    5530, 6430, 7330; 6 has eleven cards in two suits or a suit of eight. A hand for a notrump opening has
    balance 2 or less.
    """
    ordered = np.sort(lengths, axis=1)
    shortest, longest = ordered[:, 0], ordered[:, 3]
    two_suits = longest + ordered[:, 2]
    return np.select(
        [
            (two_suits >= 11) | (longest >= 8),
            (shortest == 0) | ((shortest == 1) & (two_suits >= 10)),
            (shortest == 1) | (longest == 7),
            (longest == 6) | (two_suits == 9),
            longest == 5,
            shortest == 2,
        ],
        [6, 5, 4, 3, 2, 1],
        0,
    )


@trump_feature("dp", suit=(0, 3), hand=(0, 9), family=DISTRIBUTION, paper="DP")
def dp(cards: Cards, trump: bool) -> Column:
    """Points for shortness outside trumps: doubleton 1, singleton 2, void 3."""
    return shortness(cards) * (not trump)


@sum_feature("diff", Over.PAIR, suit=(-13, 13), family=DISTRIBUTION, paper="DIF")
def diff(cards: Cards, suit: str, longer: str, shorter: str) -> Column | None:
    """By how many cards the first suit is longer than the second."""
    return {longer: cards.length, shorter: -cards.length}.get(suit)


@shape_feature("suits", hand=(1, 3), family=DISTRIBUTION, paper="SUITS")
def suits(lengths: Column) -> Column:
    """The number of suits of four cards or more."""
    return (lengths >= 4).sum(axis=1)


@sum_feature("length", Over.SUIT, suit=(0, 13), family=DISTRIBUTION, paper="SUITLEN")
def length(cards: Cards, suit: str, wanted: str) -> Column | None:
    """The number of cards in the suit."""
    return cards.length if suit == wanted else None


@sum_feature("length2", Over.PAIR, suit=(0, 13), family=DISTRIBUTION, paper="SUITLEN2")
def length2(cards: Cards, suit: str, one: str, other: str) -> Column | None:
    """The number of cards in the two suits together."""
    return cards.length if suit in (one, other) else None


@shape_feature("longest_major", hand=(0, 13), family=DISTRIBUTION, paper="LMAJ")
def longest_major(lengths: Column) -> Column:
    """The length of the longer major."""
    return lengths[:, :2].max(axis=1)


@shape_feature("longest_minor", hand=(0, 13), family=DISTRIBUTION, paper="LMIN")
def longest_minor(lengths: Column) -> Column:
    """The length of the longer minor."""
    return lengths[:, 2:].max(axis=1)


@shape_feature("longest", Over.SUIT, suit=(0, 1), family=DISTRIBUTION, paper="LONGEST")
def longest(lengths: Column, suit: int) -> Column:
    """1 if no other suit is longer."""
    return lengths[:, suit] == lengths.max(axis=1)


@shape_feature("long", Over.SUIT, suit=(0, 1), family=DISTRIBUTION, paper="LONG")
def long(lengths: Column, suit: int) -> Column:
    """1 if the suit is not the shortest: some other suit is shorter."""
    return lengths[:, suit] > lengths.min(axis=1)


@shape_feature("first_bid", Over.SUIT, suit=(0, 1), family=DISTRIBUTION, paper="FIRSTBID")
def first_bid(lengths: Column, suit: int) -> Column:
    """1 for the suit to open with five-card majors and a better minor.

    The longest suit of five cards or more, of equal ones the higher; without one the longer minor, of equal
    ones diamonds with 4-4 and clubs with 3-3. Every hand has exactly one such suit.
    """
    _, _, diamonds, clubs = lengths.T
    minor = np.where((diamonds > clubs) | ((diamonds == clubs) & (diamonds >= 4)), 2, 3)
    # argmax finds the first of the longest, and spades come first
    return np.where(lengths.max(axis=1) >= 5, lengths.argmax(axis=1), minor) == suit


@shape_feature("up_line", Over.PAIR, suit=(0, 1), family=DISTRIBUTION, paper="UPLINE")
def up_line(lengths: Column, suit: int, last: int) -> Column:
    """1 if the first suit is the one to bid when the second is the suit bid last.

    A suit of four cards or more, other than the last one: the longest of five cards or more, of two equal
    ones the higher; with fours only, the cheapest over the last suit, up the line.
    """
    others = lengths.copy()
    others[:, last] = 0
    # numbers fall as suits rise: the steps up the line from the last suit
    cheapness = [(-(other - last)) % 4 for other in range(4)]
    four = np.where(others >= 4, -np.array(cheapness), -9).argmax(axis=1)
    best = np.where(others.max(axis=1) >= 5, others.argmax(axis=1), four)
    return (best == suit) & (others[:, suit] >= 4)
