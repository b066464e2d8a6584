"""Players: a selection strategy, a utility, and models of the others (sections 3.2 and 3.3)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeGuard

import numpy as np

from pidm.core.choices import NO_ACTION, Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.game import Worlds

__all__ = [
    "NO_ACTION",
    "Choices",
    "CostedUtility",
    "KeyedUtility",
    "LikelyStrategy",
    "Player",
    "PlaysOn",
    "Proposal",
    "StoppableUtility",
    "Strategy",
    "Utility",
    "can_stop",
    "cost_of",
    "has_cost",
    "has_key",
    "has_likelihood",
    "worth_key",
]


class Strategy(Protocol):
    """phi: which actions are plausible, for a batch of private parts at one history."""

    def choices(self, history: Any, columns: Columns) -> Choices:
        """The plausible actions of every row."""


class LikelyStrategy(Strategy, Protocol):
    """A strategy that knows how likely it takes an action: a model of somebody, learned from what they did.

    Its past actions weigh worlds instead of excluding them.
    """

    def likelihood(self, history: Any, columns: Columns, action: int) -> np.ndarray:
        """float[n], how likely every row takes this action."""


class Utility(Protocol):
    """What a history is worth if it ends here.

    A utility may say more about itself: see `CostedUtility`, `KeyedUtility` and `StoppableUtility`.
    """

    def evaluate(self, history: Any, worlds: Worlds, seat: int) -> np.ndarray:
        """float[n], the worth to that seat in each world."""


class CostedUtility(Utility, Protocol):
    """A utility that knows what it costs, so that a search can plan its time."""

    @property
    def cost(self) -> float:
        """The seconds that a world takes."""


class KeyedUtility(Utility, Protocol):
    """A utility that knows which histories are worth the same, so that they are evaluated once."""

    def key(self, history: Any) -> Hashable:
        """Equal for histories that are worth the same in every world."""


class StoppableUtility(Utility, Protocol):
    """A utility that ends in time by itself."""

    def within(self, history: Any, worlds: Worlds, seat: int, seconds: float) -> np.ndarray:
        """float[n], what `evaluate` says as far as it is found out in this time, NaN elsewhere."""


class PlaysOn(Protocol):
    """Plays on the games of many worlds at once, everybody by the model that a player has of them."""

    def __call__(
        self, histories: Sequence[Any], worlds: Worlds, seat: int
    ) -> Sequence[Sequence[tuple[Any, np.ndarray]]]:
        """For each history, how the games end and, in ascending order, the worlds in which they end so;
        `seat` is the player's."""


@dataclass(frozen=True, eq=False)
class Player:
    """[M1 ... U, phi ... Mn]: how a player chooses, and whom it takes the others to be."""

    strategy: Strategy
    """phi, its selection strategy."""
    utility: Utility
    """U, what it wants."""
    models: Mapping[int, Player] = field(default_factory=dict, repr=False)
    """The others, by seat. They may refer to each other; the search decides how deep it follows them."""
    default: Player | None = field(default=None, repr=False)
    """The model of a seat that `models` does not name; without one, others are taken to be like oneself."""
    play_on: PlaysOn | None = field(default=None, repr=False)
    """What looks ahead in place of a tree, if there is something; nobody then searches in a simulation."""

    def model(self, seat: int) -> Player:
        """Whom this player takes the given seat to be."""
        return self.models.get(seat) or self.default or self


def cost_of(utility: Utility) -> float:
    """The utility's own estimate of the seconds that it needs for a world; 0 if it gives none."""
    return float(utility.cost) if has_cost(utility) else 0.0


def worth_key(utility: Utility, history: Any) -> Hashable:
    """What the worth of a history depends on besides the world; on all of it, if the utility does not say."""
    return utility.key(history) if has_key(utility) else history


def has_likelihood(strategy: Strategy) -> TypeGuard[LikelyStrategy]:
    """Does the strategy say how likely it takes an action?"""
    return hasattr(strategy, "likelihood")


def has_cost(utility: Utility) -> TypeGuard[CostedUtility]:
    """Does the utility say what a world costs?"""
    return hasattr(utility, "cost")


def has_key(utility: Utility) -> TypeGuard[KeyedUtility]:
    """Does the utility say which histories are worth the same?"""
    return getattr(utility, "key", None) is not None


def can_stop(utility: Utility) -> TypeGuard[StoppableUtility]:
    """Does the utility end in time by itself?"""
    return hasattr(utility, "within")
