"""Where two cards say the same: what was learned with the one holds for the other there.

Experience comes from playing a system by its usual card. Who plays another card, or a system of his own that
goes on from it, has the same agreements in most auctions; there, and for calls that say what they said when
it was learned, experience holds for him too. Elsewhere it would speak another language. Calls are compared
by what they say in plain points, whichever way a card counts hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pidm.bridge.calls import Call
from pidm.language.system import System
from pidm.reading.inference import Meant
from pidm.reading.situation import Situation
from pidm.reading.table import Table


@dataclass(frozen=True, eq=False)
class Alike:
    """A system with which something was learned, beside those that are played now."""

    learned: System
    """As it was played then."""

    @cached_property
    def _table(self) -> Table:
        return Table.of(self.learned)

    def so_far(self, situation: Situation) -> bool:
        """Has all that the side to call has called said what it says in the other system?"""
        now: Situation | None = situation
        then: Situation | None = self._then(situation)
        while now is not None and then is not None and now.meant is not None and then.meant is not None:
            if now.meant.seat & 1 == situation.side and not _same(now.meant, then.meant):
                return False
            now, then = now.parent, then.parent
        return True

    def says(self, situation: Situation, call: Call) -> bool:
        """Does a call say here what it says in the other system?"""
        then = self._then(situation)
        forbidden = call in situation.forbidden, call in then.forbidden
        return forbidden[0] == forbidden[1] and _same(situation.meaning_of(call), then.meaning_of(call))

    def _then(self, situation: Situation) -> Situation:
        return self._table.situation(situation.auction)


def _same(one: Meant, other: Meant) -> bool:
    """Do two systems mean the same by a call: the same hands, asking the same of partner?"""
    return one.shown == other.shown and _asks(one) == _asks(other)


def _asks(meant: Meant) -> object:
    rule = meant.rules[0] if meant.rules else None
    return None if rule is None else (rule.forcing, rule.agrees)
