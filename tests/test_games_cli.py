"""`pidm games`: the list, playing by hand, solvers, a game of one's own."""

import json

import pytest
from typer.testing import CliRunner

from pidm.cli.app import app


def pidm(*args, text=None):
    return CliRunner().invoke(app, ["games", *map(str, args)], input=text)


def test_games_are_listed():
    done = pidm()
    assert done.exit_code == 0, done.output
    assert "two_suit_5               147,421      12,288    2.8889" in done.output
    assert "simple_bidding_16         16,129         512   >=10.75" in done.output
    assert {line["name"] for line in json.loads(pidm("--json").output)} >= {"mini_hanabi", "two_suit_7"}


def test_a_table_beside_the_papers_numbers(tmp_path):
    done = pidm(
        "mini_hanabi", "--solver", "cfr,exact", "--runs", 2, "--iterations", 20, "--csv", tmp_path / "a.csv"
    )
    assert done.exit_code == 0, done.output
    _, first, second = done.output.splitlines()
    assert first.split()[:3] == ["mini_hanabi", "cfr", "2"] and " 9.11 " in first
    assert second.split()[3] == "10.0000" and "2/2" in second
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "game,solver,seed,run,value,seconds" and len(lines) == 5


def test_where_the_optimum_is_not_known_runs_are_counted_that_reach_the_best_known():
    done = pidm("simple_bidding_16", "--solver", "ascent", "--runs", 2)
    row = done.output.splitlines()[1].split()
    assert row[6:8] == [">=10.75", "0/2"]
    (row,) = json.loads(pidm("simple_bidding_16", "--solver", "ascent", "--json").output)["rows"]
    assert row["optimum"] is None and row["best_known"] == 10.75 and row["reached"] == 0


def test_json_and_plot(tmp_path):
    done = pidm("simple_bidding_4", "--solver", "exact", "--json", "--plot", tmp_path / "runs.png")
    data = json.loads(done.output)
    assert data["rows"][0]["mean"] == 2.25 and data["runs"][0]["run"] == 0
    assert (tmp_path / "runs.png").read_bytes().startswith(b"\x89PNG")


def test_by_hand_a_player_sees_its_own_part():
    done = pidm("two_suit_3", "--seed", 1, text="1h\n7n\np\n")
    assert done.exit_code == 0, done.output
    assert "Player 1, you have 1 hearts and 2 spades." in done.output
    assert "7n is not legal here." in done.output
    assert "1H P is worth 1." in done.output


def test_by_hand_with_a_partner_who_plays_the_best_plan():
    done = pidm("mini_hanabi", "--seat", 2, text="0\n")
    assert done.exit_code == 0, done.output
    assert "Player 1: " in done.output and "Player 2, you have card" in done.output


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["chess"], "no game 'chess'"),
        (["mini_hanabi", "--solver", "magic"], "no solver 'magic'"),
        (["mini_hanabi", "two_suit_3"], "one game can be played at a time"),
        (["mini_hanabi", "--seat", "3"], "there is no player 3"),
        (["simple_bidding_16", "--solver", "exact"], "exact would take"),
    ],
)
def test_mistakes_are_told(args, message):
    done = pidm(*args)
    assert done.exit_code == 2 and message in done.output
