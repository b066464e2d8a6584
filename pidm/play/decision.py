"""A decision and its evidence: the call, what else was open, and what the simulation made of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Deal, Hand
from pidm.core.choices import DecidedBy
from pidm.language.rules import Rule

Question = tuple[Hand, Auction]
"""What is asked: the call for this hand after this auction."""


def question(
    hand: Hand | str,
    auction: Auction | str | Sequence[Call | str] = "",
    dealer: Seat | str | None = None,
    vul: Vul | str | None = None,
) -> Question:
    """A hand and an auction from what people type."""
    seat = Seat.from_str(dealer) if isinstance(dealer, str) else dealer
    vulnerable = Vul.from_str(vul) if isinstance(vul, str) else vul
    if isinstance(auction, Auction):
        if (seat is not None and seat != auction.dealer) or (
            vulnerable is not None and vulnerable != auction.vul
        ):
            auction = Auction(
                auction.dealer if seat is None else seat,
                auction.vul if vulnerable is None else vulnerable,
                auction.calls,
            )
    else:
        # in a list each is a call, a dash a pass
        text = auction if isinstance(auction, str) else ", ".join(str(call) for call in auction)
        auction = Auction.from_str(text, seat or Seat.N, vulnerable or Vul.None_)
    return (Hand.from_str(hand) if isinstance(hand, str) else hand), auction


@dataclass(frozen=True)
class Candidate:
    """A call that the system leaves open, with what the simulation makes of it."""

    call: Call
    rules: tuple[Rule, ...]
    """The rules that propose it; none for a default action."""
    mean: float | None = None
    """Its mean value over the worlds, in the units of the comparison (IMPs, matchpoints or points)."""
    standard_error: float | None = None
    """Of the difference to the best candidate, over the same worlds; of the mean for the best itself."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.call),
            "mean": _number(self.mean),
            "standard_error": _number(self.standard_error),
            "rules": [{"title": rule.block.title, "place": rule.place} for rule in self.rules],
        }


@dataclass(frozen=True)
class Decision:
    """A call and the evidence for it."""

    call: Call
    """The call to make."""
    by: DecidedBy
    """Who decided."""
    candidates: tuple[Candidate, ...]
    """What the system leaves open, the best first."""
    why: str
    """The reason in plain words."""
    worlds: int = 0
    """How many deals were simulated."""
    consistent: float = 1.0
    """The share of them that agrees with every call so far."""
    seconds: float = 0.0
    """Time spent."""
    instances: int = 0
    """Deals generated, rejected ones included."""
    expected: float | None = None
    """What our side scores on average in the simulated deals, in points; None without a simulation."""
    details: dict[str, Any] = field(default_factory=dict, compare=False)
    """Counters of the search."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.call),
            "by": str(self.by),
            "why": self.why,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "worlds": self.worlds,
            "consistent": self.consistent,
            "seconds": round(self.seconds, 4),
            "instances": self.instances,
            "expected": self.expected,
        }


@dataclass(frozen=True)
class BidDeal:
    """A deal bid to the end."""

    deal: Deal
    auction: Auction
    decisions: tuple[Decision, ...]
    """One for each call."""


def _number(value: float | None) -> float | None:
    """A number that JSON knows; the standard error of a single deal is not one."""
    return value if value is not None and math.isfinite(value) else None
