"""The solvers by name, each from a random start to a policy, which is then evaluated exhaustively."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pidm.errors import PidmError
from pidm.games.ascent import ascend
from pidm.games.cfr import cfr
from pidm.games.exact import exact
from pidm.games.joint import JointOptions, joint
from pidm.games.jps import JpsOptions, jps
from pidm.games.tabular import Tabular

__all__ = ["SOLVERS", "Run", "SolverOptions", "chains", "run", "solve"]

FEASIBLE = 5e7
"""Numbers that a search over whole chains of infosets may go through in an iteration; beyond, its depth is 3,
as in the paper."""

Watch = Callable[[str, float], None]
"""Told what goes on, and which part of it is done."""


@dataclass(frozen=True)
class SolverOptions:
    """What can be set about a solver."""

    iterations: int = 1000
    """Of counterfactual regret minimisation."""
    depth: int | None = None
    """The longest chain that joint policy search changes at once, 0 for any; None for any if that is
    feasible, else 3."""
    samples: int = 0
    """Infosets, drawn at random, from which its chains start in an iteration; 0 for all."""
    kicks: int = 200_000
    """Joint changes that the local search tries at most."""
    patience: int | None = None
    """Kicks without a gain after which it ends; None for 100 an infoset, 60,000 at most."""
    target: float | None = None
    """The optimum, or the best known: with it a search that cannot know it has arrived ends."""


@dataclass(frozen=True, eq=False)
class Run:
    """One run of a solver."""

    game: str
    """The name of the game."""
    solver: str
    """The name of the solver."""
    number: int
    """Which run, from 0."""
    value: float
    """What the policy is worth, by exhaustive evaluation."""
    seconds: float
    """Of the processor: what else the machine does is not counted."""
    policy: np.ndarray
    """float[slots]."""


def chains(table: Tabular) -> float:
    """How many numbers a search over all chains of infosets goes through.

    A gain for each chain and action, and where the game goes on a reach for each of them and each world.
    """
    count = np.zeros(len(table.histories))
    count[0] = 1
    total = 0.0
    widths = np.array([len(held) for held in table.held])
    recall = [np.linalg.matrix_rank(member) == len(member) for member in table.member]
    for level in table.levels:
        seats = table.actor[level.nodes]
        above = table.actor[table.parent[level.nodes]] if level.nodes[0] else np.full(len(seats), -1)
        same = (above == seats) | np.array([level.nodes[0] > 0 and bool(recall[seat]) for seat in seats])
        grown = count[level.nodes] * np.where(same, 1, widths[seats])
        reached = np.repeat(grown, table.width[level.nodes])
        acting = table.actor[level.first : level.last] >= 0
        total += float(reached.sum() + reached[acting].sum() * table.size)
        count[level.first : level.last] = reached
    return total


def solve(
    table: Tabular,
    solver: str,
    rng: np.random.Generator,
    options: SolverOptions | None = None,
    watch: Watch | None = None,
) -> np.ndarray:
    """The policy that a solver finds from a random start."""
    if solver not in SOLVERS:
        raise PidmError(f"no solver {solver!r}; there are {', '.join(SOLVERS)}")
    return SOLVERS[solver](table, rng, options or SolverOptions(), watch or (lambda what, part: None))


def run(
    table: Tabular,
    name: str,
    solver: str,
    number: int,
    seed: int,
    options: SolverOptions,
    watch: Watch | None = None,
) -> Run:
    """One run; runs of the same seed differ by their number and by nothing else."""
    rng = np.random.default_rng([seed, number])
    started = time.process_time()
    policy = solve(table, solver, rng, options, watch)
    seconds = time.process_time() - started
    return Run(name, solver, number, table.value(policy), seconds, policy)


# ---------------------------------------------------------------------- the solvers


def _cfr(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    return table.purified(_mixed(table, rng, options, watch))


def _mixed(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    return cfr(table, rng, options.iterations, lambda k: watch("cfr", (k + 1) / options.iterations))


def _search(
    table: Tabular, policy: np.ndarray, rng: np.random.Generator, options: SolverOptions, watch: Watch
) -> np.ndarray:
    depth = options.depth
    if depth is None:
        depth = 0 if chains(table) <= FEASIBLE else 3
    limits = JpsOptions(depth, options.samples)
    return jps(table, policy, rng, limits, lambda k, value: watch(f"jps {value:.4f}", 0))


def _jps(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    return _search(table, table.random(rng), rng, options, watch)


def _cfr_jps(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    return _search(table, _mixed(table, rng, options, watch), rng, options, watch)


def _ascent(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    start = table.random_pure(rng)
    first = int(rng.integers(len(table.parts)))
    return ascend(table, start, first=first, watch=lambda k, value: watch(f"ascent {value:.4f}", 0))[0]


def _joint(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    patience = min(100 * table.infosets, 60_000) if options.patience is None else options.patience
    limits = JointOptions(options.kicks, patience, options.target)
    return joint(table, rng, limits, lambda k, value: watch(f"joint {value:.4f}", 0))


def _exact(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
    return exact(table, lambda done, total: watch("exact", done / total))


def _nets(how: str) -> Callable[[Tabular, np.random.Generator, SolverOptions, Watch], np.ndarray]:
    def solver(table: Tabular, rng: np.random.Generator, options: SolverOptions, watch: Watch) -> np.ndarray:
        from pidm.games.nets import learn

        return learn(table, rng, how, watch=watch).policy(table)

    return solver


SOLVERS: dict[str, Callable[[Tabular, np.random.Generator, SolverOptions, Watch], np.ndarray]] = {
    "cfr": _cfr,
    "jps": _jps,
    "cfr+jps": _cfr_jps,
    "ascent": _ascent,
    "joint": _joint,
    "exact": _exact,
    "pidm-alone": _nets("alone"),
    "pidm": _nets("exchange"),
    "pidm+joint": _nets("joint"),
}
"""The solvers by name; those with pidm are co-trained decision nets without exchange, with it, and with joint
changes on top."""
