"""Systems as a worker keeps them: read once, and again when one of their files has changed."""

from __future__ import annotations

import os
from functools import lru_cache

from pidm.language.finding import shipped
from pidm.language.system import System
from pidm.reading.table import Table

_Stamp = tuple[tuple[int, int], ...]
_systems: dict[str, tuple[System, _Stamp]] = {}


def system(name: str) -> System:
    """The system of this name or file, as its files are now."""
    kept = _systems.get(name)
    if kept is None or kept[1] != stamp(kept[0]):
        found = System.load(name)
        kept = _systems[name] = (found, stamp(found))
        _table.cache_clear()
    return kept[0]


def stamp(of: System) -> _Stamp:
    """Changes when a file of the system does."""
    found = []
    for path in of.spec.files:
        try:
            status = os.stat(path)
        except FileNotFoundError:  # an editor that puts a new file in the place of the old one
            found.append((0, 0))
        else:
            found.append((status.st_mtime_ns, status.st_size))
    return tuple(found)


def table(ns: str, ew: str) -> Table:
    """The table where these systems are played."""
    ours, theirs = system(ns), system(ew)
    return Table.of(ours) if ours is theirs else _table(ours, theirs)


@lru_cache(maxsize=8)
def _table(ns: System, ew: System) -> Table:
    return Table((ns, ew))


def place(text: str) -> str:
    """A place in a file as the page shows it: shipped files from `systems/` on."""
    return text.replace(f"{shipped()}/", "systems/")
