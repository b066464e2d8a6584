"""The wording of meanings: points and lengths in a text found, and moved.

Points are ranges of the whole hand (`12-14 hcp`, `10+ points(M)`, `combined 25+ hcp`), lengths those of a
suit; sums of features are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pidm.language.meaning import split_commas

_STRENGTH = re.compile(
    r"(?<![\w(+-])(?P<low>\d+)(?:(?P<plus>\+)|-(?P<high>\d+))?(?=\s+(?:hcp|points\(\w+\))(?![\w(]| [+-]))"
)
"""A range of points of the whole hand; sums of features are left alone."""
_UNIT = re.compile(r"\s+(hcp|points)\b")
_LENGTH = re.compile(r"(?<![\w(+-])(?P<low>[5-9])(?P<plus>\+)?(?=\s+[A-Za-z]{1,2}(?:\s*[,]|\s+or\b|\s*$))")
"""Five cards or more in a suit."""
_SUIT = re.compile(
    r"(?<![\w(+-])(?P<low>\d)(?:(?P<plus>\+)|-(?P<high>\d+))?(?=\s+(?:[SHDCMmXYZW]|o[Mm])(?:\s*,|\s+or\b|\s*$))"
)
"""The length of a suit."""
PREEMPTIVE = 11
"""A call that shows no more points than this, with a long suit, is a preempt."""


def shifted(text: str, by: int, least: bool = True) -> str:
    """A meaning with the least (or the most) points of every range moved; ranges stay in order."""

    def moved(match: re.Match[str]) -> str:
        low = int(match["low"])
        high = low if match["high"] is None and not match["plus"] else int(match["high"] or 99)
        if least and low > 0:
            low = max(low + by, 0)
        elif not least and high < 99:
            high += by
        if low > high:
            return match[0]
        return _range(low, high)

    return _STRENGTH.sub(moved, text)


def borders(text: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Below which limits of points ranges end, and above which they begin."""
    for match in _STRENGTH.finditer(text):
        unit, low = _unit(match), int(match["low"])
        if not match["plus"]:
            yield "most", (unit, int(match["high"] or low))
        if low > 0:
            yield "least", (unit, low - 1)


def border_moved(text: str, unit: str, points: int, by: int) -> str:
    """A meaning whose ranges end or begin elsewhere; none is left empty."""

    def moved(match: re.Match[str]) -> str:
        if _unit(match) != unit:
            return match[0]
        low = int(match["low"])
        high = 99 if match["plus"] else int(match["high"] or low)
        new_low, new_high = low + by * (low == points + 1), high + by * (high == points)
        return match[0] if new_low > new_high else _range(new_low, new_high)

    return _STRENGTH.sub(moved, text)


def range_moved(text: str, by: int) -> str:
    """A meaning whose ranges, as far as they have two ends, lie lower or higher."""

    def moved(match: re.Match[str]) -> str:
        low = int(match["low"])
        high = int(match["high"] or low)
        return match[0] if match["plus"] or not low else _range(low + by, high + by)

    return _STRENGTH.sub(moved, text)


def _unit(match: re.Match[str]) -> str:
    """Points of which sort a range is of; those counted with partner's are a sort of their own."""
    combined = "combined " if match.string[: match.start()].endswith("combined ") else ""
    return combined + _UNIT.match(match.string, match.end())[1]  # type: ignore[index]


def _range(low: int, high: int) -> str:
    return f"{low}+" if high == 99 else f"{low}" if low == high else f"{low}-{high}"


def lengthened(text: str, by: int) -> str:
    """A meaning whose first suit is so many cards longer at least, within two and eight."""

    def moved(match: re.Match[str]) -> str:
        low = int(match["low"]) + by
        high = 13 if match["plus"] else int(match["high"] or match["low"])
        if not 2 <= low <= min(high, 8):
            return match[0]
        return f"{low}+" if match["plus"] else _range(low, high)

    return _SUIT.sub(moved, text, count=1)


def long_suit_shorter(text: str) -> str:
    """A meaning with a long suit that has a card fewer."""

    def shorter(match: re.Match[str]) -> str:
        low = int(match["low"])
        return f"{low - 1}+" if match["plus"] else f"{low - 1}-{low}"

    return _LENGTH.sub(shorter, text, count=1)


def preemptive(text: str) -> bool:
    """Few points, and a long suit?"""
    ranges = list(_STRENGTH.finditer(text))
    highs = [int(one["high"] or (99 if one["plus"] else one["low"])) for one in ranges]
    return bool(ranges and max(highs) <= PREEMPTIVE and _LENGTH.search(text))


def without_quality(text: str) -> str:
    """The text without terms on the quality of a suit."""
    kept = [part.strip() for part, _ in split_commas(text) if not re.search(r"hcp\(|quality\(", part)]
    return ", ".join(kept) if " or " not in text else text


def terms_dropped(text: str) -> Iterator[tuple[str, str]]:
    """Terms that are neither strength nor length, each with the text without it."""
    if " or " in text:
        return
    terms = [part.strip() for part, _ in split_commas(text)]
    for number, term in enumerate(terms):
        if len(terms) > 1 and not _STRENGTH.search(term) and not re.fullmatch(r"\d+(\+|-\d+)? \w{1,2}", term):
            yield term, ", ".join(terms[:number] + terms[number + 1 :])
