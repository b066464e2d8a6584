"""The blocks that an auction finds, and which of their cases are open there.

Many auctions find the same blocks, and mostly the same conditions hold of them. Fifty blocks have two hundred
conditions, many of them the same, and five or six of the blocks are open: so what most of them ask is asked
first, where it does not hold all of these are out at once, and the way from answer to answer is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Generic, TypeVar

from pidm.bridge.calls import PASS
from pidm.language.auction_view import AuctionView
from pidm.language.condition import AnyOf, Test
from pidm.language.pattern_index import PatternIndex, State
from pidm.language.rules import LAYERS, BlockInstance, Case

T = TypeVar("T")


class MatchedBlocks:
    """The blocks whose patterns match some auctions."""

    def __init__(self, state: State):
        """`state` holds the patterns. A block that several of them find counts once, by the most specific."""
        blocks: dict[object, BlockInstance] = {}
        for instance in PatternIndex.matches(state):
            assert isinstance(instance, BlockInstance)
            other = blocks.get(instance.key)
            if other is None or other.specificity < instance.specificity:
                blocks[instance.key] = instance
        self.blocks = tuple(blocks.values())
        self._often = False
        """Whether more than one auction has asked: for a single one nothing is prepared."""

    def cases(self, at: AuctionView) -> tuple[Case, ...]:
        """The cases whose `when` holds in an auction."""
        if self._often:
            return self._open_cases((1 << len(self.blocks)) - 1, at)
        found = tuple([case for block in self.blocks for case in block.cases_at(at)])
        self._often = True
        return found

    def discussed(self, at: AuctionView) -> bool:
        """Does a system or a convention speak of the auction, more exactly than of any auction?"""
        if self._often:
            return bool(self._open_cases(self._agreed, at))
        return any(one.cases_at(at) for one in self.blocks if _is_agreed(one))

    def _open_cases(self, blocks: int, at: AuctionView) -> tuple[Case, ...]:
        """Those of some blocks whose `when` holds."""
        blocks_left = self._sieve.sift(blocks, at)
        cases = blocks_left.cases
        if cases is None:
            tested = [one for block in blocks_left.things for one in block.cases_with_tests]
            cases = blocks_left.cases = _Sieve([case for case, _ in tested], [tests for _, tests in tested])
        return cases.sift(cases.everything, at).things

    @cached_property
    def _sieve(self) -> _Sieve[BlockInstance]:
        return _Sieve(self.blocks, [block.shared_tests for block in self.blocks])

    @cached_property
    def _agreed(self) -> int:
        """The blocks by which a system or a convention speaks of the auction, as bits."""
        return sum(1 << number for number, one in enumerate(self.blocks) if _is_agreed(one))


def _is_agreed(one: BlockInstance) -> bool:
    """Is it a block of a system or a convention that does not speak of any auction?"""
    block = one.block
    return bool(one.specificity and block.layer > LAYERS["standard"] and block.spec.lines)


class _Sieve(Generic[T]):
    """Things that each ask some tests, to be sifted by auction after auction."""

    __slots__ = ("_begun", "_tests", "_things")

    def __init__(self, things: Sequence[T], tests: Iterable[Iterable[Test]]):
        asking: dict[Test, int] = {}
        for number, asked in enumerate(tests):
            for test in asked:
                asking[test] = asking.get(test, 0) | 1 << number
        self._things = things
        # Those with alternatives take longer, and mostly hold.
        order = [(type(test) is AnyOf, -blocks.bit_count(), test, blocks) for test, blocks in asking.items()]
        order.sort(key=_SOONER)
        self._tests = [(test, blocks) for _, _, test, blocks in order]
        self._begun: dict[int, _Sifted[T]] = {}

    @property
    def everything(self) -> int:
        """All things, as bits."""
        return (1 << len(self._things)) - 1

    def sift(self, things: int, at: AuctionView) -> _Sifted[T]:
        """Those of some things of which all tests hold."""
        step = self._begun.get(things)
        if step is None:
            step = self._begun[things] = self._next(0, things)
        while step.test is not None:
            if step.test(at, PASS):
                if step.yes is None:
                    step.yes = self._next(step.number + 1, step.left)
                step = step.yes
            else:
                if step.no is None:
                    step.no = self._next(step.number + 1, step.left & ~self._tests[step.number][1])
                step = step.no
        return step

    def _next(self, number: int, left: int) -> _Sifted[T]:
        """What to ask when so many tests are behind and these things, as bits, are left."""
        for later in range(number, len(self._tests)):
            test, asking = self._tests[later]
            if left & asking:
                return _Sifted(test, later, left, ())
        left_over = tuple([thing for place, thing in enumerate(self._things) if left >> place & 1])
        return _Sifted(None, number, left, left_over)


_SOONER = itemgetter(0, 1)


class _Sifted(Generic[T]):
    """A step on the way from test to test."""

    __slots__ = ("cases", "left", "no", "number", "test", "things", "yes")

    def __init__(self, test: Test | None, number: int, left: int, things: tuple[T, ...]):
        self.test = test
        """What to ask; None at the end."""
        self.number = number
        """Its number among the tests."""
        self.left = left
        """What is left so far, as bits."""
        self.things = things
        """What is left at the end."""
        self.yes: _Sifted[T] | None = None
        self.no: _Sifted[T] | None = None
        """Where the answers lead, once an auction has given them."""
        self.cases: _Sieve[Case] | None = None
        """At the end, if the things are blocks: their cases."""
