"""Decision nets as pictures: SVG without any help, PNG through matplotlib, dot for graphviz.

The skeleton of priorities runs down the left side; what hangs from each of its nodes stands to the right.
Regular links are drawn solid, else links dashed (figures 4, 7 and 19).
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pidm.core.box import EVERYTHING, Box
from pidm.core.net import DecisionNet, Node
from pidm.errors import PidmError

WRAP = 34
"""Characters in a line of a node."""
SHOWN = 6
"""Actions of a node that are written out; the default node has dozens."""
LINE, PAD, GAP, COLUMN = 14, 6, 12, 290
"""Pixels: height of a line of text, inside and between nodes, from one column to the next."""
WIDTH = 240


@dataclass(frozen=True, slots=True)
class Placed:
    """A node and where it is drawn."""

    node: Node
    lines: tuple[str, ...]
    x: float
    y: float

    @property
    def height(self) -> float:
        """In pixels."""
        return LINE * len(self.lines) + 2 * PAD


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing before it is drawn."""

    placed: tuple[Placed, ...]
    links: tuple[tuple[int, int, bool], ...]
    """(from, to, is it an else link?), as positions in `placed`."""
    width: float
    height: float


def lay_out(net: DecisionNet, action: Callable[[Any], str] = str) -> Layout:
    """Places the nodes of a net: one column for each step away from the skeleton, no two on one row."""
    placed: list[Placed] = []
    number: dict[int, int] = {}
    links: list[tuple[int, int, bool]] = []
    bottom = float(GAP)

    def put(node: Node, above: Box, depth: int) -> int:
        nonlocal bottom
        if id(node) in number:
            return number[id(node)]
        one = Placed(node, _words(node, above, action), GAP + COLUMN * depth, bottom)
        number[id(node)] = len(placed)
        placed.append(one)
        bottom += one.height + GAP
        mine = number[id(node)]
        for child in node.children:
            links.append((mine, put(child, node.box, depth + 1), False))
        for other in node.elses:
            if other.priority is None:
                links.append((mine, put(other, node.box, depth + 1), True))
        return mine

    node: Node | None = net.root
    before: int | None = None
    while node is not None:
        mine = put(node, EVERYTHING, 0)
        if before is not None:
            links.append((before, mine, True))
        before = mine
        node = next((other for other in node.elses if other.priority is not None), None)
    width = max(one.x for one in placed) + WIDTH + GAP
    return Layout(tuple(placed), tuple(links), width, bottom)


def _words(node: Node, above: Box, action: Callable[[Any], str]) -> tuple[str, ...]:
    """What is written in a node: what it adds to the node above, and its actions with their sources."""
    words: list[str] = []
    if node.priority is not None:
        words.append(f"priority {node.priority:g}")
    beyond = node.box.beyond(above)
    if beyond:
        words += textwrap.wrap(str(beyond), WRAP)
    for proposal in node.proposals[:SHOWN]:
        source = "" if proposal.source is None else f" [{proposal.source}]"
        words += textwrap.wrap(f"-> {action(proposal.action)}{source}", WRAP, subsequent_indent="   ")
    if len(node.proposals) > SHOWN:
        words.append(f"-> and {len(node.proposals) - SHOWN} more")
    return tuple(words) or ("anything",)


def svg(net: DecisionNet, action: Callable[[Any], str] = str) -> str:
    """The net as an SVG document."""
    layout = lay_out(net, action)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width:g}" height="{layout.height:g}" '
        f'font-family="monospace" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for start, end, is_else in layout.links:
        (x1, y1), (x2, y2) = _ends(layout.placed[start], layout.placed[end])
        dashes = ' stroke-dasharray="4 3"' if is_else else ""
        parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#666666"{dashes}/>')
    for one in layout.placed:
        parts.append(
            f'<rect x="{one.x:g}" y="{one.y:g}" width="{WIDTH}" height="{one.height:g}" rx="4" '
            f'fill="{_colour(one.node)}" stroke="#333333"/>'
        )
        for row, text in enumerate(one.lines):
            y = one.y + PAD + LINE * row + 11
            parts.append(
                f'<text x="{one.x + PAD:g}" y="{y:g}" xml:space="preserve">{html.escape(text)}</text>'
            )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _ends(start: Placed, end: Placed) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a link leaves one node and meets the other."""
    if start.x == end.x:
        x = start.x + 3 * PAD
        return (x, start.y + start.height), (x, end.y)
    return (start.x + WIDTH, start.y + start.height / 2), (end.x, end.y + end.height / 2)


def _colour(node: Node) -> str:
    return "#eeeeee" if node.priority is not None else "#ffffff" if node.proposals else "#fff7dd"


def dot(net: DecisionNet, action: Callable[[Any], str] = str) -> str:
    """The net in the language of graphviz."""
    layout = lay_out(net, action)
    lines = ["digraph net {", "  rankdir=LR;", '  node [shape=box, fontname="monospace", fontsize=10];']
    for k, one in enumerate(layout.placed):
        words = "".join(text.replace("\\", "\\\\").replace('"', '\\"') + "\\l" for text in one.lines)
        lines.append(f'  n{k} [label="{words}", style=filled, fillcolor="{_colour(one.node)}"];')
    lines += [
        f"  n{start} -> n{end}{' [style=dashed]' if is_else else ''};" for start, end, is_else in layout.links
    ]
    return "\n".join([*lines, "}"]) + "\n"


def png(net: DecisionNet, path: Path, action: Callable[[Any], str] = str) -> None:
    """Draws the net to a PNG file."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError as error:
        raise PidmError("PNG needs matplotlib: install pidm[plots], or draw an SVG") from error
    layout = lay_out(net, action)
    figure = Figure(figsize=(layout.width / 100, layout.height / 100), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, layout.width)
    axes.set_ylim(layout.height, 0)
    axes.axis("off")
    for start, end, is_else in layout.links:
        (x1, y1), (x2, y2) = _ends(layout.placed[start], layout.placed[end])
        axes.plot(
            [x1, x2], [y1, y2], color="#666666", linewidth=1, linestyle="--" if is_else else "-", zorder=1
        )
    for one in layout.placed:
        frame = Rectangle((one.x, one.y), WIDTH, one.height, facecolor=_colour(one.node), edgecolor="#333333")
        axes.add_patch(frame)
        for row, text in enumerate(one.lines):
            # Dollar signs would start formulas.
            words = text.replace("$", r"\$")
            axes.text(one.x + PAD, one.y + PAD + LINE * row + 11, words, family="monospace", fontsize=7.5)
    figure.savefig(path)


def draw(net: DecisionNet, path: Path, action: Callable[[Any], str] = str) -> None:
    """Draws the net to a file; its ending (svg, png or dot) decides how."""
    ending = path.suffix.lower()
    if ending == ".png":
        png(net, path, action)
    elif ending in (".svg", ".dot"):
        path.write_text((svg if ending == ".svg" else dot)(net, action), encoding="utf-8")
    else:
        raise PidmError(f"cannot draw {path.name}: expected a name that ends in .svg, .png or .dot")
