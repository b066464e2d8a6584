"""Counterfactual regret minimisation (Zinkevich et al. 2008) on the tabular form.

As in the JPS paper, all players update at once, and the answer is the current policy, not the average one: in
a game with a common result the players settle on one of its equilibria.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pidm.games.tabular import Level, Part, Tabular

__all__ = ["cfr"]

NOISE = 0.01
"""The spread around uniform where no action is regretted: it breaks ties, as in the published code."""


def cfr(
    table: Tabular,
    rng: np.random.Generator,
    iterations: int = 1000,
    watch: Callable[[int], None] | None = None,
) -> np.ndarray:
    """The policy after some iterations from a random one, not purified."""
    policy = table.random(rng)
    regret = np.zeros(table.slots)
    values = np.empty((len(table.histories), table.size))
    values[table.ends] = table.payoffs
    own = [np.ones((len(table.histories), len(held))) for held in table.held]
    blocks = [_Block(table, level, part) for level in table.levels for part in table.parts]
    blocks = [block for block in blocks if len(block.nodes)]
    for number in range(iterations):
        for block in blocks:
            block.pass_down(policy, own)
        for block in blocks[::-1]:
            block.back_up(policy, own, values, regret)
        policy = _match(table, regret, rng)
        if watch is not None:
            watch(number)
    return policy


class _Block:
    """The edges at which one seat acts in one level: prepared, because they are walked a thousand times."""

    def __init__(self, table: Tabular, level: Level, part: Part) -> None:
        self._seat = part.seat
        self._table = table
        self.nodes = level.nodes[table.actor[level.nodes] == part.seat]
        self._ends = _joined_ends(table, part.seat, self.nodes)
        children = table.children(self.nodes)
        place = np.repeat(np.arange(len(self.nodes)), table.width[self.nodes])
        walked = np.ones(len(children), dtype=bool)
        for ends in self._ends:
            walked &= ~np.isin(children, ends.children)
        self._children, self._place = children[walked], place[walked]
        self._above, self._starts = np.unique(self._place, return_index=True)
        self._slots = table.slot[self._children][:, None] + np.arange(len(table.held[part.seat]))
        acting = table.actor[self._children] >= 0
        self._on, self._from = self._children[acting], table.parent[self._children[acting]]
        self._taken = self._slots[acting]

    def pass_down(self, policy: np.ndarray, own: list[np.ndarray]) -> None:
        """The chance that each seat plays to a node, given what it holds, as far as it is its own doing."""
        for seat, reach in enumerate(own):
            above = reach[self._from]
            if seat == self._seat:
                above *= policy[self._taken]
            reach[self._on] = above

    def back_up(
        self, policy: np.ndarray, own: list[np.ndarray], values: np.ndarray, regret: np.ndarray
    ) -> None:
        """The values of the nodes, and their regrets, weighted by what the others and chance do."""
        table = self._table
        member = table.member[self._seat]
        here = np.zeros((len(self.nodes), table.size))
        below = values[self._children]
        if len(below):
            parts = policy[self._slots] @ member.T
            parts *= below
            here[self._above] = np.add.reduceat(parts, self._starts, axis=0)
        for ends in self._ends:
            here[ends.places] += policy[ends.slots] @ ends.worth.T
        values[self.nodes] = here
        others = np.broadcast_to(table.chance, here.shape)
        for seat, reach in enumerate(own):
            if seat != self._seat:
                others = (reach[self.nodes] @ table.member[seat].T) * others
        np.multiply(here, others, out=here)
        level = here @ member
        below *= others[self._place]
        regret[self._slots] += below @ member - level[self._place]
        for ends in self._ends:
            base = np.tile(level[ends.places], len(ends.children[0]))
            regret[ends.slots] += others[ends.places] @ ends.worth - base


@dataclass(frozen=True, eq=False)
class _Ends:
    """The ends right behind some nodes, the same for each of them: their worth is written down once."""

    places: np.ndarray
    """int[k], which nodes of the block."""
    children: np.ndarray
    """int[k, ends], the ends behind each."""
    slots: np.ndarray
    """int[k, ends * privates], what leads there."""
    worth: np.ndarray
    """float[worlds, ends * privates], the result where the seat holds that, 0 elsewhere."""


def _joined_ends(table: Tabular, seat: int, nodes: np.ndarray) -> list[_Ends]:
    """Nodes with the same ends behind them, where that takes less room than the states it stands for."""
    alike: dict[tuple[int, ...], list[tuple[int, np.ndarray]]] = {}
    for place, node in enumerate(nodes.tolist()):
        children = np.arange(table.child[node], table.child[node] + table.width[node])
        children = children[table.actor[children] < 0]
        alike.setdefault(tuple(table.worth_of[children].tolist()), []).append((place, children))
    member = table.member[seat]
    found = []
    for key, members in alike.items():
        if not key or len(members) < member.shape[1]:
            continue
        ends = np.array([children for _, children in members])
        slots = table.slot[ends][:, :, None] + np.arange(member.shape[1])
        worth = table.worths[list(key)].T[:, :, None] * member[:, None, :]
        places = np.array([place for place, _ in members])
        found.append(_Ends(places, ends, slots.reshape(len(ends), -1), worth.reshape(table.size, -1)))
    return found


def _match(table: Tabular, regret: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Regret matching; where nothing is regretted, uniform but for some noise."""
    policy = np.empty(table.slots)
    for part in table.parts:
        weights = np.maximum(regret[part.slots], 0.0)
        total = part.sums(weights)
        rows = np.flatnonzero(part.spread(np.asarray((total <= 0).any(axis=1))))
        if len(rows):
            noisy = np.maximum(part.uniform[rows] + rng.normal(0, NOISE, (len(rows), weights.shape[1])), 1e-9)
            weights[rows] = np.where(total[part.place[rows]] <= 0, noisy, weights[rows])
            total = part.sums(weights)
        policy[part.slots] = weights / part.spread(total)
    return policy
