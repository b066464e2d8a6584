"""What small cooperative games have in common: a dealt number for each seat, public actions, one result.

A game of your own is a subclass with `actor`, `legal` and `worth`, see docs/games.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from pidm.core.game import Draft
from pidm.core.player import Player
from pidm.errors import PidmError

__all__ = ["NumberColumns", "SmallGame"]

History = tuple[int, ...]
"""The actions so far."""


class NumberColumns:
    """Feature columns over a batch of dealt numbers."""

    def __init__(self, columns: Mapping[str, np.ndarray]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def column(self, feature: str) -> np.ndarray:
        """The values of one feature."""
        return self._columns[feature]

    def take(self, rows: Any) -> NumberColumns:
        """The same for some of the rows."""
        return NumberColumns({name: values[rows] for name, values in self._columns.items()})


class SmallGame:
    """A game in which each seat is dealt a number, all actions are public, and all want the same.

    It is its own utility: what a game is worth to one it is worth to all.
    """

    name: str = "game"
    """What the command line calls it."""
    rules: str = ""
    """A sentence or two for who plays it by hand."""
    seats: int = 2
    """How many players."""
    start: History = ()
    """Before the first action."""
    deals: np.ndarray
    """int[n, seats], all worlds, all equally likely."""
    optimum: float | None = None
    """The best that can be reached in the mean, if it is known."""
    best_known: float | None = None
    """Where the optimum is not known: the best that anyone has reached."""

    # ------------------------------------------------------------------ what a game must say

    def actor(self, history: History) -> int | None:
        """The seat to act, None when the game is over."""
        raise NotImplementedError

    def legal(self, history: History) -> Sequence[int]:
        """The legal actions, the most neutral one first."""
        raise NotImplementedError

    def worth(self, history: History, deals: np.ndarray) -> np.ndarray:
        """float[n], what the end of the game is worth in each of some deals, int[n, seats]."""
        raise NotImplementedError

    # ------------------------------------------------------------------ what a game may say

    def features(self, held: np.ndarray) -> dict[str, np.ndarray]:
        """The features of dealt numbers, int[n], by name: what decision nets ask for."""
        return {"number": held}

    def say_action(self, action: int) -> str:
        """An action in words."""
        return str(action)

    def say_held(self, seat: int, held: int) -> str:
        """What a seat sees, in words."""
        return f"the number {held}"

    # ------------------------------------------------------------------ the rest of the interface

    def worlds(self) -> np.ndarray:
        """All deals."""
        return self.deals

    def after(self, history: History, action: int) -> History:
        """The history with one more action."""
        if action not in self.legal(history):
            raise PidmError(
                f"{self.name}: {self.say_action(action)} is not legal after {self.say_history(history)}"
            )
        return (*history, int(action))

    def moves(self, history: History) -> list[tuple[History, int]]:
        """All actions so far, each with the history before it."""
        return [(history[:k], action) for k, action in enumerate(history)]

    def complete(self, seat: int, private: int, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw deals in which the seat holds this number."""
        rows = np.flatnonzero(self.deals[:, seat] == private)
        return np.asarray(self.deals[rows[rng.integers(len(rows), size=n)]])

    def propose(
        self,
        history: History,
        seat: int,
        private: int,
        n: int,
        rng: np.random.Generator,
        models: Mapping[int, Player],
        ignore: Collection[int] = (),
    ) -> Draft | None:
        """Draw from exactly the deals in which all others would have acted as they did."""
        deals = self.deals[self.deals[:, seat] == private]
        for position, (before, action) in enumerate(self.moves(history)):
            actor = self.actor(before)
            if actor in models and actor is not None and position not in ignore and len(deals):
                columns = self.columns(deals, actor)
                deals = deals[models[actor].strategy.choices(before, columns).allows(action)]
        if not len(deals):
            return Draft(deals, 0)
        return Draft(deals[rng.integers(len(deals), size=n)], n)

    def private(self, worlds: np.ndarray, row: int, seat: int) -> int:
        """The number of a seat."""
        return int(worlds[row, seat])

    def columns(self, worlds: np.ndarray, seat: int) -> NumberColumns:
        """The features of a seat's numbers."""
        return NumberColumns(self.features(worlds[:, seat]))

    def evaluate(self, history: History, worlds: np.ndarray, seat: int) -> np.ndarray:
        """float[n], the same for all seats; a game that is not over yet is worth nothing."""
        if self.actor(history) is not None:
            return np.zeros(len(worlds))
        return np.asarray(self.worth(history, worlds), dtype=float)

    def say_history(self, history: History) -> str:
        """The actions so far in words."""
        return " ".join(map(self.say_action, history)) or "no action"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
