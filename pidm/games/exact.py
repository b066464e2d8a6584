"""The exact optimum of a game for two, by dynamic programming on common information.

What both players know is the history and the rule by which each has acted, so what each may hold: a set. The
value of a rest of the game for two sets is the best way for the actor to part its set among its actions, each
part with the value of what follows (Nayyar, Mahajan and Teneketzis 2013). It takes 3^n steps for n holdings
of the actor and 2^m sets of the other, for each different rest of the game.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pidm.errors import PidmError
from pidm.games.merged import Merged
from pidm.games.tabular import Tabular

__all__ = ["exact"]

MOST = 4e9
"""Additions that are still feasible."""


def exact(table: Tabular, watch: Callable[[int, int], None] | None = None) -> np.ndarray:
    """An optimal policy, float[slots]; a `PidmError` if the game is too large."""
    merged = Merged(table)
    _feasible(table, merged)
    return _Program(merged, watch).policy()


def _feasible(table: Tabular, merged: Merged) -> None:
    if len(table.held) != 2:
        raise PidmError(f"exact solves games for two players, this one has {len(table.held)}")
    one, other = (len(held) for held in table.held)
    work = 0.0
    for rest in merged.rests:
        if rest.actor >= 0:
            mine, theirs = (one, other) if rest.actor == 0 else (other, one)
            work += len(rest.children) * 3.0**mine * 2.0**theirs
    if work > MOST:
        raise PidmError(
            f"exact would take {work:.0e} steps, more than {MOST:.0e}: {one} and {other} holdings"
        )


class _Program:
    def __init__(self, merged: Merged, watch: Callable[[int, int], None] | None) -> None:
        self.merged = merged
        self.table = merged.table
        sizes = [len(held) for held in self.table.held]
        self.subsets = [_Subsets(size) for size in sizes]
        grid = np.zeros((*sizes, self.table.size))
        grid[(*self.table.private, np.arange(self.table.size))] = 1.0
        self.values: list[np.ndarray] = []
        """For each rest, float[sets of the first, sets of the second]."""
        for number, rest in enumerate(merged.rests):
            if rest.worth is not None:
                matrix = grid @ rest.worth
                value = self.subsets[0].member @ matrix @ self.subsets[1].member.T
            else:
                below = [self._turned(child, rest.actor) for child in rest.children]
                value = below[0]
                for more in below[1:]:
                    value = self.subsets[rest.actor].best_parting(value, more)
                value = value if rest.actor == 0 else value.T
            self.values.append(np.ascontiguousarray(value))
            if watch is not None:
                watch(number + 1, len(merged.rests))

    def _turned(self, number: int, actor: int) -> np.ndarray:
        """The values of a rest with the sets of the actor first."""
        value = self.values[number]
        return value if actor == 0 else value.T

    def policy(self) -> np.ndarray:
        """Follow the best partings from the top."""
        table = self.table
        policy = table.purified(np.zeros(table.slots))
        todo = [(0, [len(subsets.member) - 1 for subsets in self.subsets])]
        while todo:
            node, sets = todo.pop()
            rest = self.merged.rests[self.merged.of[node]]
            if rest.actor < 0:
                continue
            actor, other = rest.actor, sets[1 - rest.actor]
            below = [self._turned(child, actor)[:, other] for child in rest.children]
            for action, part in enumerate(self.subsets[actor].parting(below, sets[actor])):
                child = int(table.child[node]) + action
                children = np.arange(table.child[node], table.child[node] + table.width[node])
                for private in np.flatnonzero(self.subsets[actor].member[part]):
                    policy[table.slot[children] + private] = 0.0
                    policy[table.slot[child] + private] = 1.0
                if part:
                    below_sets = list(sets)
                    below_sets[actor] = part
                    todo.append((child, below_sets))
        return policy


class _Subsets:
    """All sets of n things, as numbers whose bits are the things."""

    def __init__(self, n: int) -> None:
        self.member = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(float)
        """float[sets, things]."""
        self._below = [_subsets_of(whole) for whole in range(2**n)]

    def best_parting(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """For each set the best sum over its partings in two, float[sets, ...] of each."""
        best = np.empty_like(one)
        for whole, parts in enumerate(self._below):
            best[whole] = (one[whole ^ parts] + other[parts]).max(axis=0)
        return best

    def parting(self, values: list[np.ndarray], whole: int) -> list[int]:
        """The best parting of a set among several, by float[sets] for each."""
        sums = [values[0]]
        for more in values[1:]:
            sums.append(self.best_parting(sums[-1], more))
        parts = []
        for before, last in zip(sums[-2::-1], values[:0:-1]):
            some = self._below[whole]
            part = int(some[(before[whole ^ some] + last[some]).argmax()])
            parts.append(part)
            whole ^= part
        return [whole, *parts[::-1]]


def _subsets_of(whole: int) -> np.ndarray:
    found = [0]
    for bit in range(whole.bit_length()):
        if whole >> bit & 1:
            found += [part | 1 << bit for part in found]
    return np.array(found, dtype=np.intp)
