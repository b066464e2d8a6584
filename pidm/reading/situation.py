"""Reading an auction: what every player has shown so far, and the rules that apply now.

Seats are counted from the dealer here (0 deals), so that one reading serves a system at any table position. A
situation is made from the one before it by one more call; everything public about the auction is worked out
once and shared by all hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, PASS, RANKED_STRAINS, Call, Seat, Vul
from pidm.core.box import INF, Box
from pidm.core.choices import Choices
from pidm.core.columns import Columns
from pidm.core.net import DecisionNet, Triplet
from pidm.features import Feature, HandColumns
from pidm.language.condition import GAME, Test, hold
from pidm.language.meaning import HCP, LENGTH, BoundAlternative, Range, narrow
from pidm.language.pattern import PatternIndex, State
from pidm.language.rules import LAYERS, BlockInstance, CallMaker, Forcing, Rule
from pidm.reading.inference import (
    ANY_VALUE,
    NATURAL,
    POINTS,
    Bounds,
    bounds_of,
    joined,
    natural_reading,
    shown_suits,
    updated,
)
from pidm.reading.strength_shift import StrengthShifted

if TYPE_CHECKING:
    from pidm.language.system import System


class Meant(NamedTuple):
    """A call of the auction as the rules explain it."""

    call: Call
    seat: int
    """Counted from the dealer."""
    rules: tuple[Rule, ...]
    """The rules that speak of the call in its auction; none when no rule does."""
    shown: Bounds
    """What the call by itself shows."""


class Applied(NamedTuple):
    """A rule that applies in a situation, its call and its ranges settled."""

    call: Call
    rule: Rule
    boxes: tuple[tuple[Box, int, BoundAlternative], ...]
    """(box, priority of the alternative, the alternative)."""
    speaks: bool
    """False for a last resort, which tells partner nothing."""
    order: tuple[int, ...]
    """Layer, priority, specificity, position, rank: greater goes first."""


class Situation:
    """The auction so far, as the player to call sees it. Pairs are of the dealer's side and the other."""

    me: int
    """The seat to call, counted from the dealer."""
    side: int
    """0 if that is on the dealer's side."""
    vul: tuple[bool, bool]
    """Which sides are vulnerable."""
    states: tuple[State, ...] = ()
    """The patterns of each seat's system that are alive."""
    bounds: tuple[Bounds, ...] = ({}, {}, {}, {})
    """What each seat has shown."""
    suits: tuple[frozenset[str], ...] = (frozenset(),) * 4
    """The suits that each seat has shown by length."""
    agreed: tuple[str | None, str | None] = (None, None)
    """The suits agreed as trumps."""
    in_force: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """The conventions that have been started and not ended."""
    force: tuple[Forcing | None, Forcing | None] = (None, None)
    """The lasting force that a side is under: to game, or to a bid."""
    asked: int | None = None
    """The seat whose last call was forcing for one round."""
    mood: tuple[str | None, ...] = (None,) * 4
    """`invite` or `signoff`, if the last call of the seat was one."""
    active: tuple[bool, bool] = (False, False)
    """Has the side bid or doubled?"""
    opener: int | None = None
    """Who made the first bid."""
    last_bidder: int | None = None
    """Who made the last bid."""
    meant: Meant | None = None
    """The last call as the rules explain it."""

    def __init__(self, reader: Reader, auction: Auction, parent: Situation | None):
        self.reader = reader
        self.auction = auction
        """The auction with the dealer in the north seat."""
        self.parent = parent
        """The situation one call earlier."""
        self.me = len(auction.calls) & 3
        self.side = self.me & 1
        self.vul = (auction.vul.of(0), auction.vul.of(1))
        if parent is None:
            self.states = tuple(index.start() for index in reader.indexes)
        else:
            self._follow(parent, auction.calls[-1])

    def _follow(self, before: Situation, call: Call) -> None:
        seat, side = before.me, before.side
        leading = before.opener is None and call == PASS
        self.states = self._advanced(before.states, side, call, leading)
        meant = self.meant = before.meaning_of(call)
        self.opener = seat if before.opener is None and call.is_bid else before.opener
        self.last_bidder = seat if call.is_bid else before.last_bidder
        self.active = _put(before.active, side, before.active[side] or call != PASS)
        bounds = updated(before.bounds[seat], meant.shown)
        self.bounds = _put(before.bounds, seat, bounds)
        self.suits = _put(before.suits, seat, shown_suits(bounds, before.suits[seat], call))
        rule = meant.rules[0] if meant.rules else None
        self.mood = _put(before.mood, seat, rule.forcing.kind if rule and rule.forcing else None)
        self.asked = None
        self.force = before.force
        self.in_force = before.in_force
        if rule is not None:
            self._apply(rule, seat, side)
        self.agreed = _put(before.agreed, side, self._trumps(before.agreed[side], rule, seat))
        if before.asked is not None and before.asked & 1 != side and before.question_survives(call):
            self.asked = before.asked

    def _advanced(self, states: tuple[State, ...], side: int, call: Call, leading: bool) -> tuple[State, ...]:
        first, second, third, fourth = self.reader.indexes
        after = [
            first.advance(states[0], side == 0, call, leading),
            second.advance(states[1], side == 1, call, leading),
        ]
        after.append(after[0] if third is first else third.advance(states[2], side == 0, call, leading))
        after.append(after[1] if fourth is second else fourth.advance(states[3], side == 1, call, leading))
        return tuple(after)

    def _apply(self, rule: Rule, seat: int, side: int) -> None:
        if rule.forcing is not None:
            if rule.forcing.kind in ("game", "to"):
                self.force = _put(self.force, side, _stronger(self.force[side], rule.forcing))
            elif rule.forcing.kind == "round":
                self.asked = seat
        spec = rule.line.spec
        if spec.starts or spec.ends:
            names = self.in_force[side].union(spec.starts).difference(spec.ends)
            self.in_force = _put(self.in_force, side, names)

    def _trumps(self, before: str | None, rule: Rule | None, seat: int) -> str | None:
        if rule is not None and rule.agrees:
            return rule.agrees
        if before is not None:
            return before
        partner = (seat + 2) & 3
        fits = [s for s in "SHDC" if self.least_length(seat, s) + self.least_length(partner, s) >= 8]
        return max(
            fits, key=lambda s: self.least_length(seat, s) + self.least_length(partner, s), default=None
        )

    # ------------------------------------------------------------------ seats and the laws

    @property
    def partner(self) -> int:
        """The seat opposite."""
        return (self.me + 2) & 3

    @property
    def lho(self) -> int:
        """The seat to the left."""
        return (self.me + 1) & 3

    @property
    def rho(self) -> int:
        """The seat to the right."""
        return (self.me + 3) & 3

    @property
    def last_bid(self) -> Call | None:
        """The highest bid so far."""
        return self.auction.last_bid

    @property
    def doubled(self) -> int:
        """0, 1 or 2: how the last bid stands doubled."""
        contract = self.auction.contract
        return contract.doubled if contract else 0

    @property
    def scoring(self) -> str:
        """`imps` or `matchpoints`."""
        return self.reader.scoring

    @cached_property
    def legal(self) -> frozenset[Call]:
        """The calls that the laws allow."""
        return frozenset(self.auction.legal())

    def is_legal(self, call: Call) -> bool:
        """Whether the laws allow the call now."""
        return call in self.legal

    def cheapest(self, strain: str) -> Call | None:
        """The lowest legal bid in a strain."""
        number = 3 + RANKED_STRAINS.index(strain)
        last = self.last_bid
        if last is not None and number <= last:
            number += 5 * -(-(last + 1 - number) // 5)
        return Call(number) if number <= 37 else None

    @property
    def balancing(self) -> bool:
        """Would a pass end the auction?"""
        calls = self.auction.calls
        return self.last_bid is not None and calls[-2:] == (PASS, PASS)

    def passed_hand(self, seat: int) -> bool:
        """Did the seat pass before anybody bid?"""
        calls = self.auction.calls
        return len(calls) > seat and all(call == PASS for call in calls[: seat + 1])

    def has_bid(self, seat: int) -> bool:
        """Has the seat made a bid?"""
        return any(call.is_bid for call in self.auction.calls[seat::4])

    def has_called(self, seat: int, call: int) -> bool:
        """Has the seat made this call?"""
        return call in self.auction.calls[seat::4]

    @property
    def conventions(self) -> frozenset[str]:
        """What is on the card of the player to call."""
        return self.reader.systems[self.me].conventions

    # ------------------------------------------------------------------ what has been shown

    def range_of(self, seat: int, what: Feature) -> Range:
        """The least and the most of a feature that a seat has shown."""
        found = self.bounds[seat].get(what)
        return found if found is not None else NATURAL.get(what, ANY_VALUE)

    def least_length(self, seat: int, suit: str) -> float:
        """The shortest that the suit can be."""
        return self.range_of(seat, LENGTH[suit])[0]

    def strength(self, seat: int) -> Range:
        """The least and the most strength of a seat, in points: as high cards if they were named, else with
        distribution."""
        bounds = self.bounds[seat]
        low, high = bounds.get(HCP, (0, 37))
        for points in POINTS.values():
            if points in bounds:
                least, most = bounds[points]
                low, high = max(low, least - 2), min(high, most)
        return low, max(low, high)

    def partner_has(self, what: Feature) -> Range:
        """The least and the most of a feature that partner has shown, for partnership arithmetic."""
        if what in LENGTH.values():
            return self.range_of(self.partner, what)
        found = self.bounds[self.partner].get(what)
        return found if found is not None else self.strength(self.partner)

    @property
    def forced_to_game(self) -> bool:
        """Would a pass break a force to game?"""
        force = self.force[self.side]
        return force is not None and force.kind == "game" and self._pass_breaks(force)

    @property
    def game_forcing(self) -> bool:
        """Is our side committed to game and not there yet?"""
        force = self.force[self.side]
        return force is not None and force.kind == "game" and not self._reached(force)

    @property
    def forced(self) -> bool:
        """Would a pass break a force?"""
        if self.asked is not None and self.asked == self.partner:
            return True  # also above game: an ask must be answered
        force = self.force[self.side]
        return force is not None and self._pass_breaks(force)

    def question_survives(self, call: Call) -> bool:
        """Must partner's forcing call still be answered after this call of the opponent between?

        After a pass it must. A bid or double is a way out, except that nobody plays a doubled cue bid.
        """
        if call != DOUBLE or self.last_bid is None:
            return call == PASS
        return self.last_bid.strain in self.suits[self.me] | self.suits[self.partner]

    def _reached(self, force: Forcing) -> bool:
        last = self.last_bid
        if last is None:
            return False
        if force.kind == "to" and force.until is not None:
            return last >= force.until
        return last >= GAME[last.strain]

    def _pass_breaks(self, force: Forcing) -> bool:
        if self._reached(force) or self.last_bidder is None:
            return False
        if self.last_bidder & 1 == self.side:
            return self.auction.calls[-1] == PASS or self.doubled > 0
        return self.balancing and not self.doubled

    # ------------------------------------------------------------------ the rules that apply

    @cached_property
    def applied(self) -> list[Applied]:
        """The rules that apply now, those that go first first."""
        return self._settled([a for instance in self._instances for a in self._applied_of(instance)])

    def _applied_to(self, call: Call) -> list[Applied]:
        """Those of them that make a call; the others are not read for it."""
        if "applied" in self.__dict__:
            return [a for a in self.applied if a.call == call]
        return self._settled(
            [a for instance in self._instances for a in self._applied_of(instance, call) if a.call == call]
        )

    @staticmethod
    def _settled(found: list[Applied]) -> list[Applied]:
        """Who of those that apply is heard: only rules for the same call concern each other."""
        loudest: dict[Call, tuple[int, int]] = {}
        for applied in found:
            voice = (applied.order[0], applied.order[2])
            if voice > loudest.get(applied.call, (-1, -1)):
                loudest[applied.call] = voice
        heard = [a for a in found if (a.order[0], a.order[2]) == loudest[a.call]]
        # Last resorts tell nothing where another rule gives the call a meaning, but remain for the hand that
        # finds no other call; and such a hand may always pass.
        meant = {a.call for a in heard if not _is_last_resort(a)}
        result = [a._replace(speaks=not (_is_last_resort(a) and a.call in meant)) for a in heard]
        result += [
            a._replace(speaks=False)
            for a in found
            if (a.call == PASS or _is_last_resort(a)) and (a.order[0], a.order[2]) != loudest[a.call]
        ]
        result.sort(key=lambda a: a.order, reverse=True)
        return result

    @cached_property
    def _instances(self) -> list[BlockInstance]:
        """The blocks whose auction this is; a block that several patterns find counts once."""
        found: dict[object, BlockInstance] = {}
        for instance in PatternIndex.matches(self.states[self.me]):
            assert isinstance(instance, BlockInstance)
            other = found.get(instance.key)
            if other is None or other.specificity < instance.specificity:
                found[instance.key] = instance
        return list(found.values())

    def _applied_of(self, instance: BlockInstance, wanted: Call | None = None) -> Iterator[Applied]:
        """The rules of a block that apply; if a call is wanted, at least all that make it."""
        block = instance.block
        for case in instance.cases:
            if not hold(case.tests, self, PASS):
                continue
            for rule in case.rules if wanted is None else case.rules_for(wanted):
                call = rule.maker.resolve(self)
                if call is None or not hold(rule.tests, self, call):
                    continue
                settled = (self._box(alternative) for alternative in rule.alternatives)
                boxes = tuple(box for box in settled if box is not None)
                if boxes:
                    spec = rule.line.spec
                    order = (
                        block.layer,
                        block.spec.priority + spec.priority,
                        instance.specificity,
                        -block.position,
                        -spec.rank,
                    )
                    yield Applied(call, rule, boxes, True, order)

    def _box(self, alternative: BoundAlternative) -> tuple[Box, int, BoundAlternative] | None:
        """The ranges of an alternative, what speaks of partner's hand settled."""
        if not alternative.combined:
            return alternative.settled, alternative.priority, alternative
        box = dict(alternative.box)
        for term in alternative.combined:
            least, most = self.partner_has(term.feature)
            partner = least if term.with_partner == "least" else most
            if abs(partner) < INF:
                narrow(box, term.feature, term.low - partner, term.high - partner)
        if any(low > high for low, high in box.values()):
            return None
        return Box(box), alternative.priority, alternative

    @cached_property
    def forbidden(self) -> frozenset[Call]:
        """The calls that negative rules take away."""
        found: set[Call] = set()
        for instance in self._instances:
            if not instance.block.nevers:
                continue
            for case in instance.cases:
                if hold(case.tests, self, PASS):
                    found.update(self._forbidden_by(case.nevers))
        return frozenset(found)

    def _forbidden_by(self, nevers: Iterable[tuple[CallMaker, tuple[Test, ...]]]) -> Iterator[Call]:
        for maker, tests in nevers:
            call = maker.resolve(self)
            if call is not None and hold(tests, self, call):
                yield call

    @cached_property
    def dynamic(self) -> bool:
        """Does a rule here test a feature that depends on what partner has shown?"""
        features = (f for applied in self.applied for box, _, _ in applied.boxes for f in box)
        return any(isinstance(f, Feature) and f.dynamic for f in features)

    @cached_property
    def net(self) -> DecisionNet:
        """The decision net of the player to call (appendix B)."""
        keys: list[tuple[int, ...]] = []
        entries = []
        for applied in self.applied:
            layer, priority, *rest = applied.order
            for box, extra, _ in applied.boxes:
                key = (layer, priority + extra, *rest)
                keys.append(key)
                entries.append((applied, box, key))
        ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
        triplets = [
            Triplet(applied.call, box, ranks[key], applied.rule, position)
            for position, (applied, box, key) in enumerate(entries)
        ]
        default = sorted(self.legal, key=_default_order)
        return DecisionNet.build(triplets, default, self.forbidden)

    def choices(self, columns: Columns) -> Choices:
        """What the rules propose for a batch of hands."""
        if self.dynamic:
            assert isinstance(columns, HandColumns | StrengthShifted)
            columns = columns.with_partner(self.bounds[self.partner])
        return self.net.choices(columns)

    def meaning_of(self, call: Call) -> Meant:
        """What a call would show here."""
        rules: dict[Rule, None] = {}
        hull: Bounds | None = None
        for applied in self._applied_to(call):
            if not applied.speaks:
                continue
            rules[applied.rule] = None
            for box, _, alternative in applied.boxes:
                one = bounds_of(box)
                for what, (low, high) in alternative.implied.items():
                    narrow(one, what, low, high)
                hull = one if hull is None else joined(hull, one)
        if hull is None:
            hull = natural_reading(call)
        return Meant(call, self.me, tuple(rules), hull)

    @cached_property
    def covered(self) -> Bounds:
        """Ranges that hold for every hand that could have made the last call, last resorts and defaults
        included.

        Wider than what the call shows to partner: this is what drawing worlds needs.
        """
        if self.parent is None:
            return {}
        return self.parent.covering_of(self.auction.calls[-1])

    def covering_of(self, call: Call) -> Bounds:
        """Ranges that hold for every hand that could make this call here."""
        hull: Bounds | None = None
        closed = False
        for applied in self.applied:
            for box, _, alternative in applied.boxes:
                if not box and applied.call not in self.forbidden:
                    closed = True  # some rule speaks for every hand: nobody gets to the default actions
                if applied.call == call:
                    one = {**alternative.implied, **bounds_of(box)}
                    hull = one if hull is None else joined(hull, one)
        if hull is None or (not closed and call not in self.forbidden):
            return {}
        return hull


def _is_last_resort(applied: Applied) -> bool:
    """Is it a bid of the natural layer with a negative priority? (To pass for lack of a call is natural.)"""
    return applied.call != PASS and applied.order[0] == LAYERS["natural"] and applied.order[1] < 0


def _default_order(call: Call) -> tuple[bool, int]:
    """Without any rule: pass, else the lowest bid, and no double."""
    return call == DOUBLE or call == 2, int(call)


def _stronger(one: Forcing | None, other: Forcing) -> Forcing:
    if one is None or other.kind == "game":
        return other
    if one.kind == "game":
        return one
    return max(one, other, key=lambda force: force.until or 0)


def _put(values: tuple[Any, ...], index: int, value: object) -> Any:
    return (*values[:index], value, *values[index + 1 :])


class Reader:
    """Reads auctions of four players, each with a system; remembers what it has read."""

    LIMIT = 8_000
    """How many situations are kept, about 30 KB each; then those not asked for longest are forgotten."""

    def __init__(self, systems: Sequence[System], scoring: str = "imps"):
        self.systems = tuple(systems)
        """The system of each seat, from the dealer."""
        self.scoring = scoring
        self.indexes = tuple(system.index for system in systems)
        self._known: dict[tuple[Vul, tuple[Call, ...]], Situation] = {}

    def situation(self, vul: Vul, calls: tuple[Call, ...]) -> Situation:
        """The situation after these calls; `vul` as if the dealer sat north."""
        key = vul, calls
        found = self._known.pop(key, None)
        if found is None:
            if len(self._known) >= self.LIMIT:  # one by one: to forget all at once would take a second
                del self._known[next(iter(self._known))]
            parent = self.situation(vul, calls[:-1]) if calls else None
            auction = parent.auction.after(calls[-1]) if parent else Auction(Seat.N, vul)
            found = Situation(self, auction, parent)
        self._known[key] = found  # as the newest
        return found
