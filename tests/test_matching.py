"""The matching of rules: which apply, in what order, and who is heard."""

from __future__ import annotations

from pathlib import Path

import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.language.rules import Order
from pidm.language.system import System
from pidm.reading.matching import Applied
from pidm.reading.situation import Situation
from pidm.reading.table import Table
from systems import calls_of, little_system


def at(folder: Path, rules: str, auction: str = "", natural: str = "") -> Situation:
    """A little system after an auction; `natural` are blocks of the lowest layer."""
    if natural:
        (folder / "low.yaml").write_text(f"layer: natural\nrules:\n  - {natural}\n")
    system = little_system(folder, rules, "include: low\n" if natural else "")
    return Table.of(system).situation(Auction.from_str(auction))


def titles(applied: list[Applied]) -> list[tuple[str, str, bool]]:
    return [(str(one.call), one.rule.block.title, one.speaks) for one in applied]


def test_the_greater_order_goes_first() -> None:
    natural = Order(layer=0, priority=50, specificity=9, position=0, rank=0)
    system = Order(layer=1, priority=0, specificity=0, position=-3, rank=-2)
    assert system > natural
    assert system._replace(priority=1) > system
    assert system._replace(specificity=1) > system
    assert system._replace(position=-2) > system, "the earlier block"
    assert system._replace(rank=-1) > system, "the earlier line"
    assert system.voice == (1, 0)


def test_rules_apply_in_order_of_priority_then_place(tmp_path: Path) -> None:
    situation = at(
        tmp_path,
        """
        - {title: first, auction: P*, bid: [ {1C: 12+ hcp}, {1D: 12+ hcp} ]}
        - {title: second, auction: P*, bid: [ {2C: 22+ hcp} ], priority: 10}
        """,
    )
    assert [call for call, _, _ in titles(situation.applied)] == ["2C", "1C", "1D"]


def test_illegal_calls_and_conditions_that_do_not_hold_drop_out(tmp_path: Path) -> None:
    rules = """
    - {title: raises, auction: 1H (bid), bid: [ {2C: any}, {3H: any} ], when: not vul}
    - {title: never here, auction: 1H (bid), bid: [ {4H: any} ], when: vul}
    """
    assert [call for call, _, _ in titles(at(tmp_path, rules, "1H 2D").applied)] == ["3H"]


def test_a_more_specific_pattern_is_heard_alone_about_its_call(tmp_path: Path) -> None:
    rules = """
    - {title: wide, auction: 1M (bid), bid: [ {X: 10+ hcp}, {2N: 12+ hcp} ]}
    - {title: narrow, auction: 1S (2H), bid: [ {X: 4+ D} ]}
    """
    assert titles(at(tmp_path, rules, "1S 2H").applied) == [("X", "narrow", True), ("2N", "wide", True)]


def test_a_block_that_two_patterns_find_counts_once(tmp_path: Path) -> None:
    rules = '- {title: both, auction: ["1S (bid)", "1S (2H)"], bid: [ {X: 10+ hcp} ]}'
    (one,) = at(tmp_path, rules, "1S 2H").applied
    wide = at(tmp_path, rules, "1S 2D").applied[0]
    assert one.order.specificity > wide.order.specificity


def test_a_last_resort_tells_nothing_where_another_rule_speaks(tmp_path: Path) -> None:
    rules = '- {title: real, auction: 1S (P), bid: [ {2H: "10+ hcp, 5+ H"} ]}'
    low = "{title: resort, auction: 1S (P), priority: -10, bid: [ {2H: any}, {2D: any} ]}"
    situation = at(tmp_path, rules, "1S P", low)
    assert sorted(titles(situation.applied)) == [
        ("2D", "resort", True),
        ("2H", "real", True),
        ("2H", "resort", False),
    ]
    assert next(one for one in situation.applied if one.call == Call.from_str("2D")).is_last_resort


def test_a_pass_of_a_lower_layer_remains_but_tells_nothing(tmp_path: Path) -> None:
    rules = "- {title: real, auction: 1S (P), bid: [ {P: 0-5 hcp} ]}"
    low = "{title: otherwise, auction: 1S (P), bid: [ {P: any} ]}"
    assert titles(at(tmp_path, rules, "1S P", low).applied) == [
        ("P", "real", True),
        ("P", "otherwise", False),
    ]


@pytest.mark.parametrize(
    "shows, low",
    [("combined 25+ hcp", 13), ("combined best 25+ hcp", 4), ("combined 8+ S", 3)],
)
def test_combined_ranges_are_settled_by_what_partner_has_shown(tmp_path: Path, shows: str, low: int) -> None:
    rules = f"""
    - {{auction: P*, bid: [ {{1S: "12-21 hcp, 5+ S"}} ]}}
    - {{auction: 1S (P), bid: [ {{4S: {shows}}} ]}}
    """
    (one,) = at(tmp_path, rules, "1S P").applied
    ((box, _, _),) = one.boxes
    ((least, _),) = box.values()
    assert least == low


def test_their_suits_are_to_be_stopped_unless_partner_has_shown_a_stopper(tmp_path: Path) -> None:
    rules = """
    - {auction: P*, bid: [ {1S: "12-21 hcp, 5+ S"} ]}
    - {auction: (1S), bid: [ {2H: "10+ hcp, 5+ H"} ]}
    - {auction: 1S (2H), bid: [ {2N: their suits stopped} ]}
    - {auction: 1S (2H) 2N (P), bid: [ {3N: their suits stopped} ]}
    """
    (one,) = at(tmp_path, rules, "1S 2H").applied
    ((box, _, _),) = one.boxes
    assert {str(what): low for what, (low, _) in box.items()} == {"stopper(H)": 2}
    (one,) = at(tmp_path, rules, "1S 2H 2N P").applied
    ((box, _, _),) = one.boxes
    assert not dict(box.items())


def test_what_cannot_be_is_no_meaning(tmp_path: Path) -> None:
    rules = """
    - {auction: P*, bid: [ {1S: "12-21 hcp, 5+ S"} ]}
    - {auction: 1S (P), bid: [ {4S: "0-5 hcp, combined 25+ hcp"} ]}
    """
    assert at(tmp_path, rules, "1S P").applied == []


def test_negative_rules_take_calls_away(tmp_path: Path) -> None:
    rules = """
    - {auction: 1S (P), bid: [ {2S: any} ], never: [P, {2N: not vul}, {3N: vul}]}
    - {auction: 1S (P), when: vul, never: [4S]}
    """
    assert {str(call) for call in at(tmp_path, rules, "1S P").forbidden} == {"P", "2N"}


def test_the_rules_for_one_call_are_those_of_all_that_make_it(tmp_path: Path) -> None:
    rules = "- {title: wide, auction: 1M (bid), bid: [ {X: 10+ hcp}, {cheapest N: 12+ hcp} ]}"
    low = "{title: resort, auction: ..., priority: -10, bid: [ {cheapest X: 4+ X}, {P: any} ]}"
    for text in ("X", "2N", "3C", "P"):
        call = Call.from_str(text)
        asked, listed = (at(tmp_path, rules, "1S 2H", low) for _ in range(2))
        assert listed.applied
        assert list(map(str, asked.meaning_of(call).rules)) == list(map(str, listed.meaning_of(call).rules))


def test_for_on_a_line_restricts_that_line_alone(tmp_path: Path) -> None:
    system = little_system(
        tmp_path,
        """
        - auction: 1M
          bid:
            - 3X:
                shows: 16+ hcp, 6+ X
                for: X != M
            - 2X: 10-15 hcp, 6+ X
            - P: any
        """,
    )
    assert calls_of(system, "2.AKJ432.AQ2.K32", "1S P")[0] == "3H"
    assert calls_of(system, "AKJ432.2.AQ2.K32", "1S P")[0] != "3S", "not in partner's suit"
    assert calls_of(system, "AJ9432.2.A32.K32", "1S P")[0] == "2S", "the other line says nothing of it"


@pytest.mark.parametrize("auction", ["", "1S P", "1N 2H", "1H 1S 2H P", "1C X 1S 2D"])
def test_who_gives_a_call_its_meaning_is_found_without_reading_all_rules(auction: str) -> None:
    situation = Table.of(System.load("sayc")).situation(Auction.from_str(auction))
    found = {call: situation.speaking(call) for call in sorted(situation.legal)}
    assert "applied" not in situation.__dict__
    for call, speaking in found.items():
        assert speaking == [one for one in situation.applied if one.call == call and one.speaks], call
