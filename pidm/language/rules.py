"""Rules: the blocks and lines of a system file with their texts read and their suit variables expanded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from operator import itemgetter, or_
from typing import NamedTuple, TypeVar

from pidm.bridge.calls import PASS, Call
from pidm.features import Feature
from pidm.language.auction_view import AuctionView
from pidm.language.condition import Condition, Test, bind_all, hold, parse_condition
from pidm.language.declarations import TAKEN_OVER, BlockSpec, LineSpec, NeverSpec
from pidm.language.force import Forcing, parse_forcing
from pidm.language.meaning import Alternative, BoundAlternative, Together, parse_meaning
from pidm.language.mistakes import TextError
from pidm.language.pattern import Pattern, Start, parse_pattern
from pidm.language.relative_call import CallMaker, parse_call, possible_calls
from pidm.language.source import Text
from pidm.language.suits import (
    Binding,
    Restriction,
    expand,
    parse_restriction,
    resolve,
    unique,
    variables_of_call,
    variables_of_text,
)

T = TypeVar("T")

LAYERS = {"natural": 0, "standard": 1, TAKEN_OVER: 2, "system": 3, "convention": 4}
"""Higher layers speak first, and alone about the calls that they give a meaning to."""

NO_AGREEMENT = "no agreement"
"""What a line shows whose call has no meaning."""


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
    def voice(self) -> Voice:
        """Among the rules for one call, only those of the greatest voice are heard."""
        return self.layer, self.specificity


Voice = tuple[int, int]
"""Layer and specificity."""

OnMistake = Callable[[Text, TextError], None]
"""Takes the mistakes of a text, so that a file's mistakes are all reported in one run."""


@dataclass(frozen=True, eq=False, slots=True)
class Rule:
    """One line of a block with its suits bound: what a call shows in the auctions of the block. It is the
    reason of a call."""

    line: Line
    binding: Binding
    maker: CallMaker
    alternatives: tuple[BoundAlternative, ...]
    tests: tuple[Test, ...]
    forcing: Forcing | None
    agrees: str | None

    @property
    def place(self) -> str:
        """File and line, as editors jump to."""
        mark = self.line.spec.mark
        return f"{mark.path}:{mark.line}"

    @property
    def block(self) -> Block:
        """The block that the line stands in."""
        return self.line.block

    def __str__(self) -> str:
        return f"{self.block.title or 'rule'} ({self.place})"


@dataclass(eq=False)
class Line:
    """One line of a block, its texts read."""

    block: Block
    spec: LineSpec
    number: int
    """Its position in the block."""
    maker: Callable[[Binding], CallMaker]
    alternatives: tuple[Alternative, ...]
    conditions: tuple[Condition, ...]
    restrictions: list[Restriction]
    """The `for` of the line."""
    forcing: Callable[[Binding], Forcing] | None
    variables: list[str]
    no_agreement: bool
    """The call has no meaning: nobody makes it, and nothing below this layer explains it."""
    examples: tuple[Text, ...] = field(default=())

    def rules(self, binding: Binding, restrictions: list[Restriction]) -> Iterator[Rule]:
        """The rules that the line expands to, given the suits of the auction."""
        for bound in expand(self.variables, binding, [*restrictions, *self.restrictions], distinct=False):
            alternatives = tuple(a for a in (b.bind(bound) for b in self.alternatives) if a is not None)
            if not alternatives and not self.no_agreement:
                continue
            yield Rule(
                self,
                bound,
                self.maker(bound),
                alternatives,
                bind_all(self.conditions, bound),
                self.forcing(bound) if self.forcing else None,
                resolve(self.spec.agrees.strip(), bound) if self.spec.agrees else None,
            )


@dataclass(eq=False)
class Never:
    """A negative rule: a call that must not be made."""

    block: Block
    spec: NeverSpec
    maker: Callable[[Binding], CallMaker]
    conditions: tuple[Condition, ...]

    @property
    def place(self) -> str:
        """File and line."""
        mark = self.spec.call.mark
        return f"{mark.path}:{mark.line}"


class Block:
    """A block of a system file. Its patterns are read at once, its lines when an auction first needs them."""

    def __init__(self, spec: BlockSpec, position: int, report: OnMistake):
        self.spec = spec
        self.position = position
        """Where it stands among the blocks of the system."""
        self._report = report
        self.patterns: list[Pattern] = _read_all(spec.auction, parse_pattern, report)
        self.restrictions: list[Restriction] = _read_all(spec.for_, parse_restriction, report)
        self._lines: dict[int, Line | None] = {}
        self._instances: dict[tuple[object, ...], BlockInstance] = {}

    @cached_property
    def conditions(self) -> list[Condition]:
        """The `when` of the block."""
        return _read_all(self.spec.when, parse_condition, self._report)

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of `bid`; those with mistakes are reported and left out."""
        read = (self.line(number) for number in range(len(self.spec.lines)))
        return [line for line in read if line is not None]

    def line(self, number: int) -> Line | None:
        """One of the lines; None if it has mistakes."""
        if number not in self._lines:
            self._lines[number] = _read_line(self, self.spec.lines[number], number, self._report)
        return self._lines[number]

    def lines_with(self, call: Call) -> list[int]:
        """The numbers of the lines that may make a call."""
        return [n for n, made in enumerate(self._calls) if made >> call & 1]

    def may_make(self, call: Call) -> bool:
        """Whether a line may make a call."""
        return bool(self._all_calls >> call & 1)

    @cached_property
    def _calls(self) -> list[int]:
        """The calls that each line may make, as bits."""
        return [possible_calls(text) for text in self.spec.calls]

    @cached_property
    def _all_calls(self) -> int:
        """Those of all lines."""
        return reduce(or_, self._calls, 0)

    @cached_property
    def nevers(self) -> list[Never]:
        """The negative rules."""
        found = []
        for never in self.spec.never:
            maker = _read(never.call, parse_call, self._report)
            if maker is not None:
                conditions = tuple(_read_all(never.when, parse_condition, self._report))
                found.append(Never(self, never, maker, conditions))
        return found

    def check(self) -> None:
        """Read everything, so that all mistakes are reported."""
        _ = self.conditions, self.lines, self.nevers

    @property
    def title(self) -> str:
        """The heading, empty if it has none."""
        return self.spec.title or ""

    @cached_property
    def layer(self) -> int:
        """The number of the layer, higher first."""
        return LAYERS[self.spec.layer]

    def rules(self) -> Iterator[tuple[str, Rule]]:
        """All rules after expansion over suits, each with the auction pattern that it belongs to."""
        for pattern in self.patterns:
            for binding in expand(pattern.variables, {}, self.restrictions, distinct=True):
                for case in BlockInstance(self, binding, pattern.specificity).cases:
                    for rule in case.rules:
                        yield pattern.text, rule

    def starts(self) -> list[Start]:
        """Where each of its patterns can begin."""
        return [Start.of(pattern, self.spec.for_) for pattern in self.patterns]

    def instance(self, binding: Binding, specificity: int) -> BlockInstance:
        """The block with these suits; patterns that bind the same ones share it."""
        key = (specificity, *sorted(binding.items()))
        if key not in self._instances:
            self._instances[key] = BlockInstance(self, binding, specificity)
        return self._instances[key]


class BlockInstance:
    """A block with the suits of its auction bound; its rules are made when the auction first comes up."""

    __slots__ = ("__dict__", "binding", "block", "key", "specificity")

    def __init__(self, block: Block, binding: Binding, specificity: int):
        self.block = block
        self.binding = binding
        self.specificity = specificity
        self.key = (block.position, *sorted(binding.items()))
        """Equal for the same block with the same suits, found by different patterns."""

    @cached_property
    def cases(self) -> list[Case]:
        """One for every way to bind the suits that only `when` names."""
        block = self.block
        names = unique(v for c in block.conditions for v in variables_of_text(c.text))
        bindings = expand(names, self.binding, block.restrictions, distinct=False)
        return [
            Case(block, self.specificity, binding, bind_all(block.conditions, binding))
            for binding in bindings
        ]

    @cached_property
    def shared_tests(self) -> tuple[Test, ...]:
        """The tests that all cases share."""
        cases = self.cases
        shared = cases[0].tests if cases else ()
        for case in cases[1:]:
            shared = tuple(test for test in shared if test in case.tests)
        return shared

    @cached_property
    def cases_with_tests(self) -> list[tuple[Case, tuple[Test, ...]]]:
        """Each case with the tests that it does not share with all others."""
        shared = self.shared_tests
        return [(case, tuple(test for test in case.tests if test not in shared)) for case in self.cases]

    def cases_at(self, at: AuctionView) -> list[Case]:
        """The cases whose `when` holds in an auction."""
        if not hold(self.shared_tests, at, PASS):
            return []
        return [case for case, tests in self.cases_with_tests if hold(tests, at, PASS)]


Asked = Feature | Together
"""What a rule asks of a hand, by itself or together with what others have shown."""

Ranges = tuple[tuple[Asked, float, float], ...]
"""What is asked, each with the least and the most that a hand may have."""


@lru_cache(maxsize=16384)
def _range(what: Asked, low: float, high: float) -> tuple[Asked, float, float]:
    # Thousands of rules ask for a few hundred ranges: what is read again and again should lie close together.
    return what, low, high


class Reading(NamedTuple):
    """One alternative of a rule, with its place among all of them."""

    place: tuple[int, ...]
    """Greater goes first: the order, with the priority of the alternative, then the priority without it."""
    rule: Rule
    alternative: BoundAlternative
    ranges: Ranges
    """Those of the alternative; what is asked together with what others have shown stands last."""


class Case:
    """An instance of a block with all suits bound that the block speaks of before its lines."""

    __slots__ = ("__dict__", "_made", "_orders", "binding", "block", "specificity", "tests")

    def __init__(self, block: Block, specificity: int, binding: Binding, tests: tuple[Test, ...]):
        self.block = block
        self.specificity = specificity
        self.binding = binding
        self.tests = tests
        """The `when` of the block."""
        self._made: dict[int, list[Rule]] = {}
        self._orders: dict[int, Order] = {}

    def order(self, rule: Rule) -> Order:
        """Where a rule goes among others."""
        number = rule.line.number
        found = self._orders.get(number)
        if found is None:
            block, line = self.block, rule.line.spec
            priority = block.spec.priority + line.priority
            found = Order(block.layer, priority, self.specificity, -block.position, -line.rank)
            self._orders[number] = found
        return found

    @property
    def voice(self) -> Voice:
        """That of its rules."""
        return self.block.layer, self.specificity

    @cached_property
    def readings(self) -> list[Reading]:
        """All alternatives of all rules, those that go first first."""
        found = []
        for rule in self.rules:
            layer, priority, *rest = self.order(rule)
            for alternative in rule.alternatives:
                place = (layer, priority + alternative.priority, *rest, priority)
                ranges = [_range(what, low, high) for what, (low, high) in alternative.box.items()]
                ranges += [_range(term.together, term.low, term.high) for term in alternative.combined]
                found.append(Reading(place, rule, alternative, tuple(ranges)))
        return sorted(found, key=itemgetter(0), reverse=True)

    @cached_property
    def rules(self) -> list[Rule]:
        """All rules."""
        return [rule for number in range(len(self.block.spec.lines)) for rule in self._rules_of(number)]

    def rules_for(self, call: Call) -> list[Rule]:
        """The rules that may make a call, and perhaps others: without reading the lines that cannot."""
        if "rules" in self.__dict__:
            return self.rules
        return [rule for number in self.block.lines_with(call) for rule in self._rules_of(number)]

    def _rules_of(self, number: int) -> list[Rule]:
        found = self._made.get(number)
        if found is None:
            line = self.block.line(number)
            restrictions = self.block.restrictions
            found = self._made[number] = [] if line is None else list(line.rules(self.binding, restrictions))
        return found

    @cached_property
    def nevers(self) -> list[tuple[Never, CallMaker, tuple[Test, ...]]]:
        """The negative rules, each with its call and conditions for the suits of the auction."""
        return [
            (never, never.maker(bound), bind_all(never.conditions, bound))
            for never in self.block.nevers
            for bound in self._bound(never)
        ]

    def _bound(self, never: Never) -> Iterator[Binding]:
        names = variables_of_call(never.spec.call) + [
            v for t in never.spec.when for v in variables_of_text(t)
        ]
        return expand(names, self.binding, self.block.restrictions, distinct=False)


def _read_line(block: Block, spec: LineSpec, number: int, report: OnMistake) -> Line | None:
    maker = _read(spec.call, parse_call, report)
    alternatives: list[Alternative] = []
    texts: list[Text] = []
    no_agreement = [alternative.shows.strip() for alternative in spec.alternatives] == [NO_AGREEMENT]
    for alternative in () if no_agreement else spec.alternatives:
        texts.append(alternative.shows)
        for meaning in _read(alternative.shows, parse_meaning, report) or ():
            alternatives.append(Alternative(meaning.terms, alternative.priority))
    conditions = _read_all(spec.when, parse_condition, report)
    restrictions = _read_all(spec.for_, parse_restriction, report)
    forcing = _read(spec.forcing, parse_forcing, report) if spec.forcing else None
    if maker is None or not (alternatives or no_agreement):
        return None
    texts += [*spec.when, *spec.for_]
    texts += [t for t in (spec.forcing, spec.agrees) if t]
    variables = unique([*variables_of_call(spec.call), *(v for t in texts for v in variables_of_text(t))])
    return Line(
        block,
        spec,
        number,
        maker,
        tuple(alternatives),
        tuple(conditions),
        restrictions,
        forcing,
        variables,
        no_agreement,
        spec.examples,
    )


def _read(text: Text, parse: Callable[[str], T], report: OnMistake) -> T | None:
    try:
        return parse(text)
    except TextError as error:
        report(text, error)
        return None


def _read_all(texts: tuple[Text, ...], parse: Callable[[str], T], report: OnMistake) -> list[T]:
    return [read for read in (_read(text, parse, report) for text in texts) if read is not None]
