"""Writing files so that nobody ever sees half of one, and directories that one process holds at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from pathlib import Path
from typing import IO


def write_atomic(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write the whole file or leave what was there: a file beside it is written, then takes its name."""
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError) and error.errno is not None:
            # Say it of the file that was meant; a full disk names none at all.
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


class FolderLock:
    """The lock of a directory that one process holds at a time; released however that process ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._file: IO[str] | None = None

    def take(self) -> bool:
        """Take the lock; False if another process holds it."""
        file = open(self._path, "a", encoding="utf-8")  # noqa: SIM115  open as long as the lock is held
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Give it back; nothing happens if it was not held."""
        if self._file is not None:
            self._file.close()
            self._file = None
