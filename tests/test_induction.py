"""Trees from examples."""

import numpy as np
import pytest
from figure_5 import state_actions

from pidm.core.box import Box
from pidm.core.induction import Induction, Learned, induce, leaf, losses_of
from pidm.core.net import DecisionNet, Node

ID3 = Induction(depth=3, leaf=1, folds=0)


def grown(columns, labels, options=ID3, losses=None, actions=None):
    """The tree of examples given by their columns."""
    labels = np.array(labels)
    actions = actions or sorted(set(labels.tolist()))
    matrix = np.stack([np.asarray(values, dtype=float) for values in columns.values()], axis=1)
    losses = losses_of(labels, actions) if losses is None else losses
    return induce(matrix, list(columns), labels, actions, losses, options)


def answers(tree, **state):
    """The actions of a tree for one state."""
    net = DecisionNet(tree)
    return tuple(p.action for p in state_actions(net, Box({name: (v, v) for name, v in state.items()})))


def test_a_tree_tests_for_the_higher_values_and_otherwise_takes_the_rest():
    tree = grown({"hcp": [8, 9, 10, 11]}, [0, 0, 3, 3])
    assert len(tree.children) == len(tree.elses) == 1
    assert tree.children[0].box == Box({"hcp": (10, float("inf"))})
    assert answers(tree, hcp=12) == (3,) and answers(tree, hcp=2) == (0,)


def test_two_tests_one_after_the_other():
    hearts = [1, 2, 3, 6, 7, 8, 6, 7]
    controls = [5, 2, 2, 4, 5, 3, 1, 2]
    tree = grown({"points in hearts": hearts, "controls": controls}, [7, 7, 7, 7, 7, 7, 5, 5])
    for heart, control, call in zip(hearts, controls, [7, 7, 7, 7, 7, 7, 5, 5]):
        assert answers(tree, **{"points in hearts": heart, "controls": control}) == (call,)


def test_of_tests_that_part_the_examples_alike_the_first_is_taken():
    labels = [0, 0, 0, 1, 1, 1]
    columns = {"plain": [1, 2, 3, 4, 5, 6], "odd": [10, 9, 8, 3, 2, 1], "other": [0, 0, 0, 9, 9, 9]}
    assert set(grown(columns, labels).children[0].box) == {"plain"}
    turned = {"odd": columns["odd"], "plain": columns["plain"]}
    tree = grown(turned, labels)
    assert set(tree.children[0].box) == {"odd"} and answers(tree, odd=9) == (0,)


@pytest.mark.parametrize("low, high, bound", [(2, 4, 3), (2, 3, 3), (2.25, 2.5, 2.4), (0.1, 0.9, 0.5)])
def test_bounds_are_short_numbers(low, high, bound):
    tree = grown({"x": [low, low, high, high]}, [0, 0, 1, 1])
    assert tree.children[0].box["x"][0] == pytest.approx(bound)


def test_a_leaf_needs_its_examples():
    tree = grown({"x": range(8)}, [0, 0, 0, 0, 0, 0, 0, 1], Induction(leaf=4, folds=0))
    sizes = [p.source.examples for node in tree.walk() for p in node.proposals]
    assert min(sizes) >= 4


def test_noise_grows_no_tree():
    rng = np.random.default_rng(3)
    columns = {f"x{k}": rng.integers(0, 10, 30) for k in range(200)}
    single = 0
    for _ in range(10):
        tree = grown(columns, rng.permutation([0] * 18 + [1] * 12), Induction())
        single += bool(tree.proposals)
    assert single >= 7


def test_a_rule_is_found_among_many_columns():
    rng = np.random.default_rng(4)
    columns = {f"x{k}": rng.integers(0, 10, 40) for k in range(200)}
    tree = grown(columns, (columns["x77"] >= 6).astype(int), Induction())
    assert set(tree.children[0].box) == {"x77"}
    assert answers(tree, x77=6) == (1,) and answers(tree, x77=5) == (0,)


def test_examples_count_by_what_is_at_stake():
    labels = np.array([0] * 6 + [1] * 4)
    losses = np.where(np.arange(2) == labels[:, None], 0.0, np.where(labels[:, None] == 1, 5.0, 0.1))
    tree = grown({"x": [1] * 10}, labels, Induction(), losses)
    (proposal,) = tree.proposals
    assert proposal.action == 1, "four examples that cost five each outweigh six that cost nothing"
    assert proposal.source == Learned(10, 4, 0.06)


def test_a_leaf_that_loses_too_much_leaves_its_actions_open():
    labels = np.array([0, 0, 0, 1, 1])
    losses = losses_of(labels, (0, 1))
    assert [p.action for p in leaf(labels, (0, 1), losses, Induction(tolerance=0.3))] == [0, 1]
    assert [p.action for p in leaf(labels, (0, 1), losses, Induction(tolerance=0.5))] == [0]
    assert [p.action for p in leaf(labels, (0, 1), losses, Induction(firm=6))] == [0, 1]


def test_losses_come_from_values_and_what_is_no_candidate_is_never_free():
    values = np.array([[0.0, -2.0, np.nan], [-1.5, 0.0, -0.5]])
    losses = losses_of(np.array([0, 1]), (0, 1, 2), values)
    assert losses.tolist() == [[0, 2, 2], [1.5, 0, 0.5]]


def test_the_tag_stands_against_what_only_looks_better():
    """A cautious search keeps the preferred action unless another is clearly better; so does the leaf."""
    labels = np.array([4, 4, 4, 4, 4])
    values = np.array([[0.0, -0.2]] * 5)
    (proposal,) = leaf(labels, (3, 4), losses_of(labels, (3, 4), values), Induction())
    assert proposal.action == 4 and proposal.source.agree == 5


def test_a_cautious_leaf_keeps_the_preferred_action_unless_another_is_clearly_better():
    labels = np.array([0, 0, 1, 1, 1])
    unsure = np.array([[0, 1.0], [0, 1.0], [0.8, 0], [0.8, 0], [0.8, 0]])
    careful = Induction(caution=1.0)
    assert leaf(labels, (0, 1), unsure, careful)[0].action == 0
    assert leaf(labels, (0, 1), unsure, Induction())[0].action == 1
    assert leaf(labels, (0, 1), unsure * [5, 1], careful)[0].action == 1


def test_trees_are_nodes_that_a_net_takes():
    net = DecisionNet(Node(priority=0.0, children=[Node(Box({"x": (0, 9)}), ())]))
    tree = grown({"x": [1, 2, 3, 7, 8, 9]}, [0, 0, 0, 1, 1, 1])
    net.attach(net.root.children[0], tree)
    assert [p.action for p in state_actions(net, Box({"x": (8, 8)}))] == [1]
    assert state_actions(net, Box({"x": (12, 12)})) == ()
