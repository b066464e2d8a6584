"""The public tree of a game with equal subtrees joined: what follows depends on no more than that.

In most games many histories lead to the same rest of the game (in mini-bridge: the last bid and who is to
bid). A plan for such a rest, given what each seat may still hold, is the same wherever it is met.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pidm.games.tabular import Tabular

__all__ = ["Merged", "Rest"]


@dataclass(frozen=True, eq=False)
class Rest:
    """What can follow a history."""

    actor: int
    """Who acts, -1 at the end."""
    children: tuple[int, ...] = ()
    """By legal action, the number of the rest that follows it."""
    worth: np.ndarray | None = None
    """float[worlds], at the end: the result times the chance of the world."""


class Merged:
    """All different rests of a game."""

    def __init__(self, table: Tabular) -> None:
        self.table = table
        """The game."""
        self.rests: list[Rest] = []
        """Those before which others come have higher numbers; the whole game is the last."""
        self.of = np.zeros(len(table.histories), dtype=np.intp)
        """int[nodes], the rest that follows each node."""
        known: dict[tuple[object, ...], int] = {}
        ends = {int(node): k for k, node in enumerate(table.ends)}
        for node in range(len(table.histories) - 1, -1, -1):
            if node in ends:
                worth = table.payoffs[ends[node]] * table.chance
                key: tuple[object, ...] = (worth.tobytes(),)
                rest = Rest(-1, worth=worth)
            else:
                first = table.child[node]
                children = tuple(self.of[first : first + table.width[node]].tolist())
                key = (int(table.actor[node]), children)
                rest = Rest(int(table.actor[node]), children)
            if key not in known:
                known[key] = len(self.rests)
                self.rests.append(rest)
            self.of[node] = known[key]
        self.root = int(self.of[0])
        """The whole game."""
