"""The matching of rules: which rules of a system apply in a situation, and who of them is heard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple, Protocol

from pidm.bridge.calls import PASS, Call
from pidm.core.box import INF, Box
from pidm.features import Feature, Range
from pidm.language.auction_view import AuctionView
from pidm.language.condition import hold
from pidm.language.meaning import STOPPED, THEIRS, BoundAlternative, SettledBox, narrow
from pidm.language.rules import LAYERS, BlockInstance, Never, Rule


class Order(NamedTuple):
    """Which of two rules goes first: the one that is greater."""

    layer: int
    """Convention over system over natural."""
    priority: int
    """As written, of block and line together."""
    specificity: int
    """How much the auction pattern says."""
    position: int
    """Earlier blocks first, so it is counted downwards."""
    rank: int
    """The same for the lines of a block."""

    @property
    def voice(self) -> tuple[int, int]:
        """Among the rules for one call, only those of the greatest voice are heard."""
        return self.layer, self.specificity


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
        """Is it a bid of the natural layer with a negative priority, for a hand that finds no other?"""
        order = self.order  # to pass for lack of a call is natural
        return order.priority < 0 and order.layer == LAYERS["natural"] and self.call != PASS


_ORDER = attrgetter("order")


class Position(AuctionView, Protocol):
    """What the matching of rules asks about an auction."""

    def partner_has(self, what: Feature) -> Range:
        """The least and the most of a feature that partner has shown, for partnership arithmetic."""


def matching_blocks(found: Iterable[object]) -> list[BlockInstance]:
    """The blocks whose patterns match; one that several patterns find counts once, by the most specific."""
    blocks: dict[object, BlockInstance] = {}
    for instance in found:
        assert isinstance(instance, BlockInstance)
        other = blocks.get(instance.key)
        if other is None or other.specificity < instance.specificity:
            blocks[instance.key] = instance
    return list(blocks.values())


def applying_rules(blocks: Iterable[BlockInstance], at: Position) -> list[Applied]:
    """The rules of these blocks that apply, those that go first first."""
    return _heard([applied for block in blocks for applied in _applied(block, at)])


def applying_rules_for(call: Call, blocks: Iterable[BlockInstance], at: Position) -> list[Applied]:
    """Those of them that make a call; the others are not even read."""
    may = [instance for instance in blocks if instance.block.may_make(call)]
    return _heard([one for instance in may for one in _applied(instance, at, call)])


def discussed(blocks: Iterable[BlockInstance], at: Position) -> bool:
    """Does a system or a convention speak of the auction, more exactly than of any auction?"""
    agreed = [one for one in blocks if one.specificity and one.block.layer > LAYERS["standard"]]
    return any(hold(case.tests, at, PASS) for one in agreed if one.block.spec.lines for case in one.cases)


def forbidding_rules(blocks: Iterable[BlockInstance], at: Position) -> dict[Call, Never]:
    """The calls that negative rules take away, each with the first rule that does."""
    found: dict[Call, Never] = {}
    for instance in blocks:
        if not instance.block.nevers:
            continue
        for case in instance.cases:
            if not hold(case.tests, at, PASS):
                continue
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


def _applied(instance: BlockInstance, at: Position, wanted: Call | None = None) -> Iterator[Applied]:
    """The rules of a block that apply; if a call is wanted, those that make it."""
    block = instance.block
    spec = block.spec
    for case in instance.cases:
        if not hold(case.tests, at, PASS):
            continue
        for rule in case.rules if wanted is None else case.rules_for(wanted):
            call = rule.maker.resolve(at)
            if call is None or (wanted is not None and call != wanted) or not hold(rule.tests, at, call):
                continue
            boxes = []
            for alternative in rule.alternatives:  # a loop, as in `hold`
                box = _settled(alternative, at) if alternative.combined else alternative.settled
                if box is not None:
                    boxes.append(box)
            if boxes or rule.line.no_agreement:
                line = rule.line.spec
                order = Order(
                    block.layer,
                    spec.priority + line.priority,
                    instance.specificity,
                    -block.position,
                    -line.rank,
                )
                yield Applied(call, rule, tuple(boxes), True, order)


def _settled(alternative: BoundAlternative, at: Position) -> SettledBox | None:
    """The ranges of an alternative that speaks of what others have shown, settled; None if they are
    impossible."""
    box = dict(alternative.box)
    for term in alternative.combined:
        if term.with_partner == THEIRS:
            theirs = at.suits[at.lho] | at.suits[at.rho]
            if STOPPED[term.feature] in theirs and at.range_of(at.partner, term.feature)[0] < term.low:
                narrow(box, term.feature, term.low, term.high)
            continue
        least, most = at.partner_has(term.feature)
        partner = least if term.with_partner == "least" else most
        if abs(partner) < INF:
            narrow(box, term.feature, term.low - partner, term.high - partner)
    if any(low > high for low, high in box.values()):
        return None
    return SettledBox(Box(box), alternative.priority, alternative)
