"""Cards, hands and deals.

A suit of a hand is a mask of 13 bits, the two in bit 0 and the ace in bit 12. Suits go S H D C everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import SEATS, Seat
from pidm.errors import HandError, check_length
from pidm.symbols import plain

SUITS = "SHDC"
"""The suits in the order of every array."""
RANKS = "23456789TJQKA"
"""The ranks in the order of the bits of a suit mask."""
FULL_SUIT = (1 << 13) - 1
"""The mask of all thirteen cards of a suit."""

LONGEST = 500
"""Characters of a text for one hand."""
_RANK_BIT = {rank: 1 << bit for bit, rank in enumerate(RANKS)}
_VOIDS = ("", "-", "--")
_PLAIN_HAND = re.compile(rf"[{RANKS}]*(?:\.[{RANKS}]*){{3}}")
"""A hand as we write it ourselves: programs do, and read it by the thousand."""


@lru_cache(maxsize=1 << 13)
def suit_text(mask: int) -> str:
    """The ranks of a suit mask, highest first; a void is empty."""
    return "".join(rank for rank in reversed(RANKS) if mask & _RANK_BIT[rank])


@lru_cache(maxsize=1 << 13)
def suit_mask(text: str) -> int:
    """The mask of a suit written as ranks, such as `AKJ6`, `ak1032`, or `-` for a void."""
    mask = 0
    text = text.strip()
    if text in _VOIDS:
        return mask
    for rank in text.upper().replace("10", "T"):
        bit = _RANK_BIT.get(rank)
        if bit is None:
            raise HandError(f"{rank!r} is no rank in suit {text!r}; expected ranks of {RANKS[::-1]}")
        if mask & bit:
            raise HandError(f"{rank} twice in suit {text!r}")
        mask |= bit
    return mask


def _suits_of(text: str) -> list[str]:
    """The four suits of a hand as people write it, still as text."""
    written = plain(text).strip()
    if any(suit in written for suit in SUITS):  # suits by letter or symbol, in any order
        parts = re.split(r"([SHDC])", written)
        if parts[0].strip():
            raise HandError(f"{parts[0].strip()!r} stands before the first suit in hand: {text}")
        found: dict[str, str] = {}
        for suit, ranks in zip(parts[1::2], parts[2::2]):
            if suit in found:
                raise HandError(f"suit {suit} twice in hand: {text}")
            found[suit] = re.sub(r"[\s.:,;=]+", "", ranks)
        return [found.get(suit, "") for suit in SUITS]
    suits = written.split(".") if "." in written else re.split(r"\s*,\s*|\s+", written)
    if len(suits) != 4:
        count = len(suits) if written else 0
        raise HandError(f"not four suits in hand: {text}; found {count}, expected as in AQJ93.AKJ6.J65.2")
    return [re.sub(r"\s+", "", suit) for suit in suits]


@dataclass(frozen=True)
class Hand:
    """Thirteen cards."""

    masks: tuple[int, int, int, int]
    """One mask of 13 bits per suit, S H D C."""

    def __post_init__(self) -> None:
        try:
            masks = tuple(map(index, self.masks))  # plain ints, also when the masks come from an array
        except TypeError:
            raise HandError(f"not four suit masks of 13 bits: {self.masks}") from None
        if len(masks) != 4 or any(mask & ~FULL_SUIT for mask in masks):
            raise HandError(f"not four suit masks of 13 bits: {self.masks}")
        cards = sum(mask.bit_count() for mask in masks)
        if cards != 13:
            raise HandError(f"{cards} cards in hand: {'.'.join(map(suit_text, masks))}")
        object.__setattr__(self, "masks", masks)

    @classmethod
    def from_str(cls, text: str) -> Hand:
        """Read a hand: `AQJ93.AKJ6.J65.2`, `♠AQJ93 ♥AKJ6 ♦J65 ♣2`, `S AQJ93 H AKJ6 D J65 C 2`; `10` is T."""
        check_length(text, LONGEST, "a hand", HandError)
        try:
            suits = text.split(".") if _PLAIN_HAND.fullmatch(text) else _suits_of(text)
            s, h, d, c = map(suit_mask, suits)
        except HandError as error:
            if text in str(error):
                raise
            raise HandError(f"{error}, in hand: {text}") from None
        cards = sum(mask.bit_count() for mask in (s, h, d, c))
        if cards != 13:
            raise HandError(f"{cards} cards in hand: {text.strip()}")
        return cls((s, h, d, c))

    @property
    def array(self) -> npt.NDArray[np.uint16]:
        """The masks as uint16[4]."""
        return np.array(self.masks, dtype=np.uint16)

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """The number of cards in each suit, S H D C."""
        s, h, d, c = self.masks
        return s.bit_count(), h.bit_count(), d.bit_count(), c.bit_count()

    @property
    def hcp(self) -> int:
        """High-card points, 4-3-2-1."""
        return sum(
            4 * (mask >> 12 & 1) + 3 * (mask >> 11 & 1) + 2 * (mask >> 10 & 1) + (mask >> 9 & 1)
            for mask in self.masks
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        from pidm.bridge import html

        return html.hand(self)

    def __str__(self) -> str:
        return ".".join(map(suit_text, self.masks))

    def __repr__(self) -> str:
        return f"Hand.from_str({str(self)!r})"


@dataclass(frozen=True)
class Deal:
    """All 52 cards, thirteen to each seat."""

    hands: tuple[Hand, Hand, Hand, Hand]
    """The hands of N E S W."""

    def __post_init__(self) -> None:
        hands = tuple(self.hands)
        for hand in hands:
            if not isinstance(hand, Hand):
                raise HandError(f"{hand!r} is no hand; Deal.from_str reads texts")
        if len(hands) != 4:
            raise HandError(f"{len(hands)} hands in deal; expected four")
        check_disjoint(hands)
        object.__setattr__(self, "hands", hands)

    @classmethod
    def from_str(cls, text: str) -> Deal:
        """Read a deal as PBN writes it, `N:... ... ... ...` clockwise from any seat.

        One hand may be left open as `-`: the other three leave it no choice.
        """
        north, east, south, west = complete_hands(partial_deal(text))
        if north is None or east is None or south is None or west is None:
            raise HandError(f"less than three hands in deal: {text}")
        return cls((north, east, south, west))

    @classmethod
    def from_array(cls, world: npt.NDArray[np.uint16]) -> Deal:
        """The deal of one world, uint16[4 seats, 4 suits]."""
        north, east, south, west = (Hand(tuple(masks)) for masks in world.tolist())
        return cls((north, east, south, west))

    @property
    def array(self) -> npt.NDArray[np.uint16]:
        """The deal as uint16[4 seats, 4 suits]."""
        return np.array([hand.masks for hand in self.hands], dtype=np.uint16)

    def __getitem__(self, seat: Seat | int) -> Hand:
        return self.hands[seat]

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def _repr_html_(self) -> str:
        """For notebooks."""
        from pidm.bridge import html

        return html.deal(self)

    def __str__(self) -> str:
        return "N:" + " ".join(map(str, self.hands))

    def __repr__(self) -> str:
        return f"Deal.from_str({str(self)!r})"


PartialDeal = tuple[Hand | None, Hand | None, Hand | None, Hand | None]
"""The hands N E S W as far as they are known."""


def partial_deal(text: str) -> PartialDeal:
    """The hands N E S W of a PBN deal of which any may be `-`, not known."""
    check_length(text, 4 * LONGEST, "a deal", HandError)
    match = re.fullmatch(r"\s*([NESWnesw])\s*:\s*(.*?)\s*", text, re.DOTALL)
    if match is None:
        raise HandError(f"no deal: {text!r}; expected a seat and four hands, N:... ... ... ...")
    words = match[2].split()
    if len(words) != 4:
        raise HandError(f"{len(words)} hands in deal: {text}; expected four")
    hands: list[Hand | None] = [None] * 4
    first = Seat.from_str(match[1])
    for turn, word in enumerate(words):
        hands[(first + turn) % 4] = None if word == "-" else Hand.from_str(word)
    check_disjoint(hands)
    return hands[0], hands[1], hands[2], hands[3]


def fourth_hand(*three: Hand) -> Hand:
    """The thirteen cards that three hands leave."""
    rest = [FULL_SUIT] * 4
    for hand in three:
        rest = [mask & ~taken for mask, taken in zip(rest, hand.masks)]
    s, h, d, c = rest
    return Hand((s, h, d, c))


def complete_hands(hands: Sequence[Hand | None]) -> PartialDeal:
    """The hands N E S W, the fourth filled in where three are known."""
    check_disjoint(hands)
    known = [hand for hand in hands if hand is not None]
    north, east, south, west = (
        fourth_hand(*known) if hand is None and len(known) == 3 else hand for hand in hands
    )
    return north, east, south, west


def check_disjoint(hands: Sequence[Hand | None]) -> None:
    """Raise a `HandError` that names the card, if two of the hands N E S W hold the same one."""
    for suit in range(4):
        seen = 0
        for seat, hand in zip(SEATS, hands):
            mask = hand.masks[suit] if hand is not None else 0
            both = seen & mask
            if both:
                other = next(s for s in SEATS if (held := hands[s]) is not None and held.masks[suit] & both)
                card = SUITS[suit] + suit_text(both)[0]
                raise HandError(f"{card} is in two hands, {other} and {seat}")
            seen |= mask
