"""The text of a PBN file (standard 2.1), cut into boards and their sections.

Also of files that are not quite what the standard wants: boards without blank lines between them or with
blank lines within, several tags in a line, comments without an end. What is damaged is known by its line and
costs no other board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from pidm.errors import PidmError, RecordError

T = TypeVar("T")

FIELDS = ("Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play")
"""The tags that a record has fields for."""
_PLAYERS = ("West", "North", "East", "South")
_HEADING = ("Event", "Site", "Date", "Board", *_PLAYERS, "Dealer", "Vulnerable", "Deal", "Scoring")
MANDATORY = (*_HEADING, "Declarer", "Contract", "Result")
"""The tags that the standard wants, in its order."""
_BODY = {"Deal", "Contract", "Auction", "Play"}
BOARD = {"Board", *_BODY}
"""The tags of which a board has at least one."""
UNKNOWN = ("", "?")
"""How a value says that it is not known."""
ALERT = "!"
"""PBN has no sign for an alert: a note that begins with this is one."""
_SPELLING = {name.lower(): name for name in (*MANDATORY, "Auction", "Play", "Note")}
_OPENING = {"Event", "Site", "Date", "Board"}
_TAG = r'\[\s*\w+\s*"'
_UNCLOSED = rf"[^\S\n]*(?:\{{|\n\s*{_TAG}|{_TAG}[^}}]*\{{)"
"""What no comment goes on with in its next line: another one, a new board, a tag and then another comment."""
_TOKEN = re.compile(
    rf"""
    (?P<blank>^[^\S\n]*\n)
    | ^%.*
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    | \{{(?P<comment>[^}}\n]*(?:\n(?!{_UNCLOSED})[^}}\n]*)*)\}}
    | ;(?P<remark>.*)
    | (?P<bad>[\[{{].*)
    | (?P<row>(?:[^\[{{;"\n]|"(?:[^"\\\n]|\\.)*"?)+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_ROW = re.compile(r"\s*(([1-7](NT?|[SHDC])|Pass|XX?|AP|[SHDC][2-9TJQKA])(?!\w)|[*+]\s*$)", re.IGNORECASE)
"""The beginning of a row of calls or cards."""


@dataclass
class TagSection:
    """A tag with the rows that follow it."""

    tag: str
    value: str
    line: int
    rows: list[str] = field(default_factory=list)

    def takes(self, row: str, after_blank: bool) -> bool:
        """Whether a row belongs to this section; after a blank line, only what looks like more of it."""
        if self.tag in ("Auction", "Play"):
            return not after_blank or _ROW.match(row) is not None
        return self.tag.endswith("Table") and self.tag != "Table" and not after_blank


@dataclass
class BoardText:
    """The text of one board, in sections."""

    line: int
    sections: dict[str, TagSection] = field(default_factory=dict)
    notes: dict[tuple[str, str], str] = field(default_factory=dict)
    """The text of a note by the section that it follows and its number: auction and play count their own."""
    comments: list[str] = field(default_factory=list)
    broken: RecordError | None = None
    start: int = 0
    """Where in the text it begins."""
    source: str = ""
    """The text from there to where the next one begins."""

    def breaks(self, what: str, line: int) -> None:
        """Note what is wrong with the text; only the first mistake tells anything."""
        self.broken = self.broken or RecordError(what, line=line)

    @property
    def first(self) -> str:
        """The name of the first tag."""
        return next(iter(self.sections), "")

    def ends_before(self, name: str, opener: str) -> bool:
        """Whether the next board begins with this tag, without a blank line; `opener` begins the file."""
        if name in self.sections:
            return name in ("Event", "Board", "Deal", opener) and not self.sections.keys().isdisjoint(BOARD)
        # what is left of a damaged board ends where the next one opens
        rest = self.broken is not None or not self.sections.keys().isdisjoint(_BODY)
        return name == opener and rest and self.first not in _OPENING

    def goes_on_in(self, group: BoardText) -> bool:
        """Whether the lines after a blank line are of this board, too."""
        if self.broken or group.broken or self.sections.keys() & group.sections.keys():
            return False
        return group.first not in _OPENING or self.sections.keys().isdisjoint(_BODY)

    def note(self, mark: str) -> str:
        """What a note of the auction says; some programs write them below the play."""
        play = self.sections["Play"].rows if "Play" in self.sections else []
        places = ("Auction", "") if f"={mark}=" in "".join(play) else ("Auction", "", "Play")
        return next((self.notes[place, mark] for place in places if (place, mark) in self.notes), ALERT)

    def part(self, tag: str, decode: Callable[[TagSection], T]) -> T | None:
        """What a section says, None if it is missing or unknown; its errors get their line."""
        section = self.sections.get(tag)
        if section is None or (section.value.strip() in UNKNOWN and not section.rows):
            return None
        try:
            return decode(section)
        except PidmError as error:
            raise RecordError(f"{tag}: {error}", line=section.line) from error


def boards_of(text: str) -> Iterator[BoardText]:
    """The boards of a file, with the values that they take over from others."""
    before: dict[str, str] = {}
    lasting: dict[str, str] = {}
    for board in _sourced(text):
        heading = all(section.value.startswith("##") for section in board.sections.values())
        _inherit(board, before, lasting)
        if not heading or board.broken:
            yield board


def _inherit(board: BoardText, before: dict[str, str], lasting: dict[str, str]) -> None:
    """Fill in the values of boards before: `#` stands for the last one, `##` makes one last."""
    for section in board.sections.values():
        if section.value == "#":
            section.value = before.get(section.tag, "")
        if section.value.startswith("##") or section.tag in lasting:
            section.value = lasting[section.tag] = section.value.removeprefix("##")
        before[section.tag] = section.value
    for tag in lasting.keys() - board.sections.keys():
        board.sections[tag] = TagSection(tag, lasting[tag], board.line)


def directives(text: str) -> list[str]:
    """The lines that speak to programs, `%Creator: ...`, without those that tell the version."""
    lines = [token[0].rstrip() for token in _TOKEN.finditer(text) if token[0].startswith("%")]
    return [line for line in lines if not re.match(r"%\s*(PBN|EXPORT|IMPORT)\b", line)]


def _sourced(text: str) -> Iterator[BoardText]:
    """The boards with the text of each."""
    boards = list(_joined(text))
    for board, end in zip(boards, [*(board.start for board in boards[1:]), len(text)]):
        board.source = text[board.start : end]
        yield board


def _joined(text: str) -> Iterator[BoardText]:
    """The boards of a text, also those that blank lines divide."""
    board: BoardText | None = None
    for group in _groups(text):
        if board is None:
            board = group
        elif board.goes_on_in(group):
            board.sections.update(group.sections)
            board.notes.update(group.notes)
            board.comments += group.comments
        else:
            yield board
            board = group
    if board is not None:
        yield board


def _groups(text: str) -> Iterator[BoardText]:
    """What stands between blank lines; where these are missing, what belongs to one board."""
    group: BoardText | None = None
    section: TagSection | None = None
    opener, line, at, row_line = "", 1, 0, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        kind, found = token.lastgroup, token[0].strip()
        name = token["name"] or ""
        name = _SPELLING.get(name.lower(), name)
        opener = opener or name
        if group is not None and (kind == "blank" or (name and group.ends_before(name, opener))):
            yield group
            group = None
        if kind in (None, "blank") or not found:
            continue
        whole = group is None or group.broken is None
        blank = group is None or not group.sections
        if kind == "row" and section is not None and whole and section.takes(found, after_blank=blank):
            if section.rows and row_line == line:  # a comment stands in the middle
                section.rows[-1] += f" {found}"
            else:
                section.rows.append(token["row"].rstrip())
            row_line = line
            continue
        group = group or BoardText(line, start=token.start())
        if kind == "value":
            value = re.sub(r'\\(["\\])', r"\1", token["value"])
            if name == "Note":
                mark, _, note = value.partition(":")
                place = section.tag if section is not None and section.tag in ("Auction", "Play") else ""
                group.notes[place, mark.strip()] = note
            else:
                new = TagSection(name, value, line)
                section = group.sections.setdefault(name, new)
                if section is not new and name in FIELDS and (section.rows or section.value != value):
                    group.breaks(f"a second tag {name}", line)
        elif kind in ("comment", "remark"):
            comment = re.sub(r"\s*\n\s*", " ", token[kind]).strip()
            group.comments += [comment] if comment else []
        elif found.startswith("{"):
            group.breaks(f"a comment without its end: {found[:60]}", line)
        else:
            group.breaks(f'expected a tag such as [Board "1"], found {found[:60]}', line)
    if group is not None:
        yield group
