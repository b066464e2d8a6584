"""YAML text -> nested mappings, lists and texts that know their places.

Nothing is constructed: every scalar stays the text that was written, so that 0445, 4:30, no and on mean what
a bridge player means by them. What could change a meaning or explode (tags, anchors, duplicate keys, several
documents) is a mistake with its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from pidm.errors import SystemFileError

MAX_BYTES = 2_000_000
MAX_DEPTH = 24
MAX_TEXT = 20_000
"""Characters of one text."""
MAX_MISTAKES = 100
"""After so many, the rest of a file is not read."""


class Mark(NamedTuple):
    """A place in a file; lines and columns count from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


NOWHERE = Mark("", 1, 1)


class Text(str):
    """A text with the place where it was written."""

    __slots__ = ("mark",)
    mark: Mark

    def __new__(cls, value: str, mark: Mark = NOWHERE) -> Text:
        """A text, found at `mark`."""
        text = super().__new__(cls, value)
        text.mark = mark
        return text

    def at(self, offset: int) -> Mark:
        """The place of a character of this text (exact for texts on one line)."""
        return self.mark._replace(column=self.mark.column + offset)


class Mapping(dict[Text, Any]):
    """A YAML mapping with the place where it starts."""

    __slots__ = ("mark",)
    mark: Mark


class Sequence(list[Any]):
    """A YAML list with the place where it starts."""

    __slots__ = ("mark",)
    mark: Mark


def mark_of(node: Any) -> Mark:
    """The place of a text, mapping or list."""
    mark: Mark = getattr(node, "mark", NOWHERE)
    return mark


def mistake(mark: Mark, message: str) -> SystemFileError:
    """An error at a place."""
    return SystemFileError(message, mark.path, mark.line, mark.column)


def too_large(size: int) -> str:
    """What is wrong with a file of so many bytes."""
    return f"the file has {size:,} bytes; at most {MAX_BYTES:,} are read: split it with `include`"


def parse(data: bytes | str, path: str, errors: list[SystemFileError]) -> Any:
    """The tree of a YAML text; mistakes are added to `errors`. None when nothing can be read."""
    text = decoded(data, path, errors)
    if text is None:
        return None
    builder = _Builder(text, path, errors)
    return builder.tree()


# What libyaml refuses with a message of its own, without a place. Slow to compile, and only files need it.
_UNPRINTABLE = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def decoded(data: bytes | str, path: str, errors: list[SystemFileError]) -> str | None:
    """The characters of a file, or None with the mistake added."""
    if len(data) > MAX_BYTES:
        errors.append(mistake(Mark(path, 1, 1), too_large(len(data))))
        return None
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8-sig", "replace")
            message = f"the byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
            errors.append(mistake(_place(before, path), message))
            return None
    else:
        text = data.removeprefix("\ufeff")
    found = re.search(_UNPRINTABLE, text)
    if found:
        message = f"the control character U+{ord(found.group()):04X} cannot stand in a system file"
        errors.append(mistake(_place(text[: found.start()], path), message))
        return None
    return text


def _place(before: str, path: str) -> Mark:
    """The place that follows the text `before`."""
    return Mark(path, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


class _TooManyError(Exception):
    """Leads out of a file with too many mistakes, which have been noted."""


class _Builder:
    """Builds the tree from parser events with a stack of its own, so that deep nesting cannot overflow."""

    def __init__(self, text: str, path: str, errors: list[SystemFileError]) -> None:
        self.text, self.path, self.errors = text, path, errors
        self.before = len(errors)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def tree(self) -> Any:
        import yaml

        loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        loader = loader_class(self.text)
        try:
            return self._documents(loader)
        except yaml.MarkedYAMLError as error:
            self.errors.append(self._syntax(error))
            return None
        except _TooManyError:
            return None
        finally:
            loader.dispose()

    def _mark(self, mark: Any) -> Mark:
        return Mark(self.path, mark.line + 1, mark.column + 1)

    def _add(self, mark: Mark, message: str) -> None:
        self.errors.append(mistake(mark, message))
        if len(self.errors) - self.before >= MAX_MISTAKES:
            message = f"{MAX_MISTAKES} mistakes up to here: the rest of the file is not read"
            self.errors.append(mistake(mark, message))
            raise _TooManyError

    def _documents(self, loader: Any) -> Any:
        import yaml

        root: Any = None
        stack: list[tuple[Any, list[Text]]] = []
        documents = 0
        while True:
            event = loader.get_event()
            node: Any
            if isinstance(event, yaml.ScalarEvent):
                node = self._scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                mark = self._mark(event.start_mark)
                written = f"*{event.anchor}"
                self._add(
                    mark, f'`{written}` is a YAML alias when it stands bare: put it in quotes, "{written}"'
                )
                node = Text(written, mark)
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                node = Mapping() if isinstance(event, yaml.MappingStartEvent) else Sequence()
                node.mark = self._mark(event.start_mark)
                self._plain(event, "")
                if len(stack) >= MAX_DEPTH:
                    self._add(node.mark, f"nested deeper than {MAX_DEPTH} levels")
                    return None
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                stack.pop()
                continue
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._add(self._mark(event.start_mark), "a second YAML document: a system file holds one")
                    return root
                continue
            elif isinstance(event, yaml.StreamEndEvent):
                return root
            else:
                continue
            if stack:
                self._put(stack[-1], node)
            else:
                root = node
            if not isinstance(node, Text):
                stack.append((node, []))

    def _put(self, top: tuple[Any, list[Text]], node: Any) -> None:
        """Adds a node to the list or mapping that is open; `waiting` holds a key whose value comes next."""
        parent, waiting = top
        if isinstance(parent, Sequence):
            parent.append(node)
        elif waiting:
            key = waiting.pop()
            if key in parent:
                first = next(other for other in parent if other == key)
                self._add(key.mark, f"the key `{key}` stands here twice (first in line {first.mark.line})")
            else:
                parent[key] = node
        elif isinstance(node, Text):
            if node == "<<":
                self._add(
                    node.mark, "merge keys (`<<`) are not part of the language: use `include` or `extends`"
                )
            waiting.append(node)
        else:
            self._add(node.mark, "a key must be a text; put it in quotes if it starts with `[` or `{`")
            waiting.append(Text("", node.mark))

    def _scalar(self, event: Any) -> Text:
        mark = self._mark(event.start_mark)
        if event.style in ("'", '"'):
            mark = mark._replace(column=mark.column + 1)
        if len(event.value) > MAX_TEXT:
            self._add(mark, f"a text of {len(event.value):,} characters; at most {MAX_TEXT:,} are read")
            return Text("", mark)
        return Text(self._plain(event, event.value), mark)

    def _plain(self, event: Any, value: str) -> str:
        """Reports anchors and tags; the text that was probably meant."""
        if event.anchor is not None:
            message = (
                f"`&{event.anchor}` is a YAML anchor: anchors are not allowed; put texts with `&` in quotes"
            )
            self._add(self._mark(event.start_mark), message)
        if event.tag is not None:
            mark = self._mark(event.start_mark)
            line = self.lines[mark.line - 1]
            written = line[mark.column - 1 :].split(" #")[0].strip()
            message = (
                f"a text that starts with `!` is a YAML tag when it stands bare: put it in quotes ({written})"
            )
            self._add(mark, message)
            return written
        return value

    def _syntax(self, error: Any) -> SystemFileError:
        """The error of a broken YAML text, with advice for what system authors stumble over."""
        place = error.problem_mark or error.context_mark
        mark = self._mark(place) if place else Mark(self.path, 1, 1)
        lines = self.lines
        problem = str(error.problem or error.context)
        if error.context == "while scanning an alias" and error.context_mark:
            mark = self._mark(error.context_mark)
            return mistake(mark, 'a text that starts with `*` must be put in quotes, such as "*" or "*M"')
        if "mapping values are not allowed" in problem:
            problem = "a second `: ` in one line, or a wrong indent: put a text with `: ` in quotes"
        elif "cannot start any token" in problem and mark.line <= len(lines):
            found = lines[mark.line - 1][mark.column - 1 : mark.column]
            if found == "\t":
                problem = "a tab: indent with spaces"
            else:
                problem = f"a text cannot start with `{found}`: put it in quotes"
        elif error.context and error.context_mark:
            problem = f"{problem} ({error.context} that starts in line {error.context_mark.line + 1}): "
            problem += "is the indent right, are brackets and quotes closed?"
        return mistake(mark, problem)


def suggest(name: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name: the nearest names, or all if they are few."""
    import difflib

    names = sorted(set(known))
    near = difflib.get_close_matches(name.lower(), [other.lower() for other in names], n=3, cutoff=0.6)
    chosen = [other for other in names if other.lower() in near]
    if chosen:
        return "did you mean " + " or ".join(f"`{other}`" for other in chosen) + "?"
    if not names:
        return "there are none"
    shown = ", ".join(f"`{other}`" for other in names[:20])
    return f"expected one of {shown}" + (", ..." if len(names) > 20 else "")
