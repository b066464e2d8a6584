"""Systems by name, loaded once, and a digest that tells whether their files have changed."""

from __future__ import annotations

import hashlib

from pidm.language.system import System

Card = tuple[tuple[str, bool], ...]
"""Conventions switched on or off."""


class Systems:
    """Systems loaded once, whoever plays them: pairs that share one share its nets."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[str, Card], System] = {}

    def of(self, name: str, card: Card = ()) -> System:
        """The system of this name or file, with changes to its card."""
        key = (name, card)
        if key not in self._loaded:
            self._loaded[key] = System.load(name, dict(card))
        return self._loaded[key]


def digest(system: System) -> str:
    """The state of a system's files and of its card."""
    found = hashlib.sha256(" ".join(sorted(system.conventions)).encode())
    for path in system.spec.files:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
