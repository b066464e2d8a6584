"""A learned correction of the look: what a call gains in situations like this, beside its worth as it stands.

Contracts are not always passed out, partner takes a call for what it shows, they do not always double. How
much that matters was learned from tags of our own play (`pidm cotrain --generations`), by boosted trees over
what is at stake (`stakes`). They are kept as plain data with the names of the columns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pidm.core.boosting import BoostedTrees
from pidm.errors import PidmError
from pidm.files import write_atomic
from pidm.reading.stakes import NAMES, Dilemma

FORMAT = 1
"""Of the files."""
WORST, BEST = -6.0, 6.0
"""What a call gains as it stands is taken into account from here to there; beyond, it is the same."""
_BESIDE = np.array([1 / 3, 1.0])
"""How much points and cards beside what a call shows count."""


class CorrectionError(PidmError):
    """A file that holds no correction."""


@dataclass(frozen=True, eq=False)
class Correction:
    """What was learned."""

    trees: BoostedTrees
    """What is added to the value as it stands."""
    threshold: float
    """IMPs that a call must gain on the call of the rules to be made instead."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was learned."""
    pull: float = 0.0
    """IMPs that a call loses for every card, and every three points, that the hand differs from what it
    shows; so that a partner who knows nothing of this still understands the call."""

    def values(self, cases: Sequence[Dilemma]) -> list[np.ndarray]:
        """For each case float[calls], IMPs gained on the call of the rules, which gains nothing on itself."""
        if not cases:
            return []
        rows = np.concatenate([case.rows for case in cases])
        added = np.round(self.trees.predict(rows), 4)
        result, at = [], 0
        for case in cases:
            values = standing(case) + added[at : at + len(case.calls)] - self.pull * (case.short @ _BESIDE)
            values[0] = 0.0
            result.append(values)
            at += len(case.calls)
        return result

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "format": FORMAT,
            "stakes": list(NAMES),
            "threshold": self.threshold,
            "pull": self.pull,
            "about": dict(self.about),
            **self.trees.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], place: str = "the data") -> Correction:
        """From plain data; `place` is where it comes from."""
        try:
            if data["format"] != FORMAT or tuple(data["stakes"]) != NAMES:
                raise CorrectionError(
                    f"{place} was learned from other columns; expected format {FORMAT} and "
                    + ", ".join(NAMES)
                )
            trees = BoostedTrees.from_dict(data, len(NAMES))
            return cls(trees, float(data["threshold"]), dict(data["about"]), float(data["pull"]))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise CorrectionError(f"{place} holds no correction of the look: {error}") from None

    def save(self, path: Path) -> None:
        """Write it to a file, a tree a line."""
        text = json.dumps(self.to_dict())
        write_atomic(path, text.replace('"trees": [[', '"trees": [\n[').replace("]], [[", "]],\n[[") + "\n")

    @classmethod
    def load(cls, path: Path | str) -> Correction:
        """Read it from a file."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise CorrectionError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise CorrectionError(f"{path} holds no correction of the look: {error}") from None
        return cls.from_dict(data, str(path))


def standing(case: Dilemma) -> np.ndarray:
    """float[calls], what each call gains as it stands, whether it is doubled or not; within reason."""
    return np.asarray(np.clip(case.seen.sure, WORST, BEST))


@lru_cache(maxsize=4)
def correction(path: str) -> Correction:
    """The correction of a file, read once."""
    return Correction.load(path)
