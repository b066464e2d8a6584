"""Refinements on disk, and which of them a player uses.

One data file holds many, a line an auction (`two_over_one.jsonl`); a session of training keeps a directory
with a file for each auction that people can read (`nets/1N-P.yaml`).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.errors import PidmError, SystemFileError
from pidm.files import write_atomic
from pidm.language import source
from pidm.language.finding import shipped
from pidm.language.source import parse
from pidm.reading.learned_features import Key, key_of, key_text
from pidm.reading.refinement import Refinement, RefinementError, fingerprint
from pidm.reading.refinement_form import auction_of, plain_data
from pidm.reading.refinement_words import say
from pidm.reading.situation import Situation

if TYPE_CHECKING:
    from pidm.reading.table import Table

SUFFIX = ".jsonl"
"""Of data files with a line an auction."""
MAX_BYTES = 100_000_000
"""Of a data file."""


class RefinementWarning(UserWarning):
    """Learned nets that are not used, because the system has changed since."""


class Refinements:
    """The refinements of one player: by auction, made from their data when an auction first comes up."""

    def __init__(
        self, known: Mapping[Key, Refinement] | None = None, stored: Mapping[Key, Stored] | None = None
    ) -> None:
        self._known: dict[Key, Refinement] = dict(known or {})
        self._stored: dict[Key, Stored] = dict(stored or {})
        self._fits: WeakKeyDictionary[Situation, bool] = WeakKeyDictionary()
        self._warned = False

    @classmethod
    def load(cls, path: str | Path, partner: bool = False) -> Refinements | None:
        """What a data file or a directory holds: a session, or nets alone; None when there is nothing of the
        partner.

        A name that is neither is that of a refinement that comes with the package.
        """
        place = Path(path)
        if not _exists(place):
            place = shipped() / "refinements" / f"{place.name}{SUFFIX}"
        if not _exists(place):
            raise RefinementError(f"no refinements: {path} is no directory, no data file and none is shipped")
        if place.is_file():
            return None if partner else cls(stored=lines_of(place))
        if partner:
            own = place / "partner"
            return cls(stored=files_of(own)) if own.is_dir() else None
        nets = place / "nets"
        found = cls(stored=files_of(nets if nets.is_dir() else place))
        if not found._stored and not (place / "settings.json").exists():
            raise RefinementError(f"no refinements in {place}: expected files such as nets/1N-P.yaml")
        return found

    def __len__(self) -> int:
        return len(self._keys())

    def __iter__(self) -> Iterator[Refinement]:
        for key in sorted(self._keys(), key=lambda key: (len(key), key)):
            found = self.get(key)
            if found is not None:
                yield found

    def _keys(self) -> set[Key]:
        return {*self._stored, *self._known}

    def get(self, key: Key) -> Refinement | None:
        """The refinement of an auction."""
        if key not in self._known and key in self._stored:
            self._known[key] = self._stored[key]()
        return self._known.get(key)

    def find(self, auction: Auction, table: Table) -> Refinement | None:
        """The refinement of an auction, if the rules are those that it refines."""
        found = self.get(key_of(auction.calls))
        if found is None or not found.fingerprints:
            return found
        situation = table.situation(auction)
        fits = self._fits.get(situation)
        if fits is None:
            fits = self._fits[situation] = fingerprint(situation) in found.fingerprints
            if not fits and not self._warned:
                self._warned = True  # one line, however many of them there are
                warnings.warn(
                    f"what was learned for {key_text(found.key)} is not used, since its rules have changed; "
                    "`pidm refinements --check` lists all such auctions",
                    RefinementWarning,
                    stacklevel=2,
                )
        return found if fits else None

    def with_(self, more: Mapping[Key, Refinement]) -> Refinements:
        """These and more."""
        return Refinements({**{one.key: one for one in self}, **more})


Stored = Callable[[], Refinement]
"""Makes a refinement of its data."""


def lines_of(path: Path) -> dict[Key, Stored]:
    """The refinements of a data file, by auction."""
    found: dict[Key, Stored] = {}
    for number, line in enumerate(_bytes(path, MAX_BYTES).splitlines(), 1):
        place = f"{path}:{number}"
        try:
            data = json.loads(line.decode("utf-8"))
            key = _key(auction_of(data).split())
        except (ValueError, RecursionError, PidmError) as error:
            raise RefinementError(_damaged(place, error)) from None
        found[key] = partial(_made, data, place)
    return found


def write_lines(path: Path, refinements: Iterable[Refinement]) -> None:
    """Write a data file, a line an auction, whole or not at all."""
    ordered = sorted(refinements, key=lambda one: (len(one.key), one.key))
    lines = [json.dumps(one.to_dict(), separators=(",", ":")) for one in ordered]
    write_atomic(path, "".join(f"{line}\n" for line in lines))


def files_of(folder: Path) -> dict[Key, Stored]:
    """The refinements of a directory, by auction."""
    return {file_key(path): partial(read_refinement, path) for path in sorted(folder.glob("*.yaml"))}


def file_key(path: Path) -> Key:
    """The auction that a file is about, by its name."""
    try:
        return _key(path.stem.split("-"))
    except PidmError as error:
        raise RefinementError(
            f"{path}: the name of a refinement is its auction, 1N-P.yaml: {error}"
        ) from None


def file_name(key: Key) -> str:
    """The name of the file of an auction."""
    return "-".join(map(str, key)) + ".yaml"


def read_refinement(path: Path) -> Refinement:
    """Read the file of one auction."""
    mistakes: list[SystemFileError] = []
    tree = parse(_bytes(path, source.MAX_BYTES), str(path), mistakes)
    if mistakes:
        first = mistakes[0]
        raise RefinementError(_damaged(f"{first.path}:{first.line}:{first.column}", first.message))
    return _made(plain_data(tree), str(path))


def _bytes(path: Path, most: int) -> bytes:
    size = path.stat().st_size
    if size > most:
        raise RefinementError(_damaged(str(path), f"{size:,} bytes; at most {most:,} are read"))
    return path.read_bytes()


def _exists(path: Path) -> bool:
    """Whether there is such a place; a name that none can have, of 300 characters for example, is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def write_refinement(folder: Path, refinement: Refinement) -> None:
    """Write the file of one auction, whole or not at all."""
    write_atomic(folder / file_name(refinement.key), as_yaml(refinement))


def as_yaml(refinement: Refinement) -> str:
    """As a file that people can read: `says` is for readers only."""
    import yaml

    data = refinement.to_dict()
    net = data.pop("net")
    parts = [
        yaml.safe_dump(data, default_flow_style=None, sort_keys=False, width=100),
        yaml.safe_dump({"says": say(refinement)}, default_flow_style=False, width=1000),
        yaml.safe_dump({"net": net}, default_flow_style=None, sort_keys=False, width=100),
    ]
    return "".join(parts)


def _key(calls: Iterable[str]) -> Key:
    return tuple(Call.from_str(call) for call in calls)


def _made(data: Mapping[str, object], place: str) -> Refinement:
    try:
        return Refinement.from_dict(data)
    except PidmError as error:
        raise RefinementError(_damaged(place, error)) from None


def _damaged(place: str, error: object) -> str:
    return f"{place}: not a refinement: {error}"
