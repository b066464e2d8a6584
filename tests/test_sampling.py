"""RBMBMC: the most consistent worlds within a limit, with the right distribution."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from toy_games import (
    PASS,
    BoundedMiniBridge,
    Exact,
    MiniBridge,
    MiniBridgeUtility,
    NetStrategy,
    NumberGame,
    NumberUtility,
    bridge_rules,
    narrow_rules,
)

from pidm.core.box import Box
from pidm.core.game import Draft
from pidm.core.limit import Limit, Meter
from pidm.core.net import Triplet
from pidm.core.player import Player
from pidm.core.sampling import EMPTY, rbmbmc

NUMBERS = Player(NetStrategy(narrow_rules), NumberUtility())
BRIDGE = Player(NetStrategy(bridge_rules), MiniBridgeUtility())


def draw(game, history, private, player, size, limit=100_000, seed=1, **options):
    seat = game.actor(history)
    meter = Meter(Limit(instances=limit))
    rng = np.random.default_rng(seed)
    return rbmbmc(game, history, seat, private, player, meter, size, rng, **options)


def test_without_a_history_any_world_will_do():
    sample = draw(NumberGame(), (), (3,), NUMBERS, 50)
    assert len(sample) == 50 and sample.generated >= 50
    assert not sample.failed
    assert (sample.worlds[:, 0, 0] == 3).all()


def test_worlds_agree_with_what_the_others_did():
    sample = draw(NumberGame(), (5,), (2,), NUMBERS, 40)  # a bid of five shows three
    assert (sample.worlds[:, 0, 0] == 3).all()
    assert not sample.failed
    assert sample.generated > 100  # about one in six is accepted


def test_own_actions_say_nothing():
    sample = draw(NumberGame(), (3, 6), (0,), NUMBERS, 20)  # three would show one, but the seat holds zero
    assert not sample.failed
    assert (sample.worlds[:, :, 0] == (0, 4)).all()


def test_a_limit_leaves_the_most_consistent_worlds_found():
    game = NumberGame(opponent=True)
    history = (3, 4, 7)  # one, two and five
    full = draw(game, (*history, 9, PASS), (1,), NUMBERS, 30, limit=20_000)
    assert full.inconsistency.max() >= 1  # nobody bids nine, so every world disagrees with that
    assert (np.diff(full.inconsistency) >= 0).all()
    short = draw(game, history, (1,), NUMBERS, 30, limit=60)
    assert short.generated == 60
    assert short.failed and len(short) == 30
    assert short.inconsistency.sum() <= 60
    longer = draw(game, history, (1,), NUMBERS, 30, limit=50_000)
    assert not longer.failed


def test_the_cut_off_does_not_change_what_is_found():
    """The counts are those of a full check, whichever action it starts with."""
    game = MiniBridge()
    history = (1, PASS, 3)
    sample = draw(game, history, (4, 5), BRIDGE, 60, limit=90)
    exact = Exact(game, BRIDGE, 3)
    for world, count in zip(sample.worlds, sample.inconsistency, strict=True):
        disagree = sum(
            action not in exact._plausible(BRIDGE.strategy, before, world, game.actor(before))
            for before, action in game.moves(history)
        )
        assert count == disagree


def test_most_consistent_drops_the_rest_only_if_enough_remain():
    game = NumberGame(opponent=True)
    sample = draw(game, (3, 4, 7), (1,), NUMBERS, 30, limit=150)
    perfect = int((sample.inconsistency == 0).sum())
    assert 0 < perfect < 30
    assert len(sample.most_consistent(enough=perfect)) == perfect
    assert len(sample.most_consistent(enough=perfect + 1)) == 30


class AroundHands(BoundedMiniBridge):
    """Tells that pairs of worlds were dealt around one hand."""

    def propose(self, *args):
        draft = super().propose(*args)
        return dataclasses.replace(draft, kin=np.arange(len(draft.worlds)) // 2)


def test_kin_are_told_apart_from_those_of_other_drafts():
    history, private = (1, PASS, 3), (4, 5)
    assert draw(BoundedMiniBridge(), history, private, BRIDGE, 40).kin is None, "drawn apart"
    sample = draw(AroundHands(), history, private, BRIDGE, 200, limit=5000)
    assert len(sample) == 200
    families = np.bincount(sample.kin)
    assert set(families[families > 0]) == {1, 2}, "some have lost their other half by rejection"
    assert (sample.take(np.arange(5)).kin == sample.kin[:5]).all()


def test_same_seed_same_sample():
    one, two = (draw(MiniBridge(), (1, PASS, 3), (4, 5), BRIDGE, 50, seed=9) for _ in range(2))
    assert (one.worlds == two.worlds).all() and one.generated == two.generated
    other = draw(MiniBridge(), (1, PASS, 3), (4, 5), BRIDGE, 50, seed=10)
    assert not np.array_equal(one.worlds, other.worlds)


# ---------------------------------------------------------------------- distribution


def chi_square(sample, expected):
    """Compare the worlds of a sample with equal chances for all expected worlds."""
    counts = Counter(tuple(world.ravel().tolist()) for world in sample.worlds)
    wanted = [tuple(world.ravel().tolist()) for world in expected]
    assert set(counts) <= set(wanted)
    each = len(sample) / len(wanted)
    return sum((counts[world] - each) ** 2 / each for world in wanted), len(wanted) - 1


@pytest.mark.parametrize(
    ("game", "drafts"),
    [(MiniBridge(), False), (BoundedMiniBridge(), True), (BoundedMiniBridge(tilt=True), True)],
    ids=["rejection", "drafts", "weighted drafts"],
)
def test_all_consistent_worlds_are_equally_likely(game, drafts):
    history, private = (1, PASS, 3), (4, 5)
    sample = draw(game, history, private, BRIDGE, 3000, limit=500_000, drafts=drafts)
    expected = Exact(game, BRIDGE, 3).consistent(history, private)
    assert len(expected) > 5 and not sample.failed
    statistic, freedom = chi_square(sample, expected)
    assert statistic < freedom + 4 * np.sqrt(2 * freedom)


def test_drafts_need_fewer_instances():
    history, private = (1, PASS, 3), (4, 5)
    plain = draw(MiniBridge(), history, private, BRIDGE, 500)
    better = draw(BoundedMiniBridge(), history, private, BRIDGE, 500)
    assert better.generated < plain.generated


# ---------------------------------------------------------------------- others play something else


def odd_rules(history):
    """Like the bridge rules, but nobody ever opens with the highest bid."""
    return [triplet for triplet in bridge_rules(history) if not (triplet.action == 4 and not any(history))]


ODD = Player(NetStrategy(odd_rules), MiniBridgeUtility())


def test_an_impossible_action_is_left_out_of_the_drafts():
    game = BoundedMiniBridge()
    sample = draw(game, (4, PASS, PASS), (0, 3), ODD, 40)
    assert sample.failed and (sample.inconsistency == 1).all()
    assert sample.ignored == (0,)
    assert sample.generated < 5_000  # it does not look for better worlds until the limit is used up


def test_a_draft_that_is_empty_is_tried_again_without_the_newest_action():
    game = BoundedMiniBridge()
    sample = draw(game, (PASS, PASS, 4), (0, 3), ODD, 40)
    assert game.asked[:2] == [(), (2,)]
    assert sample.ignored == (2,)
    assert (sample.inconsistency == 1).all()
    # They agree with what the other two did.
    exact = Exact(game, ODD, 3)
    allowed = {world.tobytes() for world in game.possible(3, (0, 3))}
    for world in sample.worlds:
        assert world.tobytes() in allowed
        assert PASS in exact._plausible(ODD.strategy, (), world, 0)


def test_when_nothing_can_be_drafted_worlds_are_drawn_uniformly():
    never = Player(NetStrategy(lambda history: [Triplet(PASS, Box(), 1)]), MiniBridgeUtility())

    class Hopeless(BoundedMiniBridge):
        def propose(self, history, seat, private, n, rng, models, ignore=()):
            return super().propose(history, seat, private, n, rng, models)

    sample = draw(Hopeless(), (1, 2, 4), (0, 3), never, 40, limit=1000)
    assert len(sample) == 40
    assert (sample.inconsistency == 3).all()
    assert sample.generated == 1000


def test_drafts_that_hold_no_world_count_and_are_given_up():
    class Unlucky(BoundedMiniBridge):
        """Finds out only by trying that the newest action is impossible."""

        def propose(self, history, seat, private, n, rng, models, ignore=()):
            draft = super().propose(history, seat, private, n, rng, models, ignore)
            return draft if len(draft.worlds) else Draft(draft.worlds, n)

    short = draw(Unlucky(), (PASS, PASS, 4), (0, 3), ODD, 40, limit=100)
    assert (len(short), short.generated) == (0, 100)
    long = draw(Unlucky(), (PASS, PASS, 4), (0, 3), ODD, 40, limit=20_000)
    assert long.ignored == (2,) and len(long) == 40 and EMPTY < long.generated < 20_000
