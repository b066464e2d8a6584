"""Bidding problems with silent opponents, scored against the best contract."""

import numpy as np
import pytest
from little_club import club

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.utilities import utility
from pidm.bridge.worlds import from_deals
from pidm.features import HandColumns
from pidm.language.meaning import HCP
from pidm.language.system import System
from pidm.reading.table import Table
from pidm.training.tagging import best_scores, fitting, problems

GAME = "N:KQ32.A32.KQ2.J32 654.QJT.JT9.T987 AJ98.K54.A43.654 T7.9876.8765.AKQ"
NOTHING = "N:5432.432.432.432 AKQ.AKQ.AKQ.AKQJ JT9.JT98.JT9.T98 876.765.8765.765"


def test_the_best_contract_is_the_measure():
    worlds = from_deals([Deal.from_str(GAME), Deal.from_str(NOTHING)])
    starts = [Auction(Seat.N, Vul.None_), Auction(Seat.N, Vul.Both)]
    found = best_scores(utility("dds"), starts, worlds)
    assert found[0] >= 400 and found[1] == 0, "nothing makes, so passing out is best"
    alone = [best_scores(utility("dds"), starts[row:][:1], worlds[row : row + 1])[0] for row in (0, 1)]
    assert list(found) == alone


def test_problems_can_be_opened():
    worlds = problems(200, np.random.default_rng(0))
    points = [HandColumns(worlds[:, seat]).column(HCP) for seat in (0, 2)]
    assert len(worlds) == 200 and np.maximum(*points).min() >= 12


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    return System.load(club(tmp_path_factory.mktemp("system")))


def test_deals_that_fit_an_auction_are_bid_like_this(system):
    table = Table((system, System.load("silent")))
    auction = Auction.from_str("1N P 2N P")
    worlds = fitting(table, auction, 100, np.random.default_rng(2))
    assert len(worlds) > 20
    for before, call in zip((Auction.from_str(""), Auction.from_str("1N P")), ("1N", "2N")):
        made = table.choices(before, HandColumns(worlds[:, before.actor])).preferred()
        assert (made == auction.calls[len(before.calls)]).all(), call
