"""Iterated local search with joint kicks, over plans for what both players may hold.

A pure policy is a plan: at the start, who acts parts what it may hold among its actions; after each action
the players know that the actor holds one of that part, and a plan for the rest follows, with smaller sets. So
a change at one place (move some holdings of the actor to another action) comes with new plans for both
players behind it, which is what no player can change alone. The best plan found for a rest of the game and
sets of holdings is remembered and used wherever these are met again; a plan for sets that are new is made
from that for the nearest ones known. Where nobody has a choice after it, an action is chosen for each holding
by itself. A search that gets nowhere begins again from another random plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pidm.games.merged import Merged
from pidm.games.tabular import Tabular

__all__ = ["JointOptions", "joint"]

ENOUGH = 1e-9
"""A gain below this is none."""

NEST, TRIES = 2, 3
"""How deep kicks lead to kicks in what follows, before they are judged, and how many there."""
FRESH = 600
"""Kicks without a gain after which it begins again from another random plan; half of those that led to the
last gain come on top, so that a search that still gets on is given time."""
CALM, SINGLE = (0.15, 0.7), 0.7
"""The chance that a kick ends after a move, for strong kicks and for light ones, and that a move is one of a
single holding."""

Sets = tuple[int, ...]
"""What each seat may hold, one bit for each private part."""
Key = tuple[int, Sets]
"""A rest of the game with what the seats may hold when it begins."""
Parts = tuple[int, ...]
"""For each action, those holdings of the actor that take it."""


@dataclass(frozen=True)
class JointOptions:
    """How long to search."""

    kicks: int = 100_000
    """Joint changes to try, at most."""
    patience: int = 3000
    """Kicks without a gain after which it ends."""
    target: float | None = None
    """A value with which it ends, if one is known that cannot be beaten."""


def joint(
    table: Tabular,
    rng: np.random.Generator,
    options: JointOptions | None = None,
    watch: Callable[[int, float], None] | None = None,
) -> np.ndarray:
    """The best policy found from a random start, as float[slots]."""
    options = options or JointOptions()
    target = table.bound if options.target is None else options.target
    merged = Merged(table)
    search = best = _Plans(merged, rng)
    value = top = search.start(search.root)
    idle, begun, gained = 0, 0, 0
    for number in range(options.kicks):
        if top >= target - ENOUGH or idle >= options.patience:
            break
        if number - gained >= FRESH + (gained - begun) / 2:
            search = _Plans(merged, rng)
            value, begun, gained = search.start(search.root), number, number
        search.kick(search.root)
        reached = search.value(search.root)
        if reached > value + ENOUGH:
            gained = number
        idle += 1
        value = reached
        if value > top + ENOUGH:
            best, top, idle = search, value, 0
        if watch is not None:
            watch(number, top)
    return best.policy()


class _Plans:
    """The best plans known, from one random start on."""

    def __init__(self, merged: Merged, rng: np.random.Generator) -> None:
        self.merged, self.dice = merged, _Dice(rng)
        self.rests = merged.rests
        table = merged.table
        full = tuple((1 << len(held)) - 1 for held in table.held)
        self.root: Key = (merged.root, full)
        self.plans: dict[Key, tuple[float, Parts]] = {}
        """With what they are worth."""
        self.ends: dict[Key, float] = {}
        """What rests are worth in which nobody has a choice."""
        self._columns: dict[tuple[int, Sets], list[float]] = {}
        self._best: dict[Key, tuple[list[float], list[int]]] = {}
        self._worths = self._decided()
        self._actors = [rest.actor if worth is None else -1 for rest, worth in zip(self.rests, self._worths)]
        """Who chooses at each rest; -1 where nobody does."""
        self._children = [rest.children for rest in self.rests]
        self._last = {
            number: np.array([self._worths[child] for child in rest.children])
            for number, rest in enumerate(self.rests)
            if self._actors[number] >= 0 and all(self._actors[child] < 0 for child in rest.children)
        }

    def _decided(self) -> list[np.ndarray | None]:
        """The worth of each rest in which nobody has a choice any more, as that of an end; else None."""
        worths: list[np.ndarray | None] = []
        for rest in self.rests:
            forced = rest.actor >= 0 and len(rest.children) == 1
            worths.append(worths[rest.children[0]] if forced else rest.worth)
        return worths

    # ------------------------------------------------------------------ values

    def value(self, key: Key, like: Key | None = None) -> float:
        """What the best plan known is worth; if there is none, make one like that for other sets."""
        number, sets = key
        if 0 in sets:
            return 0.0
        if self._actors[number] < 0:
            return self._end(key)
        found = self.plans.get(key)
        if found is None:
            found = self._make(key, like)
            self.plans[key] = found
        return found[0]

    def _end(self, key: Key) -> float:
        """The sum over all worlds that are left, of columns for what the first seat may hold."""
        found = self.ends.get(key)
        if found is None:
            number, (first, *others) = key
            columns = self._columns.get((number, tuple(others)))
            if columns is None:
                columns = self._sums(number, tuple(others))
            found = 0.0
            while first:
                low = first & -first
                found += columns[low.bit_length() - 1]
                first ^= low
            self.ends[key] = found
        return found

    def _sums(self, number: int, others: Sets) -> list[float]:
        """By what the first seat holds, the worth of an end where the other seats hold one of theirs."""
        table, worth = self.merged.table, self._worths[number]
        assert worth is not None
        left = worth * self._left((-1, *others), 0)
        columns: list[float] = np.bincount(table.private[0], left, len(table.held[0])).tolist()
        self._columns[number, others] = columns
        return columns

    def _left(self, sets: Sets, actor: int) -> np.ndarray:
        """float[worlds], 1 where all seats but one hold one of theirs."""
        table = self.merged.table
        left = np.ones(table.size)
        for seat, held in enumerate(sets):
            if seat != actor:
                size = len(table.held[seat])
                octets = np.frombuffer(held.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
                left *= np.unpackbits(octets, bitorder="little")[table.private[seat]]
        return left

    def _best_last(self, key: Key) -> tuple[float, Parts]:
        """The best plan where every action is the last: each holding takes its best one."""
        number, sets = key
        actor = self._actors[number]
        others = (number, _with(sets, actor, 0))
        found = self._best.get(others)
        if found is None:
            worths = (self._last[number] * self._left(sets, actor)) @ self.merged.table.member[actor]
            found = self._best[others] = worths.max(axis=0).tolist(), worths.argmax(axis=0).tolist()
        values, actions = found
        best, parts = 0.0, [0] * len(self._children[number])
        for bit in _bits(sets[actor]):
            private = bit.bit_length() - 1
            parts[actions[private]] |= bit
            best += values[private]
        return best, tuple(parts)

    def _make(self, key: Key, like: Key | None) -> tuple[float, Parts]:
        """A plan for sets that are new: the one for `like`, new holdings put where they gain most."""
        number, sets = key
        if number in self._last:
            return self._best_last(key)
        if like is None or like not in self.plans:
            return self._constant(key)
        mine = sets[self._actors[number]]
        _, old = self.plans[like]
        parts = [part & mine for part in old]
        for bit in _bits(mine & ~_union(old)):
            best, where = -np.inf, 0
            for k in range(len(parts)):
                gain = self._child(key, k, parts[k] | bit, like, old[k]) - self._child(
                    key, k, parts[k], like, old[k]
                )
                if gain > best:
                    best, where = gain, k
            parts[where] |= bit
        return self._worth(key, tuple(parts), like, old), tuple(parts)

    def _constant(self, key: Key) -> tuple[float, Parts]:
        """The best plan in which all holdings take the same action."""
        mine = key[1][self.rests[key[0]].actor]
        width = len(self.rests[key[0]].children)
        values = [self._child(key, k, mine, None, 0) for k in range(width)]
        best = max(range(width), key=values.__getitem__)
        return values[best], tuple(mine if k == best else 0 for k in range(width))

    def start(self, key: Key) -> float:
        """A random plan, to begin with."""
        number, sets = key
        rest = self.rests[number]
        if 0 in sets or self._actors[number] < 0 or number in self._last:
            return self.value(key)
        if key not in self.plans:
            parts = [0] * len(rest.children)
            for bit in _bits(sets[rest.actor]):
                parts[self.dice.below(len(parts))] |= bit
            total = 0.0
            for child, part in zip(rest.children, parts):
                total += self.start((child, _with(sets, rest.actor, part)))
            self.plans[key] = (total, tuple(parts))
        return self.plans[key][0]

    def _child(self, key: Key, action: int, part: int, like: Key | None, old: int) -> float:
        """The value behind an action when these holdings take it."""
        if not part:
            return 0.0
        number, sets = key
        actor, child = self._actors[number], self._children[number][action]
        below = (child, _with(sets, actor, part))
        if self._actors[child] < 0:
            found = self.ends.get(below)
            return self._end(below) if found is None else found
        plan = self.plans.get(below)
        if plan is None:
            near = None
            if like is not None and old:
                near = (child, _with(like[1], actor, old))
            plan = self.plans[below] = self._make(below, near)
        return plan[0]

    def _worth(self, key: Key, parts: Parts, like: Key, old: Parts) -> float:
        """The value of parting the holdings like this; new plans behind it are made like those of `like`."""
        return sum(self._child(key, k, part, like, old[k]) for k, part in enumerate(parts))

    # ------------------------------------------------------------------ search

    def kick(self, top: Key, depth: int = 0) -> None:
        """Change the plan at a random place that is reached, climb from there, and keep what is no worse."""
        path = self._walk(top)
        if not path:
            return
        key = path[self.dice.below(len(path))]
        value, parts = self.plans[key]
        tried = self._shaken(parts)
        if depth < NEST:
            number, sets = key
            rest = self.rests[number]
            for k, part in enumerate(tried):
                if part and part != parts[k]:
                    self._child(key, k, part, key, parts[k])
                    below = (rest.children[k], _with(sets, rest.actor, part))
                    for _ in range(TRIES):
                        self.kick(below, depth + 1)
        tried_value, tried = self._climb(key, tried)
        value = self._worth(key, parts, key, parts)
        if tried_value >= value - ENOUGH:
            self.plans[key] = (max(tried_value, value), tried)
        for above in path[path.index(key) :: -1]:
            _, plan = self.plans[above]
            self.plans[above] = (self._worth(above, plan, above, plan), plan)

    def _walk(self, key: Key) -> list[Key]:
        """The places that a random game from there on comes through, but for the last: there all is best."""
        path: list[Key] = []
        while (actor := self._actors[key[0]]) >= 0 and 0 not in key[1] and key[0] not in self._last:
            path.append(key)
            self.value(key)
            parts = self.plans[key][1]
            used = [k for k, part in enumerate(parts) if part]
            action = used[self.dice.below(len(used))]
            key = (self._children[key[0]][action], _with(key[1], actor, parts[action]))
        return path

    def _shaken(self, parts: Parts) -> Parts:
        """Some times, move a holding, or all that take one action, to another action."""
        new = list(parts)
        width = len(new)
        calm = CALM[self.dice.below(len(CALM))]
        while width > 1:
            used = [k for k in range(width) if new[k]]
            source, goal = used[self.dice.below(len(used))], self.dice.below(width)
            if goal != source:
                moved = new[source]
                if self.dice.chance(SINGLE):
                    bits = _bits(moved)
                    moved = bits[self.dice.below(len(bits))]
                new[source] &= ~moved
                new[goal] |= moved
            if self.dice.chance(calm):
                break
        return tuple(new)

    def _climb(self, key: Key, parts: Parts) -> tuple[float, Parts]:
        """Move one holding at a time to where it gains, until none does."""
        base = self.plans[key][1]
        now = [self._child(key, k, part, key, base[k]) for k, part in enumerate(parts)]
        new = list(parts)
        width = len(new)
        improved = True
        while improved and width > 1:
            improved = False
            moves = [(k, bit) for k in range(width) for bit in _bits(new[k])]
            for source, bit in self.dice.shuffled(moves):
                if not new[source] & bit:
                    continue
                rest = self._child(key, source, new[source] & ~bit, key, new[source])
                for goal in self.dice.shuffled(range(width)):
                    if goal == source:
                        continue
                    there = self._child(key, goal, new[goal] | bit, key, new[goal])
                    if rest + there > now[source] + now[goal] + ENOUGH:
                        new[source] &= ~bit
                        new[goal] |= bit
                        now[source], now[goal] = rest, there
                        improved = True
                        break
        return self._worth(key, tuple(new), key, base), tuple(new)

    # ------------------------------------------------------------------ result

    def policy(self) -> np.ndarray:
        """The plan as a policy; the first action wherever it does not lead."""
        table = self.merged.table
        policy = table.purified(np.zeros(table.slots))
        todo: list[tuple[int, Key]] = [(0, self.root)]
        while todo:
            node, key = todo.pop()
            rest = self.rests[key[0]]
            if self._actors[key[0]] < 0:
                continue
            self.value(key)
            children = np.arange(table.child[node], table.child[node] + table.width[node])
            for action, part in enumerate(self.plans[key][1]):
                for bit in _bits(part):
                    private = bit.bit_length() - 1
                    policy[table.slot[children] + private] = 0.0
                    policy[table.slot[children[action]] + private] = 1.0
                if part:
                    below = _with(key[1], rest.actor, part)
                    todo.append((int(children[action]), (rest.children[action], below)))
        return policy


T = TypeVar("T")


class _Dice:
    """Random numbers drawn many at a time: one by one they would cost more than the search itself."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._drawn: list[float] = []

    def _next(self) -> float:
        if not self._drawn:
            self._drawn = self._rng.random(4096).tolist()
        return self._drawn.pop()

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self._next() * n)

    def chance(self, share: float) -> bool:
        """True in this share of the cases."""
        return self._next() < share

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """The same in random order."""
        new = list(things)
        for k in range(len(new) - 1, 0, -1):
            other = self.below(k + 1)
            new[k], new[other] = new[other], new[k]
        return new


def _with(sets: Sets, seat: int, part: int) -> Sets:
    """The same sets, but for what one seat may hold."""
    return (*sets[:seat], part, *sets[seat + 1 :])


def _bits(mask: int) -> list[int]:
    """The holdings of a set, each as a set of its own."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low)
        mask ^= low
    return found


def _union(parts: Parts) -> int:
    total = 0
    for part in parts:
        total |= part
    return total
