"""Nets as pictures."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from pidm.core.box import Box
from pidm.core.drawing import dot, draw, lay_out, svg
from pidm.core.net import DecisionNet, Triplet
from pidm.errors import PidmError


@pytest.fixture
def net() -> DecisionNet:
    """Two priorities; the stronger hand is a special case of the weaker."""
    return DecisionNet.build(
        [
            Triplet(1, Box({"hcp": (12, 37)}), 10, 'an "opening" <1>'),
            Triplet(2, Box({"hcp": (15, 17), "balance": (0, 2)}), 10),
            Triplet(3, Box({"spades": (8, 13)}), 20),
        ],
        default=[0, *range(4, 20)],
    )


def test_no_two_nodes_overlap(net: DecisionNet) -> None:
    layout = lay_out(net)
    tops = sorted((one.y, one.y + one.height) for one in layout.placed)
    assert all(bottom < top for (_, bottom), (top, _) in itertools.pairwise(tops))
    assert len(layout.placed) == len(list(net.root.walk()))
    assert layout.height > tops[-1][1]


def test_links_are_those_of_the_net(net: DecisionNet) -> None:
    layout = lay_out(net)
    nodes = list(net.root.walk())
    assert len(layout.links) == sum(len(node.children) + len(node.elses) for node in nodes)
    assert sum(is_else for *_, is_else in layout.links) == sum(len(node.elses) for node in nodes)


def test_svg_is_well_formed_and_says_what_the_net_says(net: DecisionNet) -> None:
    root = ElementTree.fromstring(svg(net, lambda action: f"call {action}"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert '-> call 1 [an "opening" <1>]' in texts
    assert any("hcp 15-17" in text for text in texts if text)
    assert "-> and 11 more" in texts


def test_dot_quotes_what_it_must(net: DecisionNet) -> None:
    text = dot(net)
    assert text.startswith("digraph net {")
    assert 'an \\"opening\\" <1>' in text
    assert text.count(" -> n") == len(lay_out(net).links)


@pytest.mark.parametrize(
    ("name", "start"), [("net.svg", b"<svg"), ("net.dot", b"digraph"), ("net.PNG", b"\x89PNG")]
)
def test_the_ending_decides(net: DecisionNet, tmp_path: Path, name: str, start: bytes) -> None:
    draw(net, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_other_endings_are_refused(net: DecisionNet, tmp_path: Path) -> None:
    with pytest.raises(PidmError, match=r"expected a name that ends in .svg, .png or .dot"):
        draw(net, tmp_path / "net.jpg")
