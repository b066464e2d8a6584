"""Estimated tricks: a small network in plain numpy, fitted to double-dummy results.

It sees all four hands, as declarer, dummy, left and right of declarer, and answers how likely each number of
tricks is. One network serves the four trump suits, another notrump. Suits that play the same part share their
weights, and what they say is added up, so the answer does not depend on which side suit is which:

    trumps       suit features ----> trump layer ----------\\
                      | context                             >-- two layers --> chance of 0 to 13 tricks
    side suits   suit features ----> side layer, summed ---/

In notrump all suits are side suits and the context is their sum. `scripts/fit_tricks` makes the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pidm.bridge.cards import FULL_SUIT
from pidm.bridge.worlds import Worlds
from pidm.threads import one_thread

Floats = npt.NDArray[np.floating[Any]]

HAND_FEATURES = 16
PAIR_FEATURES = 16
SUIT_FEATURES = 4 * HAND_FEATURES + PAIR_FEATURES
"""Features of one suit: those of the four holdings and those of declarer's and dummy's cards together."""
WEIGHTS = Path(__file__).with_name("tricks.npz")
"""The weights that ship."""

_CHUNK = 1024
"""Worlds that are worked on at once, so that everything stays in the processor's cache."""
_TRICKS = np.arange(14, dtype=np.float32)


@dataclass(frozen=True)
class TrickNetwork:
    """The weights of one network; float64, so that what it says does not depend on the batch."""

    side: Floats
    """Features of a suit that is not trumps to the side layer, [80, width]."""
    context: Floats
    """Features of the trump suit to the side layer and to the trump layer beside it, [80, 2 * width]; in
    notrump, features of all suits summed to the side layer, [80, width]."""
    layers: tuple[tuple[Floats, Floats], ...]
    """Weights and biases from there to the 14 numbers of tricks."""

    def chances(self, features: Floats) -> Floats:
        """How likely each number of tricks is, [n, 14], from features [4 suits, n, 80], trumps first."""
        n, width = features.shape[1], self.side.shape[1]
        trumps = self.context.shape[1] > width
        suits = features[1:] if trumps else features
        context = (features[0] if trumps else features.sum(axis=0)) @ self.context
        side = (suits.reshape(-1, SUIT_FEATURES) @ self.side).reshape(len(suits), n, width)
        side += context[:, :width]
        np.maximum(side, 0, out=side)
        said = np.empty_like(context)
        np.maximum(context[:, width:], 0, out=said[:, width:])
        side.sum(axis=0, out=said[:, :width])
        for weights, bias in self.layers[:-1]:
            said = said @ weights
            said += bias
            np.maximum(said, 0, out=said)
        weights, bias = self.layers[-1]
        odds = said @ weights
        odds += bias
        np.exp(odds, out=odds)
        odds /= odds.sum(axis=1, keepdims=True)
        return cast("Floats", odds)


@dataclass(frozen=True)
class TrickEstimator:
    """How many tricks declarer takes, as far as two small networks can tell."""

    suit: TrickNetwork
    """The network for contracts with trumps."""
    notrump: TrickNetwork
    """The network for notrump."""

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> TrickEstimator:
        """Read the weights from an npz file."""
        with np.load(path, allow_pickle=False) as arrays:
            stored = {name: arrays[name].astype(np.float64) for name in arrays.files}
        return cls(*(_network(stored, name) for name in ("suit", "notrump")))

    def save(self, path: Path) -> None:
        """Write the weights to an npz file, as float16: finer makes no difference."""
        arrays: dict[str, npt.NDArray[np.float16]] = {}
        for name, network in (("suit", self.suit), ("notrump", self.notrump)):
            parts = {"side": network.side, "context": network.context}
            for number, (weights, bias) in enumerate(network.layers):
                parts |= {f"weights{number}": weights, f"bias{number}": bias}
            arrays |= {f"{name}.{key}": part.astype(np.float16) for key, part in parts.items()}
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]  # its options have the same place

    def distribution(self, worlds: Worlds, strain: str, declarer: int) -> Floats:
        """How likely declarer is to take each number of tricks: float32[n, 14], rows adding up to 1.

        A world gets the same answer, to the last bit, in whatever batch it comes, on whatever processor: how
        a product of matrices is rounded depends on both, but what is lost in float64 is not seen in float32.
        """
        network = self.notrump if strain == "N" else self.suit
        chances = np.empty((len(worlds), 14), dtype=np.float32)
        # For products so small, more threads only get in the way of the solver and of other processes.
        with one_thread():
            for start in range(0, len(worlds), _CHUNK):
                seen = features(worlds[start : start + _CHUNK], strain, declarer).astype(np.float64)
                chances[start : start + _CHUNK] = network.chances(seen)
        return chances

    def expected(self, worlds: Worlds, strain: str, declarer: int) -> Floats:
        """The tricks that declarer takes on average, float32[n]."""
        return self.distribution(worlds, strain, declarer) @ _TRICKS


@lru_cache(maxsize=1)
def trick_estimator() -> TrickEstimator:
    """The estimator that ships, read once."""
    return TrickEstimator.load()


def features(worlds: Worlds, strain: str, declarer: int) -> npt.NDArray[np.int8]:
    """What the networks see: int8[4 suits, n, 80], the trump suit first."""
    suits = _SUIT_ORDER[strain]
    rows = np.empty((4, len(worlds), 5), dtype=np.intp)
    for at, suit in enumerate(suits):
        for part, turn in enumerate((0, 2, 1, 3)):  # declarer, dummy, left and right of declarer
            rows[at, :, part] = worlds[:, (declarer + turn) & 3, suit]
    np.bitwise_or(rows[:, :, 0], rows[:, :, 1], out=rows[:, :, 4])
    rows[:, :, 4] += FULL_SUIT + 1
    return _feature_table().take(rows).view(np.int8)


_SUIT_ORDER = {"S": (0, 1, 2, 3), "H": (1, 0, 2, 3), "D": (2, 0, 1, 3), "C": (3, 0, 1, 2), "N": (0, 1, 2, 3)}
"""The suits as the networks want them in each strain: trumps first."""


@lru_cache(maxsize=1)
def _feature_table() -> npt.NDArray[np.complex128]:
    """The features of every holding, then of every pair of holdings by their cards together.

    The sixteen bytes of a row are disguised as one complex number: numpy gathers those much faster than rows.
    """
    bits = np.arange(FULL_SUIT + 1)[:, None] >> np.arange(12, -1, -1) & 1  # ace first
    length = bits.sum(axis=1)
    holding = np.zeros((len(bits), HAND_FEATURES), dtype=np.int8)
    holding[:, :6] = bits[:, :6]  # A K Q J T 9
    holding[:, 6] = length
    for cards in range(7):
        holding[:, 7 + cards] = length == cards
    holding[:, 14] = length >= 8
    holding[:, 15] = bits[:, 6]  # the eight

    pair = np.zeros((len(bits), PAIR_FEATURES), dtype=np.int8)
    our_top = np.cumprod(bits, axis=1).sum(axis=1)
    their_top = np.cumprod(1 - bits, axis=1).sum(axis=1)
    for cards in range(5):
        pair[:, cards] = our_top > cards
        pair[:, 5 + cards] = their_top > cards
    for column, mine in ((10, bits), (12, 1 - bits)):  # winners after losing one trick, after losing two
        lost = np.cumsum(1 - mine, axis=1)
        pair[:, column] = (mine * (lost <= 1)).sum(axis=1)
        pair[:, column + 1] = (mine * (lost <= 2)).sum(axis=1)
    pair[:, 14] = length
    pair[:, 15] = 1  # for the bias
    return np.concatenate([holding, pair]).view(np.complex128)[:, 0]


def _network(stored: dict[str, Floats], name: str) -> TrickNetwork:
    layers: list[tuple[Floats, Floats]] = []
    while f"{name}.weights{len(layers)}" in stored:
        layers.append((stored[f"{name}.weights{len(layers)}"], stored[f"{name}.bias{len(layers)}"]))
    return TrickNetwork(
        stored[f"{name}.side"],
        stored[f"{name}.context"],
        tuple(layers),
    )
