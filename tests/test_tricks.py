"""The trick estimator: sensible answers, the symmetries of the game, and errors as small as promised."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pidm.bridge.calls import STRAINS
from pidm.bridge.cards import Deal
from pidm.bridge.doubledummy import tables, write_solved
from pidm.bridge.tricks import SUIT_FEATURES, TrickEstimator, features, trick_estimator
from pidm.bridge.worlds import from_deals, random_deals

GAME = Deal.from_str("N:AQJ93.AKJ6.J65.2 K8.Q94.KQT2.QT73 T762.T75.A97.AJ4 54.832.843.K9865")


@pytest.fixture(scope="module")
def worlds():
    return random_deals(300, np.random.default_rng(5))


@pytest.mark.parametrize("strain", STRAINS)
def test_chances_add_up(worlds, strain):
    chances = trick_estimator().distribution(worlds, strain, 2)
    assert chances.shape == (300, 14)
    assert (chances >= 0).all()
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)
    mean = chances @ np.arange(14)
    assert np.allclose(mean, trick_estimator().expected(worlds, strain, 2), atol=1e-4)
    spread = np.sqrt(chances @ np.arange(14) ** 2 - mean**2)
    assert 0.2 < spread.mean() < 1.5


def test_a_batch_gives_what_its_worlds_give(worlds):
    """To the last bit, also across the chunks that large batches are cut into."""
    many = np.tile(worlds, (5, 1, 1))[:1025]
    whole = trick_estimator().distribution(many, "H", 1)
    for rows in ([7], [7, 8, 250], range(1, 300), range(700, 1025), [1024]):
        assert (whole[rows] == trick_estimator().distribution(many[rows], "H", 1)).all()
    assert trick_estimator().distribution(worlds[:0], "H", 1).shape == (0, 14)


def test_side_suits_are_alike(worlds):
    swapped = worlds[:, :, [0, 3, 1, 2]]
    for estimator in (trick_estimator().expected,):
        assert np.allclose(estimator(worlds, "S", 0), estimator(swapped, "S", 0), atol=1e-4)
        assert np.allclose(estimator(worlds, "N", 0), estimator(swapped, "N", 0), atol=1e-4)
        assert np.allclose(estimator(worlds, "H", 0), estimator(swapped, "D", 0), atol=1e-4)
        assert not np.allclose(estimator(worlds, "H", 0), estimator(swapped, "H", 0), atol=0.5)


def test_the_table_can_be_turned(worlds):
    turned = np.roll(worlds, 1, axis=1)
    for strain in "CN":
        before = trick_estimator().expected(worlds, strain, 3)
        assert np.allclose(before, trick_estimator().expected(turned, strain, 0), atol=1e-4)


def test_a_good_game():
    world = from_deals([GAME])
    spades = trick_estimator().expected(world, "S", 0)[0]
    clubs = trick_estimator().expected(world, "C", 0)[0]
    theirs = trick_estimator().expected(world, "S", 1)[0]
    assert 9 < spades < 11.5
    assert clubs < spades - 1.5
    assert theirs < 4


def test_error_on_fresh_deals():
    """On a few deals only, so with room; scripts/utility_report measures it on thousands."""
    fresh = random_deals(12, np.random.default_rng(777))
    table = tables(fresh).astype(np.float64)
    errors = np.array(
        [
            [
                np.abs(trick_estimator().expected(fresh, strain, seat) - table[:, at, seat]).mean()
                for seat in range(4)
            ]
            for at, strain in enumerate(STRAINS)
        ]
    )
    assert errors[:4].mean() < 0.65
    assert errors[4].mean() < 0.95


def test_features_are_what_they_say():
    seen = features(from_deals([GAME]), "H", 0)
    assert seen.shape == (4, 1, SUIT_FEATURES)
    hearts, spades = seen[0, 0], seen[1, 0]
    assert hearts[:6].tolist() == [1, 1, 0, 1, 0, 0]  # A K Q J T 9 of AKJ6
    assert hearts[6] == 4
    assert hearts[16 + 6] == 3  # dummy's hearts
    assert spades[32:38].tolist() == [0, 1, 0, 0, 0, 0]  # left of declarer: K8
    assert hearts[64:69].tolist() == [1, 1, 0, 0, 0]  # two sure winners
    assert spades[74] == 5  # A Q J T 9 once the king has gone


def test_weights_survive_a_file(tmp_path, worlds):
    path = tmp_path / "weights.npz"
    trick_estimator().save(path)
    again = TrickEstimator.load(path)
    assert np.allclose(again.expected(worlds, "N", 0), trick_estimator().expected(worlds, "N", 0), atol=1e-3)
    assert path.stat().st_size < 300_000


def test_the_fit_learns(tmp_path):
    """The script on a game that is easy to learn: declarer takes a trick a trump, and 6 in notrump."""
    deals = random_deals(300, np.random.default_rng(6))
    bits = deals[:, :, :, None] >> np.arange(13) & 1
    lengths = bits.sum(axis=3)
    ours = lengths + np.roll(lengths, 2, axis=1)  # [n, seats, suits]
    table = np.concatenate([ours.transpose(0, 2, 1), np.full((300, 1, 4), 6)], axis=1).astype(np.int8)
    write_solved(tmp_path / "solved.npz", deals, table)
    script = Path(__file__).parents[1] / "scripts" / "fit_tricks"
    options = [
        "--solved",
        tmp_path / "solved.npz",
        "--out",
        tmp_path / "weights.npz",
        "--epochs",
        "80",
        "300",
    ]
    subprocess.run([sys.executable, script, *options], check=True, capture_output=True)
    estimator = TrickEstimator.load(tmp_path / "weights.npz")
    fresh = random_deals(100, np.random.default_rng(7))
    trumps = (fresh[:, [0, 2], 1, None] >> np.arange(13) & 1).sum(axis=(1, 2))
    assert np.abs(estimator.expected(fresh, "H", 0) - trumps).mean() < 0.5
    assert np.abs(estimator.expected(fresh, "N", 0) - 6).mean() < 0.1
