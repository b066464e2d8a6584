"""From the name of a system to all its blocks: includes, the system extended, and the card of conventions."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language import finding, store
from pidm.language.declarations import (
    TAKEN_OVER,
    AlternativeSpec,
    BlockSpec,
    CardEntry,
    ConventionSpec,
    FileSpec,
    LineSpec,
    NeverSpec,
    SystemSpec,
)
from pidm.language.finding import (
    FileSearch,
    candidates,
    find_system,
    named_folders,
    shipped_conventions,
    shipped_systems,
    shown_path,
)
from pidm.language.source import MAX_BYTES, Mark, Text, mistake, suggest, too_large

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
]


MAX_CHAIN = 50
"""Files that include each other in a row, or systems that extend each other."""


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
    path = find_system(name_or_path)
    spec = read_system(path, card or {}, found)[0]
    if errors is None and found:
        raise SystemFileErrors(found)
    return spec


def read_system(
    path: Path, card: Mapping[str, bool], errors: list[SystemFileError]
) -> tuple[SystemSpec, FileSearch]:
    """The system in the file at `path`, and how its files were found."""
    loader = _Loader(errors)
    return loader.system(path, card), loader.search


def load_file(
    path: Path, errors: list[SystemFileError], digests: dict[Path, bytes] | None = None
) -> FileSpec | None:
    """One file, from the store if it was read before; mistakes are added to `errors`, and the digest of what
    was read to `digests`."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            errors.append(mistake(Mark(shown_path(path), 1, 1), too_large(size)))
            return None
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)  # it may have grown
    except OSError as error:
        errors.append(SystemFileError(f"cannot be read: {error.strerror}", shown_path(path), 1, 1))
        return None
    if digests is not None:
        digests[path] = hashlib.sha256(data).digest()
    spec = store.load_file(data, shown_path(path))
    if spec is not None:
        return spec
    from pidm.language import schema

    mine: list[SystemFileError] = []
    spec = schema.read(data, shown_path(path), mine)
    if spec is not None and not mine:
        store.keep_file(data, spec)
    errors += mine
    return spec


def _is_shipped(path: Path) -> bool:
    return path.is_relative_to(finding.shipped())


@dataclass
class _Convention:
    """A convention that a system knows."""

    name: str
    path: str
    file: FileSpec | None = None
    """Its own file; None when it is only named by blocks of another file."""

    @property
    def needs(self) -> tuple[Text, ...]:
        return self.file.needs if self.file else ()

    @property
    def replaces(self) -> tuple[Text, ...]:
        return self.file.replaces if self.file else ()


@dataclass
class _Part:
    """Blocks in order, each with the names that must be on the card for it to apply."""

    blocks: list[BlockSpec] = field(default_factory=list)
    wanted: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, other: _Part, without: Iterable[str] = ()) -> None:
        """Appends the blocks of another part, less those with the given ids."""
        gone = set(without)
        for block, wanted in zip(other.blocks, other.wanted):
            if block.id is None or str(block.id) not in gone:
                self.blocks.append(block)
                self.wanted.append(wanted)

    def ids(self) -> set[str]:
        return {str(block.id) for block in self.blocks if block.id is not None}


class _Loader:
    """Collects the files of one system."""

    def __init__(self, errors: list[SystemFileError]) -> None:
        self.errors = errors
        self.search = FileSearch()
        self.roots: list[Path] = []
        """The folders that files may be included from."""
        self.files: dict[Path, FileSpec | None] = {}
        self.folders: dict[Path, None] = {}
        self.included: set[Path] = set()
        self.conventions: dict[str, _Convention] = {}
        self.ids: set[str] = set()
        self.dropped: list[Text] = []

    def system(self, path: Path, changes: Mapping[str, bool]) -> SystemSpec:
        """The system in the file at `path`, with changes to its card."""
        path = path.resolve()
        self.roots = [path.parent, finding.shipped(), *named_folders()]
        file = self._file(path)
        if file is None:
            return SystemSpec(path.stem, None, str(path), (), frozenset(), {}, (path,))
        if file.kind != "system":
            message = f"the file holds a {file.kind}; expected one that starts with `system:`"
            self.errors.append(mistake(Mark(file.path, 1, 1), message))
        part, entries = self._with_extended(path, file, [])
        on = self._card(entries, changes, path)
        for name in on:
            self._add_convention(part, name)
        for text in self.dropped:
            if text not in self.ids:
                self._add(text, f"no block has the id `{text}`; {suggest(text, self.ids)}")
        blocks = [block for block, wanted in zip(part.blocks, part.wanted) if on.keys() >= set(wanted)]
        return SystemSpec(
            name=str(file.name or path.stem),
            about=None if file.about is None else str(file.about),
            path=str(path),
            blocks=tuple(blocks),
            conventions=frozenset(on),
            all_conventions=self._all_conventions(on),
            files=tuple(self.files),
            counts=self._counts(on),
        )

    def _counts(self, on: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """What calls are chosen by, as the conventions on the card say."""
        files = (self.conventions[name].file for name in on)
        pairs = [pair for file in files if file is not None for pair in file.counts]
        return tuple((str(rule), str(asked)) for rule, asked in pairs)

    def _file(self, path: Path) -> FileSpec | None:
        """A file, read once."""
        if path not in self.files:
            self.files[path] = load_file(path, self.errors, self.search.digests)
            self.folders[path.parent] = None
        return self.files[path]

    def _add(self, text: Text, message: str) -> None:
        self.errors.append(mistake(text.mark, message))

    def _find(self, name: Text, path: Path) -> Path | None:
        """A file named in another, relative to that one or shipped."""
        places = [path.parent / name, finding.shipped() / name, finding.shipped() / "conventions" / name]
        allowed = [place for place in places if self._allowed(Path(os.path.normpath(place)))]
        found = self.search.first(one for place in allowed for one in candidates(place))
        if places[0] not in allowed if found is None else not self._allowed(found):
            self._add(
                name,
                f"`{name}` stands neither in the folder of the system nor among the shipped systems: "
                "`pidm --folder FOLDER` lets systems include files of another folder",
            )
            return None
        if found is None:
            near = {one.stem for one in path.parent.glob("*.yaml")} - {path.stem} | set(shipped_systems())
            self._add(name, f"no file `{name}` beside this one or among the shipped; {suggest(name, near)}")
        return found

    def _allowed(self, path: Path) -> bool:
        """Whether a file may be included: what stands elsewhere is none of ours, and is never read."""
        return any(path.is_relative_to(root) for root in self.roots)

    # Blocks.

    def _with_extended(
        self, path: Path, file: FileSpec, above: list[Path]
    ) -> tuple[_Part, list[tuple[CardEntry, int]]]:
        """The blocks of a system and of those it extends, and the entries of their cards.

        An entry comes with the depth of its card, 0 for that of the system itself.
        """
        part = self._with_includes(path, file, file.layer or "system", (), [])
        self.dropped += file.drop
        entries: list[tuple[CardEntry, int]] = []
        if file.extends is not None:
            base_path = self._find(file.extends, path)
            base = self._file(base_path) if base_path else None
            if base_path is None or base is None:
                pass
            elif base_path in (path, *above):
                chain = " -> ".join(one.name for one in (*above, path, base_path))
                self._add(file.extends, f"systems that extend each other in a circle: {chain}")
            elif base.kind != "system":
                self._add(file.extends, f"`{file.extends}` is a {base.kind}; only a system can be extended")
            elif len(above) >= MAX_CHAIN:
                self._add(file.extends, f"systems that extend each other, more than {MAX_CHAIN} in a row")
            else:
                extended, entries = self._with_extended(base_path, base, [*above, path])
                part.add(extended, without=part.ids() | set(file.drop))
        if file.card is not None:
            kept = [] if file.whole_card else entries
            entries = [*kept, *((entry, len(above)) for entry in file.card)]
        return part, entries

    def _with_includes(
        self, path: Path, file: FileSpec, layer: str, wanted: tuple[str, ...], above: list[Path]
    ) -> _Part:
        """A file's own blocks, then those that it includes, less those whose id the file uses itself."""
        self.included.add(path)
        if file.kind == "convention":
            wanted = (*wanted, str(file.name))
            self.conventions[str(file.name)] = _Convention(str(file.name), str(path), file)
        part = _Part()
        for block in file.blocks:
            own = block.convention
            if own is not None:
                self.conventions.setdefault(own, _Convention(own, str(path)))
            names = wanted if own is None else (*wanted, own)
            name = names[-1] if names else None
            mine = layer if own is None else "convention"
            part.blocks.append(replace(block, layer=mine, convention=name))
            part.wanted.append(names)
        self._check_ids(part)
        included = _Part()
        for name in file.include:
            included.add(self._included(name, path, layer, wanted, above))
        self._check_ids(included)
        part.add(included, without=part.ids() | set(file.drop))
        return part

    def _included(
        self, name: Text, path: Path, layer: str, wanted: tuple[str, ...], above: list[Path]
    ) -> _Part:
        """The blocks of a file that another includes; none if it was included before."""
        target = self._find(name, path)
        if target is None:
            return _Part()
        if target in (path, *above):
            chain = " -> ".join(one.name for one in (*above, path, target))
            self._add(name, f"files that include each other in a circle: {chain}")
            return _Part()
        if len(above) >= MAX_CHAIN:
            self._add(name, f"files that include each other, more than {MAX_CHAIN} in a row")
            return _Part()
        file = self._file(target)
        if file is None or target in self.included:
            return _Part()
        if file.kind == "system":
            self._add(name, f"`{name}` is a system: write `extends: {name}` to start from it")
            return _Part()
        default = "convention" if file.kind == "convention" else layer
        if default == "system" and _is_shipped(target) and not _is_shipped(path):
            default = TAKEN_OVER  # what authors write themselves goes first, however exact the part is
        return self._with_includes(target, file, file.layer or default, wanted, [*above, path])

    def _check_ids(self, part: _Part) -> None:
        """Two blocks of equal standing must not share an id."""
        first: dict[str, Mark] = {}
        for block in part.blocks:
            if block.id is None:
                continue
            other = first.setdefault(str(block.id), block.id.mark)
            if other is not block.id.mark:
                place = other.path if other.path != block.id.mark.path else "line"
                self._add(block.id, f"the id `{block.id}` stands twice (first in {place} {other.line})")
        self.ids |= first.keys()

    # Conventions.

    def _convention(self, name: str) -> _Convention | None:
        """A convention by name; its file is looked for if it was not read yet.

        The file stands beside the files of the system, in a folder `conventions` there, or is shipped.
        """
        known = self.conventions.get(name)
        if known is not None and known.file is not None:
            return known
        places = [place for folder in self.folders for place in (folder / "conventions", folder)]
        path = self.search.first(
            place / f"{name}.yaml" for place in (*places, finding.shipped() / "conventions")
        )
        file = self._file(path) if path and self._allowed(path) else None
        if path is None or file is None or file.kind != "convention":
            return known
        if file.name is not None and file.name != name:
            self._add(file.name, f"the file {path.name} must hold the convention `{name}`, not `{file.name}`")
        self.conventions[name] = _Convention(name, str(path), file)
        return self.conventions[name]

    def _unknown(self, entry: Text, name: str) -> None:
        beside = {path.stem for folder in self.folders for path in (folder / "conventions").glob("*.yaml")}
        names = {*self.conventions, *shipped_conventions(), *beside}
        self._add(entry, f"no convention `{name}`; {suggest(name, names)}")

    def _card(
        self, entries: list[tuple[CardEntry, int]], changes: Mapping[str, bool], path: Path
    ) -> dict[str, Text]:
        """The names on the card in the order of switching on, each with the entry that did it."""
        given = [
            (CardEntry(Text(name, Mark(shown_path(path), 1, 1)), on), -1) for name, on in changes.items()
        ]
        on: dict[str, Text] = {}
        said: dict[str, tuple[int, bool]] = {}
        for entry, depth in (*entries, *given):
            name = str(entry.name)
            if entry.on:
                self._switch_on(name, entry.name, depth, on, said)
            elif self._convention(name) is None:
                self._unknown(entry.name, name)
            else:
                on.pop(name, None)
            said[name] = (depth, entry.on)
        for name, text in on.items():
            for need in self.conventions[name].needs:
                if need not in on and need in self.conventions:
                    self._add(text, f"`{name}` is on the card and needs `{need}`, which is off")
        return on

    def _switch_on(
        self, name: str, entry: Text, depth: int, on: dict[str, Text], said: dict[str, tuple[int, bool]]
    ) -> None:
        """Switches a convention on with what it needs, and off what cannot stand beside it."""
        convention = self._convention(name)
        if convention is None:
            self._unknown(entry, name)
            return
        if name in on:
            return
        against = {str(other) for other in convention.replaces}
        against |= {other for other in on if name in self.conventions[other].replaces}
        for other in sorted(against & on.keys()):
            if said.get(other) == (depth, True):
                self._add(entry, f"`{name}` and `{other}` cannot be on the card together")
            del on[other]
        on[name] = entry
        for need in convention.needs:
            # What the same card switches off stays off, and is reported once the card is complete.
            if said.get(str(need)) != (depth, False):
                self._switch_on(str(need), entry, depth, on, said)

    def _add_convention(self, part: _Part, name: str) -> None:
        """Adds the blocks of a convention on the card whose file nobody included."""
        convention = self.conventions[name]
        path = Path(convention.path)
        if convention.file is not None and path not in self.included:
            layer = convention.file.layer or "convention"
            more = self._with_includes(path, convention.file, layer, (), [])
            part.add(more, without=part.ids() | set(self.dropped))

    def _all_conventions(self, on: Mapping[str, Text]) -> dict[str, ConventionSpec]:
        found: dict[str, ConventionSpec] = {}
        for name, one in self.conventions.items():
            about = one.file.about if one.file else None
            found[name] = ConventionSpec(name, one.path, None if about is None else str(about), name in on)
        for name, path in shipped_conventions().items():
            found.setdefault(name, ConventionSpec(name, str(path), None, False, known=False))
        return found
