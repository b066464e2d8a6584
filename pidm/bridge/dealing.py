"""Deals of the hidden hands that fit what each has shown in lengths and points, without waste or bias.

Plain dealing throws nearly everything away after a few calls. Here a proposal is built so that it fits by
construction where that is cheap, and is rejected whole where it is not, so that every deal within the bounds
stays equally likely:

1. The lengths of all hidden hands in all suits, from exact counts of the deals behind each split of a suit.
   Spades and hearts are joined to one table by the cards that they take from each hand, diamonds and clubs to
   another; a draw picks the totals of the first, which fix those of the second, then a pair of splits in
   each.
2. The honours of each suit, given its split, from exact counts. Points outside the bounds reject the whole
   proposal. Where the bounds lie far from what the hands would have on average, honours are drawn with a tilt
   towards them, and the acceptance takes the tilt back.
3. The spot cards of each suit, from a table of all ways to share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt

from pidm.bridge.cards import FULL_SUIT
from pidm.bridge.suit_table import BELOW_ONE, FIELD, Span, SuitTable, honour_points, suit_table
from pidm.bridge.worlds import Worlds
from pidm.errors import HandError
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp

_MAX_TILT = 1.0
_CHUNK = 8192
"""Proposals made at once: enough for numpy to be busy, few enough to stay in the cache."""


@dataclass(frozen=True)
class Shown:
    """What one hand has shown."""

    hcp: Span = (0, 37)
    """High-card points."""
    lengths: tuple[Span, Span, Span, Span] = ((0, 13), (0, 13), (0, 13), (0, 13))
    """Cards in each suit, S H D C."""
    suit_hcp: tuple[Span, Span, Span, Span] = ((0, 10), (0, 10), (0, 10), (0, 10))
    """High-card points in each suit, S H D C."""
    balanced: bool | None = None
    """Whether the hand is 4333, 4432 or 5332; None if that is open."""

    def holds(self, masks: npt.NDArray[np.uint16]) -> npt.NDArray[np.bool_]:
        """Which of these hands, uint16[n, 4 suits], fit."""
        lengths, points = _LENGTH[masks], _POINTS[masks]
        total = points.sum(axis=1, dtype=np.int16)
        fits = (total >= self.hcp[0]) & (total <= self.hcp[1])
        for values, bounds in ((lengths, self.lengths), (points, self.suit_hcp)):
            low, high = np.array(bounds).T
            fits &= ((values >= low) & (values <= high)).all(axis=1)
        if self.balanced is not None:
            fits &= _balanced(lengths) == self.balanced
        return cast("npt.NDArray[np.bool_]", fits)


ANYTHING = Shown()
"""Nothing shown yet."""


class ShownDealer:
    """Deals the hidden hands uniformly among all deals that fit what they have shown.

    `proposals` and `accepted` count what has been drawn and kept so far.
    """

    def __init__(self, known: npt.NDArray[np.uint16], shown: Sequence[Shown | None]) -> None:
        """Prepare to deal around known hands, uint16[4 seats, 4 suits]; the row of a hidden hand is all zero.

        `shown` has an entry for every seat; those of known hands are not looked at.
        """
        self.known = _checked(known)
        self.hidden: tuple[int, ...] = tuple(np.flatnonzero(~self.known.any(axis=1)).tolist())
        """The seats that are dealt to."""
        self.shown = tuple(shown[seat] or ANYTHING for seat in self.hidden)
        """What each of them has shown."""
        self.proposals = 0
        self.accepted = 0
        unseen = (np.bitwise_or.reduce(self.known, axis=0) ^ FULL_SUIT).tolist()
        points = sum(honour_points(unseen))
        low = [max(one.hcp[0], 0) for one in self.shown]
        high = [min(one.hcp[1], points) for one in self.shown]
        self._low, self._high = np.array(low), np.array(high)
        self._bounded = any(lo > 0 or hi < points for lo, hi in zip(low, high))
        self._tilt, self._floor = (0.0,) * len(low), 0.0
        self.possible = sum(low) <= points <= sum(high) and all(lo <= hi for lo, hi in zip(low, high))
        """False if no deal can fit. When True, points may still turn out to be out of reach."""
        if not self.possible or not self.hidden:
            return
        if self._bounded:
            self._tilt = _tilt_towards(low, high, unseen)
            self._floor = _least_tilt(self._tilt, low, high, points)
        self._suits = [
            suit_table(
                mask,
                tuple(_length_bounds(one, suit) for one in self.shown),
                tuple(one.suit_hcp[suit] for one in self.shown),
                self._tilt,
            )
            for suit, mask in enumerate(unseen)
        ]
        self._lengths = _join(_pair(*self._suits[:2]), _pair(*self._suits[2:]), len(self.hidden))
        self.possible = self._lengths is not None

    def deal(self, n: int, rng: np.random.Generator, most: int = 400_000) -> Worlds:
        """Deal `n` worlds, or fewer when `most` proposals did not give so many; none if it is impossible."""
        parts: list[Worlds] = []
        got = spent = 0
        while self.possible and got < n and spent < most:
            # The rate starts as a guess of one in two and follows what is seen.
            rate = (got + 1) / (spent + 2)
            wanted = min(max(int(1.1 * (n - got) / rate) + 32, 256), _CHUNK, most - spent)
            worlds = self.propose(wanted, rng)
            parts.append(worlds)
            got += len(worlds)
            spent += wanted
        if not parts:
            return np.empty((0, 4, 4), dtype=np.uint16)
        return parts[0][:n] if len(parts) == 1 else np.concatenate(parts)[:n]

    def propose(self, n: int, rng: np.random.Generator) -> Worlds:
        """Draw `n` proposals and keep those that fit."""
        if not self.possible:
            return np.empty((0, 4, 4), dtype=np.uint16)
        self.proposals += n
        if not self.hidden:
            self.accepted += n
            return np.repeat(self.known[None], n, axis=0)
        splits = self._draw_lengths(n, rng)
        patterns, splits = self._draw_honours(splits, rng)
        kept = len(splits[0])
        self.accepted += kept
        worlds = np.empty((kept, 4, 4), dtype=np.uint16)
        worlds[:] = self.known
        for suit, table in enumerate(self._suits):
            held = table.cards(splits[suit], patterns[suit], rng)
            for hand, seat in enumerate(self.hidden):
                worlds[:, seat, suit] = held[:, hand]
        return worlds

    def _draw_lengths(self, n: int, rng: np.random.Generator) -> list[npt.NDArray[np.intp]]:
        """How each suit is split, as rows of its table."""
        assert self._lengths is not None
        splits = self._lengths.draw(n, rng)
        for hand, one in enumerate(self.shown):
            if one.balanced is not None:
                lengths = [table.lengths[split, hand] for table, split in zip(self._suits, splits)]
                keep = np.flatnonzero(_balanced(np.stack(lengths, axis=1)) == one.balanced)
                splits = [split[keep] for split in splits]
        return splits

    def _draw_honours(
        self, splits: list[npt.NDArray[np.intp]], rng: np.random.Generator
    ) -> tuple[list[npt.NDArray[np.intp]], list[npt.NDArray[np.intp]]]:
        """Who gets the honours, as rows of the tables; and the splits, both only where the points fit."""
        patterns = [table.draw(split, rng) for table, split in zip(self._suits, splits)]
        if not self._bounded:
            return patterns, splits
        packed = sum(table.points[pattern] for table, pattern in zip(self._suits, patterns))
        fits = np.ones(len(splits[0]), dtype=np.bool_)
        tilt = np.full(len(fits), -self._floor)
        for hand, factor in enumerate(self._tilt):
            points = packed >> FIELD * hand & 0xFF
            fits &= (points >= self._low[hand]) & (points <= self._high[hand])
            if factor:
                tilt += factor * points
        keep = np.flatnonzero(fits)
        if any(self._tilt):
            keep = keep[rng.random(len(keep)) < np.exp(-tilt[keep])]
        return [pattern[keep] for pattern in patterns], [split[keep] for split in splits]


@lru_cache(maxsize=64)
def _cached_dealer(known: bytes, shown: tuple[Shown | None, ...]) -> ShownDealer:
    return ShownDealer(np.frombuffer(known, dtype=np.uint16).reshape(4, 4), shown)


def shown_dealer(known: npt.NDArray[np.uint16], shown: Sequence[Shown | None]) -> ShownDealer:
    """The dealer of these known hands and bounds; the same question gets the same one, already prepared."""
    return _cached_dealer(np.asarray(known, dtype=np.uint16).tobytes(), tuple(shown))


# The lengths of all suits together.


@dataclass(frozen=True)
class _PairTable:
    """Two suits: all pairs of their splits, sorted by the cards that they take from each hand."""

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    """The rows of the two suit tables."""
    keys: npt.NDArray[np.int64]
    """The cards taken from each hand but the last, as one number; each occurring number once."""
    sizes: npt.NDArray[np.float64]
    """The deals behind each key."""
    cumulative: npt.NDArray[np.float64]
    """The keys one after another, each one long and divided among its pairs."""


@dataclass(frozen=True)
class _LengthTable:
    """All four suits: the totals that fit together, and the pairs behind them."""

    cumulative: npt.NDArray[np.float64]
    """The deals behind the totals so far."""
    halves: tuple[tuple[_PairTable, npt.NDArray[np.intp]], ...]
    """The pairs of S H and of D C, and which of their keys belongs to each total."""

    def draw(self, n: int, rng: np.random.Generator) -> list[npt.NDArray[np.intp]]:
        """Draw the splits of S H D C as rows of the suit tables."""
        total = np.searchsorted(self.cumulative, rng.random(n) * self.cumulative[-1], side="right")
        np.minimum(total, len(self.cumulative) - 1, out=total)
        splits = []
        for pairs, key in self.halves:
            at = np.searchsorted(pairs.cumulative, key[total] + rng.random(n) * BELOW_ONE, side="right")
            splits += [pairs.first[at], pairs.second[at]]
        return splits


def _pair(a: SuitTable, b: SuitTable) -> _PairTable | None:
    """Join two suits; None if no splits fit together."""
    hands = a.lengths.shape[1]
    radix = 14 ** np.arange(hands - 1)
    # The cards of all hands in one integer, each with room to show by its highest bit that they are too many.
    room = 1 << FIELD * np.arange(hands)
    too_many = int(room.sum()) << FIELD - 1
    most = 13 * int(room.sum())
    taken = (a.lengths @ room + (too_many - most - int(room.sum())))[:, None] + b.lengths @ room
    first, second = np.nonzero(taken & too_many == 0)
    if not len(first):
        return None
    key = (a.lengths[:, :-1] @ radix)[first] + (b.lengths[:, :-1] @ radix)[second]
    order = np.argsort(key.astype(np.int16), kind="stable")  # numpy sorts short integers by radix
    first, second, key = first[order], second[order], key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    weight = a.weight[first] * b.weight[second]
    sizes = np.add.reduceat(weight, starts)
    ends = np.append(starts[1:], len(key))
    # Divided before they are summed: keys differ by many orders of magnitude.
    cumulative = np.cumsum(weight / np.repeat(sizes, ends - starts))
    cumulative[ends - 1] = np.arange(1, len(starts) + 1)
    return _PairTable(first, second, key[starts], sizes, cumulative)


def _join(a: _PairTable | None, b: _PairTable | None, hands: int) -> _LengthTable | None:
    """Join both pairs of suits; None if no totals fit together."""
    if a is None or b is None:
        return None
    all_cards = 13 * int((14 ** np.arange(hands - 1)).sum())
    _, at_a, at_b = np.intersect1d(a.keys, all_cards - b.keys, assume_unique=True, return_indices=True)
    if not len(at_a):
        return None
    return _LengthTable(np.cumsum(a.sizes[at_a] * b.sizes[at_b]), ((a, at_a), (b, at_b)))


# Points.


def _tilt_towards(low: list[int], high: list[int], unseen: list[int]) -> tuple[float, ...]:
    """How strongly each hand's points should be favoured, per point.

    Honours placed at random have points of covariance v (1 - 1 / hands) on the diagonal and -v / hands beside
    it, so that a tilt of (wanted - expected) / v moves the expectation to where it is wanted.
    """
    hands = len(low)
    honours = honour_points(unseen)
    points = sum(honours)
    share = points / hands
    wanted = np.clip(share, low, high)
    room = points - wanted.sum()
    # Hands that can move make up for those that had to.
    free = (np.array(high) - wanted if room > 0 else wanted - np.array(low)).clip(0)
    if free.sum():
        wanted += room * free / free.sum()
    spread = sum(point * point for point in honours) / hands
    tilt = (wanted - share) / max(spread, 1.0)
    tilt -= tilt[np.argmin(np.abs(tilt))]
    # Eighths: near enough, and hands alike share their tables.
    return tuple((np.rint(tilt.clip(-_MAX_TILT, _MAX_TILT) * 8) / 8).tolist())


def _least_tilt(tilt: Sequence[float], low: list[int], high: list[int], points: int) -> float:
    """The least that the tilt can add up to within the bounds: such deals are always accepted."""
    given, left = list(low), points - sum(low)
    for hand in sorted(range(len(tilt)), key=lambda hand: tilt[hand]):
        extra = min(high[hand] - low[hand], left)
        given[hand] += extra
        left -= extra
    return sum(factor * held for factor, held in zip(tilt, given))


# Small things.


def _length_bounds(one: Shown, suit: int) -> Span:
    low, high = one.lengths[suit]
    return (max(low, 2), min(high, 5)) if one.balanced else (low, high)


def _balanced(lengths: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Whether hands of these lengths, [n, 4 suits], are 4333, 4432 or 5332."""
    return cast("npt.NDArray[np.bool_]", (lengths >= 2).all(axis=1) & ((lengths == 2).sum(axis=1) <= 1))


def _checked(known: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    known = np.asarray(known, dtype=np.uint16)
    if known.shape != (4, 4):
        raise HandError(f"known hands are suit masks, [4 seats, 4 suits], not {known.shape}")
    cards = _LENGTH[known].sum(axis=1)
    for seat in np.flatnonzero((cards != 0) & (cards != 13)):
        raise HandError(f"{cards[seat]} cards known of seat {'NESW'[seat]}; expected a whole hand or none")
    if _LENGTH[np.bitwise_or.reduce(known, axis=0)].sum() != cards.sum():
        raise HandError("two of the known hands hold the same card")
    return known


_LENGTH = CARDS.length
_POINTS = hcp(CARDS)
