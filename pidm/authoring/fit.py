"""Does a hand fit what a call shows, and if not, by how much does it lie outside?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pidm.authoring.card_line import card_line, is_natural, line_of
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.features import Bounds, Feature, HandColumns
from pidm.language.words import SUITS, say
from pidm.reading.inference import ANY_VALUE, natural_reading
from pidm.reading.one_hand import HandValues
from pidm.reading.situation import Situation


@dataclass(frozen=True)
class Fit:
    """A hand beside what a call shows."""

    shows: str
    """What the call shows, in one line."""
    outside: str
    """By how much the hand lies outside, or what it has instead, in words; empty if it fits."""
    natural: bool
    """Nobody has agreed on the call: it is read as natural."""

    @property
    def fits(self) -> bool:
        """Does partner find what was shown?"""
        return not self.outside


def fit(situation: Situation, call: Call, hand: Hand | HandColumns) -> Fit:
    """The hand of the player to call, or its features, beside what a call would show."""
    columns = hand if isinstance(hand, HandColumns) else HandColumns(hand.array[None])
    speaking = situation.speaking(call)
    outside = _outside(situation.values(columns, plain=True), _kinds(situation, call))
    return Fit(card_line(situation, call), outside, is_natural([one.rule for one in speaking]))


def _kinds(situation: Situation, call: Call) -> list[Bounds]:
    """The kinds of hands that a call shows."""
    found: list[Bounds] | None = situation.derived.get((fit, call))
    if found is None:
        found = situation.kinds_of_hand(call) if situation.speaking(call) else [natural_reading(call)]
        situation.derived[fit, call] = found
    return found


def _outside(values: HandValues, kinds: Sequence[Bounds]) -> str:
    """How a hand lies outside all of these kinds, in words; empty if it is one of them."""
    found = []
    for kind in kinds:
        misses = _misses(values, kind)
        if not misses:
            return ""
        found.append((misses, kind))
    misses, nearest = min(found, key=lambda one: sum(abs(miss.by) for miss in one[0]), default=([], {}))
    return _in_words(misses, nearest, kinds) if kinds else "nothing that earlier calls have left"


class _Miss(NamedTuple):
    """Where a hand lies outside a range."""

    what: Feature
    value: float
    """What the hand has."""
    end: float
    """The end of the range that it misses."""

    @property
    def by(self) -> float:
        """How much more the hand has; less, if negative."""
        return self.value - self.end


def _misses(values: HandValues, kind: Bounds) -> list[_Miss]:
    found = []
    for what, (low, high) in kind.items():
        value = float(values[what])
        if not low <= value <= high:
            found.append(_Miss(what, value, low if value < low else high))
    return found


def _in_words(misses: list[_Miss], nearest: Bounds, kinds: Sequence[Bounds]) -> str:
    said = ", ".join(dict.fromkeys(_miss(one) for one in misses))
    # Where the kinds of hands differ, the line of the call does not tell which of them is meant.
    unclear = any(len({kind.get(one.what, ANY_VALUE)[one.by > 0] for kind in kinds}) > 1 for one in misses)
    return f"{said} (nearest: {line_of([nearest])})" if unclear else said


def _miss(miss: _Miss) -> str:
    what, number, more = miss.what, abs(miss.by), "more" if miss.by > 0 else "fewer"
    if what.name == "length":
        suit = SUITS[what.args[0]]
        return f"{number:g} {suit if number != 1 else suit[:-1]} {more}"
    if what.name == "hcp" and not what.args:
        return f"{number:g} HCP {more}"
    if what.name == "points" and len(what.args) == 1:
        return f"{number:g} {'points' if number != 1 else 'point'} {more}"
    has = say(what, miss.value, miss.value)
    return has or f"{number:g} {more} than {say(what, miss.end, miss.end)}"
