"""Co-trained decision nets on small games: what exchange and joint changes are worth."""

import numpy as np
import pytest

from pidm.errors import PidmError
from pidm.games.catalogue import load
from pidm.games.nets import LEARNING, NetOptions, Partners, learn
from pidm.games.tabular import Tabular


def learned(name, how, seed, **options):
    game = load(name)
    table = Tabular(game, game)
    return table, learn(table, np.random.default_rng(seed), how, NetOptions(**options))


@pytest.mark.parametrize("how", LEARNING)
def test_the_value_of_a_pair_is_that_of_its_policy(how):
    table, pair = learned("simple_bidding_4", how, 1, joint=10)
    policy = pair.policy(table)
    assert pair.value() == pytest.approx(table.value(policy))
    for part in table.parts:
        assert np.allclose(part.sums(policy[part.slots]), 1)


def test_what_unilateral_learning_loses():
    """Alone each fits a partner who does not exist any more; joint changes find what one cannot change."""
    values = {
        how: np.mean([learned("simple_bidding_4", how, seed)[1].value() for seed in range(2)])
        for how in LEARNING
    }
    assert values["alone"] < values["exchange"] < values["joint"]
    assert values["joint"] == pytest.approx(2.25)


def test_joint_changes_never_lose():
    _, pair = learned("mini_hanabi", "exchange", 3)
    before = pair.value()
    pair.tell()
    pair.change_jointly()
    assert pair.value() >= before


def test_nets_print_as_rules_over_the_features_of_the_game():
    _, pair = learned("two_suit_3", "exchange", 0, nets=4, sample_size=16, instances=500)
    text = str(pair.learners[0].own.nets[()])
    assert "hearts" in text or "spades" in text or "default" in text


def test_learning_is_repeatable_and_ways_are_named():
    one, same = (learned("mini_hanabi", "joint", 5, joint=20)[1] for _ in range(2))
    assert one.value() == same.value()
    with pytest.raises(PidmError, match="no way to learn; expected alone, exchange, joint"):
        learned("mini_hanabi", "together", 1)
    assert isinstance(one, Partners)
