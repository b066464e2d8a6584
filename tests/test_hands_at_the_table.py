"""Hands that were once bid as no player would: playing tricks and long suits, which points do not tell."""

import pytest

from pidm.core.limit import Limit
from pidm.play.bidder import Bidder
from systems import shipped


@pytest.fixture(scope="module")
def bidder():
    return Bidder(shipped("two_over_one"), limit=None, experience="")


@pytest.mark.parametrize(
    ("hand", "auction", "calls"),
    [
        ("AQ86432.KQJT97..", "P P 1S 2N X 3C", {"4H", "4S"}),  # a second suit like this is game
        (".J.AKQ96542.AK84", "1S 2D 2S P P", {"5D"}),  # ten tricks in hand
        ("AKQ7653.J.K762.K", "1H X 3H P P", {"4S"}),
        ("AKQ7653.J.K762.K", "1H 1S 3H P P", {"4S"}),
        ("AT2..QJ84.AKQJT8", "1H X 2H P P", {"3C", "4C", "5C"}),  # the doubler bids the clubs
        ("AT2..QJ84.AKQJT8", "1H X 1S 2D 2H", {"5C", "5D", "6D"}),
        ("AQ4.KT4..AKQJ872", "1C 2D P P", {"5C"}),
        ("KJT9764.9.AQ3.A5", "1S P 2C P 2S P 3N P", {"4S"}),  # seven cards are not left in notrump
        (".JT642.KJ64.KQ86", "1S P 1N P 2C 2H", {"X"}),  # five trumps behind the bidder
        ("A952.AK5.KQ2.KJ6", "1S P 2S", {"X"}),  # twenty points do not pass
        ("A986.T864.A5.AQ9", "1D P 1H 2D X P", {"3D", "3N"}),  # an opening opposite an opening
        ("K864.K964.765.A5", "1S X 2D", {"2H"}),
        ("AT2..QJ84.AKQJT8", "1H X P 1S 2H", {"3C", "4C", "5C"}),
        ("A4.K4.AKQJ943.43", "3H", {"3N"}),  # nine tricks with a stopper
        ("AQ43.4.KQ43.K432", "1H P 1N", {"X"}),  # takeout, also over an answer of 1NT
        ("AT62.J2.AJ65.AK6", "1N P 2D X", {"P"}),  # two hearts only: a pass says so
        ("62.J985.AK98.QJT", "2C P 2N P 3H P 4H P 5H P", {"6H"}),  # nobody goes beyond game for nothing
        ("KQ954.32.K54.876", "2C P 2S P 4N P", {"5D"}),  # one key card
        ("KQJ4.KQJ862.KQ.Q", "1H P 3H P 4N P 5H P", {"P"}),  # two key cards are missing
    ],
)
def test_what_a_player_bids(bidder, hand, auction, calls):
    decision = bidder.bid(hand, auction)
    assert str(decision.call) in calls, decision.why


@pytest.mark.parametrize(
    ("hand", "auction", "calls"),
    [
        ("KQJ4.KQJ862.KQ.Q", "1H P 3H P 4N P 5H P", {"P"}),  # experience alone goes on without two aces
        (".JT642.KJ64.KQ86", "1S P 1N P 2C 2H", {"X"}),  # and lets them play
    ],
)
def test_what_experience_tells_is_tried_before_it_is_done(hand, auction, calls):
    decision = Bidder(shipped("two_over_one"), limit=Limit(instances=20_000)).bid(hand, auction)
    assert str(decision.call) in calls, decision.why
