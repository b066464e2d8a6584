"""A system as workers of lint keep it: read once, and again when one of its files has changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pidm.language.system import System


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
        digest.update(Path(path).read_bytes())
    return Named(str(name), tuple(sorted((card or {}).items())), digest.hexdigest())


@lru_cache(maxsize=2)
def loaded(which: Named) -> System:
    """The system, read once by each process."""
    return System.load(which.name, dict(which.card))
