"""Decision nets: which actions are plausible in which states (section 4.1 and appendix B).

A net is built from (action, box, priority) triplets, one for each constraint set of each matching rule.
Priorities form a chain of else links; inside one priority the nodes are placed by subsumption, so that a more
specific node overrides a more general one. Lookup is StateActions of figure 5, for a batch of states at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pidm.core.box import EVERYTHING, Box, Range
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.flat import FlatNet

__all__ = [
    "Box",
    "Choices",
    "DecisionNet",
    "Node",
    "Prohibition",
    "Proposal",
    "Triplet",
]


class Triplet(NamedTuple):
    """What a matching rule says: this action is plausible for these states, with this priority (B.2)."""

    action: int
    box: Box
    priority: float
    source: object = None
    position: int = 0


class Prohibition(NamedTuple):
    """What a negative rule says: this action is taken away from whatever the positive rules suggest (B.1)."""

    action: int
    box: Box = EVERYTHING
    """The states to which the prohibition applies; in figure 18 it is everything."""
    source: object = None


class Node:
    """A set of states with the actions that are plausible there, and links to more specific nodes."""

    __slots__ = ("box", "children", "elses", "priority", "proposals")

    def __init__(
        self,
        box: Box = EVERYTHING,
        proposals: Iterable[Proposal] = (),
        children: Iterable[Node] = (),
        elses: Iterable[Node] = (),
        priority: float | None = None,
    ) -> None:
        self.box = box
        """SC(n); contained in the box of every node that links here."""
        self.proposals = list(proposals)
        """A(n), each action with its source."""
        self.children = list(children)
        """Regular links."""
        self.elses = list(elses)
        """Else links, followed only where the regular links lead to no action."""
        self.priority = priority
        """Set on the nodes of the skeleton only."""

    @property
    def actions(self) -> tuple[int, ...]:
        """The different actions of the node."""
        return tuple(dict.fromkeys(proposal.action for proposal in self.proposals))

    def walk(self) -> Iterator[Node]:
        """This node and everything below it, each once, parents before children."""
        seen: set[int] = set()
        stack = [self]
        while stack:
            node = stack.pop()
            if id(node) not in seen:
                seen.add(id(node))
                yield node
                stack.extend(reversed(node.elses))
                stack.extend(reversed(node.children))

    def __repr__(self) -> str:
        return f"Node({self.box}: {', '.join(map(str, self.actions))})"


class DecisionNet:
    """A selection strategy for one history, as a net of nodes.

    >>> net = DecisionNet.build(
    ...     [Triplet(1, Box({"hcp": (12, 37)}), 10), Triplet(2, Box({"hcp": (15, 17)}), 20)], default=[0]
    ... )
    >>> len(net.root.children), len(net.root.elses)
    (1, 1)
    """

    __slots__ = ("_flat", "prohibitions", "refined", "root")

    def __init__(self, root: Node, prohibitions: Sequence[Prohibition] = (), refined: bool = False) -> None:
        self.root = root
        """The node with the highest priority; its box is everything."""
        self.prohibitions = tuple(prohibitions)
        """The negative rules that hold for some states only; the others have been applied while building."""
        self.refined = refined
        """Has learning changed the net?"""
        self._flat: FlatNet | None = None

    # ------------------------------------------------------------------ construction

    @classmethod
    def build(
        cls,
        triplets: Iterable[Triplet],
        default: Iterable[int | Proposal] = (),
        forbidden: Iterable[int | Prohibition] = (),
    ) -> DecisionNet:
        """Build-Decision-Net of figure 21.

        `default` are the actions for states that no rule speaks about, in order of preference; `forbidden`
        what negative rules take away, from these and from all nodes. A triplet whose action is forbidden is
        left out: a node without actions answers nothing in StateActions, as if it were not there.
        """
        never: set[int] = set()
        prohibitions = []
        for item in forbidden:
            if not isinstance(item, Prohibition):
                never.add(item)
            elif item.box:
                prohibitions.append(item)
            else:
                never.add(item.action)
        allowed = [triplet for triplet in triplets if triplet[0] not in never]

        # The skeleton: one node for each priority, chained by else links from the highest to the lowest.
        skeleton = {
            priority: Node(priority=priority)
            for priority in sorted({t[2] for t in allowed} or {0}, reverse=True)
        }
        chain = list(skeleton.values())
        for node, following in pairwise(chain):
            node.elses.append(following)

        # Case 1 of figure 20, following the skeleton to the right priority, is a dictionary access.
        for action, box, priority, source, position in allowed:
            place(skeleton[priority], Node(box, (Proposal(action, source, position),)))

        proposals = [p if isinstance(p, Proposal) else _default(p) for p in default]
        chain[-1].proposals = [proposal for proposal in proposals if proposal.action not in never]
        return cls(chain[0], prohibitions)

    # ------------------------------------------------------------------ lookup

    def choices(self, columns: Columns) -> Choices:
        """StateActions of figure 5 for a batch of full states."""
        return self.flat.choices(columns, self.refined)

    def locate(self, columns: Columns) -> tuple[list[Node], np.ndarray]:
        """The nodes that have actions, and bool[n, len(nodes)]: where each is a most specific one."""
        return self.flat.locate(columns)

    @property
    def flat(self) -> FlatNet:
        """The arrays behind `choices`, made when first needed and again after a refinement."""
        if self._flat is None:
            self._flat = FlatNet(self.root, self.prohibitions)
        return self._flat

    # ------------------------------------------------------------------ refinement (section 4.2.3)

    def intersect(self, nodes: Sequence[Node]) -> Node:
        """Insert the node for the states that belong to all of these nodes, with the actions of all of them.

        For a state whose most specific nodes these are, that alone changes no answer; it makes a place where
        examples can settle the conflict (figure 7b).
        """
        box = EVERYTHING
        proposals: list[Proposal] = []
        for node in nodes:
            box = box & node.box
            proposals += [proposal for proposal in node.proposals if proposal not in proposals]
        # A node of a learned tree is reached only where the regular links beside the tree fail. What lies in
        # a tree and elsewhere as well goes below the node from which the tree hangs, and so before the tree.
        holders = self._holders()
        new = Node(box, proposals)
        for node in nodes:
            new = place(holders.get(id(node), node), new)
        self._changed()
        return new

    def _holders(self) -> dict[int, Node]:
        """For every node of a learned tree, by identity, the node outside of any tree on which it hangs."""
        holders: dict[int, Node] = {}
        trunk = [self.root]
        for node in trunk:
            trunk += node.children
            for other in node.elses:
                if other.priority is not None:
                    trunk.append(other)
                else:
                    holders.update((id(member), node) for member in other.walk())
        return holders

    def set_actions(self, node: Node, proposals: Iterable[int | Proposal]) -> None:
        """Let the node propose exactly these, in this order of preference."""
        node.proposals = [p if isinstance(p, Proposal) else Proposal(p) for p in proposals]
        self._changed()

    def attach(self, node: Node, tree: Node) -> None:
        """Connect a learned tree by an else link, so that it never competes with the node's own children.

        The boxes in the tree state only what each step tests; they are narrowed to the states that get there.
        """

        def narrow(member: Node, above: Box) -> None:
            member.box = above & member.box
            for below in (*member.children, *member.elses):
                narrow(below, member.box)

        narrow(tree, node.box)
        node.elses.append(tree)
        self._changed()

    def _changed(self) -> None:
        self._flat = None
        self.refined = True

    # ------------------------------------------------------------------ as text and data

    def __str__(self) -> str:
        return "\n".join(describe(self))

    def to_dict(
        self,
        feature: Callable[[Any], str] = str,
        action: Callable[[Any], Any] = int,
        source: Callable[[Any], Any] = str,
    ) -> dict[str, Any]:
        """The net as plain data, readable in YAML or JSON: nodes in a list, links as positions in it."""
        nodes = list(self.root.walk())
        number = {id(node): k for k, node in enumerate(nodes)}

        def box_data(box: Box) -> dict[str, list[float | None]]:
            return {feature(f): [_finite(low), _finite(high)] for f, (low, high) in box.items()}

        def node_data(node: Node) -> dict[str, Any]:
            data: dict[str, Any] = {"box": box_data(node.box)} if node.box else {}
            if node.priority is not None:
                data["priority"] = node.priority
            if node.proposals:
                data["propose"] = [
                    {
                        "action": action(p.action),
                        **({} if p.source is None else {"source": source(p.source)}),
                        **({"position": p.position} if p.position else {}),
                    }
                    for p in node.proposals
                ]
            if node.children:
                data["children"] = [number[id(child)] for child in node.children]
            if node.elses:
                data["else"] = [number[id(other)] for other in node.elses]
            return data

        data: dict[str, Any] = {"nodes": [node_data(node) for node in nodes], "refined": self.refined}
        if self.prohibitions:
            data["forbid"] = [
                {
                    "action": action(p.action),
                    "box": box_data(p.box),
                    **({} if p.source is None else {"source": source(p.source)}),
                }
                for p in self.prohibitions
            ]
        return data

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        feature: Callable[[str], Hashable] = str,
        action: Callable[[Any], int] = int,
        source: Callable[[Any], object] = str,
    ) -> DecisionNet:
        """The inverse of `to_dict`, given the inverse decoders."""

        def box(bounds: Mapping[str, Sequence[float | None]]) -> Box:
            return Box({feature(name): _open(low, high) for name, (low, high) in bounds.items()})

        def read_source(item: Mapping[str, Any]) -> object:
            return source(item["source"]) if "source" in item else None

        nodes = [
            Node(
                box(item.get("box", {})),
                [
                    Proposal(action(p["action"]), read_source(p), p.get("position", 0))
                    for p in item.get("propose", ())
                ],
                priority=item.get("priority"),
            )
            for item in data["nodes"]
        ]
        for node, item in zip(nodes, data["nodes"], strict=True):
            node.children = [nodes[k] for k in item.get("children", ())]
            node.elses = [nodes[k] for k in item.get("else", ())]
        prohibitions = [
            Prohibition(action(p["action"]), box(p["box"]), read_source(p)) for p in data.get("forbid", ())
        ]
        return cls(nodes[0], prohibitions, data.get("refined", False))


@lru_cache(maxsize=None, typed=True)
def _default(action: int) -> Proposal:
    """Every net proposes much the same defaults, and nets are made by the hundred."""
    return Proposal(action)


def place(net: Node, node: Node) -> Node:
    """Insert a node below one whose states contain its own; return the node that now stands for its states.

    Cases 2 to 5 of figure 20. The node of the skeleton counts as more general than any box, even the empty
    one: if an unconditional rule were merged into it (case 2), it would be asked after all lower priorities.
    """
    box = node.box
    inside = False
    for child in net.children:
        if box <= child.box:
            inside = True
            if child is node:
                continue
            if child.box == box:  # case 2: the same states, so join the actions
                said = [p[:2] for p in child.proposals]  # one rule may say the same in several ways
                child.proposals += [p for p in node.proposals if p[:2] not in said]
                return child
            node = place(child, node)  # case 5: into every child that contains it
    if not inside:  # cases 3 and 4: a new child, which takes over the children that it contains
        kept = []
        for child in net.children:
            if child.box <= box:
                if all(child is not other for other in node.children):
                    node.children.append(child)
            else:
                kept.append(child)
                if child.children:
                    _share(child, node)
        kept.append(node)
        net.children = kept
    return node


def _share(beside: Node, node: Node) -> None:
    """Link the node to those below a sibling that it contains as well.

    The figure does not say so, but without it the same rules in another order would make another net.
    """
    for child in beside.children:
        if child.box <= node.box:
            if all(child is not other for other in node.children):
                node.children.append(child)
        else:
            _share(child, node)


def describe(net: DecisionNet) -> list[str]:
    """The net as indented lines: what each node adds to the one above, its actions and their sources."""
    lines: list[str] = []

    def proposals(node: Node) -> str:
        texts = (str(p.action) if p.source is None else f"{p.action} [{p.source}]" for p in node.proposals)
        return ", ".join(dict.fromkeys(texts))

    def show(node: Node, above: Box, indent: int, word: str) -> None:
        text = f"{'  ' * indent}{word}{node.box.beyond(above)}"
        lines.append(f"{text} -> {proposals(node)}" if node.proposals else text)
        below(node, indent + 1)

    def below(node: Node, indent: int) -> None:
        for child in node.children:
            show(child, node.box, indent, "")
        for other in node.elses:
            if other.priority is None:
                show(other, node.box, indent, "else ")

    node: Node | None = net.root
    while node is not None:
        if node.priority is not None:
            lines.append(f"priority {node.priority:g}")
        below(node, 1)
        following = next((other for other in node.elses if other.priority is not None), None)
        if node.proposals:
            lines.append(f"default -> {proposals(node)}")
        node = following
    for prohibition in net.prohibitions:
        lines.append(f"never {prohibition.action} with {prohibition.box}")
    return lines


def _finite(bound: float) -> float | None:
    return bound if abs(bound) != float("inf") else None


def _open(low: float | None, high: float | None) -> Range:
    return (-float("inf") if low is None else low, float("inf") if high is None else high)
