"""Changes written into the files of a system, in place: comments and examples stay, each change has a note.

A text is found by its line and column. Afterwards the system is read again and held against what was tried;
if it differs, the files are put back as they were.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pidm.errors import PidmError
from pidm.files import write_atomic
from pidm.language.finding import shown_path
from pidm.language.source import Mark
from pidm.language.system import System
from pidm.tuning.changes import Change, ChangeError, Drop, Edit, Reword, Switch, texts_of, with_changes

Noted = tuple[Change, str]
"""A change, and what its note says."""


def rewritten(system: System, changes: Sequence[Noted]) -> dict[Path, str]:
    """The new texts of the files that change."""
    files = {shown_path(path): path for path in system.spec.files}
    edits: dict[Path, list[tuple[Reword | Drop, str]]] = defaultdict(list)
    switches: list[tuple[Switch, str]] = []
    for edit, note in _in_the_end(system, changes):
        if isinstance(edit, Switch):
            switches.append((edit, note))
        elif edit.mark.path in files:
            edits[files[edit.mark.path]].append((edit, note))
        else:
            raise ChangeError(f"{edit.mark} is in no file of {system.name}")
    found = {}
    for path in {*edits, *([Path(system.spec.path)] if switches else [])}:
        page = _Page(path.read_text(encoding="utf-8"))
        for edit, note in sorted(edits[path], key=lambda one: one[0].mark, reverse=True):
            page.edit(edit, note)
        lines = page.text().split("\n")
        for switch, note in switches if path == Path(system.spec.path) else ():
            _switch(lines, switch, note)
        found[path] = "\n".join(lines)
    return found


def _in_the_end(system: System, changes: Sequence[Noted]) -> list[tuple[Edit, str]]:
    """One edit a place: a text that was changed again becomes what it was last, and of a line that went only
    that is left."""
    texts: dict[Mark, tuple[Reword, str]] = {}
    others: list[tuple[Edit, str]] = []
    lines: dict[Mark, frozenset[Mark]] = {
        line.mark: frozenset(texts_of(line)) for block in system.spec.blocks for line in block.lines
    }
    for change, note in changes:
        for edit in change.edits:
            if not isinstance(edit, Reword):
                others.append((edit, note))
            elif edit.mark in texts:
                first, said = texts.pop(edit.mark)
                if first.old != edit.new:
                    texts[edit.mark] = replace(first, new=edit.new), f"{said}; {note}"
            else:
                texts[edit.mark] = edit, note
    gone = [lines.get(edit.mark, frozenset()) for edit, _ in others if isinstance(edit, Drop)]
    left = [one for mark, one in texts.items() if not any(mark in line for line in gone)]
    return [*left, *others]


def write(system: System, changes: Sequence[Noted]) -> list[Path]:
    """Write the changes into the files, and hold them against what was tried."""
    wanted = with_changes(system, [change for change, _ in changes])
    texts = rewritten(system, changes)
    before = {path: path.read_text(encoding="utf-8") for path in texts}
    for path, text in texts.items():
        write_atomic(path, text)
    try:
        read = System.load(system.spec.path)
        if _says(read) != _says(wanted):
            raise ChangeError(f"{system.name} does not read as it was tried; its files are as before")
    except PidmError:
        for path, text in before.items():
            write_atomic(path, text)
        raise
    return sorted(texts)


def _says(system: System) -> list[object]:
    """All that the lines of a system say of calls."""
    return [
        (
            sorted(system.conventions),
            [
                (str(line.call), [(str(one.shows), one.priority) for one in line.alternatives], *line.when)
                for line in block.lines
            ],
        )
        for block in system.spec.blocks
    ]


class _Page:
    """The lines of a file, with what is to stand above and below them: so that places stay right."""

    def __init__(self, text: str):
        self.rows: list[str | None] = list(text.split("\n"))
        """None for a line that has gone."""
        self._above: dict[int, str] = {}
        self._below: dict[int, list[str]] = {}

    def text(self) -> str:
        """The file as it shall be."""
        found: list[str] = []
        for number, row in enumerate(self.rows):
            found += [self._above[number]] if number in self._above else []
            found += [row] if row is not None else []
            found += self._below.get(number, [])
        return "\n".join(found)

    def edit(self, edit: Reword | Drop, note: str) -> None:
        """Make an edit; those of one line from the right to the left."""
        number = edit.mark.line - 1
        if isinstance(edit, Drop):
            self._drop(number, edit, note)
            return
        row, column = self.rows[number] or "", edit.mark.column - 1
        if row[column : column + len(edit.old)] != edit.old:
            raise ChangeError(f"{edit.mark}: `{edit.old}` does not stand here on one line; change it by hand")
        rest = row[column + len(edit.old) :]
        short = re.fullmatch(r"(\s*)- ([^:#]+|\"[^\"]+\"): ", row[:column])
        if not edit.new:
            if not re.fullmatch(r"\s*- \"?", row[:column]) or not re.fullmatch(r"\"?(\s+#.*)?", rest):
                raise ChangeError(f"{edit.mark}: `{edit.old}` has no line of its own; change it by hand")
            self.rows[number] = None
        elif short and short[2].strip() != "shows":
            deep = short[1] + 4 * " "
            self.rows[number] = f"{short[1]}- {short[2]}:"
            self._below[number] = [f"{deep}shows: {edit.new}{rest}", f"{deep}note: {note}"]
            return
        else:
            self.rows[number] = row[:column] + edit.new + rest
        self._note(number, note)

    def _note(self, number: int, note: str) -> None:
        """A note at the line of the system that a text belongs to; one is enough for all its texts."""
        key = self._shows(number)
        if key is None or key in self._above:
            return
        indent = re.match(r"\s*", self.rows[key] or "")[0]  # type: ignore[index]
        for other in self._siblings(key, indent):
            written = re.fullmatch(rf"({indent}note: )(\"?)(.*?)(\"?)", self.rows[other] or "")
            if written and not written[3].endswith(note):
                self.rows[other] = f"{written[1]}{written[2]}{written[3]}; {note}{written[4]}"
            if written:
                return
        self._above[key] = f"{indent}note: {note}"

    def _shows(self, number: int) -> int | None:
        """The row of the `shows:` that a row stands at, below or beside."""
        here = self.rows[number] or ""
        depth = len(here) - len(here.lstrip()) if here else 10**6
        for row in range(number, -1, -1):
            text = self.rows[row] or ""
            if re.match(r"\s*shows:", text) and len(text) - len(text.lstrip()) <= depth:
                return row
            if re.match(r"\s*- \S+:\s*$", text):  # where the line begins: what follows is beside
                below = range(row + 1, len(self.rows))
                return next((k for k in below if re.match(r"\s*shows:", self.rows[k] or "")), None)
        return None

    def _siblings(self, key: int, indent: str) -> list[int]:
        """The rows of the same mapping as the key, up to where the indent ends."""
        found = []
        for way in (range(key, -1, -1), range(key + 1, len(self.rows))):
            for row in way:
                here = self.rows[row] or ""
                if here.strip() and len(here) - len(here.lstrip()) < len(indent):
                    break
                if re.match(rf"{indent}\S", here):
                    found.append(row)
        return found

    def _drop(self, number: int, edit: Drop, note: str) -> None:
        """Without a line of a block and all that is indented below it; a comment tells of it."""
        start = re.match(r"(\s*)- ", self.rows[number] or "")
        if start is None:
            raise ChangeError(f"{edit.mark}: expected `- {edit.call}:` at the start of a line")
        self.rows[number] = f"{start[1]}# without {edit.call}: {note}"
        for row in range(number + 1, len(self.rows)):
            here = self.rows[row]
            if here is not None and not (here.startswith(start[1] + " ") and here.strip()):
                break
            self.rows[row] = None


def _switch(lines: list[str], switch: Switch, note: str) -> None:
    """A name on the card of the system's own file, or off it."""
    card = next((row for row, line in enumerate(lines) if re.match(r"card:\s*(#.*)?$", line)), None)
    if card is None:
        raise ChangeError(f"{switch.name}: the file has no `card:` with a line for each name")
    end = card + 1
    while end < len(lines) and re.match(r"\s+\S", lines[end]):
        end += 1
    mine = next(
        (
            row
            for row in range(card + 1, end)
            if re.fullmatch(rf"\s*(- )?{switch.name}\b(:.*)?(\s+#.*)?", lines[row])
        ),
        None,
    )
    listed = end > card + 1 and lines[card + 1].lstrip().startswith("- ")
    if listed and switch.on and mine is None:
        lines.insert(end, f"  - {switch.name}  # {note}")
    elif listed and not switch.on and mine is not None:
        lines[mine] = f"  # without {switch.name}: {note}"
    elif not listed:
        entry = f"  {switch.name}: {'on' if switch.on else 'off'}  # {note}"
        lines[mine if mine is not None else end : end if mine is None else mine + 1] = [entry]
    else:
        raise ChangeError(f"{switch.name} cannot be switched in the card of this file; change it by hand")
