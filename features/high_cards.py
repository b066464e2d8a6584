"""A.1: features that count high cards."""

# The stubs of numpy know of no type for an int times an array.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from pidm.features.cards import Cards, Column
from pidm.features.declare import HIGH_CARDS, Over, suit_feature, sum_feature


@suit_feature("hcp", suit=(0, 10), hand=(0, 37), family=HIGH_CARDS, paper="HCP")
def hcp(cards: Cards) -> Column:
    """High-card points: A=4, K=3, Q=2, J=1."""
    return 4 * cards.has("A") + 3 * cards.has("K") + 2 * cards.has("Q") + cards.has("J")


@suit_feature("controls", suit=(0, 3), hand=(0, 12), family=HIGH_CARDS, paper="CONTROLS")
def controls(cards: Cards) -> Column:
    """Controls: A=2, K=1."""
    return 2 * cards.has("A") + cards.has("K")


@suit_feature("top_honors", suit=(0, 3), hand=(0, 12), family=HIGH_CARDS, paper="HC")
def top_honors(cards: Cards) -> Column:
    """The number of aces, kings and queens."""
    return cards.count("AKQ")


@suit_feature("honors", suit=(0, 5), hand=(0, 13), family=HIGH_CARDS, paper="HONOR")
def honors(cards: Cards) -> Column:
    """The number of cards higher than the nine."""
    return cards.count("AKQJT")


@suit_feature("aces", suit=(0, 1), hand=(0, 4), family=HIGH_CARDS, paper="ACE")
def aces(cards: Cards) -> Column:
    """The number of aces."""
    return cards.has("A")


@suit_feature("kings", suit=(0, 1), hand=(0, 4), family=HIGH_CARDS, paper="KING")
def kings(cards: Cards) -> Column:
    """The number of kings."""
    return cards.has("K")


@suit_feature("queens", suit=(0, 1), hand=(0, 4), family=HIGH_CARDS, paper="QUEEN")
def queens(cards: Cards) -> Column:
    """The number of queens."""
    return cards.has("Q")


@suit_feature("jacks", suit=(0, 1), hand=(0, 4), family=HIGH_CARDS, paper="JACK")
def jacks(cards: Cards) -> Column:
    """The number of jacks."""
    return cards.has("J")


@suit_feature("tens", suit=(0, 1), hand=(0, 4), family=HIGH_CARDS, paper="TEN")
def tens(cards: Cards) -> Column:
    """The number of tens."""
    return cards.has("T")


@sum_feature("keycards", Over.SUIT, suit=(0, 5), family=HIGH_CARDS, paper="RKCB")
def keycards(cards: Cards, suit: str, trump: str) -> Column:
    """Key cards for Roman Key Card Blackwood: the four aces and the king of trumps."""
    return cards.has("A") + cards.has("K") * (suit == trump)


@sum_feature("open_suits", Over.SUIT, suit=(0, 3), family="side suits")
def open_suits(cards: Cards, suit: str, trump: str) -> Column:
    """Side suits in which two tricks may be lost at once: two cards or more, and neither ace nor king."""
    return (cards.length >= 2) * (cards.count("AK") == 0) * (suit != trump)
