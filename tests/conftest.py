from pathlib import Path

import pytest
from hypothesis import settings

from pidm.core.garbage import collect_seldom

# The same examples on every machine, and no limit of time for one: speed is a matter of scripts/benchmark.
settings.register_profile("pidm", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("pidm")
collect_seldom()  # as the commands of pidm do


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of what was read, in place of the user's own; workers that run tests side by side share it."""
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if folder.name.startswith("popen") else folder) / "store"
