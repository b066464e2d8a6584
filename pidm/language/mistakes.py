"""Mistakes inside a text of a system file: where in the text, and what was expected there."""

from __future__ import annotations

from pidm.errors import PidmError


class TextError(PidmError):
    """A pattern, meaning or condition that cannot be read.

    The loader adds file, line and column of the text and reports it as a `SystemFileError`.
    """

    def __init__(self, problem: str, offset: int = 0, expected: str | None = None):
        self.problem = problem
        self.offset = offset
        """Where in the text, counted in characters from its start."""
        self.expected = expected
        super().__init__(problem if expected is None else f"{problem}; expected {expected}")
