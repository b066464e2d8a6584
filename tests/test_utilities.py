"""Utilities: the paper's examples, signs and sides, and comparing candidates."""

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Contract, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.scoring import score
from pidm.bridge.utilities import NAMES, Dds, Estimate, Guarded, compare, utility
from pidm.bridge.worlds import from_deals, random_deals
from pidm.errors import PidmError

GAME = Deal.from_str("N:AQJ93.AKJ6.J65.2 K8.Q94.KQT2.QT73 T762.T75.A97.AJ4 54.832.843.K9865")
FOOTNOTE_8 = Deal.from_str("N:A432.432.432.432 QJT9.AKQ.AKQ.AKQ K765.765.765.765 8.JT98.JT98.JT98")


@pytest.fixture(scope="module")
def worlds():
    return random_deals(100, np.random.default_rng(2))


def test_losing_tricks_of_the_paper():
    """Footnote 8: Axxx opposite Kxxx has two losers, of which the king covers one: three tricks."""
    world = from_deals([FOOTNOTE_8])
    # Three small cards in each of the other suits: nine losers, none covered.
    assert utility("ltc").tricks(world, "S", Seat.N).tolist() == [3.0]


def test_losing_tricks_count_by_hand():
    # AQJ93: one loser, not covered. AKJ6: one. J65: three, the ace covers one. 2: one, covered by the ace.
    assert utility("ltc").tricks(from_deals([GAME]), "S", Seat.N).tolist() == [13.0 - 1 - 1 - 2]


def test_total_tricks_of_footnote_11():
    # Nine spades and 25 points, five above half: nearly two tricks more. Nine clubs and 15 points: two less.
    assert utility("total_tricks").tricks(from_deals([GAME]), "S", Seat.N).tolist() == [11.0]
    assert utility("total_tricks").tricks(from_deals([GAME]), "N", Seat.N).tolist() == [8.0]
    assert utility("total_tricks").tricks(from_deals([GAME]), "C", Seat.W).tolist() == [7.0]


def test_points_of_footnote_9():
    """Eleven tricks in hearts: +200 in 2H, +450 in 4H, -50 in 6H."""
    deal = Deal.from_str("N:32.AKQJT.AK2.A32 JT9.987.QJT.QJT9 A54.65432.43.K54 KQ876..98765.876")
    world = from_deals([deal])
    dds = utility("dds")
    assert dds.tricks(world, "H", Seat.N).tolist() == [11.0]
    for auction, points in (("2H", 200), ("4H", 450), ("6H", -50)):
        assert dds.evaluate(Auction.from_str(auction), world, Seat.N).tolist() == [points]


@pytest.mark.parametrize("name", NAMES)
def test_sides_and_unfinished_auctions(name, worlds):
    few = worlds[:3]
    value = utility(name)
    assert value.name == name
    assert value.cost > 0
    auction = Auction.from_str("1S 2H 3S", dealer=Seat.E, vul=Vul.EW)
    ours = value.evaluate(auction, few, Seat.E)
    assert ours.dtype == np.float64
    assert ours.shape == (3,)
    assert (value.evaluate(auction, few, Seat.W) == ours).all()
    assert (value.evaluate(auction, few, Seat.N) == -ours).all()
    over = Auction.from_str("1S 2H 3S AP", dealer=Seat.E, vul=Vul.EW)
    assert (value.evaluate(over, few, Seat.E) == ours).all()
    contract = Contract(3, "S", 0, Seat.E)
    assert (value.scores(contract, Vul.EW, few) == ours).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "P P", "P P P P"])
def test_passed_out_is_nothing(name, text, worlds):
    assert (utility(name).evaluate(Auction.from_str(text), worlds, Seat.S) == 0).all()


def test_estimate_is_the_mean_over_the_tricks(worlds):
    value = Estimate()
    contract = Contract(4, "H", 1, Seat.S)
    chances = value.estimator.distribution(worlds, "H", Seat.S)
    points = [score(contract, Vul.Both, tricks) for tricks in range(14)]
    assert np.allclose(value.scores(contract, Vul.Both, worlds), chances @ np.array(points), atol=0.1)


def test_doubling_a_hopeless_contract_costs(worlds):
    value = utility("estimate")
    plain = value.evaluate(Auction.from_str("7C"), worlds, Seat.N)
    doubled = value.evaluate(Auction.from_str("7C X"), worlds, Seat.N)
    redoubled = value.evaluate(Auction.from_str("7C X XX"), worlds, Seat.N)
    assert (redoubled < doubled).mean() > 0.9
    assert (doubled < plain).mean() > 0.9


def test_estimate_is_near_double_dummy():
    world = from_deals([GAME])
    auction = Auction.from_str("4S")
    assert abs(utility("estimate").tricks(world, "S", 0) - Dds(threads=1).tricks(world, "S", 0))[0] < 1.5
    assert utility("estimate").evaluate(auction, world, Seat.N)[0] > 250


def test_unknown_names():
    with pytest.raises(PidmError, match="expected one of ltc, total_tricks, estimate, dds"):
        utility("ddz")
    with pytest.raises(PidmError, match="expected points, imps, matchpoints"):
        compare(np.zeros((2, 3)), "pounds")  # type: ignore[arg-type]


def test_points_are_compared_as_they_are():
    scores = np.array([[420.0, -50.0], [170.0, 140.0]])
    assert (compare(scores) == scores).all()


def test_imps_tell_what_the_others_lose():
    # Game on half of the worlds, vulnerable: points and IMPs both say bid it.
    scores = np.array([[620.0, -100.0], [170.0, 140.0]])
    values = compare(scores, "imps")
    assert values.tolist() == [[0, 0], [-10, 6]]


def test_imps_care_less_for_large_numbers():
    # Three small gains against one disaster: ahead in IMPs, behind in points.
    scores = np.array([[400.0, 400.0, 400.0, -2000.0], [100.0, 100.0, 100.0, 100.0]])
    assert scores[0].mean() < scores[1].mean()
    values = compare(scores, "imps")
    assert values.mean(axis=1).argmax() == 0
    assert values.tolist() == [[0, 0, 0, 0], [-7, -7, -7, 19]]


def test_matchpoints_count_how_often():
    # 430 beats 420 more often than it goes down.
    scores = np.array([[430.0, 430.0, -50.0], [420.0, 420.0, 420.0], [420.0, 420.0, 420.0]])
    values = compare(scores, "matchpoints")
    assert values.tolist() == [[0, 0, 0], [-0.5, -0.5, 0.5], [-0.5, -0.5, 0.5]]
    assert compare(scores).mean(axis=1).argmax() == 1


def test_a_single_candidate():
    for form in ("points", "imps", "matchpoints"):
        assert compare(np.array([[100.0, -50.0]]), form).shape == (1, 2)


def test_unknown_opponents_double_what_is_well_down():
    deal = Deal.from_str("N:AKQ52.K32.A4.432 98.A54.KQ32.KQ87 J43.Q876.J65.A65 T76.JT9.T987.JT9")
    worlds, base = from_deals([deal]), utility("estimate")
    guarded = Guarded(base)
    for text, doubled in (("1S P P P", False), ("7S P P P", True), ("7S X P P P", False)):
        auction = Auction.from_str(text)
        plain, seen = (one.evaluate(auction, worlds, Seat.N)[0] for one in (base, guarded))
        if doubled:
            assert seen == base.evaluate(Auction.from_str("7S X P P P"), worlds, Seat.N)[0] < plain
        else:
            assert seen == plain
        # what the opponents declare is theirs to lose
        assert guarded.evaluate(auction, worlds, Seat.E)[0] == base.evaluate(auction, worlds, Seat.E)[0]
