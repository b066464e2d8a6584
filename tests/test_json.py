"""`--json`: one document or JSON lines for other programs, and nothing else on standard output."""

import json

import pytest
from little_club import club
from typer.testing import CliRunner

from pidm.authoring.notes import notes_data
from pidm.bridge.calls import Call
from pidm.cli.app import app
from pidm.language.system import System
from pidm.play.decision import Candidate

HAND = "AQ2.QJ854.K4.AJ3"


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    return club(tmp_path_factory.mktemp("system"))


def strictly(text):
    """As other programs read it: NaN and Infinity are not JSON."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def run(*words):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code in (0, 1), result.output
    return result.stdout


@pytest.mark.parametrize(
    "words",
    [
        "bid AQ2.QJ854.K4.AJ3 --system SYSTEM --instances 40",
        "deal -n 2 --system SYSTEM --no-search",
        "explain SYSTEM 1N",
        "rules SYSTEM",
        "net SYSTEM 1N",
        "notes SYSTEM",
        "lint SYSTEM --deals 20",
        "features",
        "features AQ2.QJ854.K4.AJ3",
        "match SYSTEM SYSTEM -n 2 -j 1 --no-search",
        "ab SYSTEM SYSTEM -n 2 -j 1",
        "challenge SYSTEM -n 2 -j 1 --layouts 0 --no-search",
    ],
)
def test_one_document(system, words):
    assert strictly(run(*words.replace("SYSTEM", system).split(), "--json"))


def test_the_schema_is_json_anyway():
    assert strictly(run("schema"))["title"]


def test_notes_as_data(system):
    data = strictly(run("notes", system, "--json"))
    assert data == notes_data(System.load(system))
    chapters = {chapter["title"]: chapter["blocks"] for chapter in data["chapters"]}
    raises = next(block for block in chapters["After our opening"] if block["title"] == "Raises")
    assert raises["auctions"] == ["1M"]
    assert [(one["call"], one["shows"]) for one in raises["calls"]][:2] == [
        ("4M", "13+ HCP, 3+ M"),
        ("3M", "10-12 HCP, 3+ M"),
    ]
    assert raises["place"].startswith(system)


def test_a_session_tells_its_rounds_and_its_end(system, tmp_path):
    options = "--deals 100 --nets 4 --examples 6 --instances 60 --problems 20 --sample 20 --opponents silent"
    out = run("cotrain", system, "--out", tmp_path / "session", *options.split(), "--json")
    *rounds, last = [strictly(line) for line in out.splitlines()]
    assert [one["event"] for one in rounds] == ["round"] * 2
    assert [one["nets"] for one in rounds] == [2, 4]
    assert all(0 <= one["open"] <= 1 and isinstance(one["score"], float) for one in rounds)
    assert last["event"] == "done" and last["auctions"] == 4
    assert last["examples"] == rounds[-1]["examples"] > 0
    again = run("cotrain", "--resume", tmp_path / "session", "--json").splitlines()
    assert strictly(again[-1]) == last
    assert len(again) == 3


def test_what_is_not_known_is_null():
    told = Candidate(Call.from_str("1S"), (), mean=1.0, standard_error=float("inf")).to_dict()
    assert (told["mean"], told["standard_error"]) == (1.0, None)
