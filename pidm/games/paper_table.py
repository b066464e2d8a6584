"""Runs as a table beside the paper's numbers, as CSV, as data and as a plot."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pidm.games.solvers import Run

__all__ = ["PAPER", "Row", "as_csv", "as_data", "plot", "rows"]

PAPER: dict[str, dict[str, float]] = {
    "communication_3": {"cfr": 0.89, "cfr+jps": 1.00, "best": 1.00},
    "communication_5": {"cfr": 0.85, "cfr+jps": 1.00, "best": 1.00},
    "communication_6": {"cfr": 0.85, "cfr+jps": 1.00, "best": 1.00},
    "communication_7": {"cfr": 0.85, "cfr+jps": 1.00, "best": 1.00},
    "mini_hanabi": {"cfr": 9.11, "cfr+jps": 9.50, "best": 10},
    "simple_bidding_4": {"cfr": 2.18, "cfr+jps": 2.20, "best": 2.25},
    "simple_bidding_8": {"cfr": 4.96, "cfr+jps": 5.00, "best": 5.06},
    "simple_bidding_16": {"cfr": 10.47, "cfr+jps": 10.56, "best": 10.75},
    "two_suit_3": {"cfr": 1.01, "cfr+jps": 1.07, "best": 1.13},
    "two_suit_4": {"cfr": 1.62, "cfr+jps": 1.71, "best": 1.84},
    "two_suit_5": {"cfr": 2.60, "cfr+jps": 2.74, "best": 2.89},
}
"""Table 1 of the JPS paper: means over 1,000 runs after 1,000 iterations, and the best known."""

CLOSE = 1e-6
"""Values that differ by less are the same."""


@dataclass(frozen=True)
class Row:
    """All runs of one solver on one game."""

    game: str
    """The game."""
    solver: str
    """The solver."""
    runs: int
    """How many."""
    mean: float
    """The mean value."""
    error: float
    """Its standard error; NaN of one run."""
    best: float
    """The best run."""
    optimum: float | None
    """The best that is possible, if it is known."""
    best_known: float | None
    """If it is not: the best that anyone has reached."""
    reached: int
    """How many runs reached the optimum; if that is not known, the best known, these runs included."""
    paper: float | None
    """What the JPS paper reports for this solver, if it does."""
    seconds: float
    """The mean time of a run."""


def rows(
    runs: Sequence[Run], optima: dict[str, float | None], known: dict[str, float | None] | None = None
) -> list[Row]:
    """A row for each game and solver, in the order of the runs."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for one in runs:
        groups.setdefault((one.game, one.solver), []).append(one)
    found = []
    for (game, solver), members in groups.items():
        values = np.array([one.value for one in members])
        optimum = optima.get(game)
        best_known = (known or {}).get(game)
        goal = optimum
        if goal is None:
            goal = max(best_known or -np.inf, *(one.value for one in runs if one.game == game))
        error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
        found.append(
            Row(
                game,
                solver,
                len(members),
                float(values.mean()),
                error,
                float(values.max()),
                optimum,
                best_known,
                int((values >= goal - CLOSE).sum()),
                PAPER.get(game, {}).get(solver),
                float(np.mean([one.seconds for one in members])),
            )
        )
    return found


def as_csv(runs: Sequence[Run], seed: int) -> str:
    """A line for each run."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "solver", "seed", "run", "value", "seconds"])
    for one in runs:
        writer.writerow([one.game, one.solver, seed, one.number, f"{one.value:.9g}", f"{one.seconds:.3f}"])
    return text.getvalue()


def as_data(found: Sequence[Row], runs: Sequence[Run], seed: int) -> dict[str, Any]:
    """Everything as plain data, for JSON."""
    return {
        "seed": seed,
        "rows": [{**vars(row), "error": None if np.isnan(row.error) else row.error} for row in found],
        "runs": [
            {
                "game": one.game,
                "solver": one.solver,
                "run": one.number,
                "value": one.value,
                "seconds": one.seconds,
            }
            for one in runs
        ],
    }


def plot(runs: Sequence[Run], optima: dict[str, float | None], path: Path) -> None:
    """A panel for each game: the value of every run by solver, the optimum, and the paper's means."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(one.game for one in runs))
    solvers = list(dict.fromkeys(one.solver for one in runs))
    figure = Figure(figsize=(1.2 + max(3.2, 0.9 * len(solvers)) * len(games), 4), layout="constrained")
    rng = np.random.default_rng(0)
    for panel, game in enumerate(games):
        axes = figure.add_subplot(1, len(games), panel + 1)
        axes.set_title(game, fontsize=10)
        for place, solver in enumerate(solvers):
            values = [one.value for one in runs if one.game == game and one.solver == solver]
            if not values:
                continue
            spread = rng.uniform(-0.15, 0.15, len(values))
            axes.plot(place + spread, values, "o", alpha=0.5, markersize=4)
            axes.hlines(np.mean(values), place - 0.3, place + 0.3, color="black")
            published = PAPER.get(game, {}).get(solver)
            if published is not None:
                axes.plot([place], [published], "x", color="red", label="JPS paper")
        optimum = optima.get(game)
        if optimum is not None:
            axes.axhline(optimum, color="green", linewidth=0.8, label="optimum")
        axes.set_xticks(range(len(solvers)), solvers, rotation=30, ha="right")
        axes.grid(alpha=0.3)
        handles = dict(zip(*axes.get_legend_handles_labels()[::-1]))
        if handles:
            axes.legend(handles.values(), handles.keys(), fontsize=8)
    figure.savefig(path, dpi=150)
