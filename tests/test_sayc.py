"""The shipped SAYC system: calls that tell it from two over one."""

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Hand
from pidm.language.system import System
from pidm.reading.lockstep import preferred_calls
from pidm.reading.table import Table


@pytest.fixture(scope="module")
def sayc():
    return System.load("sayc")


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("", "AKT87.T95.AT.432", "P"),  # the rule of twenty
        ("1S P", "T52.74.QT42.AQJ5", "3S"),  # limit raise on three trumps
        ("1S P 1N P", "AKJ84.A52.Q7.J82", "P"),  # 1NT does not force
        ("1S P 2H P", "AQT98.74.3.KQJ87", "2S"),  # 3C would show more
        ("1H P 2C P 2H P", "964.53.975.AKQJ2", "P"),  # a two-level response forces for one round only
        ("1C P", "K75.KJ3.KJ65.Q73", "2N"),  # 13-15
        ("1N P", "43.54.J65.QJ8432", "2S"),  # opener bids 3C
        ("2H P 2N P", "J2.KQJ984.QT2.J9", "3D"),  # a feature
        ("1H P 2N P 3H P 4N P", "A2.AKQJT.J43.A63", "5S"),  # three aces
        ("1N", "5.AQ875.T9.AKJ42", "2H"),  # natural
    ],
)
def test_a_call_of_the_booklet(sayc, auction, hand, call):
    asked = Auction.from_str(auction, Seat.N, Vul.None_)
    masks = np.array([Hand.from_str(hand).masks], dtype=np.uint16)
    assert [str(found) for found in preferred_calls(Table.of(sayc), masks, [asked])] == [call]
