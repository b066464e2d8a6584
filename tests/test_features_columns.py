"""Columns of features over batches: every path to a value gives the same one, and costs what it should."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pidm.bridge.worlds import random_deals
from pidm.features import Feature, HandColumns, PartnerShown, catalogue, column
from pidm.features.columns import BLOCK_ROWS

HANDS = random_deals(3000, np.random.default_rng(7))[:, 1]
ALL = catalogue()
WHOLE = HandColumns(HANDS)
SHOWN = {Feature.parse("length(S)"): (5, 13), Feature.parse("hcp"): (12, 21)}


def f(text):
    return Feature.parse(text)


@pytest.mark.parametrize("feature", ALL, ids=str)
def test_matrix_and_column_agree_for_small_and_large_batches(feature):
    few, many = HANDS[:50], HANDS
    assert len(many) > BLOCK_ROWS
    expected = column(feature, many)
    assert expected.dtype == (np.int8 if feature.declaration.whole_numbers else np.float32)
    other = f("losers(H)")
    assert np.array_equal(HandColumns(many).matrix([other, feature])[:, 1], expected)
    assert np.array_equal(HandColumns(few).matrix([other, feature])[:, 1], expected[:50])
    assert np.array_equal(HandColumns(few).column(feature), expected[:50])


def test_matrix_types():
    whole, sums, real = [f("hcp"), f("diff(S,H)")], [f("hcp"), f("hcp + length(S)")], [f("hcp"), f("ratio")]
    for hands in (HANDS[:10], HANDS):
        columns = HandColumns(hands)
        for wanted, dtype in ((whole, np.int8), (sums, np.int16), (real, np.float32)):
            matrix = columns.matrix(wanted)
            assert matrix.shape == (len(hands), 2) and matrix.dtype == dtype
            for position, feature in enumerate(wanted):
                assert np.array_equal(matrix[:, position], columns.column(feature))
        assert columns.matrix([]).shape == (len(hands), 0)


def test_large_sums_do_not_overflow():
    hand = HandColumns(np.array([[0x1FFF, 0, 0, 0]], dtype=np.uint16))
    assert hand.column(f("20*hcp + 20*length(S)")).tolist() == [200 + 260]


def test_masks_of_more_than_13_cards_are_refused():
    hands = HANDS.copy()
    hands[7, 2] |= 1 << 13
    with pytest.raises(ValueError, match=rf"hand 7: {hands[7, 2]} is no mask of 13 cards in D"):
        HandColumns(hands)


def test_no_hands():
    nobody = HandColumns(HANDS[:0])
    assert len(nobody) == 0
    assert nobody.matrix(ALL).shape == (0, 259)
    assert WHOLE.take([]).column(f("hcp")).tolist() == []


def test_hands_may_lie_in_memory_as_they_like():
    worlds = random_deals(3000, np.random.default_rng(8))
    hands = worlds[:, 2].copy()
    for same in (worlds[:, 2], np.asfortranarray(hands), hands[::-1][::-1], hands.astype(np.int64)):
        for feature in map(f, ("hcp", "hcp(H)", "balance", "ratio", "cover(D)", "trump_stopper(S,C)")):
            assert np.array_equal(column(feature, same), column(feature, hands)), feature


def test_a_first_column_and_a_later_one_agree():
    columns = HandColumns(HANDS)
    for feature in ALL:
        assert np.array_equal(columns.column(feature), column(feature, HANDS)), feature


def test_hands_of_the_wrong_shape():
    with pytest.raises(ValueError, match=r"\[n, 4\], not \[3000\]"):
        HandColumns(HANDS[:, 0])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_taking_rows_again_and_again(data):
    size = data.draw(st.sampled_from([1, 40, 3000]))
    columns = HandColumns(HANDS[:size], SHOWN)
    rows = np.arange(size)
    asked = st.lists(
        st.sampled_from([*ALL, f("hcp + length(S)"), f("cover(S) - fast(N)")]), min_size=1, max_size=4
    )
    for _ in range(data.draw(st.integers(1, 4))):
        features = data.draw(asked)
        if data.draw(st.booleans()):
            columns.matrix(features)
        else:
            columns.column(features[0])
        chosen = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=9)), dtype=int)
        if data.draw(st.booleans()):  # the same as a mask
            chosen = np.isin(np.arange(len(rows)), chosen)
        columns, rows = columns.take(chosen), rows[chosen]
        if not len(rows):
            break
        assert len(columns) == len(rows)
        assert np.array_equal(columns.masks, HANDS[:size][rows])
    features = data.draw(asked)
    fresh = HandColumns(HANDS[:size][rows], SHOWN)
    assert np.array_equal(columns.matrix(features), fresh.matrix(features))
    assert np.array_equal(columns.column(features[0]), fresh.column(features[0]))


class Counting(np.ndarray):
    """Hands that count how often they are read."""

    reads = 0

    def take(self, *args, **kwargs):
        Counting.reads += 1
        return np.asarray(self).take(*args, **kwargs)

    def __getitem__(self, key):
        Counting.reads += 1
        return np.asarray(self)[key]

    def view(self, *args, **kwargs):
        Counting.reads += 1
        return np.asarray(self).view(*args, **kwargs)


@pytest.mark.parametrize("size", [200, 3000])
def test_what_the_whole_batch_knows_is_not_computed_again(size):
    columns = HandColumns(HANDS[:size])
    columns._masks = HANDS[:size].view(Counting)
    wanted = [f("hcp"), f("losers(H)"), f("balance"), f("ratio")]
    expected = columns.matrix(wanted)
    Counting.reads = 0
    child = columns.take(np.arange(0, size, 2)).take(np.arange(10))
    for position, feature in enumerate(wanted):
        assert np.array_equal(child.column(feature), expected[:20:2, position])
    if size <= BLOCK_ROWS:
        assert np.array_equal(child.matrix(wanted), expected[:20:2])
    assert np.array_equal(columns.with_partner(SHOWN).column(wanted[0]), expected[:, 0])
    assert Counting.reads == 0


def test_partner_changes_only_the_dynamic_features():
    columns = HandColumns(HANDS[:300])
    shown = columns.with_partner(SHOWN)
    for feature in ALL:
        same = np.array_equal(columns.column(feature), shown.column(feature))
        if not feature.dynamic:
            assert same, feature
        elif feature.args in ((), ("S",), ("N",), ("H", "S")):
            assert not same, feature
        assert np.array_equal(shown.column(feature), column(feature, HANDS[:300], SHOWN))
    back = shown.with_partner(None)
    assert np.array_equal(back.column(f("fast(N)")), columns.column(f("fast(N)")))
    assert np.array_equal(shown.take([3, 5]).column(f("cover(S)")), shown.column(f("cover(S)"))[[3, 5]])
    assert shown.partner == PartnerShown.of(SHOWN) and columns.partner == PartnerShown.of({})


@pytest.mark.parametrize("feature", [*ALL[::5], f("hcp + length(S)"), f("cover(H)")], ids=str)
def test_the_number_of_one_hand_is_that_of_its_column(feature):
    few = HANDS[:20]
    expected = column(feature, few)
    alone = [HandColumns(hand[None]).number(feature) for hand in few]
    page = HandColumns(few)
    parts = [*page.each()[:5], *page.take(np.arange(5, 20)).each()]
    assert np.array_equal(alone, expected)
    assert np.array_equal([part.number(feature) for part in parts], expected)
    beside = column(feature, few, SHOWN)
    assert np.array_equal([part.with_partner(SHOWN).number(feature) for part in parts], beside)
    assert all(isinstance(value, int) for value in alone) == (expected.dtype.kind == "i")
    large = WHOLE.take(np.array([2999]))  # what so many hands have is not worked out for one of them
    assert large.number(feature) == column(feature, HANDS[2999:])[0]
