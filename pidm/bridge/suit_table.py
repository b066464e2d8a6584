"""How one suit may lie among hidden hands: its splits, the honours in each, and the spot cards.

A *pattern* is a way to share the unseen honours among the hidden hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import factorial
from typing import cast

import numpy as np
import numpy.typing as npt

Span = tuple[int, int]
"""The least and the most, both included."""

FIELD = 8
"""Points and cards of several hands are counted in one integer, this many bits to a hand."""
BELOW_ONE = 1 - 2.0**-40
"""Keeps a draw below one below one after a row number has been added to it."""
_FACTORIALS = np.array([float(factorial(i)) for i in range(14)])
_SPOTS = 9
"""The cards of a suit below the jack."""
_SPOT_MASK = (1 << _SPOTS) - 1
_HONOUR_POINTS = (1, 2, 3, 4)
"""Points of J Q K A, the honours in the order of their bits."""


def honour_points(unseen: Iterable[int]) -> list[int]:
    """The points of every honour among unseen cards, given as a mask for each suit."""
    return [_HONOUR_POINTS[i] for mask in unseen for i in range(4) if mask >> _SPOTS + i & 1]


@dataclass(frozen=True, eq=False)
class SuitTable:
    """The splits of a suit that the bounds allow, and the honours in each."""

    lengths: npt.NDArray[np.int64]
    """The splits: cards of each hidden hand, [splits, hands]."""
    weight: npt.NDArray[np.float64]
    """How many deals of the suit are behind each split, tilted."""
    spots: npt.NDArray[np.int64]
    """Where the ways to share the spot cards start in the table of them, by split and pattern."""
    ways: npt.NDArray[np.int64]
    """How many ways there are, by split and pattern."""
    cumulative: npt.NDArray[np.float64]
    """The splits one after another, each one long and divided among the patterns; flat."""
    points: npt.NDArray[np.int64]
    """The points of each pattern, all hands in one integer."""
    honours: npt.NDArray[np.uint16]
    """The honours of each hand by pattern, as masks."""
    shares: npt.NDArray[np.uint16]
    """All ways to share the spot cards, as masks [ways, hands]."""

    def draw(self, split: npt.NDArray[np.intp], rng: np.random.Generator) -> npt.NDArray[np.intp]:
        """A pattern for each split."""
        patterns = len(self.points)
        if patterns == 1:
            return np.zeros(len(split), dtype=np.intp)
        at = np.searchsorted(self.cumulative, split + rng.random(len(split)) * BELOW_ONE, side="right")
        at -= split * patterns
        return at

    def cards(
        self, split: npt.NDArray[np.intp], pattern: npt.NDArray[np.intp], rng: np.random.Generator
    ) -> npt.NDArray[np.uint16]:
        """The masks of the hidden hands, [n, hands], with spot cards at random."""
        cell = split * len(self.points) + pattern
        way = self.spots[cell] + (rng.random(len(split)) * self.ways[cell]).astype(np.int64)
        held: npt.NDArray[np.uint16] = self.shares[way] | self.honours[pattern]
        return held


def suit_table(
    unseen: int, lengths: tuple[Span, ...], points: tuple[Span, ...], tilt: tuple[float, ...]
) -> SuitTable:
    """The table of a suit of which the hidden hands hold the cards `unseen` under these bounds."""
    # Which spot cards they are tells only what is dealt in the end.
    known = _without_spots(unseen >> _SPOTS, unseen.bit_count(), lengths, points, tilt)
    return replace(known, shares=_shares(len(lengths), unseen & _SPOT_MASK))


@lru_cache(maxsize=1024)
def _without_spots(
    honours: int,
    count: int,
    lengths: tuple[Span, ...],
    points: tuple[Span, ...],
    tilt: tuple[float, ...],
) -> SuitTable:
    """The table of a suit of so many unseen cards with these honours, but for the spot cards: no shares."""
    hands = len(lengths)
    base = _counts(hands, count, honours.bit_count())
    low, high = np.array(lengths).T
    rows = np.flatnonzero(((base.lengths >= low) & (base.lengths <= high)).all(axis=1))
    pattern_points, masks, packed = _patterns(hands, honours)
    weights = base.ways[rows]
    factor = np.exp(pattern_points @ np.array(tilt))
    least, greatest = np.array(points).T
    factor[~((pattern_points >= least) & (pattern_points <= greatest)).all(axis=1)] = 0.0
    weights = weights * factor
    total = weights.sum(axis=1)
    alive = np.flatnonzero(total)
    rows, weights, total = rows[alive], weights[alive], total[alive]
    cumulative = np.cumsum(weights, axis=1)
    cumulative /= cumulative[:, -1:]  # ends at exactly 1, so that a draw below 1 stays in its row
    cumulative += np.arange(len(rows))[:, None]
    return SuitTable(
        base.lengths[rows],
        total,
        base.starts[rows].ravel(),
        base.ways[rows].astype(np.int64).ravel(),
        cumulative.ravel(),
        packed,
        masks,
        shares=np.empty(0, dtype=np.uint16),
    )


@dataclass(frozen=True)
class _Counts:
    """The splits of a suit before any bounds."""

    lengths: npt.NDArray[np.int64]
    """[splits, hands]."""
    ways: npt.NDArray[np.float64]
    """How many ways there are to share the spot cards, [splits, patterns]."""
    starts: npt.NDArray[np.int64]
    """Where those ways start in the table of them, [splits, patterns]."""


@lru_cache(maxsize=256)
def _counts(hands: int, cards: int, honours: int) -> _Counts:
    """All splits of so many unseen cards, of which so many are honours."""
    grid = np.array(list(product(range(cards + 1), repeat=hands - 1)), dtype=np.int64)
    grid = grid[grid.sum(axis=1) <= cards]
    lengths = np.column_stack([grid, cards - grid.sum(axis=1)])
    held = _digits(hands, honours)
    held = np.stack([(held == hand).sum(axis=1) for hand in range(hands)], axis=1)
    rest = lengths[:, None, :] - held[None]
    fits = (rest >= 0).all(axis=2)
    rest = rest.clip(0, _SPOTS)
    ways = np.where(fits, _FACTORIALS[cards - honours] / _FACTORIALS[rest].prod(axis=2), 0.0)
    starts = np.where(fits, _share_starts(hands, cards - honours)[_packed(rest)], 0)
    return _Counts(lengths, np.rint(ways), starts)


def _digits(hands: int, cards: int) -> npt.NDArray[np.int64]:
    """All ways to share some cards: who gets each of them, [hands ** cards, cards]."""
    return np.arange(hands**cards)[:, None] // hands ** np.arange(cards) % hands


def _packed(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Counts of up to 9 cards of each hand, in the last axis, as one number."""
    return cast("npt.NDArray[np.int64]", counts @ 10 ** np.arange(counts.shape[-1]))


@lru_cache(maxsize=128)
def _patterns(
    hands: int, honours: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """The ways to share the honours of a mask of J Q K A: points by hand, masks by hand, points packed."""
    bits = [bit for bit in range(4) if honours >> bit & 1]
    owner = _digits(hands, len(bits))
    points = np.zeros((len(owner), hands), dtype=np.int64)
    masks = np.zeros((len(owner), hands), dtype=np.uint16)
    for card, bit in enumerate(bits):
        for hand in range(hands):
            here = owner[:, card] == hand
            points[:, hand] += here * _HONOUR_POINTS[bit]
            masks[:, hand] |= (here << (_SPOTS + bit)).astype(np.uint16)
    return points, masks, points @ (1 << FIELD * np.arange(hands))


@lru_cache(maxsize=64)
def _sorted_shares(hands: int, cards: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """All ways to share some spot cards, sorted by how many each hand gets: masks, and the numbers packed."""
    owner = _digits(hands, cards)
    masks = np.stack([(owner == hand) @ (1 << np.arange(cards)) for hand in range(hands)], axis=1)
    key = _packed(np.stack([(owner == hand).sum(axis=1) for hand in range(hands)], axis=1))
    order = np.argsort(key, kind="stable")
    return masks[order].astype(np.uint16), key[order]


@lru_cache(maxsize=64)
def _share_starts(hands: int, cards: int) -> npt.NDArray[np.int64]:
    """Where the ways that give these numbers of spot cards start, by the numbers packed."""
    _, key = _sorted_shares(hands, cards)
    return np.searchsorted(key, np.arange(10**hands))


@lru_cache(maxsize=1024)
def _shares(hands: int, spots: int) -> npt.NDArray[np.uint16]:
    """All ways to share the cards of a mask, sorted by how many each hand gets, [ways, hands]."""
    bits = [bit for bit in range(_SPOTS) if spots >> bit & 1]
    masks, _ = _sorted_shares(hands, len(bits))
    spread = np.zeros(1 << len(bits), dtype=np.uint16)
    for card, bit in enumerate(bits):
        spread |= ((np.arange(len(spread)) >> card & 1) << bit).astype(np.uint16)
    return spread[masks]
