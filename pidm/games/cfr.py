"""Counterfactual regret minimisation (Zinkevich et al. 2008) on the tabular form.

As in the JPS paper, all players update at once, and the answer is the current policy, not the average one: in
a game with a common result the players settle on one of its equilibria.
"""

from __future__ import annotations

from collections.abc import Callable

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
        children = table.children(self.nodes)
        whole = len(children) == level.last - level.first
        self._children = slice(level.first, level.last) if whole else children
        widths = table.width[self.nodes]
        self._starts = np.cumsum(widths) - widths
        self._place = np.repeat(np.arange(len(self.nodes)), widths)
        self._above = table.parent[children]
        self._slots = table.slot[children][:, None] + np.arange(len(table.held[part.seat]))

    def pass_down(self, policy: np.ndarray, own: list[np.ndarray]) -> None:
        """The chance that each seat plays to a node, given what it holds, as far as it is its own doing."""
        for seat, reach in enumerate(own):
            above = reach[self._above]
            if seat == self._seat:
                above *= policy[self._slots]
            reach[self._children] = above

    def back_up(
        self, policy: np.ndarray, own: list[np.ndarray], values: np.ndarray, regret: np.ndarray
    ) -> None:
        """The values of the nodes, and their regrets, weighted by what the others and chance do."""
        table = self._table
        below = values[self._children]
        parts = policy[self._slots][:, table.private[self._seat]]
        parts *= below
        here = np.add.reduceat(parts, self._starts, axis=0)
        values[self.nodes] = here
        others = np.broadcast_to(table.chance, here.shape)
        for seat, reach in enumerate(own):
            if seat != self._seat:
                others = others * reach[self.nodes][:, table.private[seat]]
        np.multiply(below, others[self._place], out=parts)
        gains = parts @ table.member[self._seat]
        gains -= ((here * others) @ table.member[self._seat])[self._place]
        regret[self._slots] += gains


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
