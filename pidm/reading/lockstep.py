"""Bidding by the rules alone, many hands at once: hands in the same auction share one decision net."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.core.choices import Choices
from pidm.core.player import Strategy
from pidm.core.playing_out import play_out
from pidm.features import HandColumns
from pidm.reading.bridge_game import Bridge
from pidm.reading.table import Table

DecisionObserver = Callable[[Auction, np.ndarray, Choices], None]
"""Sees every decision: the auction, the rows of the deals that are in it, and what the system proposed for
them."""


def preferred_calls(
    strategy: Strategy,
    hands: np.ndarray,
    auctions: Sequence[Auction],
    observe: DecisionObserver | None = None,
) -> list[Call]:
    """The call that a strategy, such as a table's rules, prefers for each hand (uint16[n, 4])."""
    groups: dict[Auction, list[int]] = defaultdict(list)
    for row, auction in enumerate(auctions):
        groups[auction].append(row)
    calls: list[Call] = [Call(0)] * len(auctions)
    for auction, listed in groups.items():
        rows = np.array(listed)
        choices = strategy.choices(auction, HandColumns(hands[rows]))
        if observe is not None:
            observe(auction, rows, choices)
        for row, action in zip(listed, choices.preferred()):
            calls[row] = Call(int(action))
    return calls


def bid_out(
    table: Table,
    worlds: np.ndarray,
    dealers: Sequence[Seat],
    vuls: Sequence[Vul],
    observe: DecisionObserver | None = None,
) -> list[Auction]:
    """Bid all deals (uint16[n, 4, 4]) to the end, every player by the system of its side."""
    ends = [Auction(dealer, vul) for dealer, vul in zip(dealers, vuls)]
    for step in play_out(Bridge(table), list(ends), worlds, table):
        if step.choices is None:
            for row in step.rows:
                ends[row] = step.history
        elif observe is not None:
            observe(step.history, step.rows, step.choices)
    return ends
