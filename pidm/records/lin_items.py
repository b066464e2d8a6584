"""The text of a LIN file cut into items, `mb|1N|`, and these into boards; what is damaged costs one board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pidm.errors import PidmError, RecordError

DAMAGE = ""
"""The key of what is no item."""
_START = re.compile(r"(?:^|(?<=\|))(?=[^\S\n]*(?:qx|pn|md)\|)", re.IGNORECASE | re.MULTILINE)
"""Where the text makes sense again, whatever stands before it."""
_HEADING = re.compile(r"(?:^|(?<=\|))\s*(qx|pn|st|md|rh|ah|sv)(?=\|)", re.IGNORECASE)
KEYS = {"qx", "vg", "rs", "pn", "st", "md", "rh", "ah", "sv", "mb", "an", "nt", "pg", "pc", "mc"}
"""The keys that programs write."""
_TEXTS = {"pn", "nt", "an"}
"""Those whose values are words, where the end of a line is a blank."""


@dataclass(frozen=True)
class Item:
    """A key with its value, `mb|1N|`, and its line."""

    key: str
    value: str
    line: int
    heading: tuple[str, ...] = ()
    """Of damage at the beginning of a line: the keys in this line that stand above an auction."""
    start: int = 0
    """Where in the text it begins."""


@dataclass
class LinBoard:
    """The items of one board."""

    items: list[Item] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    damaged: int | None = None
    """The line of the first damage."""
    source: str = ""
    """The text from its first item to where the next board begins."""

    def add(self, item: Item) -> None:
        """One more item."""
        self.items.append(item)
        self.keys.add(item.key)
        if item.key == DAMAGE and self.damaged is None:
            self.damaged = item.line

    def all(self, *keys: str) -> list[Item]:
        """The items with one of these keys."""
        return [item for item in self.items if item.key in keys]

    def ends_before(self, item: Item) -> bool:
        """Whether another board begins with this item."""
        if item.key not in ("qx", "pn", "md", DAMAGE):
            return False
        if item.key == DAMAGE:
            return not self.keys.isdisjoint(item.heading)
        damaged = self.damaged is not None and self.damaged < item.line
        return damaged or item.key == "qx" or not self.keys.isdisjoint((item.key, "md", "mb", "pc", "mc"))

    @property
    def number(self) -> str:
        """The number of the board as it is written, empty if there is none."""
        labels = [item.value.lower() for item in self.all("ah") + self.all("qx")]
        return next(filter(None, map(_number, labels)), "")

    @property
    def closed(self) -> bool:
        """Whether this is the closed room of a team match, whose players are the second four."""
        return any(item.value.lower().startswith("c") for item in self.all("qx"))

    @contextmanager
    def blamed(self, item: Item) -> Iterator[None]:
        """Errors get the number of the board, the item and its line."""
        try:
            yield
        except PidmError as error:
            name = f"board {self.number}: " if self.number else ""
            where = "" if item.key == DAMAGE else f", in {item.key}|{item.value}|"
            raise RecordError(f"{name}{error}{where}", line=item.line) from error


def boards_of(text: str) -> Iterator[LinBoard]:
    """The boards with the text of each."""
    boards = list(_boards(text))
    starts = [board.items[0].start if board.items else 0 for board in boards]
    for board, start, end in zip(boards, starts, [*starts[1:], len(text)]):
        board.source = text[start:end]
        yield board


def _boards(text: str) -> Iterator[LinBoard]:
    board = LinBoard()
    for item in _items(text):
        if board.ends_before(item):
            yield board
            board = LinBoard()
        board.add(item)
    yield board


def _items(text: str) -> Iterator[Item]:
    """The items of a text; where one is damaged, nothing makes sense up to the next start."""
    line, counted, end = 1, 0, 0
    lines = _Lines(text)
    for piece in _START.split(text):
        at, end = end, end + len(piece)
        parts = piece.split("|")
        for number in range(0, len(parts), 2):
            key = parts[number].strip().lower()
            if number == len(parts) - 1 and not key:
                break
            start = at + len(parts[number]) - len(parts[number].lstrip())
            line += text.count("\n", counted, start)
            counted = start
            value = parts[number + 1] if number + 2 < len(parts) else None
            if len(key) != 2 or value is None or value.rpartition("\n")[2].strip() in KEYS:
                yield lines.damage(start, line)
                break
            written = re.sub(r"\s*\n\s*", " " if key in _TEXTS else "", value).strip()
            yield Item(key, written, line, start=start)
            at += len(parts[number]) + len(value) + 2


def _number(label: str) -> str:
    """The first number after the last word "board" that has one after it, as in qx|o1,BOARD 17|."""
    last = re.search(r"\d\D*\Z", label)
    if last is None:
        return ""
    found = re.search(r"\d+", label[max(label.rfind("board", 0, last.start()), 0) :])
    return found[0] if found else ""


class _Lines:
    """The lines of a text, for looking around in the one that holds a place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._first = self._end = -1
        self._headings: dict[str, int] = {}
        """Where each key that stands above an auction is found last in the line."""

    def damage(self, start: int, line: int) -> Item:
        """What is no item, from here to the end of its line."""
        text = self._text
        if not self._start <= start <= self._end:
            self._start = text.rfind("\n", 0, start) + 1
            self._end = end if (end := text.find("\n", start)) >= 0 else len(text)
            whole = text[self._start : self._end]
            self._first = self._start + len(whole) - len(whole.lstrip())
            self._headings = {
                match[1].lower(): self._start + match.start(1) for match in _HEADING.finditer(whole)
            }
        found = text[start : min(self._end, start + 60)]
        if self._first < start:
            return Item(DAMAGE, found, line, start=start)
        keys = [key for key, last in self._headings.items() if last >= start]
        return Item(DAMAGE, found, line, tuple(keys), start)
