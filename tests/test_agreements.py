"""What partners agree on beyond showing a hand: answers in one line, silence, and no agreement at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pidm.authoring.asked_auction import asked_auction
from pidm.authoring.explain import explain
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Hand
from pidm.cli.app import app
from pidm.errors import CallError, SystemFileErrors
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.reading.table import Table

MULTI = """\
system: Multi
include: [natural]
rules:
  - auction: P*
    bid:
      - 2D: {shows: "5-10 hcp, 6 M, 0-3 oM", alert: weak in a major}
      - 1N: 15-17 hcp, balanced
      - 1X: 12+ hcp, 4+ X
  - auction: 2D
    bid:
      - 3H: {shows: "3+ H, 3+ S, 8-12 hcp", forcing: correct}
      - 2H: {shows: 0-13 hcp, forcing: correct}
  - auction: 1N
    bid:
      - 2D: 5+ H
      - 2H: 5+ S
      - 2S: {shows: 10+ hcp, tells: nothing, forcing: round}
      - 3S: no agreement
  - auction: [1N 2D, 1N 2H]
    bid:
      - super X: 4+ X, 17 hcp
      - complete X: any
  - auction: (1X)
    bid:
      - X: {shows: "12+ hcp, 0-2 X", forcing: takeout}
"""


@pytest.fixture
def multi(tmp_path: Path) -> Path:
    path = tmp_path / "multi.yaml"
    path.write_text(MULTI)
    return path


def call(path: Path, auction: str, hand: str) -> str:
    table = Table.of(System.load(path))
    columns = HandColumns(np.array([Hand.from_str(hand).array]))
    return str(Call(int(table.choices(asked_auction(auction), columns).preferred()[0])))


@pytest.mark.parametrize(
    ("auction", "hand", "expected"),
    [
        ("2D (P) 2H (P)", "42.KQT986.J83.72", "P"),
        ("2D (P) 2H (P)", "KQT986.42.J83.72", "2S"),
        ("2D (P) 3H (P)", "KQT986.42.J83.72", "3S"),
        ("2D (P) 2H (X)", "KQT986.42.J83.72", "2S"),
        ("1N (P) 2D (P)", "AQ4.KJ32.AJ84.Q4", "3H"),
        ("1N (P) 2D (P)", "AQ4.K32.AJ84.Q42", "2H"),
        ("1N (P) 2H (P)", "AQ43.K32.AJ8.QJ2", "3S"),
        ("(1D) X (P)", "42.832.KQJ972.83", "P"),
        ("(1D) X (P)", "J642.832.KJ97.83", "1S"),
        ("(1D) X (P)", "642.832.J976.832", "1H"),
    ],
)
def test_answers_in_one_line(multi: Path, auction: str, hand: str, expected: str) -> None:
    assert call(multi, auction, hand) == expected


def test_a_line_that_bids_and_tells_nothing(multi: Path) -> None:
    assert call(multi, "1N (P)", "AQ4.K32.AJ84.Q42") == "2S"
    table = Table.of(System.load(multi))
    situation = table.situation(Auction.from_str("1N P 2S P"))
    assert situation.bounds[2] == {}
    assert situation.forced
    told = explain(System.load(multi), Auction.from_str("1N P 2S P")).made[2]
    assert (told.shows, told.forcing) == ("tells nothing", "forcing one round")
    with pytest.raises(SystemFileErrors, match="expected `tells: nothing`"):
        multi.write_text(MULTI.replace("tells: nothing", "tells: little"))
        System.load(multi)


def test_no_agreement_is_never_bid_and_shows_nothing(multi: Path) -> None:
    table = Table.of(System.load(multi))
    assert table.situation(Auction.from_str("1N P 3S P")).bounds[2] == {}
    assert explain(System.load(multi), Auction.from_str("1N P 3S P")).made[2].shows == "no agreement"
    situation = table.situation(Auction.from_str("1N P"))
    assert [one.boxes for one in situation.applied if str(one.call) == "3S"] == [()]
    multi.write_text(MULTI.replace("      - 3S: no agreement\n", ""))
    assert Table.of(System.load(multi)).situation(Auction.from_str("1N P 3S P")).bounds[2] != {}


def test_pass_or_correct_and_takeout_in_words(multi: Path) -> None:
    system = System.load(multi)
    assert explain(system, Auction.from_str("2D P 2H P")).made[2].forcing == "pass or correct"
    assert explain(system, Auction.from_str("1D X P")).made[1].forcing == "for takeout"
    assert not Table.of(system).situation(Auction.from_str("1D X P")).forced


def test_four_suit_variables_differ(tmp_path: Path) -> None:
    path = tmp_path / "four.yaml"
    block = "{auction: (1X) 1Y (2Z), bid: [2W: 5+ W]}"
    path.write_text(f"system: Four\nrules:\n  - {block}\n")
    rules = list(System.load(path).rules())
    assert len(rules) == 24
    assert all(len(set(rule.binding.values())) == 4 for _, rule in rules)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("1S (2H) 3S", "1S 2H 3S P"),
        ("(1d) P (P)", "1D P P"),
        ("1N (P) 2C", "1N P 2C P"),
        ("P (P) 1NT 2C", "P P 1N P 2C P"),
        ("1N P 2C P", "1N P 2C P"),
        ("1S", "1S"),
        ("1S X 2S", "1S X 2S"),
        ("", ""),
    ],
)
def test_auctions_are_spelt_as_in_patterns(text: str, calls: str) -> None:
    assert str(asked_auction(text)) == calls


def test_who_writes_bids_alone_is_asked_which_is_meant() -> None:
    with pytest.raises(CallError, match=r"write 1S P 2N P if the opponents passed, or 1S \(2N\) if they bid"):
        asked_auction("1S 2N")
    run = CliRunner().invoke(app, ["explain", "two_over_one", "1S", "2N"])
    assert run.exit_code == 2 and "can be read in two ways" in run.output
    with pytest.raises(CallError, match=r"or \(1S\) 2H \(2S\) if they bid"):
        asked_auction("1S 2H 2S", Seat.N)
    with pytest.raises(CallError, match="two calls of theirs in a row"):
        asked_auction("(1S) (2S)")
