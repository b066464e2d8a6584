"""Systems as a worker keeps them: read once, and again when one of their files has changed."""

from __future__ import annotations

from functools import lru_cache

from pidm.language.system import System
from pidm.play.systems import Card, Systems
from pidm.reading.table import Table
from pidm.web.stamps import Stamp, mark_of, stamp_of

_systems: dict[str, tuple[System, Stamp]] = {}


def system(name: str) -> System:
    """The system of this name or file, as its files are now."""
    kept = _systems.get(name)
    if kept is None or kept[1] != stamp_of(kept[0].spec.files):
        found = System.load(name)
        kept = _systems[name] = (found, stamp_of(found.spec.files))
        _table.cache_clear()
    return kept[0]


class SystemsNow(Systems):
    """The same for whoever builds from the description of a pair."""

    def of(self, name: str, card: Card = ()) -> System:
        """The system as its files are now; one with changes to its card is read for this occasion."""
        return super().of(name, card) if card else system(name)


def mark(ns: str, ew: str) -> str:
    """Which state of their files these systems were read from."""
    return mark_of(tuple(one for name in (ns, ew) for one in _systems[name][1]))


def table(ns: str, ew: str) -> Table:
    """The table where these systems are played."""
    ours, theirs = system(ns), system(ew)
    return Table.of(ours) if ours is theirs else _table(ours, theirs)


@lru_cache(maxsize=8)
def _table(ns: System, ew: System) -> Table:
    return Table((ns, ew))
