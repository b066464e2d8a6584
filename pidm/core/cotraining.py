"""Partners that refine their strategies together (sections 4.2 and 4.3).

States are gathered by playing random worlds, those kept where the strategy leaves several actions open, and
tagged by PIDM with a large limit. The examples of one net are put into it, a node where they agree gets their
action, one where they do not gets a tree. Partners learn in parallel, each with the strategy that the other
one handed over last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from pidm.core.choices import Choices
from pidm.core.columns import Columns
from pidm.core.game import Game, Private, Worlds
from pidm.core.induction import Induction, induce, leaf, losses_of
from pidm.core.net import DecisionNet, Node
from pidm.core.net import place as place_below
from pidm.core.player import Strategy
from pidm.core.playing_out import play_out

__all__ = [
    "Lesson",
    "OpenState",
    "Partner",
    "RefinedStrategy",
    "Step",
    "cotrain",
    "gather",
    "insert",
    "refine",
]

Key = TypeVar("Key", bound=Hashable)
E = TypeVar("E", contravariant=True)
L = TypeVar("L")


class OpenState(NamedTuple):
    """A state to learn from: what a player knows who is to act."""

    history: Any
    private: Private


# ---------------------------------------------------------------------- states (section 4.2.1)

Openness = Callable[[Any, Columns], "np.ndarray | None"]
"""bool[n], where the strategy to be refined leaves several actions open at a history; None for nowhere."""


def gather(
    game: Game, starts: Sequence[Any], worlds: Worlds, play: Strategy, is_open: Openness
) -> Iterator[OpenState]:
    """The open states of worlds that are played to the end from these histories, every player by preference.

    So each state comes as often as it comes up.
    """
    for step in play_out(game, starts, worlds, play):
        seat = game.actor(step.history)
        if seat is None or step.columns is None:
            continue
        found = is_open(step.history, step.columns)
        here = worlds[step.rows]
        for place in np.flatnonzero(found).tolist() if found is not None else ():
            yield OpenState(step.history, game.private(here, place, seat))


# ---------------------------------------------------------------------- refinement (section 4.2.3)


@dataclass(frozen=True, eq=False)
class Lesson:
    """What the examples in one node taught."""

    node: Node
    """Where."""
    rows: np.ndarray
    """The numbers of the examples."""
    settled: bool
    """Do the examples leave a single action, for each state of the node?"""


def insert(net: DecisionNet, columns: Columns) -> list[tuple[Node, np.ndarray]]:
    """Put the examples into the net: each node with the numbers of those for which it is the most specific.

    Where several nodes are, their intersection is made first (figure 7b).
    """
    for _ in range(len(columns) + 1):
        nodes, where = net.locate(columns)
        torn = where[where.sum(axis=1) > 1]
        if not len(torn):
            break
        for cells in dict.fromkeys(map(tuple, torn.tolist())):
            _intersect(net, [nodes[k] for k, inside in enumerate(cells) if inside])
    return [(node, np.flatnonzero(inside)) for node, inside in zip(nodes, where.T) if inside.any()]


def _intersect(net: DecisionNet, nodes: Sequence[Node]) -> None:
    """Make the intersection of nodes, and below it those that keep the answers of their children.

    A state of the intersection may lie in a child of one of the nodes as well, which had the say so far. It
    must not get an action that only the node had, so the child is intersected with the other nodes too.
    """
    new = net.intersect(nodes)
    inside = {id(node) for node in new.walk()}
    options = [
        [node, *(below for below in _regular(node) if below.proposals and id(below) not in inside)]
        for node in nodes
    ]
    for chosen in product(*options):
        box = new.box
        for node in chosen:
            box = box & node.box
        proposals = [proposal for node in chosen for proposal in node.proposals]
        if box.possible and not set(new.actions) <= {proposal.action for proposal in proposals}:
            place_below(new, Node(box, dict.fromkeys(proposals)))


def _regular(node: Node) -> Iterator[Node]:
    """Everything below a node on regular links."""
    for child in node.children:
        yield child
        yield from _regular(child)


def refine(
    net: DecisionNet,
    columns: Columns,
    labels: Sequence[int] | np.ndarray,
    features: Sequence[Hashable],
    options: Induction | None = None,
    values: Sequence[Mapping[int, float]] | None = None,
    rng: np.random.Generator | None = None,
) -> list[Lesson]:
    """Refine a net by tagged examples: their columns, tags, and what each candidate was worth if known.

    A tree hangs on an else link: the node's own children come before it, so that what it says about states
    beyond the examples makes no conflict that was not there.
    """
    options = options or Induction()
    labels = np.asarray(labels)
    matrix: np.ndarray | None = None
    lessons = []
    for node, rows in insert(net, columns):
        if len(rows) < options.least:
            continue
        actions = tuple(dict.fromkeys((*node.actions, *labels[rows].tolist())))
        losses = losses_of(labels[rows], actions, _worths(values, rows, actions))
        if len(set(labels[rows].tolist())) == 1:
            tree = Node(proposals=leaf(labels[rows], actions, losses, options))
        else:
            if matrix is None:
                matrix = np.stack([np.asarray(columns.column(f), dtype=np.float64) for f in features], axis=1)
            tree = induce(matrix[rows], features, labels[rows], actions, losses, options, rng)
        if tree.children:
            net.attach(node, tree)
        else:
            net.set_actions(node, tree.proposals)
        leaves = [member for member in tree.walk() if member.proposals]
        lessons.append(Lesson(node, rows, all(len(member.actions) == 1 for member in leaves)))
    return lessons


def _worths(
    values: Sequence[Mapping[int, float]] | None, rows: np.ndarray, actions: Sequence[int]
) -> np.ndarray | None:
    if values is None:
        return None
    return np.array([[values[row].get(action, np.nan) for action in actions] for row in rows])


class RefinedStrategy:
    """A strategy with some of its nets replaced by refined ones; the net of a history is known by itself."""

    def __init__(self, strategy: Strategy, nets: Mapping[Any, DecisionNet] | None = None) -> None:
        self.strategy = strategy
        """Who answers where nothing was learned."""
        self.nets = dict(nets or {})
        """The refined nets."""

    def choices(self, history: Any, columns: Columns) -> Choices:
        """The plausible actions of every row."""
        net = self.nets.get(history)
        return self.strategy.choices(history, columns) if net is None else net.choices(columns)


# ---------------------------------------------------------------------- learning together (section 4.3)


class Partner(Protocol[Key, E, L]):
    """One of those who learn together: nets of keys `Key`, from examples `E`, into refinements `L`."""

    def next_key(self) -> Key | None:
        """The net to refine now, the most rewarding of those left; None when there is nothing to learn."""

    def cases(self, key: Key) -> Sequence[Any]:
        """The states to tag for it, as work to hand out."""

    def refine(self, key: Key, examples: Sequence[E]) -> L:
        """What the examples teach about the net."""

    def learn(self, key: Key, refinement: L) -> None:
        """Play it from now on."""

    def hear(self, refinements: Mapping[Key, L]) -> None:
        """Know that partner plays these from now on."""


@dataclass(frozen=True)
class Step(Generic[Key, L]):
    """A round of learning: one net for each partner who had something to learn."""

    number: int
    """Counted from 0."""
    refined: tuple[tuple[int, Key, L], ...]
    """Which partner refined which net, and how."""


def cotrain(
    partners: Sequence[Partner[Key, E, L]],
    tag: Callable[[int, Sequence[tuple[int, Key, Any]]], Sequence[E]],
    nets: int,
    exchange_every: int = 1,
) -> Iterator[Step[Key, L]]:
    """Refine `nets` nets in all, the partners in parallel: in a round each learns one, from the same past.

    `tag` gets the number of the round and its work, (partner, key, case) each, and returns the examples in
    the same order; how and where it does that is its affair. Nets are exchanged after every `exchange_every`
    rounds, and at the end; with 0, at the end only.
    """
    news: list[dict[Key, L]] = [{} for _ in partners]
    done = number = 0
    while done < nets:
        work: list[tuple[int, Key, Sequence[Any]]] = []
        for place, partner in enumerate(partners):
            key = partner.next_key() if done + len(work) < nets else None
            if key is not None:
                work.append((place, key, partner.cases(key)))
        if not work:
            break
        examples = list(tag(number, [(place, key, case) for place, key, cases in work for case in cases]))
        learned = []
        for place, key, cases in work:
            mine, examples = examples[: len(cases)], examples[len(cases) :]
            learned.append((place, key, partners[place].refine(key, mine)))
        for place, key, refinement in learned:
            partners[place].learn(key, refinement)
            news[place][key] = refinement
        done += len(learned)
        number += 1
        if done >= nets or (exchange_every and number % exchange_every == 0):
            _exchange(partners, news)
        yield Step(number - 1, tuple(learned))
    _exchange(partners, news)


def _exchange(partners: Sequence[Partner[Key, E, L]], news: list[dict[Key, L]]) -> None:
    """Everybody hears what the others have learned since the last time, be it nothing: so have they."""
    if any(news):
        for place, partner in enumerate(partners):
            for other, learned in enumerate(news):
                if other != place:
                    partner.hear(learned)
    news[:] = [{} for _ in partners]
