"""Bidding problems as the paper tests by (section 5.1): a pair alone against silence, scored against the best
contract of its two hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, STRAINS, Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.scoring import imps, score_table
from pidm.bridge.worlds import Worlds
from pidm.core.lookahead import Counters
from pidm.play.bidder import Bidder
from pidm.reading.learned_features import key_of

SILENT = "silent"
"""The system of opponents who never bid."""


@dataclass(frozen=True, eq=False)
class Problems:
    """Deals with the auction so far and the best score of each by every yardstick."""

    worlds: Worlds
    starts: tuple[Auction, ...]
    """Where the bidding begins."""
    tricks: Mapping[str, np.ndarray]
    """By yardstick, int[n, 5 strains S H D C N, 2 declarers N S]: the tricks that they take."""
    best: Mapping[str, np.ndarray] = field(default_factory=dict)
    """By yardstick, int[n]: what the best contract scores."""

    @classmethod
    def of(cls, worlds: Worlds, starts: Sequence[Auction], yardsticks: Iterable[str]) -> Problems:
        """Solve the deals by these yardsticks: `ltc`, or `dds` for double dummy."""
        tricks = {name: _tricks(name, worlds) for name in yardsticks}
        best = {
            name: np.array([_best(found, start.vul) for found, start in zip(of, starts)])
            for name, of in tricks.items()
        }
        return cls(worlds, tuple(starts), tricks, best)

    def imps(self, yardstick: str, ends: Sequence[Auction]) -> np.ndarray:
        """What each auction wins against the best contract."""
        won = [
            imps(_score(self.tricks[yardstick][row], end) - int(self.best[yardstick][row]))
            for row, end in enumerate(ends)
        ]
        return np.array(won, dtype=float)


@dataclass
class Outcome:
    """How a pair bid some problems: the dependent variables of section 5.1.1."""

    ends: list[Auction]
    """The final auctions."""
    decisions: int = 0
    """Calls of the pair."""
    counters: Counters = field(default_factory=Counters)
    """What they took."""
    nets: Counter[tuple[Call, ...]] = field(default_factory=Counter)
    """Refined nets that made a call, and how often."""

    def data(self, problems: Problems) -> dict[str, Any]:
        """As numbers."""
        scores = {f"imps_{name}": float(problems.imps(name, self.ends).mean()) for name in problems.tricks}
        return {
            **scores,
            "decisions": self.decisions,
            "lookaheads": self.counters.lookaheads,
            "lookahead_ratio": self.counters.lookaheads / max(self.decisions, 1),
            "nets_used": len(self.nets),
            "refined_calls": sum(self.nets.values()),
            "instances": self.counters.generated,
            "failures": self.counters.failures,
            "stage": self.counters.stage,
        }


def solve(north: Bidder, south: Bidder, problems: Problems) -> Outcome:
    """Let two partners bid the problems, in step, so that hands in the same auction share their net."""
    outcome = Outcome(list(problems.starts))
    hands = [(Hand(_masks(world[0])), Hand(_masks(world[2]))) for world in problems.worlds]
    going = [row for row, auction in enumerate(outcome.ends) if not auction.over]
    while going:
        for row in going:
            if outcome.ends[row].actor & 1:
                outcome.ends[row] = outcome.ends[row].after(PASS)
        going = [row for row in going if not outcome.ends[row].over]
        for seat, bidder in ((Seat.N, north), (Seat.S, south)):
            rows = [row for row in going if outcome.ends[row].actor == seat]
            decisions = bidder.bid_many([(hands[row][seat >> 1], outcome.ends[row]) for row in rows])
            for row, decision in zip(rows, decisions):
                outcome.decisions += 1
                if decision.details:
                    outcome.counters = outcome.counters + Counters(**decision.details)
                if decision.by == "refinement":
                    outcome.nets[key_of(outcome.ends[row].calls)] += 1
                outcome.ends[row] = outcome.ends[row].after(decision.call)
        going = [row for row in going if not outcome.ends[row].over]
    return outcome


def _masks(masks: np.ndarray) -> tuple[int, int, int, int]:
    s, h, d, c = (int(mask) for mask in masks)
    return s, h, d, c


def _tricks(name: str, worlds: Worlds) -> np.ndarray:
    if name == "dds":
        from pidm.bridge.doubledummy import tables

        return np.asarray(tables(worlds)[:, :, ::2])
    from pidm.bridge.utilities import utility

    worth = utility(name)
    found = [[worth.tricks(worlds, strain, declarer) for declarer in (0, 2)] for strain in STRAINS]
    return np.asarray(np.rint(np.array(found)).astype(np.int8).transpose(2, 0, 1))


def _best(tricks: np.ndarray, vul: Vul) -> int:
    """The best score of the 35 contracts, declared by either; 0 if none makes."""
    table = score_table()[:, 0, int(vul.of(Seat.N))]
    scores = [
        int(table[bid, tricks[STRAINS.index(Call(bid).strain), who]])
        for bid in range(3, 38)
        for who in (0, 1)
    ]
    return max(0, *scores)


def _score(tricks: np.ndarray, end: Auction) -> int:
    contract = end.contract
    if contract is None:
        return 0
    taken = tricks[STRAINS.index(contract.strain), contract.declarer >> 1]
    return int(score_table()[contract.bid, contract.doubled, int(end.vul.of(Seat.N)), taken])
