import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import hands_of
from pidm.core.limit import Limit
from pidm.errors import PidmError
from pidm.play.onlooker import worlds_after
from pidm.play.practice_deals import practice_board
from pidm.play.weighing import weigh
from pidm.reading.table import Table
from systems import shipped

LIMIT = Limit(instances=2000)


@pytest.fixture(scope="module")
def table():
    return Table.of(shipped("two_over_one"))


@pytest.mark.parametrize(
    ("hand", "auction", "made", "fits", "clear"),
    [
        ("KJ84.QT73.A5.982", "1N P", "2C", "system", False),  # Stayman, and nothing else
        ("KJ84.QT73.A5.982", "1N P", "P", "outside", True),  # eleven points opposite 15-17
        ("AQJ84.K5.AJ72.85", "1S P 2S P", "P", "judgement", False),
        ("QJ8432.5.72.KJ85", "", "7N", "outside", True),
    ],
)
def test_what_is_said_of_a_call(table, hand, auction, made, fits, clear):
    verdict = weigh(table, Hand.from_str(hand), Auction.from_str(auction), Call.from_str(made), LIMIT)
    assert verdict.fits == fits and verdict.clear == clear
    assert verdict.cost is not None and verdict.error is not None
    assert Call.from_str(made) in [option.call for option in verdict.options]
    assert verdict.options[0].call == verdict.best
    for glimpse in verdict.glimpses:
        assert Hand.from_str(hand) in glimpse.deal.hands
        assert len(glimpse.scores) == len(verdict.options)


def test_without_a_limit_nothing_is_simulated(table):
    verdict = weigh(table, Hand.from_str("KJ84.QT73.A5.982"), Auction.from_str("1N P"), Call.from_str("3N"))
    assert (str(verdict.preferred), verdict.fits, verdict.cost, verdict.worlds) == ("2C", "outside", None, 0)


def test_onlookers_imagine_hands_that_fit(table):
    auction = Auction.from_str("1N P 2H P", Seat.E)
    worlds = worlds_after(table, auction, 60, np.random.default_rng(1))
    assert len(worlds) == 60
    assert all(15 <= hand.hcp <= 17 for hand in hands_of(worlds[:, Seat.E]))
    assert all(hand.lengths[0] >= 5 for hand in hands_of(worlds[:, Seat.W]))


def test_no_hand_fits_an_impossible_auction(table):
    auction = Auction.from_str("7N P P X XX P P")
    assert len(worlds_after(table, auction, 5, np.random.default_rng(1), batches=2)) < 5


@pytest.mark.parametrize("kind", ["random", "notrump", "slam", "contested", "jacoby_2nt"])
def test_practice_boards(table, kind):
    side = (Seat.S, Seat.N)
    board = practice_board(table, side, kind, 7, 4)
    assert board == practice_board(table, side, kind, 7, 4)
    assert (board.number, board.dealer) == (4, Seat.W)
    ours = [board.deal[seat] for seat in side]
    if kind == "notrump":
        assert any(15 <= hand.hcp <= 17 for hand in ours)
    if kind == "slam":
        assert sum(hand.hcp for hand in ours) >= 25
    if kind == "jacoby_2nt":
        assert any(hand.lengths[suit] >= 4 for hand in ours for suit in (0, 1))


def test_conventions_that_are_not_played(table):
    with pytest.raises(PidmError, match="no kind of deals; expected random, notrump"):
        practice_board(table, (Seat.N, Seat.S), "multi", 1, 1)
