"""Bidding problems with silent opponents, scored against the best contract."""

import numpy as np
import pytest
from little_club import club

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.utilities import utility
from pidm.bridge.worlds import from_deals
from pidm.core.limit import Limit
from pidm.features import HandColumns
from pidm.language.meaning import HCP
from pidm.language.system import System
from pidm.play.bidder import Bidder
from pidm.reading.table import Table
from pidm.training.challenge import SILENT, Problems, solve
from pidm.training.tagging import best_scores, fitting, problems

GAME = "N:KQ32.A32.KQ2.J32 654.QJT.JT9.T987 AJ98.K54.A43.654 T7.9876.8765.AKQ"
NOTHING = "N:5432.432.432.432 AKQ.AKQ.AKQ.AKQJ JT9.JT98.JT9.T98 876.765.8765.765"


def test_the_best_contract_is_the_measure():
    worlds = from_deals([Deal.from_str(GAME), Deal.from_str(NOTHING)])
    found = Problems.of(worlds, [Auction(Seat.N, Vul.None_), Auction(Seat.N, Vul.Both)], ["dds", "ltc"])
    game = Auction.from_str("1N P 3N P P P")
    out = Auction.from_str("P P P P", vul=Vul.Both)
    scores = found.imps("dds", [game, out])
    assert scores[1] == 0, "nothing makes, so passing out is best"
    assert found.best["dds"][0] >= 400
    slam = Auction.from_str("1N P 7N P P P")
    assert found.imps("dds", [slam, out])[0] < scores[0] <= 0
    for row, start in enumerate(found.starts):
        by_utility = best_scores(utility("ltc"), [start], worlds[row : row + 1])
        assert by_utility[0] == found.best["ltc"][row]


def test_problems_can_be_opened():
    worlds = problems(200, np.random.default_rng(0))
    points = [HandColumns(worlds[:, seat]).column(HCP) for seat in (0, 2)]
    assert len(worlds) == 200 and np.maximum(*points).min() >= 12


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    return System.load(club(tmp_path_factory.mktemp("system")))


def test_opponents_never_bid_and_what_it_took_is_counted(system):
    worlds = problems(12, np.random.default_rng(1))
    starts = [Auction(Seat.N, Vul.None_)] * 12
    found = Problems.of(worlds, starts, ["ltc"])
    pair = Bidder(system, opponents=SILENT, limit=Limit(instances=60))
    outcome = solve(pair, pair, found)
    assert all(end.over and not any(end.calls[1::2]) for end in outcome.ends)
    data = outcome.data(found)
    assert data["decisions"] == sum(-(-len(end.calls) // 2) for end in outcome.ends)
    assert 0 < data["lookaheads"] < data["decisions"] and data["instances"] > 0
    assert data["imps_ltc"] <= 0 and data["nets_used"] == 0


def test_deals_that_fit_an_auction_are_bid_like_this(system):
    table = Table((system, System.load(SILENT)))
    auction = Auction.from_str("1N P 2N P")
    worlds = fitting(table, auction, 100, np.random.default_rng(2))
    assert len(worlds) > 20
    for before, call in zip((Auction.from_str(""), Auction.from_str("1N P")), ("1N", "2N")):
        made = table.choices(before, HandColumns(worlds[:, before.actor])).preferred()
        assert (made == auction.calls[len(before.calls)]).all(), call
