"""What the calls of a learned pair show, made and possible, as its model tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.models.blend import BlendedPair
from pidm.models.learned_pair import LearnedPair
from pidm.models.learned_report import Meaning, meaning
from pidm.models.learning import auction_text
from pidm.models.scout import CROWD, crowd_hands

LEAST = 0.004
"""Calls that are less likely than this are not told of."""
FEWEST = 4.0
"""With fewer hands of the crowd than this, there is nothing to tell."""


@dataclass(frozen=True)
class Told:
    """What one call shows."""

    seat: Seat
    """Who makes it."""
    meaning: Meaning
    """What the hands have that make it; nine in ten are within the ranges."""
    chance: float
    """How likely it is, for a hand that has called like this so far."""
    seen: int
    """How often the records have the auction before it; 0 if hardly ever."""

    def __str__(self) -> str:
        return f"{self.meaning} ({self.chance:.0%})" if self.chance >= 0.01 else f"{self.meaning} (<1%)"

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.meaning.call),
            "seat": str(self.seat),
            "shows": self.meaning.shows,
            "points": list(self.meaning.points),
            "lengths": [list(one) for one in self.meaning.lengths],
            "balanced": round(self.meaning.balanced, 3),
            "chance": round(self.chance, 4),
            "seen": self.seen,
        }


@dataclass(frozen=True)
class CallMeanings:
    """What the calls of an auction show."""

    made: tuple[Told, ...]
    """Those of the auction, in order."""
    possible: tuple[Told, ...]
    """Those that may follow, the likeliest first."""

    def lines(self) -> list[str]:
        """As text."""
        found = [f"{told.seat}  {told}" for told in self.made]
        if self.possible:
            found += ["", f"{self.possible[0].seat} to call:", *(f"   {told}" for told in self.possible)]
        return found

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "made": [told.to_dict() for told in self.made],
            "possible": [told.to_dict() for told in self.possible],
        }


def told(model: LearnedPair | BlendedPair, auction: Auction, call: Call | None = None) -> list[Told]:
    """What the calls of the player to call would show, or one of them; the likeliest first."""
    rows, weights = model.crowd(auction, auction.actor)
    if weights.sum() ** 2 < FEWEST * (weights**2).sum():  # nobody bids like this: take all hands
        rows, weights = np.arange(CROWD), np.ones(CROWD)
    masks = crowd_hands()[rows]
    chances = model.probabilities(auction, masks) * weights[:, None]
    shares = chances.sum(axis=0) / weights.sum()
    wanted = [int(call)] if call is not None else np.flatnonzero(shares >= LEAST).tolist()
    seen = model.origin.seen.get(auction_text(auction), 0)
    found = [
        Told(auction.actor, meaning(one, masks, chances[:, one].astype(float)), float(shares[one]), seen)
        for one in wanted
        if chances[:, one].sum() > 0
    ]
    return sorted(found, key=lambda one: -one.chance)


def explain(model: LearnedPair | BlendedPair, auction: Auction) -> CallMeanings:
    """What the calls of an auction show when all four bid like this pair, and what may follow."""
    made = []
    for place, call in enumerate(auction.calls):
        made += told(model, Auction(auction.dealer, auction.vul, auction.calls[:place]), call)
    return CallMeanings(tuple(made), () if auction.over else tuple(told(model, auction)))
