"""The store of what was read: files and whole systems, kept in the user's cache directory.

An entry is found by a hash of what it was made from and of all code that reads system files, so it is never
stale. It carries a checksum: one that is damaged counts as not there, and is made anew. Whoever deletes the
directory loses a second or two. `PIDM_CACHE` moves it, or switches it off with `off`.

A system is kept as its blocks with the card applied, each as JSON of its own, and before them a table of
where each stands and of the auctions that its patterns can begin with, so that only what is needed is
decoded. It is used only if every file that it was read from is still the same, byte by byte, and no file
has appeared that would have been found before one of them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pidm import errors, features, language, symbols
from pidm.bridge import calls
from pidm.core import box
from pidm.language import finding
from pidm.language.declaration_data import Decoder, block_data, file_data
from pidm.language.declarations import BlockSpec, ConventionSpec, FileSpec, Later, SystemSpec
from pidm.language.finding import FileSearch, named_folders, shipped_conventions
from pidm.language.pattern import Start
from pidm.language.source import MAX_BYTES

MAX_FILES = 1000
"""Entries of files that are kept; beyond, the oldest half goes."""
MAX_SYSTEMS = 20
"""The same for whole systems, which are larger."""
MAX_FOUND = 200
"""The same for what was found out of systems."""
FILE, SYSTEM, FOUND = ".file", ".system", ".found"
"""How the names of entries end."""
CHECKSUM = 16
"""Bytes at the start of an entry."""

PACKAGES = (language, features)
MODULES = (box, calls, errors, symbols)
"""All code that shapes what is kept: what the modules of these packages import, and these modules."""


# ---------------------------------------------------------------------- entries


def directory() -> Path | None:
    """Where entries are kept; None when the store is off."""
    chosen = os.environ.get("PIDM_CACHE", "")
    if chosen.lower() in ("off", "no", "0"):
        return None
    if chosen:
        return Path(chosen).expanduser()
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "pidm"


def readers() -> list[Path]:
    """The files of the code that shapes what is kept."""
    folders = [Path(package.__file__ or "").parent for package in PACKAGES]
    found = [path for folder in folders for path in folder.glob("*.py")]
    return sorted([*found, *(Path(module.__file__ or "") for module in MODULES)])


@functools.cache
def _version() -> bytes:
    """Changes whenever the code that reads files changes, or the features that they may speak of."""
    digest = hashlib.sha256()
    for module in readers():
        digest.update(module.name.encode() + module.read_bytes())
    return digest.digest()


def _place(made_from: bytes, ending: str) -> Path | None:
    """Where something is kept that follows from these bytes; None when the store is off."""
    folder = directory()
    return folder and folder / f"{hashlib.sha256(_version() + made_from).hexdigest()[:40]}{ending}"


def _checksum(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


def _read(place: Path) -> bytes:
    """What an entry holds; a `ValueError` if it is damaged, an `OSError` if it is not there."""
    data = place.read_bytes()
    if data[:CHECKSUM] != _checksum(memoryview(data)[CHECKSUM:]):
        raise ValueError(f"{place} is damaged")
    return data[CHECKSUM:]


def _write(place: Path, data: bytes) -> None:
    """Keep something. A directory that cannot be written is no error."""
    fresh = place.with_name(f"{place.stem}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            fresh.write_bytes(_checksum(data) + data)
            fresh.replace(place)  # whole or not at all, whoever else is writing
        finally:
            fresh.unlink(missing_ok=True)
        _prune(place.parent, FILE, MAX_FILES)
        _prune(place.parent, SYSTEM, MAX_SYSTEMS)
        _prune(place.parent, FOUND, MAX_FOUND)
    except OSError:
        # Without a store everything works, only slower.
        return


def _prune(folder: Path, ending: str, most: int) -> None:
    """Removes the oldest half of the entries when there are too many."""
    names = [name for name in os.listdir(folder) if name.endswith(ending)]
    if len(names) > most:
        entries = sorted((folder / name for name in names), key=lambda entry: entry.stat().st_mtime)
        for entry in entries[: len(entries) // 2]:
            entry.unlink(missing_ok=True)


# ---------------------------------------------------------------------- files


def load_file(data: bytes, path: str) -> FileSpec | None:
    """What was kept of a file with these bytes, or None. `path` is where the file stands now."""
    place = _place(data, FILE)
    if place is None:
        return None
    try:
        return Decoder(path).file(json.loads(_read(place)))
    except (OSError, ValueError):
        # Not there, not readable or damaged: all the same, the file itself will be read.
        return None


def keep_file(data: bytes, spec: FileSpec) -> None:
    """Keeps a file that was read without a mistake."""
    place = _place(data, FILE)
    if place is not None:
        _write(place, _json(file_data(spec)))


def _json(values: object) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode()


# ---------------------------------------------------------------------- what was found out


def load_found(made_from: bytes) -> Any:
    """The plain data that was kept of what follows from these bytes, or None."""
    place = _place(made_from, FOUND)
    if place is None:
        return None
    try:
        return json.loads(_read(place))
    except (OSError, ValueError):
        # Not there, not readable or damaged: all the same, it will be found out anew.
        return None


def keep_found(made_from: bytes, data: Any) -> None:
    """Keep plain data that follows from these bytes."""
    place = _place(made_from, FOUND)
    if place is not None:
        _write(place, _json(data))


# ---------------------------------------------------------------------- whole systems


class KeptSystem(NamedTuple):
    """A system as it is kept."""

    spec: SystemSpec
    starts: Sequence[Sequence[Start]]
    """For each block, where its patterns can begin."""


def load_system(path: Path, card: Mapping[str, bool]) -> KeptSystem | None:
    """The system in the file at `path` with changes to its card, or None if it must be read."""
    place = _system_place(path, card)
    if place is None:
        return None
    try:
        head, _, body = _read(place).partition(b"\n")
        return _decode_system(json.loads(head), body)
    except (OSError, ValueError):
        # Not there, not readable or damaged, or a file is gone: all the same, the files will be read.
        return None


def keep_system(
    path: Path,
    card: Mapping[str, bool],
    spec: SystemSpec,
    starts: Sequence[Sequence[Start]],
    search: FileSearch,
) -> None:
    """Keep a system whose texts were all read without a mistake; `search` is how its files were found."""
    place = _system_place(path, card)
    files = [str(file) for file in spec.files]
    if place is None or search.through_links:
        return
    shown = {_shown(file): number for number, file in enumerate(files)}
    if not all(block.mark.path in shown for block in spec.blocks):  # the current folder has changed meanwhile
        return
    blocks, pieces, offset = [], [], 0
    for block, its_starts in zip(spec.blocks, starts):
        piece = _json(block_data(block))
        blocks.append([shown[block.mark.path], offset, offset + len(piece), its_starts])
        pieces.append(piece)
        offset += len(piece)
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
        "counts": spec.counts,
        "blocks": blocks,
    }
    _write(place, b"\n".join([_json(head), b"".join(pieces)]))


def _system_place(path: Path, card: Mapping[str, bool]) -> Path | None:
    folders = [str(folder) for folder in named_folders()]
    return _place(_json([str(path), str(finding.shipped()), sorted(card.items()), folders]), SYSTEM)


def _digest(files: Sequence[str]) -> str:
    """A digest of what the files hold now."""
    digests = []
    for name in files:
        with open(name, "rb") as file:
            digests.append(hashlib.sha256(file.read(MAX_BYTES + 1)).digest())
    return _joined(digests)


def _joined(digests: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _decode_system(head: dict[str, Any], body: bytes) -> KeptSystem | None:
    """A system, unless one of its files has changed."""
    files = head["files"]
    if head["digest"] != _digest(files):
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
        tuple((rule, asked) for rule, asked in head["counts"]),
    )
    return KeptSystem(spec, [[Start(*start) for start in starts] for _, _, _, starts in head["blocks"]])


def _shown(path: str) -> str:
    """How messages name a file: from the current folder if it stands below that."""
    here = os.path.join(os.getcwd(), "")
    return path.removeprefix(here)
