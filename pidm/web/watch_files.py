"""Files that somebody may be writing while they are read, for who watches.

Nothing here writes, and a line that is just being written is left for the next look.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pidm.errors import PidmError


def part_of(path: Path) -> Path:
    """Where the results of a match are kept while it runs."""
    return path.with_name(f"{path.name}.part")


def lines_of(path: Path) -> Iterator[Any]:
    """The whole lines of a file of JSON lines."""
    if not path.exists():
        return
    with open(path, "rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                return
            yield json.loads(line)


def text_of(path: Path) -> str:
    """All of a file; nothing if it is not there yet."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def held(path: Path) -> bool:
    """Whether somebody is at work there."""
    if not path.exists():
        return False
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


@contextmanager
def of_its_kind(path: Path, kind: str) -> Iterator[None]:
    """Says so when a file is not what it is taken for, by whatever it is that its reader stumbles over."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise PidmError(f"{path} cannot be read as {kind}: {type(error).__name__} {error}") from None
