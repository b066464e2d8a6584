"""Is a convention worth playing? Boards are looked for on which it comes up, and weighed by their share."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from pidm.cli.app import app
from pidm.match.ab import ab_lines, can_be_screened, screened, versions_of
from pidm.match.duplicate import run_match
from pidm.play.match_boards import random_boards
from pidm.play.pair import Pair
from pidm.play.room import Setup


@pytest.fixture(scope="module")
def setup() -> Setup:
    return Setup(versions_of(Pair.from_str("two_over_one,rules-only"), (), ("negative_doubles",)))


def test_boards_are_found_on_which_the_convention_comes_up(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pidm.match.ab.BLOCK", 50)
    told: list[tuple[int, int]] = []
    found, looked = screened(setup, 1, 1000, 100, lambda *progress: told.append(progress))
    assert looked == 100 and [so_far for _, so_far in told] == [50, 100] and told[-1][0] == len(found)
    assert found
    numbers = {board.number for board in found}
    alike = [board for board in random_boards(20, 1) if board.number not in numbers]
    assert all(
        a.auction == b.auction
        for a, b in (one.tables[:2] for one in run_match(setup, alike, differing=True).results)
    )
    match = run_match(setup, found[:2], differing=True)
    assert match.differing == len(match.results)
    whole = replace(match, tied=looked - len(match.results))
    assert whole.boards == looked
    assert whole.imps.mean == pytest.approx(match.imps.mean * len(match.results) / looked)
    assert f"{looked} boards: A" in ab_lines(whole)[2]


@pytest.mark.parametrize(
    ("pair", "can"), [("rules-only", True), ("no-search", False), ("instances=100", False)]
)
def test_only_rules_can_be_screened(pair: str, can: bool) -> None:
    both = versions_of(Pair.from_str(f"two_over_one,{pair}"), ("smolen",), ())
    assert can_be_screened(Setup(both)) is can


def test_the_time_that_is_told_has_the_search_for_boards_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pidm.match.ab.screened", lambda *_: (random_boards(1, 1), 512))
    monkeypatch.setattr("pidm.cli.ab.perf_counter", iter((0.0, 5000.0)).__next__)
    words = ["ab", "two_over_one", "--without", "smolen", "--jobs", "1", "--json"]
    ran = CliRunner().invoke(app, words)
    data = json.loads(ran.stdout)
    assert data["boards"] == 512
    assert data["timing"]["seconds"] >= 5000
