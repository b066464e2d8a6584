"""A short run of every kind of hostile input; `scripts/fuzz --count 10000` is the long one."""

import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace

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


@pytest.fixture(scope="module")
def fuzz():
    """The script as a module: nine kinds of input need not be nine processes."""
    loader = SourceFileLoader("fuzz", str(FUZZ))
    module = module_from_spec(spec_from_loader("fuzz", loader))
    loader.exec_module(module)
    before = module.signal.signal(module.signal.SIGVTALRM, module._stop)
    yield module
    module.signal.signal(module.signal.SIGVTALRM, before)


def options(count):
    return SimpleNamespace(seconds=None, only=None, count=count, seed=1, progress=False)


@pytest.fixture(scope="module")
def kinds(fuzz, tmp_path_factory):
    return fuzz.Kinds(tmp_path_factory.mktemp("hostile"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", COUNTS)
def test_no_input_crashes_hangs_or_changes_its_meaning(fuzz, kinds, kind, tmp_path, monkeypatch):
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "store"))
    result = fuzz.run(kind, kinds, options(COUNTS[kind]))
    assert not result.failed
    assert result.tried == COUNTS[kind]
    assert (result.refused > COUNTS[kind] / 4) == (kind != "auctions")  # damage does harm


def test_the_campaign_as_it_is_run():
    command = [sys.executable, str(FUZZ), "hands", "--count", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    name, tried, refused, failed, _ = done.stdout.splitlines()[-1].split()
    assert (name, tried, failed) == ("hands", "20", "0") and int(refused) > 5


def test_an_unknown_kind_is_named(fuzz, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fuzz", "sonnets"])
    with pytest.raises(SystemExit) as stopped:
        fuzz.main()
    assert stopped.value.code == 2
    assert "no kind sonnets; there are systems, refinements" in capsys.readouterr().err


def test_every_kind_has_a_short_run(fuzz):
    assert set(COUNTS) == set(fuzz.KINDS)


def test_what_fails_is_told_with_its_reason(fuzz, monkeypatch):
    def crash(rng):
        raise KeyError("auction")

    def change(rng):
        fuzz._round_trip(type("Fickle", (), {"from_str": staticmethod(lambda text: text + "x")}), "1N")

    def hang(rng):
        while True:
            pass

    monkeypatch.setattr(fuzz, "SECONDS", 0.2)
    for trial, problem in (
        (crash, "KeyError: 'auction'"),
        (change, "Wrong: '1N' is read"),
        (hang, "more than 0.2 s"),
    ):
        monkeypatch.setitem(fuzz.KINDS, "trial", lambda kinds, trial=trial: trial)
        result = fuzz.run("trial", None, options(2))
        assert result.tried == 2 and sum(result.failed.values()) == 2
        assert problem in next(iter(result.failed))
