"""What a strategy proposes for a batch of private parts at one history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

NO_ACTION = -1
"""Stands in arrays of actions where a row has none."""


class DecidedBy(str, Enum):
    """Who decided between the plausible actions."""

    RULE = "rule"
    """The strategy leaves one action."""
    REFINEMENT = "refinement"
    """It would leave several, but training has settled which."""
    SIMULATION = "simulation"
    """It leaves several, and the lookahead has compared them."""
    PREFERENCE = "preference"
    """It leaves several, and there was no search, or no worlds to judge by."""
    LOOK = "look"
    """It would do nothing, and something else gains on that as it stands, whatever the others answer."""
    EXPERIENCE = "experience"
    """Another action has gained on what it would do, in what came of both in play."""
    MODEL = "model"
    """A model of somebody, learned from what they did: its likeliest action."""
    DEFAULT = "default"
    """It says nothing; the least that the history allows."""

    __str__ = str.__str__


class Proposal(NamedTuple):
    """One action that a strategy puts forward."""

    action: int
    source: object = None
    """Who says so: a rule, a learned node; None for a default action."""
    position: int = 0
    """Earlier is preferred among proposals of the same priority and specificity."""


@dataclass(frozen=True, eq=False)
class Choices:
    """The plausible actions of n private parts: phi of section 3.3, for a batch.

    The columns of `mask` stand in the strategy's order of preference: priority, specificity, position.
    """

    proposals: tuple[Proposal, ...]
    """In preference order; an action may be proposed several times, by different sources."""
    mask: np.ndarray
    """bool[n, len(proposals)], True where that proposal stands for that row."""
    refined: bool = False
    """Did learning have a hand in it?"""
    derived: dict[object, Any] = field(default_factory=dict, init=False, repr=False)
    """What others have made of it, by whom: some choices are those of many rows, in one batch or another."""

    def __len__(self) -> int:
        return len(self.mask)

    @cached_property
    def actions(self) -> tuple[int, ...]:
        """The different actions, in order of their first proposal."""
        return tuple(dict.fromkeys(proposal.action for proposal in self.proposals))

    @cached_property
    def which(self) -> np.ndarray:
        """intp[len(proposals)], the place of each proposal's action in `actions`."""
        place = {action: k for k, action in enumerate(self.actions)}
        return np.array([place[proposal.action] for proposal in self.proposals], dtype=np.intp)

    @cached_property
    def table(self) -> np.ndarray:
        """bool[n, len(actions)], True where that action is plausible for that row."""
        table = np.zeros((len(self.mask), len(self.actions)), dtype=bool)
        for column, action in enumerate(self.which):
            table[:, action] |= self.mask[:, column]
        return table

    def first(self) -> np.ndarray:
        """intp[n], which of `actions` the order of preference puts first; -1 where there is none."""
        if not self.proposals:
            return np.full(len(self.mask), -1, dtype=np.intp)
        column = self.mask.argmax(axis=1)
        stands = self.mask[np.arange(len(column)), column]
        return np.where(stands, self.which[column], -1)

    def preferred(self) -> np.ndarray:
        """int16[n], the action that the order of preference puts first; `NO_ACTION` where there is none."""
        return np.asarray(np.array([*self.actions, NO_ACTION], dtype=np.int16)[self.first()])

    def allows(self, action: int) -> np.ndarray:
        """bool[n], is the action among the plausible ones?"""
        columns = [k for k, proposal in enumerate(self.proposals) if proposal.action == action]
        if len(columns) == 1:
            return np.asarray(self.mask[:, columns[0]])
        return np.asarray(self.mask[:, columns].any(axis=1))

    def open(self) -> np.ndarray:
        """bool[n], are there two or more different actions, so that only a search can tell?"""
        return np.asarray((self.mask & (self.which != self.first()[:, None])).any(axis=1))

    def candidates(self, row: int) -> tuple[int, ...]:
        """The different actions of one row, in preference order."""
        return tuple(dict.fromkeys(proposal.action for proposal in self.standing(row)))

    def sources(self, row: int, action: int) -> tuple[object, ...]:
        """Everyone who proposes this action for this row, in preference order."""
        return tuple(proposal.source for proposal in self.standing(row) if proposal.action == action)

    def standing(self, row: int) -> list[Proposal]:
        """The proposals that stand for one row, in preference order."""
        return [self.proposals[k] for k in self.mask[row].nonzero()[0].tolist()]

    def or_else(self, action: int) -> Choices:
        """The same, with this action for the rows that have none."""
        none = ~self.mask.any(axis=1)
        if not none.any():
            return self
        return Choices((*self.proposals, Proposal(action)), np.column_stack([self.mask, none]), self.refined)

    def also(self, action: int, source: object) -> Choices:
        """The same, with one more action for every row, liked least."""
        everyone = np.ones(len(self.mask), dtype=bool)
        return Choices(
            (*self.proposals, Proposal(action, source)), np.column_stack([self.mask, everyone]), self.refined
        )

    def each(self, known: dict[bytes, Choices] | None = None) -> list[Choices]:
        """Those of each row by itself; rows for which the same proposals stand share them, and so do batches
        with the same proposals to which the same `known` is handed."""
        if len(self.mask) == 1 and known is None:
            return [self]
        width = -(-len(self.proposals) // 8)
        packed = np.packbits(self.mask, axis=1).tobytes()
        known = {} if known is None else known
        found = []
        for row in range(len(self.mask)):
            standing = packed[row * width : (row + 1) * width]
            if standing not in known:
                known[standing] = self.take([row])
            found.append(known[standing])
        return found

    def take(self, rows: np.ndarray | Sequence[int]) -> Choices:
        """The same for some of the rows."""
        return Choices(self.proposals, self.mask[rows], self.refined)
