"""The commands of the README: their files are there, their names are known, and the quick ones run."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm import Auction, Bidder, Seat
from pidm.authoring.fit import fit
from pidm.bridge.calls import PASS
from pidm.cli.app import COMMANDS, app
from pidm.language.loading import shipped_conventions, shipped_systems
from pidm.records.boards import read

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text()
LINES = [shlex.split(line, comments=True) for line in re.findall(r"^    (pidm .*)$", README, re.MULTILINE)]
SLOW = set("ab challenge cotrain engine games learn lint match review serve stats tune".split())
"""Tested elsewhere; here only their words are read."""


def test_there_are_commands_to_read() -> None:
    assert len(LINES) > 12


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_a_command_names_what_is_there(words: list[str]) -> None:
    assert words[1] in COMMANDS
    helped = CliRunner().invoke(app, [words[1], "--help"], env={"COLUMNS": "200"}).output
    for word in words[2:]:
        if word.startswith("--"):
            assert word in helped, f"{word} is no option of pidm {words[1]}"
        elif word.startswith("docs/"):
            assert (TOP / word).is_file()
    for option in ("--without", "--with"):
        if option in words:
            assert words[words.index(option) + 1] in shipped_conventions()
    if words[1] in ("notes", "net", "match", "ab", "challenge", "cotrain"):
        assert words[2] in shipped_systems()


@pytest.mark.parametrize("words", [one for one in LINES if one[1] not in SLOW], ids=" ".join)
def test_a_quick_command_runs(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(TOP / "docs" / "examples", tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, words[1:])
    assert ran.exit_code == 0, ran.output
    if "--out" in words:
        assert (tmp_path / words[words.index("--out") + 1]).stat().st_size > 500
    else:
        assert ran.output.strip()


def test_the_system_of_the_page_is_the_example() -> None:
    page = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert page is not None
    assert page[1] == (TOP / "docs" / "examples" / "little_club.yaml").read_text()


def test_the_demo_installs_what_the_commands_of_the_page_need() -> None:
    installed = re.search(r"extra='\[(.*?)\]'", (TOP / "scripts" / "lib.sh").read_text())
    assert installed is not None
    needed = {"web"} if any(one[1] == "serve" for one in LINES) else set()
    needed |= {"pdf"} if any("pdf" in one for one in LINES) else set()
    assert needed == {"web", "pdf"} == set(installed[1].split(","))


def test_the_file_of_the_page_has_something_to_review() -> None:
    board = read(TOP / "docs" / "examples" / "club.pbn").boards[1]
    before = Auction(board.dealer, board.vul, board.auction.calls[:4])
    decision = Bidder("two_over_one", limit=None).bid(board.deal[Seat.E], before)
    assert (str(decision.call), str(board.auction.calls[4])) == ("3N", "P")
    assert not fit(decision.situation, PASS, decision.hand).fits
