"""The index that finds the patterns of an auction.

All patterns of a system are merged into one trie, and an auction is matched call by call: the trie nodes that
are still alive after a prefix are kept with that prefix, so one more call costs a few set steps, however many
rules there are. The trie grows where auctions go: a system of thousands of rules is indexed at once, and what
never comes up is never expanded, or even read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from pidm.bridge.calls import Call
from pidm.language.pattern import ELLIPSIS, Pattern, Start, Token, calls_for_any_suits, read_pattern
from pidm.language.suits import Binding, Restriction, expand, parse_restriction


class Planted(NamedTuple):
    """A pattern on its way into the trie: its first elements are behind it, with their variables bound."""

    pattern: Pattern
    depth: int
    """How many elements are behind it."""
    binding: Binding
    restrictions: Sequence[Restriction]
    accept: Callable[[Binding], object]
    """What to find where the pattern ends, given its suits."""

    def branches(self) -> Iterator[tuple[int, Planted]]:
        """The next token for every way to bind its suits, and the pattern behind it."""
        element = self.pattern.elements[self.depth]
        for binding in expand(element.variables, self.binding, self.restrictions, distinct=True):
            calls = ELLIPSIS if element.text == "..." else element.calls(binding)
            yield calls, Planted(self.pattern, self.depth + 1, binding, self.restrictions, self.accept)


class Waiting:
    """A pattern that waits in a node for an auction that goes on like it."""

    __slots__ = ("_branches", "_planted", "calls", "ours")

    def __init__(self, ours: bool, calls: int, planted: Callable[[], Planted]):
        self.ours = ours
        self.calls = calls
        """What its next call may be, as bits."""
        self._planted: Callable[[], Planted] | None = planted
        self._branches: list[tuple[int, Planted]] = []

    @property
    def branches(self) -> list[tuple[int, Planted]]:
        """The next token for every way to bind its suits, and the pattern behind it."""
        if self._planted is not None:
            self._branches = list(self._planted().branches())
            self._planted = None
        return self._branches


_NO_CALL = 1 << 38
"""A bit that is no call: only `...` has it."""


class TrieNode:
    """A node of the pattern trie. Patterns wait in it and grow by one token when an auction goes that way."""

    __slots__ = ("_accepts", "_count", "_edges", "_ends", "_step", "_waiting", "loop")

    def __init__(self, loop: bool = False):
        self._edges: dict[Token, TrieNode] = {}
        self._waiting: dict[tuple[bool, int], list[tuple[int, Waiting]]] = {}
        self._count = 0
        self._step: dict[tuple[bool, int], tuple[TrieNode, ...]] = {}
        self._accepts: list[object] = []
        self._ends: list[Callable[[], object]] = []
        self.loop = loop
        """True after `...`: the node stays alive whatever is called."""

    @property
    def accepts(self) -> list[object]:
        """What is found when the auction ends here."""
        if self._ends:
            self._accepts += [accept() for accept in self._ends]
            self._ends.clear()
        return self._accepts

    def end(self, accept: Callable[[], object]) -> None:
        """Let this be found here."""
        self._ends.append(accept)

    def wait(self, waiting: Waiting) -> None:
        """Let a pattern go on from here."""
        # Most patterns go on in one of a few ways, so few groups have to be looked at.
        self._waiting.setdefault((waiting.ours, waiting.calls), []).append((self._count, waiting))
        self._count += 1

    def _plant(self, planted: Planted) -> None:
        elements = planted.pattern.elements
        if planted.depth == len(elements):
            self.end(partial(planted.accept, planted.binding))
        else:
            element = elements[planted.depth]
            ours = element.ours or element.text == "..."
            self.wait(Waiting(ours, calls_for_any_suits(element.text), lambda: planted))

    def _along(self, ours: bool, calls: int) -> list[TrieNode]:
        """The nodes that tokens with one of these calls lead to, in the order of the patterns.

        All patterns with such a token are asked at once, so a node is complete when it is first reached.
        """
        reached: dict[int, TrieNode] = {}
        fresh: set[int] = set()
        asked: list[tuple[int, Waiting]] = []
        for (side, possible), group in self._waiting.items():
            if side is ours and possible & calls:
                asked += group
        asked.sort(key=itemgetter(0))
        for _, waiting in asked:
            for token, planted in waiting.branches:
                if not token & calls:
                    continue
                node = reached.get(token)
                if node is None:
                    node = self._edges.get((ours, token))
                    if node is None:
                        node = self._edges[ours, token] = TrieNode(loop=token == ELLIPSIS)
                        fresh.add(token)
                    reached[token] = node
                if token in fresh:
                    node._plant(planted)
        return list(reached.values())

    def skip(self) -> TrieNode | None:
        """The node that an empty `...` leads to."""
        return next(iter(self._along(True, _NO_CALL)), None)

    def step(self, ours: bool, call: int) -> tuple[TrieNode, ...]:
        """The nodes alive after one more call."""
        key = (ours, call)
        found = self._step.get(key)
        if found is None:
            reached = self._along(ours, 1 << call)
            if self.loop:
                reached.append(self)
            found = self._step[key] = tuple(_with_ellipses(reached))
        return found


def _with_ellipses(nodes: Iterable[TrieNode]) -> list[TrieNode]:
    """The nodes and what follows them by an empty `...`."""
    result: list[TrieNode] = []
    for node in nodes:
        following: TrieNode | None = node
        while following is not None:
            result.append(following)
            following = following.skip()
    return result


State = tuple[TrieNode, ...]
"""The trie nodes alive after a prefix of the auction, seen by one side."""


class PatternIndex:
    """All patterns of a system in one trie."""

    def __init__(self) -> None:
        self._free = TrieNode()
        """Root of the patterns that allow any leading passes."""
        self._exact = TrieNode()
        """Root of the patterns that spell out their leading passes."""
        self._start: State | None = None

    def add(self, start: Start, accept: Callable[[Binding], object]) -> None:
        """Let `accept(suits)` be found for the auctions of this pattern, for all suits of its variables."""
        node = self._exact if start.exact else self._free
        if start.calls:
            node.wait(Waiting(start.ours, start.calls, partial(_planted, start, accept)))
        else:
            node.end(partial(accept, {}))
        self._start = None

    def start(self) -> State:
        """The state before the first call."""
        if self._start is None:
            self._start = tuple(dict.fromkeys(_with_ellipses([self._free, self._exact])))
        return self._start

    def advance(self, state: State, ours: bool, call: Call, leading: bool) -> State:
        """The state after one more call; `leading` while the call and all before it are passes."""
        reached: dict[TrieNode, None] = {}
        for node in state:
            for following in node.step(ours, call):
                reached[following] = None
        if leading:  # leading passes never use up a free pattern
            reached.setdefault(self._free)
            for node in _with_ellipses([self._free]):
                reached.setdefault(node)
        return tuple(reached)

    @staticmethod
    def matches(state: State) -> list[object]:
        """The payloads of the patterns that the whole auction matches."""
        return [payload for node in state for payload in node.accepts]


def _planted(start: Start, accept: Callable[[Binding], object]) -> Planted:
    restrictions = [parse_restriction(text) for text in start.restrictions]
    return Planted(read_pattern(start.text), 0, {}, restrictions, accept)
