"""Changes of a system: texts of its files that become others, lines that go, conventions switched.

A change is plain data: the places of texts, what stands there and what shall. It is made in memory, for
trials, by `changed_system`, and in the files by `pidm.tuning.files`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pidm.errors import PidmError
from pidm.language.declarations import AlternativeSpec, BlockSpec, LineSpec
from pidm.language.source import Mark, Text
from pidm.language.system import System


class ChangeError(PidmError):
    """A change of something that is not there."""


@dataclass(frozen=True)
class Reword:
    """A text at its place becomes another: what a line shows, or one of its conditions."""

    mark: Mark
    old: str
    new: str


@dataclass(frozen=True)
class Drop:
    """A line of a block goes."""

    mark: Mark
    """Of the line."""
    call: str


@dataclass(frozen=True)
class Switch:
    """A convention goes on the card, or off it."""

    name: str
    on: bool


Edit = Reword | Drop | Switch


@dataclass(frozen=True)
class Change:
    """Something to try."""

    kind: str
    """The operator that proposed it."""
    title: str
    """In words."""
    edits: tuple[Edit, ...]
    parts: tuple[str, ...] = ()
    """The titles of what it is made of, if it is several changes at once."""

    @property
    def id(self) -> str:
        """A short name that follows from what is changed."""
        return hashlib.blake2b(repr(self.edits).encode(), digest_size=6).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        parts = {"parts": list(self.parts)} if self.parts else {}
        return {"kind": self.kind, "title": self.title, "id": self.id, **parts}

    @property
    def finds(self) -> frozenset[object]:
        """The texts that it must find as they are, each with its place."""
        return frozenset(
            (one.mark, one.old)
            if isinstance(one, Reword)
            else (one.mark, "")
            if isinstance(one, Drop)
            else one.name
            for one in self.edits
        )

    @property
    def makes(self) -> frozenset[object]:
        """The texts that stand there afterwards."""
        return frozenset((one.mark, one.new) for one in self.edits if isinstance(one, Reword) and one.new)


def changed_system(system: System, edits: Iterable[Edit]) -> System:
    """The system with these edits; blocks that they leave alone are shared with it."""
    edits = tuple(edits)
    switches = {one.name: one.on for one in edits if isinstance(one, Switch)}
    if switches:
        card = {name: name in system.conventions for name in system.spec.all_conventions}
        system = System.load(system.spec.path, {**card, **switches})
    blocks: dict[int, BlockSpec] = {}
    by_path: dict[str, list[Reword | Drop]] = defaultdict(list)
    for one in edits:
        if not isinstance(one, Switch):
            by_path[one.mark.path].append(one)
    done = 0
    for position, block in enumerate(system.spec.blocks):
        mine = by_path.get(block.mark.path)
        if mine:
            made, count = _changed_block(block, mine)
            if count:
                blocks[position] = made
                done += count
    if done < sum(map(len, by_path.values())):
        raise ChangeError(f"{system.name} does not have all the texts that are to be changed")
    return system.with_blocks(blocks)


def with_changes(original: System, changes: Sequence[Change]) -> System:
    """A system with changes made one after the other: each finds the texts as those before have left them.

    The card comes first, since what is on it says which files there are.
    """
    system = changed_system(
        original, [one for change in changes for one in change.edits if isinstance(one, Switch)]
    )
    for change in changes:
        system = changed_system(system, [one for one in change.edits if not isinstance(one, Switch)])
    return system


def lines_touched(system: System, changes: Iterable[Change]) -> dict[str, frozenset[Mark]]:
    """The lines that each change, by its id, rewords or drops."""
    lines = {
        mark: line.mark for block in system.spec.blocks for line in block.lines for mark in texts_of(line)
    }
    return {
        change.id: frozenset(
            lines[one.mark] for one in change.edits if not isinstance(one, Switch) and one.mark in lines
        )
        for change in changes
    }


def out_of_date(changes: Iterable[Change], accepted: Iterable[Change]) -> set[str]:
    """Which changes, by their ids, are about a text that reads otherwise since others were accepted."""
    gone: frozenset[object] = frozenset()
    for change in accepted:
        gone = (gone | change.finds) - change.makes
    return {change.id for change in changes if change.finds & gone}


def touched_blocks(system: System, change: Change) -> frozenset[int] | None:
    """The positions of the blocks that a change rewords; None if it may touch any."""
    if any(isinstance(one, Switch) for one in change.edits):
        return None
    marks = {one.mark for one in change.edits if not isinstance(one, Switch)}
    paths = {mark.path for mark in marks}
    found = set()
    for position, block in enumerate(system.spec.blocks):
        if block.mark.path in paths and any(mark in marks for line in block.lines for mark in texts_of(line)):
            found.add(position)
    return frozenset(found)


def texts_of(line: LineSpec) -> list[Mark]:
    """Where a line and its texts stand."""
    return [line.mark, *(one.shows.mark for one in line.alternatives), *(text.mark for text in line.when)]


def _changed_block(block: BlockSpec, edits: Sequence[Reword | Drop]) -> tuple[BlockSpec, int]:
    """The block with those of the edits that concern it, and how many these are."""
    drops = {one.mark for one in edits if isinstance(one, Drop)}
    words = {(one.mark, one.old): one.new for one in edits if isinstance(one, Reword)}
    count = 0

    def reworded(text: Text) -> Text | None:
        nonlocal count
        new = words.get((text.mark, str(text)))
        if new is None:
            return text
        count += 1
        return Text(new, text.mark) if new else None

    lines = []
    for line in block.lines:
        if line.mark in drops:
            count += 1
            continue
        before = count
        alternatives = [_with(one, reworded) for one in line.alternatives]
        when = [reworded(text) for text in line.when]
        if count > before:
            line = replace(
                line,
                alternatives=tuple(one for one in alternatives if one is not None),
                when=tuple(text for text in when if text is not None),
            )
        lines.append(line)
    return (replace(block, lines=tuple(lines)), count) if count else (block, 0)


def _with(one: AlternativeSpec, reworded: Callable[[Text], Text | None]) -> AlternativeSpec | None:
    text = reworded(one.shows)
    return None if text is None else replace(one, shows=text)
