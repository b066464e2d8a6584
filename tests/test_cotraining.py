"""Learning in nets, and partners who learn together in a toy game."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_games import NetStrategy, NumberGame, NumberUtility, Table, number_rules

from pidm.core.box import Box
from pidm.core.cotraining import OpenState, RefinedStrategy, cotrain, gather, insert, refine
from pidm.core.induction import Induction, Learned
from pidm.core.limit import Limit
from pidm.core.net import DecisionNet, Triplet
from pidm.core.player import Player
from pidm.core.search import Search, SearchOptions

HEART, NOTRUMP = 5, 7
ID3 = Induction(depth=3, leaf=1, folds=0)

# ---------------------------------------------------------------------- figure 7

FIGURE_7 = [
    Triplet(NOTRUMP, Box({"balance": (0, 2), "points": (15, 17)}), 1, "1NT"),
    Triplet(HEART, Box({"points": (11, 23), "hearts": (5, 13)}), 1, "1H"),
]
EXAMPLES = {
    #                  balance, points, hearts, points in hearts, controls -> call
    "AQ2.QJ854.K4.AJ3": (1, 17, 5, 3, 5, NOTRUMP),
    "AK2.87654.K32.AQ": (1, 16, 5, 0, 6, NOTRUMP),
    "K2.Q9753.AKJ.K62": (1, 16, 5, 2, 5, NOTRUMP),
    "A2.AK943.K53.Q62": (1, 16, 5, 7, 6, NOTRUMP),
    "A2.KQJ43.K53.K62": (1, 16, 5, 6, 5, NOTRUMP),
    "QJ.J9753.AQJ.KQ2": (1, 16, 5, 1, 3, NOTRUMP),
    "QJ3.QJ753.KQJ.QJ": (1, 15, 5, 3, 1, NOTRUMP),
    "KQ.Q9753.QJ3.KQJ": (1, 16, 5, 2, 2, NOTRUMP),
    "Q2.KQJ43.KQ3.Q62": (1, 15, 5, 6, 2, HEART),
    "QJ.KQJ43.KJ3.QJ2": (1, 16, 5, 6, 2, HEART),
}
NAMES = ("balance", "points", "hearts", "points in hearts", "controls")


def columns_of(rows):
    return Table({name: np.array(values) for name, values in zip(NAMES, zip(*(row[:5] for row in rows)))})


def actions_of(net, row):
    return set(net.choices(columns_of([row])).candidates(0))


def test_figure_7_a_conflict_becomes_an_intersection_node():
    net = DecisionNet.build(FIGURE_7, [0])
    hand = EXAMPLES["AQ2.QJ854.K4.AJ3"]
    assert actions_of(net, hand) == {NOTRUMP, HEART}
    ((node, rows),) = insert(net, columns_of([hand]))
    assert node.box == Box({"balance": (0, 2), "points": (15, 17), "hearts": (5, 13)})
    assert set(node.actions) == {NOTRUMP, HEART} and rows.tolist() == [0]
    assert actions_of(net, hand) == {NOTRUMP, HEART}, "a place for examples, not an answer"


def test_figure_7_examples_refine_the_node():
    net = DecisionNet.build(FIGURE_7, [0])
    rows = list(EXAMPLES.values())
    (lesson,) = refine(net, columns_of(rows), [row[5] for row in rows], NAMES[3:], ID3)
    assert lesson.settled and len(lesson.rows) == len(rows)
    (tree,) = lesson.node.elses
    assert len(tree.children) == 1, "the tree hangs on an else link"
    # The three rules of section 4.2.4.
    assert actions_of(net, (1, 16, 5, 4, 2)) == {NOTRUMP}
    assert actions_of(net, (1, 16, 5, 6, 3)) == {NOTRUMP}
    assert actions_of(net, (1, 16, 5, 6, 2)) == {HEART}
    # What was clear before is as before.
    assert actions_of(net, (1, 16, 4, 6, 2)) == {NOTRUMP}
    assert actions_of(net, (4, 16, 5, 6, 5)) == {HEART}
    assert actions_of(net, (4, 5, 3, 6, 5)) == {0}


def test_examples_that_agree_set_the_action():
    net = DecisionNet.build(FIGURE_7, [0])
    rows = [row for row in EXAMPLES.values() if row[5] == NOTRUMP]
    (lesson,) = refine(net, columns_of(rows), [NOTRUMP] * len(rows), NAMES)
    assert lesson.node.actions == (NOTRUMP,) and not lesson.node.elses
    assert lesson.node.proposals[0].source == Learned(len(rows), len(rows))


def test_few_examples_leave_the_choice_open_but_say_which_is_better():
    net = DecisionNet.build(FIGURE_7, [0])
    rows = [row for row in EXAMPLES.values() if row[5] == NOTRUMP]
    options = Induction(firm=len(rows) + 1)
    (lesson,) = refine(net, columns_of(rows), [NOTRUMP] * len(rows), NAMES, options)
    assert not lesson.settled
    assert net.choices(columns_of(rows[:1])).candidates(0) == (NOTRUMP, HEART)
    untouched = DecisionNet.build(FIGURE_7, [0])
    options = Induction(least=len(rows) + 1)
    assert refine(untouched, columns_of(rows), [HEART] * len(rows), NAMES, options) == []
    assert actions_of(untouched, rows[0]) == {NOTRUMP, HEART}


def test_more_examples_refine_a_refined_net():
    net = DecisionNet.build(FIGURE_7, [0])
    rows = list(EXAMPLES.values())
    refine(net, columns_of(rows), [row[5] for row in rows], NAMES[3:], ID3)
    later = [(1, 16, 5, 6, 2, HEART), (0, 16, 5, 6, 2, NOTRUMP), (0, 17, 5, 7, 1, NOTRUMP)]
    refine(net, columns_of(later), [row[5] for row in later], NAMES, ID3)
    assert actions_of(net, (0, 16, 5, 6, 2)) == {NOTRUMP} and actions_of(net, (1, 16, 5, 6, 2)) == {HEART}


# ---------------------------------------------------------------------- no new conflict

GRID = list(itertools.product(range(4), range(4)))
ranges = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted).map(tuple)
boxes = st.fixed_dictionaries({}, optional={"x": ranges, "y": ranges}).map(Box)
triplets = st.lists(
    st.builds(Triplet, st.integers(1, 4), boxes, st.integers(1, 2), st.none(), st.integers(0, 9)), max_size=7
)


def grid(states):
    return Table({"x": np.array([x for x, _ in states]), "y": np.array([y for _, y in states])})


@settings(max_examples=120, deadline=None)
@given(triplets, st.lists(st.tuples(st.sampled_from(GRID), st.integers(0, 9)), min_size=1, max_size=8))
def test_learning_creates_no_new_conflict(rules, picked):
    """Whatever is learned, a state keeps some of its actions and gets no other: no state, example or not."""
    net = DecisionNet.build(rules, [0, 5])
    before = [set(net.choices(grid([state])).candidates(0)) for state in GRID]
    for part in (picked[::2], picked[1::2]):  # in two lessons: the second meets a refined net
        if part:
            states = [state for state, _ in part]
            offered = [net.choices(grid([state])).candidates(0) for state in states]
            tags = [offer[number % len(offer)] for offer, (_, number) in zip(offered, part)]
            refine(net, grid(states), tags, ("x", "y"), ID3)
    for state, actions in zip(GRID, before):
        after = set(net.choices(grid([state])).candidates(0))
        assert after and after <= actions, f"{state}: {actions} became {after}"


@settings(max_examples=60, deadline=None)
@given(triplets, st.lists(st.sampled_from(GRID), min_size=1, max_size=6))
def test_inserting_alone_changes_no_answer(rules, states):
    net = DecisionNet.build(rules, [0, 5])
    before = [set(net.choices(grid([state])).candidates(0)) for state in GRID]
    found = insert(net, grid(states))
    assert sorted(row for _, rows in found for row in rows) == list(range(len(states)))
    assert [set(net.choices(grid([state])).candidates(0)) for state in GRID] == before


# ---------------------------------------------------------------------- learning together

GAME = NumberGame()


class Pupil:
    """A partner in the number game who learns its openings or its answers."""

    def __init__(self, seat, others=None):
        self.seat = seat
        self.strategy = RefinedStrategy(NetStrategy(number_rules))
        self.heard = RefinedStrategy(NetStrategy(number_rules))
        self.states = {}
        for case in self.cases_of_play():
            self.states.setdefault(case.history, []).append(case)
        self.left = sorted(self.states, key=lambda history: (-len(self.states[history]), history))
        self.news = []

    def cases_of_play(self):
        def is_open(history, columns):
            mine = GAME.actor(history) == self.seat
            return self.strategy.choices(history, columns).open() if mine else None

        return gather(GAME, [()] * len(GAME.deals), GAME.deals, self.strategy, is_open)

    def next_key(self):
        return self.left.pop(0) if self.left else None

    def cases(self, key):
        return list(dict.fromkeys(self.states[key]))

    def tag(self, case):
        models = {self.seat: None, 1 - self.seat: Player(self.heard, NumberUtility())}
        models.pop(self.seat)
        player = Player(self.strategy, NumberUtility(), models)
        search = Search(GAME, SearchOptions(sample_size=60, depth=0))
        rng = np.random.default_rng([len(case.history), *case.private])
        result = search.decide(case.history, case.private, player, Limit(instances=400), rng)
        return case, result.action, dict(zip(result.candidates, result.means))

    def refine(self, key, examples):
        net = DecisionNet.build(number_rules(key), [0])
        columns = Table({"number": np.array([case.private[0] for case, _, _ in examples])})
        options = Induction(leaf=1, folds=0)
        refine(net, columns, [a for _, a, _ in examples], ["number"], options, [v for *_, v in examples])
        return net

    def learn(self, key, net):
        self.strategy.nets[key] = net

    def hear(self, nets):
        self.news.append(sorted(nets))
        self.heard.nets.update(nets)


def worth(pupils):
    """What the pair scores on average, each following the order of preference."""
    total = 0.0
    for world in GAME.deals:
        history = ()
        while (seat := GAME.actor(history)) is not None:
            choices = pupils[seat].strategy.choices(history, GAME.columns(world[None], seat))
            history = GAME.after(history, int(choices.preferred()[0]))
        total += NumberUtility().evaluate(history, world[None], 0)[0]
    return total / len(GAME.deals)


def taught(nets, exchange_every=1):
    pupils = [Pupil(0), Pupil(1)]

    def tag(number, jobs):
        return [pupils[place].tag(case) for place, _, case in jobs]

    return pupils, list(cotrain(pupils, tag, nets, exchange_every))


def test_gathered_states_are_the_open_ones_as_often_as_they_come_up():
    strategy = NetStrategy(number_rules)
    cases = list(gather(GAME, [()] * 36, GAME.deals, strategy, lambda h, c: strategy.choices(h, c).open()))
    first = [case for case in cases if case.history == ()]
    assert all(isinstance(case, OpenState) for case in cases)
    several = [n for n in range(6) if len({t.action for t in number_rules(()) if t.source == str(n)}) > 1]
    assert 3 < len(several) < 6
    assert sorted(case.private for case in first) == sorted((n,) for n in several for _ in range(6))
    assert all(GAME.actor(case.history) is not None for case in cases)


def test_partners_who_learn_together_score_better():
    before = worth([Pupil(0), Pupil(1)])
    pupils, steps = taught(12)
    assert sum(len(step.refined) for step in steps) == 12
    assert worth(pupils) > before + 0.5


def test_learned_states_need_no_search():
    pupils, steps = taught(6)
    for step in steps:
        for place, key, _ in step.refined:
            columns = GAME.columns(np.array([[[n], [n]] for n in range(6)]), place)
            seen = {case.private[0] for case in pupils[place].states[key]}
            still_open = pupils[place].strategy.choices(key, columns).open()
            assert not still_open[sorted(seen)].any()


@pytest.mark.parametrize("every, lessons", [(1, 3), (2, 2), (0, 1)])
def test_nets_are_exchanged_every_so_many_rounds_and_at_the_end(every, lessons):
    pupils, _ = taught(6, every)
    assert [len(pupil.news) for pupil in pupils] == [lessons, lessons]
    assert pupils[0].heard.nets == pupils[1].strategy.nets


def test_partners_learn_from_the_same_past():
    """In a round nobody knows yet what the other learns in it: their work can be done in parallel."""
    pupils = [Pupil(0), Pupil(1)]
    known = []

    def tag(number, jobs):
        known.append([len(pupil.strategy.nets) + len(pupil.heard.nets) for pupil in pupils])
        return [pupils[place].tag(case) for place, _, case in jobs]

    list(cotrain(pupils, tag, 6))
    assert known == [[0, 0], [2, 2], [4, 4]]
