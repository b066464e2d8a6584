"""What training adds to a system: nets that choose between calls that judgement leaves open."""

import json
import warnings
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from little_club import RULES, club
from patience import patience

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import random_deals
from pidm.core.box import INF, Box
from pidm.core.choices import Proposal
from pidm.core.induction import Learned
from pidm.core.limit import Limit
from pidm.core.net import Node
from pidm.errors import PidmError
from pidm.features import Feature, HandColumns, catalogue
from pidm.language.meaning import HCP
from pidm.language.system import System
from pidm.play.bidder import Bidder
from pidm.reading.bridge_game import Bridge
from pidm.reading.judgement import Judgement, judged
from pidm.reading.learned_features import NEAR, OWN, WE, Open, inducible, key_of, key_text
from pidm.reading.refinement import Refinement, RefinementError, fingerprints, fresh_net
from pidm.reading.refinement_files import (
    Refinements,
    RefinementWarning,
    as_yaml,
    file_key,
    file_name,
    read_refinement,
    write_lines,
    write_refinement,
)
from pidm.reading.refinement_words import page, say
from pidm.reading.table import Table
from systems import write_system

P, TWO, THREE = (Call.from_str(text) for text in ("P", "2N", "3N"))
AFTER_1N = Auction.from_str("1N P")
KEY = AFTER_1N.calls
SEVEN, SEVEN_CONTROLS = "QJ32.Q32.Q32.432", "A532.K32.532.432"
"""Seven points: a pass, but a point more would be 2N. The second has three controls."""
TEN = "K532.K32.A32.432"


def key(text):
    return tuple(Call.from_str(call) for call in text.split())


@pytest.fixture
def system(tmp_path):
    return System.load(club(tmp_path))


def taught(system):
    """A pass with 2N near: 2N with three controls, otherwise pass; all near a better contract bid it."""
    net = fresh_net([P, TWO, THREE])

    def both(own, near):
        boxes = Box({Open(own): (2, 2)}), Box({Open(near): (1, 1)})
        return net.intersect([node for node in net.root.children if node.box in boxes])

    controls = Feature.parse("controls")
    tree = Node(
        children=[Node(Box({controls: (3, INF)}), [Proposal(TWO, Learned(12, 11, 0.1))])],
        elses=[Node(proposals=[Proposal(P, Learned(18, 16, 0.2))])],
    )
    net.attach(both(P, TWO), tree)
    net.set_actions(both(TWO, P), [Proposal(TWO, Learned(4, 4))])
    net.set_actions(both(TWO, THREE), [Proposal(THREE, Learned(9, 9))])
    net.set_actions(both(THREE, TWO), [Proposal(THREE, Learned(5, 5))])
    return Refinement(KEY, net, 1.0, fingerprints(Table.of(system), KEY, Seat.S), 39, {"system": "little"})


def columns(*hands):
    return HandColumns(np.array([Hand.from_str(hand).masks for hand in hands], dtype=np.uint16))


def calls(choices, row=0):
    return [str(Call(call)) for call in choices.candidates(row)]


# ---------------------------------------------------------------------- choices


def test_judgement_without_learning_leaves_both_open(system):
    wide = judged(Table.of(system).situation(AFTER_1N), columns(SEVEN, TEN), 1.0)
    assert calls(wide, 0) == ["P", "2N"] and calls(wide, 1) == ["3N", "2N"]


def test_learning_settles_what_judgement_leaves_open(system):
    table = Table((system,) * 4, refinements=[Refinements({KEY: taught(system)})] * 4)
    choices = Judgement(table, AFTER_1N).choices(AFTER_1N, columns(SEVEN, SEVEN_CONTROLS, TEN))
    assert [calls(choices, row) for row in range(3)] == [["P"], ["2N"], ["3N"]]
    assert isinstance(choices.sources(1, TWO)[0], Learned)
    assert choices.refined


def test_the_model_of_a_player_who_has_learned_answers_with_what_was_learned(system):
    table = Table((system,) * 4, refinements=[None, None, Refinements({KEY: taught(system)}), None])
    assert calls(table.choices(AFTER_1N, columns(SEVEN_CONTROLS))) == ["2N"], "a point below the rule"
    assert calls(table.choices(AFTER_1N, columns("432.432.5432.432"))) == ["P"], "far from any edge"
    west = Auction(Seat.E, Vul.None_, AFTER_1N.calls)
    assert calls(table.choices(west, columns(SEVEN_CONTROLS))) == ["P"], "the opponents have not learned"


OWN_PASS, NEAR_TWO = Box({Open(P): (OWN, OWN)}), Box({Open(TWO): (NEAR, NEAR)})


def test_of_a_choice_left_open_the_better_call_is_made_without_search(system):
    net = fresh_net([P, TWO])
    by_rule, near = (next(n for n in net.root.children if n.box == box) for box in (OWN_PASS, NEAR_TWO))
    node = net.intersect([by_rule, near])
    net.set_actions(node, [Proposal(TWO, Learned(4, 3, 0.4)), Proposal(P, Learned(4, 1, 0.9))])
    situation, hands = Table.of(system).situation(AFTER_1N), columns(SEVEN)
    learned = Refinement(KEY, net)
    assert calls(learned.settled(situation, hands)) == ["2N"]
    assert calls(learned.narrowed(situation, hands, judged(situation, hands, 1.0))) == ["2N", "P"]


def test_only_open_calls_are_ever_proposed(system):
    rng = np.random.default_rng(1)
    hands = HandColumns(random_deals(2000, rng)[:, 0])
    situation = Table.of(system).situation(AFTER_1N)
    wide = judged(situation, hands, 1.0)
    narrow = taught(system).narrowed(situation, hands, wide)
    for row in range(len(hands)):
        assert set(narrow.candidates(row)) <= set(wide.candidates(row)) and narrow.candidates(row)
    assert narrow.open().sum() == 0 < wide.open().sum()


def test_a_call_that_the_net_does_not_know_stays_open(system):
    net = fresh_net([P])
    unknowing = Refinement(KEY, net)
    situation = Table.of(system).situation(AFTER_1N)
    hands = columns(SEVEN)
    narrow = unknowing.narrowed(situation, hands, judged(situation, hands, 1.0))
    assert set(calls(narrow)) == {"P", "2N"}


def test_worlds_are_drawn_as_wide_as_learning_has_made_the_call(system):
    plain, learned = (
        Table((system,) * 4),
        Table((system,) * 4, refinements=[Refinements({KEY: taught(system)})] * 4),
    )
    after = AFTER_1N.after(TWO)
    assert Bridge(plain).covering(after, Seat.S)[HCP] == (8, 9)
    assert Bridge(learned).covering(after, Seat.S)[HCP] == (7, 10)
    assert Bridge(learned).covering(after, Seat.N)[HCP] == (15, 17), "the opening was not learned"


# ---------------------------------------------------------------------- auctions and files


@pytest.mark.parametrize(
    "auction, same",
    [("1N P", "1N P"), ("P 1N P", "1N P"), ("P P P 1N P", "1N P"), ("P P P", "P P P"), ("", "")],
)
def test_auctions_are_told_apart_from_the_opening_bid(auction, same):
    assert key_text(key_of(key(auction))) == same


def test_files_are_named_by_their_auction(tmp_path):
    assert file_name(key("1S X XX P")) == "1S-X-XX-P.yaml"
    assert file_key(tmp_path / "1S-X-XX-P.yaml") == key("1S X XX P")
    with pytest.raises(RefinementError, match="is its auction"):
        file_key(tmp_path / "notes.yaml")


def test_a_refinement_survives_its_file(system, tmp_path):
    made = taught(system)
    write_refinement(tmp_path, made)
    read = read_refinement(tmp_path / "1N-P.yaml")
    assert (read.key, read.margin, read.fingerprints, read.examples) == (KEY, 1.0, made.fingerprints, 39)
    assert str(read.net) == str(made.net) and say(read) == say(made)
    situation = Table.of(system).situation(AFTER_1N)
    hands = columns(SEVEN, SEVEN_CONTROLS, TEN)
    wide = judged(situation, hands, 1.0)
    assert [read.narrowed(situation, hands, wide).candidates(row) for row in range(3)] == [
        made.narrowed(situation, hands, wide).candidates(row) for row in range(3)
    ]
    assert (tmp_path / "1N-P.yaml").read_text() == as_yaml(made) == as_yaml(read)


def test_one_data_file_holds_many_auctions(system, tmp_path):
    path = tmp_path / "learned.jsonl"
    made = taught(system)
    other = replace(made, key=key("1N P 2N P"))
    write_lines(path, [other, made])
    assert [json.loads(line)["auction"] for line in path.read_text().splitlines()] == ["1N P", "1N P 2N P"]
    read = list(Refinements.load(path))
    assert [one.key for one in read] == [made.key, other.key] and say(read[0]) == say(made)
    assert str(read[0].net) == str(made.net) and read[0].fingerprints == made.fingerprints
    assert Refinements.load(path, partner=True) is None


@pytest.mark.parametrize("line", ["", "[", "[]", '{"refinement": 1}', '{"auction": "1N PP"}'])
def test_a_damaged_line_is_told(tmp_path, line):
    path = tmp_path / "learned.jsonl"
    path.write_text(f"{line}\n")
    with pytest.raises(RefinementError, match="learned.jsonl:1"):
        Refinements.load(path)


def test_a_page_to_read(system):
    text = page("little", [taught(system)])
    assert text.startswith("# What training has added to little\n\n1 auctions, 4 choices, 39 examples.")
    assert "## 1N\n\n### 1N P\n\n39 examples.\n\n```\nP, or 2N:\n  3+ controls: 2N" in text


def test_a_refinement_that_says_nothing_survives_its_file(tmp_path):
    write_refinement(tmp_path, Refinement(KEY, fresh_net([P, TWO])))
    assert say(read_refinement(tmp_path / "1N-P.yaml")) == []


@pytest.mark.parametrize("text", ["", "[", "refinement: 99", "refinement: 1\nauction: 1N P", "- 1"])
def test_damaged_files_are_told(tmp_path, text):
    (tmp_path / "1N-P.yaml").write_text(text)
    with pytest.raises(RefinementError, match="1N-P.yaml"):
        read_refinement(tmp_path / "1N-P.yaml")


def test_the_shipped_refinement_fits_the_shipped_rules():
    """Auctions whose rules have changed are skipped, and told in one line; learning anew is nobody's duty."""
    found = Refinements.load("two_over_one")
    assert found and all(one.about["system"] == "two_over_one" and say(one) for one in found)
    table = Table((System.load("two_over_one"),) * 4)
    stale = [key_text(one.key) for one in found if one.is_stale(table)]
    if stale:
        warnings.warn(
            f"{len(stale)} of {len(found)} learned auctions are not used: their rules have changed "
            f"({', '.join(stale[:3])}, ...); `pidm refinements two_over_one --check` lists them",
            RefinementWarning,
            stacklevel=1,
        )
    assert len(stale) < len(found), "nothing that was learned is used any more: ship it no longer"


def test_words_of_a_player(system):
    assert say(taught(system)) == [
        "P, or 2N:",
        "  3+ controls: 2N (11 of 12 examples)",
        "  otherwise P (16 of 18 examples)",
        "2N, or P: 2N (4 of 4 examples)",
        "2N, or 3N: 3N (9 of 9 examples)",
        "3N, or 2N: 3N (5 of 5 examples)",
    ]


def test_what_changes_calls_bids_the_same_without_search(system):
    made = taught(system)
    trimmed = made.trimmed()
    assert say(trimmed) == [
        "P, or 2N:",
        "  3+ controls: 2N (11 of 12 examples)",
        "  otherwise P (16 of 18 examples)",
        "2N, or 3N: 3N (9 of 9 examples)",
    ]
    assert trimmed.examples == 39 and trimmed.fingerprints == made.fingerprints
    situation = Table.of(system).situation(AFTER_1N)
    hands = HandColumns(random_deals(3000, np.random.default_rng(2))[:, 0])
    calls_of = [one.settled(situation, hands).preferred() for one in (made, trimmed)]
    assert np.array_equal(*calls_of)
    assert (calls_of[0] != situation.choices(hands).preferred()).any(), "something has changed"


def test_vulnerability_and_open_choices_in_words():
    net = fresh_net([P, TWO])
    node = net.intersect([net.root.children[0], net.root.children[3]])
    both = [Proposal(P, Learned(5, 3, 0.9)), Proposal(TWO, Learned(5, 2, 1.1))]
    tree = Node(
        children=[Node(Box({WE: (1, INF)}), [Proposal(TWO, Learned(6, 6))])], elses=[Node(proposals=both)]
    )
    net.attach(node, tree)
    assert say(Refinement(KEY, net)) == [
        "P, or 2N:",
        "  we are vulnerable: 2N (6 of 6 examples)",
        "  otherwise P rather than 2N, left open (5 examples)",
    ]


def test_trees_may_test_every_feature():
    assert set(inducible()) >= {str(feature) for feature in catalogue()}
    assert Open(TWO) == "open(2N)"


# ---------------------------------------------------------------------- with the bidder


@pytest.fixture
def folder(system, tmp_path):
    nets = tmp_path / "learned"
    nets.mkdir()
    write_refinement(nets, taught(system))
    return nets


@pytest.mark.parametrize("limit", [None, Limit(instances=100)])
def test_the_bidder_uses_what_was_learned(system, folder, limit):
    bidder = Bidder(system, limit=limit, refinements=folder)
    decision = bidder.bid(SEVEN_CONTROLS, "1N P")
    assert (str(decision.call), decision.by) == ("2N", "refinement")
    assert "12 examples" in decision.why and decision.instances == 0
    assert bidder.bid(SEVEN, "P 1N P", dealer="E").call == P
    assert bidder.bid("432.432.5432.432", "1N P").by == "rule"


def test_without_refinements_the_same_hand_is_simulated(system):
    assert Bidder(system, limit=Limit(instances=100)).bid(SEVEN_CONTROLS, "1N P").by == "simulation"


def test_rules_that_changed_are_not_refined(folder, tmp_path):
    changed = tmp_path / "changed"
    changed.mkdir()
    other = System.load(write_system(changed, RULES.replace("2N: 8-9 hcp", "2N: 8-9 hcp, 2+ S")))
    bidder = Bidder(other, limit=None, refinements=folder)
    with pytest.warns(RefinementWarning, match="1N P is not used") as told:
        assert bidder.bid(SEVEN_CONTROLS, "1N P").by == "rule"
        assert bidder.bid(SEVEN_CONTROLS, "P 1N P", dealer="E").by == "rule"
    assert len(told) == 1, "one line, however often it comes up"
    elsewhere = System.load(write_system(changed, RULES.replace("1C: 12-21 hcp", "1C: 13-21 hcp")))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Bidder(elsewhere, limit=None, refinements=folder).bid(SEVEN_CONTROLS, "1N P").call == TWO


def test_refinements_that_come_with_the_package_go_by_name(system, tmp_path, monkeypatch):
    (tmp_path / "refinements").mkdir()
    write_lines(tmp_path / "refinements" / "little.jsonl", [taught(system)])
    monkeypatch.setattr("pidm.reading.refinement_files.shipped", lambda: tmp_path)
    assert [one.key for one in Refinements.load("little")] == [KEY]


def test_a_directory_without_refinements_is_told(tmp_path):
    with pytest.raises(RefinementError, match="no refinements"):
        Refinements.load(tmp_path / "nowhere")
    with pytest.raises(RefinementError, match="expected files such as"):
        Refinements.load(tmp_path)


# ---------------------------------------------------------------------- files that mean no good

LETTERS = "abcdefghijklmnopqrstuvwx"
BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in pairwise(LETTERS))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"refinement: 1\nauction: \xff\n", "1N-P.yaml:2:10: not a refinement: the byte 0xff is not UTF-8"),
        (BOMB.encode(), "1N-P.yaml:1:4: not a refinement: `&a` is a YAML anchor"),
        (b"2001-01-01", "expected a mapping, found '2001-01-01'"),
        (b"[" * 5000, "nested deeper|did not find"),
        (b"", "expected a mapping, found nothing"),
        (b"refinement: 1\nrefinement: 1\n", "stands here twice"),
    ],
    ids=["not UTF-8", "aliases", "a date", "brackets", "empty", "twice"],
)
def test_a_hostile_file_is_told_with_its_place(tmp_path, data, problem):
    path = tmp_path / "1N-P.yaml"
    path.write_bytes(data)
    with patience(), pytest.raises(RefinementError, match=problem):
        read_refinement(path)


def shared(rows):
    """Nodes of which each has the next one below it twice."""
    return [{"children": [row + 1], "else": [row + 1]} for row in range(rows - 1)] + [{"propose": []}]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"auction": ["1N", "P"]}, "auction: expected a text, found a list"),
        ({"auction": None}, "auction: expected a text, found nothing|'null' is no call"),
        ({"margin": "2001-01-01"}, "margin: expected a number"),
        ({"margin": float("nan")}, "margin: expected a number"),
        ({"examples": -1}, "examples: expected how many"),
        ({"rules": {"a": 1}}, "rules: expected a list, found a mapping"),
        ({"rules": [["a"]]}, r"rules\[0\]: expected a text, found a list"),
        ({"net": []}, "net: expected a mapping, found a list"),
        ({"net": {"nodes": []}}, "net.nodes: 0 nodes"),
        (
            {"net": {"nodes": [{"children": [1]}]}},
            r"\[0\].children: expected numbers of nodes, 0 to 0",
        ),
        ({"net": {"nodes": [{"children": [1]}, {"else": [0]}]}}, "lead to themselves, expected no circle"),
        ({"net": {"nodes": [{"children": [0]}]}}, "lead to themselves, expected no circle"),
        ({"net": {"nodes": shared(200)}}, "rows and .* ways down; expected 60 and 10,000 at most"),
        ({"net": {"nodes": shared(40)}}, "ways down"),
        ({"net": {"nodes": [{"box": {"hcp": [1]}}]}}, r"net.nodes\[0\].box.hcp: expected two bounds"),
        ({"net": {"nodes": [{"box": {"hcp": [1, 1e300]}}]}}, "box.hcp: expected a number up to"),
        ({"net": {"nodes": [{"box": {"points_of_joy": [1, 2]}}]}}, "no feature 'points_of_joy'"),
        ({"net": {"nodes": [{"box": {"9999*hcp": [1, 2]}}]}}, "a sum of features reaches"),
        ({"net": {"nodes": [{"box": {"open(8N)": [1, 2]}}]}}, "'8N' is no call"),
        ({"net": {"nodes": [{"propose": [{"action": []}]}]}}, "action: expected a call, found a list"),
        ({"net": {"nodes": [{"propose": [{"action": 99}]}]}}, "expected a call, found|'99' is no call"),
        ({"net": {"nodes": [{"propose": [{"action": "P", "source": [1]}]}]}}, "source: expected examples"),
        ({"net": {"nodes": [{"propose": [{"action": "P", "position": "x"}]}]}}, "position: expected a whole"),
        ({"net": {"nodes": [{}], "forbid": [{"action": "P"}]}}, "box: expected a mapping, found nothing"),
        ({"net": {"nodes": [{}], "refined": "yes"}}, "net.refined: expected true or false"),
    ],
    ids=str,
)
@pytest.mark.parametrize("form", ["yaml", "jsonl"])
def test_data_that_no_net_can_be_made_of(system, tmp_path, form, change, problem):
    data = {**taught(system).to_dict(), **change}
    path = tmp_path / f"1N-P.{form}"
    path.write_text(json.dumps(data))  # which is YAML, too
    with patience(), pytest.raises(RefinementError, match=problem) as caught:
        read_refinement(path) if form == "yaml" else list(Refinements.load(path))
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    "line", [b"\xff", b"[" * 100_000, b"9" * 5000, b"2", b'{"auction": 1}'], ids=range(5)
)
def test_lines_that_are_no_data(tmp_path, line):
    path = tmp_path / "learned.jsonl"
    path.write_bytes(line)
    with pytest.raises(RefinementError, match="learned.jsonl:1: not a refinement"):
        Refinements.load(path)


@pytest.mark.parametrize("name", ["auction", "margin", "examples", "rules", "net", "refinement"])
def test_what_must_be_there(system, name):
    data = taught(system).to_dict()
    del data[name]
    with pytest.raises(PidmError, match=f"{name}: expected|no refinement of format"):
        Refinement.from_dict(data)


def test_a_name_that_no_file_can_have(tmp_path):
    with pytest.raises(RefinementError, match="no refinements: xxx"):
        Refinements.load("x" * 300)
