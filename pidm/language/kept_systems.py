"""Whole systems that were read before: one entry of the cache each, of which only what is needed is decoded.

An entry holds the blocks of a system with the card applied, each as JSON of its own, and before them a table
of where each stands and of the auctions that its patterns can begin with. It is used only if every file that
the system was read from is still the same, byte by byte, and no file has appeared that would have been found
before one of them. It is written when all texts of the system have been read without a mistake.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pidm.language import kept_files as cache
from pidm.language.declarations import BlockSpec, ConventionSpec, Later, SystemSpec
from pidm.language.encoding import Decoder, encode_block
from pidm.language.loading import Search, named_folders, shipped, shipped_conventions
from pidm.language.pattern import Start
from pidm.language.source import MAX_BYTES


class Bundle(NamedTuple):
    """A system as it is kept."""

    spec: SystemSpec
    starts: Sequence[Sequence[Start]]
    """For each block, where its patterns can begin."""


def load(path: Path, card: Mapping[str, bool]) -> Bundle | None:
    """The system in the file at `path` with changes to its card, or None if it must be read."""
    entry = _entry(path, card)
    if entry is None:
        return None
    try:
        head, _, body = entry.read_bytes().partition(b"\n")
        return _decode(json.loads(head), body)
    except (OSError, ValueError, TypeError, KeyError):
        # Not there, not readable, damaged or out of date: all the same, the files themselves will be read.
        return None


def store(
    path: Path, card: Mapping[str, bool], spec: SystemSpec, starts: Sequence[Sequence[Start]], search: Search
) -> None:
    """Keep a system whose texts were all read without a mistake; `search` is how its files were found."""
    entry = _entry(path, card)
    files = [str(file) for file in spec.files]
    if entry is None or search.through_links:
        return
    shown = {_shown(file): number for number, file in enumerate(files)}
    if not all(block.mark.path in shown for block in spec.blocks):  # the current folder has changed meanwhile
        return
    blocks, pieces, place = [], [], 0
    for block, its_starts in zip(spec.blocks, starts):
        piece = json.dumps(encode_block(block), separators=(",", ":")).encode()
        blocks.append([shown[block.mark.path], place, place + len(piece), its_starts])
        pieces.append(piece)
        place += len(piece)
    body = b"".join(pieces)
    head = {
        "name": spec.name,
        "about": spec.about,
        "path": spec.path,
        "on": sorted(spec.conventions),
        "conventions": [
            [one.name, one.path, one.about, one.on] for one in spec.all_conventions.values() if one.known
        ],
        "files": files,
        "missing": [str(one) for one in search.missing],
        "digest": _joined(search.digests[file] for file in spec.files),
        "blocks": blocks,
        "check": zlib.crc32(body),
    }
    cache.write(entry, json.dumps(head, separators=(",", ":")).encode() + b"\n" + body)


def _entry(path: Path, card: Mapping[str, bool]) -> Path | None:
    folders = [str(folder) for folder in named_folders()]
    key = json.dumps([str(path), str(shipped()), sorted(card.items()), folders])
    return cache.entry(b"bundle" + key.encode(), "bundle")


def _digest(files: Sequence[str]) -> str:
    """A digest of what the files hold now."""
    digests = []
    for name in files:
        with open(name, "rb") as file:
            digests.append(hashlib.sha256(file.read(MAX_BYTES + 1)).digest())
    return _joined(digests)


def _joined(digests: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _decode(head: dict[str, Any], body: bytes) -> Bundle | None:
    files = head["files"]
    if head["check"] != zlib.crc32(body) or head["digest"] != _digest(files):
        return None
    if any(os.path.isfile(one) for one in head["missing"]):
        return None
    decoders: dict[int, Decoder] = {}

    def block(kept: list[Any]) -> BlockSpec:
        number, first, last, _ = kept
        if number not in decoders:
            decoders[number] = Decoder(_shown(files[number]))
        return decoders[number].block(json.loads(body[first:last]))

    conventions = {name: ConventionSpec(name, *rest) for name, *rest in head["conventions"]}
    for name, path in shipped_conventions().items():
        conventions.setdefault(name, ConventionSpec(name, str(path), None, False, known=False))
    spec = SystemSpec(
        head["name"],
        head["about"],
        head["path"],
        Later(head["blocks"], block),
        frozenset(head["on"]),
        conventions,
        tuple(Path(file) for file in files),
    )
    return Bundle(spec, [[Start(*start) for start in starts] for _, _, _, starts in head["blocks"]])


def _shown(path: str) -> str:
    """How messages name a file: from the current folder if it stands below that."""
    here = os.path.join(os.getcwd(), "")
    return path.removeprefix(here)
