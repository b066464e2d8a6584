"""Learned pairs at the table: they weigh the deals that are imagined, answer in simulations, and play."""

import numpy as np
import pytest
from records_of_ours import club_evening
from typer.testing import CliRunner

from pidm import Bidder, Limit
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat
from pidm.bridge.cards import Deal, Hand
from pidm.cli.app import app
from pidm.core.choices import DecidedBy
from pidm.core.limit import Meter
from pidm.core.player import has_likelihood
from pidm.core.sampling import rbmbmc
from pidm.errors import PidmError
from pidm.features import HandColumns
from pidm.features.cards import CARDS
from pidm.play.pair import Pair, PairError
from systems import shipped

HCP = sum(value * CARDS.has(rank).astype(int) for rank, value in zip("AKQJ", (4, 3, 2, 1)))
LIMIT = Limit(instances=3000)


@pytest.fixture(scope="module")
def model():
    return club_evening()[0]


@pytest.fixture(scope="module")
def file(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "club.pair"
    model.save(path)
    return str(path)


@pytest.fixture(scope="module")
def bidder(file):
    return Bidder(shipped("two_over_one"), opponents=file, limit=LIMIT, experience="")


def sample(bidder, hand, auction, size, instances, drafts=True):
    """Worlds for a hand after an auction."""
    here = Auction.from_str(auction)
    search, player = bidder.seating.searcher(here.actor)
    meter = Meter(Limit(instances=instances))
    private = Hand.from_str(hand).masks
    rng = np.random.default_rng(7)
    return rbmbmc(search.game, here, here.actor, private, player, meter, size, rng, drafts)


@pytest.mark.parametrize("auction", ["1S", "1N", "P 1H P"])
def test_worlds_are_as_likely_as_the_calls_make_them(bidder, model, auction):
    """What is dealt from what the calls show has the distribution of plain rejection."""
    hand = "K32.Q4.KJ52.J543"
    smart = sample(bidder, hand, auction, 600, 40_000)
    plain = sample(bidder, hand, auction, 600, 200_000, drafts=False)
    assert len(smart) == len(plain) == 600
    opener = 0 if auction[0] == "1" else 1
    apart = 600 if smart.kin is None else len(np.unique(smart.kin))  # some deals share a hand
    for measure in (HCP, CARDS.length.astype(int)):
        for suit in range(4):
            one, other = (measure[found.worlds[:, opener, suit]] for found in (smart, plain))
            spread = np.hypot(one.std() / np.sqrt(apart), other.std() / np.sqrt(600))
            # a few hands in a hundred lie outside of what is taken for shown
            assert abs(one.mean() - other.mean()) < 4 * spread + 0.05


def test_a_world_counts_for_the_product_of_its_chances(bidder, model):
    """Against the definition: uniform worlds, weighed by the chances of both calls."""
    hand, auction = "K32.Q4.KJ52.J543", Auction.from_str("1H P 2H")
    game = bidder.seating.searcher(Seat.W)[0].game
    worlds = game.complete(Seat.W, Hand.from_str(hand).masks, 40_000, np.random.default_rng(1))
    first, second = Auction.from_str(""), Auction.from_str("1H P")
    weights = model.likelihood(first, HandColumns(worlds[:, 0]), auction.calls[0])
    weights *= model.likelihood(second, HandColumns(worlds[:, 2]), auction.calls[2])
    table = bidder.table(Seat.W)
    weights *= table.choices(Auction.from_str("1H"), HandColumns(worlds[:, 1])).allows(0)
    found = sample(bidder, hand, "1H P 2H", 500, 60_000)
    for seat in (0, 2):
        points = HCP[worlds[:, seat]].sum(axis=1)
        mean = (points * weights).sum() / weights.sum()
        spread = points.std() * np.sqrt(1 / len(found) + (weights**2).sum() / weights.sum() ** 2)
        assert abs(HCP[found.worlds[:, seat]].sum(axis=1).mean() - mean) < 4 * spread


def test_what_is_shown_holds_for_nearly_all_hands(model):
    auction = Auction.from_str("1S P 2S")
    masks = np.random.default_rng(3).permuted(np.tile(np.arange(52), (20_000, 1)), axis=1)[:, :13]
    hands = np.zeros((20_000, 4), np.uint16)
    for suit in range(4):
        hands[:, suit] = np.where(masks // 13 == suit, 1 << masks % 13, 0).sum(axis=1)
    weights = model.likelihood(Auction.from_str(""), HandColumns(hands), auction.calls[0])
    fits = model.shown(auction, 0).holds(hands)
    assert weights[fits].sum() > 0.95 * weights.sum()
    assert weights[fits].mean() > 1.5 * weights.mean()
    assert model.shown(auction, 3).holds(hands).all()  # west has not called


def test_the_model_is_asked_at_its_seats_only(bidder, model):
    for me in Seat:
        _, player = bidder.seating.searcher(me)
        learned = {seat for seat in Seat if has_likelihood(player.model(seat).strategy)}
        assert learned == {me.lho, me.rho}


def test_a_decision_against_learned_opponents_is_the_same_every_time(bidder, file):
    question = ("AQJ93.K6.J65.AK2", "1H 1S 2H P P")
    one = bidder.bid(*question)
    other = Bidder("two_over_one", opponents=file, limit=LIMIT, experience="").bid(*question)
    assert one.by is DecidedBy.SIMULATION and one.worlds >= 8
    means = [(one.call, one.mean, one.standard_error) for one in one.candidates]
    assert means == [(one.call, one.mean, one.standard_error) for one in other.candidates]
    without = Bidder(shipped("two_over_one"), limit=LIMIT, experience="").bid(*question)
    assert means != [(one.call, one.mean, one.standard_error) for one in without.candidates]


def test_with_hardly_a_world_that_fits_the_system_decides(file):
    bidder = Bidder(shipped("two_over_one"), opponents=file, limit=Limit(instances=5), look=False)
    decision = bidder.bid("AQJ93.K6.J65.AK2", "1H 1S 2H P P")
    assert decision.by is DecidedBy.PREFERENCE


def test_learned_players_make_their_likeliest_calls(model, file):
    deal = Deal.from_str("N:AKQ52.K32.A4.432 98.A54.KQ32.KQ87 J43.Q876.J65.A65 T76.JT9.T987.JT9")
    bid = Bidder(shipped("two_over_one"), opponents=file, partner=file, limit=None).bid_deal(deal)
    assert {decision.by for decision in bid.decisions[1::2]} == {DecidedBy.MODEL}
    for place, decision in enumerate(bid.decisions):
        here = Auction(Seat.N, calls=bid.auction.calls[:place])
        if here.actor != Seat.N:
            chances = model.probabilities(here, deal[here.actor].array[None])[0]
            # the file holds half the digits
            assert chances[decision.call] == pytest.approx(chances.max(), abs=0.02)
            assert "learned of all" in decision.why


@pytest.mark.parametrize("opponents", [("sayc", "{file}"), ("{file}", "{file}")])
def test_the_opponents_may_differ(file, opponents):
    given = [one.format(file=file) for one in opponents]
    bidder = Bidder(shipped("two_over_one"), opponents=given, limit=None)
    assert set(bidder.models) == {turn for turn, one in zip((1, 3), given) if one == file}
    with pytest.raises(PidmError, match="left and right, not 3"):
        Bidder(shipped("two_over_one"), opponents=[file] * 3)


def test_a_model_plays_a_match(file, tmp_path):
    known = f"two_over_one,instances=200,opponents={file}"
    told = CliRunner().invoke(app, ["match", known, file, "--boards", "2", "--jobs", "1", "--json"])
    assert told.exit_code == 0, told.output
    assert '"boards": 2' in told.stdout
    missing = CliRunner().invoke(app, ["match", "two_over_one", str(tmp_path / "nobody.pair")])
    assert missing.exit_code == 2 and "nobody.pair" in missing.output


def test_a_model_in_a_match_does_not_search():
    assert Pair.from_str("club.pair,name=Club").settled(seconds=3.0).limit is None
    with pytest.raises(PairError, match="no option of a pair"):
        Pair.from_str("club.pair,seconds=2")


def test_the_command_line_knows_learned_opponents(file):
    told = CliRunner().invoke(
        app, ["bid", "AQJ93.K6.J65.AK2", "1H 1S 2H P P", "--opponents", file, "--instances", "2000"]
    )
    assert told.exit_code == 0, told.output
    assert "simulated deals" in told.stdout
