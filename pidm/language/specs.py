"""What the files of a system say, as plain values: texts with their places, not yet read as bridge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pidm.language.source import Mark, Text


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
    priority: int
    forcing: Text | None
    agrees: Text | None
    starts: tuple[Text, ...]
    ends: tuple[Text, ...]
    alert: Text | None
    note: Text | None
    examples: tuple[Text, ...]
    rank: int
    """Its place in the block; lines joined by `either` share one."""
    mark: Mark


@dataclass(frozen=True, slots=True)
class NeverSpec:
    """A call that must not be made."""

    call: Text
    when: tuple[Text, ...]


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
    """`convention`, `system` or `natural`; empty before the file's place in the system is known."""
    priority: int
    lines: tuple[LineSpec, ...]
    never: tuple[NeverSpec, ...]
    examples: tuple[Text, ...]
    mark: Mark


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
    blocks: tuple[BlockSpec, ...]


@dataclass(frozen=True, slots=True)
class ConventionSpec:
    """A convention that a system knows of, on its card or not."""

    name: str
    path: str
    about: str | None
    """What its file says of it; None for a shipped convention whose file was not needed."""
    on: bool


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A system with everything that it includes and extends, and its card applied."""

    name: str
    about: str | None
    path: str
    blocks: tuple[BlockSpec, ...]
    conventions: frozenset[str]
    """The names on the card."""
    all_conventions: dict[str, ConventionSpec]
    """Every convention that could be on the card, by name."""
    files: tuple[Path, ...]
    """The files that were read, the system's own first."""
