"""How a system counts a hand, in words, where that leads to another call than plain points would."""

from __future__ import annotations

from collections.abc import Collection

from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.core.choices import NO_ACTION
from pidm.core.columns import Columns
from pidm.features import Bounds, Feature, HandColumns
from pidm.language.rules import Rule
from pidm.language.words import say
from pidm.reading.inference import bounds_of
from pidm.reading.situation import Situation


def kind_of(situation: Situation, hand: Hand, rule: Rule) -> Bounds | None:
    """The kind of hand of a rule that this hand is: in plain points if it can be, else as the system counts;
    its first kind if the hand is none of them."""
    columns = HandColumns(hand.array[None])
    kinds = _kinds(situation, [rule])
    for seen in (situation.beside_partner(columns), situation.seen(columns)):
        for kind in kinds:
            if not _outside(seen, kind):
                return kind
    return kinds[0] if kinds else None


def counted(situation: Situation, hand: Hand, call: Call, rule: Rule) -> str:
    """`counted by tricks the hand has 16 points with spades as trumps, not 17`; empty where plain points
    lead the system to the same call, by this rule of it."""
    if not situation.counts:
        return ""
    columns = HandColumns(hand.array[None])
    plain, seen = situation.beside_partner(columns), situation.seen(columns)
    decisive = _turned(situation, [rule], seen, plain)
    choices = situation.net.choices(plain)
    other = choices.preferred()[0]
    if other not in (call, NO_ACTION):
        instead = [one for one in choices.sources(0, other) if isinstance(one, Rule)]
        decisive += _turned(situation, instead, plain, seen)
    told = ", ".join(_instead(what, seen, plain) for what in dict.fromkeys(decisive))
    return f"counted {situation.counts} the hand has {told}" if told else ""


def _kinds(situation: Situation, rules: Collection[Rule]) -> list[Bounds]:
    return [
        bounds_of(box)
        for one in situation.applied
        if any(one.rule is rule for rule in rules)
        for box, _, _ in one.boxes
    ]


def _outside(columns: Columns, kind: Bounds) -> list[Feature]:
    return [what for what, (low, high) in kind.items() if not low <= columns.column(what)[0] <= high]


def _turned(
    situation: Situation, rules: Collection[Rule], inside: Columns, outside: Columns
) -> list[Feature]:
    """Where a hand that is of a kind when counted in one way lies outside it in the other."""
    fitting = [kind for kind in _kinds(situation, rules) if not _outside(inside, kind)]
    return min((_outside(outside, kind) for kind in fitting), key=len, default=[])


def _instead(what: Feature, seen: Columns, plain: Columns) -> str:
    value, other = float(seen.column(what)[0]), float(plain.column(what)[0])
    return f"{say(what, value, value)}, not {say(what, other, other).split()[0]}"
