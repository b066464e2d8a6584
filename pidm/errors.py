"""One tree of errors: whatever goes wrong with a user's input is a `PidmError`."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 1_000
"""Characters of a message: enough for what helps, and no file or request is echoed back whole."""

_MOST = 100
"""Mistakes of a system that a message lists."""


def shortened(text: str, longest: int = _LONGEST) -> str:
    """The text, or its beginning and its end with how much is missing between."""
    if len(text) <= longest:
        return text
    tail = longest // 5
    return f"{text[: longest - tail]} ... ({len(text) - longest:,} characters more) ... {text[-tail:]}"


def check_length(text: str, longest: int, what: str, kind: type[PidmError]) -> None:
    """Refuse a text that is far too long for what it should be, before any time is spent on it."""
    if len(text) > longest:
        raise kind(f"{len(text):,} characters for {what}; expected at most {longest:,}: {text[:40]!r}...")


class PidmError(Exception):
    """Something that the user can put right; the message says what was found, what was expected and where."""

    def __init__(self, *args: object) -> None:
        super().__init__(*(shortened(one) if isinstance(one, str) else one for one in args))


class CallError(PidmError, ValueError):
    """A text that is no call, auction, contract, seat or vulnerability."""


class IllegalCallError(CallError):
    """A call that the laws do not allow at this point of the auction."""


class HandError(PidmError, ValueError):
    """A text or a set of cards that is no hand or no deal."""


class ScoreError(PidmError, ValueError):
    """A number of tricks that no declarer takes."""


class FeatureError(PidmError, ValueError):
    """A text that names no feature, or a declaration of a feature that contradicts itself."""


class PlacedError(PidmError):
    """An error at a place in a file; prints as `path:line:column: message`."""

    def __init__(
        self, message: str, path: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.message = shortened(message)
        """What was found and what was expected."""
        self.path = path
        """The file, if the text came from one."""
        self.line = line
        """The line, from 1."""
        self.column = column
        """The column, from 1."""
        super().__init__(self.message, path, line, column)

    def __str__(self) -> str:
        place = [self.path or ("line" if self.line is not None else "")]
        place += [str(number) for number in (self.line, self.column) if number is not None]
        where = ":".join(place) if self.path else " ".join(place[:2])
        return f"{where}: {self.message}" if where else self.message


class SystemFileError(PlacedError):
    """A bidding system that cannot be read, with the place in its file."""


class SystemFileErrors(SystemFileError):  # noqa: N818
    """All mistakes found in the files of a system; the place is that of the first."""

    def __init__(self, errors: Iterable[SystemFileError]) -> None:
        found = list(errors)
        files = list(dict.fromkeys(error.path for error in found))
        found.sort(key=lambda one: (files.index(one.path), one.line or 0, one.column or 0))
        self.errors: tuple[SystemFileError, ...] = tuple(found)
        """The mistakes, each with its place, from the top of each file down."""
        first = self.errors[0]
        super().__init__(first.message, first.path, first.line, first.column)

    def __reduce__(self) -> tuple[type, tuple[tuple[SystemFileError, ...]]]:
        return (type(self), (self.errors,))

    def __str__(self) -> str:
        shown = [str(error) for error in self.errors[:_MOST]]
        more = len(self.errors) - len(shown)
        return "\n".join([*shown, f"... and {more:,} more mistakes"] if more else shown)


class RecordError(PlacedError):
    """A board of a PBN or LIN file that cannot be read, with its place in the file."""


class RequestError(PidmError, ValueError):
    """A request, to the engine or to the page, that is not of the agreed form."""
