"""Results kept as they finish, a line for each piece of work, so that what is interrupted can go on.

The first line tells what is being done; whoever goes on must be doing the same. A line that was cut off when
the process was killed is removed.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pidm.errors import PidmError


class JournalError(PidmError):
    """Kept results that are damaged, or of something else."""


class Journal:
    """The kept results of one run, in order."""

    def __init__(self, path: Path, about: Mapping[str, Any], resume: bool = False) -> None:
        """Start a journal, or go on with the one that is there; `about` is what must not have changed."""
        self.path = path
        self._waiting: list[tuple[int, dict[str, Any]]] = []
        """Lines that nobody has asked for yet, with their numbers."""
        if path.exists() and not resume:
            raise JournalError(
                f"{path} holds the results of a run that was interrupted; go on with --resume, or remove it"
            )
        self._file = open(path, "a+b", buffering=0)  # noqa: SIM115  held, with its lock, until the run ends
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalError(f"another run is writing to {path}") from None
        try:
            self._read({"about": about})
        except JournalError:
            self.close()
            raise

    def _read(self, header: dict[str, Any]) -> None:
        """Read what is there; begin if not even the first line is."""
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self._file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            self._append(header)
        elif self._line(1, lines[0]) != header:
            raise JournalError(
                f"{self.path} holds results of other pairs, boards or options: give the same ones to go on "
                "with it, or remove it"
            )
        self._waiting = [(number, self._line(number, line)) for number, line in enumerate(lines[1:], 2)]

    def _line(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{self.path}:{number}: not JSON: {error}") from None
        if not isinstance(found, dict):
            raise JournalError(f"{self.path}:{number}: expected an object, not {str(found)[:50]!r}")
        return found

    def take(self, most: int) -> list[tuple[str, dict[str, Any]]]:
        """The next lines that were kept, with their places, as long as they hold at most so many results."""
        taken: list[tuple[str, dict[str, Any]]] = []
        while self._waiting:
            number, line = self._waiting[0]
            results = line.get("results")
            if not isinstance(results, list) or not isinstance(line.get("effort"), dict):
                raise JournalError(f"{self.path}:{number}: expected `results` and the `effort` they took")
            most -= len(results)
            if most < 0:
                break
            taken.append((f"{self.path}:{number}", self._waiting.pop(0)[1]))
        return taken

    def add(self, results: Sequence[Any], effort: Mapping[str, Any]) -> None:
        """Keep the results of one more piece of work."""
        self._append({"results": list(results), "effort": effort})

    def _append(self, what: Mapping[str, Any]) -> None:
        left = (json.dumps(what, default=_plain) + "\n").encode()
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}; go on with --resume") from None

    def finish(self) -> None:
        """All is done and written elsewhere."""
        self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Release the lock."""
        self._file.close()


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python."""
    return value.item()
