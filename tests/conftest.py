import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from pidm.core.garbage import collect_seldom
from pidm.language.finding import find_system, shipped
from pidm.language.system import System

# The same examples on every machine, and no limit of time for one: speed is a matter of scripts/benchmark.
settings.register_profile("pidm", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("pidm")
collect_seldom()  # as the commands of pidm do

MOST_KEPT = 4
"""Shipped systems with what was read of them, some hundred megabytes each at the most."""


def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if folder.name.startswith("popen") else folder) / "store"


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of what was read, in place of the user's own; workers that run tests side by side share it."""
    return shared_store(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def shipped_systems_are_read_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A shipped system, whoever loads it, is the one that was loaded before, with the auctions read so far.

    What it bids does not depend on what was read: matches rely on that, too. Tests that choose a store of
    their own are about loading, and load for themselves.
    """
    load, folder = System.load, shipped()
    shared = os.environ.get("PIDM_CACHE"), str(shared_store(tmp_path_factory))
    known: dict[tuple[Path, frozenset[tuple[str, bool]]], System] = {}

    def load_once(cls: type[System], name: str | Path, card: Mapping[str, bool] | None = None) -> System:
        path = find_system(name)
        if not path.is_relative_to(folder) or os.environ.get("PIDM_CACHE") not in shared:
            return load(name, card)
        key = path, frozenset((card or {}).items())
        known[key] = known.pop(key, None) or load(name, card)  # as the newest
        if len(known) > MOST_KEPT:
            del known[next(iter(known))]
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(System, "load", classmethod(load_once))
        yield
