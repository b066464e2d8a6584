"""`pidm new`: a first file that is in order as it stands."""

import pytest
from typer.testing import CliRunner

from pidm.authoring.lint import lint
from pidm.cli.app import app
from pidm.language.finding import shipped_systems
from pidm.language.system import System
from systems import calls_of


@pytest.mark.parametrize("like", ["empty", *(name for name in shipped_systems() if name != "silent")])
def test_the_file_loads_and_bids_its_own_example(tmp_path, monkeypatch, like):
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, ["new", "ours", "--like", like])
    assert answer.exit_code == 0 and "pidm lint ours.yaml" in answer.output
    system = System.load("ours.yaml")
    assert system.name == "ours"
    if like != "empty":
        assert calls_of(system, "K84.AK5.AQ73.942", "3S P") == ["4S"]


def test_the_file_is_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(app, ["new", "ours", "--like", "empty"])
    report = lint("ours.yaml", 60, 0)
    assert report.in_order, [finding.what for finding in report.findings]
    assert not [one for one in report.findings if one.kind == "hole" and one.where == "P*"]


def test_nothing_is_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.yaml").write_text("system: ours\n")
    answer = CliRunner().invoke(app, ["new", "ours.yaml"])
    assert answer.exit_code == 2 and (tmp_path / "ours.yaml").read_text() == "system: ours\n"


def test_an_unknown_start_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, ["new", "ours", "--like", "accol"])
    assert answer.exit_code == 2 and not list(tmp_path.iterdir())
