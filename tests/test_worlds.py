from math import comb

import numpy as np
import pytest

from pidm import Deal, Hand, HandError, Seat
from pidm.bridge.cards import FULL_SUIT
from pidm.bridge.worlds import complete, complete_known, from_deals, hands_of, random_deals, to_deals

HAND = Hand.from_str("AQJ93.AKJ6.J65.2")
COUNT = np.array([bin(mask).count("1") for mask in range(FULL_SUIT + 1)])
POINTS = np.array(
    [sum(max(rank - 8, 0) for rank in range(13) if mask >> rank & 1) for mask in range(FULL_SUIT + 1)]
)


def worlds(n=40_000, seat=Seat.N, seed=1):
    return complete(seat, HAND.masks, n, np.random.default_rng(seed))


def surprise(observed, expected):
    """How many standard deviations chi-square lies above its mean; rare cells are put together."""
    common = expected >= 10
    observed = np.append(observed[common], observed[~common].sum())
    expected = np.append(expected[common], expected[~common].sum() + 1e-9)
    keep = expected >= 1
    chi = ((observed - expected) ** 2 / expected)[keep].sum()
    return (chi - (keep.sum() - 1)) / np.sqrt(2 * max(keep.sum() - 1, 1))


def points_distribution(unseen, cards):
    """The exact chances of 0, 1, ... 37 points in `cards` cards dealt from the unseen ones."""
    ways = np.zeros((cards + 1, 41), dtype=object)
    ways[0, 0] = 1
    for mask in unseen:
        for rank in range(13):
            if mask >> rank & 1:
                value = max(rank - 8, 0)
                ways[1:, value:] = ways[1:, value:] + ways[:-1, : 41 - value]
    return np.array([float(w) for w in ways[cards]]) / comb(sum(int(COUNT[m]) for m in unseen), cards)


def lengths_distribution(in_suit, unseen, cards):
    """The exact chances of 0 to 13 cards of a suit."""
    ways = [comb(in_suit, k) * comb(unseen - in_suit, cards - k) for k in range(cards + 1)]
    return np.array(ways + [0] * (13 - cards)) / comb(unseen, cards)


@pytest.mark.parametrize("seat", Seat)
def test_worlds_are_full_deals_that_keep_the_hand(seat):
    batch = worlds(3000, seat)
    assert batch.shape == (3000, 4, 4)
    assert batch.dtype == np.uint16
    assert (batch[:, seat] == HAND.array).all()
    assert (np.bitwise_or.reduce(batch, axis=1) == FULL_SUIT).all()
    assert (COUNT[batch].sum(axis=2) == 13).all()
    assert all(str(deal[seat]) == str(HAND) for deal in to_deals(batch[:5]))


@pytest.mark.parametrize("seat", [Seat.E, Seat.S, Seat.W])
def test_points_have_the_exact_distribution(seat):
    batch = worlds(100_000)
    unseen = [FULL_SUIT & ~mask for mask in HAND.masks]
    expected = points_distribution(unseen, 13) * len(batch)
    observed = np.bincount(POINTS[batch[:, seat]].sum(axis=1), minlength=41)
    assert surprise(observed, expected) < 4


@pytest.mark.parametrize("seat", [Seat.E, Seat.S, Seat.W])
@pytest.mark.parametrize("suit", range(4))
def test_lengths_have_the_exact_distribution(seat, suit):
    batch = worlds(100_000)
    expected = lengths_distribution(13 - HAND.lengths[suit], 39, 13) * len(batch)
    observed = np.bincount(COUNT[batch[:, seat, suit]], minlength=14)
    assert surprise(observed, expected) < 4


def test_every_card_goes_everywhere_and_pairs_of_cards_too():
    batch = worlds(60_000)
    owner = np.stack(
        [np.argmax(batch[:, :, suit] >> rank & 1, axis=1) for suit in range(4) for rank in range(13)]
    )
    unseen = [card for card in range(52) if not HAND.masks[card // 13] >> card % 13 & 1]
    for card in unseen:
        assert surprise(np.bincount(owner[card], minlength=4)[1:], np.full(3, len(batch) / 3)) < 5
    # two cards lie together with probability 12/38, wherever they stand in the order of dealing
    for one, other in zip(unseen[::2], unseen[1::2]):
        together = (owner[one] == owner[other]).mean()
        assert abs(together - 12 / 38) < 5 * np.sqrt(12 / 38 * 26 / 38 / len(batch))


def test_known_parts_of_hands_are_kept_and_the_rest_is_uniform():
    known = np.zeros((4, 4), dtype=np.uint16)
    known[Seat.N] = HAND.array
    known[Seat.E, 0] = 1 << 11  # E is known to hold the king of spades
    known[Seat.S, 1] = 0b111  # and S three small hearts
    batch = complete_known(known, 50_000, np.random.default_rng(2))
    assert (batch & known == known).all()
    assert (COUNT[batch].sum(axis=2) == 13).all()
    assert (np.bitwise_or.reduce(batch, axis=1) == FULL_SUIT).all()
    spades = COUNT[batch[:, Seat.E, 0]] - 1
    assert surprise(np.bincount(spades, minlength=14), lengths_distribution(7, 35, 12) * len(batch)) < 4
    hearts = COUNT[batch[:, Seat.S, 1]] - 3
    assert surprise(np.bincount(hearts, minlength=14), lengths_distribution(6, 35, 10) * len(batch)) < 4


def test_two_hands_known():
    deal = to_deals(worlds(1))[0]
    known = deal.array
    known[[Seat.E, Seat.W]] = 0
    batch = complete_known(known, 500, np.random.default_rng(3))
    assert (batch[:, [Seat.N, Seat.S]] == deal.array[[Seat.N, Seat.S]]).all()
    assert len(set(to_deals(batch))) == 500


def test_nothing_and_everything_known():
    deals = random_deals(5000, np.random.default_rng(4))
    assert abs(POINTS[deals].sum(axis=2).mean(axis=0) - 10).max() < 0.3
    assert (complete_known(deals[0], 7, np.random.default_rng(5)) == deals[0]).all()
    assert complete(Seat.N, HAND.masks, 0, np.random.default_rng(6)).shape == (0, 4, 4)


def test_the_same_seed_deals_the_same_worlds():
    assert (worlds(5000, seed=7) == worlds(5000, seed=7)).all()
    assert (worlds(100, seed=7) != worlds(100, seed=8)).any()


def test_deals_round_trip():
    batch = worlds(20)
    assert (from_deals(to_deals(batch)) == batch).all()
    assert from_deals([]).shape == (0, 4, 4)
    assert hands_of(batch[:2, Seat.N]) == [HAND, HAND]
    assert isinstance(to_deals(batch)[0], Deal)


def test_impossible_knowledge_is_named():
    known = np.zeros((4, 4), dtype=np.uint16)
    known[Seat.N, 0] = known[Seat.E, 0] = 1 << 12
    with pytest.raises(HandError, match="SA is in two hands, N and E"):
        complete_known(known, 1, np.random.default_rng(1))
    with pytest.raises(HandError, match="14 cards known of seat W"):
        complete(Seat.W, (FULL_SUIT, 1, 0, 0), 1, np.random.default_rng(1))
    with pytest.raises(HandError, match="13 bits"):
        complete(Seat.W, (1 << 13, 0, 0, 0), 1, np.random.default_rng(1))
