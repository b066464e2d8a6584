import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pidm import Deal, Hand, HandError, Seat
from pidm.bridge.cards import suit_mask, suit_text

HAND = Hand.from_str("AQJ93.AKJ6.J65.2")
DEAL = "N:AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 T76.987.KT87.A98 54.542.932.QT543"


@st.composite
def deals(draw):
    cards = draw(st.permutations(range(52)))
    masks = [[0] * 4 for _ in range(4)]
    for at, card in enumerate(cards):
        masks[at % 4][card // 13] |= 1 << card % 13
    return Deal(tuple(Hand(tuple(hand)) for hand in masks))


@pytest.mark.parametrize(
    "text",
    [
        "AQJ93.AKJ6.J65.2",
        "aqj93.akj6.j65.2",
        " 9JAQ3.AKJ6.J65.2 ",
        "♠AQJ93 ♥AKJ6 ♦J65 ♣2",
        "♣2♦J65♥AKJ6♠AQJ93",
        "♠\ufe0fAQJ93 ♥\ufe0fAKJ6 ♦\ufe0fJ65 ♣\ufe0f2",
        "♠AQJ93 ❤AKJ6 ♦\ufe0eJ65 ♣2",
        "S AQJ93 H AKJ6 D J65 C 2",
        "S: AQJ93, H: AKJ6, D: J65, C: 2",
        "SAQJ93HAKJ6DJ65C2",
        "AQJ93 AKJ6 J65 2",
        "AQJ93, AKJ6, J65, 2",
    ],
)
def test_a_hand_is_read_as_people_write_it(text):
    assert Hand.from_str(text) == HAND


@pytest.mark.parametrize("text", ["10987.AKQJ.1032.32", "T987.AKQJ.T32.32"])
def test_ten_is_ten(text):
    assert str(Hand.from_str(text)) == "T987.AKQJ.T32.32"


@pytest.mark.parametrize(
    "text", ["AKQJT98765432...", "AKQJT98765432.-.-.-", "♠AKQJT98765432", "S AKQJT98765432 H -"]
)
def test_voids(text):
    assert Hand.from_str(text).lengths == (13, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AKQ.JT9.876.543", "12 cards in hand: AKQ.JT9.876.543"),
        ("AKQJ.JT98.8765.54", "14 cards in hand: AKQJ.JT98.8765.54"),
        ("AQJ93.AKJ6.J652", "not four suits in hand: AQJ93.AKJ6.J652; found 3"),
        ("AQJ93.AKJ6.J65..2", "not four suits in hand: AQJ93.AKJ6.J65..2; found 5"),
        ("AQJ93.AKJ6.J6Z.2", "'Z' is no rank in suit 'J6Z'"),
        ("AQJ99.AKJ6.J65.2", "9 twice in suit 'AQJ99'"),
        ("SAQJ93SAKJ6DJ65C2", "suit S twice in hand: SAQJ93SAKJ6DJ65C2"),
        ("AQJ93 HAKJ6 DJ65 C2", "'AQJ93' stands before the first suit"),
        ("", "not four suits in hand: ; found 0"),
    ],
)
def test_a_bad_hand_is_named(text, message):
    with pytest.raises(HandError) as error:
        Hand.from_str(text)
    assert message in str(error.value)
    assert text in str(error.value)


def test_a_hand_is_a_value():
    assert HAND == Hand.from_str("AQJ93.AKJ6.J65.2")
    assert len({HAND, Hand.from_str("AQJ93.AKJ6.J65.2")}) == 1
    assert HAND.lengths == (5, 4, 3, 1)
    assert HAND.hcp == 7 + 8 + 1
    assert HAND.array.dtype == np.uint16
    assert Hand(tuple(HAND.array)) == HAND
    assert repr(HAND) == "Hand.from_str('AQJ93.AKJ6.J65.2')"
    with pytest.raises(AttributeError):
        HAND.masks = (0, 0, 0, 0)


def test_a_hand_has_thirteen_cards_of_four_suits():
    with pytest.raises(HandError, match="2 cards in hand"):
        Hand((3, 0, 0, 0))
    for masks in ((1 << 13, 0, 0, 0), (1.5, 0, 0, 0), ("A", "K", "Q", "J"), 5):
        with pytest.raises(HandError, match="13 bits"):
            Hand(masks)


def test_a_deal_has_four_hands():
    hands = Deal.from_str(DEAL).hands
    assert Deal(list(hands)) == Deal(hands) and hash(Deal(list(hands))) == hash(Deal(hands))
    with pytest.raises(HandError, match="3 hands in deal; expected four"):
        Deal(hands[:3])
    with pytest.raises(HandError, match="'AQJ93.AKJ6.J65.2' is no hand"):
        Deal((str(hands[0]), *hands[1:]))


@given(st.integers(0, (1 << 13) - 1))
def test_suits_round_trip(mask):
    assert suit_mask(suit_text(mask)) == mask


@given(deals())
def test_deals_round_trip(deal):
    assert Deal.from_str(str(deal)) == deal
    assert Deal.from_array(deal.array) == deal
    assert all(Hand.from_str(str(hand)) == hand for hand in deal)


def test_a_deal_starts_at_any_seat():
    north, east, south, west = DEAL.removeprefix("N:").split()
    for text in (f"E:{east} {south} {west} {north}", f"w: {west} {north} {east} {south}"):
        assert Deal.from_str(text) == Deal.from_str(DEAL)
    assert str(Deal.from_str(DEAL)[Seat.S]) == south


def test_three_hands_leave_the_fourth():
    assert Deal.from_str("N:AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 - 54.542.932.QT543") == Deal.from_str(DEAL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76", "no deal"),
        ("N:AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 - -", "less than three hands"),
        ("N:AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 T76.987.KT87.A98", "3 hands in deal"),
        (DEAL.replace("K82", "A82"), "SA is in two hands, N and E"),
        (DEAL.replace("T76", "T6"), "12 cards in hand: T6.987.KT87.A98"),
    ],
)
def test_a_bad_deal_is_named(text, message):
    with pytest.raises(HandError, match=message):
        Deal.from_str(text)
