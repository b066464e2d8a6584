"""What simulations think that their calls gain on those of the system, and what they gain.

A match shows what a pair wins, but not whether its simulations believe what is so. Here the system's call is
made where a simulation has made another one, and everybody bids on: the difference of the two scores is what
the call gained on this deal. One deal says little; over many, what was predicted should come true.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pidm.bridge.calls import Call, Seat
from pidm.bridge.scoring import imps
from pidm.match.statistics import Mean, mean_of
from pidm.play.room import Room
from pidm.play.solved_deals import ns_score
from pidm.play.tables import Bidding, Sitting, bid_tables

if TYPE_CHECKING:
    from pidm.match.duplicate import Match


@dataclass(frozen=True)
class Gain:
    """What a simulated call that departs from its caller's system came to."""

    at: int
    """Which call of the auction it is, counted from 0."""
    own: Call
    """What the system would have called."""
    added: bool
    """Whether no rule near the hand makes the call: a wider search or the look has added it."""
    predicted: float
    """What it was believed to gain, in the form of scoring: see `pidm.play.credit`."""
    realised: float
    """What it gained: the system's call was made in its place, and everybody bid on."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "own": str(self.own)}


def gains_of(room: Room, biddings: Sequence[Bidding]) -> dict[int, tuple[Gain, ...]]:
    """What departures from a system came to, by the identity of the bidding."""
    cases = [(one, at, what) for one in biddings if one.complete for at, what in one.departures]
    before = [(*one.auction.calls[:at], what.own) for one, at, what in cases]
    again = bid_tables(
        [
            Sitting(one.sitting.board, one.sitting.seats, before=calls)
            for (one, _, _), calls in zip(cases, before)
        ],
        room.callers,
        room.seconds,
    )
    done = [(case, other) for case, other in zip(cases, again) if other.complete]
    ends = [(one, other) for (one, _, _), other in done]
    scores = iter(_scores(room, [bidding for pair in ends for bidding in pair]))
    found: dict[int, list[Gain]] = defaultdict(list)
    for ((one, at, what), _), made, instead in zip(done, scores, scores):
        sign = 1 if one.auction.seat_of(at) in (Seat.N, Seat.S) else -1
        difference = sign * (made - instead)
        points = imps(difference) if room.setup.form == "imps" else float(np.sign(difference)) / 2
        found[id(one)].append(Gain(at, what.own, what.added, what.gain, points))
    return {key: tuple(listed) for key, listed in found.items()}


def _scores(room: Room, biddings: Sequence[Bidding]) -> list[int]:
    """What N-S score at tables that were bid to the end."""
    contracts = [bidding.auction.contract for bidding in biddings]
    asked = [
        (bidding.sitting.board.deal, contract.strain, contract.declarer)
        for bidding, contract in zip(biddings, contracts)
        if contract is not None
    ]
    tricks = iter(room.solver.tricks(asked))
    return [
        ns_score(contract, bidding.auction.vul, None if contract is None else next(tricks))
        for bidding, contract in zip(biddings, contracts)
    ]


class Departures(NamedTuple):
    """Some of a pair's departures from its system, taken together."""

    pair: int
    """The place of the pair, 0 for A."""
    added: bool
    """Whether they are calls that no rule near the hand makes."""
    predicted: Mean
    realised: Mean
    difference: Mean
    """What was realised less what was predicted, call by call."""


def by_pair(match: Match, pair: int, added: bool | None = None) -> list[Gain]:
    """The departures of one pair; those of one kind, if that is said."""
    return [
        gain
        for result in match.results
        for table in result.tables[:2]
        for gain in table.gains
        if table.seats[table.auction.seat_of(gain.at)] == pair and added in (None, gain.added)
    ]


def kinds_of(match: Match) -> list[Departures]:
    """The departures of the two pairs, near the rules and added, as far as there are any."""
    found = []
    for pair in (0, 1):
        for added in (False, True):
            gains = by_pair(match, pair, added)
            if gains:
                found.append(_together(pair, added, gains))
    return found


def _together(pair: int, added: bool, gains: Iterable[Gain]) -> Departures:
    both = [(one.predicted, one.realised) for one in gains]
    predicted, realised = zip(*both)
    return Departures(pair, added, mean_of(predicted), mean_of(realised), mean_of([b - a for a, b in both]))


def gain_lines(match: Match, unit: str) -> list[str]:
    """What was predicted and what came of it, in words."""
    lines = []
    for kind in kinds_of(match):
        what = "that no rule near the hand makes" if kind.added else "near the rules"
        lines.append(
            f"{'AB'[kind.pair]} departed from its system {kind.realised.n} times by calls {what}: "
            f"predicted {kind.predicted.mean:+.2f} {unit} a call, gained {kind.realised.mean:+.2f} "
            f"± {kind.realised.error:.2f}"
        )
    return lines


def gain_data(match: Match) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [
        {
            "pair": "AB"[kind.pair],
            "added": kind.added,
            "calls": kind.realised.n,
            "predicted": round(kind.predicted.mean, 4),
            "realised": round(kind.realised.mean, 4),
            "difference": round(kind.difference.mean, 4),
            "standard_error": round(kind.difference.error, 4) if kind.realised.n > 1 else None,
        }
        for kind in kinds_of(match)
    ]
