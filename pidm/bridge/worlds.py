"""Batches of deals: uint16[n, 4 seats, 4 suits], one suit mask of 13 bits per entry."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pidm.bridge.cards import FULL_SUIT, SUITS, Deal, Hand, suit_text
from pidm.errors import HandError

Worlds = npt.NDArray[np.uint16]
"""A batch of deals, shape [n, 4 seats, 4 suits]."""

_CHUNK = 2048
"""Worlds dealt at a time: their cards stay in the cache."""


class _Scratch(threading.local):
    """Room to deal in, kept by each thread: fresh memory for every batch would cost more than the dealing."""

    def __init__(self) -> None:
        self.draws = np.empty(52 * _CHUNK)
        self.taken = np.empty(52 * 4 * _CHUNK, dtype=np.uint8)
        self.bits = np.empty(52 * 4 * _CHUNK, dtype=np.uint16)


_scratch = _Scratch()


def complete(
    seat: int, masks: Sequence[int] | npt.NDArray[np.uint16], n: int, rng: np.random.Generator
) -> Worlds:
    """Deal `n` uniform completions of the hand that `seat` holds, given as its four suit masks."""
    known = np.zeros((4, 4), dtype=np.uint16)
    known[seat] = masks
    return complete_known(known, n, rng)


def complete_known(known: npt.NDArray[np.uint16], n: int, rng: np.random.Generator) -> Worlds:
    """Deal `n` uniform completions of the cards known to be in each hand, [4 seats, 4 suits].

    Any hand may be known in full, in part or not at all: every way to deal the other cards is equally likely.
    """
    known = _checked(known)
    slots = _slots(np.bitwise_or.reduce(known, axis=0) ^ FULL_SUIT)
    need = 13 - _cards_held(known)
    worlds = np.empty((n, 4, 4), dtype=np.uint16)
    worlds[:] = known
    for start in range(0, n, _CHUNK):
        _deal_rest(worlds[start : start + _CHUNK], slots, need, rng)
    return worlds


def _deal_rest(
    worlds: Worlds, slots: npt.NDArray[np.intp], need: npt.NDArray[np.intp], rng: np.random.Generator
) -> None:
    """Deal the cards in `slots` to the seats that need cards, in every world of the batch.

    Card by card for all worlds at once: the chance of a seat to get the next card is the share of its places
    among the places left, which makes all ways to deal equally likely.
    """
    n, m = len(worlds), len(slots)
    seats = np.flatnonzero(need)
    if m == 0:
        return
    draws = rng.random(out=_scratch.draws[: m * n].reshape(m, n))
    draws *= np.arange(m, 0, -1)[:, None]
    places = draws.astype(np.uint8)
    # below[j]: how many of the places left belong to seats[: j + 1]
    below = np.empty((len(seats), n), dtype=np.uint8)
    below[:] = np.cumsum(need[seats])[:, None]
    taken = _scratch.taken[: m * len(seats) * n].reshape(m, len(seats), n)
    for place, row, flags in zip(places, taken, taken.view(np.bool_)):
        np.less(place, below, out=flags)
        np.subtract(below, row, out=below)
    bits = _scratch.bits[: taken.size].reshape(taken.shape)
    np.left_shift(taken, (slots % 16).astype(np.uint16)[:, None, None], out=bits)
    starts = np.searchsorted(slots, np.arange(0, 65, 16))
    for suit in range(4):
        dealt = np.bitwise_or.reduce(bits[starts[suit] : starts[suit + 1]], axis=0)
        dealt[1:] ^= dealt[:-1]  # taken by seats[: j + 1], but not by seats[:j]
        for seat, cards in zip(seats, dealt):
            worlds[:, seat, suit] |= cards


def random_deals(n: int, rng: np.random.Generator) -> Worlds:
    """Deal `n` random deals."""
    return complete_known(np.zeros((4, 4), dtype=np.uint16), n, rng)


def to_deals(worlds: Worlds) -> list[Deal]:
    """The worlds as deals."""
    return [Deal.from_array(world) for world in worlds]


def from_deals(deals: Iterable[Deal]) -> Worlds:
    """The deals as worlds."""
    return np.array([[hand.masks for hand in deal.hands] for deal in deals], dtype=np.uint16).reshape(
        -1, 4, 4
    )


def hands_of(masks: npt.NDArray[np.uint16]) -> list[Hand]:
    """The hands of one seat over a batch, uint16[n, 4 suits], as values."""
    return [Hand(tuple(row)) for row in masks.tolist()]


def _slots(masks: npt.NDArray[np.uint16]) -> npt.NDArray[np.intp]:
    """The cards of four suit masks as positions 16 * suit + rank."""
    bits = (masks[:, None] >> np.arange(16, dtype=np.uint16)) & 1
    return np.flatnonzero(bits)


def _cards_held(known: npt.NDArray[np.uint16]) -> npt.NDArray[np.intp]:
    """How many cards of each seat are known."""
    bits = (known[:, :, None] >> np.arange(13, dtype=np.uint16)) & 1
    return np.asarray(bits.sum(axis=(1, 2)), dtype=np.intp)


def _checked(known: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    known = np.asarray(known, dtype=np.uint16)
    if known.shape != (4, 4) or (known & ~np.uint16(FULL_SUIT)).any():
        raise HandError(f"known cards are suit masks of 13 bits, [4 seats, 4 suits], not {known.tolist()}")
    for seat, held in enumerate(_cards_held(known)):
        if held > 13:
            raise HandError(f"{held} cards known of seat {'NESW'[seat]}; a hand has 13")
    for suit in range(4):
        for a in range(4):
            for b in range(a):
                both = int(known[a, suit] & known[b, suit])
                if both:
                    card = SUITS[suit] + suit_text(both)[0]
                    raise HandError(f"{card} is in two hands, {'NESW'[b]} and {'NESW'[a]}")
    return known
