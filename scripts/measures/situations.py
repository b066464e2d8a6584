"""What the tags of generations teach, by cross-validation: scripts/measure situations DIRECTORY.

DIRECTORY is one of `pidm cotrain --generations`. Every figure is in IMPs a decision that a look could change,
over the call of the rules, by the tags of decisions that nothing was learned from:

    all there is      the best call by one half of the worlds, judged by the other half
    as they stand     bids where the rules pass that gain an IMP even if doubled: the look without learning
    boosted trees     what is learned, and the same without what calls are worth as they stand
    trees of N tests  the page for readers
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from pidm.core.boosting import Boosting
from pidm.reading.stakes import KINDS, NAMES
from pidm.training.generations import read_tags
from pidm.training.readable import foretold_by_tree
from pidm.training.value_learning import Lessons, foretold, gain, lessons_of

STANDING = ("gain", "gain_doubled", "gain_on_pass", "chance", "margin", "their_margin", "best_margin")
"""What says what contracts are worth as they stand."""
SHORT_POINTS, SHORT_CARDS = 3, 0
"""What a hand may differ from what the call shows, for the look."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("directory", type=Path, help="of pidm cotrain --generations")
    parser.add_argument("--threshold", type=float, default=0.5, help="IMPs that a call must gain (0.5)")


def measure(options: argparse.Namespace) -> None:
    """Print the table."""
    folders = sorted(options.directory.glob("generation-*"))
    tags = [tag for folder in folders for tag in read_tags(folder / "tags.jsonl")]
    lessons = lessons_of(tags)
    found = {name: gain(of, values, least) for name, of, values, least in _rows(lessons, options.threshold)}
    if options.json:
        print(json.dumps({"tags": len(tags), **{name: list(one) for name, one in found.items()}}))
        return
    print(f"{len(tags)} tags, {len(lessons.rows)} calls")
    for name, (mean, error, share) in found.items():
        print(f"{name:40s} {mean:+.3f} ({error:.3f}), another call in {share:.1%}")


def _rows(lessons: Lessons, threshold: float) -> list[tuple[str, Lessons, np.ndarray, float]]:
    other_half = replace(lessons, halves=lessons.halves[:, [1, 1]])
    blind = [k for k, name in enumerate(NAMES) if name not in STANDING]
    without = replace(lessons, rows=lessons.rows[:, blind], standing=np.zeros(len(lessons.rows)))
    return [
        ("all there is", other_half, lessons.halves[:, 0], 1.0),
        ("as they stand", lessons, _as_they_stand(lessons), 1.0),
        ("boosted trees", lessons, foretold(lessons, Boosting()), threshold),
        ("boosted trees without values", lessons, foretold(without, Boosting()), threshold),
        *((f"a tree of {n} tests", lessons, foretold_by_tree(lessons, n), threshold) for n in (4, 5, 6)),
    ]


def _as_they_stand(lessons: Lessons) -> np.ndarray:
    column = {name: lessons.rows[:, k] for k, name in enumerate(NAMES)}
    bids = (column["own_kind"] == KINDS.index("pass")) & (column["kind"] > KINDS.index("double"))
    fits = (column["points_off"] <= SHORT_POINTS) & (column["cards_off"] <= SHORT_CARDS)
    return np.where(bids & fits & (column["forcing"] == 0), lessons.standing, -np.inf)
