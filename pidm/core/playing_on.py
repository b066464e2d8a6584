"""Looking ahead without a tree: the games of all worlds are played on at once, where the models allow it.

A tree asks a strategy once a history, and most of its histories are those of a single world. Models that
answer for many worlds in many histories together are asked in step instead, one action at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pidm.core.evaluation import Costs
from pidm.core.game import Worlds
from pidm.core.limit import Meter
from pidm.core.lookahead import MOST_RESERVED, RESERVED, UNFORESEEN, Counters
from pidm.core.player import Player

PIECE = 128
"""Worlds that are played on together: enough to be quick, few enough to end in time."""
LONGER = 1.3
"""How much longer than the last piece the next may take."""


@dataclass(eq=False)
class GameEnd:
    """Where the games of some worlds end."""

    history: Any
    rows: np.ndarray
    """Ascending numbers of worlds."""
    values: np.ndarray | None = None
    """float[len(rows)]; NaN where not evaluated."""


class PlayedOn:
    """What happens after each of some actions, in every world: a lookahead without a tree."""

    def __init__(
        self, player: Player, seat: int, worlds: Worlds, meter: Meter, costs: Costs, counters: Counters
    ) -> None:
        self._player, self._seat, self._worlds = player, seat, worlds
        self._meter, self._costs, self._counters = meter, costs, counters
        self.cut = 0
        """Worlds, over all actions, whose game was not followed to its end."""

    def follow(
        self, histories: Sequence[Any], evaluate: Callable[[Sequence[GameEnd]], None]
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each history, the value of every world and where its game ends: objects with a `history`."""
        found = self._ends(histories)
        evaluate([end for ends in found for end in ends])
        return [self._back_up(history, ends) for history, ends in zip(histories, found)]

    def _ends(self, histories: Sequence[Any]) -> list[list[GameEnd]]:
        """How the games go on from these histories."""
        assert self._player.play_on is not None
        found: list[dict[Any, list[np.ndarray]]] = [{} for _ in histories]
        total, start, took = len(self._worlds), 0, 0.0
        while start < total and not (start and self._out_of_time(took, sum(map(len, found)))):
            began = self._meter.seconds
            piece = np.arange(start, min(start + PIECE, total))
            for ends, more in zip(found, self._player.play_on(histories, self._worlds[piece], self._seat)):
                for history, rows in more:
                    ends.setdefault(history, []).append(piece[rows])
            start += len(piece)
            took = self._meter.seconds - began
        self.cut = (total - start) * len(histories)
        self._counters.cut += self.cut
        self._counters.nodes += sum(map(len, found))
        return [[GameEnd(history, np.concatenate(rows)) for history, rows in ends.items()] for ends in found]

    def _out_of_time(self, took: float, ends: int) -> bool:
        if not self._meter.timed:
            return False
        assert self._meter.limit.seconds is not None
        limit = self._meter.limit.seconds
        evaluation = self._costs.utility(self._player.utility).of(ends, len(self._worlds))
        reserve = min(RESERVED * evaluation, MOST_RESERVED * limit) + UNFORESEEN * limit
        return self._meter.left < LONGER * took + reserve

    def _back_up(self, history: Any, ends: list[GameEnd]) -> tuple[np.ndarray, np.ndarray]:
        """The value of every world, and the end of its game."""
        values = np.full(len(self._worlds), np.nan)
        where = np.empty(len(self._worlds), dtype=object)
        where[:] = GameEnd(history, np.arange(len(self._worlds)), values)  # of those that were cut off
        for end in ends:
            assert end.values is not None
            values[end.rows], where[end.rows] = end.values, end
        return values, where
