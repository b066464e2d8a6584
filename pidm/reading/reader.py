"""Reads the auctions of four players, and remembers what it has read."""

from __future__ import annotations

from collections.abc import Sequence

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.language.system import System
from pidm.reading.situation import Lineup, Situation


class Reader:
    """Reads auctions of four players, each with a system; seats count from the dealer."""

    LIMIT = 8_000
    """How many situations are kept, about 30 KB each; then those not asked for longest are forgotten."""

    def __init__(self, systems: Sequence[System], scoring: str = "imps"):
        self.lineup = Lineup(tuple(systems), scoring)
        self._known: dict[tuple[Vul, tuple[Call, ...]], Situation] = {}
        self._elders: dict[tuple[Call, ...], Situation] = {}

    def situation(self, vul: Vul, calls: tuple[Call, ...]) -> Situation:
        """The situation after these calls; `vul` as if the dealer sat north."""
        key = vul, calls
        found = self._known.pop(key, None)
        if found is None:
            if len(self._known) >= self.LIMIT:  # one by one: to forget all at once would take a second
                oldest = next(iter(self._known))
                if self._elders.get(oldest[1]) is self._known[oldest]:
                    del self._elders[oldest[1]]
                del self._known[oldest]
            parent = self.situation(vul, calls[:-1]) if calls else None
            auction = parent.auction.after(calls[-1]) if parent else Auction(Seat.N, vul)
            found = Situation(self.lineup, auction, parent, self._elders.get(calls) if parent else None)
            if found.free:
                self._elders[calls] = found
        self._known[key] = found  # as the newest
        return found
