"""What the ends of games are worth, in all worlds, as far as time allows.

Utilities differ in cost by four orders of magnitude, and a decision must end in time with any of them. So
some worlds are evaluated for all ends first, then more worlds: whenever time is up, there is a set of worlds
in which everything is known, and the candidates can be compared on it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from pidm.core.game import Worlds
from pidm.core.limit import Meter
from pidm.core.player import Utility, can_stop, cost_of, worth_key

__all__ = ["Costs", "End", "evaluate"]

PROBE = 16
"""Worlds that are evaluated first when it is not known what a world costs."""
SLICE = 0.25
"""The part of the remaining time that is planned for at once: estimates go wrong."""
WHOLE = 0.8
"""The part of the remaining time that may be planned for all remaining worlds at once."""
STOPPABLE_WHOLE = 0.4
"""The same for utilities that can stop, whose times vary most: what they leave unfinished was in vain."""


class End(Protocol):
    """Where the games of some worlds end."""

    history: Any
    rows: np.ndarray
    """Ascending numbers of worlds."""
    values: np.ndarray | None
    """float[len(rows)], the worth there; NaN where not evaluated."""


class CallCost:
    """The seconds of a call with n worlds, as a line fitted to those seen, recent ones counting more.

    `estimate` is what the utility itself says that a world costs, as far as it knows by now. A world counts
    for half of that at least: many worlds at no cost were perhaps remembered, and the next ones may be new.
    """

    def __init__(self, estimate: Callable[[], float]) -> None:
        self._estimate = estimate
        hint = estimate()
        self.call, self._fitted = 0.0, hint
        self._sums = np.zeros(5)  # 1, n, t, n n, n t
        if hint:
            self._add(1, hint)
            self._add(32, 32 * hint)

    def _add(self, n: int, seconds: float) -> None:
        self._sums = 0.9 * self._sums + (1, n, seconds, n * n, n * seconds)

    def saw(self, n: int, seconds: float) -> None:
        """Remember a call."""
        self._add(n, seconds)
        one, worlds, time, squares, products = self._sums.tolist()
        spread = one * squares - worlds * worlds
        slope = (one * products - worlds * time) / spread if spread > 1e-9 * one * squares else time / worlds
        # Neither part can be negative; if the fit says so, the other part explains everything.
        self._fitted = min(max(slope, 0.0), time / worlds)
        self.call = max((time - self._fitted * worlds) / one, 0.0)

    @property
    def world(self) -> float:
        """The seconds of one world more."""
        return max(self._fitted, 0.5 * self._estimate())

    def of(self, calls: float, worlds: float) -> float:
        """The seconds of so many calls with so many worlds altogether."""
        return calls * self.call + worlds * self.world


@dataclass
class Costs:
    """What things cost on this machine, in seconds. It is used only when the limit is in seconds."""

    node: float = 0.0005
    """To look at one history."""
    nested: float = 0.005
    """To let a simulated player search."""
    _utilities: dict[int, CallCost] = field(default_factory=dict)

    def utility(self, utility: Utility) -> CallCost:
        """What this utility costs."""
        if id(utility) not in self._utilities:
            self._utilities[id(utility)] = CallCost(lambda: cost_of(utility))
        return self._utilities[id(utility)]


class _Group:
    """Ends that are worth the same in any world, so that each world is evaluated once for all of them."""

    def __init__(self, ends: list[Any]) -> None:
        self.ends = ends
        self.history = ends[0].history
        self.rows = ends[0].rows if len(ends) == 1 else np.unique(np.concatenate([end.rows for end in ends]))
        self.values = np.full(len(self.rows), np.nan)

    def distribute(self) -> None:
        for end in self.ends:
            end.values = self.values[np.searchsorted(self.rows, end.rows)]


def evaluate(
    utility: Utility, ends: Sequence[End], worlds: Worlds, seat: int, meter: Meter, costs: Costs
) -> None:
    """Fill in the values of the ends, until the meter says that time is up."""
    same: dict[Hashable, list[End]] = {}
    for end in ends:
        same.setdefault(worth_key(utility, end.history), []).append(end)
    groups = [_Group(members) for members in same.values()]
    _fill(utility, groups, worlds, seat, meter, costs.utility(utility))
    for group in groups:
        group.distribute()


def _fill(
    utility: Utility, groups: Sequence[_Group], worlds: Worlds, seat: int, meter: Meter, cost: CallCost
) -> None:
    total = len(worlds)
    density = sum(len(group.rows) for group in groups) / max(total, 1)
    start = 0
    while start < total:
        stop = total
        if meter.timed:
            whole = STOPPABLE_WHOLE if can_stop(utility) else WHOLE
            stop = min(total, start + _block(len(groups), density, total - start, meter.left, cost, whole))
            if stop == start:
                return
        for group in groups:
            first, last = np.searchsorted(group.rows, (start, stop))
            if first == last:
                continue
            rows = group.rows[first:last]
            if meter.timed and meter.left < cost.of(1, len(rows)):
                return
            started = meter.seconds
            values = _call(utility, group.history, worlds[rows], seat, meter)
            group.values[first:last] = values
            if meter.timed:
                unknown = int(np.isnan(values).sum())
                cost.saw(max(len(rows) - unknown, 1), meter.seconds - started)
                if unknown:
                    return
        start = stop


def _call(utility: Utility, history: Any, worlds: Worlds, seat: int, meter: Meter) -> np.ndarray:
    if meter.timed and can_stop(utility):
        return utility.within(history, worlds, seat, meter.left)
    return utility.evaluate(history, worlds, seat)


def _block(groups: int, density: float, worlds: int, left: float, cost: CallCost, whole: float) -> int:
    """How many of the remaining worlds to evaluate next, if each belongs to `density` of the groups."""
    if not cost.of(1, 1):
        return PROBE
    if cost.of(groups, density * worlds) <= whole * left:
        return worlds
    time = SLICE * left
    apart = time / (density * cost.of(1, 1))  # each world costs calls of its own
    together = (time - cost.of(groups, 0)) / (density * cost.world) if cost.world else 0.0
    enough = max(int(apart), int(together))
    return max(enough, 1) if density * cost.of(1, 1) <= left else 0
