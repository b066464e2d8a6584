"""Systems and models by name, loaded once, and a digest that tells whether their files have changed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pidm.language.system import System
from pidm.models import is_model_file
from pidm.play.pair import Pair

if TYPE_CHECKING:
    from pidm.models.learned_pair import LearnedPair

Card = tuple[tuple[str, bool], ...]
"""Conventions switched on or off."""


class Systems:
    """Systems loaded once, whoever plays them: pairs that share one share its nets."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[str, Card], System] = {}
        self._models: dict[str, LearnedPair] = {}

    def of(self, name: str, card: Card = ()) -> System:
        """The system of this name or file, with changes to its card."""
        key = (name, card)
        if key not in self._loaded:
            self._loaded[key] = System.load(name, dict(card))
        return self._loaded[key]

    def model(self, path: str) -> LearnedPair:
        """The model in this file."""
        from pidm.models.learned_pair import LearnedPair

        if path not in self._models:
            self._models[path] = LearnedPair.load(path)
        return self._models[path]

    def other(self, name: str, card: Card = ()) -> System | LearnedPair:
        """A system, or a model if that is what the file holds."""
        return self.model(name) if is_model_file(name) else self.of(name, card)

    def of_pair(self, pair: Pair) -> list[System | LearnedPair]:
        """All that a pair plays and takes the others to play; mistakes in the files are raised."""
        mine = [self.other(pair.system, pair.card)] if pair.system else []
        others = (pair.partner, *pair.opponents)
        return mine + [self.other(name) for name in others if name is not None]


def digest(system: System | LearnedPair) -> str:
    """The state of a system's files and of its card, or of a model."""
    if not isinstance(system, System):
        weights, origin = system.plain.weights, system.origin
        sure = system.plain.temperature, origin.system, origin.trust, origin.stray
        found = hashlib.sha256(repr(sure).encode())
        for name in sorted(weights):
            found.update(weights[name].tobytes())
        return found.hexdigest()[:16]
    found = hashlib.sha256(" ".join(sorted(system.conventions)).encode())
    for path in system.spec.files:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
