"""What the calls of a learned pair show: a crowd of random hands, each as likely as it makes them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.dealing import ANYTHING, Shown
from pidm.bridge.worlds import random_deals
from pidm.features.cards import CARDS
from pidm.models.context import context
from pidm.models.inputs import HCP, Masks
from pidm.models.network import Predictor

CROWD = 3072
"""Random hands that stand for all."""
FAINT = 0.05
"""Hands whose chance is less than this share of the largest do not count."""
TAIL = 0.005
"""The share of hands that may lie below or above what is taken for shown."""
KEPT = 2048
"""Auctions for which the chances of the crowd are remembered."""
FEW = 6.0
"""With fewer hands than this, effectively, nothing is taken for shown."""


Rows = npt.NDArray[np.intp]
Crowd = tuple[Rows, npt.NDArray[np.float64]]
"""The hands that are still possible, and how likely each makes the calls."""


@lru_cache(maxsize=1)
def crowd_hands() -> Masks:
    """uint16[CROWD, 4], the same hands for everybody."""
    return random_deals(CROWD // 4, np.random.default_rng(20)).reshape(-1, 4)


class Scout:
    """Follows the calls of a seat with a crowd of hands."""

    def __init__(self, network: Predictor) -> None:
        self._network = network
        self._part = network.hand_part(crowd_hands())
        self._crowds: OrderedDict[tuple[object, ...], Crowd] = OrderedDict()

    def crowd(self, auction: Auction, seat: int, ignore: Collection[int] = ()) -> Crowd:
        """The hands with which this seat would have called like this."""
        places = [p for p in range(len(auction.calls)) if auction.seat_of(p) == seat and p not in ignore]
        found: Crowd = np.arange(CROWD), np.ones(CROWD)
        for number, place in enumerate(places, 1):
            before = Auction(auction.dealer, auction.vul, auction.calls[:place])
            actor = before.actor
            vul = before.vul.of(actor), before.vul.of(actor.lho)
            key = (vul, auction.calls[: place + 1], tuple(places[:number]))
            known = self._crowds.get(key)
            if known is None:
                known = self._narrowed(found, before, int(auction.calls[place]))
                if len(self._crowds) >= KEPT:
                    self._crowds.popitem(last=False)
                self._crowds[key] = known
            found = known
        return found

    def _narrowed(self, crowd: Crowd, before: Auction, call: int) -> Crowd:
        rows, weights = crowd
        if not len(rows):
            return crowd
        chances = self._network.probabilities(context(before), crowd_hands()[rows], self._part[rows])[:, call]
        weights = weights * chances
        stays = np.flatnonzero(weights >= FAINT * weights.max())
        return rows[stays], weights[stays]

    def share(self, auction: Auction, seat: int, ignore: Collection[int] = ()) -> float:
        """How likely a hand of which nothing is known calls like this."""
        return float(self.crowd(auction, seat, ignore)[1].sum() / CROWD)

    def shown(self, auction: Auction, seat: int, ignore: Collection[int] = ()) -> Shown:
        """Ranges of points and lengths for nearly all hands with which the seat would have called like this.

        The fewer hands of the crowd would, the wider they are drawn.
        """
        rows, weights = self.crowd(auction, seat, ignore)
        effective = weights.sum() ** 2 / max((weights**2).sum(), 1e-300)
        if effective < FEW or len(rows) == CROWD:
            return ANYTHING
        margin = 1 if effective >= 150 else 2 if effective >= 30 else 3
        masks = crowd_hands()[rows]
        hcp = _range(HCP[masks].sum(axis=1), weights, margin, 37)
        spades, hearts, diamonds, clubs = (
            _range(CARDS.length[masks[:, suit]], weights, margin - 1, 13) for suit in range(4)
        )
        return Shown(hcp, (spades, hearts, diamonds, clubs))


def _range(
    values: npt.NDArray[np.integer], weights: npt.NDArray[np.float64], margin: int, most: int
) -> tuple[int, int]:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    low, high = np.searchsorted(reached, np.array([TAIL, 1 - TAIL]) * reached[-1])
    least, largest = values[order[low]], values[order[min(high, len(order) - 1)]]
    return max(int(least) - margin, 0), min(int(largest) + margin, most)
