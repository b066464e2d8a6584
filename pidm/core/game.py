"""What the method needs to know about a game.

A game has a public *history* of actions, and *worlds*: the full states that a player cannot tell apart.
Worlds always come as a batch, a numpy array whose first axis numbers them. What is in them is opaque here, as
is a history; both a history and a private part (what one seat holds in one world) are hashable.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

import numpy as np

from pidm.core.columns import Columns

if TYPE_CHECKING:
    from pidm.core.player import Player

__all__ = ["Draft", "FiniteGame", "Game", "History", "Move", "Private", "Worlds", "is_finite"]

History = Hashable
Private = Any
Worlds = Any
Move = tuple[Any, int]
"""The history before an action, and the action."""


@dataclass(frozen=True, eq=False)
class Draft:
    """Worlds drawn from what has been shown, instead of uniformly from all that are possible.

    A draft must be able to contain every world that is consistent with the moves it takes into account, else
    the sample would be biased; it may contain others, which the strategies' own answers then reject.
    """

    worlds: Worlds
    """Those of the instances that fit; it may happen that none does."""
    generated: int
    """Instances that were made for it, rejected ones included; 0 means that what has been shown is impossible
    together with what the seat holds."""
    weights: np.ndarray | None = None
    """float[n], proportional to a world's uniform chance over its chance here; None if all are equal."""
    counted: frozenset[int] = frozenset()
    """Positions in the history of actions whose chances the draft has taken into account already."""
    kin: np.ndarray | None = None
    """int[n], by number what a world shares with others: they were dealt around the same hand, and say less
    than so many worlds drawn apart. None if all were drawn apart."""


class Game(Protocol):
    """The rules, and how to imagine what is hidden."""

    def actor(self, history: Any) -> int | None:
        """The seat to act, None when the game is over."""

    def legal(self, history: Any) -> Sequence[int]:
        """The legal actions, the most neutral one first: it is taken for a player that proposes nothing."""

    def after(self, history: Any, action: int) -> Any:
        """The history with one more action."""

    def moves(self, history: Any) -> Sequence[Move]:
        """All actions so far, each with the history before it, oldest first."""

    def complete(self, seat: int, private: Private, n: int, rng: np.random.Generator) -> Worlds:
        """Draw n worlds uniformly from all in which `seat` holds this."""

    def propose(
        self,
        history: Any,
        seat: int,
        private: Private,
        n: int,
        rng: np.random.Generator,
        models: Mapping[int, Player],
        ignore: Collection[int] = (),
    ) -> Draft | None:
        """Generate n instances from what the others have shown under these models; None if there is no way.

        Never more than n, whether they end as worlds or are rejected on the way: limits count on it.
        `ignore` holds the positions in `moves` of actions that must not count as showing anything, because
        they do not fit the models.
        """

    def private(self, worlds: Worlds, row: int, seat: int) -> Private:
        """What that seat holds in one world."""

    def columns(self, worlds: Worlds, seat: int) -> Columns:
        """The features of what that seat holds, in each world."""


class FiniteGame(Game, Protocol):
    """A game so small that all its worlds can be listed: it has a tabular form, and an exact value."""

    @property
    def seats(self) -> int:
        """How many players there are; they are numbered from 0."""

    @property
    def start(self) -> Any:
        """The history before the first action."""

    def worlds(self) -> Worlds:
        """All worlds, all equally likely; one that is twice as likely is listed twice."""


def is_finite(game: Game) -> TypeGuard[FiniteGame]:
    """Can the worlds of the game be listed?"""
    return all(hasattr(game, name) for name in ("seats", "start", "worlds"))
