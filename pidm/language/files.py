"""From the name of a system to all its blocks: includes, the system extended, and the card of conventions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache as remembered
from pathlib import Path

from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language import cache
from pidm.language.source import Mark, Text, mistake, suggest
from pidm.language.specs import (
    AlternativeSpec,
    BlockSpec,
    CardEntry,
    ConventionSpec,
    FileSpec,
    LineSpec,
    NeverSpec,
    SystemSpec,
)

__all__ = [
    "AlternativeSpec",
    "BlockSpec",
    "CardEntry",
    "ConventionSpec",
    "FileSpec",
    "LineSpec",
    "NeverSpec",
    "SystemSpec",
    "load_file",
    "load_system",
    "shipped_conventions",
    "shipped_systems",
]


def load_system(
    name_or_path: str | Path,
    card: Mapping[str, bool] | None = None,
    errors: list[SystemFileError] | None = None,
) -> SystemSpec:
    """A system by the name of a shipped one or by the path of a file.

    `card` switches conventions on and off on top of what the files say. All mistakes of all files are
    raised together as `SystemFileErrors`; if `errors` is given they are added to that list instead, and what
    is right is returned.
    """
    found: list[SystemFileError] = [] if errors is None else errors
    path = _find_system(str(name_or_path))
    if path is None:
        raise SystemFileErrors([SystemFileError(_no_such_system(str(name_or_path)))])
    loader = _Loader(found)
    spec = loader.system(path, card or {})
    if errors is None and found:
        raise SystemFileErrors(found)
    return spec


def load_file(path: Path, errors: list[SystemFileError]) -> FileSpec | None:
    """One file, from the cache if it was read before; mistakes are added to `errors`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        errors.append(SystemFileError(f"cannot be read: {error.strerror}", str(path), 1, 1))
        return None
    spec = cache.load(data, str(path))
    if spec is not None:
        return spec
    from pidm.language import schema

    mine: list[SystemFileError] = []
    spec = schema.read(data, str(path), mine)
    if spec is not None and not mine:
        cache.store(data, spec)
    errors += mine
    return spec


@remembered
def shipped() -> Path:
    """The folder of the systems that come with the package."""
    from importlib.resources import files

    return Path(str(files("pidm.systems")))


def shipped_systems() -> dict[str, Path]:
    """The systems that come with the package, by name."""
    found = {path.parent.name: path for path in sorted(shipped().glob("*/system.yaml"))}
    for path in sorted(shipped().glob("*.yaml")):
        found.setdefault(path.stem, path)
    return found


def shipped_conventions() -> dict[str, Path]:
    """The conventions that come with the package, by name."""
    return {path.stem: path for path in sorted((shipped() / "conventions").glob("*.yaml"))}


def _find_system(name: str) -> Path | None:
    if "/" not in name and "\\" not in name and name in shipped_systems():
        return shipped_systems()[name]
    return _first(_candidates(Path(name).expanduser()))


def _candidates(path: Path) -> list[Path]:
    """Where a system or part named without `.yaml` may stand."""
    return [path, path.with_name(path.name + ".yaml") if path.name else path, path / "system.yaml"]


def _first(paths: Iterable[Path]) -> Path | None:
    return next((path for path in paths if path.is_file()), None)


def _no_such_system(name: str) -> str:
    return f"no system `{name}`: neither a file nor a shipped system; {suggest(name, shipped_systems())}"


@dataclass
class _Convention:
    """A convention that a system knows: its file, or the file in which blocks name it."""

    name: str
    path: str
    about: Text | None = None
    replaces: tuple[Text, ...] = ()
    needs: tuple[Text, ...] = ()


@dataclass
class _Part:
    """What a file contributes with all that it includes: blocks in order, each with who wrote it."""

    blocks: list[BlockSpec] = field(default_factory=list)
    conventions: list[frozenset[str]] = field(default_factory=list)
    """For every block the names that must be on the card."""


class _Loader:
    """Collects the files of one system."""

    def __init__(self, errors: list[SystemFileError]) -> None:
        self.errors = errors
        self.files: dict[Path, FileSpec | None] = {}
        self.known: dict[str, _Convention] = {}
        self.folders: list[Path] = []
        self.included: set[Path] = set()

    def system(self, path: Path, changes: Mapping[str, bool]) -> SystemSpec:
        file = self._file(path)
        if file is None:
            return SystemSpec(path.stem, None, str(path), (), frozenset(), {}, (path,))
        if file.kind != "system":
            message = f"the file holds a {file.kind}; expected one that starts with `system:`"
            self.errors.append(mistake(Mark(str(path), 1, 1), message))
        part, entries = self._own_and_extended(path, file, [])
        on = self._card(entries, changes, str(path))
        for name in on:
            part = self._add_convention(part, name)
        blocks = [block for block, names in zip(part.blocks, part.conventions) if names <= on.keys()]
        return SystemSpec(
            name=str(file.name or path.stem),
            about=None if file.about is None else str(file.about),
            path=str(path),
            blocks=tuple(blocks),
            conventions=frozenset(on),
            all_conventions=self._all_conventions(on.keys()),
            files=tuple(self.files),
        )

    def _file(self, path: Path) -> FileSpec | None:
        path = path.resolve()
        if path not in self.files:
            self.files[path] = load_file(path, self.errors)
            self.folders.append(path.parent)
        return self.files[path]

    # -- blocks

    def _own_and_extended(
        self, path: Path, file: FileSpec, above: list[Path]
    ) -> tuple[_Part, list[tuple[CardEntry, int]]]:
        """The blocks of a system and of those it extends; the entries of their cards, with the card's depth."""
        path = path.resolve()
        own = self._with_includes(path, file, file.layer or "system", frozenset(), [])
        entries: list[tuple[CardEntry, int]] = []
        depth = len(above)
        if file.extends is not None:
            base_path = self._find(file.extends, path, "system")
            base = self._file(base_path) if base_path else None
            if base_path is None or base is None:
                pass
            elif base_path.resolve() in [path, *above]:
                chain = " -> ".join(one.name for one in [*above, path, base_path])
                self._add(file.extends, f"systems that extend each other in a circle: {chain}")
            elif base.kind != "system":
                self._add(file.extends, f"`{file.extends}` is a {base.kind}; only a system can be extended")
            else:
                extended, entries = self._own_and_extended(base_path, base, [*above, path])
                own = self._replaced(own, extended, file.drop)
        elif file.drop:
            own = self._replaced(own, _Part(), file.drop)
        if file.card is not None:
            if file.whole_card:
                entries = []
            entries = [*entries, *((entry, depth) for entry in file.card)]
        return own, entries

    def _with_includes(
        self, path: Path, file: FileSpec, layer: str, names: frozenset[str], above: list[Path]
    ) -> _Part:
        """A file's own blocks, then those that it includes, less those whose id the file uses itself."""
        self.included.add(path)
        if file.kind == "convention" and file.name is not None:
            names = names | {str(file.name)}
            self._know(_Convention(str(file.name), str(path), file.about, file.replaces, file.needs))
        part = _Part()
        for block in file.blocks:
            wanted = names
            if block.convention is not None:
                wanted = names | {block.convention}
                self._know(_Convention(block.convention, str(path)))
            convention = block.convention or (str(file.name) if file.kind == "convention" else None)
            if convention is None and names:
                convention = next(iter(names))
            mine = "convention" if block.convention is not None else layer
            part.blocks.append(replace(block, layer=mine, convention=convention))
            part.conventions.append(wanted)
        self._unique(part)
        included = _Part()
        for name in file.include:
            target = self._find(name, path, "file")
            if target is None:
                continue
            if target in [path, *above]:
                chain = " -> ".join(one.name for one in [*above, path, target])
                self._add(name, f"files that include each other in a circle: {chain}")
                continue
            inner = self._file(target)
            if inner is None or target in self.included:
                continue
            if inner.kind == "system":
                self._add(name, f"`{name}` is a system: write `extends: {name}` to start from it")
                continue
            default = "convention" if inner.kind == "convention" else layer
            more = self._with_includes(target, inner, inner.layer or default, names, [*above, path])
            included.blocks += more.blocks
            included.conventions += more.conventions
        self._unique(included)
        return self._replaced(part, included, ())

    def _unique(self, part: _Part) -> None:
        """Two blocks of equal standing must not have one id."""
        first: dict[str, Mark] = {}
        for block in part.blocks:
            if block.id is None:
                continue
            other = first.setdefault(block.id, block.id.mark)
            if other is not block.id.mark and other != block.id.mark:
                place = (
                    f"line {other.line}" if other.path == block.id.mark.path else f"{other.path}:{other.line}"
                )
                self._add(block.id, f"the id `{block.id}` stands twice (first in {place})")

    def _replaced(self, own: _Part, other: _Part, drop: tuple[Text, ...]) -> _Part:
        """Own blocks, then the others without those that are replaced by id or dropped."""
        ids = {str(block.id) for block in [*own.blocks, *other.blocks] if block.id is not None}
        for name in drop:
            if name not in ids:
                self._add(name, f"no block has the id `{name}`; {suggest(name, ids)}")
        gone = {str(block.id) for block in own.blocks if block.id is not None} | set(drop)
        kept = _Part([*own.blocks], [*own.conventions])
        for block, names in zip(other.blocks, other.conventions):
            if block.id is None or str(block.id) not in gone:
                kept.blocks.append(block)
                kept.conventions.append(names)
        return kept

    def _find(self, name: Text, path: Path, what: str) -> Path | None:
        """A file named in another, relative to that one or shipped."""
        places = [path.parent / name, shipped() / name, shipped() / "conventions" / name]
        found = _first(one for place in places for one in _candidates(place))
        if found is None:
            near = {one.stem for one in path.parent.glob("*.yaml")} | set(shipped_systems())
            self._add(
                name,
                f"no {what} `{name}` beside this file or among the shipped systems; {suggest(name, near)}",
            )
            return None
        return found.resolve()

    def _add(self, text: Text, message: str) -> None:
        self.errors.append(mistake(text.mark, message))

    # -- conventions

    def _know(self, convention: _Convention) -> None:
        """Remembers a convention; what its own file says counts more than a block that names it."""
        old = self.known.get(convention.name)
        if old is None or (old.about is None and not old.needs and not old.replaces):
            self.known[convention.name] = convention

    def _convention_file(self, name: str) -> Path | None:
        """The file of a convention: beside the files of the system, in `conventions/` there, or shipped."""
        places = [place for folder in self.folders for place in (folder, folder / "conventions")]
        found = _first(place / f"{name}.yaml" for place in [*places, shipped() / "conventions"])
        return found and found.resolve()

    def _convention(self, name: str) -> _Convention | None:
        """A convention by name; its file is read if it was not yet."""
        if name in self.known:
            return self.known[name]
        path = self._convention_file(name)
        file = self._file(path) if path else None
        if path is None or file is None or file.kind != "convention" or file.name != name:
            return None
        self.known[name] = _Convention(name, str(path), file.about, file.replaces, file.needs)
        return self.known[name]

    def _names(self) -> set[str]:
        beside = {path.stem for folder in self.folders for path in (folder / "conventions").glob("*.yaml")}
        return {*self.known, *shipped_conventions(), *beside}

    def _card(
        self, entries: list[tuple[CardEntry, int]], changes: Mapping[str, bool], path: str
    ) -> dict[str, None]:
        """The names on the card, in the order in which they were switched on."""
        given = [(CardEntry(Text(name, Mark(path, 1, 1)), on), -1) for name, on in changes.items()]
        on: dict[str, None] = {}
        said: dict[str, tuple[int, bool]] = {}
        for entry, depth in [*entries, *given]:
            name = str(entry.name)
            if self._convention(name) is None:
                self._add(entry.name, f"no convention `{name}`; {suggest(name, self._names())}")
            elif entry.on:
                self._switch_on(entry.name, entry.name, depth, on, said)
            else:
                on.pop(name, None)
            said[name] = (depth, entry.on)
        for name in on:
            for need in self.known[name].needs:
                if str(need) not in on and str(need) in self.known:
                    message = f"`{name}` is on the card and needs `{need}`, which is off"
                    self.errors.append(mistake(Mark(path, 1, 1), message))
        return on

    def _switch_on(
        self, name: Text, entry: Text, depth: int, on: dict[str, None], said: dict[str, tuple[int, bool]]
    ) -> None:
        """Switches a convention on with what it needs, and off what cannot stand beside it."""
        convention = self._convention(str(name))
        if convention is None:
            self._add(name, f"no convention `{name}`; {suggest(name, self._names())}")
            return
        if str(name) in on:
            return
        against = {str(other) for other in convention.replaces}
        against |= {other for other in on if str(name) in map(str, self.known[other].replaces)}
        for other in sorted(against & on.keys()):
            if said.get(other) == (depth, True):
                self._add(entry, f"`{name}` and `{other}` cannot be on the card together")
            del on[other]
        on[str(name)] = None
        for need in convention.needs:
            self._switch_on(need, entry, depth, on, said)

    def _add_convention(self, part: _Part, name: str) -> _Part:
        """Adds the blocks of a convention on the card whose file nobody included."""
        convention = self.known[name]
        path = Path(convention.path)
        file = self.files.get(path)
        if file is None or path in self.included or file.kind != "convention":
            return part
        more = self._with_includes(path, file, file.layer or "convention", frozenset(), [])
        return self._replaced(part, more, ())

    def _all_conventions(self, on: Iterable[str]) -> dict[str, ConventionSpec]:
        found = {
            name: ConventionSpec(name, one.path, None if one.about is None else str(one.about), name in on)
            for name, one in self.known.items()
        }
        for name, path in shipped_conventions().items():
            found.setdefault(name, ConventionSpec(name, str(path), None, False))
        return found
