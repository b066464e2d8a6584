"""What the files of a system say, as plain values: texts with their places, not yet read as bridge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, overload

from pidm.language.source import Mark, Text

T = TypeVar("T")


TAKEN_OVER = "taken over"
"""The layer of shipped parts that somebody's own system includes: below what that system says itself."""


@dataclass(frozen=True, slots=True)
class AlternativeSpec:
    """One of the meanings that a line lists."""

    shows: Text
    priority: int = 0
    """Added to the priorities of line and block."""


@dataclass(frozen=True, slots=True)
class LineSpec:
    """One line of a block: a call and what it shows. What the block says for all its lines is filled in."""

    call: Text
    alternatives: tuple[AlternativeSpec, ...]
    when: tuple[Text, ...]
    for_: tuple[Text, ...]
    """Restricts the suits of this line alone."""
    priority: int
    forcing: Text | None
    agrees: Text | None
    starts: tuple[Text, ...]
    ends: tuple[Text, ...]
    alert: Text | None
    note: Text | None
    tells: Text | None
    """`nothing`: who makes the call tells partner nothing."""
    examples: tuple[Text, ...]
    rank: int
    """Its place in the block; lines joined by `either` share one."""
    mark: Mark


@dataclass(frozen=True, slots=True)
class NeverSpec:
    """A call that must not be made."""

    call: Text
    when: tuple[Text, ...]


class Later(Sequence[T]):
    """Values that are made from their kept form when somebody asks for them: most never are."""

    __slots__ = ("_kept", "_made", "_make")

    def __init__(self, kept: Sequence[Any], make: Callable[[Any], T]):
        self._kept = kept
        self._make = make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(len(self))[index])
        number = range(len(self))[index]
        if number not in self._made:
            self._made[number] = self._make(self._kept[number])
        return self._made[number]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class LaterLines(Later[LineSpec]):
    """The lines of a block, made one by one; their calls are known before."""

    __slots__ = ("calls",)

    def __init__(self, kept: Sequence[Any], make: Callable[[Any], LineSpec], calls: list[str]):
        super().__init__(kept, make)
        self.calls = calls


@dataclass(frozen=True, slots=True)
class BlockSpec:
    """A block: an auction and its lines."""

    title: Text | None
    id: Text | None
    auction: tuple[Text, ...]
    when: tuple[Text, ...]
    for_: tuple[Text, ...]
    convention: str | None
    """Must be on the card for the block to apply."""
    layer: str
    """Of `LAYERS` in `language.rules`; empty before the file's place in the system is known."""
    priority: int
    lines: Sequence[LineSpec]
    never: tuple[NeverSpec, ...]
    examples: tuple[Text, ...]
    mark: Mark

    @property
    def calls(self) -> list[str]:
        """The calls of its lines; this does not make the lines."""
        if isinstance(self.lines, LaterLines):
            return self.lines.calls
        return [line.call for line in self.lines]


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A convention that a card switches on or off."""

    name: Text
    on: bool


@dataclass(frozen=True, slots=True)
class FileSpec:
    """One file."""

    path: str
    kind: str
    """`system`, `convention` or `part`."""
    name: Text | None
    about: Text | None
    extends: Text | None
    include: tuple[Text, ...]
    card: tuple[CardEntry, ...] | None
    whole_card: bool
    """The card was written as a list: it stands instead of an extended card; otherwise it changes that."""
    layer: str | None
    replaces: tuple[Text, ...]
    needs: tuple[Text, ...]
    drop: tuple[Text, ...]
    counts: tuple[tuple[Text, Text], ...]
    """Features that a convention chooses calls by, each after the one in whose place it stands."""
    blocks: tuple[BlockSpec, ...]


@dataclass(frozen=True, slots=True)
class ConventionSpec:
    """A convention that a system knows of, on its card or not."""

    name: str
    path: str
    about: str | None
    """What its file says of it; None for a shipped convention whose file was not needed."""
    on: bool
    known: bool = True
    """False for a shipped convention that no file of the system speaks of."""


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A system with everything that it includes and extends, and its card applied."""

    name: str
    about: str | None
    path: str
    blocks: Sequence[BlockSpec]
    conventions: frozenset[str]
    """The names on the card."""
    all_conventions: dict[str, ConventionSpec]
    """Every convention that could be on the card, by name."""
    files: tuple[Path, ...]
    """The files that were read, the system's own first."""
    counts: tuple[tuple[str, str], ...] = ()
    """What calls are chosen by: feature classes that rules speak of, each with the one asked instead."""
