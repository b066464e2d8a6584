"""Boosted trees as plain arrays say what scikit-learn's say, in any batch, and survive being written."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pidm.core.boosting import BoostedTrees, Boosting, fit

OPTIONS = Boosting(rounds=12, rate=0.3, leaves=6, fewest=10, ridge=1.0)


@pytest.fixture(scope="module")
def lessons() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    rows = np.round(rng.normal(size=(600, 4)), 2)
    return rows, np.where(rows[:, 1] > 0.3, 2.0, -1.0) + rows[:, 2], rng.uniform(0.5, 2.0, 600)


@pytest.fixture(scope="module")
def trees(lessons) -> BoostedTrees:
    return fit(*lessons, OPTIONS)


def test_the_arrays_say_what_the_fitted_trees_say(lessons, trees):
    from sklearn.ensemble import HistGradientBoostingRegressor

    rows, targets, weights = lessons
    grown = HistGradientBoostingRegressor(
        max_iter=12,
        learning_rate=0.3,
        max_leaf_nodes=6,
        min_samples_leaf=10,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=0,
    ).fit(rows, targets, sample_weight=weights)
    assert trees.predict(rows) == pytest.approx(grown.predict(rows), abs=1e-3)


def test_a_row_gets_the_same_answer_in_any_batch(lessons, trees):
    rows = lessons[0]
    alone = [trees.predict(rows[k : k + 1])[0] for k in range(300)]
    assert trees.predict(rows)[:300].tolist() == alone


def test_written_and_read_they_are_the_same(lessons, trees):
    read = BoostedTrees.from_dict(json.loads(json.dumps(trees.to_dict())), 4)
    assert read.predict(lessons[0]).tolist() == trees.predict(lessons[0]).tolist()


@pytest.mark.parametrize(
    ("nodes", "says"),
    [
        ([[0, 0.5, 0, 1], [1.0]], "no node at place 0"),  # a circle
        ([[0, 0.5, 1, 7], [1.0]], "no node at place 0"),  # out of the tree
        ([[0, 0.5, 1]], "no node at place 0"),
        ([[9, 0.5, 1, 2], [1.0], [2.0]], "tests feature 9"),
        ([[-1, 0.5, 1, 2], [1.0], [2.0]], "no node at place 0"),
    ],
)
def test_damaged_trees_are_refused(nodes, says):
    with pytest.raises(ValueError, match=says):
        BoostedTrees.from_dict({"base": 0.0, "trees": [nodes]}, 4)
