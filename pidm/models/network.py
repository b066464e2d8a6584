"""A small network that says how likely each call is, for a batch of hands in one auction.

Two hidden layers; two heads, one for the call itself and one for its relative kind, whose sum is the score of
a call; a softmax over the legal calls. It is learned by Adam with a falling rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pidm.models.context import Context
from pidm.models.inputs import Floats, Masks, hand_inputs, suit_inputs
from pidm.models.layers import HIDDEN, Adam, Layers, Weights, fresh_weights
from pidm.threads import one_thread

Real = TypeVar("Real", np.float32, np.float64)

NEVER = np.float32(-1e9)
"""The score of a call that is not legal."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Calls that were made: hands, the auctions they were in, and what they called."""

    masks: Masks
    """uint16[n, 4], the hands."""
    which: npt.NDArray[np.intp]
    """intp[n], the context of each."""
    contexts: tuple[Context, ...]
    """The different auctions."""
    calls: npt.NDArray[np.intp]
    """intp[n], the call that was made."""

    def __len__(self) -> int:
        return len(self.calls)

    def take(self, rows: npt.NDArray[np.intp]) -> Examples:
        """Some of them."""
        return Examples(self.masks[rows], self.which[rows], self.contexts, self.calls[rows])


class Predictor(Protocol):
    """What says how likely calls are, such as a `Network`."""

    def hand_part(self, masks: Masks) -> Floats:
        """What hands contribute in every auction, to be worked out once."""

    def scores(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], the more the likelier; `part` is `hand_part(masks)` where it is known."""

    def probabilities(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], how likely each call is; 0 for what is not legal."""


@dataclass(frozen=True, eq=False)
class Network:
    """The learned weights, ready to predict."""

    weights: Weights
    """By the names of `SHAPES`, float32."""
    temperature: float = 1.0
    """Scores are divided by it: how sure the network may be, found on deals set aside."""
    _fronts: dict[int, tuple[Context, Floats]] = field(default_factory=dict, repr=False)
    """The auction's part of the first layer, by context."""

    @cached_property
    def exact(self) -> Weights:
        """The weights in double precision, for answers that do not depend on the company."""
        return cast(Weights, {name: one.astype(np.float64) for name, one in self.weights.items()})

    def hand_part(self, masks: Masks) -> Floats:
        """float32[n, hidden], the hand's own part of the first layer: the same in every auction."""
        return np.asarray(hand_inputs(masks) @ self.weights["hand"])

    def auction_part(self, context: Context) -> Floats:
        """float32[hidden], the auction's part of the first layer: the same for every hand."""
        found = self._fronts.get(id(context))
        if found is None:
            if len(self._fronts) >= 16_384:
                self._fronts.clear()
            part = context.inputs @ self.weights["auction"] + self.weights["first"]
            found = self._fronts[id(context)] = context, part
        return found[1]

    def scores(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], what the softmax is taken of; `part` is `hand_part(masks)` where it is known."""
        weights = self.weights
        first = self.hand_part(masks) if part is None else part.copy()
        if (context.suits >= 0).any():
            first += suit_inputs(masks, context.suits) @ weights["suits"]
        else:  # only the last inputs, points without support, are not zero
            first += suit_inputs(masks, context.suits)[:, -3:] @ weights["suits"][-3:]
        first += self.auction_part(context)
        np.maximum(first, 0, out=first)
        second = first @ weights["hidden"] + weights["second"]
        np.maximum(second, 0, out=second)
        calls = np.flatnonzero(context.legal)
        kinds = context.kinds[calls]
        # The heads of the legal calls only, joined: late in an auction there are few.
        head = weights["calls"][:, calls] + weights["kinds"][:, kinds]
        found = np.full((len(masks), 38), NEVER, np.float32)
        found[:, calls] = second @ head + (weights["call"][calls] + weights["kind"][kinds])
        found[:, calls] /= np.float32(self.temperature)
        return found

    def probabilities(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], how likely each call is; 0 for what is not legal."""
        return softmax(self.scores(context, masks, part))

    def of(self, examples: Examples) -> Floats:
        """float32[n, 38], how likely each call is, for hands in many auctions."""
        found = np.zeros((len(examples), 38), np.float32)
        order = np.argsort(examples.which, kind="stable")
        ends = np.flatnonzero(np.diff(examples.which[order])) + 1
        with one_thread():
            for rows in np.split(order, ends):
                if len(rows):
                    context = examples.contexts[examples.which[rows[0]]]
                    found[rows] = self.probabilities(context, examples.masks[rows])
        return found


def softmax(scores: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """The chances that scores stand for, row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def log_chances(scores: Floats, legal: npt.NDArray[np.bool_]) -> Floats:
    """The logarithms of the chances that scores stand for, among legal calls."""
    scores = np.where(legal, scores, NEVER)
    scores -= scores.max(axis=1, keepdims=True)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))


@dataclass(frozen=True)
class Course:
    """How a network is learned."""

    epochs: int = 10
    """How often every example is seen."""
    rate: float = 1.5e-3
    """The step of Adam at its height."""
    decay: float = 1e-4
    """How much weights shrink by themselves, in steps."""
    batch: int = 512
    """Examples a step."""
    drop: float = 0.1
    """The share of units of the first layer that are left out, at random, in a step."""


def learn(
    examples: Examples,
    course: Course,
    rng: np.random.Generator,
    progress: Callable[[int, int], object] | None = None,
) -> Network:
    """Learn a network from examples; `progress` is told the steps done and their number."""
    return Network(_Learner(examples, course, rng).run(progress))


class _Learner:
    """Adam over the cross-entropy of the calls."""

    def __init__(self, examples: Examples, course: Course, rng: np.random.Generator) -> None:
        self._examples, self._course, self._rng = examples, course, rng
        contexts = examples.contexts
        self._auctions = np.stack([context.inputs for context in contexts])
        self._legal = np.stack([context.legal for context in contexts])
        self._kinds = np.stack([context.kinds for context in contexts])
        self._suits = np.stack([context.suits for context in contexts])
        self._adam = Adam(fresh_weights(rng), fade=0.998, decay=course.decay)

    def run(self, progress: Callable[[int, int], object] | None) -> Weights:
        course = self._course
        per_epoch = -(-len(self._examples) // course.batch)
        total = course.epochs * per_epoch
        with one_thread():
            for step, rows in enumerate(self._batches(), 1):
                self._adam.step(self._gradients(rows), self._rate(step, total))
                if progress is not None:
                    progress(step, total)
        return self._adam.weights

    def _batches(self) -> Iterator[npt.NDArray[np.intp]]:
        for _ in range(self._course.epochs):
            order = self._rng.permutation(len(self._examples))
            for start in range(0, len(order), self._course.batch):
                yield order[start : start + self._course.batch]

    def _rate(self, step: int, total: int) -> float:
        """Rises for 200 steps at most, then falls like a cosine."""
        warm = min(200, total // 5 + 1)
        return float(self._course.rate * min(1, step / warm) * (0.51 + 0.5 * np.cos(np.pi * step / total)))

    def _gradients(self, rows: npt.NDArray[np.intp]) -> dict[str, Floats]:
        examples, drop = self._examples, self._course.drop
        masks, which, n = examples.masks[rows], examples.which[rows], len(rows)
        kept = self._rng.random((n, HIDDEN[0]), dtype=np.float32) >= drop
        hands, suits = hand_inputs(masks), suit_inputs(masks, self._suits[which])
        layers = Layers.of(
            self._adam.weights,
            (hands, suits, self._auctions[which]),
            self._kinds[which],
            kept.astype(np.float32) / np.float32(1 - drop),
        )
        scores: Floats = np.where(self._legal[which], layers.scores, NEVER)
        error = softmax(scores)
        error[np.arange(n), examples.calls[rows]] -= 1
        return layers.gradients(self._adam.weights, error / np.float32(n))
