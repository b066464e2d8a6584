"""What must last: practice and reviews, in one SQLite file in the user's data folder."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from pidm.errors import PidmError

FILE = "history.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS practice (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, at REAL NOT NULL, lost REAL, imps_par REAL, data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS practice_at ON practice (at);
CREATE TABLE IF NOT EXISTS reviews (
    id TEXT PRIMARY KEY, at REAL NOT NULL, name TEXT NOT NULL, boards INTEGER NOT NULL, data TEXT NOT NULL
);
"""


def data_folder() -> Path:
    """Where the user's data is kept; `PIDM_DATA` moves it."""
    chosen = os.environ.get("PIDM_DATA")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "pidm"
    if sys.platform == "win32" and os.environ.get("APPDATA"):
        return Path(os.environ["APPDATA"]) / "pidm"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pidm"


class History:
    """Boards that were practised and files that were reviewed."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or data_folder()) / FILE
        """The file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(self._open()) as database, database:
                database.executescript(_TABLES)
        except sqlite3.DatabaseError as error:
            raise PidmError(f"{self.path} cannot be used ({error}); move it away to start anew") from None

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=10.0)

    def add_practice(
        self, name: str, session: str, lost: float | None, imps_par: float, data: dict[str, Any]
    ) -> None:
        """Keep a board; one that is kept already is replaced."""
        row = (name, session, time.time(), lost, imps_par, json.dumps(data))
        with closing(self._open()) as database, database:
            database.execute("INSERT OR REPLACE INTO practice VALUES (?, ?, ?, ?, ?, ?)", row)

    def practice(self, session: str | None = None, most: int = 50) -> list[dict[str, Any]]:
        """The last boards, the newest first, of one session or of all."""
        where, values = ("WHERE session = ?", (session,)) if session is not None else ("", ())
        with closing(self._open()) as database:
            rows = database.execute(
                f"SELECT id, at, lost, imps_par, data FROM practice {where} ORDER BY at DESC LIMIT ?",
                (*values, most),
            ).fetchall()
        return [
            {"id": name, "at": at, "lost": lost, "imps_par": imps_par, **json.loads(data)}
            for name, at, lost, imps_par, data in rows
        ]

    def totals(self, session: str | None = None) -> dict[str, Any]:
        """The score over a session, or over everything."""
        where, values = ("WHERE session = ?", (session,)) if session is not None else ("", ())
        with closing(self._open()) as database:
            boards, lost, par = database.execute(
                f"SELECT COUNT(*), SUM(lost), SUM(imps_par) FROM practice {where}", values
            ).fetchone()
        return {"boards": boards, "lost": round(lost or 0.0, 2), "imps_par": par or 0}

    def add_review(self, name: str, file: str, boards: int, data: dict[str, Any]) -> None:
        """Keep a review."""
        with closing(self._open()) as database, database:
            row = (name, time.time(), file, boards, json.dumps(data))
            database.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)", row)

    def reviews(self, most: int = 50) -> list[dict[str, Any]]:
        """The last reviews without their boards, the newest first."""
        with closing(self._open()) as database:
            rows = database.execute(
                "SELECT id, at, name, boards FROM reviews ORDER BY at DESC LIMIT ?", (most,)
            ).fetchall()
        return [{"id": one, "at": at, "name": name, "boards": boards} for one, at, name, boards in rows]

    def review(self, name: str) -> dict[str, Any] | None:
        """A review that was kept."""
        with closing(self._open()) as database:
            row = database.execute("SELECT data FROM reviews WHERE id = ?", (name,)).fetchone()
        return json.loads(row[0]) if row is not None else None
