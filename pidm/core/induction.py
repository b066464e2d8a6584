"""Decision trees from examples, as nodes of a net (section 4.2.3).

ID3 with binary tests: scikit-learn's entropy trees over the feature columns. An example weighs what is at
stake in it, so that states where it hardly matters what one does do not make rules. How deep a tree may grow
is settled by cross-validation: with hundreds of columns some test always parts thirty examples, by chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pidm.core.box import INF, Box
from pidm.core.choices import Proposal
from pidm.core.net import Node

__all__ = ["Induction", "Learned", "induce", "leaf", "losses_of"]

STAKE = 0.05
"""The least weight of an example, in units of the mean stake."""
EDGE = 0.01
"""What another action loses against the tag at least: a search tags by more than the mean value alone."""


class Learned(NamedTuple):
    """The source of what was learned: the examples behind it."""

    examples: int
    """How many."""
    agree: int
    """How many of them were tagged with this action."""
    loss: float = 0.0
    """What the action loses in the mean against the tags of the examples, in the units of the search."""

    def __str__(self) -> str:
        return f"{self.agree} of {self.examples} examples"


@dataclass(frozen=True)
class Induction:
    """When a tree stops growing, and when it says nothing."""

    depth: int = 3
    """The most tests one after the other."""
    leaf: int = 4
    """The fewest examples behind a leaf."""
    folds: int = 5
    """Parts of the cross-validation that chooses the depth; 0 grows all the way to `depth`."""
    least: int = 1
    """With fewer examples than this, nothing is learned."""
    firm: int = 1
    """With fewer examples than this, nothing is settled: the actions stay open, the better first."""
    caution: float = 0.0
    """By how many standard errors another action must be better than the first one, which the strategy
    prefers, to replace it."""
    tolerance: float = INF
    """A leaf that loses more than this in the mean leaves its actions open, the better first."""


def losses_of(labels: np.ndarray, actions: Sequence[int], values: np.ndarray | None = None) -> np.ndarray:
    """float[n, actions], what each action loses against the tag; 1 for every other one if `values`, float[n,
    actions], are not given or not known (NaN)."""
    wrong = (np.asarray(labels)[:, None] != np.asarray(actions)).astype(float)
    if values is None:
        return np.asarray(wrong)
    tagged = np.array([values[row, list(actions).index(label)] for row, label in enumerate(labels)])
    lost = np.maximum(tagged[:, None] - values, EDGE * wrong)
    # What is no candidate of an example must not be chosen for it: it loses as much as the worst one.
    worst = np.nanmax(np.where(np.isnan(lost), -INF, lost), axis=1, initial=0.0)
    return np.asarray(np.where(np.isnan(lost), np.maximum(worst, 1.0)[:, None] * wrong, lost))


def leaf(
    labels: np.ndarray, actions: Sequence[int], losses: np.ndarray, options: Induction
) -> list[Proposal]:
    """What a set of examples proposes: the action that loses least, or all if even that loses too much."""
    total = losses.sum(axis=0)
    best = _pick(losses, options)
    order = [best, *(k for k in np.argsort(total, kind="stable").tolist() if k != best)]
    n = len(labels)
    proposals = [
        Proposal(
            actions[k],
            Learned(n, int((labels == actions[k]).sum()), round(float(total[k]) / n, 3)),
            position,
        )
        for position, k in enumerate(order)
    ]
    source = proposals[0].source
    assert isinstance(source, Learned)
    if n >= options.firm and source.loss <= options.tolerance:
        return proposals[:1]
    tagged = set(labels.tolist())
    return [proposal for proposal in proposals if proposal.action in tagged] if len(tagged) > 1 else proposals


def _pick(losses: np.ndarray, options: Induction) -> int:
    """The action that loses least; the first one, if no other is clearly better."""
    best = int(losses.sum(axis=0).argmin())
    gain = losses[:, 0] - losses[:, best]
    error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else INF
    return best if not options.caution or gain.mean() > options.caution * error else 0


def induce(
    matrix: np.ndarray,
    features: Sequence[Hashable],
    labels: np.ndarray,
    actions: Sequence[int],
    losses: np.ndarray,
    options: Induction | None = None,
    rng: np.random.Generator | None = None,
) -> Node:
    """A tree over the columns, float[n, k], of examples with these tags.

    `features` stand in the order of preference: of tests that part the examples alike, the first is taken.
    A step of the tree tests for the higher values by a regular link; its else link is the rest.
    """
    options = options or Induction()
    rng = rng or np.random.default_rng(0)
    data = _Data(
        np.asarray(matrix, dtype=np.float64), tuple(features), labels, tuple(actions), losses, options
    )
    fitted = data.fit(np.arange(len(labels)), data.best_depth(rng))
    return data.tree(fitted, np.arange(len(labels)))


@dataclass(frozen=True, eq=False)
class _Data:
    matrix: np.ndarray
    features: tuple[Hashable, ...]
    labels: np.ndarray
    actions: tuple[int, ...]
    losses: np.ndarray
    options: Induction

    @property
    def weights(self) -> np.ndarray:
        """What is at stake: the loss of the best action that is not the tag."""
        others = np.where(self.labels[:, None] == np.asarray(self.actions), INF, self.losses)
        stakes = others.min(axis=1) if len(self.actions) > 1 else np.ones(len(self.labels))
        mean = float(stakes.mean())
        return np.maximum(stakes / mean, STAKE) if mean > 0 else np.ones(len(stakes))

    def fit(self, rows: np.ndarray, depth: int) -> Any:
        """The entropy tree of these examples, None for a single leaf."""
        if depth == 0 or len(rows) < 2 * self.options.leaf or len(set(self.labels[rows].tolist())) < 2:
            return None
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(
            criterion="entropy", max_depth=depth, min_samples_leaf=self.options.leaf, random_state=0
        )
        tree.fit(self.matrix[rows], self.labels[rows], sample_weight=self.weights[rows])
        return tree.tree_

    def best_depth(self, rng: np.random.Generator) -> int:
        """The least depth whose loss on examples left out is as good as any, within the standard error."""
        options, n = self.options, len(self.labels)
        if not options.folds or n < 2 * options.leaf:
            return options.depth
        parts = rng.permutation(n) % options.folds
        lost = np.zeros((options.depth + 1, n))
        for part in range(options.folds):
            train, test = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
            if not len(test) or not len(train):
                continue
            for depth in range(options.depth + 1):
                lost[depth, test] = self._loss(self.fit(train, depth), train, test)
        means = lost.mean(axis=1)
        best = int(means.argmin())
        for depth in range(best):
            more = lost[depth] - lost[best]
            if more.mean() <= more.std(ddof=1) / np.sqrt(n):
                return depth
        return best

    def _loss(self, fitted: Any, train: np.ndarray, test: np.ndarray) -> np.ndarray:
        """What the tree of some examples loses in each of the others."""
        if fitted is None:
            return np.asarray(self.losses[test, _pick(self.losses[train], self.options)])
        ends = fitted.apply(self.matrix[train].astype(np.float32))
        asked = fitted.apply(self.matrix[test].astype(np.float32))
        choice = {end: _pick(self.losses[train[ends == end]], self.options) for end in set(ends.tolist())}
        return np.array([self.losses[row, choice[end]] for row, end in zip(test, asked.tolist())])

    def tree(self, fitted: Any, rows: np.ndarray, number: int = 0) -> Node:
        """A fitted tree as nodes."""
        if fitted is None or fitted.children_left[number] < 0:
            return Node(proposals=leaf(self.labels[rows], self.actions, self.losses[rows], self.options))
        column, threshold = fitted.feature[number], fitted.threshold[number]
        left = self.matrix[rows, column].astype(np.float32) <= threshold
        below = self.tree(fitted, rows[left], fitted.children_left[number])
        above = self.tree(fitted, rows[~left], fitted.children_right[number])
        if not (below.children or above.children) and below.actions == above.actions:
            return Node(proposals=leaf(self.labels[rows], self.actions, self.losses[rows], self.options))
        feature, bound, swapped = self._test(rows, left)
        high, low = (below, above) if swapped else (above, below)
        high.box = Box({feature: (bound, INF)})
        return Node(children=[high], elses=[low])

    def _test(self, rows: np.ndarray, left: np.ndarray) -> tuple[Hashable, float, bool]:
        """The first column that parts the rows like this, from where the higher part starts, and whether that
        is the left one."""
        one, other = self.matrix[rows[left]], self.matrix[rows[~left]]
        rising = one.max(axis=0) < other.min(axis=0)
        falling = other.max(axis=0) < one.min(axis=0)
        column = int((rising | falling).argmax())
        swapped = bool(falling[column])
        lower, higher = (other, one) if swapped else (one, other)
        return self.features[column], _between(lower[:, column].max(), higher[:, column].min()), swapped


def _between(low: float, high: float) -> float:
    """The shortest number in the upper part of a gap, its end included: a whole one if there is one."""
    middle = (low + high) / 2
    for digits in range(7):
        bound = float(np.ceil(middle * 10**digits - 1e-9) / 10**digits)
        if low < bound <= high:
            return bound
    return float(high)
