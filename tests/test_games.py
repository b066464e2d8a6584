"""Small games: their tables, theorem 1 of the JPS paper, and solvers against brute force and known optima."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_games import MiniBridge, MiniBridgeUtility, NumberGame, NumberUtility

from pidm.core.conformance import check
from pidm.errors import PidmError
from pidm.games.ascent import ascend, best_response
from pidm.games.catalogue import GAMES, TwoSuit, load
from pidm.games.cfr import _joined_ends, cfr
from pidm.games.density import density
from pidm.games.exact import exact
from pidm.games.joint import JointOptions, joint
from pidm.games.jps import JpsOptions, apply, best_change, jps
from pidm.games.small import SmallGame
from pidm.games.solvers import SOLVERS, SolverOptions, chains, run, solve
from pidm.games.tabular import Tabular

SMALL = ["communication_3", "mini_hanabi", "simple_bidding_4", "simple_bidding_8", "two_suit_3"]


def table_of(name):
    game = load(name)
    return Tabular(game, game)


class RandomGame(SmallGame):
    """Anything goes: who acts, how many actions there are, who holds what together, what it is worth."""

    name = "random"

    def __init__(self, seed, seats=2, depth=3):
        self.seats, self.depth, self.seed = seats, depth, seed
        rng = np.random.default_rng(seed)
        everything = np.array(list(itertools.product(range(3), repeat=seats)))
        self.deals = everything[rng.random(len(everything)) < 0.7]
        if not len(self.deals):
            self.deals = everything[:1]

    def rng(self, history):
        return np.random.default_rng([self.seed, len(history), *history])

    def actor(self, history):
        draw = self.rng(history)
        over = len(history) >= self.depth or (history and draw.random() < 0.2)
        return None if over else int(draw.integers(self.seats))

    def legal(self, history):
        return range(1 + int(self.rng(history).integers(1, 3)))

    def worth(self, history, deals):
        result = self.rng(history).normal(size=(3,) * self.seats)
        return result[tuple(deals.T)]


# ---------------------------------------------------------------------- the games

STATES = {  # table 1 of the paper
    "communication_3": 633,
    "communication_5": 34785,
    "communication_6": 270273,
    "communication_7": 2129793,
    "mini_hanabi": 53,
    "simple_bidding_4": 241,
    "simple_bidding_8": 1985,
    "simple_bidding_16": 16129,
    "two_suit_3": 4081,
    "two_suit_4": 25576,
    "two_suit_5": 147421,
}


@pytest.mark.parametrize(("name", "states"), STATES.items())
def test_games_have_as_many_states_as_in_the_paper(name, states):
    assert table_of(name).states == states


@pytest.mark.parametrize("name", GAMES)
def test_games_conform(name):
    game = load(name)
    assert game.name == name and game.rules
    assert check(game, game, features=tuple(game.features(np.arange(2))), games=5) > 3


@pytest.mark.parametrize(
    ("name", "history", "deal", "worth"),
    [
        ("communication_3", (1, 0, 1, 5), (5, 0), 1),
        ("communication_3", (1, 0, 1, 4), (5, 0), 0),
        ("mini_hanabi", (0, 2), (1, 0), 10),
        ("mini_hanabi", (2, 2), (1, 0), 0),
        ("mini_hanabi", (1, 1), (1, 1), 8),
        ("simple_bidding_16", (1, 5, 0), (8, 8), 16),
        ("simple_bidding_16", (1, 5, 0), (8, 7), 0),
        ("two_suit_4", (0, 0), (4, 4), 0),
        ("two_suit_4", (1, 7, 0), (4, 4), 8),  # 4H
        ("two_suit_4", (1, 8, 0), (0, 0), 8),  # 4S
        ("two_suit_4", (1, 0), (2, 2), -1),  # 1H needs five
        ("two_suit_4", (0, 2, 0), (2, 1), 1),
    ],
)
def test_what_games_are_worth(name, history, deal, worth):
    game = load(name)
    assert game.actor(history) is None
    assert game.evaluate(history, np.array([deal]), 0).tolist() == [worth]


def test_actions_and_holdings_in_words():
    game = TwoSuit(4)
    assert game.say_history((0, 1, 4, 7, 8, 0)) == "P 1H 2S 4H 4S P"
    assert game.say_held(0, 3) == "3 hearts and 1 spades"
    assert load("simple_bidding_8").say_history((1, 4, 0)) == "1 8 P"
    with pytest.raises(PidmError, match="two_suit_4: 1H is not legal after 1S"):
        game.after((2,), 1)


def test_the_policy_of_the_papers_table_3():
    """Appendix C: a policy for two-suited mini-bridge of 4 that reaches the best known value, 1.84."""
    rows = [
        ["1S 2S 3S 4S P", "1S 2S 3S P", "1S 2H 2S P", "1S P", "1S 2H 2S 4H 4S P"],
        ["P 2S 3S P", "P 1S 2S P", "P P", "P P", "P 1H P"],
        ["P 2S P", "P 1S P", "P P", "P P", "P 1H 2H P"],
        ["1H 1S P", "1H P", "1H P", "1H 2H P", "1H 3H P"],
        ["1H 1S 4H 4S P", "1H P", "1H P", "1H 2H 3H P", "1H 3H 3S 4H P"],
    ]
    game = TwoSuit(4)
    words = {game.say_action(action): action for action in range(9)}
    total = 0.0
    for first, line in enumerate(rows):
        for second, text in enumerate(line):
            history = tuple(words[word] for word in text.split())
            for before, action in game.moves(history):
                assert action in game.legal(before)
            total += game.evaluate(history, np.array([[first, second]]), 0)[0]
    assert total / 25 == pytest.approx(1.84)


def test_unknown_games_are_named():
    with pytest.raises(PidmError, match="no game 'chess'; there are communication_3"):
        load("chess")
    with pytest.raises(PidmError, match="no file nowhere.py"):
        load("nowhere.py")


# ---------------------------------------------------------------------- the tabular form


def by_hand(table, policy):
    """The value, world by world and history by history."""

    def worth(node, world):
        actor = table.actor[node]
        if actor < 0:
            return table.payoffs[table.ends.tolist().index(node), world]
        children = range(table.child[node], table.child[node] + table.width[node])
        held = table.private[actor][world]
        return sum(policy[table.slot[child] + held] * worth(child, world) for child in children)

    return float(np.mean([worth(0, world) for world in range(table.size)]))


games = st.builds(RandomGame, st.integers(0, 2**20), st.integers(1, 3), st.integers(1, 4))


@settings(max_examples=40, deadline=None)
@given(games)
def test_exhaustive_evaluation_is_that_of_plain_recursion(game):
    table = Tabular(game, game)
    policy = table.random(np.random.default_rng(1))
    assert table.value(policy) == pytest.approx(by_hand(table, policy))
    assert table.sweep(policy).value == pytest.approx(table.value(policy))
    assert table.value(policy) <= table.bound + 1e-9


@settings(max_examples=60, deadline=None)
@given(games, st.booleans())
def test_theorem_1_the_density_sums_to_the_change_of_value(game, pure):
    table = Tabular(game, game)
    rng = np.random.default_rng(2)
    old = table.random(rng)
    new = table.random_pure(rng) if pure else table.random(rng)
    # Lemma 1: leave some infosets as they are, and the density is 0 there.
    kept = rng.random(len(table.histories)) < 0.5
    for part in table.parts:
        same = part.slots[kept[table.parent[part.children]]]
        new[same] = old[same]
    rho = density(table, old, new)
    assert rho.sum() == pytest.approx(table.value(new) - table.value(old), abs=1e-12)
    assert np.abs(rho[kept]).max(initial=0) < 1e-12


def test_a_game_for_opponents_is_refused():
    with pytest.raises(PidmError, match="worth different things to seats 0 and 1"):
        Tabular(MiniBridge(), MiniBridgeUtility())


def test_any_finite_game_has_a_tabular_form():
    game = NumberGame()
    game.top = 4
    table = Tabular(game, NumberUtility())
    assert table.size == 36 and table.infosets == 6 * 8
    policy = exact(table)
    assert table.value(policy) == pytest.approx(table.value(ascend(table, policy)[0]))


# ---------------------------------------------------------------------- solvers


def all_pure(table):
    """Every pure policy of a tiny game."""
    infosets = [
        part.slots[start : start + width, k]
        for part in table.parts
        for start, width in zip(part.starts, part.widths)
        for k in range(part.slots.shape[1])
    ]
    for chosen in itertools.product(*infosets):
        policy = np.zeros(table.slots)
        policy[list(chosen)] = 1
        yield policy


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**20))
def test_exact_and_joint_find_the_best_of_all_policies(seed):
    game = RandomGame(seed, depth=2)
    table = Tabular(game, game)
    if table.infosets > 9:
        return
    best = max(table.value(policy) for policy in all_pure(table))
    assert table.value(exact(table)) == pytest.approx(best)
    found = joint(table, np.random.default_rng(1), JointOptions(patience=300))
    assert table.value(found) == pytest.approx(best)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**20))
def test_a_best_response_is_no_worse_than_any_change_of_one_player(seed):
    game = RandomGame(seed)
    table = Tabular(game, game)
    rng = np.random.default_rng(3)
    policy = table.random(rng)
    for part in table.parts:
        best = table.value(best_response(table, policy, part.seat))
        for _ in range(10):
            other = policy.copy()
            other[part.slots] = table.random_pure(rng)[part.slots]
            assert table.value(other) <= best + 1e-9


def brute_change(table, policy, depth):
    """The best chain of algorithm 1, by full evaluation of every one of them."""
    base = table.value(policy)
    best = 0.0

    def grow(node, policy, last, left):
        nonlocal best
        actor = table.actor[node]
        if actor < 0 or not left:
            return
        for private in range(len(table.held[actor])):
            together = table.private[actor] == private
            if last is not None and not (together & last).any():
                continue
            for child in range(table.child[node], table.child[node] + table.width[node]):
                new = policy.copy()
                apply(table, new, ((child, private),))
                best = max(best, table.value(new) - base)
                grow(child, new, together, left - 1)

    grow(0, policy, None, depth)
    return best


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**20), st.integers(1, 3))
def test_the_best_chain_is_that_of_brute_force(seed, depth):
    game = RandomGame(seed)
    table = Tabular(game, game)
    policy = table.random(np.random.default_rng(4))
    gain, change = best_change(table, policy, table.sweep(policy), depth=depth)
    assert gain == pytest.approx(brute_change(table, policy, depth), abs=1e-9)
    new = policy.copy()
    apply(table, new, change)
    assert table.value(new) - table.value(policy) == pytest.approx(gain, abs=1e-9)


def test_chains_are_searched_in_pieces_to_the_same_result(monkeypatch):
    table = table_of("two_suit_3")
    policy = table.random(np.random.default_rng(5))
    sweep = table.sweep(policy)
    whole = best_change(table, policy, sweep)
    monkeypatch.setattr("pidm.games.jps.LARGEST", 500)
    pieces = best_change(table, policy, sweep)
    assert pieces[0] == pytest.approx(whole[0])


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("options", [JpsOptions(), JpsOptions(depth=2), JpsOptions(depth=2, samples=3)])
def test_joint_policy_search_never_makes_a_policy_worse(name, options):
    table = table_of(name)
    rng = np.random.default_rng(6)
    policy = table.random(rng)
    seen = []
    found = jps(table, policy, rng, options, lambda number, value: seen.append(value))
    assert seen == sorted(seen) and table.value(found) >= max(seen) - 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_joint_policy_search_finds_what_no_player_finds_alone(seed):
    """In the communication game both must agree on the meaning of a signal that is not used yet."""
    table = table_of("communication_3")
    rng = np.random.default_rng(seed)
    stuck, value = ascend(table, table.random_pure(rng))
    assert value < 0.99
    assert table.value(jps(table, stuck, rng)) == pytest.approx(1.0)


OPTIMA = {
    "communication_3": 1.0,
    "mini_hanabi": 10.0,
    "simple_bidding_4": 2.25,
    "simple_bidding_8": 5.0625,
    "two_suit_3": 1.125,
    "two_suit_4": 1.84,
    "two_suit_5": 26 / 9,
    "two_suit_6": 226 / 49,
}


@pytest.mark.parametrize(("name", "optimum"), OPTIMA.items())
def test_exact_optima(name, optimum):
    table = table_of(name)
    assert table.value(exact(table)) == pytest.approx(optimum)
    assert load(name).optimum == pytest.approx(optimum)


@pytest.mark.parametrize("name", ["communication_3", "mini_hanabi", "simple_bidding_4", "two_suit_3"])
@pytest.mark.parametrize("seed", range(3))
def test_the_local_search_with_joint_kicks_reaches_the_optimum(name, seed):
    table = table_of(name)
    found = joint(table, np.random.default_rng(seed), JointOptions(target=OPTIMA[name]))
    assert table.value(found) == pytest.approx(OPTIMA[name])


@pytest.mark.parametrize(
    ("name", "size"), [("simple_bidding_16", "16 and 16"), ("communication_5", "32 and 1")]
)
def test_exact_says_when_a_game_is_too_large(name, size):
    with pytest.raises(PidmError, match=f"steps, more than .*: {size} holdings"):
        exact(table_of(name))
    with pytest.raises(PidmError, match="for two players, this one has 3"):
        game = RandomGame(1, seats=3)
        exact(Tabular(game, game))


def test_cfr_settles_near_an_equilibrium():
    table = table_of("two_suit_3")
    policy = cfr(table, np.random.default_rng(1), 300)
    for part in table.parts:
        sums = part.sums(policy[part.slots])
        assert np.allclose(sums, 1)
    value = table.value(policy)
    for part in table.parts:
        assert table.value(best_response(table, policy, part.seat)) - value < 0.05
    assert 0.7 < table.value(table.purified(policy)) <= 1.125


@settings(max_examples=15, deadline=None)
@given(games)
def test_cfr_is_the_same_with_equal_ends_joined(game):
    """Ends that nodes have in common are written down once; without that every edge is walked by itself."""
    with pytest.MonkeyPatch.context() as patch:
        game.worth = lambda history, deals: np.round(
            deals.sum(axis=1) / (1 + history[-1])
        )  # few different ones
        table = Tabular(game, game)
        joined = cfr(table, np.random.default_rng(7), 5)
        patch.setattr("pidm.games.cfr._joined_ends", lambda *_: [])
        assert np.allclose(cfr(table, np.random.default_rng(7), 5), joined)


def test_ends_in_common_are_joined_where_that_takes_less_room():
    table = table_of("communication_5")
    (ends,) = _joined_ends(table, 1, table.levels[-1].nodes)
    assert ends.worth.shape == (32, 32) and ends.children.shape == (32, 32)
    assert len(table.worths) == 32 and (table.worths[table.worth_of[table.ends]] == table.payoffs).all()
    assert not _joined_ends(table, 0, table.levels[0].nodes)


@pytest.mark.parametrize("name", ["communication_6", "communication_7"])
def test_long_codes_are_found_by_search_over_whole_chains_and_by_kicks(name):
    table = table_of(name)
    assert table.value(joint(table, np.random.default_rng(1))) == pytest.approx(1.0)
    stuck, value = ascend(table, table.purified(cfr(table, np.random.default_rng(2), 20)))
    assert 0.7 < value < 0.95
    gain, change = best_change(table, stuck, table.sweep(stuck))
    assert gain == pytest.approx(1 / table.size)  # one number more is understood
    assert [table.actor[table.parent[child]] for child, _ in change] == [0] * int(name[-1]) + [1]


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_solvers_by_name_are_repeatable(solver):
    table = table_of("mini_hanabi")
    options = SolverOptions(iterations=50, patience=200)
    one, same = (run(table, "mini_hanabi", solver, 3, 1, options) for _ in range(2))
    assert one.value == same.value == table.value(one.policy) <= 10
    assert (one.policy == same.policy).all()
    with pytest.raises(PidmError, match="no solver 'magic'; there are cfr, jps"):
        solve(table, "magic", np.random.default_rng(1))


def test_how_much_a_full_search_takes_is_known_before():
    assert chains(table_of("two_suit_3")) < 1e7 < 5e7 < chains(table_of("two_suit_4"))
    assert chains(table_of("communication_5")) < chains(table_of("communication_7")) < 5e7
