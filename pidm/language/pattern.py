"""Auction patterns as books write them: ours bare, theirs in parentheses; and an index that finds the
matching ones.

A pattern with its suit variables bound is a sequence of tokens, each a side and a set of calls (38 bits). All
patterns of a system are merged into one trie, and an auction is matched call by call: the trie nodes that are
still alive after a prefix are kept with that prefix, so one more call costs a few set steps, however many
rules there are. The trie grows where auctions go: a system of thousands of rules is indexed at once, and what
never comes up is never expanded, or even read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from operator import itemgetter
from typing import NamedTuple

from pidm.bridge.calls import Call
from pidm.language.mistakes import TextError
from pidm.language.suits import (
    Binding,
    Restriction,
    expand,
    parse_restriction,
    resolve,
    unique,
    variables_of_call,
)

ALL_CALLS = (1 << 38) - 1
PASS_BIT, DOUBLE_BIT, REDOUBLE_BIT = 1, 2, 4
BIDS = ALL_CALLS & ~0b111
STRAIN_RANK = {"C": 0, "D": 1, "H": 2, "S": 3, "N": 4}
STRAIN_BITS = {
    strain: sum(1 << (3 + 5 * level + rank) for level in range(7)) for strain, rank in STRAIN_RANK.items()
}

_WORDS = {
    "*": ALL_CALLS,
    "bid": BIDS,
    "suit": BIDS & ~STRAIN_BITS["N"],
    "!P": ALL_CALLS & ~PASS_BIT,
    "P": PASS_BIT,
    "X": DOUBLE_BIT,
    "XX": REDOUBLE_BIT,
}
_BID = re.compile(r"([1-7])(o?M|o?m|[WXYZSHDCN]|NT)")
_ANY_LEVEL = re.compile(r"\*(o?M|o?m|[WXYZSHDCN])")

LONGEST = 60
"""Calls that a pattern may spell out."""
ELLIPSIS = -1
"""Stands for `...` among the tokens of a bound pattern."""

Token = tuple[bool, int]
"""(ours, set of calls as bits); the set is ELLIPSIS for any calls of both sides."""


class Element(NamedTuple):
    """One written token of a pattern, its variables not yet bound."""

    ours: bool
    text: str
    """The text without parentheses; `...` for any calls."""
    offset: int

    @property
    def variables(self) -> tuple[str, ...]:
        """Base variables in order of appearance."""
        return _variables(self.text)

    def calls(self, binding: Binding) -> int:
        """The set of calls, as bits."""
        try:
            return _calls(self.text, tuple([(name, binding[name]) for name in self.variables]))
        except TextError as error:
            raise TextError(error.problem, self.offset, error.expected) from None

    @property
    def weight(self) -> int:
        """How much this token narrows the auction: a named call most, then a variable, then a word."""
        if self.text in ("*", "..."):
            return 0
        if self.text in ("P", "bid", "suit", "!P"):
            return 1
        if "|" in self.text or ".." in self.text or self.text.startswith("*"):
            return 2
        return 3 if self.variables else 4


# Systems write the same few hundred tokens thousands of times: each is read once.
@lru_cache(maxsize=4096)
def _variables(text: str) -> tuple[str, ...]:
    return tuple(variables_of_call(text))


@lru_cache(maxsize=16384)
def _calls(text: str, suits: tuple[tuple[str, str], ...]) -> int:
    """The set of calls that a token stands for, given the suits of its variables."""
    binding = dict(suits)
    bits = 0
    for part in text.split("|"):
        bits |= _part(part, binding)
    return bits


def _part(part: str, binding: Binding) -> int:
    if part in _WORDS:
        return _WORDS[part]
    if ".." in part:
        low, _, high = part.partition("..")
        first, last = _bid(low, binding), _bid(high, binding)
        if first > last:
            raise TextError(f"the range {part} is empty", expected="the lower bid first")
        return sum(1 << c for c in range(first, last + 1))
    match = _ANY_LEVEL.fullmatch(part)
    if match:
        strain = match.group(1)
        return STRAIN_BITS["N" if strain == "N" else resolve(strain, binding)]
    return 1 << _bid(part, binding)


def _bid(text: str, binding: Binding) -> int:
    match = _BID.fullmatch(text)
    if not match:
        raise TextError(
            f"cannot read {text!r} in an auction",
            expected="a call (1S, P, X), 1M, *H, 2C..3D, bid, suit, !P, * or ...",
        )
    level, strain = match.groups()
    letter = "N" if strain in ("N", "NT") else resolve(strain, binding)
    return 3 + 5 * (int(level) - 1) + STRAIN_RANK[letter]


@dataclass(frozen=True)
class Pattern:
    """An auction pattern as written."""

    text: str
    elements: tuple[Element, ...]
    """Both sides' tokens in order, implied passes of theirs included."""
    exact_start: bool
    """True when the pattern spells out its leading passes."""

    @cached_property
    def variables(self) -> list[str]:
        """Base variables in order of appearance."""
        return unique(v for e in self.elements for v in e.variables)

    @cached_property
    def specificity(self) -> int:
        """More named calls make a pattern more specific, and so does doing without `...`."""
        return sum(e.weight for e in self.elements) + (not any(e.text == "..." for e in self.elements))

    @property
    def concrete(self) -> bool:
        """True when the pattern stands for one auction (up to leading passes)."""
        return (
            all(_BID.fullmatch(e.text) or e.text in ("P", "X", "XX") for e in self.elements)
            and not self.variables
        )

    def tokens(self, binding: Binding) -> tuple[Token, ...]:
        """The pattern with its variables bound."""
        return tuple((e.ours, ELLIPSIS if e.text == "..." else e.calls(binding)) for e in self.elements)


@lru_cache(maxsize=8192)
def parse_pattern(text: str) -> Pattern:
    """Read one auction pattern."""
    pattern = read_pattern(text)
    _check(pattern)
    return pattern


def read_pattern(text: str) -> Pattern:
    """Read one auction pattern that was read before without a mistake."""
    written: list[Element] = []
    for match in re.finditer(r"\S+", text):
        element = _element(match.group(), match.start())
        if element.text == "..." and written and written[-1].text == "...":
            continue  # any calls, and then any calls
        written.append(element)
        if len(written) > LONGEST:
            raise TextError(f"more than {LONGEST} calls in one pattern", element.offset)
    if written and written[0].text == "P*":
        written = written[1:]
    for element in written:
        if element.text == "P*":
            raise TextError("P* stands only at the start of an auction", element.offset)
    exact = bool(written) and written[0].text == "P"
    elements: list[Element] = []
    for element in written:
        if (
            elements
            and element.text != "..."
            and elements[-1].text != "..."
            and element.ours == elements[-1].ours
        ):
            if not element.ours:
                raise TextError(
                    f"two calls of theirs in a row before {element.text!r}",
                    element.offset,
                    expected="our pass, written P, between",
                )
            elements.append(Element(False, "P", element.offset))
        elements.append(element)
    if elements and elements[-1].ours and elements[-1].text != "...":
        elements.append(Element(False, "P", len(text)))
    return Pattern(text, tuple(elements), exact)


def _element(word: str, offset: int) -> Element:
    if word.startswith("(") != word.endswith(")"):
        raise TextError(
            f"unbalanced parenthesis in {word!r}", offset, expected="their call in parentheses, such as (2H)"
        )
    if word.startswith("("):
        return Element(False, word[1:-1], offset + 1)
    return Element(True, word, offset)


def _check(pattern: Pattern) -> None:
    """Read every token once with sample suits, so that mistakes show when the file is loaded."""
    sample = {"M": "S", "m": "C", "X": "C", "Y": "D", "Z": "H", "W": "S"}
    for element in pattern.elements:
        if element.text != "...":
            element.calls(sample)


class Start(NamedTuple):
    """What must be known of a pattern to find it: where it can begin. The pattern itself is read when an
    auction begins like that."""

    text: str
    restrictions: Sequence[str]
    """The `for:` of its block."""
    specificity: int
    exact: bool
    """The pattern spells out its leading passes."""
    ours: bool
    """Whose call is the first."""
    calls: int
    """The calls that the first may be, as bits, for any suits; 0 for the pattern of no calls."""

    @classmethod
    def of(cls, pattern: Pattern, restrictions: Sequence[str]) -> Start:
        """Where a pattern can begin."""
        ours, calls = True, 0
        if pattern.elements:
            first = pattern.elements[0]
            ours, calls = first.ours or first.text == "...", _possible(first.text)
        return cls(pattern.text, restrictions, pattern.specificity, pattern.exact_start, ours, calls)


@lru_cache(maxsize=4096)
def _possible(text: str) -> int:
    """The calls that a token stands for under one binding or another."""
    if text == "...":
        return ELLIPSIS
    bits = 0
    for binding in expand(_variables(text), {}, (), distinct=True):
        bits |= _calls(text, tuple(binding.items()))
    return bits


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
            self.wait(Waiting(ours, _possible(element.text), lambda: planted))

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
