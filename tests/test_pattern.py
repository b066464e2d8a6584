"""Auction patterns: which auctions they match, and the mistakes that they report."""

import pytest

from pidm.bridge.auction import Auction
from pidm.language.mistakes import TextError
from pidm.language.pattern import Start, parse_pattern
from pidm.language.pattern_index import PatternIndex


def matches(pattern: str, auction: str, restriction: str = "") -> list[dict[str, str]]:
    """The bindings under which the pattern matches the whole auction, seen by the player to call."""
    index = PatternIndex()
    index.add(Start.of(parse_pattern(pattern), [restriction]), dict)
    calls = Auction.from_str(auction).calls
    state, leading = index.start(), True
    for number, call in enumerate(calls):
        leading = leading and call == 0
        state = index.advance(state, (len(calls) - number) % 2 == 0, call, leading)
    return index.matches(state)


@pytest.mark.parametrize(
    ("pattern", "auction"),
    [
        ("P*", ""),
        ("P*", "P P P"),
        ("1S", "1S P"),
        ("1S", "P P 1S P"),
        ("1N 2C", "1N P 2C P"),
        ("1S (2H) 3S (P)", "1S 2H 3S P"),
        ("1S (2H) 3S", "1S 2H 3S P"),
        ("(1D)", "1D"),
        ("(1D)", "P P 1D"),
        ("(1D) P (P)", "1D P P"),
        ("(1D) P (1S)", "1D P 1S"),
        ("1C|1D (X)", "1D X"),
        ("(2C..3D)", "2S"),
        ("1N (*)", "1N P"),
        ("1N (*)", "1N 2D"),
        ("1N (!P)", "1N X"),
        ("(bid)", "3N"),
        ("(suit)", "3S"),
        ("(*H)", "4H"),
        ("...", ""),
        ("...", "1C 1D 1H 1S"),
        ("... 4N", "1S P 4N P"),
        ("... 4N (P)", "4N P"),
        ("1S ...", "1S P 2S P 3S P"),
        ("P (P) 1S (P)", "P P 1S P"),
    ],
)
def test_matches(pattern: str, auction: str) -> None:
    assert matches(pattern, auction)


@pytest.mark.parametrize(
    ("pattern", "auction"),
    [
        ("P*", "1C"),
        ("1S", "1S 2C"),
        ("1S", "1H P"),
        ("1N 2C", "1N X 2C P"),
        ("(1D)", "1D P"),
        ("(1D)", "1D P P"),
        ("1N (!P)", "1N P"),
        ("(suit)", "3N"),
        ("(2C..3D)", "3H"),
        ("... 4N", "1S 4N"),
        ("P (P) 1S (P)", "1S P"),
        ("(X) ...", "1C X"),
    ],
)
def test_does_not_match(pattern: str, auction: str) -> None:
    assert not matches(pattern, auction)


def test_variables_are_bound_by_the_auction() -> None:
    assert matches("1M (2X)", "1S 2D") == [{"M": "S", "X": "D"}]
    assert matches("1M 2oM", "1H P 2S P") == [{"M": "H"}]
    assert matches("(1X) 1Y (P)", "1C 1H P") == [{"X": "C", "Y": "H"}]


def test_variables_of_a_pattern_stand_for_different_suits() -> None:
    assert not matches("1M (2X)", "1S 2S")
    assert not matches("(1X) P (1Y)", "1D P 2D")


def test_restrictions_apply() -> None:
    assert matches("(1X) 2Y (P)", "1H 2S P", "Y > X")
    assert not matches("(1X) 2Y (P)", "1S 2H P", "Y > X")
    assert not matches("1M", "1S P", "M = H")


def test_named_calls_are_more_specific_than_variables_and_those_than_wildcards() -> None:
    order = ["1S (2H)", "1M (2X)", "1M (bid)", "1M (*)", "..."]
    scores = [parse_pattern(text).specificity for text in order]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@pytest.mark.parametrize(
    ("pattern", "problem", "offset"),
    [
        ("1S (2H", "unbalanced parenthesis", 3),
        ("1S 8C", "cannot read '8C'", 3),
        ("(1S) (P)", "two calls of theirs", 6),
        ("3S..2C", "is empty", 0),
        ("1S P*", "P\\* stands only at the start", 3),
    ],
)
def test_mistakes_say_what_and_where(pattern: str, problem: str, offset: int) -> None:
    with pytest.raises(TextError, match=problem) as caught:
        parse_pattern(pattern)
    assert caught.value.offset == offset
