"""Learning from tags: the correction of the look, and what it is worth by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pidm.core.boosting import BoostedTrees, Boosting, fit
from pidm.training.value_tags import Tagged


@dataclass(frozen=True, eq=False)
class Lessons:
    """Tags as rows to learn from, one for every call but that of the rules."""

    rows: np.ndarray
    """float[n, stakes]."""
    standing: np.ndarray
    """float[n], what the call gains as it stands."""
    halves: np.ndarray
    """float[n, 2], what it gains by its tag, in each half of the worlds."""
    decision: np.ndarray
    """intp[n], the number of the decision that it belongs to."""
    weight: np.ndarray
    """float[n], how many decisions of self-play its decision stands for."""

    def take(self, rows: np.ndarray) -> Lessons:
        """Some of the rows."""
        return Lessons(
            self.rows[rows],
            self.standing[rows],
            self.halves[rows],
            self.decision[rows],
            self.weight[rows],
        )


def lessons_of(tags: Sequence[Tagged], guarded: bool = True) -> Lessons:
    """The rows of some tags; `guarded` values count our contracts as doubled where they are well down."""
    counts = [len(one.calls) - 1 for one in tags]
    values = [one.guarded if guarded else one.plain for one in tags]
    return Lessons(
        np.concatenate([one.rows[1:] for one in tags]),
        np.concatenate([one.standing[1:] for one in tags]),
        np.concatenate([one[1:] for one in values]),
        np.repeat(np.arange(len(tags)), counts),
        np.repeat([one.weight for one in tags], counts),
    )


def learned(lessons: Lessons, options: Boosting) -> BoostedTrees:
    """The trees that correct what calls gain as they stand."""
    target = lessons.halves.mean(axis=1) - lessons.standing
    return fit(lessons.rows, target, lessons.weight, options)


def foretold(lessons: Lessons, options: Boosting, folds: int = 5, seed: int = 0) -> np.ndarray:
    """float[n], the value of every row by trees that have not seen its decision."""
    result = np.zeros(len(lessons.rows))
    for held, others in folds_of(lessons, folds, seed):
        trees = learned(lessons.take(others), options)
        result[held] = lessons.standing[held] + trees.predict(lessons.rows[held])
    return result


def folds_of(lessons: Lessons, folds: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The rows of some decisions and those of all others, until every decision had its turn."""
    rng = np.random.default_rng(seed)
    decisions = np.unique(lessons.decision)
    fold = (rng.permutation(len(decisions)) % folds)[np.searchsorted(decisions, lessons.decision)]
    for number in range(folds):
        held = fold == number
        if held.any() and not held.all():
            yield np.flatnonzero(held), np.flatnonzero(~held)


def gain(lessons: Lessons, values: np.ndarray, threshold: float) -> tuple[float, float, float]:
    """What is won a decision by calling the best by these values where it gains the threshold, by the tags;
    its standard error, and how often that is."""
    won: dict[int, float] = {}
    weight: dict[int, float] = {}
    best: dict[int, float] = {}
    for row, number in enumerate(lessons.decision.tolist()):
        won.setdefault(number, 0.0)
        weight[number] = float(lessons.weight[row])
        if values[row] >= max(threshold, best.get(number, threshold)):
            best[number] = float(values[row])
            won[number] = float(lessons.halves[row].mean())
    gains = np.array(list(won.values()))
    weights = np.array([weight[number] for number in won])
    mean = float((gains * weights).sum() / weights.sum())
    error = float(np.sqrt((weights**2 * (gains - mean) ** 2).sum()) / weights.sum())
    share = float(sum(weight[number] for number in best) / weights.sum())
    return mean, error, share
