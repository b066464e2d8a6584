"""Records to learn from, bid by our own rules, and experience made up."""

from __future__ import annotations

import json
from functools import lru_cache

import numpy as np

from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.worlds import random_deals, to_deals
from pidm.models.experience import Experience
from pidm.models.learning import learned_pair, material, split
from pidm.models.network import Network
from pidm.models.sources import BidBoard
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table
from pidm.training.outcomes import without_gains
from systems import shipped

DEALS = 320


@lru_cache(maxsize=1)
def _bid():
    worlds = random_deals(DEALS, np.random.default_rng(0))
    dealers = [Seat(k % 4) for k in range(DEALS)]
    vuls = [Vul(k // 4 % 4) for k in range(DEALS)]
    auctions = bid_out(Table.of(shipped("two_over_one")), worlds, dealers, vuls)
    return list(zip(to_deals(worlds), auctions))


def boards(count=DEALS, names=("", "", "", "")):
    """Deals bid by everybody playing the same system."""
    return [BidBoard(deal.hands, auction, names) for deal, auction in _bid()[:count]]


@lru_cache(maxsize=1)
def club_evening():
    """A model learned from a few hundred deals, with what it was learned from and what was set aside."""
    train, held = split(material(boards(), ["all"]), np.random.default_rng(1))
    return learned_pair(train, held, ["all"]), train, held


def told(habit, **gains):
    """Experience that says the same of each call whatever the hand: so many IMPs."""
    weights = without_gains(habit.weights)
    for call, gain in gains.items():
        weights["call"][Call.from_str(call.removeprefix("_"))] = gain
    return Experience(habit, Network(weights), 0.3, {"system": "two_over_one"})


def as_json(board):
    """The board as a JSON line."""
    hands = {str(seat): str(board.hands[seat]) for seat in Seat}
    auction = board.auction
    return json.dumps(
        {
            "hands": hands,
            "dealer": str(auction.dealer),
            "vul": str(auction.vul),
            "auction": [str(call) for call in auction.calls],
            "players": dict(zip("NESW", board.players)),
        }
    )
