"""Feature keys, the catalogue, features of one's own, and what is printed of them."""

import copy
import doctest
import json
import pickle
from collections import Counter
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pidm.bridge.cards import Hand
from pidm.errors import FeatureError
from pidm.features import (
    Feature,
    HandColumns,
    Over,
    Sum,
    catalogue,
    classes,
    hand_feature,
    listing,
    remove,
    shape_feature,
    suit_feature,
    sum_feature,
    trump_feature,
)

APPENDIX_A = [
    ("high cards", "HCP 5, CONTROLS 5, HC 5, HONOR 5, ACE 5, KING 5, QUEEN 5, JACK 5, TEN 5, RKCB 4"),
    (
        "distribution",
        "BAL 1, DP 20, DIF 12, SUITS 1, SUITLEN 4, SUITLEN2 12, LMAJ 1, LMIN 1, LONGEST 4, LONG 4, "
        "FIRSTBID 4, UPLINE 12",
    ),
    ("quality of suits", "BIDDABLE 4, INTER 5, LOSERS 20, STOP-NT 4, STOP-TRUMP 16, QLTY 4"),
    ("quality of the hand", "NTLP 1, RATIO 1, POINTS 20, UNLOS 4"),
    ("dynamic", "COVER 20, FAST 25, LP 1"),
]
OUR_OWN = [("side suits", "open_suits 4"), ("counts by tricks", "hcp_by_tricks 1, points_by_tricks 4")]


def test_the_catalogue_is_appendix_a_and_what_we_added():
    found = [
        (
            family,
            ", ".join(f"{declared.paper or declared.name} {len(declared.instances)}" for declared in members),
        )
        for family, members in groupby(classes(), key=lambda declared: declared.family)
    ]
    assert found == APPENDIX_A + OUR_OWN
    assert len(catalogue()) == len(set(catalogue())) == 259
    assert len(classes()) == 38


@pytest.mark.parametrize("feature", catalogue(), ids=str)
def test_each_feature_round_trips_and_says_what_it_is(feature):
    assert Feature.parse(str(feature)) is feature
    assert feature == str(feature) and hash(feature) == hash(str(feature))
    low, high = feature.range
    assert low < high
    assert feature.meaning.endswith(".") and feature.meaning[0].isupper() | feature.meaning[0].isdigit()


@pytest.mark.parametrize(
    "typed, spelled",
    [
        ("HCP", "hcp"),
        (" hcp ( s ) ", "hcp(S)"),
        ("hcp(♠)", "hcp(S)"),
        ("hcp(♠\ufe0f)", "hcp(S)"),
        ("losers(❤\ufe0f, ♢)", "losers(H,D)"),
        ("length(hearts)", "length(H)"),
        ("losers(♠, ALL)", "losers(S)"),
        ("losers(H, S)", "losers(H,S)"),
        ("fast(NT)", "fast(N)"),
        ("hcp(all)", "hcp"),
    ],
)
def test_what_people_type(typed, spelled):
    assert str(Feature.parse(typed)) == spelled


@pytest.mark.parametrize(
    "typed, message",
    [
        ("lenght(S)", r"no feature 'lenght'; did you mean length\(S\)"),
        ("suitlen(S)", r"the paper's SUITLEN is length\(S\)"),
        ("loser(H)", r"did you mean losers\(S\)"),
        ("loser(H,S)", r"did you mean losers\(S,S\)"),
        ("hpc", r"did you mean hcp\b(?!\()"),
        ("hcp(X)", r"no feature 'hcp\(X\)'; hcp is written hcp, hcp\(S\)"),
        ("points", r"no feature 'points'; points is written points\(S\), points\(S,S\)"),
        ("diff(S,S)", r"diff is written diff\(S,H\)"),
        ("losers(N)", "losers is written"),
        ("qqqqqq", "pidm features"),
        ("", "is no feature; expected one such as"),
        ("hcp(S", "is no feature"),
        ("hcp +", "is no feature"),
        ("hcp length(S)", "is no feature"),
        ("hcp + lenght(S)", r"did you mean length\(S\)"),
        ("hcp - hcp", "nothing is left"),
    ],
)
def test_errors_tell_what_was_meant(typed, message):
    with pytest.raises(FeatureError, match=message):
        Feature.parse(typed)


def test_features_survive_copies_and_other_processes():
    for feature in (Feature.parse("losers(H,S)"), Feature.parse("hcp + length(S)")):
        assert copy.deepcopy(feature) is feature
        assert pickle.loads(pickle.dumps(feature)) is feature
    assert eval(repr(Feature.parse("hcp(S)"))) is Feature.parse("hcp(S)")


@pytest.mark.parametrize(
    "typed, spelled",
    [
        ("hcp + length(S) + length(H)", "hcp + length(S) + length(H)"),
        ("length(H)+length(S)+hcp", "hcp + length(S) + length(H)"),
        ("length(S) - length(H)", "length(S) - length(H)"),
        ("-length(H) + length(S)", "length(S) - length(H)"),
        ("hcp + hcp", "2*hcp"),
        ("2*controls - 3 * aces", "2*controls - 3*aces"),
        ("hcp + length(S) - length(S)", "hcp"),
        ("-hcp", "-hcp"),
    ],
)
def test_a_sum_has_one_spelling(typed, spelled):
    found = Feature.parse(typed)
    assert str(found) == spelled
    assert Feature.parse(str(found)) is found


def test_the_rule_of_twenty():
    hand = HandColumns(Hand.from_str("AQJ93.AKJ6.J65.2").array[None])
    twenty = Feature.parse("hcp + length(S) + length(H)")
    assert isinstance(twenty, Sum)
    assert twenty.range == (0, 63)
    assert hand.column(twenty).tolist() == [16 + 5 + 4]
    assert Feature.parse("length(S) - length(H)").range == (-13, 13)
    assert hand.column(Feature.parse("length(S) - length(H)")).tolist() == [1]
    assert hand.column(Feature.parse("2*hcp - 3*lindelof")).tolist() == [32 - 3 * (16 + 1 + 1.5)]
    assert Feature.parse("hcp + cover(S)").dynamic and not twenty.dynamic


terms = st.lists(
    st.tuples(st.integers(-3, 3).filter(bool), st.sampled_from(catalogue())), min_size=1, max_size=5
)


@given(terms)
def test_sums_round_trip_in_any_order(parts):
    total = Counter()
    for coefficient, feature in parts:
        total[feature] += coefficient
    if not any(total.values()):
        with pytest.raises(FeatureError):
            Sum.of(parts)
        return
    made = Sum.of(parts)
    assert Sum.of(reversed(parts)) is made
    assert Feature.parse(str(made)) is made
    hand = HandColumns(Hand.from_str("T5.AK954.QJ52.K3").array[None])
    expected = sum(coefficient * float(hand.column(feature)[0]) for coefficient, feature in parts)
    assert hand.column(made)[0] == pytest.approx(expected, abs=1e-4)


@pytest.fixture
def own():
    """Names of feature classes to forget after the test."""
    names: list[str] = []
    yield names
    for name in names:
        remove(name)


HANDS = np.stack([Hand.from_str(text).array for text in ("AQ2.QJ854.K4.AJ3", "T5.AK954.QJ52.K3")])


def of(name, columns=None):
    return (columns or HandColumns(HANDS)).column(Feature.parse(name)).tolist()


def test_a_suit_feature_of_ones_own(own):
    before = HandColumns(HANDS)
    before.matrix([Feature.parse("hcp")])

    @suit_feature("rags", suit=(0, 8), hand=(0, 13))
    def rags(cards):
        """The number of cards below the ten.

        Nothing else.
        """
        return cards.count("98765432")

    own.append("rags")
    rag = Feature.parse("rags(D)")
    assert (rag.meaning, rag.range, rag.family) == ("The number of cards below the ten.", (0, 8), "own")
    assert rag.declaration.details == "Nothing else."
    assert catalogue()[-5:] == rag.declaration.instances
    assert of("rags") == [6, 7]
    assert of("rags(D)") == [1, 2]
    assert of("rags(D)", before) == [1, 2]
    assert of("rags + hcp") == [23, 20]
    for batch in (before, before.take([0, 1]), HandColumns(HANDS)):
        assert batch.matrix([rag, Feature.parse("rags"), Feature.parse("hcp")]).tolist() == [
            [1, 6, 17],
            [2, 7, 13],
        ]
    assert "rags rags(S)" in listing.as_text()


def test_the_other_kinds_of_ones_own(own):
    @trump_feature("ruffs", suit=(0, 3), hand=(0, 9))
    def ruffs(cards, trump):
        """Rounds of the first three that a side suit has no card for."""
        return np.maximum(3 - cards.length, 0) * (not trump)

    @sum_feature("majors_hcp", Over.HAND, hand=(0, 20))
    def majors_hcp(cards, suit):
        """Points in the majors."""
        return (
            4 * cards.has("A") + 3 * cards.has("K") + 2 * cards.has("Q") + cards.has("J")
            if suit in "SH"
            else None
        )

    @shape_feature("spread", hand=(1, 13))
    def spread(lengths):
        """How many cards the longest suit has more than the shortest."""
        return lengths.max(axis=1) - lengths.min(axis=1)

    @hand_feature("stretch", Over.SUIT, suit=(0, 37), dynamic=True)
    def stretch(columns, suit):
        """Points, and half of the length that partner has promised."""
        return columns.column(Feature.parse("hcp")) + columns.partner.suits["SHDC".index(suit)].least / 2

    own += ["ruffs", "majors_hcp", "spread", "stretch"]
    assert of("ruffs(H)") == [1, 2] and of("ruffs(D,D)") == [0, 0]
    assert of("majors_hcp") == [9, 7]
    assert of("spread") == [3, 3]
    assert of("stretch(S)") == [17.0, 13.0]
    assert of("stretch(S)", HandColumns(HANDS, {Feature.parse("length(S)"): (5, 13)})) == [19.5, 15.5]
    wanted = [Feature.parse(name) for name in ("spread", "stretch(S)", "ruffs(H)")]
    assert HandColumns(HANDS).matrix(wanted).tolist() == [[3.0, 17.0, 1.0], [3.0, 13.0, 2.0]]


def test_a_removed_feature_is_gone_and_its_name_is_free(own):
    def declare(ranks):
        @suit_feature("mine", Over.SUIT, suit=(0, 4))
        def mine(cards):
            """Mine."""
            return cards.count(ranks)

    declare("A")
    columns = HandColumns(HANDS)
    assert of("mine(S)", columns) == [1, 0]
    Feature.parse("hcp + mine(S)")
    remove("mine")
    for gone in ("mine(S)", "hcp + mine(S)"):
        with pytest.raises(FeatureError, match="mine"):
            Feature.parse(gone)
    declare("AQ")
    own.append("mine")
    assert of("mine(S)", columns) == [2, 0]
    with pytest.raises(FeatureError, match="no feature class of your own"):
        remove("hcp")


@pytest.mark.parametrize(
    "declare, message",
    [
        (lambda: suit_feature("hcp", suit=(0, 1), hand=(0, 4)), "declared already"),
        (lambda: suit_feature("My feature", suit=(0, 1), hand=(0, 4)), "cannot name a feature"),
        (lambda: suit_feature("mine", suit=(0, 1)), r"needs hand=\(low, high\)"),
        (lambda: suit_feature("mine", Over.SUIT, suit=(0, 1), hand=(0, 4)), "has no use for hand="),
        (lambda: suit_feature("mine", Over.SUIT, suit=(2, 1)), "is empty"),
        (lambda: suit_feature("mine", Over.PAIR, suit=(0, 1)), "is over PAIR, not SUIT or ANY"),
        (lambda: trump_feature("mine", Over.ANY, suit=(0, 1), hand=(0, 1)), "not TRUMP_SUIT or TRUMP_ANY"),
    ],
)
def test_declarations_that_contradict_themselves(declare, message):
    with pytest.raises(FeatureError, match=message):
        declare()


def test_wrong_tables_are_found_when_used(own):
    @suit_feature("halves", Over.SUIT, suit=(0, 1))
    def halves(cards):
        """Not whole numbers, though declared so."""
        return cards.has("A") / 2

    @suit_feature("short", Over.SUIT, suit=(0, 1))
    def short(cards):
        """Not one value per holding."""
        return cards.has("A")[:100]

    own += ["halves", "short"]
    with pytest.raises(FeatureError, match=r"halves\(S\) is declared to have small whole numbers"):
        of("halves(S)")
    with pytest.raises(
        FeatureError, match=r"short\(H\) gives an array of shape \(100,\); expected \(8192,\)"
    ):
        of("short(H)")


@pytest.mark.parametrize(
    ("gives", "whole", "message"),
    [
        (lambda hcp: 3.5, False, r"gives an array of shape \(\); expected \(2,\)"),
        (lambda hcp: hcp[:1], False, r"gives an array of shape \(1,\); expected \(2,\)"),
        (lambda hcp: hcp + 30, False, "gives 47.0, outside of its declared range 0 to 40"),
        (lambda hcp: hcp - 14, False, "gives -1.0, outside"),
        (lambda hcp: hcp * np.nan, False, "gives nan, outside"),
        (lambda hcp: hcp / 2, True, "is declared to have small whole numbers"),
    ],
)
def test_wrong_columns_are_found_when_used(own, gives, whole, message):
    @hand_feature("mine", hand=(0, 40), whole_numbers=whole)
    def mine(columns):
        """A mistake."""
        return gives(columns.column(Feature.parse("hcp")))

    own.append("mine")
    with pytest.raises(FeatureError, match=f"mine {message}"):
        of("mine")


def test_tables_stay_in_their_range(own):
    @suit_feature("rags", suit=(0, 7), hand=(0, 13))
    def rags(cards):
        """The number of cards below the ten: up to eight."""
        return cards.count("98765432")

    @shape_feature("spread", hand=(1, 12))
    def spread(lengths):
        """How many cards the longest suit has more than the shortest: up to thirteen."""
        return lengths.max(axis=1) - lengths.min(axis=1)

    own += ["rags", "spread"]
    with pytest.raises(FeatureError, match=r"rags\(S\) gives 8, outside of its declared range 0 to 7"):
        of("rags(S)")
    with pytest.raises(FeatureError, match="spread gives 13, outside of its declared range 1 to 12"):
        of("spread")


DOCS = Path(__file__).parent.parent / "docs" / "features.md"


def test_the_page_of_the_docs_is_up_to_date():
    assert DOCS.read_text(encoding="utf-8") == listing.as_markdown(), (
        "run: pidm features --markdown > docs/features.md"
    )


def test_the_examples_of_the_docs():
    assert doctest.testfile(str(DOCS), module_relative=False, encoding="utf-8").failed == 0


def command(*arguments):
    from typer.testing import CliRunner

    from pidm.cli.app import app

    return CliRunner().invoke(app, ["features", *arguments])


def test_the_command_prints_catalogue_and_values():
    printed = command()
    assert printed.exit_code == 0
    assert "losers(H) losers(H,S)" in printed.stdout and "38 classes, 259 features" in printed.stdout
    data = json.loads(command("--json").stdout)
    assert len(data) == 259
    assert data["hcp(S)"]["range"] == [0, 10] and data["fast(N)"]["dynamic"]
    values = json.loads(command("AQ2.QJ854.K4.AJ3", "--json").stdout)
    assert list(values) == [str(feature) for feature in catalogue()]
    assert values["hcp"] == 17 and values["balance"] == 2 and values["ratio"] == 0.5294
    assert "  length              S=3  H=5  D=2  C=3\n" in command("AQ2.QJ854.K4.AJ3").stdout
    assert command("--markdown").stdout == listing.as_markdown()


def test_the_command_reads_a_void_that_comes_first():
    values = json.loads(command("-.AKQJT.98765.432", "--json").stdout)
    assert values["length(S)"] == 0 and values["length(H)"] == 5


def test_the_command_refuses_a_bad_hand():
    assert "12 cards" in str(command("AQ2.QJ854.K4.AJ").exception)
