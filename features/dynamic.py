"""A.5: features that depend on what partner has shown, with a value also when that is nothing.

What partner holds is averaged over as `pidm.features.partner` says, so each suit is still one table of its
holdings.
"""

# The stubs of numpy know of no type for an int times an array.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from pidm.features.cards import CARDS, HOLDINGS, SUITS, Column
from pidm.features.columns import HandColumns, look_up, total_of
from pidm.features.declare import DYNAMIC, Over, hand_feature
from pidm.features.hand_quality import honor_quarters, no_ace, points_of_sum
from pidm.features.partner import SuitShown
from pidm.features.suit_quality import guarded_honor

KEPT_TRUMPS = 2
"""Trumps that are not counted on for ruffing: they go when trumps are drawn."""


@hand_feature("cover", Over.TRUMP_ANY, suit=(0, 3), hand=(0, 13), family=DYNAMIC, paper="COVER", dynamic=True)
def cover(columns: HandColumns, trump: str, suit: str | None = None) -> Column:
    """The expected number of partner's losers that this hand covers, by high cards and by ruffs.

    Partner's losers in a suit of l cards are the missing ones of A K Q among the first three rounds. So an
    ace covers a loser if partner has a card there, a king (with another card, or in trumps) if partner has
    two, a queen (with two others, or in trumps) if partner has three; and each of the first three rounds
    that partner has a card for and this hand has not is ruffed, as long as there are trumps beyond two.
    Averaged over partner's length within the bounds shown, what honors and what ruffs cover in a suit each to
    the nearest 2,048th. The range is the paper's, a card of the hand for each: counted like this, partner has
    at most three losers in a suit and twelve in all.
    """
    if suit is None:
        return _cover_of_hand(columns, SUITS.index(trump))
    shown = columns.partner.suits[SUITS.index(suit)]
    if suit == trump:
        return columns.gather(_cover_in_trumps(shown), suit)
    holdings = columns.gather(_SPARE, trump) * HOLDINGS
    holdings += columns.index(suit)
    return look_up(_cover_beside(shown), holdings)


@hand_feature("fast", Over.STRAIN_ANY, suit=(0, 7), hand=(0, 13), family=DYNAMIC, paper="FAST", dynamic=True)
def fast(columns: HandColumns, strain: str, suit: str | None = None) -> Column:
    """The expected number of fast losers: tricks that the opponents can cash in the suit before we win one.

    None with the ace in either hand, one with the king (and another card beside it), two with the queen
    (and two), three without; in a trump contract not more than the rounds that both hands follow, in
    notrump up to half of the cards that the opponents have. A top card that is not here is partner's as
    chance, partner's strength and what partner has shown of aces and kings have it. The whole hand counts
    at most 13.
    """
    numbers = range(4) if suit is None else (SUITS.index(suit),)
    roles = ["notrump" if strain == "N" else "trump" if suit == strain else "side" for suit in SUITS]
    total = total_of(
        columns.gather(_fast(roles[number], columns.partner.suits[number]), number) for number in numbers
    )
    if suit is None and strain == "N" and total.max(initial=0) > 13:  # rare, and cheap to find out
        total = np.minimum(total, np.float32(13))
    return total


@hand_feature("lindelof", hand=(-1, 60), family=DYNAMIC, paper="LP", dynamic=True)
def lindelof(columns: HandColumns) -> Column:
    """Lindelöf points: corrected honors, long and short suits, and how they fit what partner has shown.

    High-card points; ¼ for a ten; 1 off without an ace; 1 off for a singleton K, Q or J; ½ off for a
    doubleton with Q or J; 1 for each card after the fourth in a suit; ½ for a doubleton, 1½ for a
    singleton, 3 for a void. When partner has shown length: 1½ for each card after the eighth that we are
    known to hold in a suit; nothing for a void or singleton where partner has five cards; 1 off for each K,
    Q, J where partner has one card at most. The corrections are in the manner of Lindelöf's count and
    chosen to fit its scale, on which two hands need 28 for ten tricks in their best suit, and 3 a trick
    more: on deals solved double dummy 28 made 10.0 tricks, and a trick took 3.0.
    """
    return points_of_sum(columns, [_lindelof(shown.least, shown.most) for shown in columns.partner.suits])


_SPARE = np.clip(CARDS.length - KEPT_TRUMPS, 0, 3).astype(np.intp)
"""The trumps to ruff with."""

_FINE = 1 << 11
"""Parts of a cover card in which expectations are rounded, so that sums of them are exact."""

_FLOAT_BASE = 16
"""From here to twice as much, float32 has steps of 2**-19: 256 of them to a part of a cover card."""

_TOPS = CARDS.has("A") + 2 * CARDS.has("K") + 4 * CARDS.has("Q")


@lru_cache(maxsize=512)
def _cover_in_trumps(shown: SuitShown) -> Column:
    return _covered_by_honors(shown, True).astype(np.float32)


@lru_cache(maxsize=512)
def _cover_beside(shown: SuitShown) -> Column:
    """Tables for 0, 1, 2 and 3 trumps to ruff with, one after the other."""
    honors = _covered_by_honors(shown, False)
    return np.concatenate([honors + ruff[CARDS.length] for ruff in _ruffs(shown)]).astype(np.float32)


def _cover_of_hand(columns: HandColumns, trump: int) -> Column:
    """The whole hand by four gathers and a small one: one sum counts for the honors and tells the ruffs."""
    *suits, ruffs = _cover_tables(columns.partner.suits, trump)
    total = look_up(suits[0], columns.index(0))
    for suit in (1, 2, 3):
        total += look_up(suits[suit], columns.index(suit))
    total += look_up(ruffs, total.view(np.int32) & 255)
    return total


@lru_cache(maxsize=512)
def _cover_tables(suits: tuple[SuitShown, ...], trump: int) -> tuple[Column, ...]:
    """Four tables of what honors cover, and one of what ruffs do, by the lowest byte of the sum of the four.

    It has two bits of each suit: the trumps to ruff with, or the cards up to three, with which no round is
    left to ruff. The last table takes off again what the sum has beside the honors.
    """
    tables = []
    for suit, shown in enumerate(suits):
        cards = _SPARE if suit == trump else np.minimum(CARDS.length, 3)
        coded = cards * (4**suit / 256 / _FINE)
        tables.append(_FLOAT_BASE / 4 + _covered_by_honors(shown, suit == trump) + coded)
    low = np.arange(256)
    held = [low >> 2 * suit & 3 for suit in range(4)]
    ruffs = sum(_ruffs(suits[suit])[held[trump], held[suit]] for suit in range(4) if suit != trump)
    tables.append(ruffs - low / 256 / _FINE - _FLOAT_BASE)
    return tuple(table.astype(np.float32) for table in tables)


def _ruffs(shown: SuitShown) -> npt.NDArray[np.float64]:
    """The expected rounds of a side suit that are ruffed, [trumps to ruff with, cards held]."""
    mine, hers = np.arange(14)[:, None], np.arange(14)
    rounds = np.clip(np.minimum(hers, 3) - mine, 0, None)
    expected = [(shown.chance_of_length * np.minimum(rounds, spare)).sum(axis=1) for spare in range(4)]
    return _rounded(np.stack(expected))


def _covered_by_honors(shown: SuitShown, trump: bool) -> npt.NDArray[np.float64]:
    chance = shown.chance_of_length
    return _rounded(
        sum(
            guarded_honor(CARDS, rank, trump) * chance[:, needed:].sum(axis=1)[CARDS.length]
            for needed, rank in enumerate("AKQ", start=1)
        )
    )


def _rounded(expected: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.rint(expected * _FINE) / _FINE


@lru_cache(maxsize=512)
def _fast(role: str, shown: SuitShown) -> Column:
    mine, hers = np.arange(14)[:, None], np.arange(14)
    theirs = np.maximum(13 - mine - hers, 0)
    if role == "side":
        most = np.minimum(np.minimum(mine, hers), 3)
    elif role == "trump":
        most = np.minimum(np.maximum(mine, hers), 3)
    else:
        most = (theirs + 1) // 2
    by_chance = np.minimum(shown.strength * hers / np.maximum(13 - mine, 1), 1)
    chances = [
        np.broadcast_to(by_chance if known is None else known, (14, 14))
        for known in (shown.ace, shown.king, None)
    ]
    expected = np.zeros((8, 14))
    for tops in range(8):
        missing = [rank for rank in range(3) if not tops >> rank & 1]
        for partner_has in product((False, True), repeat=len(missing)):
            chance = np.ones((14, 14))
            partner_tops = 0
            for rank, has in zip(missing, partner_has):
                chance = chance * (chances[rank] if has else 1 - chances[rank])
                partner_tops |= has << rank
            # the first round that we win: by a top card with as many cards beside it as are higher
            lost = np.full((14, 14), 13)
            for rank in (2, 1, 0):
                guarded = ((tops >> rank & 1) == 1) & (mine > rank) | ((partner_tops >> rank & 1) == 1) & (
                    hers > rank
                )
                lost = np.where(guarded, rank, lost)
            expected[tops] += (shown.chance_of_length * chance * np.minimum(lost, most)).sum(axis=1)
    return expected[_TOPS, CARDS.length].astype(np.float32)


@lru_cache(maxsize=512)
def _lindelof(least: int, most: int) -> Column:
    length = CARDS.length.astype(np.int16)
    honors = honor_quarters(CARDS)
    if most <= 1:
        honors = np.maximum(honors - 4 * CARDS.count("KQJ"), 0)
    short = np.select([length == 0, length == 1, length == 2], [12, 6, 2], 0)
    if least >= 5:
        short = np.where(length <= 1, 0, short)
    fit = 6 * np.minimum(np.maximum(length + least - 8, 0), least)
    total = honors + 4 * np.maximum(length - 4, 0) + short + fit + no_ace(CARDS)
    return total.astype(np.int16)
