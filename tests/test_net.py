"""Decision nets: the paper's figures, the insertion cases, and the batched lookup against the literal one."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from figure_5 import state_actions
from hypothesis import given
from hypothesis import strategies as st

from pidm.core.box import INF
from pidm.core.net import Box, DecisionNet, Node, Prohibition, Proposal, Triplet
from pidm.errors import PidmError

A, B, C, D, E = 0, 1, 2, 3, 4


class Table:
    """Columns from a plain dictionary."""

    def __init__(self, **columns):
        self.columns = {name: np.asarray(values) for name, values in columns.items()}

    def __len__(self):
        return len(next(iter(self.columns.values())))

    def column(self, feature):
        return self.columns[feature]

    def take(self, rows):
        return Table(**{name: values[rows] for name, values in self.columns.items()})


def box(**bounds):
    return Box(bounds)


def point(**values):
    return Box({name: (value, value) for name, value in values.items()})


def actions(net, partial):
    return {proposal.action for proposal in state_actions(net, partial)}


# ---------------------------------------------------------------------- boxes


def test_fewer_constraints_mean_more_states():
    assert box(hcp=(15, 17), hearts=(5, 13)) < box(hcp=(12, 19))
    assert not box(hcp=(12, 19)) <= box(hcp=(15, 17))
    assert box(hcp=(15, 17)) <= Box()


def test_equal_boxes_are_equal_keys():
    one = Box({"a": (1, 2), "b": (3, 4)})
    other = Box({"b": (3, 4), "a": (1, 2)})
    assert one == other and hash(one) == hash(other)
    assert not one < other


def test_a_constraint_that_excludes_nothing_is_no_constraint():
    assert Box({"hcp": (-float("inf"), float("inf"))}) == Box()


def test_intersection():
    both = box(hcp=(11, 23), hearts=(5, 13)) & box(hcp=(15, 17), balanced=(1, 1))
    assert both == box(hcp=(15, 17), hearts=(5, 13), balanced=(1, 1))
    assert not (box(hcp=(0, 4)) & box(hcp=(5, 9))).possible


def test_a_bound_must_be_a_number():
    with pytest.raises(PidmError, match="hcp"):
        Box({"hcp": (float("nan"), 3)})


def test_a_box_prints_as_players_write():
    inf = float("inf")
    text = str(Box({"hcp": (12, inf), "hearts": (5, 6), "losers": (-inf, 7), "balanced": (1, 1)}))
    assert text == "hcp 12+, hearts 5-6, losers 7-, balanced 1"


# ---------------------------------------------------------------------- figure 4


@pytest.fixture
def figure4():
    """Two attributes with domain 0-3. The boxes are rebuilt from what section 4.1 says about each state."""
    six = Node(box(f1=(2, 2), f2=(1, 1)), [Proposal(A)])
    two = Node(box(f1=(2, 3), f2=(0, 1)), [Proposal(B), Proposal(C)], [six])
    three = Node(box(f1=(1, 2), f2=(1, 2)), [Proposal(B)], [six])
    four = Node(box(f1=(0, 1), f2=(2, 3)), [Proposal(C)])
    five = Node(box(f1=(2, 3), f2=(2, 3)), [Proposal(A)])
    return DecisionNet(Node(Box(), [Proposal(A), Proposal(B), Proposal(C)], [two, three, four], [five]))


FIGURE4 = {
    (0, 2): {C},  # node (4) is the only most specific one
    (1, 2): {B, C},  # (3) and (4)
    (2, 1): {A},  # (2) and (3) both lead to (6)
    (2, 2): {B},  # (3); the else link to (5) is not considered
    (3, 3): {A},  # no regular child, so the else link to (5)
    (0, 0): {A, B, C},  # stops at the root
}


@pytest.mark.parametrize(("state", "expected"), FIGURE4.items())
def test_figure_4(figure4, state, expected):
    f1, f2 = state
    assert actions(figure4, point(f1=f1, f2=f2)) == expected
    assert set(figure4.choices(Table(f1=[f1], f2=[f2])).candidates(0)) == expected


def test_figure_4_as_one_batch(figure4):
    states = list(itertools.product(range(4), repeat=2))
    choices = figure4.choices(Table(f1=[s[0] for s in states], f2=[s[1] for s in states]))
    for row, (f1, f2) in enumerate(states):
        assert set(choices.candidates(row)) == actions(figure4, point(f1=f1, f2=f2))


def test_partial_information_gives_the_nodes_that_are_certain(figure4):
    assert actions(figure4, box(f1=(0, 1), f2=(2, 2))) == {C}  # in (4) whatever f1 is; in (3) not for sure
    assert actions(figure4, box(f1=(3, 3))) == {A, B, C}  # f2 unknown: nothing but the root is sure
    assert actions(figure4, box(f1=(2, 2), f2=(1, 2))) == {B}


# ---------------------------------------------------------------------- figure 7

ONE_NOTRUMP, ONE_HEART = 7, 5
NOTRUMP = Triplet(ONE_NOTRUMP, box(balance=(0, 2), hcp=(15, 17)), 0, "notrump", 0)
HEART = Triplet(ONE_HEART, box(hcp=(11, 23), hearts=(5, 13)), 0, "heart", 1)


def opening_net():
    return DecisionNet.build([NOTRUMP, HEART], default=range(10))


def hands(**columns):
    given = {"balance": [1], "hcp": [16], "hearts": [5], "heart_points": [3], "controls": [4]}
    return Table(**{**given, **columns})


def test_figure_7_refinement():
    net = opening_net()
    conflict = hands()
    assert set(net.choices(conflict).candidates(0)) == {ONE_NOTRUMP, ONE_HEART}  # (a) two conflicting rules

    nodes, where = net.locate(conflict)
    both = net.intersect([node for node, stands in zip(nodes, where[0], strict=True) if stands])  # (b)
    assert both.box == NOTRUMP.box & HEART.box
    assert set(net.choices(conflict).candidates(0)) == {ONE_NOTRUMP, ONE_HEART}
    nodes, where = net.locate(conflict)
    assert [node for node, stands in zip(nodes, where[0], strict=True) if stands] == [
        both
    ]  # (c) examples go here

    inf = float("inf")
    tree = Node(
        children=[
            Node(box(heart_points=(-inf, 4)), [Proposal(ONE_NOTRUMP, "learned")]),
            Node(
                box(heart_points=(5, inf)),
                children=[
                    Node(box(controls=(3, inf)), [Proposal(ONE_NOTRUMP, "learned")]),
                    Node(box(controls=(-inf, 2)), [Proposal(ONE_HEART, "learned")]),
                ],
            ),
        ]
    )
    net.attach(both, tree)  # (d)
    batch = hands(
        balance=[1, 1, 1, 1, 5],
        hcp=[16, 16, 16, 12, 16],
        hearts=[5, 5, 5, 5, 5],
        heart_points=[3, 6, 6, 6, 6],
        controls=[1, 4, 1, 1, 4],
    )
    found = [set(net.choices(batch).candidates(row)) for row in range(5)]
    assert found == [{ONE_NOTRUMP}, {ONE_NOTRUMP}, {ONE_HEART}, {ONE_HEART}, {ONE_HEART}]
    assert net.refined
    assert net.choices(batch).sources(2, ONE_HEART) == ("learned",)
    for row in range(5):
        state = point(**{name: int(values[row]) for name, values in batch.columns.items()})
        assert actions(net, state) == found[row]


def test_a_tree_on_an_else_link_never_competes_with_children():
    net = opening_net()
    general = net.root.children[1]
    special = net.intersect([general, *[n for n in net.root.children if n is not general]])
    net.attach(general, Node(children=[Node(box(hcp=(11, 23)), [Proposal(9)])]))
    net.set_actions(special, [ONE_NOTRUMP])
    assert net.choices(hands()).candidates(0) == (ONE_NOTRUMP,)
    assert net.choices(hands(hcp=[12])).candidates(0) == (9,)


def test_a_tree_that_says_nothing_leaves_the_node_its_actions():
    net = opening_net()
    net.attach(net.root.children[1], Node(children=[Node(box(controls=(8, 12)), [Proposal(9)])]))
    assert net.choices(hands(hcp=[12])).candidates(0) == (ONE_HEART,)
    assert net.choices(hands(hcp=[12], controls=[9])).candidates(0) == (9,)


# ---------------------------------------------------------------------- figure 19: the skeleton


def test_figure_19_chain_of_priorities():
    triplets = [Triplet(k, box(f=(k, k)), priority) for k, priority in enumerate((100, 150, 85, 120))]
    net = DecisionNet.build(triplets, default=[8, 9])
    chain = [net.root]
    while chain[-1].elses:
        chain.append(chain[-1].elses[0])
    assert [node.priority for node in chain] == [150, 120, 100, 85]
    assert [len(node.children) for node in chain] == [1, 1, 1, 1]
    assert [node.actions for node in chain] == [(), (), (), (8, 9)]
    assert actions(net, point(f=7)) == {8, 9}


def test_a_higher_priority_settles_it():
    net = DecisionNet.build([Triplet(A, box(f=(0, 9)), 10), Triplet(B, box(f=(3, 5)), 20)], default=[C])
    choices = net.choices(Table(f=[0, 4, 12]))
    assert [choices.candidates(row) for row in range(3)] == [(A,), (B,), (C,)]


def test_an_unconditional_rule_beats_lower_priorities():
    net = DecisionNet.build(
        [Triplet(A, Box(), 20), Triplet(B, box(f=(3, 5)), 20), Triplet(C, box(f=(3, 5)), 10)], default=[D]
    )
    choices = net.choices(Table(f=[0, 4]))
    assert [choices.candidates(row) for row in range(2)] == [(A,), (B,)]


def test_a_net_without_rules_answers_with_the_defaults():
    net = DecisionNet.build([], default=[B, A])
    assert net.choices(Table(f=[0, 1])).candidates(1) == (B, A)
    assert [p.action for p in state_actions(net, Box())] == [B, A]


# ---------------------------------------------------------------------- figure 20: the insertion cases

WIDE = box(x=(0, 9))


def inserted(*triplets):
    """The children of the only skeleton node, and of the wide node below it."""
    net = DecisionNet.build([Triplet(A, WIDE, 0), *triplets], default=[E])
    (wide,) = net.root.children
    return net, wide


def boxes(nodes):
    return {node.box for node in nodes}


def test_case_1_goes_to_its_own_priority():
    net = DecisionNet.build([Triplet(A, WIDE, 1), Triplet(B, box(x=(2, 3)), 0)], default=[E])
    assert boxes(net.root.children) == {WIDE}
    assert boxes(net.root.elses[0].children) == {box(x=(2, 3))}


def test_case_2_equal_boxes_join_their_actions():
    _, wide = inserted(Triplet(B, WIDE, 0, "other"))
    assert wide.actions == (A, B)
    assert not wide.children


def test_case_3_a_new_child_beside_the_others():
    _, wide = inserted(Triplet(B, box(x=(0, 4)), 0), Triplet(C, box(x=(3, 6)), 0))
    assert boxes(wide.children) == {box(x=(0, 4)), box(x=(3, 6))}


def test_case_4_takes_over_the_children_that_it_contains():
    _, wide = inserted(
        Triplet(B, box(x=(4, 5)), 0), Triplet(C, box(x=(8, 9)), 0), Triplet(D, box(x=(3, 6)), 0)
    )
    assert boxes(wide.children) == {box(x=(3, 6)), box(x=(8, 9))}
    (middle,) = [node for node in wide.children if node.box == box(x=(3, 6))]
    assert boxes(middle.children) == {box(x=(4, 5))}


def test_case_5_goes_down_into_every_child_that_contains_it():
    _, wide = inserted(
        Triplet(B, box(x=(0, 5)), 0), Triplet(C, box(x=(3, 9)), 0), Triplet(D, box(x=(4, 4)), 0)
    )
    left, right = wide.children
    assert left.children == right.children and left.children[0].box == box(x=(4, 4))


def test_case_5_then_4_moves_a_shared_child_once():
    _, wide = inserted(
        Triplet(B, box(x=(0, 5)), 0),
        Triplet(C, box(x=(3, 9)), 0),
        Triplet(D, box(x=(4, 4)), 0),
        Triplet(E, box(x=(4, 5)), 0),
    )
    left, right = wide.children
    assert boxes(left.children) == boxes(right.children) == {box(x=(4, 5))}
    assert len(left.children[0].children) == 1


def test_the_order_of_the_rules_does_not_matter():
    rules = [
        Triplet(A, box(x=(0, 5)), 0),
        Triplet(B, box(y=(0, 5)), 0),
        Triplet(C, box(x=(1, 2), y=(1, 2)), 0),
    ]
    for order in itertools.permutations(rules):
        assert actions(DecisionNet.build(order), point(x=1, y=1)) == {C}


def test_case_6_not_contained_stays_outside():
    net = DecisionNet.build([Triplet(A, WIDE, 0), Triplet(B, box(x=(8, 12)), 0)], default=[E])
    assert boxes(net.root.children) == {WIDE, box(x=(8, 12))}


# ---------------------------------------------------------------------- negative rules


def test_a_forbidden_action_disappears_from_nodes_and_defaults():
    net = DecisionNet.build(
        [Triplet(A, box(x=(0, 5)), 2), Triplet(B, box(x=(0, 5)), 1)], default=[A, C], forbidden=[A]
    )
    choices = net.choices(Table(x=[3, 9]))
    assert [choices.candidates(row) for row in range(2)] == [(B,), (C,)]


def test_a_prohibition_may_hold_for_some_states_only():
    net = DecisionNet.build(
        [Triplet(A, box(x=(0, 5)), 2), Triplet(B, box(x=(0, 5)), 1)],
        default=[A, C],
        forbidden=[Prohibition(A, box(y=(1, 1)))],
    )
    table = Table(x=[3, 3, 9, 9], y=[0, 1, 0, 1])
    choices = net.choices(table)
    assert [choices.candidates(row) for row in range(4)] == [(A,), (B,), (A, C), (C,)]
    assert actions(net, point(x=3, y=1)) == {B}
    assert "never 0 with y 1" in str(net)


def test_everything_forbidden_leaves_nothing():
    choices = DecisionNet.build([], default=[A], forbidden=[A]).choices(Table(x=[1]))
    assert choices.candidates(0) == ()
    assert choices.preferred()[0] == -1


# ---------------------------------------------------------------------- choices


def test_preference_is_specificity_then_position():
    net = DecisionNet.build(
        [
            Triplet(A, box(x=(0, 5)), 0, "first", 0),
            Triplet(B, box(y=(0, 5)), 0, "second", 1),
            Triplet(C, box(x=(0, 6), z=(0, 5)), 0, "most specific", 2),
        ],
        default=[E],
    )
    choices = net.choices(Table(x=[1], y=[1], z=[1]))
    assert choices.candidates(0) == (C, A, B)
    assert choices.preferred()[0] == C
    assert [p.action for p in state_actions(net, point(x=1, y=1, z=1))] == [C, A, B]


def test_every_source_of_an_action_is_kept():
    net = DecisionNet.build(
        [
            Triplet(A, box(x=(0, 5)), 0, "one", 1),
            Triplet(A, box(y=(0, 5)), 0, "two", 2),
            Triplet(B, box(x=(0, 5)), 0, "three", 3),
        ]
    )
    choices = net.choices(Table(x=[1, 1, 9], y=[1, 9, 9]))
    assert choices.sources(0, A) == ("one", "two")
    assert choices.sources(1, A) == ("one",)
    assert choices.open().tolist() == [True, True, False]
    assert choices.allows(A).tolist() == [True, True, False]
    assert choices.allows(E).tolist() == [False, False, False]
    assert choices.table.tolist() == [[True, True], [True, True], [False, False]]


def test_the_same_action_from_two_sources_is_not_open():
    net = DecisionNet.build([Triplet(A, box(x=(0, 5)), 0), Triplet(A, box(y=(0, 5)), 0)])
    assert not net.choices(Table(x=[1], y=[1])).open()[0]


def test_float_features():
    net = DecisionNet.build([Triplet(A, box(quick=(1.5, 2.5)), 0)], default=[B])
    choices = net.choices(Table(quick=np.array([1.0, 1.5, 2.5, 3.0], dtype=np.float32)))
    assert choices.preferred().tolist() == [B, A, A, B]


def test_half_bounds_on_whole_numbers():
    net = DecisionNet.build([Triplet(A, box(x=(1.5, 2.5)), 0)], default=[B])
    assert net.choices(Table(x=[1, 2, 3])).preferred().tolist() == [B, A, B]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.float32])
@pytest.mark.parametrize(
    ("bounds", "fits"),
    [
        ((40_000, INF), False),
        ((65_536, 65_600), False),
        ((-INF, -40_000), False),
        ((-70_000, 40_000), True),
        ((1e300, INF), False),
        ((0, 1e300), True),
    ],
)
def test_bounds_beyond_the_size_of_the_numbers_keep_their_meaning(kind, bounds, fits):
    net = DecisionNet.build([Triplet(A, box(x=bounds), 0)], default=[B])
    assert net.choices(Table(x=np.array([16], dtype=kind))).preferred().tolist() == [A if fits else B]


# ---------------------------------------------------------------------- batched lookup = figure 5

INTERVALS = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda pair: (min(pair), max(pair)))
BOXES = st.dictionaries(st.sampled_from(["a", "b", "c"]), INTERVALS, max_size=3).map(Box)
TRIPLETS = st.lists(
    st.builds(Triplet, st.integers(0, 4), BOXES, st.integers(0, 2), st.none(), st.integers(0, 9)), max_size=14
)
FORBIDDEN = st.lists(st.builds(Prohibition, st.integers(0, 4), BOXES, st.none()), max_size=3)
STATES = list(itertools.product(range(4), repeat=3))
ALL_STATES = Table(**{name: [state[k] for state in STATES] for k, name in enumerate("abc")})


def literal(net):
    return [actions(net, point(a=a, b=b, c=c)) for a, b, c in STATES]


def batched(net):
    choices = net.choices(ALL_STATES)
    return [set(choices.candidates(row)) for row in range(len(STATES))]


@given(TRIPLETS, FORBIDDEN)
def test_batched_lookup_is_state_actions(triplets, forbidden):
    net = DecisionNet.build(triplets, default=[7, 8], forbidden=forbidden)
    assert batched(net) == literal(net)


@given(TRIPLETS)
def test_a_built_net_means_highest_priority_then_most_specific(triplets):
    """The same by first principles, without a net."""

    def expected(state):
        matching = [t for t in triplets if state <= t.box]
        top = [t for t in matching if t.priority == max(m.priority for m in matching)]
        best = {t.action for t in top if not any(other.box < t.box for other in top)}
        return best or {7}

    net = DecisionNet.build(triplets, default=[7])
    assert literal(net) == [expected(point(a=a, b=b, c=c)) for a, b, c in STATES]


@given(TRIPLETS, st.data())
def test_refined_nets_too(triplets, data):
    net = DecisionNet.build(triplets, default=[7])
    for _ in range(data.draw(st.integers(1, 3))):
        nodes = [node for node in net.root.walk() if node.proposals]
        node = data.draw(st.sampled_from(nodes))
        split = data.draw(st.sampled_from(["a", "b", "c"]))
        cut = data.draw(st.integers(0, 3))
        low = Node(Box({split: (0, cut)}), [Proposal(10)])
        high = Node(Box({split: (cut + 1, 3)}), [Proposal(11)] if data.draw(st.booleans()) else [])
        net.attach(node, Node(children=[low, high]))
    rows, where = net.locate(ALL_STATES)
    clash = data.draw(st.integers(0, len(STATES) - 1))
    several = [node for node, stands in zip(rows, where[clash], strict=True) if stands]
    before = literal(net)
    if len(several) > 1:
        net.intersect(several)
        assert literal(net)[clash] == before[clash]
    assert batched(net) == literal(net)


@given(TRIPLETS, FORBIDDEN)
def test_a_net_survives_being_written_down(triplets, forbidden):
    net = DecisionNet.build(triplets, default=[7, 8], forbidden=forbidden)
    data = json.loads(json.dumps(net.to_dict()))
    again = DecisionNet.from_dict(data)
    assert str(again) == str(net)
    assert batched(again) == batched(net)
    assert again.to_dict() == net.to_dict()


def test_large_batches_are_answered_in_chunks():
    net = DecisionNet.build([Triplet(A, box(x=(0, 3)), 1), Triplet(B, box(x=(2, 6)), 0)], default=[C])
    x = np.random.default_rng(5).integers(0, 10, 10_000)
    assert (net.choices(Table(x=x)).preferred() == np.where(x <= 3, A, np.where(x <= 6, B, C))).all()


def test_a_matrix_of_columns_is_used_when_offered():
    class Matrix(Table):
        def column(self, feature):
            raise AssertionError("the matrix should have been asked")

        def matrix(self, features):
            return np.stack([self.columns[f] for f in features], axis=1)

    net = DecisionNet.build([Triplet(A, box(x=(0, 3), y=(1, 1)), 1)], default=[C])
    assert net.choices(Matrix(x=[1, 1], y=[0, 1])).preferred().tolist() == [C, A]


def test_a_net_prints_as_rules():
    net = DecisionNet.build(
        [
            Triplet(A, box(hcp=(12, 19)), 10, "rule 1"),
            Triplet(B, box(hcp=(15, 17), balanced=(1, 1)), 10, "rule 2"),
            Triplet(C, box(hcp=(20, 37)), 20, "rule 3"),
        ],
        default=[D],
    )
    assert str(net).splitlines() == [
        "priority 20",
        "  hcp 20-37 -> 2 [rule 3]",
        "priority 10",
        "  hcp 12-19 -> 0 [rule 1]",
        "    hcp 15-17, balanced 1 -> 1 [rule 2]",
        "default -> 3",
    ]


def test_each_row_has_choices_of_its_own_and_shares_them_with_rows_alike():
    net = DecisionNet.build([Triplet(A, box(x=(0, 5)), 0), Triplet(B, box(y=(0, 5)), 0)], default=[C])
    choices = net.choices(Table(x=[1, 9, 2, 9], y=[9, 9, 8, 1]))
    each = choices.each()
    assert [one.candidates(0) for one in each] == [choices.candidates(row) for row in range(4)]
    assert each[0] is each[2] and len({id(one) for one in each}) == 3
    assert each[0].each() == [each[0]]
