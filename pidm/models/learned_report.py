"""What was learned of a pair: how well its calls are foretold, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import CALLS, PASS, Call
from pidm.features.cards import CARDS
from pidm.models.inputs import HCP, Floats
from pidm.models.learning import Material, accuracy, auction_text, log_loss

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


def kind_of(auction: Auction) -> str:
    """The kind of decision that the player to call has, as a player would say it."""
    calls, seat = auction.calls, auction.actor
    bids = [place for place, call in enumerate(calls) if call.is_bid]
    if not bids:
        return "opening"
    ours = [(auction.seat_of(place) ^ seat) & 1 == 0 for place in range(len(calls))]
    acted = [place for place, call in enumerate(calls) if call != PASS and auction.seat_of(place) == seat]
    partner = seat.partner
    partner_acted = any(c != PASS and auction.seat_of(place) == partner for place, c in enumerate(calls))
    contested = any(calls[place] != PASS and not ours[place] for place in range(bids[0], len(calls)))
    word = ", contested" if contested else ""
    if ours[bids[0]]:
        since = [p for p in range(bids[0], len(calls)) if auction.seat_of(p) == seat]
        if auction.seat_of(bids[0]) != seat and not since:
            return "response" + word
        if auction.seat_of(bids[0]) == seat and len(since) == 1:
            return "opener's rebid" + word
        return "later, we opened" + word
    if not acted and not partner_acted:
        return "balancing" if calls[-2:] == (PASS, PASS) else "overcall or double"
    return "later, they opened" if acted else "advance"


@dataclass(frozen=True)
class Foretold:
    """How well the calls of one kind are foretold."""

    kind: str
    """The kind of decision."""
    calls: int
    """How many there were on the deals set aside."""
    accuracy: float
    """The share of them that the model found the likeliest."""
    log_loss: float
    """Of the model."""
    rules_accuracy: float
    """The same for the rules."""
    rules_log_loss: float
    """Of the rules."""


def lines(held: Material, chances: Floats, rules: Floats) -> list[Foretold]:
    """Accuracy and log-loss by kind of decision, the sum last; chances are float[n, 38]."""
    kinds = np.array([kind_of(auction) for auction in held.auctions])[held.examples.which]
    calls = held.examples.calls
    ranked = sorted(set(kinds.tolist()), key=lambda kind: -int((kinds == kind).sum()))
    found = []
    for kind in [*ranked, "all"]:
        rows = np.flatnonzero(kinds == kind) if kind != "all" else np.arange(len(calls))
        numbers = [
            measure(what[rows], calls[rows]) for what in (chances, rules) for measure in (accuracy, log_loss)
        ]
        found.append(Foretold(kind, len(rows), *numbers))
    return found


@dataclass(frozen=True)
class Meaning:
    """What a call shows, by the hands that made it: nine in ten are within the ranges."""

    call: Call
    """The call."""
    hands: float
    """How many hands made it; of a model, the share of all hands."""
    points: tuple[int, int]
    """High card points."""
    lengths: tuple[tuple[int, int], ...]
    """Cards in S H D C."""
    balanced: float
    """The share of balanced hands."""

    def __str__(self) -> str:
        return f"{self.call}: {self.shows}"

    @property
    def shows(self) -> str:
        """The ranges in words."""
        low, high = self.points
        parts = [f"{low}-{high} points"]
        for name, (least, most) in zip(SUIT_NAMES, self.lengths):
            if least >= 4 or (least >= 3 and most >= 5):
                parts.append(f"{least}-{most} {name}")
            elif most <= 2:
                parts.append(f"at most {most} {name}")
        if self.balanced >= 0.9:
            parts.append("balanced")
        return ", ".join(parts)


def meaning(
    call: int, masks: npt.NDArray[np.uint16], weights: npt.NDArray[np.float64] | None = None
) -> Meaning:
    """What hands uint16[n, 4] have in common that make a call; weights are their chances to do so."""
    weight = np.ones(len(masks)) if weights is None else weights
    lengths = CARDS.length[masks]
    balanced = (lengths.min(axis=1) >= 2) & (lengths.max(axis=1) <= 5) & ((lengths == 2).sum(axis=1) <= 1)
    ranges = [_range(lengths[:, suit], weight) for suit in range(4)]
    share = float((balanced * weight).sum() / weight.sum())
    return Meaning(
        CALLS[call], float(weight.sum()), _range(HCP[masks].sum(axis=1), weight), tuple(ranges), share
    )


def _range(values: npt.NDArray[np.int_], weight: npt.NDArray[np.float64]) -> tuple[int, int]:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order]) / weight.sum()
    low, high = np.minimum(np.searchsorted(reached, [0.05, 0.95]), len(order) - 1)
    return int(values[order[low]]), int(values[order[high]])


def shown(found: Material, most: int = 12, least: int = 20) -> list[tuple[str, list[Meaning]]]:
    """What the calls show in the auctions that came up most, by the hands of the records themselves."""
    texts = np.array([auction_text(auction) for auction in found.auctions], dtype=object)
    of = texts[found.examples.which]
    names, numbers, counts = np.unique(of.astype(str), return_inverse=True, return_counts=True)
    answer = []
    for place in np.argsort(-counts, kind="stable")[:most]:
        rows = np.flatnonzero(numbers == place)
        calls = found.examples.calls[rows]
        made = [int(call) for call in np.unique(calls) if (calls == call).sum() >= least]
        answer.append((str(names[place]), [meaning(c, found.examples.masks[rows[calls == c]]) for c in made]))
    return answer


def text(
    scores: Sequence[Foretold], meanings: Sequence[tuple[str, list[Meaning]]], write: Callable[[str], object]
) -> None:
    """The report as lines of text."""
    write(f"{'kind of decision':28} {'calls':>6}   {'model':>14}   {'our rules':>14}")
    for one in scores:
        write(
            f"{one.kind:28} {one.calls:6}   {one.accuracy:6.1%} {one.log_loss:7.3f}   "
            f"{one.rules_accuracy:6.1%} {one.rules_log_loss:7.3f}"
        )
    for auction, made in meanings:
        write("")
        write(f"after {auction}" if auction else "opening")
        for each in made:
            write(f"  {each}, from {each.hands:,.0f} hands")
