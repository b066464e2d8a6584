"""Does a hand fit what a call shows, and if not, by how much does it lie outside?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pidm.authoring.card_line import card_line, is_natural
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.features import Bounds, Feature, HandColumns
from pidm.language.words import SUITS, say
from pidm.reading.inference import ANY_VALUE, natural_reading
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


def fit(situation: Situation, call: Call, hand: Hand) -> Fit:
    """The hand of the player to call beside what a call would show."""
    applied = [one for one in situation.applied if one.call == call and one.speaks]
    kinds = situation.kinds_of_hand(call) if applied else [natural_reading(call)]
    columns = HandColumns(hand.array[None])
    if situation.dynamic:
        columns = columns.with_partner(situation.bounds[situation.partner])
    misses = [_misses(columns, kind) for kind in kinds]
    nearest = min(misses, key=lambda found: sum(abs(one.by) for one in found), default=[])
    outside = "nothing that earlier calls have left" if not kinds else _in_words(nearest, kinds)
    return Fit(card_line(situation, call), outside, is_natural([one.rule for one in applied]))


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


def _misses(columns: HandColumns, kind: Bounds) -> list[_Miss]:
    found = []
    for what, (low, high) in kind.items():
        value = float(columns.column(what)[0])
        if not low <= value <= high:
            found.append(_Miss(what, value, low if value < low else high))
    return found


def _in_words(misses: list[_Miss], kinds: Sequence[Bounds]) -> str:
    return ", ".join(dict.fromkeys(_miss(one, kinds) for one in misses))


def _miss(miss: _Miss, kinds: Sequence[Bounds]) -> str:
    what, number, more = miss.what, abs(miss.by), "more" if miss.by > 0 else "fewer"
    # Where the kinds of hands differ in it, the line of the call does not tell which end is meant.
    ends = {kind.get(what, ANY_VALUE)[miss.by > 0] for kind in kinds}
    than = f" than {miss.end:g}" if len(ends) > 1 else ""
    if what.name == "length":
        suit = SUITS[what.args[0]]
        return f"{number:g} {suit if number != 1 else suit[:-1]} {more}{than}"
    if what.name == "hcp" and not what.args:
        return f"{number:g} HCP {more}{than}"
    if what.name == "points" and len(what.args) == 1:
        return f"{number:g} {'points' if number != 1 else 'point'} {more}{than}"
    has = say(what, miss.value, miss.value)
    return has or f"{number:g} {more} than {say(what, miss.end, miss.end)}"
