"""Reading an auction: what every player has shown so far, and the rules that apply now.

A situation is made from the one before it by one more call; everything public about the auction is worked out
once and shared by all hands. What it is made of: the laws (`laws`), what calls show (`inference`), what is
forcing (`forcing`), the rules that match (`matching`) and the net that they make (`rule_net`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call
from pidm.core.box import INF, Box
from pidm.core.choices import Choices
from pidm.core.columns import Columns
from pidm.core.net import DecisionNet
from pidm.features import Bounds, Feature, HandColumns, Range
from pidm.language.counts import Counts
from pidm.language.force import ForcingKind
from pidm.language.meaning import LENGTH, MOST, STOPPED, THEIRS, CombinedTerm
from pidm.language.pattern_index import PatternIndex, State
from pidm.language.rules import BlockInstance, Case, Never, Rule
from pidm.language.system import System
from pidm.reading.common_ground import CommonGround
from pidm.reading.counted import Counted
from pidm.reading.forcing import ForcingState
from pidm.reading.inference import (
    Meant,
    covering,
    longest_fit,
    meant_by,
    range_of,
    shown_suits,
    strength,
    updated,
)
from pidm.reading.kinds_of_hand import kinds_of_hand
from pidm.reading.laws import NOTES, Laws
from pidm.reading.matched_blocks import MatchedBlocks
from pidm.reading.matching import (
    Applied,
    applying_rules,
    forbidding_rules,
    speaking_rules,
)
from pidm.reading.one_hand import HandValues, SpokenInOrder
from pidm.reading.rule_net import net_of_rules
from pidm.reading.strength_shift import StrengthShifted

T = TypeVar("T")

FEW = 6
"""Hands that are told sooner what the rules propose than a net is made."""


class noted_property(Generic[T]):  # noqa: N801, used as `cached_property` is
    """Found out once. What was found out without asking who is vulnerable stands in the object from then on;
    for what was not, whoever uses it is noted to have asked that."""

    def __init__(self, make: Callable[[Any], T]):
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, one: Situation, owner: object = None) -> T:
        """The value, if it does not stand in the object."""
        if self._name in one.by_vulnerability:
            NOTES.ask()
            found: T = one.by_vulnerability[self._name]
            return found
        before = NOTES.last
        value = self._make(one)
        kept = one.__dict__ if NOTES.last is before else one.by_vulnerability
        kept[self._name] = value
        return value


@dataclass(frozen=True, eq=False)
class Lineup:
    """Who sits where, from the dealer on, and what they play for."""

    systems: tuple[System, ...]
    """The system of each seat."""
    scoring: str
    """`imps` or `matchpoints`."""

    @cached_property
    def indexes(self) -> tuple[PatternIndex, ...]:
        """The auction patterns of each seat's system."""
        return tuple(system.index for system in self.systems)

    @cached_property
    def common(self) -> tuple[CommonGround, ...]:
        """What the auctions of each seat's system have in common."""
        return tuple(CommonGround.of(system) for system in self.systems)


class Situation(Laws):
    """The auction so far, as the player to call sees it. Pairs are of the dealer's side and the other."""

    states: tuple[State, ...]
    """The patterns of each seat's system that are alive."""
    bounds: tuple[Bounds, ...] = ({}, {}, {}, {})
    """What each seat has shown."""
    suits: tuple[frozenset[str], ...] = (frozenset(),) * 4
    """The suits that each seat has shown by length."""
    agreed: tuple[str | None, str | None] = (None, None)
    """The suits agreed as trumps."""
    in_force: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """The conventions that have been started and not ended."""
    forcing: ForcingState = ForcingState()
    """What both sides are held to."""
    mood: tuple[ForcingKind | None, ...] = (None,) * 4
    """What the last call of each seat asked of its partner."""
    meant: Meant | None = None
    """The last call as the rules explain it."""

    free = True
    """Is what has been shown the same whoever is vulnerable?"""

    def __init__(
        self, lineup: Lineup, auction: Auction, parent: Situation | None, twin: Situation | None = None
    ):
        super().__init__(auction)
        self.lineup = lineup
        self.parent = parent
        """The situation one call earlier."""
        self._partner_has: dict[Feature, Range] = {}
        self._speaking: dict[Call, tuple[list[Applied], bool]] = {}
        """For each call, and whether it was found out by asking who is vulnerable."""
        self.by_vulnerability: dict[str, Any] = {}
        """What was found out by asking who is vulnerable."""
        self._each: dict[bytes, Choices] = {}
        """What the net proposes to single hands."""
        self.derived: dict[object, Any] = {}
        """What others have made of it, words above all, by whom and of what."""
        if parent is None:
            self.states = tuple(index.start() for index in lineup.indexes)
        elif twin is not None:
            self._take(twin)
        else:
            before = NOTES.last
            self._follow(parent, auction.calls[-1])
            self.free = parent.free and NOTES.last is before

    def _take(self, twin: Situation) -> None:
        """Take over what was found out about the same calls without asking who is vulnerable."""
        known = twin.__dict__
        for name in (*_SHOWN, *_FOUND_OUT):
            if name in known:
                self.__dict__[name] = known[name]
        self._speaking = {call: one for call, one in twin._speaking.items() if not one[1]}
        if "spoken" in known:
            self.__dict__["spoken"] = twin.spoken.without_vulnerability()

    def _follow(self, before: Situation, call: Call) -> None:
        seat, side = before.me, before.side
        self.states = before._states_after(call)
        meant = self.meant = before.meaning_of(call)
        rule = meant.rules[0] if meant.rules else None
        forcing = rule.forcing if rule is not None else None
        bounds = updated(before.bounds[seat], meant.shown)
        self.bounds = _put(before.bounds, seat, bounds)
        self.suits = _put(before.suits, seat, shown_suits(bounds, before.suits[seat], call))
        self.mood = _put(before.mood, seat, forcing.kind if forcing else None)
        own = before.suits[seat] | before.suits[before.partner]
        self.forcing = before.forcing.after(before, call, forcing, own)
        self.in_force = before.in_force
        if rule is not None and (rule.line.spec.starts or rule.line.spec.ends):
            names = self.in_force[side].union(rule.line.spec.starts).difference(rule.line.spec.ends)
            self.in_force = _put_side(self.in_force, side, names)
        self.agreed = _put_side(before.agreed, side, self._trumps(before.agreed[side], rule, seat))

    def _states_after(self, call: Call) -> tuple[State, ...]:
        """The patterns that are still alive after a call; partners with one system share their work."""
        leading = self.opener is None and call == PASS
        indexes, states = self.lineup.indexes, self.states
        after: list[State] = []
        for seat in range(4):
            if seat >= 2 and indexes[seat] is indexes[seat - 2]:
                after.append(after[seat - 2])
            else:
                ours = seat & 1 == self.side
                after.append(indexes[seat].advance(states[seat], ours, call, leading))
        return tuple(after)

    def _trumps(self, before: str | None, rule: Rule | None, seat: int) -> str | None:
        """The suit that a side has agreed on after a call of this seat."""
        if rule is not None and rule.agrees:
            return rule.agrees
        return before or longest_fit((self.bounds[seat], self.bounds[(seat + 2) & 3]))

    # ------------------------------------------------------------------ what is known at the table

    @property
    def scoring(self) -> str:
        """`imps` or `matchpoints`."""
        return self.lineup.scoring

    @property
    def conventions(self) -> frozenset[str]:
        """What is on the card of the player to call."""
        return self.lineup.systems[self.me].conventions

    def range_of(self, seat: int, what: Feature) -> Range:
        """The least and the most of a feature that a seat has shown."""
        return range_of(what, self.bounds[seat])

    def least_length(self, seat: int, suit: str) -> float:
        """The shortest that the suit can be."""
        return range_of(LENGTH[suit], self.bounds[seat])[0]

    def just_shown(self, seat: int) -> frozenset[str]:
        """The suits that the last call of the seat showed by length."""
        at: Situation | None = self
        while at is not None and at.meant is not None:
            if at.meant.seat == seat:
                return shown_suits(at.meant.shown, frozenset(), at.meant.call)
            at = at.parent
        return frozenset()

    def strength(self, seat: int) -> Range:
        """The least and the most strength that a seat has shown, in points."""
        return strength(self.bounds[seat])

    def added(self, term: CombinedTerm) -> float:
        """What is added to the value of the hand that a term measures; infinite where it asks nothing."""
        if term.awaits == THEIRS:
            theirs = STOPPED[term.feature] in self.suits[self.lho] | self.suits[self.rho]
            return 0.0 if theirs and self.range_of(self.partner, term.feature)[0] < term.low else INF
        return self._partner_shows(term.feature)[term.awaits == MOST]

    def _partner_shows(self, what: Feature) -> Range:
        """The least and the most of a feature that partner has shown, for partnership arithmetic."""
        found = self._partner_has.get(what)
        if found is None:
            bounds = self.bounds[self.partner]
            named = what in bounds or what in LENGTH.values()
            found = self._partner_has[what] = range_of(what, bounds) if named else strength(bounds)
        return found

    @property
    def forced(self) -> bool:
        """Would a pass break a force?"""
        return self.forcing.forced(self)

    @property
    def forced_to_game(self) -> bool:
        """Would a pass break a force to game?"""
        return self.forcing.forced_to_game(self)

    @property
    def game_forcing(self) -> bool:
        """Is our side committed to game and not there yet?"""
        return self.forcing.game_forcing(self)

    # ------------------------------------------------------------------ what the rules say

    @property
    def blocks(self) -> Sequence[BlockInstance]:
        """The blocks of the player's system whose auction this is."""
        return self._matched.blocks

    @cached_property
    def _matched(self) -> MatchedBlocks:
        return self.lineup.common[self.me].matched(self.states[self.me])

    @noted_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of these blocks whose `when` holds."""
        return self._matched.cases(self)

    @noted_property
    def undiscussed(self) -> bool:
        """Does no block of the system or its conventions speak of this auction?"""
        self.__dict__["undiscussed"] = True  # for blocks of those that ask the same
        found = not self._matched.discussed(self)
        self.__dict__.pop("undiscussed", None)
        return found

    @noted_property
    def applied(self) -> list[Applied]:
        """The rules that apply now, those that go first first."""
        return applying_rules(self.cases, self)

    @noted_property
    def forbidden(self) -> frozenset[Call]:
        """The calls that negative rules take away."""
        return frozenset(self.forbidding)

    @noted_property
    def forbidding(self) -> dict[Call, Never]:
        """The negative rules that take calls away."""
        return forbidding_rules(self.cases, self)

    @noted_property
    def net(self) -> DecisionNet:
        """The decision net of the player to call."""
        return net_of_rules(self.applied, self.legal, self.forbidden)

    @noted_property
    def dynamic(self) -> bool:
        """Does a rule here test a feature that depends on what partner has shown?"""
        features = (feature for one in self.applied for settled in one.boxes for feature in settled.box)
        return any(isinstance(feature, Feature) and feature.dynamic for feature in features)

    def choices(self, columns: Columns) -> Choices:
        """What the rules propose for a batch of hands."""
        if isinstance(columns, HandColumns) and self._spares_net(columns):
            found = self.spoken.choices_of_all([self.values(hand) for hand in columns.each()], self)
            if found is not None:
                return found
        return self.net.choices(self.seen(columns))

    def choices_of_each(self, columns: HandColumns) -> list[Choices]:
        """What they propose for each of the hands; those that are told the same may share it."""
        if self._spares_net(columns):
            found = self.spoken.choices_of_each([self.values(hand) for hand in columns.each()], self)
            if found is not None:
                return found
        return self.net.choices(self.seen(columns)).each(self._each)

    @property
    def _is_settled(self) -> bool:
        """Is it known which rules apply?"""
        return "applied" in self.__dict__ or "applied" in self.by_vulnerability

    def _spares_net(self, columns: HandColumns) -> bool:
        """Are the hands perhaps told sooner without a net?"""
        # Where the rules are settled it is not far to a net, which is there for others as well.
        return len(columns) == 1 or (len(columns) <= FEW and not self._is_settled)

    def plain_choices(self, columns: HandColumns, values: HandValues) -> Choices:
        """What they would propose for one hand if it were counted in plain points; these are its `values`."""
        found = self.spoken.choices_of_all([values], self)
        return self.net.choices(self.beside_partner(columns)) if found is None else found

    def values(self, columns: HandColumns, *, plain: bool = False) -> HandValues:
        """One hand as the player to call sees it: beside what partner has shown, counted as the system
        counts or in plain points."""
        counts = None if plain else self.counts or None
        return HandValues(columns, counts, self.bounds[self.partner], self.added)

    @noted_property
    def spoken(self) -> SpokenInOrder:
        """What the rules say to one hand after another."""
        return SpokenInOrder(self.cases, self.lineup.common[self.me].ordered)

    def seen(self, columns: Columns) -> Columns:
        """The hands as the player to call sees them: beside what partner has shown, counted as the system
        counts."""
        columns = self.beside_partner(columns)
        return Counted(columns, self.counts) if self.counts else columns

    def beside_partner(self, columns: Columns) -> HandColumns | StrengthShifted:
        """The hands beside what partner has shown, in the plain points in which calls are explained."""
        assert isinstance(columns, HandColumns | StrengthShifted)
        return columns.with_partner(self.bounds[self.partner]) if self.dynamic else columns

    @property
    def counts(self) -> Counts:
        """How the player to call counts a hand; empty where it is by plain points."""
        return self.lineup.systems[self.me].counts

    def speaking(self, call: Call) -> list[Applied]:
        """The rules that apply now and give a call its meaning, those that go first first."""
        found = self._speaking.get(call)
        if found is None:
            before = NOTES.last
            if "applied" in self.__dict__:
                said = [one for one in self.applied if one.call == call and one.speaks]
            else:
                said = speaking_rules(call, self.cases, self)
            found = self._speaking[call] = said, NOTES.last is not before
        elif found[1]:
            NOTES.ask()
        return found[0]

    def boxes(self, rule: Rule) -> list[Box]:
        """The kinds of hands of a rule that applies, given what others have shown."""
        settled = (alternative.beside(self.added) for alternative in rule.alternatives)
        return [one.box for one in settled if one is not None]

    def meaning_of(self, call: Call) -> Meant:
        """What a call would show here."""
        return meant_by(call, self.me, self.speaking(call))

    def kinds_of_hand(self, call: Call) -> list[Bounds]:
        """The hands that make a call by the rules that speak of it, narrowed to what the player can hold."""
        return kinds_of_hand(self.speaking(call), self.bounds[self.me])

    def excludes(self, call: Call) -> bool:
        """Do the rules give a call a meaning that the player's own earlier calls exclude? Nobody who showed
        15-17 points makes a call that shows 18."""
        return bool(self.speaking(call)) and not self.kinds_of_hand(call)

    @noted_property
    def excluded(self) -> frozenset[Call]:
        """The calls of the rules that the player's own earlier calls exclude."""
        return frozenset(call for call in {one.call for one in self.applied} if self.excludes(call))

    @noted_property
    def covered(self) -> Bounds:
        """Ranges that hold for every hand that could have made the last call."""
        if self.parent is None:
            return {}
        return covering(self.auction.calls[-1], self.parent.applied, self.parent.forbidden)


_SHOWN = ("states", "bounds", "suits", "agreed", "in_force", "forcing", "mood", "meant", "_partner_has")
"""What a call has changed."""
_FOUND_OUT = (
    "cases",
    "undiscussed",
    "forbidden",
    "forbidding",
    "applied",
    "net",
    "dynamic",
    "excluded",
    "covered",
)
"""What is found out when it is needed."""


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _put_side(values: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    return (value, values[1]) if side == 0 else (values[0], value)
