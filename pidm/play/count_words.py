"""How a system counts a hand, in words, where that leads to another call than plain points would."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable
from typing import NamedTuple, cast

from pidm.bridge.calls import Call
from pidm.core.box import Box
from pidm.features import Feature, HandColumns, Range
from pidm.language.rules import Rule
from pidm.language.words import say
from pidm.play.asked import candidates_of
from pidm.reading.one_hand import HandValues
from pidm.reading.situation import Situation


class CountedHand(NamedTuple):
    """A hand counted both ways."""

    columns: HandColumns
    plain: HandValues
    """In plain points."""
    seen: HandValues
    """As the system counts."""

    @classmethod
    def of(cls, situation: Situation, columns: HandColumns) -> CountedHand:
        """The hand of the player to call, by its features."""
        return cls(columns, situation.values(columns, plain=True), situation.values(columns))


def kind_of(situation: Situation, hand: CountedHand, rule: Rule) -> Box | None:
    """The kind of hand of a rule that this hand is: in plain points if it can be, else as the system counts;
    its first kind if the hand is none of them."""
    kinds = situation.boxes(rule)
    for values in (hand.plain, hand.seen):
        for kind in kinds:
            if values.within(_ranges(kind)):
                return kind
    return kinds[0] if kinds else None


def counted(situation: Situation, hand: CountedHand, call: Call, rule: Rule) -> str:
    """`counted by tricks the hand has 16 points with spades as trumps, not 17`; empty where plain points
    lead the system to the same call, by this rule of it."""
    if not situation.counts:
        return ""
    columns, plain, seen = hand
    decisive = _turned(situation, [rule], seen, plain)
    other = next(iter(candidates_of(situation.plain_choices(columns, plain))), None)
    if other is not None and other.call != call:
        decisive += _turned(situation, other.rules, plain, seen)
    told = ", ".join(_instead(what, seen, plain) for what in dict.fromkeys(decisive))
    return f"counted {situation.counts} the hand has {told}" if told else ""


def _ranges(kind: Box) -> ItemsView[Feature, Range]:
    return cast("ItemsView[Feature, Range]", kind.items())


def _outside(values: HandValues, kind: Box) -> list[Feature]:
    return [what for what, (low, high) in _ranges(kind) if not low <= values[what] <= high]


def _turned(
    situation: Situation, rules: Iterable[Rule], inside: HandValues, outside: HandValues
) -> list[Feature]:
    """Where a hand that is of a kind when counted in one way lies outside it in the other."""
    kinds = [kind for rule in rules for kind in situation.boxes(rule)]
    fitting = [kind for kind in kinds if inside.within(_ranges(kind))]
    return min((_outside(outside, kind) for kind in fitting), key=len, default=[])


def _instead(what: Feature, seen: HandValues, plain: HandValues) -> str:
    value, other = float(seen[what]), float(plain[what])
    return f"{say(what, value, value)}, not {say(what, other, other).split()[0]}"
