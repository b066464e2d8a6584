"""Does a hand fit what a call shows, and if not, by how much does it lie outside?"""

from __future__ import annotations

from dataclasses import dataclass

from pidm.authoring.card_line import card_line, is_natural
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.features import Bounds, Feature, HandColumns
from pidm.language.words import SUITS, say
from pidm.reading.inference import natural_reading
from pidm.reading.situation import Situation


@dataclass(frozen=True)
class Fit:
    """A hand beside what a call shows."""

    shows: str
    """What the call shows, in one line."""
    outside: str
    """By how much the hand lies outside, in words; empty if it fits."""
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
    nearest = min(misses, key=lambda found: sum(abs(by) for _, by, _ in found), default=[])
    outside = "nothing that earlier calls have left" if not kinds else _in_words(nearest)
    return Fit(card_line(situation, call), outside, is_natural([one.rule for one in applied]))


_Miss = tuple[Feature, float, float]
"""A feature, by how much the hand has more than the range (less, if negative), and the end that it misses."""


def _misses(columns: HandColumns, kind: Bounds) -> list[_Miss]:
    found = []
    for what, (low, high) in kind.items():
        value = float(columns.column(what)[0])
        if value < low:
            found.append((what, value - low, low))
        elif value > high:
            found.append((what, value - high, high))
    return found


def _in_words(misses: list[_Miss]) -> str:
    return ", ".join(dict.fromkeys(_miss(*one) for one in misses))


def _miss(what: Feature, by: float, end: float) -> str:
    number, more = abs(by), "more" if by > 0 else "fewer"
    if what.name == "length":
        suit = SUITS[what.args[0]]
        return f"{number:g} {suit if number != 1 else suit[:-1]} {more}"
    if what.name == "hcp" and not what.args:
        return f"{number:g} HCP {more}"
    if what.name == "points" and len(what.args) == 1:
        return f"{number:g} {'points' if number != 1 else 'point'} {more}"
    return f"without {say(what, end, float('inf'))}" if by < 0 else f"more than {say(what, end, end)}"
