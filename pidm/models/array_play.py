"""Playing on in simulations where all at the table are known by networks: many worlds at once, in arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.worlds import Worlds
from pidm.models.auctions import Auctions
from pidm.models.many_tables import ByNetworks, ManyTables
from pidm.threads import one_thread

Rows = npt.NDArray[np.intp]


class ArrayPlay:
    """Everybody goes on with the call that is worth most to him by what his networks say."""

    def __init__(self, players: Mapping[int, ByNetworks]) -> None:
        """The players, by how many seats they sit to my left: I am 0."""
        self.players = tuple(dict.fromkeys(players.values()))
        """All different ones."""
        self._turns = np.array([self.players.index(players[turn]) for turn in range(4)])

    def __call__(
        self, histories: Sequence[Auction], worlds: Worlds, seat: int
    ) -> list[list[tuple[Auction, Rows]]]:
        """How the auctions end, each in all worlds, and the worlds in which they end so."""
        n = len(worlds)
        with one_thread():
            tables = ManyTables.of(worlds, self.players)
            begun = Auctions.joined([Auctions.of(one) for one in histories])
            auctions = begun.take(np.repeat(np.arange(len(histories)), n))
            deals = np.tile(np.arange(n), len(histories))
            seats = np.tile(self._turns[(np.arange(4) - seat) & 3], (len(deals), 1))
            calls = tables.bid_out(auctions, deals, seats)
        return [_ends(history, calls[place * n : (place + 1) * n]) for place, history in enumerate(histories)]


def _ends(history: Auction, calls: npt.NDArray[np.int8]) -> list[tuple[Auction, Rows]]:
    """The different ends of one auction, with the rows that end so."""
    together: dict[bytes, list[int]] = {}
    for row, key in enumerate(map(bytes, calls)):
        together.setdefault(key, []).append(row)
    return [
        (_after(history, calls[rows[0]].tolist()), np.array(rows, dtype=np.intp))
        for rows in together.values()
    ]


def _after(history: Auction, calls: Sequence[int]) -> Auction:
    for call in calls:
        if call < 0:
            break
        history = history.after(Call(call), check=False)
    return history
