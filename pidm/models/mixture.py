"""Somebody who may be one or another player: of whom records tell a little, and his system the rest.

`blend` asks the rules of that system what they would call. Where simulations go on in arrays there is no time
for rules; the habit of a pair that plays the system, itself a network, stands for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pidm.errors import PidmError
from pidm.models.context import Context
from pidm.models.experience import Experience, Habitual
from pidm.models.inputs import Floats, Masks
from pidm.models.layers import hidden_of
from pidm.models.learned_pair import LearnedPair, Origin
from pidm.models.network import NEVER, Network, log_chances, softmax

FAINTEST = np.float32(1e-12)
"""Chances below this are taken for it, so that they have logarithms."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """One of several players, nobody knows which: calls are as likely as each of them makes them."""

    players: tuple[Experience, ...]
    """Who it may be."""
    shares: tuple[float, ...]
    """How likely it is each of them; together 1."""
    origin: Origin = field(default_factory=Origin)
    """What it was learned from."""

    def __post_init__(self) -> None:
        if len(self.players) != len(self.shares) or abs(sum(self.shares) - 1) > 1e-6 or min(self.shares) < 0:
            raise PidmError(f"{len(self.players)} players cannot be likely by {self.shares}")

    @property
    def networks(self) -> tuple[Network, ...]:
        """Those of all of them."""
        return tuple(network for one in self.players for network in one.networks)

    def values(self, scores: Sequence[Floats], legal: npt.NDArray[np.bool_]) -> Floats:
        """float32[n, 38], by the scores of `networks`: the logarithms of chances."""
        left, chances = list(scores), np.zeros(legal.shape, np.float32)
        for one, share in zip(self.players, self.shares):
            mine, left = left[: len(one.networks)], left[len(one.networks) :]
            worth = one.values(mine, legal) / np.float32(one.pull)
            chances += np.float32(share) * np.exp(log_chances(worth, legal))
        return np.asarray(np.log(np.maximum(chances, FAINTEST)))

    @cached_property
    def pair(self) -> LearnedPair:
        """The same as any learned pair: how likely its calls are, what they show."""
        return LearnedPair(self, self.origin)

    # ------------------------------------------------------------------ as one network

    @cached_property
    def _each(self) -> tuple[Habitual, ...]:
        return tuple(map(Habitual, self.players))

    def hand_part(self, masks: Masks) -> Floats:
        """float32[n, hidden of all networks], the hands' own part of the first layers."""
        return np.concatenate([one.hand_part(masks) for one in self._each], axis=1)

    def probabilities(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], how likely each call is; 0 for what is not legal."""
        found = np.zeros((len(masks), 38), np.float32)
        start = 0
        for one, player, share in zip(self._each, self.players, self.shares):
            end = start + sum(hidden_of(network.weights)[0] for network in player.networks)
            mine = None if part is None else np.ascontiguousarray(part[:, start:end])
            found += np.float32(share) * softmax(one.scores(context, masks, mine))
            start = end
        return found

    def scores(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], the logarithms of the chances; `part` is `hand_part(masks)` where it is known."""
        chances = self.probabilities(context, masks, part)
        return np.where(context.legal, np.log(np.maximum(chances, FAINTEST)), NEVER)
