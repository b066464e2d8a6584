"""What players have shown: joined over alternatives, narrowed call by call."""

from __future__ import annotations

import pytest

from pidm.bridge.calls import Call
from pidm.core.box import INF
from pidm.features import Feature
from pidm.reading.inference import (
    joined,
    longest_fit,
    natural_reading,
    range_of,
    shown_suits,
    strength,
    updated,
)


def bounds(**ranges: tuple[float, float]) -> dict[Feature, tuple[float, float]]:
    """Ranges by spelling: `hcp`, `S` for the length of spades, `pS` for points with spades as trumps."""
    spelled = {
        "hcp": "hcp",
        **{s: f"length({s})" for s in "SHDC"},
        **{f"p{s}": f"points({s})" for s in "SHDC"},
    }
    return {Feature.parse(spelled.get(name, name)): ends for name, ends in ranges.items()}


def test_joined_ranges_hold_in_either_case() -> None:
    one, other = bounds(hcp=(12, 14), S=(5, 13)), bounds(hcp=(18, 19))
    assert joined(one, other) == bounds(hcp=(12, 19))


def test_a_later_call_narrows() -> None:
    assert updated(bounds(hcp=(12, 21)), bounds(hcp=(0, 14)))[Feature.parse("hcp")] == (12, 14)


def test_where_calls_contradict_each_other_the_later_is_right() -> None:
    assert updated(bounds(hcp=(12, 21)), bounds(hcp=(0, 5)))[Feature.parse("hcp")] == (0, 5)


def test_thirteen_cards() -> None:
    after = updated(bounds(S=(5, 13)), bounds(H=(4, 13)))
    assert {suit: after[Feature.parse(f"length({suit})")] for suit in "SHDC"} == {
        "S": (5, 9),
        "H": (4, 8),
        "D": (0, 4),
        "C": (0, 4),
    }


@pytest.mark.parametrize("call, suits", [("1C", "SC"), ("1D", "S"), ("P", "S")])
def test_three_cards_show_a_suit_that_was_bid(call: str, suits: str) -> None:
    shown = bounds(S=(4, 13), C=(3, 13), D=(2, 13))
    assert shown_suits(shown, frozenset(), Call.from_str(call)) == set(suits)


def test_a_suit_that_was_bid_stays_shown() -> None:
    assert shown_suits(bounds(C=(3, 13)), frozenset("C"), Call.from_str("1N")) == {"C"}


def test_a_bid_that_no_rule_speaks_of_shows_its_suit() -> None:
    assert natural_reading(Call.from_str("2D")) == bounds(D=(4, 13))
    assert natural_reading(Call.from_str("2N")) == natural_reading(Call.from_str("X")) == {}


def test_what_was_not_shown_is_what_any_hand_may_hold() -> None:
    assert range_of(Feature.parse("length(S)"), {}) == (0, 13)
    assert range_of(Feature.parse("hcp"), {}) == (0, 37)
    assert range_of(Feature.parse("controls"), {}) == (-INF, INF)


@pytest.mark.parametrize(
    "shown, expected",
    [
        ({}, (0, 37)),
        ({"hcp": (12, 14)}, (12, 14)),
        ({"pS": (10, 12)}, (8, 12)),  # two of them may be for shortness
        ({"hcp": (9, 20), "pS": (10, 12)}, (9, 12)),
        ({"hcp": (15, 17), "pH": (6, 9)}, (15, 15)),
    ],
)
def test_strength_in_points(shown: dict[str, tuple[float, float]], expected: tuple[float, float]) -> None:
    assert strength(bounds(**shown)) == expected


def test_the_longest_fit_of_eight_cards() -> None:
    assert longest_fit((bounds(S=(5, 13)), bounds(S=(2, 13)))) is None
    assert longest_fit((bounds(S=(5, 13)), bounds(S=(3, 13)))) == "S"
    assert longest_fit((bounds(S=(5, 13), D=(4, 13)), bounds(S=(3, 13), D=(5, 13)))) == "D"
