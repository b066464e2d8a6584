"""Conditions: every one of the language holds somewhere, and does not hold somewhere else."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.language import condition
from pidm.language.condition import bind_all, hold, parse_condition
from pidm.language.mistakes import TextError
from pidm.language.system import System
from pidm.reading.table import Table
from systems import little_system

RULES = """
- auction: P*
  bid:
    - 1N: 15-17 hcp, balanced
    - 1M: 12-21 hcp, 5+ M
    - 1m: 12-21 hcp, 3+ m
    - P: 0-11 hcp
- auction: 1M
  bid:
    - 2N: {shows: "4+ M, 13+ hcp", forcing: game, agrees: M, starts: jacoby}
    - 4M: {shows: "5+ M, 0-9 hcp", forcing: signoff}
    - 3M: {shows: "4+ M, 10-12 hcp", forcing: invite}
    - 2M: {shows: "3+ M, 6-9 hcp", forcing: no}
    - 1N: {shows: 6-12 hcp, forcing: round}
- auction: 1M 2N
  bid:
    - 3M: {shows: 15+ hcp, ends: jacoby}
- auction: (1X)
  bid:
    - X: {shows: 12+ hcp, forcing: takeout}
    - 1N: {shows: 0-9 hcp, forcing: correct}
    - 1Y: 8-16 hcp, 5+ Y
"""


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    return little_system(tmp_path_factory.mktemp("systems"), RULES, "card: [stayman]\n")


class At(NamedTuple):
    """Where a condition is asked."""

    auction: str
    vul: Vul = Vul.None_
    scoring: str = "imps"
    call: Call = PASS
    """The call of the line."""


def holds(system: System, text: str, where: At | str, **suits: str) -> bool:
    at = At(where) if isinstance(where, str) else where
    table = Table((system, system), at.scoring)
    situation = table.situation(Auction.from_str(at.auction, Seat.N, at.vul))
    return hold(parse_condition(text).bind(suits), situation, at.call)


PLAIN: dict[str, tuple[At | str, At | str]] = {
    "forced": ("1S P 1N P", "1S P 2S P"),
    "forced to game": ("1S P 2N P", "1S P 3S P"),
    "game forcing": ("1S P 2N 3H", "1S P 2N P 4S P"),
    "partner invited": ("1S P 3S P", "1S P 2S P"),
    "partner signed off": ("1S P 4S P", "1S P 3S P"),
    "partner asks for takeout": ("1S X P", "1S 2H P"),
    "partner lets me correct": ("1H 1N P", "1H 1S P"),
    "I invited": ("1S P 3S P 3N P", "1S P 2S P 3S P"),
    "I signed off": ("1S P 4S X P P", "1S P 3S X P P"),
    "undiscussed": ("2D P", "1S P"),
    "nothing agreed": ("1N P", "1S P 2S P"),
    "passed hand": ("P P 1S P", "1S P 2S P"),
    "partner passed": ("P 1S", "1S P"),
    "balancing": ("1S P P", "1S P"),
    "vul": (At("", Vul.NS), At("", Vul.EW)),
    "they vul": (At("", Vul.EW), At("", Vul.NS)),
    "favourable": (At("", Vul.EW), At("", Vul.Both)),
    "unfavourable": (At("", Vul.NS), At("", Vul.Both)),
    "contested": ("1S 2C", "1S P"),
    "uncontested": ("1S P", "1S X"),
    "we opened": ("1S P", "1S"),
    "they opened": ("1S", "1S P"),
    "I opened": ("1S P 2S P", "1S P"),
    "partner opened": ("1S P", "1S P 2S P"),
    "lho opened": ("1S P P", "1S"),
    "rho opened": ("1S", "1S P P"),
    "doubled": ("1S X", "1S X XX"),
    "redoubled": ("1S X XX", "1S X"),
    "below game": ("1S P 3S P", "1S P 4S P"),
    "last bid by them": ("1S", "1S P"),
    "last bid by us": ("1S P", "1S"),
    "last bid by partner": ("1S P", "1S P P 2C"),
    "last bid by me": ("1S P P X", "1S P"),
    "I have bid": ("1S P 2S P", "1S P"),
    "partner has bid": ("1S P", "P P"),
    "partner has doubled": ("1H X P", "1H X"),
    "I have doubled": ("1H X P 1S P", "1H X P"),
    "call is jump": (At("1S P", call=Call.from_str("3H")), At("1S P", call=Call.from_str("2H"))),
    "imps": ("", At("", scoring="matchpoints")),
    "matchpoints": (At("", scoring="matchpoints"), ""),
}

FORMS: list[tuple[str, At | str, At | str]] = [
    ("partner shows 5+ S", "1S P", "1H P"),
    ("partner shows 5+ M", "1S P", "1H P"),
    ("I show 12+ hcp", "1S P 2S P", "P P 1S P"),
    ("they show 12+ hcp", "1S", "P"),
    ("lho shows 5+ S", "1S P P", "1S"),
    ("rho shows 15-17 hcp", "1N", "1S"),
    ("partner may hold 18+ hcp", "1S P", "1N P"),
    ("I may hold 0-1 S", "1H P 2H P", "1N P 2C P"),
    ("they may hold 12+ hcp", "1S", "P P P"),
    ("S is ours", "1S P", "1S"),
    ("S is mine", "1S P 2S P", "1S P"),
    ("S is partner's", "1S P", "1S"),
    ("S is theirs", "1S", "1S P"),
    ("S is lho's", "1S P P", "1S"),
    ("S is rho's", "1S", "1S P P"),
    ("S is unbid", "1H P", "1S P"),
    ("X is unbid", "1H P", "1D P"),
    ("oM is unbid", "1S P", "1H P"),
    ("agreed S", "1S P 2S P", "1S P"),
    ("agreed M", "1S P 2N P", "1H P 2N P"),
    ("fit M", "1S P 2S P", "1S P"),
    ("seat 4", "P P P", "P P"),
    ("seat 1-2", "P", "P P"),
    ("level 2", "1S P 2S P", "1S P"),
    ("level 0-1", "", "1S P 2S P"),
    ("last bid in N", "1N", "1S"),
    ("last bid in M", "1S", "1H"),
    ("in jacoby", "1S P 2N P", "1S P 2S P"),
    ("in jacoby", "1S P 2N P 4C P", "1S P 2N P 3S P"),
    ("call > 2S", At("", call=Call.from_str("2N")), At("", call=Call.from_str("2S"))),
    ("call >= 2M", At("", call=Call.from_str("2S")), At("", call=Call.from_str("2H"))),
    ("call is 3NT", At("", call=Call.from_str("3N")), At("", call=Call.from_str("3S"))),
    ("call != 2S", At("", call=Call.from_str("2H")), At("", call=Call.from_str("2S"))),
    ("last bid < 3S", "1S", "4S"),
    ("last bid <= 1S", "1S", "1N"),
    ("last bid = 1N", "1N", "1S"),
    ("not vul", "", At("", Vul.NS)),
    ("not partner shows 5+ S", "1H P", "1S P"),
    ("vul or they vul", At("", Vul.EW), ""),
    ("vul, they vul", At("", Vul.Both), At("", Vul.NS)),
    ("partner opened, not vul or balancing", At("1S P P", Vul.Both), At("1S P", Vul.Both)),
]
SUITS = {"M": "S", "X": "D"}


def test_every_plain_condition_has_a_case() -> None:
    assert PLAIN.keys() == condition._PLAIN.keys()


def test_every_form_has_a_case() -> None:
    texts = [text for text, _, _ in FORMS] + ["X > Y", "plays stayman"]
    for pattern, _ in condition._FORMS:
        assert any(pattern.fullmatch(text) for text in texts), pattern.pattern
    owners = {match["owner"] for text in texts if (match := condition._FORMS[2][0].fullmatch(text))}
    assert owners == {*condition._OWNERS, "unbid"}


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_condition(system: System, text: str) -> None:
    yes, no = PLAIN[text]
    assert holds(system, text, yes)
    assert not holds(system, text, no)
    assert holds(system, f"not {text}", no)
    assert not holds(system, f"not {text}", yes)


@pytest.mark.parametrize("text, yes, no", FORMS)
def test_a_condition_with_a_form(system: System, text: str, yes: At | str, no: At | str) -> None:
    assert holds(system, text, yes, **SUITS)
    assert not holds(system, text, no, **SUITS)


@pytest.mark.parametrize(
    "text, ranks", [("X > Y", "SH"), ("X < Y", "CD"), ("X >= Y", "HH"), ("X <= Y", "DD"), ("X != Y", "CS")]
)
def test_suits_compare_by_rank(system: System, text: str, ranks: str) -> None:
    one, other = ranks
    assert holds(system, text, "", X=one, Y=other)
    if one != other:
        assert holds(system, text, "", X=other, Y=one) == (text == "X != Y")
    assert holds(system, "X = Y", "", X="C", Y="C") and not holds(system, "X = Y", "", X="C", Y="D")


def test_what_is_on_the_card(system: System) -> None:
    assert holds(system, "plays stayman", "")
    assert not holds(system, "plays drury", "")


def test_several_conditions_must_all_hold(system: System) -> None:
    tests = bind_all([parse_condition("vul"), parse_condition("partner opened")], {})
    table = Table.of(system)
    both = table.situation(Auction.from_str("1S P", vul=Vul.NS))
    one = table.situation(Auction.from_str("1S P"))
    assert hold(tests, both, PASS) and not hold(tests, one, PASS)


@pytest.mark.parametrize(
    "text, problem, offset",
    [
        ("prtner opened", "cannot read the condition 'prtner opened'", 0),
        ("vul, seet 1", "cannot read the condition 'seet 1'", 5),
        ("vul or not balansing", "cannot read the condition 'balansing'", 11),
        ("partner shows 5+ hcpp", "hcp", 17),
        ("partner shows combined 25+ hcp", "'combined' has no meaning", 14),
        ("partner shows their suits stopped", "'their suits stopped' has no meaning", 14),
        ("", "cannot read the condition ''", 0),
    ],
)
def test_mistakes_say_what_and_where(text: str, problem: str, offset: int) -> None:
    with pytest.raises(TextError, match=problem) as caught:
        parse_condition(text)
    assert caught.value.offset == offset


def test_a_suit_that_the_auction_does_not_bind_is_a_mistake() -> None:
    with pytest.raises(TextError, match="the suit Y is not known here"):
        parse_condition("Y is unbid").bind({"X": "S"})
