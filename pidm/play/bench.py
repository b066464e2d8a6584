"""One number for how pidm bids, and how fast.

A fixed, seeded set of deals is bid by rules with every shipped system, a fixed set of passes is looked at
again, and a fixed set of decisions is searched with a limit in instances. The signature is a digest of all
these calls: a change of code that means to leave the bidding alone leaves it as it is.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import random_deals
from pidm.core.limit import Limit
from pidm.features import HandColumns
from pidm.language.finding import shipped_systems
from pidm.language.system import System
from pidm.play.bidder import Bidder
from pidm.play.decision import Question
from pidm.reading.judgement import Judgement
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table

SEED = 2006
"""Of the deals, and of the searches."""
DEALS = 600
"""Bid by rules with each system."""
DECISIONS = 40
"""Searched with each system."""
LOOKS = 300
"""Passes in contested auctions that are looked at again with each system, at most one a deal."""
LIMIT = Limit(instances=1500)
"""Of each search."""
NEIGHBOURS = 2.0
"""Decisions are searched where calls of so many points more or less differ from the system's."""

Progress = Callable[[str, int, int], None]
"""Told the system, how many of its searches are done, and how many there are."""


@dataclass(frozen=True)
class BenchedSystem:
    """What one system did."""

    system: str
    signature: str
    """A digest of its calls."""
    decisions: int
    """Calls by rules."""
    seconds: float
    """What they took, reading the auctions included."""
    searches: int
    """Calls by search."""
    search_seconds: float
    """What they took."""
    looks: int = 0
    """Passes that were looked at again."""
    look_seconds: float = 0.0
    """What that took."""


@dataclass(frozen=True)
class Bench:
    """How pidm bids, in a word."""

    parts: tuple[BenchedSystem, ...]
    """By system."""

    @property
    def signature(self) -> str:
        """Eight letters for all calls of all systems."""
        return _digest(part.signature for part in self.parts)

    @property
    def decisions_per_second(self) -> float:
        """By rules."""
        return _rate(sum(part.decisions for part in self.parts), sum(part.seconds for part in self.parts))

    @property
    def searches_per_second(self) -> float:
        """With search."""
        return _rate(
            sum(part.searches for part in self.parts), sum(part.search_seconds for part in self.parts)
        )

    @property
    def looks_per_second(self) -> float:
        """Passes looked at again."""
        return _rate(sum(part.looks for part in self.parts), sum(part.look_seconds for part in self.parts))

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "signature": self.signature,
            "decisions_per_second": round(self.decisions_per_second, 1),
            "looks_per_second": round(self.looks_per_second, 1),
            "searches_per_second": round(self.searches_per_second, 2),
            "systems": {part.system: part.signature for part in self.parts},
        }


def bench(progress: Progress | None = None) -> Bench:
    """Bid the fixed deals with every shipped system."""
    return Bench(tuple(bench_system(name, progress) for name in sorted(shipped_systems())))


def bench_system(name: str, progress: Progress | None = None) -> BenchedSystem:
    """Bid the fixed deals with one system."""
    system = System.load(name)
    worlds = random_deals(DEALS, np.random.default_rng(SEED))
    dealers = [Seat(number & 3) for number in range(DEALS)]
    vuls = [Vul(number // 4 & 3) for number in range(DEALS)]
    began = time.perf_counter()
    auctions = bid_out(Table.of(system), worlds, dealers, vuls)
    by_rules = time.perf_counter() - began
    passes = list(_passes(worlds, auctions))
    looking = Bidder(system, limit=None, seed=SEED)
    looking.prepare()
    began = time.perf_counter()
    looked = [str(decision.call) for decision in looking.bid_many(passes)]
    by_look = time.perf_counter() - began
    bidder = Bidder(system, limit=LIMIT, seed=SEED)
    bidder.prepare()
    questions = list(_open_questions(bidder, worlds, auctions))
    began = time.perf_counter()
    calls = []
    for number, (hand, auction) in enumerate(questions):
        calls.append(str(bidder.bid(hand, auction).call))
        if progress is not None:
            progress(name, number + 1, len(questions))
    return BenchedSystem(
        name,
        _digest([*map(str, auctions), *looked, *calls]),
        sum(len(auction.calls) for auction in auctions),
        by_rules,
        len(calls),
        time.perf_counter() - began,
        len(looked),
        by_look,
    )


def _passes(worlds: np.ndarray, auctions: list[Auction]) -> Iterator[Question]:
    """Passes over a bid of the bid deals, at most one a deal, spread over the stages."""
    found = 0
    for row, auction in enumerate(auctions):
        stages = [(row + step) % len(auction.calls) for step in range(len(auction.calls))]
        for stage in stages:
            before = Auction(auction.dealer, auction.vul, auction.calls[:stage])
            if before.last_bid is not None and auction.calls[stage] == PASS:
                yield Hand(tuple(worlds[row, before.actor].tolist())), before
                found += 1
                break
        if found == LOOKS:
            return


def _open_questions(bidder: Bidder, worlds: np.ndarray, auctions: list[Auction]) -> Iterator[Question]:
    """Decisions of the bid deals that are left to a search, at most one a deal, spread over the stages."""
    found = 0
    for row, auction in enumerate(auctions):
        # The stage at which a deal is looked at first moves on with every deal.
        stages = [(row + step) % len(auction.calls) for step in range(len(auction.calls))]
        for stage in stages:
            before = Auction(auction.dealer, auction.vul, auction.calls[:stage])
            hand = Hand(tuple(worlds[row, before.actor].tolist()))
            if before.last_bid is not None and _is_open(bidder, before, hand):
                yield hand, before
                found += 1
                break
        if found == DECISIONS:
            return


def _is_open(bidder: Bidder, auction: Auction, hand: Hand) -> bool:
    strategy = Judgement(bidder.table(auction.actor), auction, NEIGHBOURS)
    return bool(strategy.choices(auction, HandColumns(hand.array[None])).open()[0])


def _digest(words: Any) -> str:
    return hashlib.blake2b("\n".join(words).encode(), digest_size=4).hexdigest()


def _rate(number: float, seconds: float) -> float:
    return number / seconds if seconds else 0.0
