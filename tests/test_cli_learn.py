"""`pidm learn`, and the records that it reads."""

import gzip
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from records_of_ours import as_json, boards, club_evening
from typer.testing import CliRunner

from pidm import Bidder
from pidm.bridge.calls import Seat
from pidm.cli.app import app
from pidm.engine import answer
from pidm.models.learned_pair import LearnedPair
from pidm.models.sources import read_biddings
from pidm.records.boards import Record, write

TOP = Path(__file__).parents[1]
NAMES = ("Ann", "Bob", "Cy", "Dee")


def records(count=12):
    return boards(count, names=NAMES)


def written(path, found):
    kept = [
        Record(
            board=number,
            hands=one.hands,
            dealer=one.auction.dealer,
            vul=one.auction.vul,
            auction=one.auction,
            contract=one.auction.contract,
            passed_out=one.auction.contract is None,
            tags=dict(zip(("North", "East", "South", "West"), one.players)),
        )
        for number, one in enumerate(found, 1)
    ]
    write(path, kept)
    return path


def test_the_records_of_the_readme_are_enough_to_learn_from(tmp_path):
    (command,) = re.findall(r"pidm (learn .*?) --out", (TOP / "README.md").read_text())
    _, path, *who = shlex.split(command)
    out = tmp_path / "jones.pair"
    shown = CliRunner().invoke(app, ["learn", str(TOP / path), *who, "--out", str(out)])
    assert shown.exit_code == 0, shown.output
    assert "Carl Jones: learned from 231 calls on 90 deals" in shown.output
    assert LearnedPair.load(out).origin.who == ("Carl Jones",)


@pytest.mark.parametrize("form", ["pbn", "lin", "jsonl", "jsonl.gz"])
def test_every_format_tells_the_same(tmp_path, form):
    found, path = records(), tmp_path / f"evening.{form}"
    if form in ("pbn", "lin"):
        written(path, found)
    else:
        text = "".join(as_json(one) + "\n" for one in found).encode()
        path.write_bytes(gzip.compress(text) if form.endswith("gz") else text)
    again = read_biddings([path])
    assert not again.errors
    assert again.biddings == found


def test_tables_of_a_match_name_their_pairs(tmp_path):
    one = records(1)[0]
    board = json.loads(as_json(one))
    calls = board.pop("auction")
    named = {**board, "tables": [{"ns": "Us", "ew": "Them", "auction": calls}]}
    nameless = {**board, "tables": [{"auction": calls}, {"auction": calls}]}
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"kind": "match", "results": [named, nameless]}, indent=1))
    found = read_biddings([path]).biddings
    assert [one.players[Seat.N] for one in found] == ["Us", "A", "B"]
    assert [one.players[Seat.W] for one in found] == ["Them", "B", "A"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "expected an object"),
        ('{"dealer": "N", "auction": ["1S"]}', 'expected a "deal"'),
        ('{"hands": {"X": "AKQ"}, "dealer": "N"}', "by seat N E S W"),
        ('{"hands": {"N": "AKQJT98765432..."}, "auction": []}', 'expected a "dealer"'),
        ('{"hands": {"N": "AKQJT98765432..."}, "dealer": "N"}', 'expected an "auction"'),
        ('{"hands": {"N": "AKQJT98765432..."}, "dealer": "N", "auction": ["8S"]}', "8S"),
        ('{"hands": {"N": "AKQJT98765432..."}, "dealer": "N", "tables": [1]}', "list of objects"),
    ],
)
def test_a_bad_line_is_told_and_the_others_are_read(tmp_path, line, message):
    good = records(1)[0]
    path = tmp_path / "evening.jsonl"
    path.write_text(f"{line}\n\n{as_json(good)}\n")
    found = read_biddings([path])
    assert found.biddings == [good]
    (error,) = found.errors
    assert error.line == 1 and message in str(error)


def test_the_command_learns_and_reports(tmp_path):
    path, out = tmp_path / "evening.jsonl", tmp_path / "club.pair"
    path.write_text("".join(as_json(one) + "\n" for one in records(80)) + "{\n")
    told = CliRunner().invoke(
        app, ["learn", str(path), "--who", "Ann", "--who", "Cy", "--out", str(out), "--report"]
    )
    assert told.exit_code == 0, told.output
    assert "evening.jsonl:81:2: not JSON" in told.output
    assert "Ann, Cy: learned from" in told.stdout and "our rules" in told.stdout and "opening" in told.stdout
    assert LearnedPair.load(out).origin.who == ("Ann", "Cy")
    told = CliRunner().invoke(app, ["learn", str(path), "--out", str(out), "--report", "--json"])
    data = json.loads(told.stdout)
    assert data["kinds"][-1]["kind"] == "all" and data["shown"][0]["auction"] == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "club.npz"], "ends in .pair"),
        (["--out", "nowhere/club.pair"], "no such directory"),
        (["--out", "club.pair", "--who", "Eve"], "calls of Eve"),
    ],
)
def test_mistakes_are_told(tmp_path, options, message):
    path = tmp_path / "evening.jsonl"
    path.write_text(as_json(records(1)[0]) + "\n")
    options = [str(tmp_path / one) if one.endswith(("npz", "pair")) else one for one in options]
    told = CliRunner().invoke(app, ["learn", str(path), *options])
    assert told.exit_code == 2 and message in told.output


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "club.pair"
    club_evening()[0].save(path)
    return str(path)


def test_a_pair_of_which_little_is_known_is_told_of_as_it_bids(tmp_path):
    """Beside its system, that is: what the few records alone say of 1N is next to nothing."""
    path = tmp_path / "few.pair"
    pair = club_evening()[0]
    LearnedPair(pair.network, replace(pair.origin, system="two_over_one", trust=0.0)).save(path)
    told = CliRunner().invoke(app, ["explain", str(path), "1N", "P", "--json"])
    assert told.exit_code == 0, told.output
    notrump, _ = json.loads(told.stdout)["made"]
    assert notrump["points"] == [15, 17] and 0.03 < notrump["chance"] < 0.06


def test_explain_tells_what_the_calls_of_a_model_show(club):
    told = CliRunner().invoke(app, ["explain", club, "1N", "P", "--json"])
    assert told.exit_code == 0, told.output
    data = json.loads(told.stdout)
    notrump, passed = data["made"]
    assert (notrump["call"], notrump["seat"], passed["call"]) == ("1N", "N", "P")
    assert notrump["points"][0] >= 10 and notrump["seen"] > 100
    assert 0.01 < notrump["chance"] < 0.15 < passed["chance"]
    chances = [one["chance"] for one in data["possible"]]
    assert chances == sorted(chances, reverse=True) and 0.8 < sum(chances) <= 1.001
    lines = CliRunner().invoke(app, ["explain", club, "1N", "P"]).stdout.splitlines()
    assert lines[0].startswith("all: learned from") and "S to call:" in lines
    bad = CliRunner().invoke(app, ["explain", club, "1N", "--on", "smolen"])
    assert bad.exit_code == 2 and "no card" in bad.output


def test_the_engine_tells_what_learned_opponents_show(club):
    request = '{"ask": "explain", "auction": ["1N", "P", "2C"]}'
    bidder = Bidder(opponents=club, limit=None)
    told = answer(bidder, request)["learned"]  # west is to call: north and south are the opponents
    assert [(one["seat"], one["call"]) for one in told] == [("N", "1N"), ("S", "2C")]
    assert told[0]["points"][0] >= 10
    assert "learned" not in answer(Bidder(limit=None), request)
