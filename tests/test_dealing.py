"""Dealing from what has been shown: inside the bounds, and as likely as dealing at random and rejecting."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from pidm.bridge.cards import Deal, Hand
from pidm.bridge.dealing import ANYTHING, Shown, ShownDealer, shown_dealer
from pidm.bridge.worlds import complete, hands_of, random_deals, to_deals
from pidm.errors import HandError

OPENER = Hand.from_str("AQJ93.AJ6.J653.2")
BALANCED_MINIMUM = Hand.from_str("K72.Q84.A953.J62")


def shown(hcp=(0, 37), S=(0, 13), H=(0, 13), D=(0, 13), C=(0, 13), **more):  # noqa: N803
    return Shown(hcp, (S, H, D, C), **more)


def around(hand, seat=0):
    known = np.zeros((4, 4), dtype=np.uint16)
    known[seat] = hand.masks
    return known


CASES = {
    "1S (2H) 3S (P)": (
        OPENER,
        [None, shown((8, 16), H=(5, 13)), shown((6, 10), S=(4, 5)), shown((0, 11), S=(0, 4))],
    ),
    "a strong notrump on the left": (BALANCED_MINIMUM, [None, shown((15, 17), balanced=True), None, None]),
    "an unbalanced hand opposite": (
        BALANCED_MINIMUM,
        [None, None, shown((11, 19), S=(0, 4), balanced=False), None],
    ),
    "a strong two opposite, tilted": (
        BALANCED_MINIMUM,
        [None, shown((0, 8)), shown((20, 37)), shown((0, 9))],
    ),
    "a weak two with a good suit": (
        BALANCED_MINIMUM,
        [None, shown((5, 10), H=(6, 6), suit_hcp=((0, 10), (4, 10), (0, 10), (0, 10))), None, None],
    ),
    "everybody is weak but one": (
        Hand.from_str("8752.T64.9532.62"),
        [None, shown((0, 11)), shown((0, 11)), shown((15, 40))],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_worlds_are_deals_that_fit(case):
    hand, bounds = CASES[case]
    worlds = ShownDealer(around(hand), bounds).deal(500, np.random.default_rng(1))
    assert worlds.shape == (500, 4, 4)
    assert worlds.dtype == np.uint16
    assert all(deal[0] == hand for deal in to_deals(worlds))  # `Deal` checks the other cards
    for seat in (1, 2, 3):
        assert (bounds[seat] or ANYTHING).holds(worlds[:, seat]).all()


def marginals(worlds):
    """Some numbers of the hidden hands that would show a bias."""
    bits = worlds[:, 1:, :, None] >> np.arange(13) & 1
    lengths = bits.sum(axis=3)
    points = (bits[..., 9:] @ np.arange(1, 5)).sum(axis=2)
    yield from (lengths[:, hand, suit] for hand in range(3) for suit in range(4))
    yield from (points[:, hand] for hand in range(3))
    yield from (points[:, hand] * 14 + lengths[:, hand, 1] for hand in range(3))
    yield lengths.max(axis=2)[:, 0]
    yield bits[:, 0, :, 11].sum(axis=1) * 5 + bits[:, 0, :, 8].sum(axis=1)  # kings and tens on the left
    yield bits[:, 1, 2, 7] * 4 + bits[:, 1, 2, 5] * 2 + bits[:, 2, 2, 5]  # spot cards


@pytest.mark.parametrize("case", CASES)
def test_same_distribution_as_rejection(case):
    hand, bounds = CASES[case]
    rng = np.random.default_rng(20)
    kept = []
    while sum(map(len, kept)) < 3000 and len(kept) < 30:
        worlds = complete(0, hand.array, 20_000, rng)
        fits = np.all([(bounds[seat] or ANYTHING).holds(worlds[:, seat]) for seat in (1, 2, 3)], axis=0)
        kept.append(worlds[fits])
    rejected = np.concatenate(kept)
    assert len(rejected) > 300
    dealt = ShownDealer(around(hand), bounds).deal(10 * len(rejected), rng)
    least = 1.0
    for expected, got in zip(marginals(rejected), marginals(dealt)):
        values = np.union1d(expected, got)
        table = np.array([[(sample == value).sum() for value in values] for sample in (expected, got)])
        rare = table[1] < 60  # few expected: the chi-square needs them together
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
        table = table[:, table.sum(axis=0) > 0]
        if table.shape[1] > 1:
            least = min(least, chi2_contingency(table).pvalue)
    assert least > 0.0005  # the least of some twenty p-values


def test_every_deal_is_equally_likely():
    """Two hands known and the bounds so narrow that all deals can be listed."""
    deal = Deal.from_str("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT9.AKQJT98 ..8765432.765432")
    known = deal.array
    known[2:] = 0
    # South: six diamonds and seven clubs with 17 points, at most 7 of them in clubs.
    seven = ((0, 10), (0, 10), (0, 10), (0, 7))
    dealer = ShownDealer(known, [None, None, shown((17, 17), D=(6, 6), C=(7, 7), suit_hcp=seven), None])
    worlds = dealer.deal(20_000, np.random.default_rng(3))
    south = worlds[:, 2]
    # 17 = 10 in diamonds (2 of the 9 spots) and 7 in clubs (A K with 5 spots, or A Q J with 4).
    diamonds = 9 * 8 // 2
    clubs = 9 * 8 * 7 * 6 // 24
    ways = {(10, 7): diamonds * (clubs + clubs)}
    assert set(map(tuple, south[:, :2].tolist())) == {(0, 0)}
    assert dealer.shown[0].holds(south).all()
    keys, counts = np.unique(south[:, 2].astype(np.int64) << 13 | south[:, 3], return_counts=True)
    assert len(keys) <= ways[10, 7]
    # Each of 9,072 deals comes about 2.2 times; the counts scatter like a uniform draw, no more, no less.
    full = np.zeros(ways[10, 7])
    full[: len(counts)] = counts
    assert 0.001 < chisquare(full).pvalue < 0.999


def test_all_four_hands_hidden():
    bounds = [shown((15, 17), balanced=True), None, shown((8, 9), S=(5, 5)), None]
    worlds = ShownDealer(np.zeros((4, 4), dtype=np.uint16), bounds).deal(50, np.random.default_rng(4))
    assert len(to_deals(worlds)) == 50
    assert bounds[0].holds(worlds[:, 0]).all()
    assert bounds[2].holds(worlds[:, 2]).all()


def test_one_or_no_hand_hidden():
    deal = Deal.from_str("N:AQJ93.AKJ6.J65.2 K8.Q94.KQT2.QT73 T762.T75.A97.AJ4 54.832.843.K9865")
    known = deal.array
    assert (ShownDealer(known, [None] * 4).deal(3, np.random.default_rng(0)) == known).all()
    known[2] = 0
    dealer = ShownDealer(known, [None, None, shown((9, 9)), None])
    assert (dealer.deal(3, np.random.default_rng(0)) == deal.array).all()
    assert not ShownDealer(known, [None, None, shown((10, 12)), None]).possible
    assert not ShownDealer(known, [None, None, shown(S=(5, 13)), None]).possible


@pytest.mark.parametrize(
    "bounds",
    [
        pytest.param(
            [None, shown(S=(5, 13)), shown(S=(4, 13)), None], id="too many spades: nine beside five"
        ),
        pytest.param([None, shown((20, 37)), shown((10, 37)), None], id="too many points"),
        pytest.param([None, shown((0, 3)), shown((0, 3)), shown((0, 3))], id="too few points"),
        pytest.param([None, shown((12, 10)), None, None], id="bounds that cross"),
        pytest.param([None, shown(S=(4, 5), H=(5, 6), D=(4, 5), C=(1, 2)), None, None], id="fourteen cards"),
        pytest.param(
            [None, shown(suit_hcp=((7, 10), *((0, 10),) * 3)), None, None], id="honours that we hold"
        ),
    ],
)
def test_impossible_bounds(bounds):
    dealer = ShownDealer(around(OPENER), bounds)
    assert not dealer.possible
    assert dealer.deal(10, np.random.default_rng(0)).shape == (0, 4, 4)
    assert dealer.propose(10, np.random.default_rng(0)).shape == (0, 4, 4)


def test_points_out_of_reach_end_at_the_limit():
    """The lengths are possible, and so are the points, but not together."""
    hand = Hand.from_str("AKQJ.AK.AKQJ.AK7")
    # Queen and jack of hearts and of clubs are left: six points, but four hearts hold only three of them.
    dealer = ShownDealer(around(hand), [None, shown((5, 6), S=(9, 9), H=(4, 4)), None, None])
    assert len(dealer.deal(10, np.random.default_rng(0), most=5_000)) == 0
    assert dealer.proposals <= 5_000


def test_same_seed_same_worlds():
    hand, bounds = CASES["1S (2H) 3S (P)"]
    first = ShownDealer(around(hand), bounds).deal(40, np.random.default_rng(9))
    again = shown_dealer(around(hand), bounds).deal(40, np.random.default_rng(9))
    assert (first == again).all()
    assert shown_dealer(around(hand), bounds) is shown_dealer(around(hand), list(bounds))


def test_bad_known_hands():
    known = around(OPENER)
    known[1] = OPENER.masks
    with pytest.raises(HandError, match="same card"):
        ShownDealer(known, [None] * 4)
    known[1] = [1, 0, 0, 0]
    with pytest.raises(HandError, match="1 cards known of seat E"):
        ShownDealer(known, [None] * 4)
    with pytest.raises(HandError, match="4 seats"):
        ShownDealer(known[:2], [None] * 4)


@pytest.mark.parametrize("slack", [0, 1, 3])
def test_bounds_around_a_real_deal_are_possible(slack):
    """However narrow: the deal itself fits, so worlds are found, and each is a deal that fits."""
    rng = np.random.default_rng(30 + slack)
    for world in random_deals(25, rng):
        bounds = []
        for hand in hands_of(world):
            lengths = [(length - int(rng.integers(slack + 1)), length + slack) for length in hand.lengths]
            bounds.append(Shown((hand.hcp - slack, hand.hcp + 2 * slack), tuple(lengths)))
        known = np.zeros((4, 4), dtype=np.uint16)
        seat = int(rng.integers(4))
        known[seat] = world[seat]
        dealer = ShownDealer(known, bounds)
        worlds = dealer.deal(20, rng)
        assert len(to_deals(worlds)) == 20
        for hidden in dealer.hidden:
            assert bounds[hidden].holds(worlds[:, hidden]).all()
