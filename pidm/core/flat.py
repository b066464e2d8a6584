"""The array form of a decision net, which answers for a batch of states with a handful of numpy calls.

Every node with actions becomes a *cell*. All cells' constraints are compared with all rows at once, each box
padded to the same number of constraints. A cell that holds for a row answers unless another one that holds
comes before it:
- cells of an earlier *level* of the chain of else links that starts at the root (a higher priority);
- inside a level, the cells below it, and, if it hangs on an else link, those on the regular links beside it.
That is exactly StateActions, because a node's box is contained in the boxes of the nodes that link to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from pidm.core.box import INF, Box, FeatureKey, Range
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns, has_matrix

if TYPE_CHECKING:
    from pidm.core.net import Node, Prohibition

CHUNK = 256
"""Rows that are compared at once; larger intermediate arrays cost more in memory traffic than they save."""

INT_LOW, INT_HIGH = -32768, 32767
FLOAT_LOW, FLOAT_HIGH = -1e38, 1e38

_PREFERENCE = itemgetter(0, 1)


class FlatNet:
    """Compiled from the root of a net; never changed afterwards."""

    def __init__(self, root: Node, prohibitions: Sequence[Prohibition] = ()) -> None:
        self.nodes: list[Node] = []
        """The cells, earlier levels first."""
        levels: list[int] = []
        entries: list[Proposal] = []
        cells: list[int] = []
        before: dict[int, list[Node]] = {}
        for level, (members, overridden) in enumerate(_levels(root)):
            # Inside a level the order is specificity, then position, whichever node a proposal stands in.
            ranked = []
            for node in members:
                cell = len(self.nodes)
                self.nodes.append(node)
                levels.append(level)
                ranked += [(-len(node.box), p.position, cell, p) for p in node.proposals]
            if len(ranked) > 1:
                ranked.sort(key=_PREFERENCE)
            for _, _, cell, proposal in ranked:
                entries.append(proposal)
                cells.append(cell)
            if overridden:
                before.update(overridden)
        self.proposals = tuple(entries)
        self._level = np.array(levels, dtype=np.int16)
        self._cell_of_entry = np.array(cells, dtype=np.intp)
        self._tests = _Tests([node.box for node in self.nodes] + [p.box for p in prohibitions])
        self._vetoes = _vetoes(self.proposals, prohibitions)
        self._overrides = self._ranked(before) if before else None

    def _ranked(self, before: dict[int, list[Node]]) -> tuple[np.ndarray, np.ndarray]:
        """int[k], cells that others of their level override; int[width, k], these others, padded."""
        number = {id(node): k for k, node in enumerate(self.nodes)}
        overridden = [number[cell] for cell in before]
        by = [[number[id(other)] for other in others] for others in before.values()]
        width = max(map(len, by))
        padded = [cells + cells[:1] * (width - len(cells)) for cells in by]
        return np.array(overridden, dtype=np.intp), np.array(padded, dtype=np.intp).T

    def choices(self, columns: Columns, refined: bool = False) -> Choices:
        """StateActions of every row."""
        return Choices(self.proposals, self._answers(columns)[0], refined)

    def locate(self, columns: Columns) -> tuple[list[Node], np.ndarray]:
        """The cells, and bool[n, cells]: where each answers."""
        return self.nodes, self._answers(columns)[1]

    def _answers(self, columns: Columns) -> tuple[np.ndarray, np.ndarray]:
        """bool[n, proposals] and bool[n, cells]."""
        n = len(columns)
        if not self.nodes:
            return np.zeros((n, 0), dtype=bool), np.zeros((n, 0), dtype=bool)
        values = self._tests.values(columns)
        if n <= CHUNK:
            mask, cells = self._answer(values)
        else:
            parts = [self._answer(values[:, k : k + CHUNK]) for k in range(0, n, CHUNK)]
            mask, cells = (np.concatenate(chunks, axis=1) for chunks in zip(*parts))
        return mask.T, cells.T

    def _answer(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """bool[proposals, n] and bool[cells, n]."""
        tests = self._tests.hold(values)
        cells = len(self.nodes)
        holds = tests[:cells]
        vetoed = None
        if self._vetoes is not None:
            # Some actions are forbidden for some rows; a cell that keeps none of its actions does not hold.
            vetoed = np.zeros((len(self.proposals), holds.shape[1]), dtype=bool)
            for entry, box in self._vetoes:
                vetoed[entry] |= tests[cells + box]
            keeps = np.zeros((cells, holds.shape[1]), dtype=bool)
            np.logical_or.at(keeps, self._cell_of_entry, ~vetoed)
            holds = holds & keeps
        answers = holds
        if self._overrides is not None:
            overridden, by = self._overrides
            answers = holds.copy()
            answers[overridden] &= ~holds[by].any(axis=0)
        # Cells are sorted by level, so the first that holds tells the level that settles the row.
        level = self._level[holds.argmax(axis=0)]
        answers = answers & (self._level[:, None] == level)
        mask = answers[self._cell_of_entry]
        if vetoed is not None:
            mask &= ~vetoed
        return mask, answers


class _Tests:
    """The constraints of many boxes, laid out for one comparison."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        index: dict[FeatureKey, int] = {}
        width = max(map(len, boxes), default=0)
        which: list[int] = []
        bounds: list[Range] = []
        for box in boxes:
            for feature, pair in box._bounds.items():
                which.append(index.setdefault(feature, len(index)))
                bounds.append(pair)
            missing = width - len(box._bounds)
            if missing:
                which += [0] * missing
                bounds += [(-INF, INF)] * missing
        self.features = tuple(index)
        self._width = width
        self._count = len(boxes)
        # [width, boxes], so that the k-th constraints of all boxes lie together: `all` is fastest then.
        self._which = np.array(which, dtype=np.intp).reshape(-1, width).T if width else None
        self._raw = bounds
        self._bounds: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def bounds(self, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """Lows and highs, [width, boxes, 1], in the type of the values to compare with: "i" or "f"."""
        if kind not in self._bounds:
            raw = np.array(self._raw, dtype=np.float64)
            if kind == "i":
                # What lies beyond all whole numbers of this size must stay beyond them: 40000+ fits nothing.
                empty = (raw[:, 0] > INT_HIGH) | (raw[:, 1] < INT_LOW)
                raw[:, 0], raw[:, 1] = np.ceil(raw[:, 0]), np.floor(raw[:, 1])
                raw = raw.clip(INT_LOW, INT_HIGH)
                raw[empty] = INT_HIGH, INT_LOW
            shaped = raw.clip(FLOAT_LOW, FLOAT_HIGH).reshape(self._count, self._width, 2)
            low, high = shaped.astype(np.int16 if kind == "i" else np.float32).T
            self._bounds[kind] = low[:, :, None], high[:, :, None]
        return self._bounds[kind]

    def values(self, columns: Columns) -> np.ndarray:
        """[features, n], int16 if all are whole numbers, else float32."""
        if has_matrix(columns):
            values = np.asarray(columns.matrix(self.features)).T
        elif self.features:
            values = np.stack([columns.column(feature) for feature in self.features])
        else:
            values = np.zeros((0, len(columns)), dtype=np.int16)
        return values.astype(np.int16 if values.dtype.kind in "iub" else np.float32, copy=False)

    def hold(self, values: np.ndarray) -> np.ndarray:
        """bool[boxes, n]: which boxes contain which rows."""
        if self._which is None:
            return np.ones((self._count, values.shape[1]), dtype=bool)
        low, high = self.bounds(values.dtype.kind)
        tested = values.take(self._which, axis=0)
        inside = tested >= low
        inside &= tested <= high
        if self._width == 1:
            return np.asarray(inside[0])
        return np.asarray(inside.all(axis=0))


def _vetoes(
    proposals: Sequence[Proposal], prohibitions: Sequence[Prohibition]
) -> list[tuple[int, int]] | None:
    """(entry, prohibition) pairs that speak of the same action."""
    return [
        (entry, k)
        for k, prohibition in enumerate(prohibitions)
        for entry, proposal in enumerate(proposals)
        if proposal.action == prohibition.action
    ] or None


def _levels(root: Node) -> list[tuple[list[Node], dict[int, list[Node]]]]:
    """The cells of each level, with the cells of the same level that come before them, by identity."""
    levels = []
    chain = []
    node: Node | None = root
    while node is not None:
        chain.append(node)
        level = _Level()
        for child in node.children:
            level.collect(child)
        if len(node.elses) == 1:
            levels.append((level.cells, level.before))
            node = node.elses[0]
        else:
            beside = list(level.cells)
            for other in node.elses:
                level.collect(other)
            for cell in level.cells[len(beside) :] if beside else ():
                level.before.setdefault(id(cell), []).extend(beside)
            levels.append((level.cells, level.before))
            node = None
    # The own actions of a node on the chain come after everything below it.
    levels += [([node], {}) for node in reversed(chain) if node.proposals]
    return [level for level in levels if level[0]]


class _Level:
    """Gathers the cells under some nodes and which of them override which."""

    def __init__(self) -> None:
        self.cells: list[Node] = []
        self.before: dict[int, list[Node]] = {}
        self._done: dict[int, list[Node]] = {}

    def collect(self, node: Node) -> list[Node]:
        """The cells at and below the node."""
        if not (node.children or node.elses or id(node) in self._done):
            self._done[id(node)] = alone = [node] if node.proposals else []
            self.cells += alone
            return alone
        if id(node) in self._done:
            return self._done[id(node)]
        regular = self._union(node.children)
        hanging = self._union(node.elses)
        if regular:
            for cell in hanging:
                self.before.setdefault(id(cell), []).extend(regular)
        below = regular + hanging
        if node.proposals:
            self.cells.append(node)
            if below:
                self.before.setdefault(id(node), []).extend(below)
            below = [*below, node]
        self._done[id(node)] = below
        return below

    def _union(self, nodes: Sequence[Node]) -> list[Node]:
        if not nodes:
            return []
        found: dict[int, Node] = {}
        for node in nodes:
            found.update((id(cell), cell) for cell in self.collect(node))
        return list(found.values())
