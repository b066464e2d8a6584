"""Ranges of features in the words of a bridge player: "15-17 HCP, balanced, 5+ hearts"."""

from __future__ import annotations

from collections.abc import Mapping

from pidm.core.box import INF
from pidm.features import Feature
from pidm.language.meaning import Range

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "N": "notrump"}
_FIRST = ("hcp", "points", "balance", "length")
"""The order in which players say things: strength, shape, then the rest."""


def words_of(bounds: Mapping[Feature, Range]) -> str:
    """All ranges in words, joined by commas; "any hand" when there is none."""
    spoken = sorted(bounds.items(), key=lambda item: _order(item[0]))
    words = [text for what, (low, high) in spoken if (text := _say(what, low, high))]
    return ", ".join(words) or "any hand"


def _order(what: Feature) -> tuple[int, int, str]:
    place = _FIRST.index(what.name) if what.name in _FIRST else len(_FIRST)
    suit = "SHDC".index(what.args[0]) if what.args and what.args[0] in "SHDC" else -1
    return place, suit, str(what)


def _say(what: Feature, low: float, high: float) -> str:
    name = what.name
    args = what.args
    if name == "balance":
        return {(0.0, 2.0): "balanced", (0.0, 3.0): "at least semi-balanced"}.get((low, high)) or (
            "unbalanced" if low >= 3 else f"balance {span(low, high)}"
        )
    if name == "length":
        return _length(SUITS[args[0]], low, high)
    if name == "diff":
        return _compared(SUITS[args[0]], SUITS[args[1]], low, high)
    if name == "stopper" and low >= 2:
        return f"stopper in {SUITS[args[0]]}"
    if name == "stopper" and high <= 1:
        return f"no stopper in {SUITS[args[0]]}"
    if name == "longest" and low >= 1:
        return f"longest in {SUITS[args[0]]}"
    if name == "points":
        return (
            f"{span(low, high)} points with {SUITS[args[0]]} as trumps"
            if len(args) == 1 or args[1] == "all"
            else _plain(what, low, high)
        )
    if name == "hcp":
        return f"{span(low, high)} HCP" + (f" in {SUITS[args[0]]}" if args and args[0] in SUITS else "")
    if name == "quality":
        return f"{SUITS[args[0]]} of quality {span(low, high)}"
    return _plain(what, low, high)


def _plain(what: Feature, low: float, high: float) -> str:
    return f"{span(low, high)} {what}" if (low, high) != (-INF, INF) else ""


def _length(suit: str, low: float, high: float) -> str:
    if low <= 0 and high >= 13:
        return ""
    if high == 0:
        return f"no {suit}"
    return f"{span(low, high if high < 13 else INF)} {suit}"


def _compared(one: str, other: str, low: float, high: float) -> str:
    if low >= 1:
        return f"more {one} than {other}"
    if high <= -1:
        return f"fewer {one} than {other}"
    if low == high == 0:
        return f"as many {one} as {other}"
    return f"at least as many {one} as {other}" if low == 0 else f"at most as many {one} as {other}"


def span(low: float, high: float) -> str:
    """A range as players write it: 15-17, 5+, 0-3, 4."""
    if low == high:
        return f"{low:g}"
    if high >= INF or high > 100:
        return f"{low:g}+"
    return f"{max(low, 0):g}-{high:g}"
