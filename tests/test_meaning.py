"""Meanings: the words of system notes become ranges of features, and ranges become words."""

import pytest

from pidm.core.box import INF
from pidm.language import meaning
from pidm.language.meaning import parse_meaning
from pidm.language.mistakes import TextError
from pidm.language.words import words_of

SUITS = {"M": "S", "m": "D", "X": "H", "Y": "C", "Z": "D"}


def box(text: str) -> dict[str, tuple[float, float]]:
    """The ranges of a meaning without alternatives, by the spelling of the feature."""
    (alternative,) = parse_meaning(text)
    bound = alternative.bind(SUITS)
    assert bound is not None
    return {str(feature): limits for feature, limits in bound.box.items()}


TERMS: list[tuple[str, dict[str, tuple[float, float]]]] = [
    ("15-17 hcp", {"hcp": (15, 17)}),
    ("12+ hcp", {"hcp": (12, INF)}),
    ("8 hcp", {"hcp": (8, 8)}),
    ("5+ M", {"length(S)": (5, INF)}),
    ("0-3 oM", {"length(H)": (0, 3)}),
    ("4 om", {"length(C)": (4, 4)}),
    ("4+ hearts", {"length(H)": (4, INF)}),
    ("13+ points(M)", {"points(S)": (13, INF)}),
    ("0-1 losers(M,X)", {"losers(S,H)": (0, 1)}),
    ("balanced", {"balance": (0, 2)}),
    ("semibalanced", {"balance": (0, 3)}),
    ("unbalanced", {"balance": (3, INF)}),
    ("S >= H", {"diff(S,H)": (0, 13)}),
    ("S > H", {"diff(S,H)": (1, 13)}),
    ("S = H", {"diff(S,H)": (0, 0)}),
    ("S <= H", {"diff(S,H)": (-13, 0)}),
    ("X < M", {"diff(H,S)": (-13, -1)}),
    ("20+ hcp + S + H", {"hcp + length(S) + length(H)": (20, INF)}),
    ("stopper in X", {"stopper(H)": (2, INF)}),
    ("no stopper in X", {"stopper(H)": (0, 1)}),
    ("short X", {"length(H)": (0, 1)}),
    ("longest M", {"longest(S)": (1, 1)}),
    ("solid M", {"quality(S)": (8, INF)}),
    ("good m", {"quality(D)": (6, INF)}),
    ("fair oM", {"quality(H)": (4, INF)}),
    ("12-14 hcp, 12-20 hcp", {"hcp": (12, 14)}),
    ("their suits stopped", {}),  # until the auction tells which they are
    ("any", {}),
]


def test_every_flag_and_comparison_has_a_case() -> None:
    texts = [text for text, _ in TERMS]
    assert set(meaning._PLAIN_FLAGS) <= set(texts)
    for flag in meaning._SUIT_FLAGS:
        assert any(text.startswith(f"{flag} ") for text in texts), flag
    for sign in meaning._DIFFERENCE:
        assert any(f" {sign} " in text for text in texts), sign


@pytest.mark.parametrize(("text", "expected"), TERMS)
def test_terms(text: str, expected: dict[str, tuple[float, float]]) -> None:
    assert box(text) == expected


def test_alternatives_are_separate_boxes() -> None:
    weak, strong = parse_meaning("5-10 hcp, 6 S or 18+ hcp, 6+ S")
    assert len(weak.terms) == len(strong.terms) == 2


def test_contradicting_terms_bind_to_nothing() -> None:
    (alternative,) = parse_meaning("5+ X, 0-3 H")
    assert alternative.bind({"X": "H"}) is None
    assert alternative.bind({"X": "D"}) is not None


def test_a_suit_is_not_longer_than_itself() -> None:
    (longer,) = parse_meaning("5+ X, X > M")
    (at_least,) = parse_meaning("5+ X, X >= M")
    assert longer.bind({"X": "S", "M": "S"}) is None
    assert at_least.bind({"X": "S", "M": "S"}) is not None


def test_combined_terms_wait_for_partner() -> None:
    (alternative,) = parse_meaning("combined 25+ hcp, combined best 8+ M, 3+ M")
    bound = alternative.bind(SUITS)
    assert bound is not None
    assert [(str(t.feature), t.awaits) for t in bound.combined] == [("hcp", "least"), ("length(S)", "most")]
    assert len(bound.box) == 1


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ("12+ hpc", "hcp", 4),
        ("5+ S, balancd", "cannot read the term 'balancd'", 6),
        ("17-15 hcp", "is empty", 0),
        ("5+ S,, 4 H", "an empty term", 5),
        ("5+ S, 40000+ hcp", "40000 is out of reach: a hand has at most 37", 6),
        ("14+ X", "14 is out of reach: a hand has at most 13; expected 0 to 13", 0),
        ("combined 27+ M", "two hands have at most 26", 0),
    ],
)
def test_mistakes_say_what_and_where(text: str, problem: str, offset: int) -> None:
    with pytest.raises(TextError, match=problem) as caught:
        parse_meaning(text)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5+ H, 15-17 hcp, balanced", "15-17 HCP, balanced, 5+ hearts"),
        ("0-3 S", "0-3 spades"),
        ("semibalanced, 6 C", "balanced or semi-balanced, 6 clubs"),
        ("S > H", "more spades than hearts"),
        ("stopper in D, 13+ points(S)", "13+ points with spades as trumps, stopper in diamonds"),
        ("any", "any hand"),
    ],
)
def test_words(text: str, words: str) -> None:
    (alternative,) = parse_meaning(text)
    bound = alternative.bind(SUITS)
    assert bound is not None
    assert words_of(bound.box) == words


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("0 or 3 keycards(M)", [{"keycards(S)": (0, 0)}, {"keycards(S)": (3, 3)}]),
        ("1 or 3-4 aces, 5+ M", [{"aces": (a, b), "length(S)": (5, INF)} for a, b in ((1, 1), (3, 4))]),
        ("0 or 2 or 4+ X", [{"length(H)": limits} for limits in ((0, 0), (2, 2), (4, INF))]),
        ("8+ hcp or 0 or 3 aces", [{"hcp": (8, INF)}, {"aces": (0, 0)}, {"aces": (3, 3)}]),
        ("4 or 6 M, 0 or 1 X", [{"length(S)": (a, a), "length(H)": (b, b)} for a in (4, 6) for b in (0, 1)]),
    ],
)
def test_a_set_of_values_is_one_alternative_for_each(text, wanted):
    bound = [alternative.bind(SUITS) for alternative in parse_meaning(text)]
    assert [{str(feature): limits for feature, limits in one.box.items()} for one in bound] == wanted


def test_the_place_of_a_mistake_in_a_set_is_told():
    with pytest.raises(TextError) as error:
        parse_meaning("5+ S, 0 or 3 keycrds(S)")
    assert error.value.offset == len("5+ S, 0 or 3 ")
