"""A decision and its evidence: the call, what else was open, and what the simulation made of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from pidm.authoring.explain import title_of
from pidm.authoring.fit import Fit, fit
from pidm.bridge import html
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Deal, Hand
from pidm.core.choices import DecidedBy
from pidm.errors import PidmError
from pidm.features import HandColumns
from pidm.language.rules import Rule
from pidm.reading.situation import Situation

TEMPERATURE = 8.0
"""Of a posterior: so many IMPs, divided by the root of the number of deals, make a call e times likelier."""
STRAY = 0.2
"""Of a posterior: the prior share of calls beside the system."""

Question = tuple[Hand, Auction]
"""What is asked: the call for this hand after this auction."""


def auction_of(calls: str | Sequence[Call | str], dealer: Seat = Seat.N, vul: Vul = Vul.None_) -> Auction:
    """An auction from a text, or from a list in which each is a call and a dash a pass."""
    if isinstance(calls, str):
        return Auction.from_str(calls, dealer, vul)
    return Auction.from_calls(calls, dealer, vul)


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
        auction = auction_of(auction, seat or Seat.N, vulnerable or Vul.None_)
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
    lessons: int = 0
    """Examples of training behind it; 0 if it was not learned."""

    @cached_property
    def places(self) -> dict[str, str]:
        """The lines of system files that propose it, with what each is about."""
        return {rule.place: title_of(rule) for rule in self.rules}

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.call),
            "mean": _number(self.mean),
            "standard_error": _number(self.standard_error),
            "rules": [{"title": title, "place": place} for place, title in self.places.items()],
        }


@dataclass(frozen=True)
class Ending:
    """How a candidate ended in a simulated deal."""

    call: Call
    auction: Auction
    """Bid to the end, as far as the limit allowed."""
    score: float
    """What our side scores there by the utility, in points."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.call),
            "auction": [str(call) for call in self.auction.calls],
            "contract": None if self.auction.contract is None else str(self.auction.contract),
            "score": round(self.score),
        }


@dataclass(frozen=True)
class SimulatedDeal:
    """One of the deals of a simulation."""

    deal: Deal
    endings: tuple[Ending, ...]
    """One a candidate, the call made first."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"deal": str(self.deal), "endings": [one.to_dict() for one in self.endings]}


@dataclass(frozen=True)
class Decision:
    """A call and the evidence for it."""

    call: Call
    """The call to make."""
    by: DecidedBy
    """Who decided."""
    candidates: tuple[Candidate, ...]
    """What was weighed, the best first."""
    reason: str | Callable[[], str] = field(repr=False, compare=False)
    """`why`, or what tells it: to find the words takes longer than to decide, and few are read."""
    hand: Hand
    """The hand that was asked about."""
    auction: Auction
    """The auction before the call."""
    situation: Situation = field(repr=False, compare=False)
    """What the auction has shown."""
    columns: HandColumns = field(repr=False, compare=False)
    """The features of the hand."""
    system: tuple[Candidate, ...] = ()
    """What the system itself leaves open to this hand, its own call first."""
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
    believed: float | None = None
    """What the call is to be taken to gain on the system's own, if a simulation has departed from it: less
    than the candidates' means say, because the best of them was lucky and no player is quite as modelled."""
    deals: tuple[SimulatedDeal, ...] = ()
    """Two or three of the simulated deals: one where the call does badly, a typical one, one where it does
    well, compared with the next best."""
    details: dict[str, Any] = field(default_factory=dict, compare=False)
    """Counters of the search."""

    @classmethod
    def of(cls, told: dict[str, Any]) -> Decision:
        """The same as `Decision(**told)`. To set the fields of frozen data one by one takes longer than to
        decide by a rule."""
        decision = object.__new__(cls)
        decision.__dict__.update({**_UNTOLD, "details": {}, **told})
        return decision

    @cached_property
    def why(self) -> str:
        """The reason in plain words: what the system says, what was weighed, what it is worth."""
        return self.reason if isinstance(self.reason, str) else self.reason()

    @property
    def system_call(self) -> Call | None:
        """The system's own call with this hand; None if no rule speaks of it."""
        return self.system[0].call if self.system and self.system[0].rules else None

    @property
    def departs(self) -> bool:
        """Does the call depart from what the system leaves open?"""
        return self.call not in {candidate.call for candidate in self.system}

    def posterior(
        self, temperature: float = TEMPERATURE, top: int | None = None, stray: float = STRAY
    ) -> dict[Call, float]:
        """How likely a player who trusts the system and the simulation makes each call; the likeliest first.

        The soft update of Lockhart et al. (2020), algorithm 2: the prior, times exp(V / (t sqrt(R))) for the
        value of a call in R simulated deals. The prior is shared by what the system leaves open, and a share
        of `stray` by the calls in its neighbourhood that were weighed too. `top` keeps that many of the
        likeliest a priori. Without a simulation it is the prior.
        """
        if temperature <= 0 or not 0 <= stray < 1 or (top is not None and top < 1):
            raise PidmError(
                f"temperature {temperature}, stray {stray}, top {top}: expected a temperature above 0, "
                "a share from 0 and below 1, and at least one call"
            )
        known = [one for one in self.candidates if one.mean is not None] or list(self.candidates)
        agreed = {one.call for one in self.system}
        prior = _prior([one.call in agreed for one in known], stray)
        kept = np.argsort(-prior, kind="stable")[:top]
        # V is a sum over the deals in the paper, so V / sqrt(R) is the mean times sqrt(R).
        values = np.array([known[k].mean or 0.0 for k in kept]) * math.sqrt(max(self.worlds, 1)) / temperature
        chances = prior[kept] * np.exp(values - values.max())
        chances /= chances.sum()
        order = np.argsort(-chances, kind="stable")
        return {known[kept[k]].call: float(chances[k]) for k in order}

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            (
                html.call(one.call),
                "" if one.mean is None else f"{one.mean:+.2f} ±{one.standard_error or 0.0:.2f}",
                escape("; ".join(one.places.values())),
            )
            for one in self.candidates
        ]
        asked = f"{html.hand(self.hand)} after {escape(str(self.auction) or 'nothing')}"
        weighed = html.table(("call", "worth", "by"), rows) if len(rows) > 1 else ""
        return f"<p>{asked}: <b>{html.call(self.call)}</b></p><p>{escape(self.why)}</p>{weighed}"

    @cached_property
    def fit(self) -> Fit:
        """What the call shows, and whether the hand fits it."""
        return fit(self.situation, self.call, self.columns)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.call),
            "by": str(self.by),
            "why": self.why,
            "hand": str(self.hand),
            "auction": [str(call) for call in self.auction.calls],
            "dealer": str(self.auction.dealer),
            "vul": str(self.auction.vul),
            "system": None if self.system_call is None else str(self.system_call),
            "shows": self.fit.shows,
            "fits": self.fit.fits,
            "outside": self.fit.outside,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "worlds": self.worlds,
            "consistent": self.consistent,
            "seconds": round(self.seconds, 4),
            "instances": self.instances,
            "expected": self.expected,
            "believed": _number(self.believed),
            "deals": [one.to_dict() for one in self.deals],
        }


_UNTOLD = {one.name: one.default for one in fields(Decision) if one.default is not MISSING}
"""What stands in a decision where nothing is told."""


@dataclass(frozen=True)
class BidDeal:
    """A deal bid to the end."""

    deal: Deal
    auction: Auction
    decisions: tuple[Decision, ...]
    """One for each call."""

    def _repr_html_(self) -> str:
        """For notebooks."""
        contract = escape(str(self.auction.contract or "passed out"))
        return f"{html.deal(self.deal)}{html.auction(self.auction)}<p>{contract}</p>"


def _prior(agreed: Sequence[bool], stray: float) -> np.ndarray:
    """What calls share before anything is simulated: those of the system, and those beside it."""
    own = np.array(agreed, dtype=bool)
    if own.all() or not own.any():
        return np.full(len(own), 1 / len(own))
    return np.asarray(np.where(own, (1 - stray) / own.sum(), stray / (~own).sum()))


def _number(value: float | None) -> float | None:
    """A number that JSON knows; the standard error of a single deal is not one."""
    return value if value is not None and math.isfinite(value) else None
