"""PIDM: against exact solutions of small games, what simulated players see, limits and determinism."""

from __future__ import annotations

import dataclasses
import gc
from typing import ClassVar

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
    common_knowledge,
    narrow_rules,
    number_rules,
)

from pidm.core.box import Box
from pidm.core.choices import DecidedBy
from pidm.core.evaluation import CallCost
from pidm.core.limit import Limit
from pidm.core.net import Triplet
from pidm.core.player import Player
from pidm.core.search import Counters, Search, SearchOptions
from pidm.errors import PidmError

MANY = Limit(instances=1_000_000)
NUMBERS = Player(NetStrategy(number_rules), NumberUtility())
BRIDGE = Player(NetStrategy(bridge_rules), MiniBridgeUtility())


def decide(game, history, private, player, limit=MANY, seed=1, **options):
    search = Search(game, SearchOptions(**options))
    return search.decide(history, private, player, limit, np.random.default_rng(seed))


def test_what_the_strategy_has_answered_is_not_asked_again():
    asked = []

    class Watched:
        def choices(self, history, columns):
            asked.append(history)
            return BRIDGE.strategy.choices(history, columns)

    game, player = MiniBridge(), Player(Watched(), BRIDGE.utility)
    columns = game.columns(np.array([[(2, 7), (2, 7)]]), 0)
    answered = BRIDGE.strategy.choices((), columns)
    search, limit = Search(game, SearchOptions(depth=0)), Limit(instances=500)
    alone = search.decide((), (2, 7), player, limit, np.random.default_rng(1))
    assert asked[0] == () and len(alone.candidates) > 1
    asked.clear()
    told = search.decide((), (2, 7), player, limit, np.random.default_rng(1), answered)
    assert () not in asked
    assert (told.action, told.candidates, told.sources) == (alone.action, alone.candidates, alone.sources)
    assert np.array_equal(told.worths, alone.worths)


# ---------------------------------------------------------------------- against the exact solution


def compare_with_exact(game, player, history, private):
    exact = Exact(game, player, game.actor(history)).values(history, private)
    found = decide(game, history, private, player, sample_size=3000, depth=0)
    assert found.candidates == tuple(exact)
    if len(exact) == 1:
        assert found.decided is DecidedBy.RULE
        return
    assert found.decided is DecidedBy.SIMULATION and found.worlds == 3000
    best = max(exact.values())
    assert exact[found.action] >= best - 4 * found.errors.max()
    for value, mean, error in zip(exact.values(), found.means, found.errors, strict=True):
        assert mean == pytest.approx(value, abs=5 * error + 1e-9)


@pytest.mark.parametrize("history", [(), (3,), (2, 4)], ids=str)
@pytest.mark.parametrize("number", range(6))
def test_the_number_game_is_solved(history, number):
    compare_with_exact(NumberGame(), NUMBERS, history, (number,))


@pytest.mark.parametrize("number", range(6))
def test_with_an_opponent_too(number):
    players = common_knowledge(
        {
            0: (NetStrategy(number_rules), NumberUtility()),
            1: (NetStrategy(narrow_rules), NumberUtility()),
            2: (NetStrategy(narrow_rules), NumberUtility()),
        }
    )
    compare_with_exact(NumberGame(opponent=True), players[0], (), (number,))


@pytest.mark.parametrize("history", [(), (1,), (PASS, 1), (1, PASS, 2), (PASS, PASS, 1, 2)], ids=str)
@pytest.mark.parametrize("hand", [(1, 7), (2, 6), (2, 7), (3, 5), (3, 6), (0, 2)], ids=str)
def test_mini_bridge_is_solved(history, hand):
    game = MiniBridge()
    if Exact(game, BRIDGE, game.actor(history)).consistent(history, hand):
        compare_with_exact(game, BRIDGE, history, hand)


def test_searching_beats_the_order_of_preference():
    """Over all hands, what the search chooses is worth more than what the strategy prefers."""
    game, gain = NumberGame(), 0.0
    for number in range(6):
        exact = Exact(game, NUMBERS, 1).values((3,), (number,))
        gain += exact[decide(game, (3,), (number,), NUMBERS).action] - next(iter(exact.values()))
    assert gain > 5


def test_no_strategy_fusion():
    """At an own turn later on, one action is chosen for all worlds that cannot be told apart.

    The first seat opens with one, the second always bids two and tells nothing; then the first may stop at
    two or go on to nine. Were it to see the other number, that would be worth far more.
    """

    def rules(history):
        if not history:
            return [Triplet(1, Box(), 1), Triplet(PASS, Box(), 1)]
        if len(history) == 1:
            return [Triplet(2, Box(), 1)]
        return [Triplet(PASS, Box(), 1), Triplet(9, Box(), 1)]

    player = Player(NetStrategy(rules), NumberUtility())
    found = decide(NumberGame(), (), (5,), player, sample_size=2000)
    value = dict(zip(found.candidates, found.means, strict=True))[1]
    assert value == pytest.approx(2.0)  # stop at two: nine would make only opposite four and five


# ---------------------------------------------------------------------- one candidate, or none


def test_a_single_candidate_needs_no_search():
    found = decide(NumberGame(), (), (4,), Player(NetStrategy(narrow_rules), NumberUtility()))
    assert (found.action, found.decided) == (6, DecidedBy.RULE)
    assert found.sources == (("4",),)
    assert found.counters.lookaheads == 0 and found.counters.generated == 0


def test_a_strategy_without_an_answer_gets_the_neutral_action():
    found = decide(NumberGame(), (3,), (4,), Player(NetStrategy(lambda history: [], ()), NumberUtility()))
    assert (found.action, found.decided) == (PASS, DecidedBy.RULE)


def test_illegal_proposals_are_not_considered():
    rules = NetStrategy(lambda history: [Triplet(bid, Box(), 1) for bid in (2, 6, 7)])
    found = decide(NumberGame(), (5,), (4,), Player(rules, NumberUtility()))
    assert found.candidates == (6, 7)


def test_nothing_to_decide_when_the_game_is_over():
    with pytest.raises(PidmError, match="over"):
        decide(NumberGame(), (3, PASS), (4,), NUMBERS)


@pytest.mark.parametrize("wrong", [{"g": 0}, {"r": 1.5}, {"sample_size": 0}, {"nested_size": -1}], ids=str)
def test_options_out_of_range_are_told(wrong):
    with pytest.raises(PidmError, match=next(iter(wrong))):
        SearchOptions(**wrong)


# ---------------------------------------------------------------------- simulated players


class Recorder(NumberUtility):
    """A utility that notes what the second seat did after a bid of three, by what it held."""

    def __init__(self):
        super().__init__()
        self.bids = {}

    def evaluate(self, history, worlds, seat):
        if history[:1] == (3,) and seat == 0:
            for number in np.unique(worlds[:, 1, 0]).tolist():
                self.bids.setdefault(number, set()).add(history[1])
        return super().evaluate(history, worlds, seat)


def simulated_bids(own, depth, limit=MANY):
    recorder = Recorder()
    options = {"sample_size": 300, "nested_size": 60, "depth": depth}
    found = decide(NumberGame(), (), (own,), Player(NUMBERS.strategy, recorder), limit, **options)
    return recorder.bids, found


@pytest.mark.parametrize("depth", [0, 1])
def test_a_simulated_player_does_not_see_what_the_searcher_holds(depth):
    """Swap what the searcher holds: the others' simulated actions stay."""
    bids = [simulated_bids(own, depth)[0] for own in (0, 1, 3)]
    for seen in bids:
        del seen[4]  # for four, bidding and passing are worth the same, so chance decides
    assert bids[0] == bids[1] == bids[2]
    assert all(len(actions) == 1 for actions in bids[0].values())


def test_simulated_players_search_too():
    """By preference everybody goes on; by search, those with low numbers stop (see the exact solution)."""
    by_preference, found = simulated_bids(0, depth=0)
    assert by_preference[0] == {4}
    assert found.counters.lookaheads == 1 and found.counters.guessed > 0
    by_search, found = simulated_bids(0, depth=1)
    assert by_search[0] == by_search[1] == by_search[2] == {PASS}
    assert found.counters.lookaheads > 5


def test_without_resources_simulated_players_follow_their_preference():
    bids, found = simulated_bids(0, depth=1, limit=Limit(instances=310))
    assert bids[0] == {4}
    assert found.counters.lookaheads == 1


def test_each_distinct_private_part_is_simulated_once():
    _, found = simulated_bids(0, depth=1)
    # Six numbers at each history, however many of the 300 worlds share them.
    assert found.counters.lookaheads <= 1 + 6 * found.counters.nodes


def test_models_of_models_are_used():
    """Seat 0 believes that seat 1 believes that seat 0 always passes."""
    timid = Player(NetStrategy(lambda history: [Triplet(PASS, Box(), 1)]), NumberUtility())
    careful = Player(NUMBERS.strategy, NumberUtility(), {0: timid})
    player = Player(NUMBERS.strategy, NumberUtility(), {1: careful})
    found = decide(NumberGame(), (), (2,), player, depth=1, sample_size=100)
    assert found.counters.failures > 0  # a bid of seat 0 does not fit what seat 1 believes


# ---------------------------------------------------------------------- bad samples


def test_a_bad_sample_is_not_trusted():
    """Nobody bids like this, so the strategy's order of preference decides."""
    narrow = Player(NetStrategy(narrow_rules), NumberUtility())
    player = Player(NUMBERS.strategy, NumberUtility(), default=narrow)
    game, history = NumberGame(opponent=True), (1, 3, 8)  # after three, eight shows six
    found = decide(game, history, (5,), player, limit=Limit(instances=3000), tolerance=0)
    assert found.decided is DecidedBy.PREFERENCE
    assert found.action == found.candidates[0]
    assert np.isnan(found.means).all() and found.worlds == 0
    tolerant = decide(game, history, (5,), player, limit=Limit(instances=3000), tolerance=1)
    assert tolerant.decided is DecidedBy.SIMULATION


def test_few_fitting_worlds_are_not_outvoted():
    """Worlds in which an action meant something else do not make up for those that fit, if these are few."""
    game, history, number = NumberGame(opponent=True), (3, 4), (2,)
    limit = Limit(instances=40)
    found = decide(game, history, number, NUMBERS, limit=limit, sample_size=30, depth=0)
    fitting = int((found.sample.inconsistency == 0).sum())
    assert found.decided is DecidedBy.SIMULATION and 0 < fitting < 8 < len(found.sample)
    cautious = decide(game, history, number, NUMBERS, limit=limit, sample_size=30, depth=0, fewest=8)
    assert cautious.decided is DecidedBy.PREFERENCE and cautious.action == cautious.candidates[0]


def test_caution_keeps_the_preferred_action_unless_another_is_clearly_better():
    def ask(number, caution, seed):
        return decide(
            NumberGame(), (3,), (number,), NUMBERS, sample_size=40, depth=0, caution=caution, seed=seed
        )

    assert ask(0, 2, seed=1).action == PASS  # stopping is clearly better, although the bid is preferred
    # For four, both are worth the same; chance makes stopping look better in about half of the samples.
    seed = next(seed for seed in range(20) if ask(4, 0, seed).action == PASS)
    mean, error = ask(4, 0, seed).difference(PASS, 4)
    assert 0 < mean < 4 * error
    assert ask(4, 4, seed).action == 4


# ---------------------------------------------------------------------- evidence


def test_paired_differences_have_smaller_errors():
    found = decide(NumberGame(), (2, 4), (5,), NUMBERS, sample_size=500, depth=0)
    mean, error = found.difference(5, 6)
    means = dict(zip(found.candidates, found.means, strict=True))
    errors = dict(zip(found.candidates, found.errors, strict=True))
    assert mean == pytest.approx(means[5] - means[6])
    assert error < np.hypot(errors[5], errors[6])
    assert found.values.shape == (len(found.candidates), 500)


class Repeated(BoundedMiniBridge):
    """Deals four worlds around each hand: here, the same world four times."""

    def propose(self, *args):
        draft = super().propose(*args)
        rows = np.repeat(np.arange(len(draft.worlds) // 4), 4)
        return dataclasses.replace(draft, worlds=draft.worlds[rows], kin=rows)


def test_worlds_that_share_a_hand_err_together():
    """What was drawn once and dealt four times says no more than once."""
    found = decide(Repeated(), (1, PASS), (1, 7), BRIDGE, sample_size=400, depth=0)
    assert found.sample.kin is not None and found.worlds == 400
    one, other = found.candidates[:2]
    mean, error = found.difference(one, other)
    gains = (found.values[0] - found.values[1]).reshape(-1, 4)
    assert (gains == gains[:, :1]).all()
    assert mean == pytest.approx(gains[:, 0].mean())
    assert error == pytest.approx(gains[:, 0].std(ddof=1) / 10)


def test_counters_add_up():
    total = Counters() + Counters(lookaheads=2, stages=6) + Counters(lookaheads=1, stages=0, generated=5)
    assert (total.lookaheads, total.generated, total.stage) == (3, 5, 2.0)
    found = decide(NumberGame(), (2, 4), (5,), NUMBERS, depth=0, sample_size=50)
    assert found.stage == 2 and found.counters.stage == 2
    assert found.counters.decisions > 50
    assert found.counters.generated == found.sample.generated
    assert found.counters.failures == 0 and found.counters.cut == 0


def test_nets_changed_by_learning_are_counted():
    strategy = NetStrategy(number_rules)
    strategy.choices((), NumberGame().columns(NumberGame().deals, 0))
    strategy.nets[()].refined = True
    assert decide(NumberGame(), (), (2,), Player(strategy, NumberUtility())).counters.refined == 1


# ---------------------------------------------------------------------- settling with a better utility


class Blunt(NumberUtility):
    """Knows that a high bid is good, but not when it is too high."""

    def evaluate(self, history, worlds, seat):
        return np.zeros(len(worlds)) if max(history, default=0) < 7 else np.full(len(worlds), -9.0)


def test_close_candidates_are_settled_by_the_better_utility():
    game, better = NumberGame(), NumberUtility()
    player = Player(NUMBERS.strategy, Blunt())
    alone = decide(game, (3,), (3,), player, depth=0)
    assert not alone.solved and alone.action == 4  # all the same to it, so the preferred one
    settled = decide(game, (3,), (3,), player, depth=0, settle=better)
    assert settled.solved and settled.action == PASS
    assert dict(zip(settled.candidates, settled.means, strict=True))[PASS] == pytest.approx(3.0)
    # What is clearly worse is not evaluated again.
    assert np.isnan(settled.settled[settled.candidates.index(7)]).all()


def test_the_better_utility_corrects_the_mean_of_the_first():
    """With the better utility on few worlds, the estimate is that of all worlds plus the correction."""

    class Biased(NumberUtility):
        def evaluate(self, history, worlds, seat):
            return super().evaluate(history, worlds, seat) + 2.0

    found = decide(
        NumberGame(), (3,), (4,), Player(NUMBERS.strategy, Biased()), depth=0, settle=NumberUtility()
    )
    assert found.solved
    means = dict(zip(found.candidates, found.means, strict=True))
    assert means[PASS] == pytest.approx(3.0)
    assert dict(zip(found.candidates, found.values.mean(axis=1), strict=True))[PASS] == pytest.approx(5.0)


# ---------------------------------------------------------------------- scored by comparison


def sign(worths, rival):
    """Who is better, not by how much."""
    return np.sign(worths - rival)


def test_a_game_may_be_scored_by_comparison():
    """The values are then those against the candidate that no other beats, whose own are zero."""
    found = decide(NumberGame(), (3,), (5,), NUMBERS, sample_size=500, depth=0, versus=sign)
    rival = found.candidates.index(found.action)
    assert np.array_equal(found.values, sign(found.worths, found.worths[rival]))
    assert found.means.max() == found.means[rival] == 0


def test_the_comparison_can_change_the_choice():
    """Ten with a chance of two in five against a sure three: more on average, but worse more often."""

    class Gamble(NumberUtility):
        def evaluate(self, history, worlds, seat):
            lucky = worlds[:, 0, 0] >= 4
            return np.full(len(worlds), 3.0) if PASS in history else np.where(lucky, 30.0, 0.0)

    rules = NetStrategy(lambda history: [Triplet(PASS, Box(), 1), Triplet(10, Box(), 1)])
    game, player = NumberGame(), Player(rules, Gamble())
    anyone = Player(NetStrategy(lambda history: [Triplet(3, Box(), 1)]), Gamble())
    player = Player(rules, Gamble(), {0: anyone})
    assert decide(game, (3,), (0,), player).action == 10
    assert decide(game, (3,), (0,), player, versus=sign).action == PASS


# ---------------------------------------------------------------------- limits


def test_the_same_question_gets_the_same_answer():
    def ask(seed):
        return decide(MiniBridge(), (1,), (2, 7), BRIDGE, limit=Limit(instances=3000), seed=seed)

    one, two, other = ask(5), ask(5), ask(6)
    assert one.action == two.action
    assert np.array_equal(one.values, two.values)
    assert dataclasses.asdict(one.counters) == dataclasses.asdict(two.counters)
    assert not np.array_equal(one.values, other.values)


def test_what_was_asked_before_does_not_matter():
    search = Search(MiniBridge(), SearchOptions(sample_size=60))

    def ask():
        return search.decide((1,), (2, 7), BRIDGE, Limit(instances=2000), np.random.default_rng(7))

    first = ask()
    search.decide((), (3, 6), BRIDGE, Limit(instances=500), np.random.default_rng(1))
    assert np.array_equal(first.values, ask().values)


@pytest.mark.parametrize("instances", [0, 1, 20, 500, 5000])
def test_instances_are_kept_to(instances):
    found = decide(BoundedMiniBridge(), (1, PASS, 2), (0, 3), BRIDGE, limit=Limit(instances=instances))
    assert found.counters.generated <= max(instances, 1)
    assert found.action in found.candidates


def test_ends_that_are_worth_the_same_are_evaluated_once():
    class Keyed(NumberUtility):
        seen = 0

        def key(self, history):
            return max(history, default=PASS)

        def evaluate(self, history, worlds, seat):
            self.seen += len(worlds)
            return super().evaluate(history, worlds, seat)

    class Counted(Keyed):
        key = None

    keyed, counted = Keyed(), Counted()
    one, two = (
        decide(NumberGame(), (), (2,), Player(NUMBERS.strategy, utility), depth=0)
        for utility in (keyed, counted)
    )
    assert np.array_equal(one.worths, two.worths)
    assert keyed.calls < counted.calls and keyed.seen < counted.seen


def test_no_lookahead_means_the_worth_of_the_current_state():
    found = decide(NumberGame(), (3,), (5,), NUMBERS, nodes=0, sample_size=100)
    assert found.counters.cut == 100 * (len(found.candidates) - 1)  # all but those where the game is over
    totals = found.sample.worlds[:, :, 0].sum(axis=1)
    assert np.array_equal(found.values[found.candidates.index(7)], np.where(totals >= 7, 7.0, -3.0))


class FakeTime:
    """A clock that runs only when work is done: nodes and evaluations take their time on it."""

    def __init__(self, node, world):
        self.now, self.node, self.world = 0.0, node, world

    def __call__(self):
        return self.now

    def strategy(self, strategy):
        clock = self

        class Slow:
            def choices(self, history, columns):
                clock.now += clock.node
                return strategy.choices(history, columns)

        return Slow()

    def utility(self, utility, known):
        clock = self

        class Slow:
            cost = clock.world if known else 0.0

            def evaluate(self, history, worlds, seat):
                clock.now += clock.world * len(worlds)
                return utility.evaluate(history, worlds, seat)

        return Slow()


@pytest.mark.parametrize("seconds", [0.05, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("world", [1e-6, 1e-4, 5e-3], ids=["estimate", "slower", "double dummy"])
@pytest.mark.parametrize("known", [True, False], ids=["cost known", "cost unknown"])
@pytest.mark.parametrize("history", [(), (1, PASS, 2)], ids=str)
def test_seconds_are_kept_to(seconds, world, known, history):
    clock = FakeTime(0.0005, world)
    player = Player(clock.strategy(BRIDGE.strategy), clock.utility(MiniBridgeUtility(), known))
    search = Search(BoundedMiniBridge(), SearchOptions(sample_size=200), clock=clock)
    hands = [(2, 7), (3, 6), (3, 7), (2, 6)]
    used = []
    for repeat, hand in enumerate(hands):
        started = clock.now
        found = search.decide(history, hand, player, Limit(seconds=seconds), np.random.default_rng(repeat))
        used.append(clock.now - started)
        assert found.action in found.candidates
    # What is not known shows in the first decision at most.
    assert max(used[1:]) <= 1.1 * seconds
    assert used[0] <= (1.1 if known else 2) * seconds


def test_worlds_that_were_remembered_do_not_make_new_ones_free():
    # A double-dummy solver answers at once what it has solved for another level of the same strain.
    cost = CallCost(lambda: 0.01)
    for _ in range(20):
        cost.saw(8, 0.08)
        cost.saw(60, 0.0)
    assert cost.of(1, 200) >= 1.0


def test_garbage_collection_does_not_disturb_and_comes_back():
    states = []

    class Watching(NumberUtility):
        def evaluate(self, history, worlds, seat):
            states.append(gc.isenabled())
            return super().evaluate(history, worlds, seat)

    decide(NumberGame(), (3,), (4,), Player(NUMBERS.strategy, Watching()), Limit(seconds=0.2))
    assert states and not any(states)
    assert gc.isenabled()


def test_with_time_enough_a_costly_utility_gets_a_sample_that_it_can_evaluate():
    clock = FakeTime(0.0005, 0.005)
    player = Player(clock.strategy(BRIDGE.strategy), clock.utility(MiniBridgeUtility(), True))
    search = Search(BoundedMiniBridge(), SearchOptions(sample_size=200), clock=clock)
    found = search.decide((), (2, 7), player, Limit(seconds=1.0), np.random.default_rng(1))
    assert found.decided is DecidedBy.SIMULATION and 8 <= found.worlds < 200


def test_a_utility_that_can_stop_is_told_when():
    class Stopping(MiniBridgeUtility):
        """A world in ten takes for ever."""

        cost = 0.005
        asked: ClassVar[list[float]] = []

        def within(self, history, worlds, seat, seconds):
            self.asked.append(seconds)
            values = self.evaluate(history, worlds, seat)
            spent = 0.0
            for row in range(len(worlds)):
                spent += 0.005 if row % 10 != 9 else 100.0
                if spent > seconds:
                    clock.now += seconds
                    values[row:] = np.nan
                    return values
            clock.now += spent
            return values

    clock = FakeTime(0.0005, 0.0)
    player = Player(clock.strategy(BRIDGE.strategy), Stopping())
    search = Search(BoundedMiniBridge(), SearchOptions(sample_size=200, few=1), clock=clock)
    for repeat, hand in enumerate([(2, 7), (3, 6), (3, 7), (2, 6)]):
        started = clock.now
        found = search.decide((), hand, player, Limit(seconds=0.5), np.random.default_rng(repeat))
        assert clock.now - started <= 0.5
        assert found.action in found.candidates
    assert Stopping.asked and max(Stopping.asked) <= 0.5
    asked = len(Stopping.asked)
    search.decide((), (2, 7), player, Limit(instances=100), np.random.default_rng(1))
    assert len(Stopping.asked) == asked  # without a clock everything is evaluated


class Indifferent:
    """A coin for every world and history: no candidate is ever clearly the best."""

    def evaluate(self, history, worlds, seat):
        return np.random.default_rng(len(worlds) + len(history)).normal(size=len(worlds))


def test_with_time_the_sample_grows_while_the_best_is_close():
    player = Player(BRIDGE.strategy, Indifferent())
    options = {"sample_size": 20, "close": 50.0}
    timed = Limit(seconds=2.0)
    grown = decide(MiniBridge(), (), (2, 7), player, timed, grows=True, **options)
    fixed = decide(MiniBridge(), (), (2, 7), player, timed, **options)
    counted = decide(MiniBridge(), (), (2, 7), player, grows=True, **options)
    assert (fixed.worlds, counted.worlds) == (20, 20), "with a limit in instances the sample stays as it is"
    assert grown.worlds > 20
    clear = decide(MiniBridge(), (), (2, 7), player, timed, grows=True, sample_size=20, close=0.0)
    assert clear.worlds == 20
