"""Whom a player takes the others to be: by the system that they play, or by a model learned from records.

A learned pair answers for itself in simulations. How our own rules read its calls is another matter: for that
it is taken to play the system that it was learned beside, or else ours, as when nothing is known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pidm.errors import PidmError
from pidm.language.system import System
from pidm.models import is_model_file

if TYPE_CHECKING:
    from pidm.models.learned_pair import LearnedPair

    SystemLike = System | str | Path
    OtherLike = System | LearnedPair | str | Path
    """A system or a model, by itself, by name or by file."""

LEFT, PARTNER, RIGHT = 1, 2, 3
"""The others, by how many seats to the left they sit."""


@dataclass(frozen=True)
class Others:
    """The systems and models of the other three."""

    left: System
    partner: System
    right: System
    models: Mapping[int, LearnedPair]
    """What was learned of them, by how many seats to the left they sit."""


def others_of(
    mine: System,
    partner: OtherLike | None,
    opponents: OtherLike | Sequence[OtherLike] | None,
    load: Callable[[SystemLike], System],
) -> Others:
    """The others as they are described; who is not described plays my system."""
    if opponents is None or isinstance(opponents, System | str | Path) or hasattr(opponents, "likelihood"):
        sides: list[OtherLike | None] = [opponents, opponents]  # type: ignore[list-item]
    else:
        sides = list(opponents)
    if len(sides) != 2:
        raise PidmError(f"opponents are one system or model or two, left and right, not {len(sides)}")
    systems: dict[int, System] = {}
    models: dict[int, LearnedPair] = {}
    files: dict[str, LearnedPair] = {}
    for turn, what in zip((LEFT, PARTNER, RIGHT), (sides[0], partner, sides[1])):
        model = _model(what, files)
        if model is not None:
            models[turn] = model
        if model is not None:
            systems[turn] = load(model.origin.system) if model.origin.system else mine
        else:
            systems[turn] = mine if what is None else load(what)  # type: ignore[arg-type]
    return Others(systems[LEFT], systems[PARTNER], systems[RIGHT], models)


def _model(what: object, files: dict[str, LearnedPair]) -> LearnedPair | None:
    if is_model_file(what):
        from pidm.models.learned_pair import LearnedPair

        if str(what) not in files:
            files[str(what)] = LearnedPair.load(str(what))
        return files[str(what)]
    return what if hasattr(what, "likelihood") else None  # type: ignore[return-value]
