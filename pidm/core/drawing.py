"""Decision nets as pictures: SVG without any help, PNG or PDF through matplotlib, and text for Graphviz.

A net grows to the right: the skeleton of priorities runs down the left side, the nodes of a priority stand to
its right, more specific ones further out. Regular links are drawn solid, else links dashed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pidm.core.box import EVERYTHING, Box
from pidm.core.net import DecisionNet, Node
from pidm.errors import PidmError
from pidm.files import write_atomic

__all__ = ["dot", "save", "svg"]

LINE, CHARACTER, PAD, GAP, STEP = 16, 7.0, 8, 14, 60
"""Pixels: height of a line, width of a character, inside a frame, between frames, between columns."""


@dataclass(frozen=True)
class Frame:
    """A node in its place."""

    node: Node
    lines: tuple[str, ...]
    """What it proposes, then what it adds to the constraints above."""
    x: float
    y: float

    @property
    def width(self) -> float:
        """In pixels."""
        return max(map(len, self.lines)) * CHARACTER + 2 * PAD

    @property
    def height(self) -> float:
        """In pixels."""
        return len(self.lines) * LINE + 2 * PAD


@dataclass(frozen=True)
class Picture:
    """All frames, and the links between them: from, to, is it an else link?"""

    frames: tuple[Frame, ...]
    links: tuple[tuple[Frame, Frame, bool], ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels."""
        right = max(frame.x + frame.width for frame in self.frames)
        bottom = max(frame.y + frame.height for frame in self.frames)
        return right + PAD, bottom + PAD


def lay_out(net: DecisionNet) -> Picture:
    """Give every node a place; a node with several parents stands with the first and is linked from all."""
    placed: dict[int, Frame] = {}
    links: list[tuple[Node, Node, bool]] = []
    bottom = float(PAD)
    skeleton = [node for node in net.root.walk() if node.priority is not None]
    trunk = max((Frame(node, _lines(node, EVERYTHING), 0, 0).width for node in skeleton), default=0.0)

    def put(node: Node, above: Box, x: float) -> None:
        nonlocal bottom
        if id(node) in placed:
            return
        frame = Frame(node, _lines(node, above), x, bottom)
        placed[id(node)] = frame
        right = x + (frame.width if node.priority is None else trunk) + STEP
        top = bottom
        for child, other in _linked(node):
            links.append((node, child, other))
            # The next priority goes below, everything else to the right.
            put(child, node.box, x if other and child.priority is not None else right)
        bottom = max(bottom, top + frame.height + GAP)

    put(net.root, EVERYTHING, PAD)
    return Picture(
        tuple(placed.values()), tuple((placed[id(a)], placed[id(b)], kind) for a, b, kind in links)
    )


def svg(net: DecisionNet) -> str:
    """The net as an SVG image; pointing at a node tells who proposes its actions."""
    picture = lay_out(net)
    width, height = picture.size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="monospace" font-size="12">',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
    ]
    for start, end, other in picture.links:
        (x0, y0), (x1, y1) = _ends(start, end)
        dashes = ' stroke-dasharray="5 3"' if other else ""
        if x0 == x1:
            path = f"M{x0:g} {y0:g}V{y1:g}"
        else:
            middle = x1 - STEP / 3
            path = f"M{x0:g} {y0:g}H{middle:g}V{y1:g}H{x1:g}"
        parts.append(f'<path d="{path}" fill="none" stroke="#777"{dashes}/>')
    for frame in picture.frames:
        fill = "#eef3fb" if frame.node.proposals else "#f6f6f6"
        parts.append("<g>")
        sources = [f"{p.action}: {p.source}" for p in frame.node.proposals if p.source is not None]
        if sources:
            parts.append(f"<title>{escape(chr(10).join(sources))}</title>")
        parts.append(
            f'<rect x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" height="{frame.height:g}" rx="4" '
            f'fill="{fill}" stroke="#555"/>'
        )
        for number, line in enumerate(frame.lines):
            weight = ' font-weight="bold"' if number == 0 else ""
            y = frame.y + PAD + LINE * (number + 0.75)
            parts.append(f'<text x="{frame.x + PAD:g}" y="{y:g}"{weight}>{escape(line)}</text>')
        parts.append("</g>")
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def dot(net: DecisionNet) -> str:
    """The net in the language of Graphviz."""
    picture = lay_out(net)
    number = {id(frame.node): k for k, frame in enumerate(picture.frames)}
    lines = ["digraph net {", "  rankdir=LR; node [shape=box, fontname=monospace, fontsize=10];"]
    for frame in picture.frames:
        label = "\\l".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in frame.lines)
        lines.append(f'  n{number[id(frame.node)]} [label="{label}\\l"];')
    for start, end, other in picture.links:
        style = " [style=dashed]" if other else ""
        lines.append(f"  n{number[id(start.node)]} -> n{number[id(end.node)]}{style};")
    return "\n".join([*lines, "}"]) + "\n"


def save(net: DecisionNet, path: str | Path) -> None:
    """Write the net to a file; its ending says how: .svg, .dot, or through matplotlib .png and .pdf."""
    path = Path(path)
    if path.suffix == ".svg":
        write_atomic(path, svg(net))
    elif path.suffix == ".dot":
        write_atomic(path, dot(net))
    elif path.suffix in (".png", ".pdf"):
        _save_image(lay_out(net), path)
    else:
        raise PidmError(f"cannot draw a net as {path.name!r}; expected .svg, .png, .pdf or .dot")


def _save_image(picture: Picture, path: Path) -> None:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError as error:
        message = f"writing {path.suffix} needs matplotlib (pip install pidm[plots]); .svg does not"
        raise PidmError(message) from error
    width, height = picture.size
    figure = Figure(figsize=(width / 72, height / 72), dpi=144)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for start, end, other in picture.links:
        (x0, y0), (x1, y1) = _ends(start, end)
        middle = x1 - STEP / 3 if x0 != x1 else x0
        axes.plot([x0, middle, middle, x1], [y0, y0, y1, y1], color="#777", lw=0.8, ls="--" if other else "-")
    for frame in picture.frames:
        fill = "#eef3fb" if frame.node.proposals else "#f6f6f6"
        axes.add_patch(
            Rectangle((frame.x, frame.y), frame.width, frame.height, facecolor=fill, edgecolor="#555", lw=0.8)
        )
        for number, line in enumerate(frame.lines):
            y = frame.y + PAD + LINE * (number + 0.75)
            weight = "bold" if number == 0 else "normal"
            axes.text(frame.x + PAD, y, line, family="monospace", fontsize=10, weight=weight)
    figure.savefig(path)


def _linked(node: Node) -> Iterator[tuple[Node, bool]]:
    """The nodes below, with whether by an else link; the next priority last."""
    for child in node.children:
        yield child, False
    for other in sorted(node.elses, key=lambda other: other.priority is not None):
        yield other, True


def _lines(node: Node, above: Box) -> tuple[str, ...]:
    actions = [str(action) for action in node.actions]
    shown = ", ".join(actions[:8]) + (f" and {len(actions) - 8} more" if len(actions) > 8 else "")
    if node.priority is not None:
        head = f"priority {node.priority:g}"
        return (head, f"else {shown}") if shown else (head,)
    new = node.box.beyond(above)
    return (shown or "-", *(str(Box({feature: bounds})) for feature, bounds in new.items()))


def _ends(start: Frame, end: Frame) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a link starts and ends: from below to the next priority, else from side to side."""
    if start.x == end.x:
        return (start.x + STEP / 2, start.y + start.height), (end.x + STEP / 2, end.y)
    return (start.x + start.width, start.y + LINE), (end.x, end.y + LINE)
