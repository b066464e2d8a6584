"""Bridge as the core sees it: turns, moves, and worlds drawn from what has been shown."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat
from pidm.bridge.cards import Hand
from pidm.bridge.utilities import utility
from pidm.core.limit import Limit, Meter
from pidm.core.player import Player
from pidm.core.sampling import Sample, rbmbmc
from pidm.features import Feature, HandColumns
from pidm.language.system import System
from pidm.reading.bridge_game import Bridge
from pidm.reading.table import Table
from systems import little_system

RULES = """
- title: Opening bids
  auction: P*
  bid:
    - 1N: 15-17 hcp, balanced
    - 1M: 12-21 hcp, 5+ M
    - 1m: 12-21 hcp, 3+ m
    - P: 0-11 hcp
- title: Raises
  auction: 1M
  bid:
    - 3M: 4+ M, 10-12 points(M)
    - 2M: 3+ M, 6-9 points(M)
    - 1N: 6-12 hcp
    - P: any
- title: Overcalls
  auction: (1X)
  bid:
    - 1Y: 8-16 hcp, 5+ Y
    - 2Y:
        shows: 10-16 hcp, 5+ Y
        when: not call is jump
    - P: any
- title: Nothing more to say
  auction: ...
  bid:
    - P: any
"""
FEATURES = [Feature.parse(f) for f in ("hcp", "length(S)", "length(H)", "length(D)", "length(C)")]


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> System:
    return little_system(tmp_path_factory.mktemp("system"), RULES)


def draw(system: System, auction: Auction, hand: str, size: int, drafts: bool) -> Sample:
    player = Player(Table.of(system), utility("ltc"))
    masks = Hand.from_str(hand).masks
    meter = Meter(Limit(instances=4_000_000))
    rng = np.random.default_rng(5)
    return rbmbmc(Bridge(Table.of(system)), auction, auction.actor, masks, player, meter, size, rng, drafts)


@pytest.mark.parametrize(
    ("hand", "calls"),
    [
        ("K72.A853.Q72.852", "1S"),  # and neither 1N nor, perhaps, the other major
        ("72.A853.QJ72.852", "1N P"),
        ("J2.KQ853.K72.Q85", "1S P"),  # no overcall
        ("AQJ84.K5.KQ72.85", "1S P 2S P"),  # points with trumps, of which the dealing knows the high cards
        ("KJ842.A3.KQ72.85", "1S 2C P P"),
        ("KJ842.A3.KQ72.85", "P P 1S P 3S P"),  # passed hands
    ],
)
def test_worlds_are_as_likely_as_by_rejection(little: System, hand: str, calls: str) -> None:
    auction = Auction.from_str(calls, dealer=Seat.N)
    rejected = draw(little, auction, hand, 3000, drafts=False)
    drafted = draw(little, auction, hand, 20_000, drafts=True)
    for sample in (rejected, drafted):
        assert not sample.failed and (sample.inconsistency == 0).all()
    assert drafted.generated / len(drafted) < rejected.generated / len(rejected)
    least, tests = 1.0, 0
    for seat in set(Seat) - {auction.actor}:
        columns = [HandColumns(sample.worlds[:, seat]) for sample in (rejected, drafted)]
        for feature in FEATURES:
            one, other = (column.column(feature) for column in columns)
            values = np.union1d(one, other)
            table = np.array([[(got == value).sum() for value in values] for got in (one, other)])
            rare = table[1] < 100  # the chi-square needs what is rare together
            table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
            table = table[:, table.sum(axis=0) > 0]
            if table.shape[1] > 1:
                least, tests = min(least, chi2_contingency(table).pvalue), tests + 1
    assert tests > 10
    assert least > 0.0005, f"the least of {tests} p-values"


def test_moves_tell_who_called_what_after_which_auction(little: System) -> None:
    game = Bridge(Table.of(little))
    auction = Auction.from_str("1S P 2S", dealer=Seat.E)
    moves = game.moves(auction)
    assert [game.actor(before) for before, _ in moves] == [Seat.E, Seat.S, Seat.W]
    assert game.after(*moves[-1]) == auction
    assert game.actor(Auction.from_str("1S P P P")) is None


def test_a_hidden_hand_is_dealt_within_what_its_calls_cover(little: System) -> None:
    game = Bridge(Table.of(little))
    auction = Auction.from_str("1N P", dealer=Seat.N)
    hand = Hand.from_str("72.A853.QJ72.852")
    player = Player(Table.of(little), utility("ltc"))
    models = dict.fromkeys(range(4), player)
    draft = game.propose(auction, Seat.S, hand.masks, 300, np.random.default_rng(1), models)
    assert draft is not None
    opener = HandColumns(draft.worlds[:, Seat.N])
    assert set(opener.column(Feature.parse("hcp"))) == {15, 16, 17}
    assert opener.column(Feature.parse("balance")).max() <= 2
    assert all(tuple(world[Seat.S]) == hand.masks for world in draft.worlds)


@pytest.mark.parametrize("limit", [0, 1, 8, 20, 100, 300, 3000])
@pytest.mark.parametrize(
    ("auction", "hand"),
    [
        ("1N P", "72.A853.QJ72.852"),
        ("P 1S P", "AKQJT98765432..."),  # all spades of the suit that another has shown
        ("1S P 2S P", "AQ4.KQ3.AQJ2.AK5"),
    ],
)
def test_a_limit_of_instances_is_kept(little: System, limit: int, auction: str, hand: str) -> None:
    history = Auction.from_str(auction)
    seat = history.actor
    player = Player(Table.of(little), utility("ltc"))
    meter = Meter(Limit(instances=limit))
    masks = Hand.from_str(hand).masks
    sample = rbmbmc(
        Bridge(Table.of(little)), history, seat, masks, player, meter, 200, np.random.default_rng(1)
    )
    assert sample.generated == meter.instances <= limit
    assert len(sample) <= limit and len(sample.worlds) == len(sample)
    if limit == 3000:
        assert len(sample) == 200


def test_points_that_cannot_be_held_are_given_up_for_what_can(little: System) -> None:
    history = Auction.from_str("1N P")
    hand = Hand.from_str("AKQ2.AKQ.AKQ.AKQ")
    player = Player(Table.of(little), utility("ltc"))
    meter = Meter(Limit(instances=20_000))
    sample = rbmbmc(
        Bridge(Table.of(little)), history, Seat.S, hand.masks, player, meter, 50, np.random.default_rng(1)
    )
    assert len(sample) == 50 and sample.ignored == (0,)
