"""Joint policy search (section 5 and algorithm 1 of the JPS paper) on the tabular form.

All actions are public, so a chain of infosets I1, I2 in succ(I1, a1), ... runs down one public path, and at
each of its nodes one private part of the actor is made to take the action on the path. The altered reach of a
world is then the old one with the factor 1 in place of the policy where the actor holds that part. So whole
levels of the tree are searched at once: an array [nodes, chains, worlds] of altered reach, the densities of
theorem 1 by a product for each infoset, and the chains grow by one infoset a level. Nodes that no chain
reaches are left out, which with nearly pure policies are most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pidm.errors import PidmError
from pidm.games.tabular import Sweep, Tabular

__all__ = ["Change", "JpsOptions", "best_change", "jps"]

ENOUGH = 1e-9
"""A gain below this is none."""
LARGEST = 1_000_000
"""Numbers in one array of altered reaches; what is larger is searched in pieces."""

Change = tuple[tuple[int, int], ...]
"""A joint change of policies: (child, private part) each, whoever holds that above that child goes there."""
Link = tuple[int, np.ndarray, np.ndarray]
"""One infoset of all chains: whose it is, and for each chain that before it and the private part."""


@dataclass(frozen=True)
class JpsOptions:
    """How far and how wide the search looks."""

    depth: int = 0
    """The longest chain of infosets to change at once, the paper's D; 0 for chains from the first action to
    the end. With a depth, a chain may start anywhere, level by level in random order."""
    samples: int = 0
    """Infosets drawn at random from which chains may start, in each iteration; 0 for all."""
    patience: int = 20
    """With samples, iterations without a gain after which it ends."""
    iterations: int = 1000
    """The most iterations, the paper's T."""

    def __post_init__(self) -> None:
        for name in ("depth", "samples"):
            if getattr(self, name) < 0:
                raise PidmError(f"{name} is a number from 0, not {getattr(self, name)}")


def jps(
    table: Tabular,
    policy: np.ndarray,
    rng: np.random.Generator,
    options: JpsOptions | None = None,
    watch: Callable[[int, float], None] | None = None,
) -> np.ndarray:
    """JSP-Main: change the policy along the best chain until there is none; it never gets worse."""
    options = options or JpsOptions()
    policy = policy.copy()
    waiting = _starts(table, options, rng)
    idle = 0
    for number in range(options.iterations):
        if not waiting:
            break
        sweep = table.sweep(policy)
        if watch is not None:
            watch(number, sweep.value)
        level = waiting.pop()
        allowed = _draw(table, level, options, rng)
        gain, change = best_change(table, policy, sweep, level, options.depth, allowed)
        if gain > ENOUGH:
            apply(table, policy, change)
            waiting, idle = _starts(table, options, rng), 0
        elif options.samples and idle < options.patience:
            waiting, idle = waiting or _starts(table, options, rng), idle + 1
    return policy


def _starts(table: Tabular, options: JpsOptions, rng: np.random.Generator) -> list[int]:
    """The levels where chains may start: the first, or with a depth those that leave room for it."""
    if not options.depth:
        return [0]
    return [int(k) for k in rng.permutation(max(len(table.levels) + 1 - options.depth, 1))]


def _draw(
    table: Tabular, level: int, options: JpsOptions, rng: np.random.Generator
) -> set[tuple[int, int]] | None:
    """Some infosets of a level, (node, private part), if not all are to be looked at."""
    if not options.samples:
        return None
    infosets = [
        (int(node), private)
        for node in table.levels[level].nodes
        for private in range(len(table.held[table.actor[node]]))
    ]
    chosen = rng.choice(len(infosets), size=min(options.samples, len(infosets)), replace=False)
    return {infosets[k] for k in chosen}


def apply(table: Tabular, policy: np.ndarray, change: Change) -> None:
    """Make the change, in place: each infoset of it takes its action for certain."""
    for child, private in change:
        node = table.parent[child]
        children = np.arange(table.child[node], table.child[node] + table.width[node])
        policy[table.slot[children] + private] = 0.0
        policy[table.slot[child] + private] = 1.0


def best_change(
    table: Tabular,
    policy: np.ndarray,
    sweep: Sweep,
    level: int = 0,
    depth: int = 0,
    allowed: set[tuple[int, int]] | None = None,
) -> tuple[float, Change]:
    """The chain from this level on with the largest gain, and the gain; no chain if none gains.

    `depth` bounds its length (0: none); `allowed` are the infosets, (node, private part), where it may start.
    """
    search = _Search(table, policy, sweep, depth or len(table.levels))
    nodes = table.levels[level].nodes
    for seat in range(len(table.held)):
        mine = nodes[table.actor[nodes] == seat]
        if not len(mine):
            continue
        if allowed is None:
            search.expand(seat, mine, sweep.reach[mine][:, None], np.zeros((len(mine), 1)), [], None)
            continue
        for node, private in sorted(allowed):
            if table.actor[node] == seat:
                one = np.array([node])
                search.expand(seat, one, sweep.reach[one][:, None], np.zeros((1, 1)), [], private)
    return search.best, search.change


@dataclass(eq=False)
class _Search:
    table: Tabular
    policy: np.ndarray
    sweep: Sweep
    depth: int

    def __post_init__(self) -> None:
        self.best = 0.0
        self.change: Change = ()
        self._compatible: dict[tuple[int, int], np.ndarray] = {}
        self._sorted = [_sorted_worlds(private) for private in self.table.private]

    def compatible(self, seat: int, other: int) -> np.ndarray:
        """bool[privates of seat, privates of other], do they occur together in a world?"""
        if (seat, other) not in self._compatible:
            member = self.table.member
            self._compatible[seat, other] = (member[seat].T @ member[other]) > 0
        return self._compatible[seat, other]

    def expand(
        self,
        seat: int,
        nodes: np.ndarray,
        reach: np.ndarray,
        gains: np.ndarray,
        chain: list[Link],
        only: int | None,
    ) -> None:
        """Add an infoset of `seat` at these nodes to the chains that lead there.

        `reach` is float[nodes, chains, worlds], `gains` float[nodes, chains]. `chain` has for each infoset so
        far the seat, and for each chain that of the step before from which it came and the private part.
        """
        table = self.table
        parts = len(table.held[seat])
        if not chain:
            came = np.zeros(parts if only is None else 1, dtype=np.intp)
            private = np.arange(parts) if only is None else np.array([only])
        else:
            came, private = np.nonzero(self.compatible(chain[-1][0], seat)[chain[-1][2]])
        step = [*chain, (seat, came, private)]
        deeper = len(step) < self.depth
        # Where no chain leads, nothing can be gained that was not gained before.
        on = np.flatnonzero(reach.any(axis=(1, 2)))
        widths = table.width[nodes[on]]
        room = len(came) * table.size if deeper else max(len(came), parts * reach.shape[1])
        for width in np.unique(widths).tolist():
            alike = on[widths == width]
            for some, actions in _pieces(len(alike), width, room):
                place = alike[some]
                self._step(seat, nodes[place], actions, reach[place], gains[place], step, deeper)

    def _step(
        self,
        seat: int,
        nodes: np.ndarray,
        actions: np.ndarray,
        reach: np.ndarray,
        gains: np.ndarray,
        step: list[Link],
        deeper: bool,
    ) -> None:
        table = self.table
        _, came, private = step[-1]
        children = table.child[nodes][:, None] + actions
        density = self._density(seat, nodes, children, reach)
        total = density[:, private, came] + gains[:, came, None]
        top = int(total.argmax())
        if total.flat[top] > self.best + ENOUGH:
            self.best = float(total.flat[top])
            where = np.unravel_index(top, total.shape)
            self.change = self._trace(int(children[where[0], where[2]]), int(where[1]), step)
        if not deeper:
            return
        acting = table.actor[children]
        mine = table.private[seat]
        forced = private[:, None] == mine
        for following in range(len(table.held)):
            node, action = np.nonzero(acting == following)
            if not len(node):
                continue
            # The factor of the last step: 1 for those who hold the private part, else what the policy says.
            below = children[node, action]
            taken = self.policy[table.slot[below][:, None] + mine]
            factor = np.where(forced, 1.0, taken[:, None, :])
            factor *= reach[node][:, came]
            self.expand(following, below, factor, total[node, :, action], step, None)

    def _density(self, seat: int, nodes: np.ndarray, children: np.ndarray, reach: np.ndarray) -> np.ndarray:
        """J of algorithm 1, line 14, for one-hot policies, float[nodes, privates, chains, actions].

        The members of an infoset, with their new reach, times what each gains by the action: with the worlds
        in the order of what the seat holds, that is a product of small matrices for each infoset.
        """
        values = self.sweep.values
        worlds, there = self._sorted[seat]
        better = values[children] - values[nodes][:, None]
        one = reach[:, :, worlds].transpose(0, 2, 1, 3)
        other = (better[:, :, worlds] * there).transpose(0, 2, 3, 1)
        return np.asarray(one @ other)

    def _trace(self, child: int, number: int, step: list[Link]) -> Change:
        found = []
        for _, came, private in step[::-1]:
            found.append((child, int(private[number])))
            number = int(came[number])
            child = int(self.table.parent[child])
        return tuple(found[::-1])


def _sorted_worlds(private: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The worlds of each private part, int[privates, most worlds of one]; 1 where there is one, else 0."""
    counts = np.bincount(private)
    worlds = np.zeros((len(counts), counts.max()), dtype=np.intp)
    there = np.arange(counts.max()) < counts[:, None]
    worlds[there] = np.argsort(private, kind="stable")
    return worlds, there.astype(float)


def _pieces(nodes: int, width: int, room: int) -> list[tuple[slice, np.ndarray]]:
    """Cut nodes of equal width into pieces whose children take no more than `LARGEST` numbers, `room` each.

    A piece is a range of the nodes and the actions that are looked at; a node with very many is cut itself.
    """
    most = max(LARGEST // max(room, 1), 1)
    together = max(most // width, 1)
    return [
        (slice(first, first + together), np.arange(action, min(action + most, width)))
        for first in range(0, nodes, together)
        for action in range(0, width, most)
    ]
