"""Reading auctions: what has been shown, what is forcing, which rules apply."""

from pathlib import Path

import pytest
from figure_5 import state_actions

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.core.box import EVERYTHING
from pidm.errors import SystemFileErrors
from pidm.features import Feature
from pidm.language.system import System
from pidm.reading.situation import Situation
from pidm.reading.table import Table
from systems import calls_of, little_system

RULES = """
- title: Openings
  auction: P*
  bid:
    - 1N: 15-17 hcp, balanced
    - 1M: 12-21 hcp, 5+ M
    - 1m: 12-21 hcp, 3+ m
    - P: 0-11 hcp
- title: Raises
  auction: 1M
  bid:
    - 2N: {shows: "4+ M, 13+ hcp", forcing: game, agrees: M, starts: jacoby}
    - 2M: {shows: "3+ M, 6-9 hcp", forcing: no}
    - 1N: {shows: 6-12 hcp, forcing: round}
    - P: 0-5 hcp
- title: Transfers
  auction: 1N
  bid:
    - 2D: {shows: 5+ H, forcing: round}
    - 3N: {shows: 10-15 hcp, forcing: signoff}
- title: After Jacoby
  auction: 1M 2N
  when: in jacoby
  bid:
    - 3X: {shows: 0-1 X, when: X != M}
    - 4M: 12-14 hcp
- title: Overcalls
  auction: (1X)
  bid:
    - 1Y: 8-16 hcp, 5+ Y
- title: Combined strength
  auction: 1M 2M
  bid:
    - 4M: combined 25+ hcp
    - 3M: combined 23-24 hcp
- title: Cue bids
  auction: (1X) 1Y
  bid:
    - 2X: {shows: "3+ Y, 10+ hcp", forcing: round}
- title: No passing in game-forcing situations
  auction: ...
  when: forced to game
  never: [P]
"""


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    return little_system(tmp_path_factory.mktemp("systems"), RULES)


def after(system: System, auction: str) -> Situation:
    return Table.of(system).situation(Auction.from_str(auction))


def shown(situation: Situation, seat: int, feature: str) -> tuple[float, float]:
    return situation.range_of(seat, Feature.parse(feature))


def test_a_call_shows_what_its_rule_says(system: System) -> None:
    situation = after(system, "1S")
    assert shown(situation, 0, "hcp") == (12, 21)
    assert shown(situation, 0, "length(S)") == (5, 13)
    assert situation.suits[0] == {"S"}


def test_a_balanced_hand_shows_lengths(system: System) -> None:
    assert shown(after(system, "1N"), 0, "length(H)") == (2, 5)


def test_a_transfer_shows_the_suit_above(system: System) -> None:
    situation = after(system, "1N P 2D P")
    assert situation.suits[2] == {"H"}
    assert shown(situation, 2, "length(S)") == (0, 8)  # thirteen cards, five of them hearts


def test_later_calls_narrow_earlier_ones(system: System) -> None:
    situation = after(system, "P P 1S P P")
    assert shown(situation, 0, "hcp") == (0, 5)


def test_passing_and_the_seats_count_from_the_dealer(system: System) -> None:
    situation = after(system, "P 1S")
    assert situation.passed_hand(0)
    assert not situation.passed_hand(1)
    assert situation.opener == 1


def test_eight_cards_together_agree_a_suit(system: System) -> None:
    assert after(system, "1S P 2S P").agreed[0] == "S"
    assert after(system, "1N P 2D P").agreed[0] is None


def test_one_round_force_lasts_until_partner_has_called(system: System) -> None:
    assert after(system, "1S P 1N P").forced
    assert not after(system, "1S P 1N 2C").forced
    assert not after(system, "1S P 2S P").forced


def test_a_doubled_cue_bid_must_be_answered(system: System) -> None:
    assert after(system, "1D 1S P 2D X").forced
    assert not after(system, "1D 1S P 2D 2H").forced


def test_game_force_lasts_until_game(system: System) -> None:
    assert after(system, "1S P 2N P").forced_to_game
    assert after(system, "1S P 2N P 3C P").forced_to_game
    assert not after(system, "1S P 2N P 4S P").forced_to_game
    assert "P" not in calls_of(system, "AKQ32.Q32.32.A32", "1S P 2N P 3C P")


def test_conventions_start(system: System) -> None:
    assert calls_of(system, "AKJ32.Q3.2.A5432", "1S P 2N P") == ["3D"]


def test_combined_points_take_the_least_that_partner_has_shown(system: System) -> None:
    assert calls_of(system, "AKQ32.AQ2.A2.432", "1S P 2S P") == ["4S"]  # 19 and 6
    assert calls_of(system, "AKQ32.AQ2.J2.Q32", "1S P 2S P") == ["3S"]  # 18 and 6


def test_a_hand_without_a_rule_finds_the_default_actions(system: System) -> None:
    assert calls_of(system, "AKQ32.2.KQ32.432", "1S P 2S P")[0] == "P"
    assert len(calls_of(system, "AKQ32.2.KQ32.432", "1S P 2S P")) > 20


def test_the_reason_of_a_call_is_its_line(system: System) -> None:
    meant = after(system, "1S").meaning_of(Call.from_str("2H"))
    assert not meant.rules
    meant = after(system, "").meaning_of(Call.from_str("1N"))
    (rule,) = meant.rules
    assert rule.place.endswith("little.yaml:6")


def test_the_dealer_and_the_vulnerability_turn_with_the_table(tmp_path: Path) -> None:
    system = little_system(
        tmp_path,
        """
        - auction: P*
          when: vul
          bid: [ {1C: any} ]
        - auction: P*
          bid: [ {1D: any} ]
        """,
    )
    for dealer, vul, call in (("N", "NS", "1C"), ("E", "NS", "1D"), ("E", "EW", "1C"), ("S", "EW", "1D")):
        net = Table.of(system).net(Auction(Seat.from_str(dealer), Vul.from_str(vul)))
        assert str(Call(state_actions(net, EVERYTHING)[0].action)) == call


def test_a_more_specific_block_speaks_alone_of_its_calls(tmp_path: Path) -> None:
    system = little_system(
        tmp_path,
        """
        - auction: 1M (bid)
          bid: [ {X: 10+ hcp}, {2N: 12+ hcp} ]
        - auction: 1S (2H)
          bid: [ {X: 4+ D} ]
        """,
    )
    assert calls_of(system, "AK2.AK2.432.5432", "1S 2H") == ["2N"]
    assert calls_of(system, "AK2.AK2.432.5432", "1S 2D") == ["X"]


def test_lines_in_order_and_either(tmp_path: Path) -> None:
    system = little_system(
        tmp_path,
        """
        - auction: P*
          bid:
            - 2C: 22+ hcp
            - either:
                - 1N: 15-17 hcp, balanced
                - 1H: 12-21 hcp, 5+ H
            - 1C: 12+ hcp
        """,
    )
    assert calls_of(system, "AQ2.QJ854.K4.AJ3") == ["1N", "1H"]
    assert calls_of(system, "A2.QJ854.K42.A43") == ["1H"]
    assert calls_of(system, "A32.QJ85.K42.A43") == ["1C"]


def test_all_mistakes_of_a_file_are_reported_together(tmp_path: Path) -> None:
    with pytest.raises(SystemFileErrors) as caught:
        little_system(
            tmp_path,
            """
            - auction: 1S 9C
              when: prtner shows 5+ S
              bid:
                - 2H: 5+ hcpp
                - 3Q: any
            """,
        )
    assert [error.line for error in caught.value.errors] == [3, 4, 6, 7]
