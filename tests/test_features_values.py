"""What the features say of hands: against plain Python, the paper, and how bridge players count."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_features import ANYTHING, all_features

from pidm.bridge.cards import Hand, suit_mask
from pidm.bridge.worlds import random_deals
from pidm.features import Feature, HandColumns, catalogue
from pidm.features.cards import SHAPES
from pidm.features.declare import By, suit_tables
from pidm.features.listing import values

INF = float("inf")


def f(text):
    return Feature.parse(text)


def freaks(n, rng):
    """Hands with long suits, which random deals hardly have."""
    hands = np.zeros((n, 4), dtype=np.uint16)
    for hand in hands:
        weights = np.repeat(rng.dirichlet(np.full(4, 0.3)) + 1e-6, 13)
        for card in rng.choice(52, 13, replace=False, p=weights / weights.sum()):
            hand[card // 13] |= 1 << (card % 13)
    return hands


def some_hands():
    rng = np.random.default_rng(11)
    return np.concatenate([random_deals(400, rng)[:, 0], freaks(400, rng)])


PARTNERS = {
    "nothing known": ({}, (ANYTHING,) * 4),
    "a one-spade opening": (
        {f("length(S)"): (5, 13), f("length(H)"): (0, 5), f("hcp"): (0, 37)},
        ((5, 13, None, None, None), (0, 5, None, None, None), *[(0, 13, None, None, None)] * 2),
    ),
    "a splinter with the ace of clubs": (
        {f("length(D)"): (0, 1), f("length(H)"): (4, INF), f("aces(C)"): (1, 1), f("kings(C)"): (0, 0)},
        (
            (0, 13, None, None, None),
            (4, 13, None, None, None),
            (0, 1, None, None, None),
            (0, 13, 1.0, 0.0, None),
        ),
    ),
    "impossible lengths": (
        {f("length(S)"): (12, 13), f("length(C)"): (7, 9), f("aces(S)"): (0, 1)},
        ((12, 13, None, None, None), *[(0, 13, None, None, None)] * 2, (7, 9, None, None, None)),
    ),
}


@pytest.mark.parametrize("shown", PARTNERS)
def test_every_feature_is_what_plain_python_computes(shown):
    hands = some_hands()
    bounds, partner = PARTNERS[shown]
    columns = HandColumns(hands, bounds)
    strength = columns.partner.suits[0].strength
    partner = tuple((*suit[:4], strength) for suit in partner)
    expected = [all_features(tuple(masks), partner) for masks in hands.tolist()]
    assert set(expected[0]) == set(catalogue())
    for feature in catalogue():
        wanted = np.array([row[feature] for row in expected])
        found = columns.column(feature)
        worst = np.abs(found - wanted).argmax()
        near = 7 / 4096 if feature.startswith("cover") else 2e-5  # up to seven parts rounded to 2,048ths
        assert found[worst] == pytest.approx(wanted[worst], abs=near), (str(feature), hands[worst].tolist())


@pytest.mark.parametrize(
    "hand, expected",
    [
        # section 4.1 of the paper
        ("T5.AK954.QJ52.K3", {"hcp": 13, "length(S)": 2, "length(H)": 5, "length(D)": 4, "length(C)": 2}),
        # section 4.2.4, figure 7: balanced, five hearts; the conflict between 1N and 1H, and its examples
        ("AQ2.QJ854.K4.AJ3", {"balance": 2, "hcp": 17, "length(H)": 5, "hcp(H)": 3, "controls": 5}),
        ("AK2.87654.K32.AQ", {"balance": 2, "hcp": 16, "length(H)": 5, "hcp(H)": 0, "controls": 6}),
        ("Q2.KQJ43.KQ3.Q62", {"balance": 2, "hcp": 15, "length(H)": 5, "hcp(H)": 6, "controls": 2}),
        # figure 17, a multi two diamonds: weak with six spades and two losers there; strong 4441
        ("KJ9542.63.Q84.75", {"hcp": 6, "length(S)": 6, "length(H)": 2, "losers(S,S)": 2}),
        ("AKQ4.AKJ3.2.AQ54", {"hcp": 23, "suits": 3, "longest_major": 4, "longest_minor": 4}),
        ("AKQJ876.AK4.A2.3", {"hcp": 21, "suits": 1, "losers(S)": 3, "losers(S,S)": 0}),
    ],
)
def test_the_papers_hands(hand, expected):
    found = values(Hand.from_str(hand).masks)
    assert {name: found[name] for name in expected} == expected


def test_footnote_8_the_ace_opposite_the_king():
    # Axxx has two losers, and the king of Kxxx opposite covers one of them
    ace, king = Hand.from_str("A542.A63.QJT9.32").masks, Hand.from_str("K873.K42.A43.AK4").masks
    assert values(ace)["losers(S,S)"] == 2
    assert values(king, {f("length(S)"): (4, 4)})["cover(S,S)"] == 1


@pytest.mark.parametrize(
    "shape, expected",
    [("4333", 0), ("4432", 1), ("5332", 2), ("5422", 3), ("6322", 3), ("7222", 4), ("4441", 4), ("5431", 4),
     ("6331", 4), ("5521", 5), ("6421", 5), ("7321", 5), ("5440", 5), ("5530", 5), ("6430", 5), ("7330", 5),
     ("6511", 6), ("6520", 6), ("7411", 6), ("7420", 6), ("8221", 6), ("8311", 6), ("6610", 6), ("7600", 6)],
)  # fmt: skip
def test_balance(shape, expected):
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)):
        lengths = [int(shape[place]) for place in order]
        assert values([(1 << length) - 1 for length in lengths])["balance"] == expected


@pytest.mark.parametrize(
    "shape, opening",
    [("5332", "S"), ("4432", "D"), ("4423", "C"), ("4333", "C"), ("3343", "D"), ("3334", "C"), ("4144", "D"),
     ("4441", "D"), ("1444", "D"), ("5521", "S"), ("5125", "S"), ("1255", "D"), ("5026", "C"), ("4522", "H"),
     ("3253", "D"), ("4234", "C"), ("4243", "D"), ("6511", "S"), ("5611", "H"), ("4405", "C")],
)  # fmt: skip
def test_the_suit_to_open(shape, opening):
    found = values([(1 << int(length)) - 1 for length in shape])
    assert [suit for suit in "SHDC" if found[f"first_bid({suit})"]] == [opening]


@pytest.mark.parametrize(
    "shape, last, wanted",
    [("4432", "C", "H"), ("4432", "D", "H"), ("4432", "H", "S"), ("5422", "C", "S"), ("4522", "C", "H"),
     ("5521", "C", "S"), ("4342", "C", "D"), ("4333", "S", None), ("3343", "S", "D"), ("4144", "H", "S"),
     ("4243", "S", "D"), ("3424", "S", "C"), ("1444", "S", "C"), ("4405", "D", "C")],
)  # fmt: skip
def test_up_the_line(shape, last, wanted):
    found = values([(1 << int(length)) - 1 for length in shape])
    bid = [suit for suit in "SHDC" if suit != last and found[f"up_line({suit},{last})"]]
    assert bid == ([wanted] if wanted else [])


def test_which_suits_are_long():
    found = values(Hand.from_str("AQJ93.AKJ6.J65.2").masks)
    assert [found[f"longest({suit})"] for suit in "SHDC"] == [1, 0, 0, 0]
    assert [found[f"long({suit})"] for suit in "SHDC"] == [1, 1, 1, 0]
    flat = values(Hand.from_str("AQJ9.AKJ.J65.432").masks)
    assert [flat[f"long({suit})"] for suit in "SHDC"] == [1, 0, 0, 0]
    assert (found["diff(S,C)"], found["diff(C,S)"], found["length2(H,D)"]) == (4, -4, 7)
    assert (found["longest_major"], found["longest_minor"], found["suits"]) == (5, 3, 2)


def in_spades(cards, *names):
    """The values of spade features for these spades and small cards outside."""
    mask = suit_mask(cards)
    rest, others = 13 - mask.bit_count(), []
    for _ in range(3):
        others.append((1 << min(rest, 9)) - 1)
        rest -= min(rest, 9)
    return [values([mask, *others])[name] for name in names]


@pytest.mark.parametrize(
    "cards, losers, as_trumps",
    [("", 0, 0), ("A", 0, 0), ("K", 1, 0), ("2", 1, 1), ("AK", 0, 0), ("A2", 1, 1), ("K2", 1, 1),
     ("KQ", 1, 0), ("Q2", 2, 1), ("32", 2, 2), ("AKQ", 0, 0), ("AK2", 1, 1), ("AQ2", 1, 1),
     ("KQ2", 1, 1), ("A32", 2, 2), ("K32", 2, 2), ("Q32", 2, 2), ("J32", 3, 3), ("5432", 3, 3),
     ("AKJT98765", 1, 1), ("AKQ5432", 0, 0)],
)  # fmt: skip
def test_losing_trick_count(cards, losers, as_trumps):
    assert in_spades(cards, "losers(H,S)", "losers(S,S)") == [losers, as_trumps]


@pytest.mark.parametrize(
    "cards, level",
    [("", 0), ("5432", 0), ("T98", 0), ("J2", 0), ("K", 1), ("Q2", 1), ("J32", 1), ("K2", 2), ("Q32", 2),
     ("QJ2", 2), ("J432", 2), ("KJ2", 2), ("A", 3), ("A32", 3), ("KQ", 3), ("KQ2", 3), ("QJT", 3),
     ("QJ32", 3), ("KJT", 3), ("AQ", 3), ("AK", 4), ("AQJ", 4), ("AQT", 4), ("AJT", 4), ("KQJ", 4),
     ("AKQJ", 4)],
)  # fmt: skip
def test_stoppers_in_notrump(cards, level):
    assert in_spades(cards, "stopper(S)") == [level]


@pytest.mark.parametrize(
    "hand, trump, suit, level",
    [
        ("A.KQJ2.5432.5432", "H", "S", 4),  # the ace, then a ruff
        ("2.KQJ2.5432.5432", "H", "S", 3),
        (".KQJ2.5432.65432", "H", "S", 4),
        ("32.KQJ2.5432.543", "H", "S", 1),
        ("K2.KQJ2.5432.543", "H", "S", 2),
        ("2.KQ.65432.65432", "H", "S", 0),  # no trumps to ruff with
        ("2.KQJ2.5432.5432", "H", "H", 4),
        ("2.KQJ2.5432.5432", "S", "S", 0),  # a singleton trump stops nothing
    ],
)
def test_stoppers_in_a_trump_contract(hand, trump, suit, level):
    assert values(Hand.from_str(hand).masks)[f"trump_stopper({trump},{suit})"] == level


@pytest.mark.parametrize(
    "cards, quality, biddable",
    [("432", 0, 0), ("5432", 0, 1), ("AKQJ", 7, 1), ("J5432", 0, 1), ("KQ432", 4, 2), ("QJT32", 4, 2),
     ("AQT32", 5, 2), ("JT5432", 2, 2), ("KQ5432", 5, 3), ("AKQJT", 8, 2), ("AKQJT2", 9, 3),
     ("AKQ5432", 7, 4), ("98765432", 1, 4), ("AKQJT98765432", 9, 8)],
)  # fmt: skip
def test_quality_of_a_suit(cards, quality, biddable):
    assert in_spades(cards, "quality(S)", "biddable(S)") == [quality, biddable]


def test_points_of_a_hand():
    found = values(Hand.from_str("AQJ93.AKJ6.J65.2").masks)
    wanted = {
        "hcp": 16,
        "hcp(H)": 8,
        "controls": 5,
        "top_honors": 4,
        "honors": 7,
        "aces": 2,
        "kings": 1,
        "jacks": 3,
    }
    wanted |= {"keycards(H)": 3, "keycards(S)": 2, "dp(S)": 2, "dp(S,C)": 2, "dp(C)": 0, "points(S)": 18}
    wanted |= {"points(C)": 16, "points(S,C)": 2, "losers(S)": 6, "intermediates": 1, "intermediates(S)": 1}
    assert {name: found[name] for name in wanted} == wanted
    assert found["ratio"] == round((7 + 8) / 16, 4)


def test_open_suits_are_side_suits_without_ace_and_king():
    found = values(Hand.from_str("QJ832.K4.Q72.J43").masks)
    assert [found[f"open_suits({suit})"] for suit in "SHDC"] == [2, 3, 2, 2]
    assert values(Hand.from_str("AQ832.K432.QJ7.4").masks)["open_suits(S)"] == 1  # the singleton is none


def test_ratio_takes_the_stronger_of_equally_long_suits():
    assert values(Hand.from_str("K432.AQ2.K32.432").masks)["ratio"] == round((3 + 6) / 12, 4)
    assert values(Hand.from_str("5432.432.432.432").masks)["ratio"] == 0


def test_lindelof_points():
    # 16 points, the doubleton queen half a point off, ¼ for the ten; no long suit
    assert values(Hand.from_str("AKT4.Q2.KJ54.K32").masks)["nt_lindelof"] == 16 - 0.5 + 0.25
    # no ace, a bare king, and two cards after the fourth in a suit with two honors
    assert values(Hand.from_str("K.QJ5432.K43.Q43").masks)["nt_lindelof"] == 11 - 1 - 1 + 1
    # for suits: 16 points, the fifth spade, a singleton
    hand = Hand.from_str("AQJ93.AKJ6.J65.2").masks
    assert values(hand)["lindelof"] == 16 + 1 + 1.5
    # partner raises spades with four: the ninth card
    assert values(hand, {f("length(S)"): (4, 6)})["lindelof"] == 18.5 + 1.5
    # partner has long clubs: no value in the singleton; partner is short in diamonds: the jack is wasted
    assert values(hand, {f("length(C)"): (5, 9)})["lindelof"] == 18.5 - 1.5
    assert values(hand, {f("length(D)"): (0, 1)})["lindelof"] == 18.5 - 1


def test_losers_without_support():
    hand = values(Hand.from_str("AKQ32.K43.Q43.32").masks)
    assert hand["unsupported_losers(S)"] == hand["losers(S)"] + 1 == 7
    assert hand["unsupported_losers(H)"] == hand["losers(S)"] == 6  # three cards have no fourth round
    with_jack = values(Hand.from_str("AKQJ2.K43.Q43.32").masks)
    assert with_jack["unsupported_losers(S)"] == with_jack["losers(S)"] == 6
    seven = values(Hand.from_str("AKQ5432.K43.3.32").masks)
    assert seven["unsupported_losers(S)"] == seven["losers(S)"] == 5
    two = values(Hand.from_str("AKQ32.KQ432.2.32").masks)
    assert two["unsupported_losers(S)"] == two["unsupported_losers(H)"] == two["losers(C)"] + 1


def test_cover_cards():
    hand = Hand.from_str("K32.Q432.A5432.2").masks
    spades = {f("length(S)"): (5, 5), f("length(C)"): (3, 3), f("length(H)"): (0, 1), f("length(D)"): (4, 4)}
    found = values(hand, spades)
    assert found["cover(S,S)"] == 1  # the king of trumps
    assert found["cover(S,D)"] == 1  # the ace
    assert found["cover(S,H)"] == 0  # a queen opposite shortness
    assert found["cover(S,C)"] == 1  # three trumps, two of them kept: one ruff
    assert found["cover(H,C)"] == 2  # with four trumps two ruffs
    assert found["cover(S)"] == 3
    assert values(hand)["cover(S)"] > 2  # some estimate with nothing known


def test_fast_losers():
    hand = Hand.from_str("A32.K432.Q32.432").masks
    # opposite a partner with nothing
    alone = {f(f"length({suit})"): (3, 3) for suit in "SHDC"} | {f("hcp"): (0, 0)}
    found = values(hand, alone)
    assert [found[f"fast(S,{suit})"] for suit in "SHDC"] == [0, 1, 2, 3]
    assert [found[f"fast(N,{suit})"] for suit in "SHDC"] == [
        0,
        1,
        2,
        4,
    ]  # seven clubs against us, four of them in one hand
    assert (found["fast(S)"], found["fast(N)"]) == (6, 7)
    # a partner who is short loses fewer, one who has shown the ace of clubs none there
    assert values(hand, alone | {f("length(C)"): (1, 1)})["fast(S,C)"] == 1
    assert values(hand, alone | {f("aces(C)"): (1, 1)})["fast(N,C)"] == 0
    # a strong partner has more of the missing honors than any partner, a weak one fewer
    strong, anybody, weak = (values(hand, {f("hcp"): hcp})["fast(N)"] for hcp in ((15, 17), (0, 37), (0, 5)))
    assert strong < anybody < weak


def test_partner_may_have_shown_ranges_without_end():
    hand = Hand.from_str("A32.K432.Q32.432").masks
    some = values(hand, {f("length(S)"): (5, INF), f("hcp"): (12, INF)})
    assert some == values(hand, {f("length(S)"): (5, 13), f("hcp"): (12, 37)})
    assert values(hand, {f("length(S)"): (-INF, INF)}) == values(hand)


def exact_range(feature):
    """The least and the greatest value over all hands of a sum over suits, suit by suit."""
    lengths = np.array([mask.bit_count() for mask in range(8192)])
    best = {0: (0.0, 0.0)}
    tables = dict(suit_tables(feature))
    for suit in range(4):
        table = tables.get(suit, np.zeros(8192))
        ends = {n: (table[lengths == n].min(), table[lengths == n].max()) for n in range(14)}
        grown: dict[int, tuple[float, float]] = {}
        for (cards, (low, high)), (n, (least, most)) in product(best.items(), ends.items()):
            if cards + n <= 13:
                before = grown.get(cards + n, (INF, -INF))
                grown[cards + n] = min(before[0], low + least), max(before[1], high + most)
        best = grown
    return best[13]


@pytest.mark.parametrize("feature", [x for x in catalogue() if x.declaration.by is By.SUITS], ids=str)
def test_declared_ranges_of_sums_are_exact(feature):
    low, high = exact_range(feature)
    if feature.name == "dp" and feature.args in (("S", "S"), ("H", "H"), ("D", "D"), ("C", "C")):
        assert (low, high) == (0, 0)  # no points for short trumps
    else:
        assert (low, high) == feature.range


@pytest.mark.parametrize("feature", [x for x in catalogue() if x.declaration.by is By.SHAPE], ids=str)
def test_declared_ranges_of_shapes_hold(feature):
    hands = ((1 << SHAPES.astype(int)) - 1).astype(np.uint16)
    found = HandColumns(hands).column(feature)
    low, high = feature.range
    assert low <= found.min() and found.max() <= high
    if feature.name not in ("longest_major", "longest_minor"):
        assert (found.min(), found.max()) == (low, high)


bounds_shown = st.dictionaries(
    st.sampled_from([f(f"length({suit})") for suit in "SHDC"] + [f("hcp"), f("aces(S)"), f("kings(H)")]),
    st.tuples(st.integers(0, 14), st.integers(0, 38)).map(lambda pair: (min(pair), max(pair))),
)


@given(bounds_shown)
def test_ranges_hold_whatever_partner_has_shown(shown):
    columns = HandColumns(some_hands()[::4], shown)
    for feature in catalogue():
        if feature.declaration.by is By.COLUMNS:
            low, high = feature.range
            found = columns.column(feature)
            assert np.isfinite(found).all() and low <= found.min() and found.max() <= high + 1e-5, feature


def test_suits_can_be_exchanged():
    hands = some_hands()
    swapped = hands[:, [0, 2, 1, 3]]
    exchange = str.maketrans("HD", "DH")
    ranked = ("longest_major", "longest_minor", "first_bid", "up_line")
    for feature in catalogue():
        if feature.name not in ranked:
            other = f(str(feature).translate(exchange)) if feature.args else feature
            assert np.allclose(HandColumns(hands).column(feature), HandColumns(swapped).column(other)), (
                feature
            )


def test_endplay_counts_the_same():
    from endplay.evaluate import controls, hcp, losers
    from endplay.types import Hand as TheirHand

    hands = random_deals(200, np.random.default_rng(3))[:, 2]
    columns = HandColumns(hands)
    theirs = [TheirHand(str(Hand(tuple(masks)))) for masks in hands.tolist()]
    assert columns.column(f("hcp")).tolist() == [hcp(hand) for hand in theirs]
    assert columns.column(f("controls")).tolist() == [controls(hand) for hand in theirs]
    beside_trumps = f("losers(H,S) + losers(S,H) + losers(S,D) + losers(S,C)")
    assert columns.column(beside_trumps).tolist() == [losers(hand) for hand in theirs]
