"""One auction as numbers, seen by the player to call: the same as `Auctions` tells of many.

A search meets auction after auction, most of them new: for a single one plain Python is three times as quick
as arrays. A test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import CALLS
from pidm.models.auctions import BIDS, LAST, LEFT, ME, PARTNER, RIGHT, STEPS

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Context:
    """What all hands share that are to call in this auction."""

    inputs: Floats
    """float32[INPUTS], the auction and the vulnerability."""
    legal: npt.NDArray[np.bool_]
    """bool[38], the calls that the laws allow."""
    kinds: npt.NDArray[np.intp]
    """intp[38], the relative kind of each call."""
    suits: npt.NDArray[np.intp]
    """intp[4], the last suits of partner, me, right and left as columns S H D C; -1 where there is none."""


class _Seen:
    """The calls of an auction, by player."""

    def __init__(self, calls: Sequence[int]) -> None:
        self.highest = np.zeros((4, 5))
        self.first, self.last, self.last_suit, self.last_call = [-1] * 4, [-1] * 4, [-1] * 4, [-1] * 4
        self.bids, self.passes, self.doubles, self.doubled_level = [0] * 4, [0] * 4, [0] * 4, [0] * 4
        self.passed_first = [0] * 4
        self.raw = np.zeros((5, BIDS), np.float32)
        self.bid = self.bidder = self.opener = self.opening = self.doubler = -1
        self.doubled = self.trailing = 0
        for place, call in enumerate(calls):
            self._add((place - len(calls)) % 4, int(call))
        for call in reversed(calls):
            if call:
                break
            self.trailing += 1

    def _add(self, player: int, call: int) -> None:
        if self.last_call[player] < 0:
            self.passed_first[player] = int(call == 0)
        self.last_call[player] = call
        if call == 0:
            self.passes[player] += 1
        elif call < 3:
            self.doubles[player] += 1
            self.doubled_level[player] = self.bid // 5 + 1
            self.doubled, self.doubler = call, player
            self.raw[4, self.bid] = 1
        else:
            bid = call - 3
            self.raw[player, bid] = 1
            self.bid, self.bidder, self.doubled = bid, player, 0
            self.bids[player] += 1
            self.highest[player, bid % 5] = bid // 5 + 1
            self.last[player] = bid
            if self.first[player] < 0:
                self.first[player] = bid
            if bid % 5 < 4:
                self.last_suit[player] = bid % 5
            if self.opener < 0:
                self.opener, self.opening = player, bid


def _cheapest(bid: int) -> list[int]:
    """The lowest level of each strain, clubs first, over the last bid."""
    return [1 if bid < 0 else (bid + 5 - strain) // 5 + 1 for strain in range(5)]


def _roles(seen: _Seen, levels: Sequence[int]) -> list[int]:
    """What each strain, clubs first, is to the player to call."""
    role = [-1, -1, -1, -1, 0]
    for number, player in enumerate(LAST, 1):
        suit = seen.last_suit[player]
        if suit >= 0 and role[suit] < 0:
            role[suit] = number
    for number, player in enumerate(LAST, 9):
        for suit in range(4):
            if seen.highest[player, suit] and role[suit] < 0:
                role[suit] = number
    unbid = [suit for suit in sorted(range(4), key=lambda s: (levels[s], s)) if role[suit] < 0]
    for place, suit in enumerate(unbid):
        role[suit] = 5 + place
    return role


def _one_of(bid: int, size: int = 5) -> list[float]:
    return [float(bid >= 0 and bid % 5 == strain) for strain in range(size)]


def _level(bid: int) -> float:
    return (bid // 5 + 1) / 4 if bid >= 0 else 0.0


def _summary(seen: _Seen, count: int, levels: Sequence[int], roles: Sequence[int]) -> list[float]:
    """The auction in numbers of the order of one."""
    found = [min(count, 12) / 6, seen.trailing / 3, float(count == 0)]
    found += [*(seen.highest / 4).ravel(), *(seen.highest > 0).ravel()]
    for player in range(4):
        found += [*_one_of(seen.last[player]), _level(seen.last[player])]
        found += [*_one_of(seen.first[player]), _level(seen.first[player])]
        doubles = seen.doubles[player]
        found += [seen.bids[player] / 2, min(seen.passes[player], 3) / 2, float(doubles > 0), doubles / 2]
        found += [seen.doubled_level[player] / 4, float(seen.passed_first[player])]
        found += [float(seen.last_call[player] == call) for call in range(3)]
        found += [float(seen.bidder == player), float(seen.opener == player)]
    found += [*_one_of(seen.opening), _level(seen.opening)]
    found += [float(seen.doubled == 1), float(seen.doubled == 2), float(seen.bid >= 0)]
    found += [float(seen.bid // 5 == level) for level in range(7)] + _one_of(seen.bid)
    found += [level / 4 for level in levels]
    acted = [seen.bids[player] + seen.doubles[player] > 0 for player in range(4)]
    we, they = acted[ME] or acted[PARTNER], acted[LEFT] or acted[RIGHT]
    found += [float(x) for x in (we, they, we and they, not acted[ME], not acted[PARTNER])]
    found += [float(seen.doubler == player) for player in (PARTNER, RIGHT, ME)]
    found += [float(roles[suit] == role) for suit in range(4) for role in range(1, 6)]
    return found


@lru_cache(maxsize=32_768)
def _context(calls: tuple[int, ...], we: bool, they: bool) -> Context:
    seen = _Seen(calls)
    levels = _cheapest(seen.bid)
    roles = _roles(seen, levels)
    legal = np.zeros(len(CALLS), bool)
    legal[0] = True
    legal[4 + seen.bid :] = True
    if seen.bid >= 0:
        legal[1] = seen.bidder in (LEFT, RIGHT) and seen.doubled == 0
        legal[2] = seen.bidder in (ME, PARTNER) and seen.doubled == 1
    kinds = np.zeros(len(CALLS), np.intp)
    kinds[1:3] = 1, 2
    for bid in range(seen.bid + 1, BIDS):
        jump = bid // 5 + 1 - levels[bid % 5]
        kinds[3 + bid] = 3 + roles[bid % 5] * STEPS + min(jump, STEPS - 1)
    summary = [float(we), float(they), *_summary(seen, len(calls), levels, roles)]
    inputs = np.concatenate([np.array(summary, np.float32), seen.raw.ravel()])
    suits = [3 - seen.last_suit[player] if seen.last_suit[player] >= 0 else -1 for player in LAST]
    return Context(inputs, legal, kinds, np.array(suits, np.intp))


def context(auction: Auction) -> Context:
    """The auction as the player to call sees it; the same for all dealers."""
    actor = auction.actor
    return _context(auction.calls, auction.vul.of(actor), auction.vul.of(actor.lho))
