"""Whether files have changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

Stamp = tuple[tuple[int, int], ...]


def stamp_of(paths: Iterable[str | os.PathLike[str]]) -> Stamp:
    """Changes when one of the files does."""
    found = []
    for path in paths:
        try:
            status = os.stat(path)
        except FileNotFoundError:  # an editor that puts a new file in the place of the old one
            found.append((0, 0))
        else:
            found.append((status.st_mtime_ns, status.st_size))
    return tuple(found)


def mark_of(stamp: Stamp) -> str:
    """A short text that differs when the stamps do."""
    return hashlib.blake2b(repr(stamp).encode(), digest_size=8).hexdigest()
