"""Auction patterns as books write them: ours bare, theirs in parentheses.

A pattern with its suit variables bound is a sequence of tokens, each a side and a set of calls (38 bits).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from pidm.language.mistakes import TextError
from pidm.language.suits import (
    Binding,
    expand,
    resolve,
    unique,
    variables_of_call,
)

ALL_CALLS = (1 << 38) - 1
PASS_BIT, DOUBLE_BIT, REDOUBLE_BIT = 1, 2, 4
BIDS = ALL_CALLS & ~0b111
STRAIN_RANK = {"C": 0, "D": 1, "H": 2, "S": 3, "N": 4}
STRAIN_BITS = {
    strain: sum(1 << (3 + 5 * level + rank) for level in range(7)) for strain, rank in STRAIN_RANK.items()
}

_WORDS = {
    "*": ALL_CALLS,
    "bid": BIDS,
    "suit": BIDS & ~STRAIN_BITS["N"],
    "!P": ALL_CALLS & ~PASS_BIT,
    "P": PASS_BIT,
    "X": DOUBLE_BIT,
    "XX": REDOUBLE_BIT,
}
_BID = re.compile(r"([1-7])(o?M|o?m|[WXYZSHDCN]|NT)")
_ANY_LEVEL = re.compile(r"\*(o?M|o?m|[WXYZSHDCN])")

LONGEST = 60
"""Calls that a pattern may spell out."""
ELLIPSIS = -1
"""Stands for `...` among the tokens of a bound pattern."""

Token = tuple[bool, int]
"""(ours, set of calls as bits); the set is ELLIPSIS for any calls of both sides."""


class Element(NamedTuple):
    """One written token of a pattern, its variables not yet bound."""

    ours: bool
    text: str
    """The text without parentheses; `...` for any calls."""
    offset: int

    @property
    def variables(self) -> tuple[str, ...]:
        """Base variables in order of appearance."""
        return _variables(self.text)

    def calls(self, binding: Binding) -> int:
        """The set of calls, as bits."""
        try:
            return _calls(self.text, tuple([(name, binding[name]) for name in self.variables]))
        except TextError as error:
            raise TextError(error.problem, self.offset, error.expected) from None

    @property
    def weight(self) -> int:
        """How much this token narrows the auction: a named call most, then a variable, then a word."""
        if self.text in ("*", "..."):
            return 0
        if self.text in ("P", "bid", "suit", "!P"):
            return 1
        if "|" in self.text or ".." in self.text or self.text.startswith("*"):
            return 2
        return 3 if self.variables else 4


# Systems write the same few hundred tokens thousands of times: each is read once.
@lru_cache(maxsize=4096)
def _variables(text: str) -> tuple[str, ...]:
    return tuple(variables_of_call(text))


@lru_cache(maxsize=16384)
def _calls(text: str, suits: tuple[tuple[str, str], ...]) -> int:
    """The set of calls that a token stands for, given the suits of its variables."""
    binding = dict(suits)
    bits = 0
    for part in text.split("|"):
        bits |= _part(part, binding)
    return bits


def _part(part: str, binding: Binding) -> int:
    if part in _WORDS:
        return _WORDS[part]
    if ".." in part:
        low, _, high = part.partition("..")
        first, last = _bid(low, binding), _bid(high, binding)
        if first > last:
            raise TextError(f"the range {part} is empty", expected="the lower bid first")
        return sum(1 << c for c in range(first, last + 1))
    match = _ANY_LEVEL.fullmatch(part)
    if match:
        strain = match.group(1)
        return STRAIN_BITS["N" if strain == "N" else resolve(strain, binding)]
    return 1 << _bid(part, binding)


def _bid(text: str, binding: Binding) -> int:
    match = _BID.fullmatch(text)
    if not match:
        raise TextError(
            f"cannot read {text!r} in an auction",
            expected="a call (1S, P, X), 1M, *H, 2C..3D, bid, suit, !P, * or ...",
        )
    level, strain = match.groups()
    letter = "N" if strain in ("N", "NT") else resolve(strain, binding)
    return 3 + 5 * (int(level) - 1) + STRAIN_RANK[letter]


@dataclass(frozen=True)
class Pattern:
    """An auction pattern as written."""

    text: str
    elements: tuple[Element, ...]
    """Both sides' tokens in order, implied passes of theirs included."""
    exact_start: bool
    """True when the pattern spells out its leading passes."""

    @cached_property
    def variables(self) -> list[str]:
        """Base variables in order of appearance."""
        return unique(v for e in self.elements for v in e.variables)

    @cached_property
    def specificity(self) -> int:
        """More named calls make a pattern more specific, and so does doing without `...`."""
        return sum(e.weight for e in self.elements) + (not any(e.text == "..." for e in self.elements))

    @property
    def concrete(self) -> bool:
        """True when the pattern stands for one auction (up to leading passes)."""
        return (
            all(_BID.fullmatch(e.text) or e.text in ("P", "X", "XX") for e in self.elements)
            and not self.variables
        )

    def tokens(self, binding: Binding) -> tuple[Token, ...]:
        """The pattern with its variables bound."""
        return tuple((e.ours, ELLIPSIS if e.text == "..." else e.calls(binding)) for e in self.elements)


@lru_cache(maxsize=8192)
def parse_pattern(text: str) -> Pattern:
    """Read one auction pattern."""
    pattern = read_pattern(text)
    _check(pattern)
    return pattern


def read_pattern(text: str) -> Pattern:
    """Read one auction pattern that was read before without a mistake."""
    written: list[Element] = []
    for match in re.finditer(r"\S+", text):
        element = _element(match.group(), match.start())
        if element.text == "..." and written and written[-1].text == "...":
            continue  # any calls, and then any calls
        written.append(element)
        if len(written) > LONGEST:
            raise TextError(f"more than {LONGEST} calls in one pattern", element.offset)
    if written and written[0].text == "P*":
        written = written[1:]
    for element in written:
        if element.text == "P*":
            raise TextError("P* stands only at the start of an auction", element.offset)
    exact = bool(written) and written[0].text == "P"
    elements: list[Element] = []
    for element in written:
        if (
            elements
            and element.text != "..."
            and elements[-1].text != "..."
            and element.ours == elements[-1].ours
        ):
            if not element.ours:
                raise TextError(
                    f"two calls of theirs in a row before {element.text!r}",
                    element.offset,
                    expected="our pass, written P, between",
                )
            elements.append(Element(False, "P", element.offset))
        elements.append(element)
    if elements and elements[-1].ours and elements[-1].text != "...":
        elements.append(Element(False, "P", len(text)))
    return Pattern(text, tuple(elements), exact)


def _element(word: str, offset: int) -> Element:
    if word.startswith("(") != word.endswith(")"):
        raise TextError(
            f"unbalanced parenthesis in {word!r}", offset, expected="their call in parentheses, such as (2H)"
        )
    if word.startswith("("):
        return Element(False, word[1:-1], offset + 1)
    return Element(True, word, offset)


def _check(pattern: Pattern) -> None:
    """Read every token once with sample suits, so that mistakes show when the file is loaded."""
    sample = {"M": "S", "m": "C", "X": "C", "Y": "D", "Z": "H", "W": "S"}
    for element in pattern.elements:
        if element.text != "...":
            element.calls(sample)


class Start(NamedTuple):
    """What must be known of a pattern to find it: where it can begin. The pattern itself is read when an
    auction begins like that."""

    text: str
    restrictions: Sequence[str]
    """The `for:` of its block."""
    specificity: int
    exact: bool
    """The pattern spells out its leading passes."""
    ours: bool
    """Whose call is the first."""
    calls: int
    """The calls that the first may be, as bits, for any suits; 0 for the pattern of no calls."""

    @classmethod
    def of(cls, pattern: Pattern, restrictions: Sequence[str]) -> Start:
        """Where a pattern can begin."""
        ours, calls = True, 0
        if pattern.elements:
            first = pattern.elements[0]
            ours, calls = first.ours or first.text == "...", calls_for_any_suits(first.text)
        return cls(pattern.text, restrictions, pattern.specificity, pattern.exact_start, ours, calls)


@lru_cache(maxsize=4096)
def calls_for_any_suits(text: str) -> int:
    """The calls that a token stands for under one binding or another."""
    if text == "...":
        return ELLIPSIS
    bits = 0
    for binding in expand(_variables(text), {}, (), distinct=True):
        bits |= _calls(text, tuple(binding.items()))
    return bits
