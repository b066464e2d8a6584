"""The table as one player sees it, wherever that player sits, and the search that decides there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pidm.bridge.calls import Seat
from pidm.language.system import System
from pidm.play.experienced import Everybody
from pidm.play.others import Others
from pidm.reading.table import Table

if TYPE_CHECKING:  # what only simulation needs is imported there: a rule decision should not wait for it
    from pidm.bridge.utilities import Form, Utility
    from pidm.core.player import Player, PlaysOn
    from pidm.core.search import Search, SearchOptions
    from pidm.models.blend import BlendedPair
    from pidm.models.learned_pair import LearnedPair
    from pidm.models.learned_seats import LearnedSeats
    from pidm.reading.refinement_files import Refinements

    Lessons = tuple[Refinements | None, Refinements | None]
    """What I and partner have learned."""

CAUTION = 1.0
"""The system's own call is replaced only by one that is better by so many standard errors."""
WIDE_CAUTION = 2.0
"""The same where calls were added to those near the system's own."""
WELL_KNOWN = 10_000
"""Calls from which on a model of the opponents is trusted with wider candidates."""
FINALISTS = 4
"""Of more candidates a few worlds select so many, and fresh worlds compare these."""
UNFINISHED = 0.25
"""If the limit cuts off more than this share of the auctions, the system's own call stands."""
FITTING = 8
"""With fewer worlds that fit the calls of learned opponents, the system's own call stands; with so many,
those that do not fit are left out."""


@dataclass(frozen=True, eq=False)
class Seating:
    """What I, left, partner and right play; the tables and searches that follow from it."""

    mine: System
    others: Others
    scoring: Form = "imps"
    learned: Lessons = (None, None)
    utility: str = "estimate"
    """What values contracts in simulations."""
    settle: str | None = None
    """What values those that come out close."""
    options: SearchOptions | None = None
    """How searches use their limit, if not as usual."""
    guarded: bool = False
    """Whether opponents are taken to double what goes down: where wide candidates are weighed."""
    experienced: Everybody | None = None
    """Everybody as simulations take them, if I have experience."""
    _tables: dict[Seat, Table] = field(default_factory=dict, init=False, repr=False)
    _searchers: dict[tuple[int, Seat], tuple[Search, Player]] = field(
        default_factory=dict, init=False, repr=False
    )

    def table(self, me: Seat) -> Table:
        """The table when I sit here."""
        if me not in self._tables:
            playing = (self.mine, self.others.left, self.others.partner, self.others.right)
            knowing = (self.learned[0], None, self.learned[1], None)
            systems = tuple(playing[(seat - me) & 3] for seat in Seat)
            new = Table(systems, self.scoring, [knowing[(seat - me) & 3] for seat in Seat])
            tables = self._tables.values()
            same = (t for t in tables if t.systems == systems and t.refinements == new.refinements)
            self._tables[me] = next(same, new)
        return self._tables[me]

    def model(self, turn: int, me: Seat) -> LearnedPair | BlendedPair:
        """The learned player who sits so many seats to my left."""
        from pidm.models.blend import beside

        return beside(self.others.models[turn], self.table(me))

    def everybody(self, me: Seat) -> LearnedSeats:
        """What all four do when I sit here: those who were learned as they really bid."""
        from pidm.models.learned_seats import LearnedSeats

        return LearnedSeats(
            self.table(me), {(me + turn) & 3: self.model(turn, me) for turn in self.others.models}
        )

    def searcher(self, me: Seat) -> tuple[Search, Player]:
        """The search that decides when I sit here, and what I and the others are in it."""
        table = self.table(me)
        models: dict[int, LearnedPair | BlendedPair]
        if self.experienced is not None:
            models = {**self.experienced.likely}
        else:
            models = {turn: self.model(turn, me) for turn in self.others.models}
        key = id(table), me if models else Seat.N
        if key not in self._searchers:
            from pidm.bridge.utilities import Guarded, versus
            from pidm.core.player import Player
            from pidm.core.search import Search, SearchOptions
            from pidm.reading.bridge_game import Bridge

            utility = utility_of(self.utility)
            if self.guarded and self.utility != "dds":  # what double dummy costs is not to be paid twice
                utility = Guarded(utility)
            known = {(me + turn) & 3: Player(model, utility) for turn, model in models.items()}
            options = self.options or SearchOptions(caution=CAUTION, unfinished=UNFINISHED)
            if models:
                options = replace(options, fewest=max(options.fewest, FITTING), enough=FITTING)
            if self.settle is not None:
                options = replace(options, settle=utility_of(self.settle))
            options = replace(options, versus=versus(self.scoring))
            self._searchers[key] = (
                Search(Bridge(table), options),
                Player(table, utility, known, play_on=self._play_on),
            )
        return self._searchers[key]

    @cached_property
    def _play_on(self) -> PlaysOn | None:
        """What looks ahead in place of a tree."""
        if self.experienced is None:
            return None
        from pidm.models.array_play import ArrayPlay

        return ArrayPlay(self.experienced.players)


@lru_cache(maxsize=8)
def utility_of(name: str) -> Utility:
    """The utility of this name; what it remembers is shared by all who use it."""
    from pidm.bridge.utilities import utility

    return utility(name)


def lessons_of(what: Refinements | str | Path | Lessons | None, alike: bool) -> Lessons:
    """What I and partner have learned; the same, if we play alike and partner did not learn apart."""
    if what is None:
        return None, None
    if isinstance(what, tuple):
        return what
    if not isinstance(what, str | Path):
        return what, what if alike else None
    from pidm.reading.refinement_files import Refinements

    mine = Refinements.load(what)
    return mine, Refinements.load(what, partner=True) or (mine if alike else None)
