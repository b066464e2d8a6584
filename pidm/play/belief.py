"""What a player may believe of the hidden hands after an auction, and what the calls of a system really show.

The belief of the P-BIT paper, by sampling instead of a network: deals that fit everybody's calls are drawn,
and counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import RANKS, SUITS
from pidm.bridge.worlds import Worlds
from pidm.features import Feature, HandColumns
from pidm.play.onlooker import worlds_after
from pidm.reading.table import Table

_HCP = Feature.parse("hcp")
_LENGTHS = tuple(Feature.parse(f"length({suit})") for suit in SUITS)
_SUIT_WORDS = ("spades", "hearts", "diamonds", "clubs")
BAR = 24
"""Characters of the longest bar."""


@dataclass(frozen=True, eq=False)
class SeatBelief:
    """What one hidden hand may be."""

    points: np.ndarray
    """float[38], the chance of 0, 1, ... 37 high-card points."""
    lengths: np.ndarray
    """float[4, 14], for spades, hearts, diamonds and clubs the chance of 0 to 13 cards."""
    cards: np.ndarray
    """float[4, 13], the chance of each card, by suit and rank, deuce first."""

    def card(self, name: str) -> float:
        """The chance of one card, such as `SA` or `HQ`."""
        return float(self.cards[SUITS.index(name[0]), RANKS.index(name[1])])

    @property
    def mean_points(self) -> float:
        """High-card points on average."""
        return float(self.points @ np.arange(38))

    @property
    def mean_lengths(self) -> tuple[float, ...]:
        """Cards on average, by suit."""
        return tuple(float(mean) for mean in self.lengths @ np.arange(14))

    def to_dict(self) -> dict[str, Any]:
        """As plain data: chances above nothing only."""
        return {
            "points": {str(n): round(float(p), 4) for n, p in enumerate(self.points) if p},
            "lengths": {
                suit: {str(n): round(float(p), 4) for n, p in enumerate(row) if p}
                for suit, row in zip(SUITS, self.lengths)
            },
            "cards": {
                f"{suit}{rank}": round(float(p), 4)
                for suit, row in zip(SUITS, self.cards)
                for rank, p in zip(RANKS, row)
                if p
            },
        }


@dataclass(frozen=True, eq=False)
class Belief:
    """What a player may believe of the three hidden hands."""

    seats: dict[Seat, SeatBelief]
    """By seat."""
    worlds: int
    """Deals that it is counted in."""
    consistent: float
    """The share of them that fits every call so far."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        seats = {str(seat): one.to_dict() for seat, one in self.seats.items()}
        return {"worlds": self.worlds, "consistent": round(self.consistent, 4), "seats": seats}

    def lines(self) -> Iterator[str]:
        """As text with small bars."""
        yield f"{self.worlds} deals, {self.consistent:.0%} of them fit every call"
        for seat, one in self.seats.items():
            yield f"{seat}  {one.mean_points:.1f} HCP"
            yield from _bars("HCP", one.points)
            for suit, row in zip(_SUIT_WORDS, one.lengths):
                yield from _bars(suit, row)
            yield f"    honours  {_honours(one.cards)}"


def believed(worlds: Worlds, seats: Sequence[Seat], consistent: float = 1.0) -> Belief:
    """Count the hands of these seats in a batch of deals."""
    found = {}
    for seat in seats:
        hands = worlds[:, seat]
        columns = HandColumns(hands)
        bits = (hands[:, :, None] >> np.arange(13, dtype=np.uint16)) & 1
        found[seat] = SeatBelief(
            _shares(columns.column(_HCP), 38),
            np.stack([_shares(columns.column(one), 14) for one in _LENGTHS]),
            bits.mean(axis=0) if len(hands) else np.zeros((4, 13)),
        )
    return Belief(found, len(worlds), consistent)


def _shares(values: np.ndarray, most: int) -> np.ndarray:
    counts = np.bincount(values.astype(np.intp), minlength=most)
    return np.asarray(counts / max(counts.sum(), 1))


def _bars(label: str, shares: np.ndarray) -> Iterator[str]:
    """One row for each value that is not rare."""
    shown = np.flatnonzero(shares >= 0.02)
    for place, value in enumerate(shown):
        bar = "█" * max(round(BAR * shares[value] / shares.max()), 1)
        yield f"    {label if not place else '':9}{value:3} {bar} {shares[value]:.0%}"


def _honours(cards: np.ndarray) -> str:
    """The chances of the honours that the hand may have."""
    held = [
        f"{suit}{rank} {chance:.0%}"
        for suit, row in zip(SUITS, cards)
        for rank in "AKQJ"
        if (chance := float(row[RANKS.index(rank)])) > 0
    ]
    return " ".join(held) or "none"


@dataclass(frozen=True)
class Real:
    """The hands that really make a call."""

    call: Call
    share: float
    """How often the call is made in this auction."""
    bits: float
    """How much it tells: the less often it is made, the more."""
    points: tuple[float, int, int]
    """High-card points: the mean, and what nine of ten hands have at least and at most."""
    lengths: tuple[tuple[float, int, int], ...]
    """The same of spades, hearts, diamonds and clubs."""

    def __str__(self) -> str:
        mean, low, high = self.points
        suits = ", ".join(
            f"{average:.1f} {word} ({least}-{most})"
            for word, (average, least, most) in zip(_SUIT_WORDS, self.lengths)
        )
        return f"{self.share:.1%} of hands, {self.bits:.1f} bits; {mean:.1f} HCP ({low}-{high}); {suits}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        names = ("mean", "low", "high")
        return {
            "call": str(self.call),
            "share": round(self.share, 4),
            "bits": round(self.bits, 2),
            "points": dict(zip(names, self.points)),
            "lengths": {suit: dict(zip(names, one)) for suit, one in zip(SUITS, self.lengths)},
        }


def real_hands(table: Table, auction: Auction, n: int, rng: np.random.Generator) -> dict[Call, Real]:
    """What the hands really have that make each call now, counted in deals that fit the auction so far."""
    hands = worlds_after(table, auction, n, rng, batches=max(n // 20, 12))[:, auction.actor]
    if not len(hands):
        return {}
    columns = HandColumns(hands)
    calls = table.choices(auction, columns).preferred()
    values = [columns.column(what) for what in (_HCP, *_LENGTHS)]
    found = {}
    for call in np.unique(calls[calls >= 0]):
        rows = calls == call
        spread = [_spread(value[rows]) for value in values]
        share = float(rows.mean())
        found[Call(int(call))] = Real(Call(int(call)), share, -math.log2(share), spread[0], tuple(spread[1:]))
    return found


def _spread(values: np.ndarray) -> tuple[float, int, int]:
    low, high = np.quantile(values, (0.05, 0.95), method="nearest")
    return round(float(values.mean()), 2), int(low), int(high)
