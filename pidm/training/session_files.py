"""The directory of a session. Whatever moment the power fails, what is there is whole or easily told apart.

settings.json  what was asked      states.json   the auctions found, the most rewarding first
examples.jsonl tagged states       nets/ partner/ what was learned, a file for each auction
curve.csv      progress            log.txt       what happened when       lock  held while a session runs
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pidm.files import FolderLock, write_atomic
from pidm.play.systems import Systems, digest
from pidm.reading.learned_features import Key
from pidm.reading.refinement import Refinement
from pidm.reading.refinement_files import (
    Refinements,
    file_name,
    files_of,
    read_refinement,
    write_refinement,
)
from pidm.training.session_checks import (
    as_object,
    check_auction,
    check_example,
    check_number,
    damage,
    read_json,
)
from pidm.training.settings import Settings, TrainingError

NETS = ("nets", "partner")
"""The folders of what the two partners have learned; the first is of both, if they share."""
BEFORE = "before"
"""The folder of what they knew at the start, in folders of these names."""
FILES = ("settings.json", "states.json", "examples.jsonl", "curve.csv")
MEASURED = ("round", "nets", "examples", "score", "lookahead_ratio")
"""What a line of the curve must tell to go on."""


class SessionFolder:
    """A session directory, held by one process at a time."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._lock = FolderLock(self.folder)

    # ------------------------------------------------------------------ start and end

    def create(self, settings: Settings) -> None:
        """Start a session here; the directory must not hold one."""
        self._check_empty()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.hold()
        self._check_empty()  # another one may have been quicker
        if (self.folder / BEFORE).exists():  # of a start that was killed
            shutil.rmtree(self.folder / BEFORE)
        if settings.again is not None:
            self._copy_before(settings.again)
        data = {"settings": json.loads(settings.to_json()), "systems": _digests(settings)}
        write_atomic(self.folder / "settings.json", json.dumps(data, indent=1) + "\n")
        self._make_folders(settings)

    def _copy_before(self, again: str) -> None:
        """Keep what another session has learned, so that nothing that happens there changes this one."""
        learned = [list(Refinements.load(again, partner=partner) or ()) for partner in (False, True)]
        if not any(learned):
            raise TrainingError(f"{again} has learned no nets yet, so there is nothing to learn again")
        for name, nets in zip(NETS, learned):
            folder = self.folder / BEFORE / name
            folder.mkdir(parents=True)
            for one in nets:
                write_refinement(folder, one)

    def before(self, owner: int) -> Refinements | None:
        """What one of the partners knew at the start, if there was something."""
        found = files_of(self.folder / BEFORE / NETS[owner])
        return Refinements(stored=found) if found else None

    def _check_empty(self) -> None:
        """A new session has its directory to itself; what a killed start has left may be there."""
        found = {path.name for path in self.folder.iterdir()} if self.folder.exists() else set()
        if "settings.json" in found:
            raise TrainingError(f"{self.folder} holds a session already; go on with --resume {self.folder}")
        others = sorted(name for name in found - {"lock", BEFORE} if not _is_ours(name, ("settings.json",)))
        if others:
            raise TrainingError(
                f"{self.folder} is not empty and no session (it holds {others[0]}): give a new directory"
            )

    def _make_folders(self, settings: Settings) -> None:
        for name in NETS[: 1 if settings.shared else 2]:
            (self.folder / name).mkdir(exist_ok=True)

    def resume(self) -> Settings:
        """Go on with the session that is here."""
        settings, digests = self.settings()
        self.hold()
        now = _digests(settings)
        if digests != now:
            changed = ", ".join(name for name in now if digests.get(name) != now[name])
            raise TrainingError(
                f"the files of {changed or settings.system} have changed since this session was started: its "
                "examples would not fit; start a new session, or put the files back"
            )
        self._make_folders(settings)
        for folder, names in ((self.folder, FILES), *((self.folder / name, None) for name in NETS)):
            for left in folder.glob(".*.tmp"):  # what was being written when the session was killed
                if _is_ours(left.name, names):
                    left.unlink()
        return settings

    def settings(self) -> tuple[Settings, dict[str, str]]:
        """What was asked, and the state of the systems' files then."""
        path = self.folder / "settings.json"
        if not path.exists():
            raise TrainingError(f"no session in {self.folder}: there is no settings.json")
        with damage(path):
            data = as_object(read_json(path), "settings", "systems")
            return Settings.from_dict(as_object(data["settings"])), as_object(data["systems"])

    def hold(self) -> None:
        """Take the lock, which the system releases however this process ends."""
        if not self._lock.take():
            raise TrainingError(f"another session is at work in {self.folder}")

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    # ------------------------------------------------------------------ what is kept

    def read_states(self) -> list[dict[str, Any]] | None:
        """The auctions found, if that has been done."""
        path = self.folder / "states.json"
        if not path.exists():
            return None
        with damage(path):
            listed = read_json(path)
            if not isinstance(listed, list):
                raise ValueError("expected a list of auctions")
        for number, one in enumerate(listed, 1):
            with damage(f"{path}: auction {number}"):
                check_auction(one)
        return listed

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
        whole = data[: data.rfind(b"\n") + 1]
        found = {}
        for number, line in enumerate(whole.split(b"\n")[:-1], 1):
            with damage(f"{path}:{number}"):
                one = json.loads(line)
                check_example(one)
                found[one["round"], one["auction"], one["number"]] = one
        if len(whole) < len(data):
            write_atomic(path, whole)
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
        if not path.exists():
            return []
        with damage(path):
            rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(), strict=True))
        for number, row in enumerate(rows, 2):
            with damage(f"{path}:{number}"):
                if None in row or None in row.values() or not {*MEASURED} <= row.keys():
                    raise ValueError(f"expected a number for each of {', '.join(MEASURED)}")
                for value in row.values():
                    check_number(float(value))
        return rows

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
        path = self.folder / name
        try:
            with open(path, "ab") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:  # a full disk names no file
            raise OSError(error.errno, error.strerror, str(path)) from None


def _is_ours(name: str, files: Sequence[str] | None) -> bool:
    """Whether this is what we write beside one of these files before it takes its name; None: a net's."""
    found = re.fullmatch(r"\.(.+)\.[0-9a-f]{12}\.tmp", name)
    return found is not None and (found[1].endswith(".yaml") if files is None else found[1] in files)


def _digests(settings: Settings) -> dict[str, str]:
    """The state of the files of systems and models."""
    systems = Systems()
    return {name: digest(systems.other(name)) for name in dict.fromkeys(settings.systems())}
