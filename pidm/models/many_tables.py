"""Many tables at once: players with habits and experience bid out deals in arrays.

One table after the other would cost a hundred times as much. What a hand is by itself goes into the first
layer once a deal; the rest is worked on in pieces that stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import RANKED_STRAINS
from pidm.bridge.scoring import score_table
from pidm.bridge.tricks import trick_estimator
from pidm.bridge.worlds import Worlds
from pidm.models.auctions import Auctions, View
from pidm.models.inputs import Floats, hand_inputs, suit_inputs
from pidm.models.layers import Weights, heads
from pidm.models.network import NEVER, Network

Rows = npt.NDArray[np.intp]

PIECE = 1024
"""Auctions that are worked on at once."""
QUANTILES = np.array([1 / 6, 1 / 2, 5 / 6])
"""Tricks are taken as they come in the worse, the middle and the better third of cases."""


class ByNetworks(Protocol):
    """Who bids by networks."""

    @property
    def networks(self) -> tuple[Network, ...]:
        """Those that are asked."""

    def values(self, scores: Sequence[Floats], legal: npt.NDArray[np.bool_]) -> Floats:
        """float32[n, 38], what calls are worth to the player, in IMPs, by the scores of these networks."""


@dataclass(frozen=True, eq=False)
class ManyTables:
    """Deals, and who bids them."""

    deals: Worlds
    players: tuple[ByNetworks, ...]
    hands: Floats
    """float32[4 * deals, HAND], what every hand is by itself."""
    parts: tuple[tuple[Floats, ...], ...]
    """The hands' parts of the first layer, by player and network."""

    @classmethod
    def of(cls, deals: Worlds, players: Sequence[ByNetworks]) -> ManyTables:
        """The deals, ready to be bid by these players."""
        hands = hand_inputs(deals.reshape(-1, 4))
        parts = tuple(tuple(hands @ one.weights["hand"] for one in each.networks) for each in players)
        return cls(deals, tuple(players), hands, parts)

    def values(self, auctions: Auctions, deals: Rows, players: Rows) -> Floats:
        """float32[n, 38], what calls are worth to the players to call, given by number, in IMPs."""
        found = np.empty((len(auctions), 38), np.float32)
        for start in range(0, len(auctions), PIECE):
            rows = np.arange(start, min(start + PIECE, len(auctions)))
            piece = auctions.take(rows)
            view, actors = piece.view(), piece.actor
            suits = suit_inputs(self.deals[deals[rows], actors], view.suits)
            who = players[rows]
            for player in np.unique(who):
                some = np.flatnonzero(who == player)
                places = 4 * deals[rows[some]] + actors[some]
                seen = view if len(some) == len(rows) else view.take(some)
                found[rows[some]] = self._values(int(player), places, suits[some], seen)
        return found

    def _values(self, player: int, places: Rows, suits: Floats, view: View) -> Floats:
        who = self.players[player]
        scores = [
            _scores(network.weights, part[places], suits, view)
            for network, part in zip(who.networks, self.parts[player])
        ]
        return np.where(view.legal, who.values(scores, view.legal), NEVER)

    def bid_out(self, auctions: Auctions, deals: Rows, seats: Rows) -> npt.NDArray[np.int8]:
        """Go on with all auctions to their ends, everybody with the best call; `seats` intp[n, 4] says which
        player sits N E S W.

        Told is int8[n, most], what was called; -1 after the end.
        """
        live = np.flatnonzero(~auctions.over)
        made = []
        while len(live):
            now = auctions.take(live)
            calls = self.values(now, deals[live], seats[live, now.actor]).argmax(axis=1)
            auctions.call(live, calls)
            made.append(np.full(len(auctions), -1, np.int8))
            made[-1][live] = calls
            live = live[~auctions.over[live]]
        return np.stack(made, axis=1) if made else np.zeros((len(auctions), 0), np.int8)

    def scores(self, auctions: Auctions, deals: Rows) -> npt.NDArray[np.float64]:
        """float64[n, 3], what north and south score in auctions that are over, in three cases alike."""
        bids, doubled, declarers = auctions.contracts()
        found = np.zeros((len(auctions), len(QUANTILES)))
        for strain, letter in enumerate(RANKED_STRAINS):
            for declarer in range(4):
                rows = np.flatnonzero((bids >= 0) & (bids % 5 == strain) & (declarers == declarer))
                if not len(rows):
                    continue
                chances = trick_estimator().distribution(self.deals[deals[rows]], letter, declarer)
                below = np.cumsum(chances, axis=1)[:, None, :] < QUANTILES[:, None]
                tricks = below.sum(axis=2).clip(0, 13)
                vulnerable = auctions.vul[rows] >> (declarer & 1) & 1
                made = score_table()[bids[rows, None] + 3, doubled[rows, None], vulnerable[:, None], tricks]
                found[rows] = -made if declarer & 1 else made
        return found


def _scores(weights: Weights, hands: Floats, suits: Floats, view: View) -> Floats:
    first = hands + suits @ weights["suits"]
    first += view.inputs @ weights["auction"]
    first += weights["first"]
    np.maximum(first, 0, out=first)
    second = first @ weights["hidden"]
    second += weights["second"]
    np.maximum(second, 0, out=second)
    return heads(weights, second, view.kinds)
