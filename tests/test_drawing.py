"""Pictures of nets: every node is there, every link is there, nothing overlaps."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from pidm.core.box import Box
from pidm.core.drawing import dot, lay_out, save, svg
from pidm.core.net import DecisionNet, Node, Proposal, Triplet
from pidm.errors import PidmError

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def net():
    """Two priorities, a node with two parents, a learned tree."""
    net = DecisionNet.build(
        [
            Triplet(7, Box({"balance": (0, 2), "hcp": (15, 17)}), 10, "notrump <&>"),
            Triplet(5, Box({"hcp": (11, 23), "hearts": (5, 13)}), 10, "heart"),
            Triplet(4, Box({"hcp": (11, 21)}), 5, "minor"),
        ],
        default=range(12),
    )
    both = net.intersect(net.root.children)
    net.attach(both, Node(children=[Node(Box({"controls": (3, 12)}), [Proposal(7, "learned")])]))
    return net


def test_every_node_once_and_every_link(net):
    picture = lay_out(net)
    nodes = list(net.root.walk())
    assert {id(frame.node) for frame in picture.frames} == {id(node) for node in nodes}
    assert len(picture.frames) == len(nodes)
    assert len(picture.links) == sum(len(node.children) + len(node.elses) for node in nodes)
    assert sum(other for _, _, other in picture.links) == 2  # to the second priority and to the learned tree


def test_frames_do_not_overlap(net):
    frames = lay_out(net).frames
    for k, a in enumerate(frames):
        for b in frames[:k]:
            apart_x = a.x + a.width <= b.x or b.x + b.width <= a.x
            apart_y = a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart_x or apart_y, (a, b)


def test_svg_is_well_formed_and_tells_the_rules(net):
    root = ElementTree.fromstring(svg(net))
    texts = [text.text for text in root.iter(SVG + "text")]
    assert "hcp 15-17" in texts and "controls 3-12" in texts
    assert "priority 10" in texts and "else 0, 1, 2, 3, 4, 5, 6, 7 and 4 more" in texts
    assert "7: notrump <&>" in [title.text for title in root.iter(SVG + "title")]
    dashed = [path for path in root.iter(SVG + "path") if path.get("stroke-dasharray")]
    assert len(dashed) == 2


def test_dot_names_every_link(net):
    text = dot(net)
    assert len(re.findall("->", text)) == len(lay_out(net).links)
    assert text.count("[style=dashed]") == 2


@pytest.mark.parametrize(
    ("name", "start"), [("net.svg", b"<svg"), ("net.png", b"\x89PNG"), ("net.dot", b"digraph")]
)
def test_saving_by_the_ending_of_the_name(net, tmp_path, name, start):
    save(net, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_an_unknown_ending_is_told(net, tmp_path):
    with pytest.raises(PidmError, match=r"expected \.svg"):
        save(net, tmp_path / "net.bmp")


def test_a_net_without_rules_can_be_drawn():
    assert "priority 0" in svg(DecisionNet.build([], default=[1]))
