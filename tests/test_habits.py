"""`pidm stats`: how a pair bids, and players without a system to compare it with."""

import json
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Contract, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.cli.app import app
from pidm.match.habits import SELF, Habits, SeenTable, _best, _contract, habit_lines
from pidm.match.uncontested import Talk
from pidm.play.match_boards import Board
from pidm.play.pair import Pair
from pidm.play.room import Setup
from pidm.play.simple_player import answers, main

DEAL = Deal.from_str("N:AKQ2.AK2.K32.432 543.543.AQJ4.K65 J876.QJ76.765.AQ T9.T98.T98.JT987")


def pidm(*args):
    return CliRunner().invoke(app, ["stats", *map(str, args)])


def table(calls, solved=None):
    auction = Auction.from_str(calls)
    return SeenTable(Board(1, DEAL, Seat.N, Vul.None_), SELF, auction, solved)


def test_calls_contracts_and_openings():
    tables = (table("1N P 3N P P P"), table("P 1D X P 1H P P P"), table("P P P P"))
    data = Habits(Setup((Pair.from_str("two_over_one"),)), tables).data()
    assert data["calls"] == {"P": 0.7222, "1N": 0.0556, "3N": 0.0556, "1D": 0.0556, "X": 0.0556, "1H": 0.0556}
    assert data["contracts"] == {"3N": 0.3333, "1H": 0.3333, "passed out": 0.3333}
    assert data["length"] == {4: 1, 6: 1, 8: 1}
    assert data["openings"]["1N"]["hcp"] == [19, 19] and data["openings"]["1D"]["lengths"]["D"] == [4, 4]
    assert any(line.startswith("Calls: P 72.22%") for line in habit_lines(data))


def test_against_par_by_level():
    solved = np.full((5, 4), 6, dtype=np.int8)
    solved[:, [0, 2]] = 7
    tables = (table("1N P P P", solved), table("P P P P", solved), table("7N P P P", solved))
    found = Habits(Setup((Pair.from_str("two_over_one"),)), tables).data()["par"]
    # Par is 1NT making, 90; six down undoubled costs 300.
    assert (found["max_gain"], found["max_loss"], found["total"], found["level_7"]) == (0, -390, -480, 1)
    assert found["by_level"][0] == {"deals": 1, "points": -90.0, "imps": -3.0}


def test_the_best_result_of_a_pair_alone():
    solved = np.zeros((5, 4), dtype=np.int8)
    assert _best(solved) == 0
    solved[1, Seat.S] = 10
    assert _best(solved) == 420
    calls = tuple(Call.from_str(word) for word in ("1N", "2C", "2H", "4H", "P"))
    talk = Talk(DEAL[Seat.N], DEAL[Seat.S], calls, None)
    assert _contract(talk) == Contract(4, "H", 0, Seat.N)
    assert _contract(Talk(DEAL[Seat.N], DEAL[Seat.S], (Call.from_str("P"),) * 2, None)) is None


def test_the_command(tmp_path):
    done = pidm(
        "two_over_one", "--no-search", "--boards", 6, "--alone", "--jobs", 1, "--out", tmp_path / "a.json"
    )
    assert done.exit_code == 0, done.output
    assert "two_over_one,no-search against itself, 6 tables" in done.output
    assert "Without opponents" in done.output
    assert json.loads((tmp_path / "a.json").read_text())["tables"] == 6


def test_a_player_who_always_passes_is_an_opponent():
    silent = f"engine,name=Silent:{sys.executable} -m pidm.play.simple_player pass"
    done = pidm("two_over_one", "--no-search", "--against", silent, "--boards", 2, "--jobs", 1, "--json")
    data = json.loads(done.output)
    assert data["tables"] == 4 and data["doubled"] == 0


# ---------------------------------------------------------------------- players without a system


def test_the_random_walk_is_legal_and_repeatable():
    auction = Auction()
    calls = []
    while not auction.over:
        asked = json.dumps({"id": 1, "hand": "AKQ2.AK2.K32.432", "auction": calls})
        one, same = (json.loads(next(iter(answers("random", [asked], 7)))) for _ in range(2))
        assert one == same
        auction = auction.after(Call.from_str(one["call"]))
        calls.append(one["call"])
    assert len(set(calls)) > 1


def test_requests_come_one_by_one_or_in_arrays():
    asked = [{"id": k, "hand": "AKQ2.AK2.K32.432", "auction": ["1N"]} for k in range(3)]
    (line,) = answers("pass", [json.dumps(asked)])
    assert json.loads(line) == [{"id": k, "call": "P"} for k in range(3)]
    (wrong,) = answers("pass", [json.dumps({"id": 4, "hand": "", "auction": ["8N"]})])
    assert json.loads(wrong)["error"]["type"] == "CallError"
    (wrong,) = answers("pass", ["nonsense"])
    assert json.loads(wrong)["error"]["type"] == "RequestError"


@pytest.mark.parametrize("args", [[], ["clever"], ["pass", "x"]])
def test_usage(args, capsys):
    assert main(args) == 2
    assert "pass|random" in capsys.readouterr().err
