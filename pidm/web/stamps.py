"""Whether files have changed."""

from __future__ import annotations

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
