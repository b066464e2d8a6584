"""What the page may read: the systems that ship, and the files and folders named on the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from pidm.errors import PidmError, RequestError
from pidm.language.finding import shipped_systems
from pidm.web.stamps import Stamp, stamp_of
from pidm.web.watch_files import part_of

FIRST = ("two_over_one", "sayc")
"""The systems that are offered first."""


class UnknownError(RequestError):
    """Something that is not on offer."""

    status = 404


@dataclass(frozen=True)
class Catalogue:
    """Names on the page, and the paths behind them."""

    systems: dict[str, Path]
    """The systems, shipped ones first."""
    sessions: dict[str, Path] = field(default_factory=dict)
    """Folders of training sessions."""
    matches: dict[str, Path] = field(default_factory=dict)
    """Files of matches, as `pidm match --out` writes them; while it runs there is only a part beside it."""
    records: dict[str, Path] = field(default_factory=dict)
    """PBN and LIN files."""

    @classmethod
    def of(cls, paths: Iterable[str | Path] = ()) -> Catalogue:
        """Everything that ships, and what these paths are."""
        known = shipped_systems()
        systems = {name: known[name] for name in FIRST if name in known}
        found = cls({**systems, **known})
        for path in paths:
            found._add(Path(path))
        return found

    def _add(self, path: Path) -> None:
        if path.suffix == ".part":
            path = path.with_suffix("")
        if not path.exists() and not part_of(path).exists():
            raise PidmError(f"{path}: no such file or folder")
        if path.is_dir():
            if (path / "settings.json").exists():
                _put(self.sessions, path)
                return
            listed = sorted(one for one in path.iterdir() if _kind(one))
            if not listed:
                raise PidmError(f"{path}: neither a training session nor a folder with systems or records")
            for one in listed:
                self._add(one)
            return
        kind = _kind(path)
        if kind is None:
            raise PidmError(f"{path}: expected a system (.yaml), a record (.pbn, .lin) or a match (.json)")
        _put(getattr(self, kind), path)

    def system(self, name: str) -> str:
        """What a worker must load for a system of this name."""
        if name not in self.systems:
            raise UnknownError(f"no system {name!r} here; there are {', '.join(self.systems)}")
        return str(self.systems[name])

    def session(self, name: str) -> Path:
        """The folder of a session."""
        if name not in self.sessions:
            raise UnknownError(f"no session {name!r} here; name its folder when you start pidm serve")
        return self.sessions[name]

    def match(self, name: str) -> Path:
        """The file of a match."""
        known = self.matches if name in self.matches else self.all_matches()
        if name not in known:
            raise UnknownError(f"no match {name!r} here; name its file when you start pidm serve")
        return known[name]

    def matches_of(self, session: str) -> dict[str, Path]:
        """The matches whose results lie in the folder of a session, as they are now."""
        folder = self.session(session)
        files = {one.with_suffix("") if one.suffix == ".part" else one for one in folder.glob("*.json*")}
        return {f"{session}/{one.stem}": one for one in sorted(files) if _kind(one) == "matches"}

    def all_matches(self) -> dict[str, Path]:
        """Those that were named, and those in the folders of sessions."""
        found = dict(self.matches)
        for session in self.sessions:
            found |= self.matches_of(session)
        return found

    def record(self, name: str) -> Path:
        """A file of boards."""
        if name not in self.records:
            raise UnknownError(f"no file {name!r} here; name it when you start pidm serve, or drop it here")
        return self.records[name]


def _kind(path: Path) -> str | None:
    """Which of the lists a path belongs to."""
    if path.is_dir():
        return "sessions" if (path / "settings.json").exists() else None
    if path.name.endswith(".json.part") or part_of(path).exists():
        return "matches"
    ending = path.suffix.lower()
    if ending in (".yaml", ".yml"):
        return "systems" if _is_system(path) else None
    if ending in (".pbn", ".lin"):
        return "records"
    return "matches" if ending == ".json" and _is_match(path) else None


def _is_system(path: Path) -> bool:
    """Whether a file is a system of its own, not a part or a convention."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return any(line.startswith("system:") for line in file)


def _is_match(path: Path) -> bool:
    return _tells_of_a_match(path, stamp_of([path]))


@lru_cache(maxsize=256)
def _tells_of_a_match(path: Path, stamp: Stamp) -> bool:
    """Looked up once until the file changes: a folder that somebody watches is looked at every second."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return isinstance(data, dict) and data.get("kind") == "match"


def _put(into: dict[str, Path], path: Path) -> None:
    """Under the name of the file, with the folder where that is taken."""
    path = path.resolve()
    name = path.name if path.is_dir() or (into and path.suffix == "") else path.stem
    if path.suffix.lower() in (".pbn", ".lin"):
        name = path.name
    if into.get(name, path) != path:
        name = f"{path.parent.name}{os.sep}{name}"
    into[name] = path
