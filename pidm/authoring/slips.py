"""What an author cannot have meant, as the lines themselves give it away.

Suit variables that may be one suit, artificial calls that nothing answers, and shipped examples that no
longer hold because of the author's blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

from pidm.authoring.auction_as_seen import as_seen, pattern_of
from pidm.authoring.examples import Example, failures
from pidm.authoring.findings import Finding
from pidm.authoring.reachable import Reach, reach
from pidm.authoring.watch import is_shipped
from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, PASS
from pidm.language.force import ForcingKind
from pidm.language.meaning import Alternative
from pidm.language.pattern_index import PatternIndex
from pidm.language.rules import LAYERS, Block, Line, Rule
from pidm.language.suits import RANK, SUIT_WORDS, Binding, resolve
from pidm.language.system import System
from pidm.language.words import SUITS
from pidm.reading.table import Table

REAL_SUIT = 3
"""Cards that a suit bid shows, unless it is artificial."""


def own_blocks(system: System) -> list[Block]:
    """The blocks that are the author's to mend: of a shipped system all of them."""
    foreign = not is_shipped(system.spec.path)
    return [block for block in system.blocks if not (foreign and is_shipped(block.spec.mark.path))]


def place_of(line: Line) -> str:
    """File and line."""
    return f"{line.spec.mark.path}:{line.spec.mark.line}"


# ---------------------------------------------------------------------- variables


def equal_variables(system: System) -> Iterator[Finding]:
    """Lines that show length in two suits which may be one: `2S: 5+ S, 5+ X` with X = S."""
    told: set[tuple[Line, str, str]] = set()
    # Most lines show one long suit at most: their blocks need not be expanded.
    blocks = [block for block in own_blocks(system) if any(map(_may_show_two, block.lines))]
    for _, rule in (found for block in blocks for found in block.rules()):
        for one, other, suit in _one_suit(rule):
            if (rule.line, one, other) not in told:
                told.add((rule.line, one, other))
                what = (
                    f"shows length in {one} and in {other}, which may both be {SUITS[suit]}; if that is not "
                    f"meant, write `for: {one} != {other}`"
                )
                yield Finding("variable", str(rule.line.spec.call), what, 1, place=place_of(rule.line))


def _may_show_two(line: Line) -> bool:
    return any(len(_long(alternative)) > 1 for alternative in line.alternatives)


def _one_suit(rule: Rule) -> Iterator[tuple[str, str, str]]:
    for alternative in rule.line.alternatives:
        if alternative.bind(rule.binding) is None:
            continue
        for one, other in combinations(_long(alternative), 2):
            suit = resolve(one, rule.binding)
            fixed = {*RANK, *SUIT_WORDS}
            if suit == resolve(other, rule.binding) and not {one, other} <= fixed:
                # The variable first, as `for:` reads best.
                yield (other, one, suit) if one in fixed else (one, other, suit)


def _long(alternative: Alternative) -> list[str]:
    """The names of the suits in which an alternative shows at least three cards."""
    found = [
        term.feature[len("length({") : -len("})")]
        for term in alternative.terms
        if term.feature.startswith("length({")
        and term.feature.count("(") == 1
        and term.low >= REAL_SUIT
        and term.with_partner is None
    ]
    return list(dict.fromkeys(found))


# ---------------------------------------------------------------------- artificial calls


def asking_blocks(system: System) -> list[Block]:
    """The author's blocks with calls that may be artificial."""
    blocks = [block for block in own_blocks(system) if block.layer > LAYERS["standard"]]
    return [block for block in blocks if any(map(_may_ask, block.lines))]


def unanswered(system: System, blocks: Iterable[Block]) -> Iterator[Finding]:
    """Artificial calls of these blocks after which the files say nothing, or nothing after their double."""
    table = Table.of(system)
    for own in blocks:
        asking = [line for line in own.lines if _may_ask(line)]
        for line, found in reach(system, own, asking).items():
            if found.auction is None or found.call is None or not _artificial(table, found):
                continue
            made = found.auction.after(found.call)
            for theirs, kind in ((PASS, "an answer"), (DOUBLE, "an answer when they double it")):
                if not made.is_legal(theirs) or made.after(theirs).over:
                    continue
                after = made.after(theirs)
                if table.situation(after).undiscussed:
                    block = f"a block `auction: {pattern_of(after, suits=True)}`"
                    what = f"is artificial, without {kind}: write {block}"
                    yield Finding("unanswered", as_seen(after), what, 1, place=place_of(line))


def _may_ask(line: Line) -> bool:
    """Only a forcing or alerted bid can be artificial; what ends an auction needs no answer."""
    spec = line.spec
    return spec.call not in ("P", "X", "XX") and bool(spec.alert or spec.forcing in ("round", "game"))


def _artificial(table: Table, found: Reach) -> bool:
    """Does the bid not show the suit that it names?"""
    assert found.auction is not None and found.call is not None
    situation = table.situation(found.auction.after(found.call))
    forcing = situation.mood[(situation.me + 3) & 3]
    if forcing in (ForcingKind.SIGNOFF, ForcingKind.INVITE, ForcingKind.NO):
        return False
    if found.call.strain == "N":
        return forcing in (ForcingKind.ROUND, ForcingKind.GAME)
    return situation.least_length((situation.me + 3) & 3, found.call.strain) < REAL_SUIT


# ---------------------------------------------------------------------- shipped examples


def changed_examples(system: System, examples: Iterable[Example]) -> Iterator[Finding]:
    """Examples of shipped parts that hold without the author's blocks and fail with them."""
    own = own_blocks(system)
    touched = _Touched(own)
    theirs = [one for one in examples if is_shipped(one.text.mark.path) and touched(one.auction)]
    failed = failures(system, theirs)
    if not failed:
        return
    shipped_blocks = [spec for spec in system.spec.blocks if is_shipped(spec.mark.path)]
    without = System(replace(system.spec, blocks=shipped_blocks))
    also = {id(one.example) for one in failures(without, [one.example for one in failed])}
    for failure in failed:
        if id(failure.example) not in also:
            mark = failure.example.text.mark
            where, place = as_seen(failure.example.auction), f"{mark.path}:{mark.line}"
            yield Finding("changed", where, str(failure), 1, place=place)


class _Touched:
    """Can these blocks have a say in an auction, or have changed the meaning of one of its calls?"""

    def __init__(self, blocks: Iterable[Block]):
        self._index = PatternIndex()
        for block in blocks:
            for start in block.starts():
                self._index.add(start, partial(_give, block))

    def __call__(self, auction: Auction) -> bool:
        sides = [self._index.start(), self._index.start()]
        bid = False
        for number, call in enumerate(auction.calls):
            if any(one.lines_with(call) for one in PatternIndex.matches(sides[number & 1])):  # type: ignore[attr-defined]
                return True
            leading = not bid and call == PASS
            sides = [
                self._index.advance(state, number & 1 == side, call, leading)
                for side, state in enumerate(sides)
            ]
            bid = bid or call.is_bid
        return bool(PatternIndex.matches(sides[len(auction.calls) & 1]))


def _give(block: Block, binding: Binding) -> Block:
    return block
