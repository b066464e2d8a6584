"""What training has added to a system: for some auctions, a net that settles what judgement leaves open.

A refinement belongs to an auction. Its net tests which calls are open (`open(2N)` is 2 where the rules bid
2N, 1 where they do so with a little more or less strength), and below that any feature of the hand: two open
calls are two nodes, the hands of both lie in their intersection, and there hangs what was learned (figure 7).
So it only ever chooses between calls that the system itself has put forward.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.core.box import Box
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.induction import Learned
from pidm.core.net import DecisionNet, Node, place
from pidm.errors import PidmError
from pidm.features import Bounds, HandColumns
from pidm.reading.judgement import judged
from pidm.reading.learned_features import NEAR, OWN, JudgedColumns, Key, Open, feature_of, key_text
from pidm.reading.refinement_form import check_form
from pidm.reading.situation import Situation
from pidm.reading.strength_shift import weight

if TYPE_CHECKING:
    from pidm.reading.table import Table

FORMAT = 1
"""The version of the data."""


class RefinementError(PidmError):
    """Learned nets that cannot be read."""


def fresh_net(calls: Iterable[Call]) -> DecisionNet:
    """The net before learning: every call for the hands to which it is open, the system's own first."""
    listed = sorted(set(calls))
    children = [
        Node(Box({Open(call): (kind, kind)}), [Proposal(call, position=position + (2 - kind) * len(listed))])
        for kind in (OWN, NEAR)
        for position, call in enumerate(listed)
    ]
    return DecisionNet(Node(children=children, priority=0.0))


@dataclass(frozen=True, eq=False)
class Refinement:
    """What was learned for one auction."""

    key: Key
    """The auction."""
    net: DecisionNet
    """The refined net."""
    margin: float = 1.0
    """How far beside a rule its call was open, in points."""
    fingerprints: frozenset[str] = frozenset()
    """Of the rules that it refines, in all positions of the opener and vulnerabilities."""
    examples: int = 0
    """How many examples it was learned from."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: the system, the partner who learned it."""

    @cached_property
    def calls(self) -> frozenset[Call]:
        """The calls that the net knows."""
        return frozenset(Call(p.action) for node in self.net.root.children for p in node.proposals)

    def narrowed(self, situation: Situation, columns: HandColumns, wide: Choices) -> Choices:
        """The calls left open of those that are open without learning; never one more."""
        rows = np.flatnonzero(wide.open())
        if not len(rows):
            return wide
        answer = self.net.choices(JudgedColumns(situation, columns.take(rows), wide.take(rows)))
        mask = wide.mask.copy()
        for k, proposal in enumerate(wide.proposals):
            if proposal.action in self.calls:
                mask[rows, k] &= answer.allows(proposal.action)
        learned = [k for k, proposal in enumerate(answer.proposals) if isinstance(proposal.source, Learned)]
        said = np.zeros((len(mask), len(learned)), dtype=bool)
        said[rows] = answer.mask[:, learned]
        proposals = (*(answer.proposals[k] for k in learned), *wide.proposals)
        return Choices(proposals, np.concatenate([said, mask], axis=1), refined=True)

    def settled(self, situation: Situation, columns: Columns) -> Choices:
        """What a player calls who does not search: by the rules, or what learning found better."""
        assert isinstance(columns, HandColumns)
        strict = situation.choices(columns)
        if not situation.active[situation.side]:
            return strict
        narrow = self.narrowed(situation, columns, judged(situation, columns, self.margin))
        if not narrow.refined:
            return strict
        # What was learned stands first, and of a choice that was left open the better call.
        first = narrow.mask.argmax(axis=1)
        learned = np.array([isinstance(proposal.source, Learned) for proposal in narrow.proposals])
        taught = narrow.mask[np.arange(len(first)), first] & learned[first]
        best = np.zeros_like(narrow.mask)
        best[taught, first[taught]] = True
        mask = np.concatenate([best, strict.mask & ~taught[:, None]], axis=1)
        return Choices((*narrow.proposals, *strict.proposals), mask, refined=True)

    def widened(self, covered: Bounds) -> Bounds:
        """Ranges of the hands that may make a call, given those of the hands that make it by the rules."""
        return {
            what: (low - self.margin * weight(what), high + self.margin * weight(what))
            for what, (low, high) in covered.items()
        }

    def is_stale(self, table: Table) -> bool:
        """Whether the rules of the auction have changed since, so that it is not used."""
        first = Auction(Seat.N, Vul.None_, self.key)
        return bool(self.fingerprints) and fingerprint(table.situation(first)) not in self.fingerprints

    def conflicts(self) -> Iterator[tuple[tuple[Call, ...], Node]]:
        """The sets of open calls about which something was learned, the system's own first, and the nodes."""
        for node in _regular(self.net.root):
            ranked = sorted((-bounds[0], f.call) for f, bounds in node.box.items() if isinstance(f, Open))
            calls = tuple(call for _, call in ranked)
            learned = any(isinstance(p.source, Learned) for p in node.proposals)
            if len(calls) > 1 and (learned or node.elses):
                yield calls, node

    def changes(self) -> Iterator[tuple[tuple[Call, ...], Node]]:
        """Those of them in which some hands call something else than by the rules."""
        for calls, node in self.conflicts():
            if any(leaf.proposals[0].action != calls[0] for leaf in _leaves(node)):
                yield calls, node

    def trimmed(self) -> Refinement:
        """Only what changes calls: without search a pair bids the same by it, and it is shorter to read."""
        changed = [node for _, node in self.changes()]
        # What is more special than a change keeps it away from its hands.
        kept = [node for _, node in self.conflicts() if any(node.box <= other.box for other in changed)]
        net = fresh_net(feature.call for node in kept for feature in node.box if isinstance(feature, Open))
        for node in kept:
            place(net.root, Node(node.box, node.proposals, elses=node.elses))
        examples = sum(_examples(node) for node in kept)
        trimmed = DecisionNet(net.root, refined=True)
        return replace(self, net=trimmed, examples=examples)

    # ------------------------------------------------------------------ as data

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        net = self.net.to_dict(
            action=lambda action: str(Call(action)), source=lambda source: _learned_data(source)
        )
        return {
            "refinement": FORMAT,
            "auction": key_text(self.key),
            **self.about,
            "examples": self.examples,
            "margin": self.margin,
            "rules": sorted(self.fingerprints),
            "net": net,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Refinement:
        """The inverse of `to_dict`."""
        check_form(data)
        if data.get("refinement") != FORMAT:
            raise RefinementError(f"no refinement of format {FORMAT}: {data.get('refinement')!r}")
        net = DecisionNet.from_dict(
            data["net"],
            feature=feature_of,
            action=Call.from_str,
            source=lambda source: Learned(*source) if isinstance(source, list | tuple) else source,
        )
        about = {name: data[name] for name in ("system", "partner", "round") if name in data}
        return cls(
            tuple(Call.from_str(call) for call in data["auction"].split()),
            net,
            data["margin"],
            frozenset(data["rules"]),
            data["examples"],
            about,
        )


def _regular(node: Node, seen: set[int] | None = None) -> Iterator[Node]:
    """The nodes on regular links, each once: what hangs on else links are learned trees."""
    seen = set() if seen is None else seen
    for child in node.children:
        if id(child) not in seen:
            seen.add(id(child))
            yield child
            yield from _regular(child, seen)


def _leaves(node: Node) -> list[Node]:
    """The nodes with what was learned about a choice."""
    trees = [other for other in node.elses if other.priority is None]
    return [leaf for tree in trees for leaf in tree.walk() if leaf.proposals] or [node]


def _examples(node: Node) -> int:
    """How many examples a choice was learned from."""
    sources = [leaf.proposals[0].source for leaf in _leaves(node)]
    return sum(source.examples for source in sources if isinstance(source, Learned))


def _learned_data(source: object) -> Any:
    return list(source) if isinstance(source, Learned) else str(source)


def fingerprint(situation: Situation) -> str:
    """Changes when the rules of the auction do, whatever files and lines they stand in."""
    net = situation.net.to_dict(source=lambda source: "rule")
    text = json.dumps([situation.dynamic, net], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def fingerprints(table: Table, key: Key, seat: Seat) -> frozenset[str]:
    """The fingerprints of all auctions of a key, the player to call sitting here."""
    found = set()
    for passes in range(4 if key[0] != PASS else 1):
        calls = (PASS,) * passes + key
        dealer = Seat((seat - len(calls)) & 3)
        for vul in Vul:
            found.add(fingerprint(table.situation(Auction(dealer, vul, calls))))
    return frozenset(found)
