"""Deals as an onlooker may imagine them who sees an auction and no hand."""

from __future__ import annotations

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.dealing import shown_dealer
from pidm.bridge.worlds import Worlds
from pidm.features import HandColumns
from pidm.reading.bridge_game import Bridge, as_shown
from pidm.reading.table import Table

BATCH = 400
"""Deals that are drawn together."""


def worlds_after(
    table: Table, auction: Auction, n: int, rng: np.random.Generator, batches: int = 12
) -> Worlds:
    """Up to `n` deals in which the systems of the table leave every call of the auction open.

    Fewer when the auction is rare or fits no hand: after `batches` batches it is enough.
    """
    game = Bridge(table)
    shown = [as_shown(game.covering(auction, seat)) for seat in range(4)]
    dealer = shown_dealer(np.zeros((4, 4), dtype=np.uint16), shown)
    found: list[Worlds] = []
    missing = n
    for _ in range(batches):
        worlds = dealer.deal(BATCH, rng, most=100 * BATCH)
        if not len(worlds):
            break
        worlds = _consistent(game, auction, worlds)
        found.append(worlds[:missing])
        missing -= len(found[-1])
        if missing <= 0:
            break
    return np.concatenate(found) if found else np.empty((0, 4, 4), dtype=np.uint16)


def _consistent(game: Bridge, auction: Auction, worlds: Worlds) -> Worlds:
    """Those of the deals in which everybody may have called like this, the newest calls looked at first."""
    for before, call in reversed(game.moves(auction)):
        if not len(worlds):
            break
        columns = HandColumns(worlds[:, before.actor])
        worlds = worlds[game.table.choices(before, columns).allows(call)]
    return worlds
