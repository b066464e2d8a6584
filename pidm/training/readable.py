"""What the tags teach, as a page of rules: small regression trees over what is at stake, in a player's words.

ID3 as in section 4.2.3, with the mean of the IMPs gained in place of a vote. A small tree keeps less than the
boosted trees know; it is for reading.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pidm.reading.stakes import KINDS, STAKES
from pidm.training.value_learning import Lessons, folds_of

FEWEST = 25
"""Calls behind a rule, at least."""
YES_OR_NO = ("game", "judged", "we_vul", "they_vul", "theirs", "acted", "forcing")
"""Stakes that hold or do not."""
Demands = dict[int, tuple[float, float]]
"""What a rule asks of the columns: more than the first, at most the second number."""


class Advice(NamedTuple):
    """A rule: a call like this gains so much on the call of the rules."""

    bounds: Demands
    gain: float
    """IMPs, in the mean of its calls."""
    error: float
    calls: int
    """How many tagged calls are behind it."""

    def __str__(self) -> str:
        asked = "; ".join(_words(column, *bounds) for column, bounds in sorted(self.bounds.items()))
        return f"{asked or 'any call'}: {self.gain:+.1f} IMPs ({self.error:.1f}), {self.calls} calls"


def grown(lessons: Lessons, depth: int) -> Any:
    """A tree that foretells what calls gain."""
    from sklearn.tree import DecisionTreeRegressor

    tree = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=FEWEST, random_state=0)
    return tree.fit(lessons.rows, lessons.halves.mean(axis=1), sample_weight=lessons.weight)


def foretold_by_tree(lessons: Lessons, depth: int, folds: int = 5, seed: int = 0) -> np.ndarray:
    """float[n], the value of every row by a tree that has not seen its decision."""
    result = np.zeros(len(lessons.rows))
    for held, others in folds_of(lessons, folds, seed):
        result[held] = grown(lessons.take(others), depth).predict(lessons.rows[held])
    return result


def advice(lessons: Lessons, depth: int, least: float) -> list[Advice]:
    """The rules of a tree by which calls gain at least so many IMPs, the best first."""
    tree = grown(lessons, depth).tree_
    values = lessons.halves.mean(axis=1)
    leaf_of = tree.apply(lessons.rows.astype(np.float32))
    found = []
    stack: list[tuple[int, Demands]] = [(0, {})]
    while stack:
        node, bounds = stack.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            mine = values[leaf_of == node]
            mean = float(tree.value[node].ravel()[0])
            if mean >= least:
                error = float(mine.std(ddof=1) / len(mine) ** 0.5)
                found.append(Advice(bounds, mean, error, len(mine)))
            continue
        column, threshold = int(tree.feature[node]), float(tree.threshold[node])
        low, high = bounds.get(column, (-np.inf, np.inf))
        stack.append((left, {**bounds, column: (low, min(high, threshold))}))
        stack.append((right, {**bounds, column: (max(low, threshold), high)}))
    return sorted(found, key=lambda one: -one.gain)


def page(lessons: Lessons, depth: int, least: float) -> str:
    """The rules as a page of Markdown."""
    lines = [
        "# What the tags teach, as rules",
        "",
        f"Learned from {len(np.unique(lessons.decision))} decisions of self-play, by a tree of {depth} tests "
        f"at most. A call that fits one of these gains at least {least:g} IMPs on the call of the rules.",
        "",
        *(f"- {one}" for one in advice(lessons, depth, least)),
    ]
    return "\n".join(lines) + "\n"


def _words(column: int, low: float, high: float) -> str:
    stake = STAKES[column]
    if stake.name in ("kind", "own_kind"):
        kinds = [kind for number, kind in enumerate(KINDS) if low < number <= high]
        return f"{stake.about}: {' or '.join(kinds)}"
    if stake.name in YES_OR_NO:
        return stake.about if low >= 0 else f"not: {stake.about}"
    if np.isinf(low):
        return f"{stake.about} up to {_number(high)}"
    if np.isinf(high):
        return f"{stake.about} above {_number(low)}"
    return f"{stake.about} above {_number(low)} up to {_number(high)}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
