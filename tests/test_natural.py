"""The natural layer of the shipped systems: sane calls in auctions that no other rule covers."""

import pytest

from pidm import Bidder

SYSTEMS = ("two_over_one", "sayc")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("2C P P X XX 2D P", "AQJ854.A92.53.AK", "2S"),  # 18 points and a suit, opposite any answer
        ("2C P P X XX 2D P", "AQJ8.A92.KJ53.54", "P"),  # a takeout double and no more
        ("2D X P 2H 3C", "AKQT9874.KQ..A76", "3S"),
        ("2D X P 2H 3C", "AK98.KQ74.2.QJ76", "P"),
    ],
)
def test_a_doubler_who_holds_much_more_than_shown_bids_on(system, auction, hand, call):
    decision = Bidder(system, limit=None, look=False).bid(hand, auction)
    assert str(decision.call) == call, decision.why
