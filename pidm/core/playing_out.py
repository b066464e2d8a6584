"""Many worlds played to their end at once, in step: those with the same history ask the strategy together.

Every player follows its strategy's order of preference; nobody searches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pidm.core.choices import Choices
from pidm.core.columns import Columns
from pidm.core.game import Game, Worlds
from pidm.core.player import Strategy


class Reached(NamedTuple):
    """A history, and the worlds that got there."""

    history: Any
    rows: np.ndarray
    """Which worlds, in order."""
    columns: Columns | None
    """The features of the player to act; None where the game is over."""
    choices: Choices | None
    """What the player's strategy proposes there."""


def play_out(game: Game, starts: Sequence[Any], worlds: Worlds, strategy: Strategy) -> Iterator[Reached]:
    """Play worlds to the end, each from its history; every history once, the ends of the games included."""
    started: dict[Any, list[int]] = {}
    for row, start in enumerate(starts):
        started.setdefault(start, []).append(row)
    groups = {history: np.array(rows) for history, rows in started.items()}
    known: dict[int, Columns] = {}  # by seat, in all worlds: most histories are those of a single one
    while groups:
        parted: dict[Any, list[np.ndarray]] = {}
        for history, rows in groups.items():
            seat = game.actor(history)
            if seat is None:
                yield Reached(history, rows, None, None)
                continue
            if seat not in known:
                known[seat] = game.columns(worlds, seat)
            columns = known[seat].take(rows)
            choices = strategy.choices(history, columns).or_else(game.legal(history)[0])
            yield Reached(history, rows, columns, choices)
            taken = choices.preferred()
            for action in dict.fromkeys(taken.tolist()):
                parted.setdefault(game.after(history, action), []).append(rows[taken == action])
        groups = {history: np.concatenate(parts) for history, parts in parted.items()}
