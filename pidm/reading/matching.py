"""The matching of rules: which rules of a system apply in a situation, and who of them is heard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple, Protocol

from pidm.bridge.calls import PASS, Call
from pidm.language.auction_view import AuctionView
from pidm.language.condition import hold
from pidm.language.meaning import CombinedTerm, SettledBox
from pidm.language.rules import LAYERS, Case, Never, Order, Rule, Voice


class Applied(NamedTuple):
    """A rule that applies in a situation, its call and its ranges settled."""

    call: Call
    rule: Rule
    boxes: tuple[SettledBox, ...]
    speaks: bool
    """False for a last resort, which tells partner nothing."""
    order: Order

    @property
    def is_last_resort(self) -> bool:
        """Is it a bid for a hand that finds no other?"""
        return is_last_resort(self.call, self.order.layer, self.order.priority)


def is_last_resort(call: Call, layer: int, priority: int) -> bool:
    """Is a rule for a call a last resort: a bid of the natural layer with a negative priority?"""
    return (
        priority < 0 and layer == LAYERS["natural"] and call != PASS
    )  # to pass for lack of a call is natural


_ORDER = attrgetter("order")


class Position(AuctionView, Protocol):
    """What the matching of rules asks about an auction."""

    def added(self, term: CombinedTerm) -> float:
        """What is added to the value of the hand that a term measures; infinite where it asks nothing."""


def applying_rules(cases: Iterable[Case], at: Position) -> list[Applied]:
    """The rules of these cases that apply, those that go first first."""
    return _heard([applied for case in cases for applied in _applied(case, at)])


def speaking_rules(call: Call, cases: Iterable[Case], at: Position) -> list[Applied]:
    """Those of them that make a call and give it a meaning, which are of one voice: when such are found,
    cases of smaller voices are not even read."""
    voices: dict[Voice, list[Case]] = {}
    for case in cases:
        if case.block.may_make(call):
            voices.setdefault(case.voice, []).append(case)
    for voice in sorted(voices, reverse=True):
        found = [one for case in voices[voice] for one in _applied(case, at, call)]
        if found:
            return [one for one in _heard(found) if one.speaks]
    return []


def forbidding_rules(cases: Iterable[Case], at: Position) -> dict[Call, Never]:
    """The calls that negative rules take away, each with the first rule that does."""
    found: dict[Call, Never] = {}
    for case in cases:
        if case.block.nevers:
            for never, maker, tests in case.nevers:
                call = maker.resolve(at)
                if call is not None and hold(tests, at, call):
                    found.setdefault(call, never)
    return found


def _heard(found: list[Applied]) -> list[Applied]:
    """Who of those that apply is heard: only rules for the same call concern each other."""
    voices = [one.order.voice for one in found]
    loudest: dict[Call, tuple[int, int]] = {}
    for one, voice in zip(found, voices):
        if voice > loudest.get(one.call, (-1, -1)):
            loudest[one.call] = voice
    heard = [one for one, voice in zip(found, voices) if voice == loudest[one.call]]
    # Last resorts tell nothing where another rule gives the call a meaning, but remain for the hand that
    # finds no other call; and such a hand may always pass.
    meant = {one.call for one in heard if not one.is_last_resort}
    result = [
        one._replace(speaks=False) if one.is_last_resort and one.call in meant else one for one in heard
    ]
    result += [
        one._replace(speaks=False)
        for one, voice in zip(found, voices)
        if voice != loudest[one.call] and (one.call == PASS or one.is_last_resort)
    ]
    result.sort(key=_ORDER, reverse=True)
    return result


def is_heard(call: Call, voice: Voice, cases: Iterable[Case], at: Position) -> bool:
    """Does no rule that makes the call have a greater voice?"""
    return not any(
        case.voice > voice and case.block.may_make(call) and any(_applied(case, at, call)) for case in cases
    )


def _applied(case: Case, at: Position, wanted: Call | None = None) -> Iterator[Applied]:
    """The rules of a case that apply; if a call is wanted, those that make it."""
    for rule in case.rules if wanted is None else case.rules_for(wanted):
        call = rule.maker.resolve(at)
        if call is None or (wanted is not None and call != wanted) or not hold(rule.tests, at, call):
            continue
        boxes = []
        for alternative in rule.alternatives:  # a loop, as in `hold`
            box = alternative.beside(at.added) if alternative.combined else alternative.settled
            if box is not None:
                boxes.append(box)
        if boxes or rule.line.no_agreement:
            yield Applied(call, rule, tuple(boxes), True, case.order(rule))
