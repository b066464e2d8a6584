"""Where the files of systems are found: the shipped ones, named folders, and how a search went."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language.source import suggest


@cache
def shipped() -> Path:
    """The folder of the systems that come with the package."""
    import pidm.systems

    return Path(pidm.systems.__path__[0]).resolve()


def short_place(place: str) -> str:
    """A place in a file as it is told to people: in shipped files from `systems/` on, wherever they lie."""
    return place.replace(f"{shipped()}/", "systems/")


FOLDERS = "PIDM_FOLDERS"
"""The environment variable of `named_folders`: `pidm --folder` sets it, and worker processes inherit it."""


def named_folders() -> tuple[Path, ...]:
    """Folders from which a system may include files, beside its own and that of the shipped systems."""
    named = os.environ.get(FOLDERS, "").split(os.pathsep)
    return tuple(Path(one).resolve() for one in named if one)


def shipped_systems() -> dict[str, Path]:
    """The systems that come with the package, by name."""
    found = {path.parent.name: path for path in sorted(shipped().glob("*/system.yaml"))}
    for path in sorted(shipped().glob("*.yaml")):
        if re.search(rb"^system:", path.read_bytes(), re.MULTILINE):  # others are parts
            found.setdefault(path.stem, path)
    return found


def shipped_conventions() -> dict[str, Path]:
    """The conventions that come with the package, by name."""
    return {path.stem: path for path in sorted((shipped() / "conventions").glob("*.yaml"))}


def find_system(name_or_path: str | Path) -> Path:
    """The file of a system: of a shipped one if the name is that, else the file of this path."""
    name = str(name_or_path)
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # the home of nobody
        path = Path(name)
    places = [shipped() / name, path] if path.name == name else [path]
    found = _first(one for place in places for one in candidates(place))
    if found is None:
        raise SystemFileErrors([SystemFileError(_no_such_system(name))])
    return found.resolve()


def candidates(path: Path) -> list[Path]:
    """Where a system or part named without `.yaml` may stand."""
    beside = [path.with_name(path.name + ".yaml")] if path.name else []
    return [path, *beside, path / "system.yaml"]


def _first(paths: Iterable[Path]) -> Path | None:
    return next((path for path in paths if _is_file(path)), None)


def _is_file(path: Path) -> bool:
    """Whether there is a file; a name that no file can have, of 300 characters for example, is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _no_such_system(name: str) -> str:
    return f"no system `{name}`: neither a file nor a shipped system; {suggest(name, shipped_systems())}"


@dataclass
class FileSearch:
    """How the files of a system were found, so that it can be told whether they would be found again."""

    missing: list[Path] = field(default_factory=list)
    """Where files were looked for that are not there."""
    digests: dict[Path, bytes] = field(default_factory=dict)
    """What was read, as SHA-256."""
    through_links: bool = False
    """A file was found through a link, which may lead elsewhere another time."""

    def first(self, paths: Iterable[Path]) -> Path | None:
        """The first file among the paths, its real path."""
        for path in paths:
            if _is_file(path):
                real = path.resolve()
                self.through_links |= str(real) != os.path.normpath(path)
                return real
            self.missing.append(path)
        return None


def shown_path(path: Path) -> str:
    """How messages name a file: from the current folder if it stands below that."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
