"""A system as workers of lint keep it, and what they found out of it, as long as its files are the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pidm
from pidm.language import store
from pidm.language.system import System

ROOMS = ("authoring", "bridge", "core", "reading")
"""The code that what was found out follows from, besides that which reads files."""


class Named(NamedTuple):
    """How a worker finds a system: its name or file, changes of its card, and what its files hold."""

    name: str
    card: tuple[tuple[str, bool], ...]
    digest: str
    """Of the contents of all its files."""


def named(name: str | Path, card: Mapping[str, bool] | None, system: System) -> Named:
    """What to tell a worker of a system that was loaded here."""
    digest = sha256()
    for path in system.spec.files:
        digest.update(str(path).encode() + Path(path).read_bytes())
    # A worker may have been started elsewhere, where a relative path leads to nothing.
    found = Path(name).absolute() if Path(name).exists() else name
    which = Named(str(found), tuple(sorted((card or {}).items())), digest.hexdigest())
    _keep(which, system)
    return which


_LOADED: dict[Named, System] = {}
_MOST = 2
"""Systems that a process holds: an author goes back and forth between two versions."""


def _keep(which: Named, system: System) -> None:
    _LOADED[which] = system
    while len(_LOADED) > _MOST:
        del _LOADED[next(iter(_LOADED))]


def loaded(which: Named) -> System:
    """The system, read once by each process."""
    if which not in _LOADED:
        _keep(which, System.load(which.name, dict(which.card)))
    return _LOADED[which]


def kept(which: Named, what: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """Plain data about a system: as it was found out before, else made and kept in the user's cache."""
    made_from = json.dumps([which.digest, which.card, what, _code()]).encode()
    found = store.load_found(made_from)
    if found is None:
        found = make()
        store.keep_found(made_from, found)
    return found


@cache
def _code() -> str:
    """Changes whenever the code changes that bids and counts."""
    digest = sha256()
    root = Path(pidm.__file__).parent
    for path in sorted(path for room in ROOMS for path in (root / room).glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
