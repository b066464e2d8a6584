"""Auctions as people write them, taken apart into the words of their calls.

Spaces, commas and semicolons separate calls. So does a dash that touches the calls on both sides. A place
left empty is a pass: `1C,,1H` and `1C--1H` are 1C P 1H. A dash apart from the calls is a pass, and one before
the first or after the last: `- 1N - 2C` is P 1N P 2C, `1N--` is 1N P P. But where passes are written out and
dashes stand between all calls, they separate: `1N - P - 2C` is 1N P 2C. What can still be read in two ways is
refused.
"""

from __future__ import annotations

import re

from pidm.bridge.calls import PASSES, STRAIN_WORDS
from pidm.errors import CallError, check_length
from pidm.symbols import plain

_CALL = re.compile(r"([^\s,;-]+)")
_STRAINS = "|".join(word for words in STRAIN_WORDS.values() for word in words)
_TIDYING = [
    (re.compile(pattern), to)
    for pattern, to in (
        (r"(?<=[^\s,;-])!+|(?<=[^\s,;?-])\?+\s*$", ""),  # an alert, or a doubt
        (r"\bALL\s*PASS(ES)?\b", "AP"),
        (r"\bNO\s+(?=BID\b|TRUMPS?\b)", "NO"),
        (rf"(?<![^\s,;(-])([1-7])\s+(?=({_STRAINS})(?![^\s,;)?-]))", r"\1"),
        (r"\(\s*-+\s*\)", "(P)"),
        (r"(?<=[^\s,;-])(?=\()|(?<=\))(?=[^\s,;-])", " "),
    )
]
_BRACKETED = re.compile(r"\(([^()]*)\)")
LONGEST = 5_000
"""Characters of a text: the longest auction has 319 calls."""
_SEPARATING = re.compile(r"\s*-\s*|\s+-+\s+")
_ALTERNATING = re.compile(r"\s*-+\s*")
_UNCLEAR = re.compile(
    r"(?<!\S)--+(?!\S)"  # a long dash, or a pass for each
    r"|(?<=[^\s-])---+(?=[^\s-])"  # a pass between separators, or two empty places
    r"|(?<=[^\s-])-+(?=\s+\S)|(?<=\S)\s+-+(?=[^\s-])"  # a separator, or a pass
)


def readings(text: str) -> list[list[str]]:
    """The ways to read an auction, each the words of its calls; the first that is legal is meant."""
    check_length(text, LONGEST, "an auction", CallError)
    tidy = plain(text)
    for pattern, to in _TIDYING:
        tidy = pattern.sub(to, tidy)
    tidy = _BRACKETED.sub(lambda found: found[1].strip() or found[0], tidy)
    places = re.split("[,;]", tidy)
    if len(places) == 1:
        found = _read(tidy, text)
    else:
        if not places[-1].strip():
            places.pop()  # a comma after the last call, as lists have it
        for which, place in (("first", places[0]), ("last", places[-1])):
            if not place.strip():
                raise CallError(f"the {which} place is empty in auction: {text.strip()}; write P for a pass")
        found = [[word for place in places for word in (_read(place, text)[0] if place.strip() else ["P"])]]
    return [_finished(words) for words in found]


def _read(place: str, text: str) -> list[list[str]]:
    """The readings of what stands between two commas."""
    parts = _CALL.split(place)
    words, before, between, after = parts[1::2], parts[0], parts[2:-1:2], parts[-1]
    if not words:
        return [["P"] * place.count("-")]
    ends = "-" in before + after
    touching = [gap.strip() == gap for gap in between if "-" in gap]
    written = any(word in PASSES or _row_of_passes(word) for word in words)
    if written and False in touching and all(map(_SEPARATING.fullmatch, between)):
        if ends:
            raise _unclear("-", text)
        return [words]
    unclear = _UNCLEAR.search(place)
    if unclear or len(set(touching)) == 2:
        raise _unclear(unclear[0].strip() if unclear else "-", text)
    found = ["P"] * before.count("-") + words[:1]
    for gap, word in zip(between, words[1:]):
        passes = gap.count("-") - (gap.startswith("-"))  # the dash that touches both separates
        found += [*["P"] * passes, word]
    found += ["P"] * after.count("-")
    separated = touching and not ends and all(map(_ALTERNATING.fullmatch, between))
    return [found, words] if separated else [found]


def _unclear(dashes: str, text: str) -> CallError:
    return CallError(f"{dashes!r} can be read in two ways in auction: {text.strip()}; write P for a pass")


def _row_of_passes(word: str) -> bool:
    return re.fullmatch("P{2,4}", word) is not None


def _finished(words: list[str]) -> list[str]:
    """The words with a P for each of `PPP`, and without the question mark that stands for the next call."""
    asked = words[-1:] and set(words[-1]) == {"?"}
    return [
        each for word in words[: -1 if asked else None] for each in (word if _row_of_passes(word) else [word])
    ]
