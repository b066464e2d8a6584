"""All 8,192 holdings of a suit and all 560 shapes of a hand: what the tables of features are made from."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any]
"""One value per hand, per holding or per shape; int8, int16 or float32."""

SUITS = "SHDC"
"""The suits in the order of every array."""
RANKS = "23456789TJQKA"
"""The ranks in the order of the bits of a suit mask."""
HOLDINGS = 8192
"""The number of suit masks; a table has an entry for each."""


class Cards:
    """Every holding of a suit at once: entry m of each array speaks of the suit mask m."""

    @cached_property
    def length(self) -> Column:
        """The number of cards, int8[8192]."""
        return self.count(RANKS)

    @cached_property
    def _held(self) -> Column:
        bits = np.arange(HOLDINGS, dtype=np.int16) >> np.arange(13, dtype=np.int16)[:, None]
        held = (bits & 1).astype(np.int8)
        held.flags.writeable = False
        return held

    def has(self, rank: str) -> Column:
        """1 where the card of this rank is held, int8[8192]."""
        held: Column = self._held[RANKS.index(rank)]
        return held

    def count(self, ranks: str) -> Column:
        """How many cards of these ranks are held, int8[8192]."""
        counts: Column = self._held[[RANKS.index(rank) for rank in ranks]].sum(axis=0, dtype=np.int8)
        return counts


CARDS = Cards()
"""The holdings that every declaration is given."""


def _all_shapes() -> npt.NDArray[np.int8]:
    lengths = np.indices((14, 14, 14), dtype=np.int8).reshape(3, -1)[::-1]
    clubs = 13 - lengths.sum(axis=0)
    return np.ascontiguousarray(np.vstack([lengths, clubs[None]]).T[clubs >= 0]).astype(np.int8)


SHAPES = _all_shapes()
"""The lengths S H D C of all shapes, int8[560, 4]."""

SHAPE_STEPS = (1, 14, 196)
"""What a card of spades, hearts and diamonds adds to the number of a shape; clubs are the rest."""
SHAPE_NUMBERS = SHAPES[:, :3].astype(np.intp) @ np.array(SHAPE_STEPS, dtype=np.intp)
"""The numbers of the shapes, intp[560]."""
SHAPE_TABLE = 14**3
"""The size of a table over the numbers of shapes."""


def table_of_shapes(values: Column) -> Column:
    """A table over the numbers of shapes from one value per row of `SHAPES`."""
    table = np.zeros(SHAPE_TABLE, dtype=values.dtype)
    table[SHAPE_NUMBERS] = values
    return table
