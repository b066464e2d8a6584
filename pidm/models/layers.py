"""The layers of the networks: many hands in many auctions at once, forward, and backward to learn.

Two hidden layers; two heads, one for the call itself and one for its relative kind, whose sum is the score of
a call. scikit-learn's networks know neither legal calls nor two heads over one label, nor values of some of
the calls only, so they are learned here, by Adam, in plain numpy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pidm.models.auctions import INPUTS, KINDS
from pidm.models.inputs import HAND, SUITS, Floats

HIDDEN = 256, 128
"""Units of the two hidden layers, if nothing else is said."""

Weights = Mapping[str, Floats]
Inputs = tuple[Floats, Floats, Floats]
"""What hands are by themselves, what they hold in the suits that were bid, and the auctions."""


def shapes(hidden: tuple[int, int]) -> dict[str, tuple[int, ...]]:
    """The arrays of a network: three parts of the first layer, the second, two heads; with their biases."""
    front, back = hidden
    return {
        "hand": (HAND, front),
        "suits": (SUITS, front),
        "auction": (INPUTS, front),
        "first": (front,),
        "hidden": hidden,
        "second": (back,),
        "calls": (back, 38),
        "call": (38,),
        "kinds": (back, KINDS),
        "kind": (KINDS,),
    }


SHAPES = shapes(HIDDEN)
"""Those of a network of the usual size."""


def hidden_of(weights: Weights) -> tuple[int, int]:
    """The units of the two hidden layers."""
    return len(weights["first"]), len(weights["second"])


def fresh_weights(rng: np.random.Generator, hidden: tuple[int, int] = HIDDEN) -> dict[str, Floats]:
    """Weights to begin with."""
    scale = {"hand": 1.5, "suits": 1.5, "auction": 1.5, "calls": 0.45, "kinds": 0.45}
    found: dict[str, Floats] = {}
    for name, shape in shapes(hidden).items():
        if len(shape) == 1:
            found[name] = np.zeros(shape, np.float32)
            continue
        into = HAND + SUITS + INPUTS if name in ("hand", "suits", "auction") else shape[0]
        size = 0.7 * scale.get(name, 1.0) * (2 / into) ** 0.5
        found[name] = (rng.standard_normal(shape) * size).astype(np.float32)
    return found


def widened(weights: Weights, hidden: tuple[int, int], rng: np.random.Generator) -> dict[str, Floats]:
    """A network with more units that says the same.

    The new units differ from each other, but nothing listens to them until it has learned to.
    """
    front, back = hidden_of(weights)
    found = fresh_weights(rng, hidden)
    for name in ("calls", "kinds"):
        found[name][:] = 0
    found["hidden"][front:, :back] = 0
    for name, one in weights.items():
        found[name][tuple(slice(size) for size in one.shape)] = one
    return found


def side_by_side(networks: Sequence[Weights]) -> dict[str, Floats]:
    """One network whose scores are the mean of those of several: what each learned by chance weighs less."""
    ends = np.cumsum([hidden_of(one) for one in networks], axis=0).tolist()
    found = {name: np.zeros(shape, np.float32) for name, shape in shapes(tuple(ends[-1])).items()}
    share = np.float32(1 / len(networks))
    for one, (front_end, back_end) in zip(networks, ends):
        front, back = (slice(end - size, end) for end, size in zip((front_end, back_end), hidden_of(one)))
        for name in ("hand", "suits", "auction"):
            found[name][:, front] = one[name]
        found["first"][front], found["second"][back] = one["first"], one["second"]
        found["hidden"][front, back] = one["hidden"]
        for name in ("calls", "kinds"):
            found[name][back] = share * one[name]
        for name in ("call", "kind"):
            found[name] += share * one[name]
    return found


@dataclass(frozen=True, eq=False)
class Layers:
    """What the layers of a network say of a batch."""

    inputs: Inputs
    kinds: npt.NDArray[np.intp]
    """intp[n, 38], the relative kind of each call."""
    kept: Floats
    """What of each unit of the first layer goes on: 0 where it is not active, or left out."""
    front: Floats
    second: Floats
    scores: Floats
    """float32[n, 38], legal or not."""

    @classmethod
    def of(
        cls,
        weights: Weights,
        inputs: Inputs,
        kinds: npt.NDArray[np.intp],
        share: Floats | None = None,
    ) -> Layers:
        """Forward; `share` says how much of each unit of the first layer goes on, if not all."""
        hands, suits, auctions = inputs
        first = hands @ weights["hand"]
        first += suits @ weights["suits"]
        first += auctions @ weights["auction"] + weights["first"]
        active = (first > 0).astype(np.float32)
        kept = active if share is None else share * active
        front = first * kept
        second = np.maximum(front @ weights["hidden"] + weights["second"], 0)
        return cls(inputs, kinds, kept, front, second, heads(weights, second, kinds))

    def gradients(self, weights: Weights, error: Floats) -> dict[str, Floats]:
        """Backward: by how much each weight changes the mistake, if scores change it by `error`."""
        hands, suits, auctions = self.inputs
        error_kind = np.zeros((len(error), KINDS), np.float32)
        np.add.at(error_kind, (np.arange(len(error))[:, None], self.kinds), error)
        back = (error @ weights["calls"].T + error_kind @ weights["kinds"].T) * (self.second > 0)
        further = (back @ weights["hidden"].T) * self.kept
        return {
            "calls": self.second.T @ error,
            "call": error.sum(axis=0),
            "kinds": self.second.T @ error_kind,
            "kind": error_kind.sum(axis=0),
            "hidden": self.front.T @ back,
            "second": back.sum(axis=0),
            "hand": hands.T @ further,
            "suits": suits.T @ further,
            "auction": auctions.T @ further,
            "first": further.sum(axis=0),
        }


def heads(weights: Weights, second: Floats, kinds: npt.NDArray[np.intp]) -> Floats:
    """float32[n, 38], the scores of all calls."""
    scores = second @ weights["calls"]
    scores += weights["call"]
    by_kind = second @ weights["kinds"]
    by_kind += weights["kind"]
    scores += np.take_along_axis(by_kind, kinds, axis=1)
    return np.asarray(scores)


class Adam:
    """Changes weights step by step, each by its own measure."""

    def __init__(self, weights: dict[str, Floats], fade: float, decay: float = 0.0) -> None:
        self.weights = weights
        """As they are now."""
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.square = {name: np.zeros_like(value) for name, value in weights.items()}
        self.steps = 0
        self._fade = fade
        """How much of the squares stays in a step."""
        self._decay = decay

    def step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        """One step against the gradients."""
        self.steps += 1
        late = 1 - 0.9**self.steps, 1 - self._fade**self.steps
        for name, gradient in gradients.items():
            weight, mean, square = self.weights[name], self.mean[name], self.square[name]
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(1 - self._fade) * (gradient**2 - square)
            change = mean / np.float32(late[0]) / (np.sqrt(square / np.float32(late[1])) + np.float32(1e-8))
            if weight.ndim == 2 and self._decay:
                change += np.float32(self._decay) * weight
            weight -= np.float32(rate) * change
