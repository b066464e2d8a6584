"""The four players of a table and their systems: what an auction has shown there, and what is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.core.choices import Choices
from pidm.core.columns import Columns
from pidm.core.net import DecisionNet
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.reading.reader import Reader
from pidm.reading.situation import Situation

if TYPE_CHECKING:
    from pidm.reading.refinement import Refinement
    from pidm.reading.refinement_files import Refinements

_readers: WeakValueDictionary[tuple[str | int, ...], Reader] = WeakValueDictionary()
"""The readers in use: where the same systems follow each other from the dealer on, auctions are read once."""


class Table:
    """The systems of the four players: the strategy of each of them. Everyone knows everyone's system.

    >>> table = Table.of(System.load("two_over_one"))
    >>> table.situation(Auction.from_str("1N P")).forced
    False
    """

    @classmethod
    def of(cls, system: System) -> Table:
        """The table where everybody plays this system; the same one every time."""
        found = system.derived.get(cls)
        if found is None:
            found = system.derived[cls] = cls((system, system))
        assert isinstance(found, Table)
        return found

    def __init__(
        self,
        systems: Sequence[System],
        scoring: str = "imps",
        refinements: Sequence[Refinements | None] = (),
    ):
        """`systems` of N E S W; those of two are taken as NS and EW. `refinements`: what each has learned."""
        self.systems = tuple(systems) if len(systems) == 4 else (*systems, *systems)
        self.scoring = scoring
        self.refinements = tuple(refinements) if any(refinements) else ()
        """What the players N E S W have learned; empty when nobody has."""
        self._readers: list[Reader] = []
        for dealer in Seat:
            seated = [self.systems[(dealer + turn) & 3] for turn in range(4)]
            key: tuple[str | int, ...] = (scoring, *map(id, seated))
            reader = _readers.get(key)
            if reader is None:
                reader = _readers[key] = Reader(seated, scoring)
            self._readers.append(reader)

    def situation(self, auction: Auction) -> Situation:
        """What the auction has shown, and the rules that apply now; seats there count from the dealer."""
        vul = auction.vul
        if auction.dealer & 1:  # as if the dealer sat north
            vul = Vul((vul & 1) << 1 | vul >> 1)
        return self._readers[auction.dealer].situation(vul, auction.calls)

    def net(self, auction: Auction) -> DecisionNet:
        """The decision net of the player to call."""
        return self.situation(auction).net

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """What the system of the player to call proposes for a batch of hands: phi of section 3.3.

        Where that player has learned, what training has settled takes the place of what the rules say.
        """
        return self.choices_in(self.situation(history), history, columns)

    def choices_in(self, situation: Situation, history: Auction, columns: Columns) -> Choices:
        """The same for those who have read the auction already."""
        learned = self.refinement(history) if self.refinements else None
        return situation.choices(columns) if learned is None else learned.settled(situation, columns)

    def choices_of_each(self, situation: Situation, history: Auction, columns: HandColumns) -> list[Choices]:
        """The same for each hand by itself; those that are told the same may share it."""
        learned = self.refinement(history) if self.refinements else None
        if learned is None:
            return situation.choices_of_each(columns)
        return learned.settled(situation, columns).each()

    def refinement(self, auction: Auction) -> Refinement | None:
        """What the player to call has learned for this auction."""
        learned = self.refinements[auction.actor] if self.refinements else None
        return None if learned is None else learned.find(auction, self)
