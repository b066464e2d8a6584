"""What is tried, and in which order: the proposals of all operators, those of much used lines first."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path

from pidm.errors import PidmError
from pidm.language.source import Mark
from pidm.language.system import System
from pidm.tuning.changes import Change, Edit, Switch, lines_touched, out_of_date, with_changes
from pidm.tuning.operators import OPERATORS

SHARES = (1, 2, 4)
"""Of what looked good, one part in so many is tried at once."""
FEW = 4
"""Lines of a change after which all kinds of changes of these lines are tried."""


def proposals(
    system: System, only: Container[str] | None = None, within: Sequence[str] = ()
) -> Iterator[Change]:
    """All changes to try, by kind; each once. `only` names the kinds, `within` files or folders to which they
    are kept; the card is the system's own."""
    seen: set[str] = set()
    for kind, operator in OPERATORS.items():
        for change in operator(system) if only is None or kind in only else ():
            if change.edits and change.id not in seen and all(_within(one, within) for one in change.edits):
                seen.add(change.id)
                yield change


def _within(edit: Edit, places: Sequence[str]) -> bool:
    if not places or isinstance(edit, Switch):
        return True
    file = Path(edit.mark.path).absolute()
    return any(file.is_relative_to(Path(place).absolute()) for place in places)


def by_use(system: System, changes: Sequence[Change], uses: Mapping[Mark, int]) -> list[Change]:
    """The changes in the order in which they are tried: the card, then the lines that are used most."""
    lines = lines_touched(system, changes)

    def rank(change: Change) -> tuple[bool, int]:
        return not any(isinstance(one, Switch) for one in change.edits), -sum(
            uses.get(mark, 0) for mark in lines[change.id]
        )

    return sorted(changes, key=rank)


class Proposer:
    """Who says what to try next, from what has come out so far."""

    def __init__(self, system: System, only: Container[str] | None = None, within: Sequence[str] = ()):
        self.system = system
        """As it stands in its files."""
        for place in within:
            folder = Path(place).absolute()
            if not any(file.is_relative_to(folder) for file in map(Path.absolute, system.spec.files)):
                raise PidmError(
                    f"{place}: {system.name} has no file there; expected a file or folder of its own"
                )
        self._only, self._within = only, within

    def first(self, uses: Mapping[Mark, int]) -> list[Change]:
        """All that there is, in the order in which it is tried."""
        return by_use(self.system, list(proposals(self.system, self._only, self._within)), uses)

    def after(self, accepted: Sequence[Change]) -> list[Change]:
        """What to try once a change is part of the system: the same lines as they read now, for it may not
        have gone far enough. Of a change of many lines only its own kind goes on."""
        change = accepted[-1]
        mine = lines_touched(self.system, [change])[change.id]
        now = with_changes(self.system, accepted)
        found = list(proposals(now, self._only, self._within)) if mine else []
        lines = lines_touched(now, found)
        return [
            one
            for one in found
            if lines[one.id] and lines[one.id] <= mine and (one.kind == change.kind or len(mine) <= FEW)
        ]

    def together(self, hopeful: Sequence[Change], accepted: Sequence[Change]) -> list[Change]:
        """Changes that looked good without being sure, the best first, made at once: all of them, the better
        half, and the better half of that. Of two that touch the same line only the better one takes part."""
        lines = lines_touched(self.system, hopeful)
        stale, taken, chosen = out_of_date(hopeful, accepted), set[Mark](), list[Change]()
        for change in hopeful:
            mine = lines[change.id]
            if mine and change.id not in stale and taken.isdisjoint(mine):
                chosen.append(change)
                taken |= mine
        sizes = dict.fromkeys(len(chosen) // share for share in SHARES)
        return [_at_once(chosen[:size]) for size in sizes if size > 1]


def _at_once(changes: Sequence[Change]) -> Change:
    edits = tuple(edit for change in changes for edit in change.edits)
    titles = tuple(change.title for change in changes)
    return Change("together", f"{len(changes)} changes at once", edits, titles)
