"""Hands as numbers for a learned model: cards, lengths, points, and what is held in the suits that were bid.

All that speaks of one suit is a table of 8,192 rows, one per holding, so that a hand is four gathers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pidm.features.cards import CARDS, HOLDINGS, RANKS

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.uint16]

LENGTHS = np.arange(1, 9)
POINTS = np.arange(3, 23)
"""Steps of length and of points: a network cuts there easily."""

_length = CARDS.length.astype(np.int8)
_hcp = np.stack([value * CARDS.has(rank) for rank, value in zip("AKQJ", (4, 3, 2, 1))]).sum(axis=0)
HCP = _hcp.astype(np.int16)
"""High-card points of every holding, int16[8192]."""
_controls = 2 * CARDS.has("A").astype(np.int8) + CARDS.has("K")
_honours = CARDS.count("AKQJT")
_losers = np.minimum(_length, 3) - sum(
    (CARDS.has(rank) > 0) & (_length >= least) for rank, least in (("A", 1), ("K", 2), ("Q", 3))
)


def _holding_table() -> Floats:
    cards = np.stack([CARDS.has(rank) for rank in reversed(RANKS)], axis=1)
    lengths = _length[:, None] >= LENGTHS
    scaled = np.stack([_length / 4, _hcp / 5, _honours / 3], axis=1)
    return np.concatenate([cards, lengths, scaled], axis=1, dtype=np.float32)


def _suit_table() -> Floats:
    """A holding in a suit that somebody bid; the last row is for no suit."""
    columns = [_length / 4, _hcp / 5, *(_length == n for n in range(5)), _length >= 5, _controls > 0]
    return np.concatenate([np.stack(columns, axis=1), np.zeros((1, 9))], dtype=np.float32)


_HOLDING, _SUIT = _holding_table(), _suit_table()
_NUMBERS = np.stack([_length, _hcp, _controls, _losers]).astype(np.int8)


def hand_inputs(masks: Masks) -> Floats:
    """float32[n, HAND], what a hand is by itself; masks uint16[n, 4]."""
    lengths, hcp, controls, losers = (table[masks] for table in _NUMBERS)
    points = hcp.sum(axis=1, dtype=np.int16)[:, None]
    ordered = -np.sort(-lengths, axis=1)
    balanced = (ordered[:, 3:] >= 2) & (ordered[:, :1] <= 5)
    return np.concatenate(
        [
            _HOLDING[masks].reshape(len(masks), 4 * _HOLDING.shape[1]),
            points >= POINTS,
            points / 10,
            controls.sum(axis=1)[:, None] / 4,
            losers.sum(axis=1)[:, None] / 7,
            ordered / 5,
            (points + ordered[:, :1] + ordered[:, 1:2]) / 20,
            balanced,
            lengths[:, :1] >= lengths[:, 1:2],
            lengths[:, 2:3] >= lengths[:, 3:4],
        ],
        axis=1,
        dtype=np.float32,
    )


def suit_inputs(masks: Masks, suits: npt.NDArray[np.intp]) -> Floats:
    """float32[n, SUITS], what a hand holds in the last suits of partner, me, right and left.

    `suits` as in `Context`: intp[4] for all hands, or intp[n, 4].
    """
    given = np.broadcast_to(suits, (len(masks), 4))
    held = np.where(given >= 0, np.take_along_axis(masks, np.maximum(given, 0), axis=1), HOLDINGS)
    lengths, hcp = _NUMBERS[0][masks], _NUMBERS[1][masks]
    points = hcp.sum(axis=1, dtype=np.float32)
    support = np.where(given[:, 0] >= 0, np.take_along_axis(lengths, np.maximum(given[:, :1], 0), 1)[:, 0], 0)
    fits = support >= 3
    shortness = (3 - np.minimum(lengths, 3)).sum(axis=1)
    extra = np.stack([points + fits * shortness, points * fits, points * ~fits], axis=1) / 10
    return np.concatenate(
        [_SUIT[held].reshape(len(masks), 4 * _SUIT.shape[1]), extra], axis=1, dtype=np.float32
    )


_NONE = np.zeros((1, 4), np.uint16)
HAND = hand_inputs(_NONE).shape[1]
"""Numbers that describe a hand by itself."""
SUITS = suit_inputs(_NONE, np.full(4, -1)).shape[1]
"""Numbers that describe what it holds in the suits that were bid."""
