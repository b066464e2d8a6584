"""In which auctions two systems differ, and what it is worth."""

import json

import pytest
from typer.testing import CliRunner

from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Deal
from pidm.cli.app import app
from pidm.language.system import System
from pidm.match.difference import differences
from pidm.play.match_boards import Board, random_boards
from pidm.play.solved_deals import Solver

RULES = """\
system: {name}
rules:
  - auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - P: any
  - auction: 1N
    bid:
      - 3N: {game}+ hcp
      - P: any
  - auction: ...
    bid:
      - P: any
"""
GAME = "KQ2.K52.A942.752", "AJ3.AQJ3.K53.Q43", "T98.T98.T87.T986", "7654.764.QJ6.AKJ"
"""North has twelve points opposite a notrump of south: nine tricks are there."""


@pytest.fixture
def systems(tmp_path):
    made = []
    for name, game in (("bold", 10), ("shy", 13)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(RULES.format(name=name, game=game))
        made.append(path)
    return made


def board():
    north, south, east, west = GAME
    return Board(1, Deal.from_str(f"N:{north} {east} {south} {west}"), Seat.S, Vul.None_)


def test_the_first_call_that_differs_is_what_they_disagree_about(systems):
    shy, bold = System.load(systems[1]), System.load(systems[0])
    found = differences(shy, bold, [board()], Solver())
    (spot,) = found.spots
    assert (spot.auction, spot.calls) == ("1N (P)", (("P", "3N", 1),))
    (one,) = spot.found
    assert str(one.first).endswith("P P P") and "3N" in str(one.second)
    assert one.imps is not None and one.imps > 0, "nine tricks are game"
    back = differences(bold, shy, [board()], Solver())
    assert back.found[0].imps == -one.imps
    assert found.chances == 2 and found.imps.mean == one.imps / 2


def test_a_system_does_not_differ_from_itself(systems):
    system = System.load(systems[0])
    found = differences(system, system, random_boards(40, 3))
    assert found.spots == () and found.imps is None


def test_without_a_solver_nothing_is_said_of_the_worth(systems):
    found = differences(*map(System.load, systems), random_boards(200, 3))
    assert found.spots and all(spot.imps is None for spot in found.spots)
    assert sum(times for spot in found.spots for _, _, times in spot.calls) == len(found.found)


def test_the_command_prints_a_line_an_auction(systems):
    words = ["diff", *map(str, systems), "--boards", "200", "--seed", "3"]
    text = CliRunner().invoke(app, [*words, "--no-worth"]).output
    assert "1N (P): 3N -> P" in text and "auctions differ" in text
    data = json.loads(CliRunner().invoke(app, [*words, "--no-worth", "--json"]).output)
    assert data["systems"] == ["bold", "shy"] and data["auctions"][0]["auction"] == "1N (P)"
    same = CliRunner().invoke(app, ["diff", str(systems[0]), str(systems[0]), "--boards", "20"]).output
    assert "bid 20 boards alike" in same
