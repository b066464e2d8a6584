"""The tabular form of a finite game with one result for all: dense arrays over (public history, world).

A *node* is a public history; nodes are numbered breadth first, so that a level is a range and the children of
a node are neighbours. A *state* is a node with a world. Who acts at a node knows the history and what it
holds, so an *infoset* is a node with a private part of its actor, and a policy is a number for each (child,
private part of the actor above it), its *slot*. Nothing here loops over states in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pidm.core.game import FiniteGame
from pidm.core.player import Utility
from pidm.errors import PidmError

__all__ = ["Level", "Part", "Sweep", "Tabular"]

MOST_NODES = 2_000_000
"""More public histories than this are no small game."""


@dataclass(frozen=True, eq=False)
class Level:
    """The edges from one level of nodes to the next; an edge is named by the child it leads to."""

    nodes: np.ndarray
    """int[k], the nodes of this level at which someone acts, ascending."""
    first: int
    """The first child."""
    last: int
    """Behind the last child."""
    starts: np.ndarray
    """int[k], where the children of each node begin, counted from `first`."""
    slots: np.ndarray
    """int32[children, worlds], the slot in a policy that decides about each edge in each world."""
    actor: int | None
    """The seat that acts at all nodes of the level; None if it is not the same."""


@dataclass(frozen=True, eq=False)
class Part:
    """The infosets of one seat, and the slots of its actions."""

    seat: int
    """Whose."""
    nodes: np.ndarray
    """int[k], the nodes at which it acts."""
    children: np.ndarray
    """int[c], their children, node by node."""
    starts: np.ndarray
    """int[k], where the children of each node begin."""
    widths: np.ndarray
    """int[k], how many there are."""
    slots: np.ndarray
    """int[c, privates], the slot of each edge for each private part."""

    @cached_property
    def uniform(self) -> np.ndarray:
        """float[c, 1], the share of one action among all of its node."""
        return np.asarray(np.repeat(1.0 / self.widths, self.widths)[:, None])

    @cached_property
    def place(self) -> np.ndarray:
        """int[c], to which of the nodes each child belongs."""
        return np.repeat(np.arange(len(self.nodes)), self.widths)

    def sums(self, edges: np.ndarray) -> np.ndarray:
        """[k, ...], sums over the actions of each node."""
        return np.asarray(np.add.reduceat(edges, self.starts, axis=0))

    def most(self, edges: np.ndarray) -> np.ndarray:
        """[k, ...], the largest over the actions of each node."""
        return np.asarray(np.maximum.reduceat(edges, self.starts, axis=0))

    def spread(self, nodes: np.ndarray) -> np.ndarray:
        """[c, ...], what belongs to nodes, for each of their children."""
        return np.asarray(nodes[self.place])


@dataclass(frozen=True, eq=False)
class Sweep:
    """What a policy does everywhere."""

    values: np.ndarray
    """float[nodes, worlds], what is reached in the mean from each state on."""
    reach: np.ndarray
    """float[nodes, worlds], the chance of each state, that of its world included."""

    @property
    def value(self) -> float:
        """The value of the game."""
        return float((self.reach[0] * self.values[0]).sum())


class Tabular:
    """A finite game as arrays."""

    def __init__(self, game: FiniteGame, utility: Utility) -> None:
        self.game = game
        """The game."""
        self.utility = utility
        """What its ends are worth."""
        worlds = game.worlds()
        self.size = len(worlds)
        """The number of worlds."""
        self.chance = np.full(self.size, 1.0 / self.size)
        """float[worlds]."""
        self.held: list[list[Any]] = []
        """What each seat may hold, seat by seat."""
        self.private: list[np.ndarray] = []
        """int[worlds] for each seat, the number of what it holds in each world."""
        for seat in range(game.seats):
            places: dict[Any, int] = {}
            numbers = [
                places.setdefault(game.private(worlds, row, seat), len(places)) for row in range(self.size)
            ]
            self.held.append(list(places))
            self.private.append(np.array(numbers, dtype=np.intp))
        self.member = [np.eye(len(held))[private] for held, private in zip(self.held, self.private)]
        """float[worlds, privates] for each seat: 1 where the seat holds that."""
        self.histories: list[Any] = [game.start]
        """The public history of each node."""
        self.levels: list[Level] = []
        """From the top down."""
        self._grow(game, utility, worlds)

    # ------------------------------------------------------------------ construction

    def _grow(self, game: FiniteGame, utility: Utility, worlds: Any) -> None:
        actors: list[int] = []
        parents, actions, slots = [-1], [-1], [-1]
        ends: list[int] = []
        payoffs: list[np.ndarray] = []
        numbers: dict[Any, int] = {game.start: 0}
        slot = 0
        begin = 0
        spans: list[tuple[list[int], list[int], int, int]] = []
        while begin < len(self.histories):
            stop = len(self.histories)
            nodes, starts = [], []
            for node in range(begin, stop):
                history = self.histories[node]
                actor = game.actor(history)
                actors.append(-1 if actor is None else actor)
                if actor is None:
                    ends.append(node)
                    payoffs.append(self._worth(game, utility, history, worlds))
                    continue
                nodes.append(node)
                starts.append(len(self.histories) - stop)
                for action in game.legal(history):
                    after = game.after(history, action)
                    if after in numbers:
                        raise PidmError(
                            f"two ways lead to the history {after}; a history must tell all actions"
                        )
                    numbers[after] = len(self.histories)
                    self.histories.append(after)
                    parents.append(node)
                    actions.append(action)
                    slots.append(slot)
                    slot += len(self.held[actor])
                if len(self.histories) > MOST_NODES:
                    raise PidmError(f"more than {MOST_NODES:,} histories are too many for the tabular form")
            spans.append((nodes, starts, stop, len(self.histories)))
            begin = stop
        self.actor = np.array(actors, dtype=np.int16)
        """int[nodes], who acts, -1 at the end of a game."""
        self.parent = np.array(parents, dtype=np.intp)
        """int[nodes], the node above."""
        self.action = np.array(actions, dtype=np.int64)
        """int[nodes], the action that led there."""
        self.slot = np.array(slots, dtype=np.int64)
        """int[nodes], the slot of the edge that leads there, for the first private part of the actor."""
        self.slots = slot
        """The length of a policy."""
        self.ends = np.array(ends, dtype=np.intp)
        """int[k], the nodes where games end."""
        self.payoffs = np.array(payoffs).reshape(len(ends), self.size)
        """float[k, worlds], what each of these is worth."""
        self.depth = np.zeros(len(self.histories), dtype=np.int16)
        """int[nodes], the number of actions before."""
        private = np.array(self.private)
        for nodes, starts, first, last in spans:
            if not nodes:
                continue
            above = self.parent[first:last]
            self.depth[first:last] = self.depth[above] + 1
            index = (self.slot[first:last, None] + private[self.actor[above]]).astype(np.int32)
            seats = set(self.actor[nodes].tolist())
            self.levels.append(
                Level(
                    np.array(nodes, dtype=np.intp),
                    first,
                    last,
                    np.array(starts, dtype=np.intp),
                    index,
                    seats.pop() if len(seats) == 1 else None,
                )
            )
        self._infosets()

    def _worth(self, game: FiniteGame, utility: Utility, history: Any, worlds: Any) -> np.ndarray:
        worth = np.asarray(utility.evaluate(history, worlds, 0), dtype=float)
        for seat in range(1, game.seats):
            if (utility.evaluate(history, worlds, seat) != worth).any():
                raise PidmError(
                    f"the end {history} is worth different things to seats 0 and {seat}: these solvers are "
                    "for games in which all want the same"
                )
        return worth

    def _infosets(self) -> None:
        """Number the infosets: those of a node are neighbours, one for each private part of its actor."""
        acting = self.actor >= 0
        widths = np.array([len(held) for held in self.held] + [0])[self.actor] * acting
        self.infosets = int(widths.sum())
        """How many infosets there are at which someone acts."""
        counts = np.bincount(self.parent[1:], minlength=len(self.histories))
        self.width = counts
        """int[nodes], the number of legal actions."""
        self.child = np.zeros(len(self.histories), dtype=np.intp)
        """int[nodes], the first child; 0 at the end of a game."""
        for level in self.levels:
            self.child[level.nodes] = level.first + level.starts
        self.parts: list[Part] = []
        """The infosets, seat by seat, of those who act at all."""
        for seat, held in enumerate(self.held):
            nodes = np.flatnonzero(self.actor == seat)
            if len(nodes):
                children, widths = self.children(nodes), self.width[nodes]
                slots = self.slot[children][:, None] + np.arange(len(held))
                self.parts.append(Part(seat, nodes, children, np.cumsum(widths) - widths, widths, slots))

    @cached_property
    def worths(self) -> np.ndarray:
        """float[k, worlds], the different worths of ends."""
        return self._different[0]

    @cached_property
    def worth_of(self) -> np.ndarray:
        """int[nodes], which of `worths` each end has; -1 where someone acts."""
        return self._different[1]

    @cached_property
    def _different(self) -> tuple[np.ndarray, np.ndarray]:
        numbers: dict[bytes, int] = {}
        of = np.full(len(self.histories), -1)
        of[self.ends] = [numbers.setdefault(payoff.tobytes(), len(numbers)) for payoff in self.payoffs]
        worths = np.frombuffer(b"".join(numbers)).reshape(len(numbers), self.size)
        return worths, of

    @property
    def states(self) -> int:
        """How many states there are, the deal itself counted as one, as in the paper's table 1."""
        return 1 + len(self.histories) * self.size

    @property
    def bound(self) -> float:
        """What could be reached if nothing were hidden: no policy is worth more."""
        return float((self.payoffs.max(axis=0) * self.chance).sum())

    # ------------------------------------------------------------------ policies

    def normalized(self, weights: np.ndarray) -> np.ndarray:
        """A policy from weights, float[slots], none negative; uniform where all are 0."""
        policy = np.empty(self.slots)
        for part in self.parts:
            some = weights[part.slots]
            total = part.spread(part.sums(some))
            with np.errstate(invalid="ignore", divide="ignore"):
                policy[part.slots] = np.where(total > 0, some / total, part.uniform)
        return policy

    def children(self, nodes: np.ndarray) -> np.ndarray:
        """The children of nodes, one node after the other."""
        counts = self.width[nodes]
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.asarray(np.repeat(self.child[nodes], counts) + offsets)

    def uniform(self) -> np.ndarray:
        """Every action as likely as any other."""
        return self.normalized(np.ones(self.slots))

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """A mixed policy, drawn at random."""
        return self.normalized(rng.random(self.slots))

    def random_pure(self, rng: np.random.Generator) -> np.ndarray:
        """A pure policy, drawn at random."""
        return self.purified(rng.random(self.slots))

    def purified(self, policy: np.ndarray) -> np.ndarray:
        """The most likely action for certain; of equals the first."""
        pure = np.zeros(self.slots)
        for part in self.parts:
            some = policy[part.slots]
            order = np.arange(len(some))[:, None]
            first = np.where(some == part.spread(part.most(some)), order, len(some))
            pure[part.slots] = order == part.spread(np.minimum.reduceat(first, part.starts, axis=0))
        return pure

    # ------------------------------------------------------------------ evaluation

    def sweep(self, policy: np.ndarray) -> Sweep:
        """The value and the chance of every state, exhaustively."""
        reach = np.empty((len(self.histories), self.size))
        values = np.empty_like(reach)
        reach[0] = self.chance
        values[self.ends] = self.payoffs
        taken = []
        for level in self.levels:
            chance = policy[level.slots]
            taken.append(chance)
            reach[level.first : level.last] = reach[self.parent[level.first : level.last]] * chance
        for level, chance in zip(self.levels[::-1], taken[::-1]):
            chance *= values[level.first : level.last]
            values[level.nodes] = np.add.reduceat(chance, level.starts, axis=0)
        return Sweep(values, reach)

    def value(self, policy: np.ndarray) -> float:
        """What the policy is worth in the mean over all worlds, by exhaustive evaluation."""
        values = np.empty((len(self.histories), self.size))
        values[self.ends] = self.payoffs
        for level in self.levels[::-1]:
            parts = policy[level.slots] * values[level.first : level.last]
            values[level.nodes] = np.add.reduceat(parts, level.starts, axis=0)
        return float((values[0] * self.chance).sum())

    def played(self, policy: np.ndarray, world: int) -> Any:
        """How a game goes under a policy, the most likely action at every turn: its final history."""
        node = 0
        while (actor := self.actor[node]) >= 0:
            children = np.arange(self.child[node], self.child[node] + self.width[node])
            node = int(children[policy[self.slot[children] + self.private[actor][world]].argmax()])
        return self.histories[node]
