"""What can be tried: the operators.

Each looks at the lines of a system and proposes changes of texts. What they propose is bridge: all doubles of
a block a point lighter, a weak two on five cards, a convention off the card. Whether it is good, trials tell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from pidm.language.declarations import BlockSpec, LineSpec
from pidm.language.system import System
from pidm.tuning.changes import Change, Drop, Edit, Reword, Switch
from pidm.tuning.wording import (
    border_moved,
    borders,
    lengthened,
    long_suit_shorter,
    preemptive,
    range_moved,
    shifted,
    terms_dropped,
    without_quality,
)

COUNT = "count_by_tricks"
"""The convention whose count is tried."""

_GAME = re.compile(r"3N|4(?:[HSMYXZ]|oM)|5(?:[CDmYXZ]|om)")
_HIGH_BID = re.compile(r"(?:[2-5]|jump |cheapest )\S*")
_THEY_ACT = re.compile(r"\((?!P\))")
Line = tuple[BlockSpec, LineSpec]


# ---------------------------------------------------------------------- operators


def count(system: System) -> Iterator[Change]:
    """The count by tricks on the card, or off it."""
    if COUNT in system.spec.all_conventions:
        on = COUNT not in system.conventions
        yield Change("count", f"{COUNT} {'on' if on else 'off'} the card", (Switch(COUNT, on),))


def doubles(system: System) -> Iterator[Change]:
    """All doubles of a file, and then of a block, a point lighter or heavier."""
    yield from _shifted(system, "doubles", lambda line: line.call == "X", "the doubles")


def competing(system: System) -> Iterator[Change]:
    """All bids of a block where they have acted, a point lighter or heavier."""
    lines = [
        (block, line)
        for block, line in _lines(system)
        if any(_THEY_ACT.search(text) for text in block.auction) and line.call not in ("X", "XX", "P")
    ]
    for mine in _grouped(lines, lambda one: one[0].mark).values():
        for by in (-1, 1):
            title = f"{_where(mine[0][0])}: all bids {_way(by)}"
            yield Change("competing", title, _shift_all(mine, by))


def preempts(system: System) -> Iterator[Change]:
    """Shape, suits and vulnerability of preempts: a card fewer, any suit, a point fewer, also vulnerable."""
    for block, line in _lines(system):
        texts = [one.shows for one in line.alternatives]
        if not _HIGH_BID.fullmatch(line.call) or not all(map(preemptive, texts)):
            continue
        where = f"{_where(block)}, {line.call}"
        ways: dict[str, Callable[[str], str]] = {
            "a card fewer": long_suit_shorter,
            "any suit": without_quality,
            "a point fewer": lambda text: shifted(text, -1),
            "two points fewer": lambda text: shifted(text, -2),
        }
        for way, change in ways.items():
            yield Change("preempts", f"{where}: {way}", _reworded(line, change))
        for text in line.when:
            if "not vul" in text:
                rest = ", ".join(part.strip() for part in text.split(",") if part.strip() != "not vul")
                if rest:
                    edit = Reword(text.mark, str(text), rest)
                    yield Change("preempts", f"{where}: vulnerable, too", (edit,))


def games(system: System) -> Iterator[Change]:
    """All game bids of a file, and then of a block, a point lighter or heavier."""
    yield from _shifted(system, "games", lambda line: bool(_GAME.fullmatch(line.call)), "the games")


def conventions(system: System) -> Iterator[Change]:
    """A convention off the card, or on it."""
    for name in sorted(set(system.spec.all_conventions) - {COUNT}):
        on = name not in system.conventions
        yield Change("conventions", f"{name} {'on' if on else 'off'} the card", (Switch(name, on),))


def limits(system: System) -> Iterator[Change]:
    """Where the points of one line end and those of the next begin, both a point lower or higher: a limit
    raise lighter, and the single raise below it, too."""
    for block in system.spec.blocks:
        ends: dict[tuple[str, int], set[str]] = defaultdict(set)
        for line in block.lines:
            for one in line.alternatives:
                for end, border in borders(str(one.shows)):
                    ends[border].add(end)
        for unit, points in sorted(border for border, found in ends.items() if len(found) == 2):
            for by in (-1, 1):
                move = partial(border_moved, unit=unit, points=points, by=by)
                edits = tuple(chain.from_iterable(_reworded(line, move) for line in block.lines))
                title = f"{_where(block)}: the limit above {points} {unit} {by:+d}"
                yield Change("limits", title, edits)


def lines_off(system: System) -> Iterator[Change]:
    """A line less."""
    for block, line in _lines(system):
        if line.call != "P" and len(block.lines) > 1:
            title = f"{_where(block)}, {line.call}: without this line"
            yield Change("lines", title, (Drop(line.mark, str(line.call)),))


def alternatives(system: System) -> Iterator[Change]:
    """One of several meanings of a line dropped, or one of its terms."""
    for block, line in _lines(system):
        where = f"{_where(block)}, {line.call}"
        several = len(line.alternatives) > 1
        for one in line.alternatives:
            parts = re.split(r"\s+or\s+(?=\d+(?:\+|-\d+)? \w|[a-z]+ )", one.shows)
            if several:
                title = f"{where}: without `{one.shows}`"
                yield Change("alternatives", title, (Reword(one.shows.mark, str(one.shows), ""),))
            for number, part in enumerate(parts) if len(parts) > 1 else ():
                rest = " or ".join(parts[:number] + parts[number + 1 :])
                edit = Reword(one.shows.mark, str(one.shows), rest)
                yield Change("alternatives", f"{where}: without `{part}`", (edit,))
            for term, rest in terms_dropped(str(one.shows)):
                edit = Reword(one.shows.mark, str(one.shows), rest)
                yield Change("alternatives", f"{where}: `{term}` not asked for", (edit,))


def ranges(system: System) -> Iterator[Change]:
    """Both ends of the points of a line, a point lower or higher: a notrump of 12-14 instead of 13-15."""
    for block, line in _lines(system):
        for by in (-1, 1):
            edits = _reworded(line, partial(range_moved, by=by))
            yield Change("ranges", f"{_where(block)}, {line.call}: the whole range {by:+d}", edits)


def lengths(system: System) -> Iterator[Change]:
    """The least length of the first suit that a meaning names, a card more or fewer."""
    for block, line in _lines(system):
        for one in line.alternatives:
            text = str(one.shows)
            for by, way in ((-1, "a card fewer"), (1, "a card more")):
                new = lengthened(text, by)
                if new != text:
                    title = f"{_where(block)}, {line.call}: `{text}` with {way}"
                    yield Change("lengths", title, (Reword(one.shows.mark, text, new),))


def thresholds(system: System) -> Iterator[Change]:
    """The least and the most points of a line, a point more or less."""
    for block, line in _lines(system):
        for least, by in ((True, -1), (True, 1), (False, 1), (False, -1)):
            edits = _reworded(line, partial(shifted, by=by, least=least))
            which = "least" if least else "most"
            title = f"{_where(block)}, {line.call}: the {which} points {by:+d}"
            yield Change("thresholds", title, edits)


OPERATORS: dict[str, Callable[[System], Iterator[Change]]] = {
    "count": count,
    "doubles": doubles,
    "preempts": preempts,
    "competing": competing,
    "games": games,
    "limits": limits,
    "ranges": ranges,
    "conventions": conventions,
    "lines": lines_off,
    "alternatives": alternatives,
    "lengths": lengths,
    "thresholds": thresholds,
}
"""By kind."""


# ---------------------------------------------------------------------- lines


def _lines(system: System) -> Iterator[Line]:
    for block in system.spec.blocks:
        for line in block.lines:
            yield block, line


def _grouped(lines: list[Line], key: Callable[[Line], object]) -> dict[object, list[Line]]:
    found: dict[object, list[Line]] = defaultdict(list)
    for one in lines:
        found[key(one)].append(one)
    return found


def _shifted(
    system: System, kind: str, wanted: Callable[[LineSpec], bool], what: str, by_block: bool = True
) -> Iterator[Change]:
    """All lines of a sort in a file, and if asked for in a block, a point lighter or heavier."""
    lines = [(block, line) for block, line in _lines(system) if wanted(line)]
    files = _grouped(lines, lambda one: one[0].mark.path)
    groups = [(str(path), mine) for path, mine in files.items()]
    if by_block:
        blocks = _grouped(lines, lambda one: one[0].mark)
        groups += [(_where(mine[0][0]), mine) for mine in blocks.values()]
    for where, mine in groups:
        for by in (-1, 1):
            yield Change(kind, f"{where}: {what} {_way(by)}", _shift_all(mine, by))


def _shift_all(lines: list[Line], by: int) -> tuple[Edit, ...]:
    return tuple(chain.from_iterable(_reworded(line, lambda text: shifted(text, by)) for _, line in lines))


def _reworded(line: LineSpec, change: Callable[[str], str]) -> tuple[Reword, ...]:
    """Edits of what a line shows, where the change makes a difference."""
    found = []
    for one in line.alternatives:
        new = change(str(one.shows))
        if new != one.shows:
            found.append(Reword(one.shows.mark, str(one.shows), new))
    return tuple(found)


def _where(block: BlockSpec) -> str:
    return f"{block.title or 'a block'} ({block.mark.path}:{block.mark.line})"


def _way(by: int) -> str:
    return f"{abs(by)} point {'lighter' if by < 0 else 'heavier'}"
