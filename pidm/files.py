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


def held(folder: Path) -> IO[str] | None:
    """The lock of a directory, released however this process ends; None if another process holds it."""
    lock = open(folder / "lock", "a", encoding="utf-8")  # noqa: SIM115  held until it is closed
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock
