"""The package as users meet it: front door, places of features and systems, and what the start costs."""

import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import pidm


def loaded_by(statement):
    """The packages that a statement imports in a new process."""
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_every_name_of_the_front_door_opens():
    for name in pidm.__all__:
        assert getattr(pidm, name).__name__ == name
        assert name in dir(pidm)
    with pytest.raises(AttributeError, match="no attribute 'Bridge'"):
        _ = pidm.Bridge


def test_features_and_systems_are_parts_of_pidm():
    import pidm.features
    import pidm.systems

    assert pidm.features.__name__ == "pidm.features"
    assert resources.files("pidm.systems").is_dir()
    assert resources.files("pidm").joinpath("py.typed").is_file()


def test_what_it_needs_is_stated_from_a_version_up():
    """`scripts/test_lowest` runs with these: a bound that is no lowest version would test nothing."""
    needed = [Requirement(line) for line in metadata.requires("pidm") or [] if "extra ==" not in line]
    assert {"numpy", "typer", "pydantic"} <= {one.name for one in needed}
    for one in needed:
        assert [part.operator for part in one.specifier] == [">="], one
    assert (Path(__file__).parent.parent / ".ci" / "run").read_text().count("test_lowest") == 1


def test_the_version_is_one():
    assert metadata.version("pidm") == pidm.__version__


HEAVY = {"endplay", "sklearn", "scipy", "matplotlib", "pydantic", "typer", "click", "rich", "yaml", "joblib"}


def test_import_is_light():
    assert not loaded_by("import pidm") & {"numpy", *HEAVY}


@pytest.mark.parametrize("module", ["auction", "cards", "scoring", "worlds"])
def test_cards_and_auctions_need_numpy_only(module):
    assert not loaded_by(f"import pidm.bridge.{module}") & HEAVY


@pytest.mark.parametrize("module", ["boards", "pbn", "lin"])
def test_records_need_endplay_only_when_one_is_read(module):
    assert not loaded_by(f"import pidm.records.{module}") & HEAVY


@pytest.fixture(scope="module")
def second_time(tmp_path_factory):
    """A store that has been asked for the system before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIDM_CACHE", str(tmp_path_factory.mktemp("store")))
        loaded_by("import pidm; pidm.System.load('two_over_one')")
        yield


@pytest.mark.usefixtures("second_time")
@pytest.mark.parametrize("auction", ["", "1C P", "1H P 1S P"])
def test_a_rule_decision_needs_numpy_only(auction):
    """Half a second from return to the call leaves no time to load what only others need."""
    bid = f"main(['bid', 'K2.AQJ32.Q32.432', {auction!r}])"
    modules = loaded_by(f"""from pidm.cli import main
try: {bid}
except SystemExit as stop: assert not stop.code
""")
    assert "numpy" in modules
    assert not modules & {*HEAVY, "threadpoolctl", "argparse"}
