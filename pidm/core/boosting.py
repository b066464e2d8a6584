"""Boosted regression trees as plain arrays: fitted by scikit-learn, asked by numpy.

All trees of a forest grow in one table of nodes. A batch of rows goes down all trees at once, a level at a
time; the values of the leaves that it ends in are added up. Nothing of scikit-learn is needed to ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["BoostedTrees", "Boosting", "fit"]

_CHUNK = 256
"""Rows that go down the trees together, so that their places stay in the processor's cache."""


@dataclass(frozen=True)
class Boosting:
    """How trees are grown."""

    rounds: int = 150
    """Trees."""
    rate: float = 0.05
    """The share of what it could explain that a tree is let to explain."""
    leaves: int = 12
    """Leaves of a tree, at most."""
    fewest: int = 40
    """Examples behind a leaf, at least."""
    ridge: float = 5.0
    """Pulls the values of leaves toward zero."""


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """A forest whose trees add up."""

    base: float
    """What is said of a row before any tree is asked."""
    roots: np.ndarray
    """intp[trees], the node where each tree begins."""
    feature: np.ndarray
    """intp[nodes], the column that a node tests; -1 for a leaf."""
    threshold: np.ndarray
    """float[nodes], up to which a row goes left."""
    left: np.ndarray
    """intp[nodes]; a leaf leads to itself."""
    right: np.ndarray
    """intp[nodes]; a leaf leads to itself."""
    value: np.ndarray
    """float[nodes], what a leaf adds; 0 elsewhere."""
    depth: int
    """Tests on the longest way down."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """float[n] for rows float[n, features]; a row gets the same answer in any batch."""
        result = np.empty(len(rows))
        column = np.maximum(self.feature, 0)
        for start in range(0, len(rows), _CHUNK):
            part = np.asarray(rows[start : start + _CHUNK], dtype=np.float64)
            at = np.broadcast_to(self.roots, (len(part), len(self.roots)))
            which = np.arange(len(part))[:, None]
            for _ in range(self.depth):
                goes_left = part[which, column[at]] <= self.threshold[at]
                at = np.where(goes_left, self.left[at], self.right[at])
            # One sum a row: the order of the additions must not depend on the batch.
            values = np.ascontiguousarray(self.value[at])
            result[start : start + _CHUNK] = [self.base + float(row.sum()) for row in values]
        return result

    def to_dict(self) -> dict[str, Any]:
        """As plain data: each tree as a list of nodes, `[feature, threshold, left, right]` or `[value]`."""
        ends = [*self.roots[1:].tolist(), len(self.feature)]
        trees = []
        for start, end in zip(self.roots.tolist(), ends):
            nodes: list[list[float]] = []
            for node in range(start, end):
                if self.feature[node] < 0:
                    nodes.append([float(self.value[node])])
                else:
                    left, right = int(self.left[node]) - start, int(self.right[node]) - start
                    nodes.append([int(self.feature[node]), float(self.threshold[node]), left, right])
            trees.append(nodes)
        return {"base": self.base, "trees": trees}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], features: int) -> BoostedTrees:
        """From plain data, for rows of so many features; `ValueError` if it is not a forest."""
        made = _forest(float(data["base"]), data["trees"])
        if made.feature.max(initial=-1) >= features:
            raise ValueError(f"a tree tests feature {made.feature.max()}, where rows have {features}")
        return made


def fit(rows: np.ndarray, targets: np.ndarray, weights: np.ndarray, options: Boosting) -> BoostedTrees:
    """The forest that explains the targets, float[n], by the rows, float[n, features]."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    grower = HistGradientBoostingRegressor(
        max_iter=options.rounds,
        learning_rate=options.rate,
        max_leaf_nodes=options.leaves,
        min_samples_leaf=options.fewest,
        l2_regularization=options.ridge,
        early_stopping=False,
        random_state=0,
    )
    # Trees are small: threads that wait for each other take longer than one alone, on a busy machine by far.
    with threadpool_limits(1):
        grown = grower.fit(rows, targets, sample_weight=weights)
    trees = []
    for (predictor,) in grown._predictors:
        nodes = predictor.nodes
        trees.append(
            [
                [round(float(node["value"]), 5)]
                if node["is_leaf"]
                else [
                    int(node["feature_idx"]),
                    float(node["num_threshold"]),
                    int(node["left"]),
                    int(node["right"]),
                ]
                for node in nodes
            ]
        )
    return _forest(round(float(grown._baseline_prediction.ravel()[0]), 5), trees)


def _forest(base: float, trees: list[list[list[float]]]) -> BoostedTrees:
    roots: list[int] = []
    feature: list[int] = []
    left: list[int] = []
    right: list[int] = []
    threshold: list[float] = []
    value: list[float] = []
    depth = 0
    for tree in trees:
        start = len(feature)
        roots.append(start)
        for place, node in enumerate(tree):
            leaf = len(node) == 1
            # Nodes stand after the one that leads to them, so that no way down can turn in a circle.
            if not leaf and not (
                len(node) == 4 and node[0] >= 0 and place < min(node[2:]) and max(node[2:]) < len(tree)
            ):
                raise ValueError(f"{node} is no node at place {place} of a tree of {len(tree)}")
            feature.append(-1 if leaf else int(node[0]))
            threshold.append(0.0 if leaf else float(node[1]))
            left.append(start + (place if leaf else int(node[2])))
            right.append(start + (place if leaf else int(node[3])))
            value.append(float(node[0]) if leaf else 0.0)
        depth = max(depth, _depth(tree))
    return BoostedTrees(
        base,
        np.array(roots, dtype=np.intp),
        np.array(feature, dtype=np.intp),
        np.array(threshold),
        np.array(left, dtype=np.intp),
        np.array(right, dtype=np.intp),
        np.array(value),
        depth,
    )


def _depth(tree: list[list[float]]) -> int:
    deep = [0] * len(tree)
    for place, node in enumerate(tree):
        if len(node) == 4:
            for child in node[2:]:
                deep[int(child)] = deep[place] + 1
    return max(deep)
