"""A short run of `scripts/faults`: what it kills goes on to the same end."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "faults"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize(("kind", "seed"), [("workers", 1), ("matches", 2), ("store", 1)])
def test_nothing_is_lost(kind, seed):
    command = [sys.executable, str(SCRIPT), kind, "--count", "1", "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert " held " in done.stdout


def test_kinds_that_are_not_there_are_refused():
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "earthquakes"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "no kind earthquakes" in done.stderr
