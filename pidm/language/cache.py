"""Files that were read before, kept as JSON in the user's cache directory.

An entry is found by a hash of the file and of the modules that read it, so it is never stale; whoever deletes
the directory loses half a second. `PIDM_CACHE` moves it, or switches it off with `off`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from pidm.language.source import Mark, Text
from pidm.language.specs import (
    AlternativeSpec,
    BlockSpec,
    CardEntry,
    FileSpec,
    LaterLines,
    LineSpec,
    NeverSpec,
)

MAX_ENTRIES = 1000
_READERS = (
    "source.py",
    "specs.py",
    "schema.py",
    "cache.py",
    "suits.py",
    "pattern.py",
    "meaning.py",
    "condition.py",
    "rules.py",
)


def directory() -> Path | None:
    """Where entries are kept; None when the cache is off."""
    chosen = os.environ.get("PIDM_CACHE", "")
    if chosen.lower() in ("off", "no", "0"):
        return None
    if chosen:
        return Path(chosen).expanduser()
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "pidm"


@functools.cache
def _version() -> bytes:
    """Changes whenever the modules that read files change."""
    from importlib.resources import files

    digest = hashlib.sha256()
    for name in _READERS:
        digest.update(files("pidm.language").joinpath(name).read_bytes())
    return digest.digest()


def _entry(data: bytes) -> Path | None:
    folder = directory()
    return folder and folder / f"{hashlib.sha256(_version() + data).hexdigest()[:40]}.json"


def load(data: bytes, path: str) -> FileSpec | None:
    """What was kept of a file with these bytes, or None. `path` is where the file stands now."""
    entry = _entry(data)
    if entry is None:
        return None
    try:
        return _decode(json.loads(entry.read_bytes()), path)
    except (OSError, ValueError, TypeError):
        # Not there, not readable or damaged: all the same, the file itself will be read.
        return None


def is_checked(data: bytes) -> bool:
    """Whether the texts of a system with these files were all read before without a mistake."""
    entry = _entry(b"checked" + data)
    return entry is not None and entry.exists()


def mark_checked(data: bytes) -> None:
    """Remembers that they were."""
    _write(_entry(b"checked" + data), "{}")


def store(data: bytes, spec: FileSpec) -> None:
    """Keeps a file that was read without a mistake."""
    _write(_entry(data), json.dumps(_encode(spec), separators=(",", ":")))


def _write(entry: Path | None, text: str) -> None:
    """A directory that cannot be written is no error."""
    if entry is None:
        return
    fresh = entry.with_name(f"{entry.stem}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        try:
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(entry)  # whole or not at all, whoever else is writing
        finally:
            fresh.unlink(missing_ok=True)
        _prune(entry.parent)
    except OSError:
        # Without a cache everything works, only slower.
        return


def _prune(folder: Path) -> None:
    """Removes the oldest half of the entries when there are too many."""
    names = [name for name in os.listdir(folder) if name.endswith(".json")]
    if len(names) > MAX_ENTRIES:
        entries = sorted((folder / name for name in names), key=lambda entry: entry.stat().st_mtime)
        for entry in entries[: len(entries) // 2]:
            entry.unlink(missing_ok=True)


def _put(text: Text | None) -> Any:
    return None if text is None else [str(text), text.mark.line, text.mark.column]


def _puts(texts: tuple[Text, ...]) -> list[Any]:
    return [_put(text) for text in texts]


def _encode(file: FileSpec) -> list[Any]:
    """The values of a file in the order of their declaration; places without the path."""
    return [
        file.kind,
        _put(file.name),
        _put(file.about),
        _put(file.extends),
        _puts(file.include),
        None if file.card is None else [[_put(entry.name), entry.on] for entry in file.card],
        file.whole_card,
        file.layer,
        _puts(file.replaces),
        _puts(file.needs),
        _puts(file.drop),
        [_encode_block(block) for block in file.blocks],
    ]


def _encode_block(block: BlockSpec) -> list[Any]:
    return [
        _put(block.title),
        _put(block.id),
        _puts(block.auction),
        _puts(block.when),
        _puts(block.for_),
        block.convention,
        block.layer,
        block.priority,
        [_encode_line(line) for line in block.lines],
        [[_put(never.call), _puts(never.when)] for never in block.never],
        _puts(block.examples),
        block.mark[1:],
    ]


def _encode_line(line: LineSpec) -> list[Any]:
    return [
        _put(line.call),
        [[_put(one.shows), one.priority] for one in line.alternatives],
        _puts(line.when),
        line.priority,
        _put(line.forcing),
        _put(line.agrees),
        _puts(line.starts),
        _puts(line.ends),
        _put(line.alert),
        _put(line.note),
        _puts(line.examples),
        line.rank,
        line.mark[1:],
    ]


def _decode(values: list[Any], path: str) -> FileSpec:
    """The inverse of `_encode`, with places in `path`."""

    def text(value: list[Any] | None) -> Any:
        return None if value is None else Text(value[0], Mark(path, value[1], value[2]))

    def texts(items: list[list[Any]]) -> tuple[Text, ...]:
        return tuple(Text(value, Mark(path, line, column)) for value, line, column in items)

    def line(item: list[Any]) -> LineSpec:
        call, shows, when, priority, forcing, agrees, starts, ends, alert, note, examples, rank, mark = item
        return LineSpec(
            text(call),
            tuple(AlternativeSpec(text(one), number) for one, number in shows),
            texts(when),
            priority,
            text(forcing),
            text(agrees),
            texts(starts),
            texts(ends),
            text(alert),
            text(note),
            texts(examples),
            rank,
            Mark(path, *mark),
        )

    def block(item: list[Any]) -> BlockSpec:
        title, id_, auction, when, for_, convention, layer, priority, lines, never, examples, mark = item
        return BlockSpec(
            text(title),
            text(id_),
            texts(auction),
            texts(when),
            texts(for_),
            convention,
            layer,
            priority,
            LaterLines(lines, line),
            tuple(NeverSpec(text(call), texts(conditions)) for call, conditions in never),
            texts(examples),
            Mark(path, *mark),
        )

    kind, name, about, extends, include, card, whole_card, layer, replaces, needs, drop, blocks = values
    return FileSpec(
        path,
        kind,
        text(name),
        text(about),
        text(extends),
        texts(include),
        None if card is None else tuple(CardEntry(text(entry), on) for entry, on in card),
        whole_card,
        layer,
        texts(replaces),
        texts(needs),
        texts(drop),
        tuple(block(one) for one in blocks),
    )
