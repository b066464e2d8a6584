"""What training has added to a system: for some auctions, a net that settles what judgement leaves open.

A refinement belongs to an auction. Its net tests which calls are open (`open(2N)` is 2 where the rules bid
2N, 1 where they do so with a little more or less strength), and below that any feature of the hand: two open
calls are two nodes, the hands of both lie in their intersection, and there hangs what was learned (figure 7).
So it only ever chooses between calls that the system itself has put forward.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.core.box import Box
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.induction import Learned
from pidm.core.net import DecisionNet, Node, place
from pidm.errors import PidmError
from pidm.features import Feature, HandColumns, catalogue
from pidm.files import write_atomic
from pidm.language.loading import shipped
from pidm.language.words import words_of
from pidm.reading.inference import Bounds
from pidm.reading.judgement import judged
from pidm.reading.situation import Situation
from pidm.reading.strength_shift import weight

if TYPE_CHECKING:
    from pidm.reading.table import Table

Key = tuple[Call, ...]
"""The auction of a refinement, see `key_of`."""

OWN, NEAR = 2, 1
"""Values of `Open`."""
FORMAT = 1
"""The version of the files."""


class RefinementError(PidmError):
    """Learned nets that cannot be read."""


class RefinementWarning(UserWarning):
    """Learned nets that are not used, because the system has changed since."""


class Open(str):
    """The feature that tells whether a call is open to a hand: 2 if it is the system's own, 1 if it is near
    and 0 if neither."""

    __slots__ = ("call",)
    call: Call

    def __new__(cls, call: Call) -> Open:
        """Of this call."""
        made = super().__new__(cls, f"open({call})")
        made.call = call
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Open, (self.call,)


class Circumstance(str):
    """A feature that is not of the hand: `vulnerable(we)` and `vulnerable(they)` are 1 or 0, `passes` is the
    number of passes before the opening bid."""

    __slots__ = ()


WE, THEY, PASSES = (Circumstance(name) for name in ("vulnerable(we)", "vulnerable(they)", "passes"))


def leading_passes(calls: Iterable[Call]) -> int:
    """The number of passes before the opening bid."""
    return sum(1 for _ in takewhile(lambda call: call == PASS, calls))


def key_of(calls: Iterable[Call]) -> Key:
    """The calls of an auction as learning sees it: from the opening bid."""
    listed = tuple(calls)
    return listed[leading_passes(listed) :] or listed


def key_text(key: Key) -> str:
    """As people write it."""
    return " ".join(map(str, key))


def inducible() -> tuple[str, ...]:
    """What trees may test, the simplest first: the circumstances and all features of the hand."""
    order = {name: place for place, name in enumerate(("hcp", "length", "points", "controls", "losers"))}
    features = sorted(catalogue(), key=lambda f: (f.dynamic, order.get(f.name, len(order)), len(f.args)))
    return WE, THEY, PASSES, *features


class JudgedColumns:
    """The features that learned nets test in one situation: those of the hands, the calls open to them, the
    circumstances."""

    def __init__(self, situation: Situation, columns: HandColumns, wide: Choices):
        """`wide` are the calls that judgement leaves open to the hands."""
        self._columns = columns.with_partner(situation.bounds[situation.partner])
        self._wide = wide
        self._circumstances = circumstances(situation)

    def __len__(self) -> int:
        return len(self._columns)

    def column(self, feature: Any) -> np.ndarray:
        """The values of one feature."""
        if isinstance(feature, Open):
            own = self._wide.preferred() == feature.call
            return np.asarray(self._wide.allows(feature.call).astype(np.int8) + own)
        if isinstance(feature, Circumstance):
            return np.full(len(self), self._circumstances[feature], dtype=np.int8)
        return np.asarray(self._columns.column(feature))

    def take(self, rows: Any) -> JudgedColumns:
        """The same for some of the rows."""
        some = JudgedColumns.__new__(JudgedColumns)
        some._columns, some._wide = self._columns.take(rows), self._wide.take(rows)
        some._circumstances = self._circumstances
        return some


class PooledColumns:
    """The same features for states of several situations, one after the other."""

    def __init__(self, parts: Sequence[JudgedColumns]):
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def column(self, feature: Any) -> np.ndarray:
        """The values of one feature."""
        return np.concatenate([part.column(feature) for part in self._parts])

    def take(self, rows: Any) -> PooledColumns:
        """The same for some of the rows, which must be ascending numbers."""
        starts = np.cumsum([0, *map(len, self._parts)])
        chosen = [rows[(rows >= low) & (rows < high)] - low for low, high in pairwise(starts)]
        return PooledColumns([part.take(some) for part, some in zip(self._parts, chosen)])


def circumstances(situation: Situation) -> dict[Circumstance, int]:
    """The features of a situation that are not of the hand."""
    side = situation.side
    passes = leading_passes(situation.auction.calls)
    return {WE: int(situation.vul[side]), THEY: int(situation.vul[1 - side]), PASSES: passes}


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
        """As plain data; `says` is for readers only."""
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
            "says": say(self),
            "net": net,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Refinement:
        """The inverse of `to_dict`."""
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

    def to_yaml(self) -> str:
        """As a file that people can read."""
        import yaml

        data = self.to_dict()
        net, says = data.pop("net"), data.pop("says")
        parts = [
            yaml.safe_dump(data, default_flow_style=None, sort_keys=False, width=100),
            yaml.safe_dump({"says": says}, default_flow_style=False, width=1000),
            yaml.safe_dump({"net": net}, default_flow_style=None, sort_keys=False, width=100),
        ]
        return "".join(parts)


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


def feature_of(text: str) -> Any:
    """A feature of a learned net from its text."""
    if text.startswith("open("):
        return Open(Call.from_str(text[5:-1]))
    if text in (WE, THEY, PASSES):
        return Circumstance(text)
    return Feature.parse(text)


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


class Refinements:
    """The refinements of one player: by auction, read from a directory when an auction first comes up."""

    def __init__(self, known: Mapping[Key, Refinement] | None = None, folder: Path | None = None) -> None:
        self._known: dict[Key, Refinement | None] = dict(known or {})
        self._files: dict[Key, Path] = {}
        self._fits: WeakKeyDictionary[Situation, bool] = WeakKeyDictionary()
        self.folder = folder
        """Where they come from, if from files."""
        if folder is not None:
            for path in sorted(folder.glob("*.yaml")):
                self._files[file_key(path)] = path

    @classmethod
    def load(cls, path: str | Path, partner: bool = False) -> Refinements | None:
        """What a directory holds: a session, or nets alone; None when there is nothing of the partner.

        A name that is no directory is that of a refinement that comes with the package.
        """
        folder = Path(path)
        if not folder.is_dir():
            folder = shipped() / "refinements" / folder.name
        if not folder.is_dir():
            raise RefinementError(f"no directory of refinements: {path}")
        if partner:
            own = folder / "partner"
            return cls(folder=own) if own.is_dir() else None
        nets = folder / "nets"
        found = cls(folder=nets if nets.is_dir() else folder)
        if not found._files and not (folder / "settings.json").exists():
            raise RefinementError(f"no refinements in {folder}: expected files such as nets/1N-P.yaml")
        return found

    def __len__(self) -> int:
        return len({*self._files, *self._known})

    def __iter__(self) -> Iterator[Refinement]:
        for key in sorted({*self._files, *self._known}, key=lambda key: (len(key), key)):
            found = self.get(key)
            if found is not None:
                yield found

    def get(self, key: Key) -> Refinement | None:
        """The refinement of an auction."""
        if key in self._known:
            return self._known[key]
        path = self._files.get(key)
        if path is None:
            return None
        self._known[key] = found = read_refinement(path)
        return found

    def find(self, auction: Auction, table: Table) -> Refinement | None:
        """The refinement of an auction, if the rules are those that it refines."""
        key = key_of(auction.calls)
        if key not in self._known and key not in self._files:
            return None
        found = self.get(key)
        if found is None or not found.fingerprints:
            return found
        situation = table.situation(auction)
        fits = self._fits.get(situation)
        if fits is None:
            fits = self._fits[situation] = fingerprint(situation) in found.fingerprints
            if not fits:
                warnings.warn(
                    f"what was learned for {key_text(key)} is not used: the rules of this auction have "
                    f"changed since{f' ({self.folder})' if self.folder else ''}",
                    RefinementWarning,
                    stacklevel=2,
                )
        return found if fits else None

    def with_(self, more: Mapping[Key, Refinement]) -> Refinements:
        """These and more."""
        return Refinements({**{one.key: one for one in self}, **more})


def file_key(path: Path) -> Key:
    """The auction that a file is about, by its name."""
    try:
        return tuple(Call.from_str(call) for call in path.stem.split("-"))
    except PidmError as error:
        raise RefinementError(
            f"{path}: the name of a refinement is its auction, 1N-P.yaml: {error}"
        ) from None


def file_name(key: Key) -> str:
    """The name of the file of an auction."""
    return "-".join(map(str, key)) + ".yaml"


def read_refinement(path: Path) -> Refinement:
    """Read a file."""
    import yaml

    try:
        return Refinement.from_dict(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, IndexError, PidmError) as error:
        raise RefinementError(f"{path}: not a refinement: {type(error).__name__} {error}") from None


def write_refinement(folder: Path, refinement: Refinement) -> None:
    """Write a file, whole or not at all."""
    write_atomic(folder / file_name(refinement.key), refinement.to_yaml())


# ---------------------------------------------------------------------- in words


def say(refinement: Refinement) -> list[str]:
    """What was learned, as a player would say it."""
    lines: list[str] = []
    for calls, node in refinement.conflicts():
        trees = [other for other in node.elses if other.priority is None]
        what = f"{calls[0]}, or {' or '.join(map(str, calls[1:]))}"
        if trees:
            lines.append(f"{what}:")
            for tree in trees:
                lines += [f"  {line}" for line in _say_tree(tree, node.box)]
        else:
            lines.append(f"{what}: {_say_leaf(node)}")
    return lines


def _say_tree(node: Node, above: Box) -> list[str]:
    """A tree as nested tests."""
    if node.proposals:
        return [_say_leaf(node)]
    lines: list[str] = []
    for high in node.children:
        test = _words(high.box.beyond(above))
        below = _say_tree(high, high.box)
        lines += [f"{test}: {below[0]}"] if len(below) == 1 else [f"{test}:", *(f"  {one}" for one in below)]
    for low in node.elses:
        below = _say_tree(low, low.box)
        lines += (
            [f"otherwise {below[0]}"] if len(below) == 1 else ["otherwise", *(f"  {one}" for one in below)]
        )
    return lines


def _say_leaf(node: Node) -> str:
    source = node.proposals[0].source
    first, *others = (str(Call(action)) for action in node.actions)
    if others:
        behind = source.examples if isinstance(source, Learned) else 0
        return f"{first} rather than {' or '.join(others)}, left open ({behind} examples)"
    return f"{first} ({source})" if isinstance(source, Learned) else first


def _words(box: Box) -> str:
    parts = []
    for feature, (low, high) in box.items():
        if feature == PASSES:
            parts.append(f"opened after {low:g}+ passes")
        elif isinstance(feature, Circumstance):
            parts.append("we are vulnerable" if feature == WE else "they are vulnerable")
        elif isinstance(feature, Feature):
            parts.append(words_of({feature: (low, high)}))
    return ", ".join(parts)


def summary(refinements: Sequence[Refinement]) -> str:
    """How much was learned, in one line."""
    settled = sum(1 for one in refinements for _ in one.conflicts())
    examples = sum(one.examples for one in refinements)
    return f"{len(refinements)} auctions, {settled} choices, {examples} examples"
