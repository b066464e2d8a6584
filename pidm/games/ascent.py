"""Best responses, and coordinate ascent: one player improves while the others stand still.

That is what self-play comes down to, and it stops where no player alone can do better.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pidm.games.tabular import Tabular

__all__ = ["ascend", "best_response"]

ENOUGH = 1e-9
"""A gain below this is none."""


def best_response(
    table: Tabular, policy: np.ndarray, seat: int, rng: np.random.Generator | None = None
) -> np.ndarray:
    """The policy with the actions of one seat replaced by the best against the others.

    Of actions that are equally good the seat keeps its own if it is one of them; with a generator, it takes
    any of them at random.
    """
    new = policy.copy()
    mine = next((part for part in table.parts if part.seat == seat), None)
    if mine is None:
        return new
    new[mine.slots] = 1.0  # so that the reach is that of the others and of chance
    reach = table.sweep(new).reach
    values = np.empty_like(reach)
    values[table.ends] = table.payoffs
    private, member = table.private[seat], table.member[seat]
    columns = np.arange(member.shape[1])
    for level in table.levels[::-1]:
        span = slice(level.first, level.last)
        parts = new[level.slots] * values[span]
        if level.actor != seat:
            values[level.nodes] = np.add.reduceat(parts, level.starts, axis=0)
        if level.actor is not None and level.actor != seat:
            continue
        nodes = level.nodes[table.actor[level.nodes] == seat]
        if not len(nodes):
            continue
        children, widths = table.children(nodes), table.width[nodes]
        slots = table.slot[children][:, None] + columns
        worth = (values[children] * reach[children]) @ member
        worth += ENOUGH * (policy[slots] if rng is None else rng.random(slots.shape))
        starts = np.cumsum(widths) - widths
        top = np.maximum.reduceat(worth, starts, axis=0)
        order = np.arange(len(children))[:, None]
        best = np.minimum.reduceat(
            np.where(worth == np.repeat(top, widths, axis=0), order, len(children)), starts, axis=0
        )
        new[slots] = 0.0
        new[slots[best, columns]] = 1.0
        values[nodes] = values[children[best[:, private]], np.arange(table.size)]
    return new


def ascend(
    table: Tabular,
    policy: np.ndarray,
    rng: np.random.Generator | None = None,
    first: int = 0,
    watch: Callable[[int, float], None] | None = None,
) -> tuple[np.ndarray, float]:
    """Best responses in turn, from `first` on, until nobody gains; the policy and its value."""
    value = table.value(policy)
    seats = [part.seat for part in table.parts]
    turn, idle, number = first, 0, 0
    while idle < len(seats):
        better = best_response(table, policy, seats[turn % len(seats)], rng)
        reached = table.value(better)
        idle = 0 if reached > value + ENOUGH else idle + 1
        policy, value = better, max(reached, value)
        turn += 1
        number += 1
        if watch is not None:
            watch(number, value)
    return policy, table.value(policy)
