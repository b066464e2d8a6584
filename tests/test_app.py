"""The skeleton of the command line; the commands have tests of their own."""

import sys
import types

import pytest

import pidm
from pidm.cli import main
from pidm.cli.app import COMMANDS
from pidm.language.finding import named_folders


@pytest.fixture
def commands(monkeypatch):
    """Two commands in a module that is not there until one of them runs."""
    module = types.ModuleType("commands_of_this_test")

    def greet(name: str, times: int = 1) -> None:
        """Say hello."""
        print(" ".join([f"hello {name}"] * times))

    def fail() -> None:
        """Read a bad hand."""
        pidm.Hand.from_str("AKQ.JT9.876.543")

    module.greet, module.fail = greet, fail
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(COMMANDS, "greet", f"{module.__name__}:greet")
    monkeypatch.setitem(COMMANDS, "fail", f"{module.__name__}:fail")


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    return stop.value.code or 0, out, err


def test_version(capsys):
    assert run(capsys, "--version") == (0, f"pidm {pidm.__version__}\n", "")


def test_help_names_the_commands(capsys, commands):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert "Say hello." in out


def test_a_command_runs(capsys, commands):
    assert run(capsys, "greet", "Ann", "--times", "2") == (0, "hello Ann hello Ann\n", "")


def test_an_error_of_the_user_is_one_line(capsys, commands):
    assert run(capsys, "fail") == (2, "", "pidm: 12 cards in hand: AKQ.JT9.876.543\n")


def test_an_unknown_command_is_refused(capsys):
    code, _, err = run(capsys, "fly")
    assert code == 2
    assert "fly" in err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(capsys, name):
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert name in out


def test_folders_are_named_for_all_commands(capsys, commands, monkeypatch, tmp_path):
    monkeypatch.setenv("PIDM_FOLDERS", str(tmp_path))
    assert (
        run(capsys, "--folder", str(tmp_path / "a"), "--folder", str(tmp_path / "b"), "greet", "Ann")[0] == 0
    )
    assert named_folders() == (tmp_path, tmp_path / "a", tmp_path / "b")
