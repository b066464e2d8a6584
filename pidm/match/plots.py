"""Plots of a match: running mean, swings, and whether what simulations expect comes true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pidm.match.duplicate import Match
from pidm.match.gains import by_pair
from pidm.match.report import unit
from pidm.match.statistics import running

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIDES_OF_95 = 1.96
_BINS = 10
_GAIN_BINS = 4


def match_plots(match: Match, folder: Path) -> list[Path]:
    """Draw what there is to draw as PNG files in a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    plots = {
        "running": running_mean,
        "swings": swing_histogram,
        "calibration": calibration,
        "gains": gain_calibration,
    }
    for name, draw in plots.items():
        figure = draw(match)
        if figure is not None:
            path = folder / f"{name}.png"
            figure.savefig(path, dpi=150)
            drawn.append(path)
    return drawn


def _figure(title: str) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.3)
    return figure, axes


def _title(match: Match) -> str:
    return " v ".join(pair.label for pair in match.setup.pairs[:2])


def running_mean(match: Match) -> Figure | None:
    """The mean after each board, with its 95 percent confidence band."""
    means, errors = running(match.points)
    figure, axes = _figure(_title(match))
    boards = np.arange(1, len(means) + 1)
    band = _SIDES_OF_95 * errors
    axes.fill_between(boards[1:], (means - band)[1:], (means + band)[1:], alpha=0.25, label="95% band")
    axes.plot(boards, means, label=f"mean, {unit(match.setup.form)} per board")
    axes.axhline(0, color="black", linewidth=0.8)
    if len(means) > 10:  # the band of the first boards would hide all the rest
        width = 1.5 * np.nanmax(np.abs(means[10:]) + band[10:]) or 1.0
        axes.set_ylim(-width, width)
    axes.set_xlabel("boards")
    axes.set_ylabel(f"A, {unit(match.setup.form)} per board")
    axes.legend()
    return figure


def swing_histogram(match: Match) -> Figure | None:
    """How often A won how much."""
    figure, axes = _figure(_title(match))
    points = np.array([result.imps for result in match.results])
    most = int(np.abs(points).max(initial=1))
    axes.hist(points, bins=np.arange(-most - 0.5, most + 1.5))
    axes.set_yscale("symlog")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("IMPs to A")
    axes.set_ylabel("boards")
    return figure


def expectations(match: Match) -> Iterator[tuple[float, float]]:
    """What a simulation expected its side to score, and what it did score."""
    for result in match.results:
        for table in result.tables[:2]:
            for at, expected in table.expected:
                place = table.seats[table.auction.seat_of(at)]
                scored = table.score(place) if place is not None else None
                if scored is not None:
                    yield expected, scored


def calibration(match: Match) -> Figure | None:
    """Expected against actual scores, in groups of equal size; None if nobody simulated."""
    found = np.array(list(expectations(match)))
    if len(found) < 2:
        return None
    figure, axes = _figure(f"{_title(match)}: {len(found)} simulated calls")
    ends = _grouped(axes, found, _BINS, "what happened (double dummy)")
    _as_expected(axes, ends)
    axes.set_xlabel("expected score, points")
    axes.set_ylabel("mean actual score, points")
    axes.legend()
    return figure


def gain_calibration(match: Match) -> Figure | None:
    """Predicted against realised gains of calls that depart from the system; None if there are none."""
    kinds = {
        "near the rules": [one for pair in (0, 1) for one in by_pair(match, pair, added=False)],
        "added to them": [one for pair in (0, 1) for one in by_pair(match, pair, added=True)],
    }
    total = sum(map(len, kinds.values()))
    if total < 2:
        return None
    figure, axes = _figure(f"{_title(match)}: {total} calls that depart from the system")
    ends: list[float] = []
    for label, gains in kinds.items():
        if gains:
            found = np.array([(one.predicted, one.realised) for one in gains])
            ends += _grouped(axes, found, _GAIN_BINS, f"{label}, {len(gains)} calls")
    _as_expected(axes, ends)
    axes.set_xlabel(f"predicted gain, {unit(match.setup.form)}")
    axes.set_ylabel(f"mean realised gain, {unit(match.setup.form)}")
    axes.legend()
    return figure


def _grouped(axes: Any, found: npt.NDArray[np.float64], bins: int, label: str) -> list[float]:
    """Draw the means of groups of equal size, with their errors; the smallest and the largest of them."""
    found = found[np.argsort(found[:, 0], kind="stable")]
    groups = [group for group in np.array_split(found, min(bins, len(found))) if len(group)]
    expected = [float(group[:, 0].mean()) for group in groups]
    actual = [float(group[:, 1].mean()) for group in groups]
    errors = [group[:, 1].std(ddof=1) / np.sqrt(len(group)) if len(group) > 1 else 0.0 for group in groups]
    axes.errorbar(expected, actual, yerr=errors, fmt="o-", label=label)
    return [min(*expected, *actual), max(*expected, *actual)]


def _as_expected(axes: Any, ends: Sequence[float]) -> None:
    """The line on which everything comes true."""
    whole = [min(ends), max(ends)]
    axes.plot(whole, whole, color="black", linewidth=0.8, label="as expected")
