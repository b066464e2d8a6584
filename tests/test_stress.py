"""What no player would do, and the opponents who bring it out."""

from __future__ import annotations

import json
from itertools import starmap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.authoring.absurd import ABSURD, DealtHands, absurdities
from pidm.authoring.stress import stress
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.worlds import from_deals
from pidm.cli.app import app
from pidm.language.system import System
from pidm.reading.table import Table

PASSERS = """\
system: Passers
rules:
  - auction: P*
    bid:
      - 2C: {shows: 20+ hcp, forcing: round}
      - 1N: 15-19 hcp
      - P: any
  - auction: ...
    bid:
      - P: any
"""

BALANCED = "N:AK32.A32.K32.K32 QJT9.QJT.QJT.QJT 8765.K98.A98.A98 4.7654.7654.7654"
"""NS have 27 points."""


@pytest.fixture
def passers(tmp_path: Path) -> Path:
    path = tmp_path / "passers.yaml"
    path.write_text(PASSERS)
    return path


def kinds(path: str | Path, deal: str, auction: str, side: int = 0, stretched: int = 0) -> list[str]:
    system = System.load(path)
    hands = DealtHands(from_deals([Deal.from_str(deal)]))
    calls = Auction.from_str(auction, Seat.N, Vul.None_)
    return list(absurdities(Table.of(system), calls, hands, 0, side, stretched))


@pytest.mark.parametrize(
    ("auction", "deal", "expected"),
    [
        ("1N P P P", BALANCED, ["missed game"]),
        ("P P P P", BALANCED, ["missed game"]),
        ("1N P 3N P P P", BALANCED, []),
        ("1N 2S P P P", BALANCED, ["missed game"]),
        ("1N 3S P P P", BALANCED, []),  # they got in the way
        ("2C P P P", BALANCED, ["forcing call passed", "missed game", "artificial call passed"]),
        (
            "1S P 2S P 3C X P P P",
            "N:AKQ32.A32.2.KQ32 T6.KQJ.KQJT7.AT9 J987.8654.A98.J8 54.T97.6543.7654",
            ["forcing call passed", "doubled misfit", "fit not played"],
        ),
        (
            "P 1H P 2H X P P 3H P P P",
            "N:A.A2.AKQ9876.Q32 QJT9.KQJT.JT.JT4 8765.987.43.9876 K432.6543.52.AK5",
            [],
        ),
        (
            "P 1H P 2H P P P",
            "N:A.A2.AKQ9876.Q32 QJT9.KQJT.JT.JT4 8765.987.43.9876 K432.6543.52.AK5",
            ["strong hand silent"],
        ),
        (
            "1N P 6N P P P",
            "N:KQ32.KQ2.KQ2.KQ2 A987.A98.JT9.JT9 JT4.JT3.A876.A87 65.7654.543.6543",
            ["fast losers in a slam"],
        ),
        (
            "1N 2S 3N P P P",
            "N:32.AKQ2.KQ32.K32 AKJT98.J3.J5.JT9 54.T98.A876.AQ87 Q76.7654.T94.654",
            ["no stopper"],
        ),
    ],
)
def test_what_no_player_would_do(passers: Path, auction: str, deal: str, expected: list[str]) -> None:
    found = kinds("two_over_one" if "S" in auction or "H" in auction else passers, deal, auction)
    assert found == expected
    assert set(found) <= set(ABSURD)


def test_who_counts_enough_points_and_cannot_ask_is_unlucky(passers: Path) -> None:
    deal = "N:KQ32.KQ2.KQ2.KQ2 A987.A98.JT9.JT9 JT4.JT3.A876.A87 65.7654.543.6543"
    assert kinds(passers, deal, "1N P 6N P P P", stretched=2) == []


def test_nobody_need_run_from_a_misfit_that_cannot_be_known() -> None:
    deal = "N:AQ432.2.A5432.43 K.AKQJ3.KQ.KQJT2 5.T9876.J76.A987 JT9876.54.T98.65"
    assert "doubled misfit" not in kinds("two_over_one", deal, "P 1H P P 1S X P P P")


def test_who_values_bare_honors_at_less_does_not_miss_a_game() -> None:
    deal = "N:K.AKJ.QT843.KJ54 A85.T9873.K72.A8 QJT73.Q.A9.T9632 9642.6542.J65.Q7"
    hands = DealtHands(from_deals([Deal.from_str(deal)]))
    calls = Auction.from_str("1D 1H 1S P 2C P P P", Seat.N, Vul.None_)
    found = {}
    for by_tricks in (True, False):
        table = Table.of(System.load("two_over_one", {"count_by_tricks": by_tricks}))
        found[by_tricks] = list(absurdities(table, calls, hands, 0, 0))
    assert found == {True: [], False: ["missed game"]}


def test_points_that_make_no_game_do_not_miss_one() -> None:
    """Twenty-eight points, and five spades to lose in notrump, three in a minor; then with a stopper."""
    open_suit = "N:986.AK5.KJ42.K92 AKQJ7.Q73.T7.T65 T42.J6.AQ95.AQJ4 53.T9842.863.873"
    stopped = "N:K86.A75.KJ42.K92 AQJ97.QT3.T7.T65 T42.KJ6.AQ95.AQ4 53.9842.863.J873"
    assert kinds("two_over_one", open_suit, "1D 1S X P 2D P P P") == []
    assert kinds("two_over_one", stopped, "1D 1S X P 2D P P P") == ["missed game"]


def test_a_cheap_save_is_not_run_into() -> None:
    deal = "N:T94.5.3.AKQT9763 J732..KT72.J8542 K5.T976432.Q986. AQ86.AKQJ8.AJ54."
    assert kinds("two_over_one", deal, "3N P 4C P P P") == []
    assert "ran away" in kinds("two_over_one", deal, "3N P 4C X P P XX P P P")


def test_an_overcall_may_find_no_support() -> None:
    deal = "N:Q53.AKT53.A98.82 J862.9872..AK743 97.J4.J7652.QJT5 AKT4.Q6.KQT43.96"
    assert kinds("two_over_one", deal, "1H P P 2D P P P", side=1) == []
    assert "too few trumps" in kinds("two_over_one", deal, "1H P P 2D P P X P P P", side=1)


def test_a_system_that_passes_everything_is_told(passers: Path) -> None:
    """It opens and answers nothing; whoever overcalls, doubles or preempts disturbs."""
    report = stress(passers, 60, 0)
    found = report.kinds()["missed game"]
    assert any(case.stretched for case in found) and not all(case.stretched for case in found)
    assert len({case.vul for case in found}) > 1
    others = {
        call
        for case in report.cases
        for number, call in enumerate(case.auction.split())
        if ("NESW".index(case.dealer) + number) % 2 != (case.side == "EW")
    }
    assert "P" in others
    assert any(call[0] in "1234" and call not in ("1N", "2C") for call in others)


def test_equal_seeds_give_equal_deals_whoever_works(passers: Path) -> None:
    told: list[int] = []
    one = stress(passers, 300, 5, progress=told.append)
    other = stress(passers, 300, 5, spread=lambda work, pieces: list(starmap(work, pieces)))
    assert one == other
    assert told == [250, 300]
    assert stress(passers, 300, 6) != one


def test_stress_on_the_command_line(passers: Path) -> None:
    asked = ["lint", str(passers), "--stress", "--deals", "40", "--jobs", "1"]
    told = CliRunner().invoke(app, [*asked, "--top", "1"])
    assert told.exit_code == 0
    assert "Passers under stress, 40 deals" in told.output
    assert "missed game: 26 points together and no game" in told.output
    data = json.loads(CliRunner().invoke(app, [*asked, "--json"]).output)
    assert data["kinds"]["missed game"]["deals"] >= 1
    case = data["kinds"]["missed game"]["cases"][0]
    assert {"deal", "auction", "dealer", "vul", "side", "stretched", "kind"} == set(case)
    assert CliRunner().invoke(app, [*asked, "--strict"]).exit_code == 1
