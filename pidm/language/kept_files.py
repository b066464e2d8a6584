"""Files that were read before, kept as JSON in the user's cache directory.

An entry is found by a hash of the file and of the modules that read it, so it is never stale; whoever deletes
the directory loses a second or two. `PIDM_CACHE` moves it, or switches it off with `off`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from pathlib import Path

from pidm import features, language
from pidm.language.declarations import FileSpec
from pidm.language.encoding import Decoder, encode

MAX_ENTRIES = 1000
MAX_BUNDLES = 20
"""Whole systems (bundle.py), which are larger."""


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
    """Changes whenever the code that reads files changes, or the features that they may speak of."""
    readers = [Path(package.__file__ or "").parent for package in (language, features)]
    digest = hashlib.sha256()
    for module in sorted(path for folder in readers for path in folder.glob("*.py")):
        digest.update(module.name.encode() + module.read_bytes())
    return digest.digest()


def entry(data: bytes, kind: str = "json") -> Path | None:
    """Where something is kept that follows from these bytes; None when the cache is off."""
    folder = directory()
    return folder and folder / f"{hashlib.sha256(_version() + data).hexdigest()[:40]}.{kind}"


def load(data: bytes, path: str) -> FileSpec | None:
    """What was kept of a file with these bytes, or None. `path` is where the file stands now."""
    kept = entry(data)
    if kept is None:
        return None
    try:
        return Decoder(path).file(json.loads(kept.read_bytes()))
    except (OSError, ValueError, TypeError):
        # Not there, not readable or damaged: all the same, the file itself will be read.
        return None


def store(data: bytes, spec: FileSpec) -> None:
    """Keeps a file that was read without a mistake."""
    write(entry(data), json.dumps(encode(spec), separators=(",", ":")).encode())


def write(place: Path | None, data: bytes) -> None:
    """Keep something where `entry` says. A directory that cannot be written is no error."""
    if place is None:
        return
    fresh = place.with_name(f"{place.stem}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            fresh.write_bytes(data)
            fresh.replace(place)  # whole or not at all, whoever else is writing
        finally:
            fresh.unlink(missing_ok=True)
        _prune(place.parent, ".json", MAX_ENTRIES)
        _prune(place.parent, ".bundle", MAX_BUNDLES)
    except OSError:
        # Without a cache everything works, only slower.
        return


def _prune(folder: Path, ending: str, most: int) -> None:
    """Removes the oldest half of the entries when there are too many."""
    names = [name for name in os.listdir(folder) if name.endswith(ending)]
    if len(names) > most:
        entries = sorted((folder / name for name in names), key=lambda entry: entry.stat().st_mtime)
        for entry in entries[: len(entries) // 2]:
            entry.unlink(missing_ok=True)
