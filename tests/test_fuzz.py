"""A short run of every kind of hostile input; `scripts/fuzz --count 10000` is the long one."""

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parent.parent / "scripts" / "fuzz"
COUNTS = {
    "systems": 60,
    "refinements": 60,
    "sessions": 30,
    "pbn": 30,
    "lin": 30,
    "requests": 150,
    "hands": 400,
    "texts": 400,
    "auctions": 12,
}


def run(*words):
    return subprocess.run(
        [sys.executable, str(FUZZ), *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("kind", COUNTS)
def test_no_input_crashes_hangs_or_changes_its_meaning(kind):
    done = run(kind, "--count", COUNTS[kind], "--seed", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    name, tried, refused, failed, _ = done.stdout.splitlines()[-1].split()
    assert (name, int(tried), int(failed)) == (kind, COUNTS[kind], 0)
    assert (int(refused) > COUNTS[kind] / 4) == (kind != "auctions")  # damage does harm


def test_an_unknown_kind_is_named():
    done = run("sonnets")
    assert done.returncode == 2 and "no kind sonnets; there are systems, refinements" in done.stderr


def test_every_kind_has_a_short_run():
    from importlib.machinery import SourceFileLoader
    from importlib.util import module_from_spec, spec_from_loader

    loader = SourceFileLoader("fuzz", str(FUZZ))
    module = module_from_spec(spec_from_loader("fuzz", loader))
    loader.exec_module(module)
    assert set(COUNTS) == set(module.KINDS)

    def crash(rng):
        raise KeyError("auction")

    def change(rng):
        module._round_trip(type("Fickle", (), {"from_str": staticmethod(lambda text: text + "x")}), "1N")

    def hang(rng):
        while True:
            pass

    options = type("Options", (), {"seconds": None, "only": None, "count": 2, "seed": 1, "progress": False})
    module.SECONDS = 0.2
    module.signal.signal(module.signal.SIGVTALRM, module._stop)
    for trial, problem in (
        (crash, "KeyError: 'auction'"),
        (change, "Wrong: '1N' is read"),
        (hang, "more than 0.2 s"),
    ):
        module.KINDS["trial"] = lambda kinds, trial=trial: trial
        result = module.run("trial", None, options)
        assert result.tried == 2 and sum(result.failed.values()) == 2
        assert problem in next(iter(result.failed))
