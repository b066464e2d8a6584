"""Players: a selection strategy, a utility, and models of the others (sections 3.2 and 3.3)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from pidm.core.choices import NO_ACTION, Choices, Proposal
from pidm.core.game import Columns, Worlds

__all__ = [
    "NO_ACTION",
    "Choices",
    "Player",
    "Proposal",
    "Strategy",
    "Utility",
    "can_stop",
    "common_knowledge",
    "cost_of",
    "worth_key",
]


class Strategy(Protocol):
    """phi: which actions are plausible, for a batch of private parts at one history."""

    def choices(self, history: Any, columns: Columns) -> Choices:
        """The plausible actions of every row."""


class Utility(Protocol):
    """What a history is worth if it ends here.

    Three things are used if present: an attribute `cost`, the seconds that a world takes; a method
    `key(history)`, equal for histories that are worth the same in every world; and a method
    `within(history, worlds, seat, seconds)`, for a utility that can stop: what `evaluate` says as far as it
    is found out in this time, NaN elsewhere.
    """

    def evaluate(self, history: Any, worlds: Worlds, seat: int) -> np.ndarray:
        """float[n], the worth to that seat in each world."""


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

    def model(self, seat: int) -> Player:
        """Whom this player takes the given seat to be."""
        return self.models.get(seat) or self.default or self


def common_knowledge(members: Mapping[int, tuple[Strategy, Utility]]) -> dict[int, Player]:
    """Players who all know everyone's strategy and utility, as the laws of bridge have it for systems."""
    players: dict[int, Player] = {}
    for seat, (strategy, utility) in members.items():
        players[seat] = Player(strategy, utility, players)
    return players


def cost_of(utility: Utility) -> float:
    """The utility's own estimate of the seconds that it needs for a world; 0 if it gives none."""
    return float(getattr(utility, "cost", 0.0))


def worth_key(utility: Utility, history: Any) -> Hashable:
    """What the worth of a history depends on besides the world; on all of it, if the utility does not say."""
    key = getattr(utility, "key", None)
    return history if key is None else key(history)  # type: ignore[no-any-return]


def can_stop(utility: Utility) -> bool:
    """Does the utility end in time by itself?"""
    return hasattr(utility, "within")
