"""What a call shows in one line, as players write it on a convention card: "10-21 HCP, 5+ spades".

A call may be made with many kinds of hands. The line gives the ranges that hold for all of them; it is true
of every hand that makes the call, and leaves out what only some of them have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pidm.bridge.calls import Call
from pidm.core.box import INF, Box
from pidm.features import Bounds, Feature, Range
from pidm.language.meaning import HCP, LENGTH
from pidm.language.rules import LAYERS, NO_AGREEMENT, Rule
from pidm.language.words import ANY_HAND, SUITS, span, words_of
from pidm.reading.inference import POINTS, bounds_of, joined, natural_reading
from pidm.reading.kinds_of_hand import BALANCE, SHAPE
from pidm.reading.matching import Applied
from pidm.reading.situation import Situation

TELLS_NOTHING = "tells nothing"
_MOST_SHAPES = 3
"""Kinds of shape that are listed one by one; of more, only what they have in common is said."""


def card_line(situation: Situation, call: Call) -> str:
    """What a call shows, in one line."""
    found: str | None = situation.derived.get((card_line, call))
    if found is None:
        found = situation.derived[card_line, call] = _card_line(situation, call)
    return found


def _card_line(situation: Situation, call: Call) -> str:
    applied = situation.speaking(call)
    if not applied:
        return words_of(natural_reading(call))
    if all(one.rule.line.no_agreement for one in applied):
        return NO_AGREEMENT
    told = [one for one in applied if one.rule.line.spec.tells is None]
    if not told:
        return TELLS_NOTHING
    kinds = situation.kinds_of_hand(call) if len(told) == len(applied) else []
    return line_of(kinds or kinds_of_hand_alone(told))


def kinds_of_hand_alone(applied: Sequence[Applied]) -> list[Bounds]:
    """The same, whatever the player has shown before."""
    return [bounds_of(box) for one in applied for box, _, _ in one.boxes]


def is_natural(rules: Sequence[Rule]) -> bool:
    """Did nobody agree on the call, so that only what players do undiscussed explains it, or nothing?"""
    return all(rule.block.layer <= LAYERS["standard"] for rule in rules)


@lru_cache(maxsize=8192)
def line_of_box(box: Box) -> str:
    """One kind of hands in one line."""
    return line_of([bounds_of(box)])


def line_of(kinds: Sequence[Bounds]) -> str:
    """Kinds of hands in one line."""
    if len(kinds) == 1:
        return words_of(_without_the_obvious(kinds[0]))
    common = dict(kinds[0])
    for one in kinds[1:]:
        common = joined(common, one)
    said = [_strength(kinds), *_shapes(kinds, common)]
    rest = {what: found for what, found in common.items() if not (what in SHAPE or _is_strength(what))}
    told = {what: found for what, found in rest.items() if what.name != "diff"}
    said += [words_of(told)] if told else []
    return ", ".join(one for one in said if one and one != ANY_HAND) or ANY_HAND


def _is_strength(what: Feature) -> bool:
    return what == HCP or what in POINTS.values()


def _strength(kinds: Sequence[Bounds]) -> str:
    """The strength over all kinds; with shortness counted where some of them do."""
    low, high, counted = INF, -INF, False
    for one in kinds:
        found = _strength_of(one)
        if found is None:
            return ""
        (least, most), with_shape = found
        low, high, counted = min(low, least), max(high, most), counted or with_shape
    if low <= 0 and high >= 37:
        return ""
    return f"{span(max(low, 0), high if high < 37 else INF)} {'points' if counted else 'HCP'}"


def _strength_of(kind: Bounds) -> tuple[Range, bool] | None:
    """Points of one kind of hand: as high cards if they are named, else with shortness."""
    if HCP in kind:
        return kind[HCP], False
    found = [kind[points] for points in POINTS.values() if points in kind]
    return (found[0], True) if found else None


def _shapes(kinds: Sequence[Bounds], common: Bounds) -> list[str]:
    """What all kinds have in common; and if they differ in their long suits, those, joined by `or`."""
    shape = {what: found for what, found in common.items() if what in SHAPE}
    long_suits = _least({_long_suits(one) for one in kinds})
    told = ""
    if not _long_suits(common) and () not in long_suits and 1 < len(long_suits) <= _MOST_SHAPES:
        told = " or ".join(" and ".join(f"{low:g}+ {SUITS[suit]}" for suit, low in one) for one in long_suits)
        # "4+ spades or 4+ hearts" says more of these suits than "0-5 spades, 0-5 hearts" beside it would.
        named = {LENGTH[suit] for one in long_suits for suit, _ in one}
        shape = {what: (low, high) for what, (low, high) in shape.items() if what not in named or high < 4}
    words = words_of(_without_the_obvious(shape))
    return [one for one in (words if words != ANY_HAND else "", told) if one]


def _least(found: set[tuple[tuple[str, float], ...]]) -> list[tuple[tuple[str, float], ...]]:
    """Without those that another one includes: five spades and four hearts are four spades too."""

    def includes(wide: tuple[tuple[str, float], ...], narrow: tuple[tuple[str, float], ...]) -> bool:
        lengths = dict(narrow)
        return wide != narrow and all(lengths.get(suit, 0) >= low for suit, low in wide)

    return sorted((one for one in found if not any(includes(other, one) for other in found)), reverse=True)


def _long_suits(kind: Bounds) -> tuple[tuple[str, float], ...]:
    return tuple((suit, low) for suit in "SHDC" if (low := kind.get(LENGTH[suit], (0, 13))[0]) >= 4)


def _without_the_obvious(kind: Bounds) -> Bounds:
    """Without comparisons that a suit of five cards makes a matter of course, and without the lengths that
    every balanced hand has."""
    balanced = kind.get(BALANCE, (0, 6))[1] <= 3

    def obvious(what: Feature, low: float, high: float) -> bool:
        if what.name == "diff":
            return kind.get(LENGTH[what.args[0]], (0, 13))[0] >= 5
        return balanced and what.name == "length" and low <= 2 and high >= 4

    return {what: found for what, found in kind.items() if not obvious(what, *found)}
