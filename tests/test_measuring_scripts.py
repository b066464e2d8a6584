"""`scripts/measure`: a system against files of one's own."""

import io
import json
import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

from systems import write_system

SCRIPTS = Path(__file__).parent.parent / "scripts"
RULES = """
- auction: P*
  bid: [ {1C: 12+ hcp}, {P: 0-11 hcp} ]
- auction: ...
  bid: [ {P: any} ]
"""
HANDS = {
    "N": "AKQ2.432.432.432",
    "E": "J43.AK5.AK5.AK65",
    "S": "T98.QJT.QJT.QJT9",
    "W": "765.9876.9876.87",
}
DEALS = [
    {"dealer": "N", "vul": "None", "hands": HANDS, "auction": ["P", "1C", "P", "P", "P"]},
    {"dealer": "E", "vul": "Both", "hands": HANDS, "auction": ["2N", "P", "P", "P"]},
]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    return write_system(tmp_path, RULES)


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join(json.dumps(deal) for deal in DEALS))
    return path


class Ran(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(what: str, *arguments: object) -> Ran:
    """The script in this process, where most of what it imports is there already."""
    out, err = io.StringIO(), io.StringIO()
    words = [str(SCRIPTS / "measure"), what, *map(str, arguments)]
    with (
        patch.object(sys, "argv", words),
        patch.object(sys, "path", [str(SCRIPTS), *sys.path]),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        runpy.run_path(words[0], run_name="__main__")
    return Ran(int(ended.value.code or 0), out.getvalue(), err.getvalue())


def test_as_a_program(system: Path, deals: Path) -> None:
    command = [sys.executable, str(SCRIPTS / "measure"), "agreement", str(system), str(deals), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == ""
    told, here = json.loads(done.stdout), json.loads(run("agreement", system, deals, "--json").stdout)
    assert {**told, "seconds": 0} == {**here, "seconds": 0}


def test_agreement(system: Path, deals: Path) -> None:
    figures = json.loads(run("agreement", system, deals, "--json").stdout)
    assert figures["decisions"] == 9
    assert figures["openings"] == pytest.approx(2 / 3)  # P and 1C; not 2N
    assert figures["all"] == pytest.approx(8 / 9)


def test_agreement_of_some_auctions(system: Path, deals: Path) -> None:
    result = run("agreement", system, deals, "--match", "^1C")
    assert "100.00% of 3" in result.stdout


def test_meanings_of_others(system: Path, deals: Path) -> None:
    figures = json.loads(run("meanings", system, deals, "--json").stdout)
    assert figures["points"] == 1.0
    assert figures["statements"]["points"] == 2  # P and 1C; no rule speaks of 2N


def test_meanings_of_one_s_own(system: Path) -> None:
    figures = json.loads(run("meanings", system, "--own", 20, "--json").stdout)
    assert figures["points"] == 1.0


def test_meanings_with_the_look() -> None:
    """With the look other calls are made, and held against what they show."""
    rules, look = (
        json.loads(run("meanings", "two_over_one", "--own", 20, *more, "--json").stdout)
        for more in ([], ["--look"])
    )
    assert look["statements"] != rules["statements"]
    assert min(rules["points, contested"], look["points, contested"], look["lengths, contested"]) > 0.8


def test_meanings_with_experience() -> None:
    """What is told of play is true where what was agreed alone is not; it takes nothing back."""
    told, agreed = (
        json.loads(run("meanings", "two_over_one", "--own", 20, "--experience", *more, "--json").stdout)
        for more in ([], ["--agreed"])
    )
    assert told["statements"] == agreed["statements"]
    assert all(told[kind] >= agreed[kind] for kind in ("points", "lengths"))
    assert "--agreed goes with --experience" in run("meanings", "sayc", "--own", 1, "--agreed").stderr


def test_sanity(system: Path) -> None:
    figures = json.loads(run("sanity", system, "--deals", 50, "--json").stdout)
    assert figures["deals"] == 50
    assert figures["default"] == 0
    assert figures["missed game"] > 0  # this system never bids a game


def test_lines_that_lose(tmp_path: Path) -> None:
    """A system that passes every opening of 2N would do better with 3N."""
    timid = write_system(
        tmp_path,
        """
- auction: P*
  bid: [ {2N: 13+ hcp}, {P: 0-12 hcp} ]
- auction: 2N
  bid: [ {3N: 13+ hcp}, {P: 0-12 hcp} ]
- auction: ...
  bid: [ {P: any} ]
""",
    )
    figures = json.loads(run("lines", timid, "--deals", 250, "--json").stdout)
    assert figures["deals"] == 250 and figures["calls"] > 80
    raised = [one for one in figures["lines"] if (one["call"], one["other"]) == ("P", "3N")]
    assert len(raised) == 1 and raised[0]["mean"] > 2 * raised[0]["error"]
    told = run("lines", timid, "--deals", 250, "--match", "^2N$").stdout
    assert "P, 3N gains +" in told and " opposite " in told
    assert (
        run("lines", timid, "--deals", 20, "--match", "^7N").stdout == "20 deals, 0 calls after the opening\n"
    )
    wrong = run("lines", timid, "--deals", 20, "--match", "(")
    assert wrong.returncode == 2 and "unterminated" in wrong.stderr


def test_facts(system: Path, tmp_path: Path) -> None:
    facts = [
        {"hand": HANDS["E"], "auction": ["P"], "expected": "1C", "group": "openings"},
        {"hand": HANDS["E"], "auction": ["P"], "expected": "2N", "group": "openings", "doubtful": True},
    ]
    path = tmp_path / "facts.jsonl"
    path.write_text("\n".join(map(json.dumps, facts)))
    figures = json.loads(run("facts", system, path, "--json").stdout)
    assert figures == {"facts": 2, "right": 1, "groups": {"openings": [1, 2]}}
    assert "1 of 1 right" in run("facts", system, path, "--skip", "doubtful").stdout
    assert run("facts", system, path, "--group", "slams").stderr == "no fact matches\n"


@pytest.mark.parametrize("what", ["agreement", "meanings", "facts"])
def test_a_file_that_is_not_there_is_named(system: Path, what: str) -> None:
    result = run(what, system, "nowhere.jsonl")
    assert result.returncode == 2
    assert "nowhere.jsonl" in result.stderr


def test_partners(system: Path) -> None:
    """Copies of one pair are as good partners as the originals; of another system they are not."""
    alike = json.loads(run("partners", f"{system},rules-only", system, "--boards", 10, "--json").stdout)
    assert alike == {"boards": 10, "team": [0.0, 0.0], "partner": [0.0, 0.0], "host": [0.0, 0.0]}
    told = run("partners", f"{system},rules-only", "two_over_one,rules-only", "--boards", 10).stdout
    lines = [line.split() for line in told.splitlines()]
    assert [line[0] for line in lines] == ["team", "partner", "host"]
    assert float(lines[0][1]) < 0
    assert "10 deals" in told


def test_strangers_are_counted_for_the_side_that_they_sit_on() -> None:
    sys.path.insert(0, str(SCRIPTS))
    try:
        from measures.partners import _strangers
    finally:
        sys.path.remove(str(SCRIPTS))
    # N gains 100 points for N-S (3 IMPs), E loses 100 for E-W, S and W change nothing
    won = _strangers(np.array([0]), np.array([[100, 100, 0, 0]]))
    assert won.tolist() == [3 - 3]
    assert _strangers(np.array([0]), np.array([[100, -100, 0, 0]])).tolist() == [6]


def test_situations(tmp_path: Path) -> None:
    """Raises that gain even if doubled gain by their tags too: boosted trees and small ones find it."""
    from pidm.reading.stakes import KINDS, NAMES

    rng = np.random.default_rng(4)
    lines = []
    for _ in range(300):
        rows = np.zeros((2, len(NAMES)))
        rows[1, NAMES.index("kind")] = KINDS.index("raise")
        rows[1, NAMES.index("gain_doubled")] = worth = rng.uniform(-3, 3)
        gains = [[0.0, 0.0], [2.0, 2.0] if worth > 0 else [-2.0, -2.0]]
        turn = {"ours": "a", "theirs": "b", "dealer": "N", "vul": "None", "auction": "1S 2H"}
        told = {"hand": HANDS["N"], "calls": ["P", "2S"], "rows": rows.tolist(), "standing": [0.0, worth]}
        lines.append(
            [{**turn, **told, "plain": gains, "guarded": gains, "worlds": 32, "light": 0.0, "weight": 1.0}]
        )
    (tmp_path / "generation-1").mkdir()
    path = tmp_path / "generation-1" / "tags.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    figures = json.loads(run("situations", tmp_path, "--json").stdout)
    assert figures["tags"] == 300
    assert figures["all there is"][0] == pytest.approx(1.0, abs=0.2)
    assert figures["boosted trees"][0] == pytest.approx(figures["all there is"][0], abs=0.1)
    assert figures["a tree of 4 tests"][0] == pytest.approx(figures["all there is"][0], abs=0.1)
    assert figures["as they stand"][0] < figures["all there is"][0]
    assert figures["boosted trees without values"][0] < 0.2
    path.write_text("[{}]\n")
    assert "damaged" in run("situations", tmp_path).stderr
