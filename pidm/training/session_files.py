"""The directory of a session. Whatever moment the power fails, what is there is whole or easily told apart.

settings.json  what was asked      states.json   the auctions found, the most rewarding first
examples.jsonl tagged states       nets/ partner/ what was learned, a file for each auction
curve.csv      progress            log.txt       what happened when       lock  held while a session runs
"""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from pidm.files import write_atomic
from pidm.language.system import System
from pidm.play.systems import digest
from pidm.reading.learned_features import Key
from pidm.reading.refinement import Refinement
from pidm.reading.refinement_files import file_name, read_refinement, write_refinement
from pidm.training.settings import Settings, TrainingError

NETS = ("nets", "partner")
"""The folders of what the two partners have learned; the first is of both, if they share."""


class Store:
    """A session directory, held by one process at a time."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._lock: IO[str] | None = None

    # ------------------------------------------------------------------ start and end

    def create(self, settings: Settings) -> None:
        """Start a session here; the directory must not hold one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.hold()
        if (self.folder / "settings.json").exists():
            raise TrainingError(f"{self.folder} holds a session already; go on with --resume {self.folder}")
        (self.folder / NETS[0]).mkdir(exist_ok=True)
        if not settings.shared:
            (self.folder / NETS[1]).mkdir(exist_ok=True)
        data = {"settings": json.loads(settings.to_json()), "systems": _digests(settings)}
        write_atomic(self.folder / "settings.json", json.dumps(data, indent=1) + "\n")

    def resume(self) -> Settings:
        """Go on with the session that is here."""
        settings, digests = self.settings()
        self.hold()
        if digests != _digests(settings):
            raise TrainingError(
                f"the files of {settings.system} have changed since this session was started: its examples "
                "would not fit; start a new session, or put the files back"
            )
        for left in self.folder.rglob(".*.tmp"):  # what was being written when the session was killed
            left.unlink()
        return settings

    def settings(self) -> tuple[Settings, dict[str, str]]:
        """What was asked, and the state of the systems' files then."""
        path = self.folder / "settings.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            return Settings.from_dict(data["settings"]), data["systems"]
        except FileNotFoundError:
            raise TrainingError(f"no session in {self.folder}: there is no settings.json") from None
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise TrainingError(f"{path} is damaged: {error}") from None

    def hold(self) -> None:
        """Take the lock, which the system releases however this process ends."""
        lock = open(self.folder / "lock", "a", encoding="utf-8")  # noqa: SIM115
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise TrainingError(f"another session is at work in {self.folder}") from None
        self._lock = lock

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # ------------------------------------------------------------------ what is kept

    def read_states(self) -> list[dict[str, Any]] | None:
        """The auctions found, if that has been done."""
        path = self.folder / "states.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def write_states(self, queue: Sequence[dict[str, Any]]) -> None:
        """Keep the auctions found."""
        lines = ",\n".join(json.dumps(one) for one in queue)
        write_atomic(self.folder / "states.json", f"[\n{lines}\n]\n")

    def read_examples(self) -> dict[tuple[int, str, int], dict[str, Any]]:
        """The examples by round, auction and number; a line that was cut off is removed."""
        path = self.folder / "examples.jsonl"
        if not path.exists():
            return {}
        data = path.read_bytes()
        found = {}
        whole = 0
        for line in data.splitlines(keepends=True):
            try:
                one = json.loads(line)
            except (json.JSONDecodeError, UnicodeDecodeError):
                break
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            found[one["round"], one["auction"], one["number"]] = one
        if whole < len(data):
            write_atomic(path, data[:whole])
        return found

    def add_examples(self, examples: Sequence[dict[str, Any]]) -> None:
        """Keep more examples."""
        self._append("examples.jsonl", "".join(json.dumps(one) + "\n" for one in examples))

    def net(self, place: int, key: Key) -> Refinement | None:
        """What was learned for an auction, if that has been done."""
        path = self.folder / NETS[place] / file_name(key)
        return read_refinement(path) if path.exists() else None

    def write_net(self, place: int, refinement: Refinement) -> None:
        """Keep what was learned."""
        write_refinement(self.folder / NETS[place], refinement)

    def read_curve(self) -> list[dict[str, str]]:
        """Progress so far."""
        path = self.folder / "curve.csv"
        return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []

    def write_curve(self, rows: Sequence[dict[str, Any]]) -> None:
        """Keep progress."""
        out = io.StringIO()
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_atomic(self.folder / "curve.csv", out.getvalue())

    def log(self, text: str) -> None:
        """Write down what happens."""
        self._append("log.txt", f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n")

    def _append(self, name: str, text: str) -> None:
        with open(self.folder / name, "ab") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())


def _digests(settings: Settings) -> dict[str, str]:
    """The state of the systems' files."""
    return {name: digest(System.load(name)) for name in dict.fromkeys(settings.systems())}
