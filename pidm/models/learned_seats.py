"""Everybody at a table where some players were learned from records: each of these as it really bids."""

from __future__ import annotations

from collections.abc import Mapping

from pidm.bridge.auction import Auction
from pidm.bridge.dealing import Shown
from pidm.core.choices import Choices
from pidm.core.columns import Columns
from pidm.models.blend import BlendedPair
from pidm.models.learned_pair import LearnedPair
from pidm.reading.bridge_game import Bridge, as_shown
from pidm.reading.table import Table


class LearnedSeats:
    """The strategy of a table: learned players make their likeliest calls, the others follow their rules."""

    def __init__(self, table: Table, models: Mapping[int, LearnedPair | BlendedPair]) -> None:
        self.table = table
        self.models = models
        """Who was learned, by seat."""
        self._game = Bridge(table)

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """What the player to call does with a batch of hands."""
        model = self.models.get(history.actor)
        return self.table.choices(history, columns) if model is None else model.choices(history, columns)

    def shown(self, history: Auction, seat: int) -> Shown:
        """Ranges that hold for the hands with which the seat calls like this; for a learned player, for
        nearly all of them."""
        model = self.models.get(seat)
        return as_shown(self._game.covering(history, seat)) if model is None else model.shown(history, seat)
