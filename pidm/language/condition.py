"""Conditions: the `when` texts of a system file, compiled to tests of a situation.

A test takes the situation (what the auction has shown so far, seen by the player to call) and the call of the
line, and says whether the condition holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from pidm.bridge.calls import DOUBLE, GAME, Call
from pidm.language.auction_view import AuctionView
from pidm.language.meaning import Alternative, BoundTerm, parse_meaning, split_commas
from pidm.language.mistakes import TextError
from pidm.language.suits import COMPARE, FIT, RANK, SUIT_NAME, Binding, resolve, variables_of_text

Test = Callable[[AuctionView, Call], bool]
"""(situation, the call of the line) -> whether the condition holds."""


@dataclass(frozen=True)
class Condition:
    """A condition as written: alternatives of atoms that must all hold."""

    text: str
    alternatives: tuple[tuple[Atom, ...], ...]

    def bind(self, binding: Binding) -> tuple[Test, ...]:
        """Tests for these suits, all of which must hold."""
        bound = [tuple(atom.bind(binding) for atom in atoms) for atoms in self.alternatives]
        if len(bound) == 1:
            return bound[0]
        return (any_of(tuple(bound)),)


class Atom:
    """One part of a condition. For the same suits it is the same test, wherever it is written: so what does
    not depend on the suits of a block is seen to be shared by all its cases."""

    def __init__(self, text: str):
        self._make = _parse_atom(text, 0)
        self._names = variables_of_text(text)
        self._bound: dict[tuple[str | None, ...], Test] = {}

    def bind(self, binding: Binding) -> Test:
        """The test for these suits."""
        suits = tuple([binding.get(name) for name in self._names])
        if suits not in self._bound:
            self._bound[suits] = self._make(binding)
        return self._bound[suits]


class AnyOf:
    """The test of a condition with alternatives: of one of these, all tests must hold."""

    __slots__ = ("_alternatives",)

    def __init__(self, alternatives: tuple[tuple[Test, ...], ...]):
        self._alternatives = alternatives

    def __call__(self, s: AuctionView, call: Call) -> bool:
        """Does one of the alternatives hold?"""
        for tests in self._alternatives:
            for test in tests:  # loops, as in `hold`
                if not test(s, call):
                    break
            else:
                return True
        return False


any_of = lru_cache(maxsize=16384)(AnyOf)
"""The same test for the same alternatives."""


def hold(tests: tuple[Test, ...], s: AuctionView, call: Call) -> bool:
    """Do all tests hold? (A loop: this is asked some hundred times for every auction.)"""
    for test in tests:  # noqa: SIM110
        if not test(s, call):
            return False
    return True


def bind_all(conditions: Iterable[Condition], binding: Binding) -> tuple[Test, ...]:
    """The tests of several conditions for these suits."""
    return tuple(test for condition in conditions for test in condition.bind(binding))


@lru_cache(maxsize=8192)
def parse_condition(text: str) -> Condition:
    """Read a condition: atoms joined by commas, alternatives by ` or `."""
    alternatives = []
    offset = 0
    for part in re.split(r"(\s+or\s+)", text):
        if not re.fullmatch(r"\s+or\s+", part):
            atoms = []
            for atom, start in split_commas(part):
                lead = len(atom) - len(atom.lstrip())
                try:
                    atoms.append(_atom(atom.strip()))
                except TextError as error:
                    place = offset + start + lead + error.offset
                    raise TextError(error.problem, place, error.expected) from None
            alternatives.append(tuple(atoms))
        offset += len(part)
    return Condition(text, tuple(alternatives))


@lru_cache(maxsize=8192)
def _atom(text: str) -> Atom:
    return Atom(text)


def _parse_atom(text: str, offset: int) -> Callable[[Binding], Test]:
    negated = re.match(r"(?:not\s+)+", text)
    if negated:
        inner = _parse_atom(text[negated.end() :], offset + negated.end())
        odd = negated[0].split().count("not") % 2
        return (lambda binding: _negate(inner(binding))) if odd else inner
    if text in _PLAIN:
        test = _PLAIN[text]
        return lambda binding: test
    for pattern, build in _FORMS:
        match = pattern.fullmatch(text)
        if match:
            try:
                return build(match)
            except TextError as error:
                raise TextError(error.problem, offset + error.offset, error.expected) from None
    raise TextError(
        f"cannot read the condition {text!r}",
        offset,
        expected="a condition such as 'partner shows 5+ M', 'X is unbid', 'seat 1' or 'last bid < 3S'",
    )


def _negate(test: Test) -> Test:
    return lambda s, call: not test(s, call)


_PLAIN: dict[str, Test] = {
    "forced": lambda s, call: s.forced,
    "forced to game": lambda s, call: s.forced_to_game,
    "game forcing": lambda s, call: s.game_forcing,
    "partner invited": lambda s, call: s.mood[s.partner] == "invite",
    "partner signed off": lambda s, call: s.mood[s.partner] == "signoff",
    "partner asks for takeout": lambda s, call: s.mood[s.partner] == "takeout",
    "partner lets me correct": lambda s, call: s.mood[s.partner] == "correct",
    "I invited": lambda s, call: s.mood[s.me] == "invite",
    "I signed off": lambda s, call: s.mood[s.me] == "signoff",
    "undiscussed": lambda s, call: s.undiscussed,
    "nothing agreed": lambda s, call: s.agreed[s.side] is None,
    "passed hand": lambda s, call: s.passed_hand(s.me),
    "partner passed": lambda s, call: s.passed_hand(s.partner),
    "balancing": lambda s, call: s.balancing,
    "vul": lambda s, call: s.vul[s.side],
    "they vul": lambda s, call: s.vul[1 - s.side],
    "favourable": lambda s, call: s.vul[1 - s.side] and not s.vul[s.side],
    "unfavourable": lambda s, call: s.vul[s.side] and not s.vul[1 - s.side],
    "contested": lambda s, call: s.active[1 - s.side],
    "uncontested": lambda s, call: not s.active[1 - s.side],
    "we opened": lambda s, call: s.opener is not None and s.opener & 1 == s.side,
    "they opened": lambda s, call: s.opener is not None and s.opener & 1 != s.side,
    "I opened": lambda s, call: s.opener == s.me,
    "partner opened": lambda s, call: s.opener == s.partner,
    "lho opened": lambda s, call: s.opener == s.lho,
    "rho opened": lambda s, call: s.opener == s.rho,
    "doubled": lambda s, call: s.doubled == 1,
    "redoubled": lambda s, call: s.doubled == 2,
    "below game": lambda s, call: s.last_bid is None or s.last_bid < GAME[s.last_bid.strain],
    "last bid by them": lambda s, call: s.last_bidder is not None and s.last_bidder & 1 != s.side,
    "last bid by us": lambda s, call: s.last_bidder is not None and s.last_bidder & 1 == s.side,
    "last bid by partner": lambda s, call: s.last_bidder is not None and s.last_bidder == s.partner,
    "last bid by me": lambda s, call: s.last_bidder is not None and s.last_bidder == s.me,
    "I have bid": lambda s, call: s.has_bid(s.me),
    "partner has bid": lambda s, call: s.has_bid(s.partner),
    "partner has doubled": lambda s, call: s.has_called(s.partner, DOUBLE),
    "I have doubled": lambda s, call: s.has_called(s.me, DOUBLE),
    "call is jump": lambda s, call: call.is_bid and call > (s.cheapest(call.strain) or call),
    "imps": lambda s, call: s.scoring == "imps",
    "matchpoints": lambda s, call: s.scoring == "matchpoints",
}

_WHO = r"(?P<who>partner|I|they|lho|rho)"
_OWNERS: dict[str, Callable[[AuctionView], frozenset[str]]] = {
    "ours": lambda s: s.suits[s.me] | s.suits[s.partner],
    "mine": lambda s: s.suits[s.me],
    "partner's": lambda s: s.suits[s.partner],
    "theirs": lambda s: s.suits[s.lho] | s.suits[s.rho],
    "lho's": lambda s: s.suits[s.lho],
    "rho's": lambda s: s.suits[s.rho],
}


def _seats(who: str) -> Callable[[AuctionView], tuple[int, ...]]:
    if who == "they":
        return lambda s: (s.lho, s.rho)
    turn = ("I", "lho", "partner", "rho").index(who)
    return lambda s: ((s.me + turn) & 3,)


def _shows(match: re.Match[str]) -> Callable[[Binding], Test]:
    alternatives = _terms(match["terms"], match.start("terms"))
    seats = _seats(match["who"])

    def make(binding: Binding) -> Test:
        return _of_somebody(seats, _guaranteed, _bound_terms(alternatives, binding))

    return make


def _may_hold(match: re.Match[str]) -> Callable[[Binding], Test]:
    alternatives = _terms(match["terms"], match.start("terms"))
    seats = _seats(match["who"])

    def make(binding: Binding) -> Test:
        return _of_somebody(seats, _possible, _bound_terms(alternatives, binding))

    return make


def _of_somebody(
    seats: Callable[[AuctionView], tuple[int, ...]],
    holds: Callable[[AuctionView, int, BoundTerm], bool],
    terms: list[BoundTerm],
) -> Test:
    """Do all terms hold of one of these seats?"""

    def test(s: AuctionView, call: Call) -> bool:
        for seat in seats(s):
            for term in terms:
                if not holds(s, seat, term):
                    break
            else:
                return True
        return False

    return test


def _terms(text: str, offset: int) -> tuple[Alternative, ...]:
    try:
        alternatives = parse_meaning(text)
    except TextError as error:
        raise TextError(error.problem, offset + error.offset, error.expected) from None
    if any(t.with_partner for a in alternatives for t in a.terms):
        word = "'their suits stopped'" if "stopped" in text else "'combined'"
        raise TextError(f"{word} has no meaning in what a player shows", offset)
    return alternatives


def _bound_terms(alternatives: tuple[Alternative, ...], binding: Binding) -> list[BoundTerm]:
    return [t for a in alternatives if (bound := a.bind(binding)) is not None for t in bound.terms]


def _guaranteed(s: AuctionView, seat: int, term: BoundTerm) -> bool:
    low, high = s.range_of(seat, term.feature)
    return low >= term.low and high <= term.high


def _possible(s: AuctionView, seat: int, term: BoundTerm) -> bool:
    low, high = s.range_of(seat, term.feature)
    return low <= term.high and high >= term.low


def _owned(match: re.Match[str]) -> Callable[[Binding], Test]:
    name, owner = match["suit"], match["owner"]

    def make(binding: Binding) -> Test:
        suit = resolve(name, binding)
        if owner == "unbid":
            return lambda s, call: not any(suit in shown for shown in s.suits)
        suits = _OWNERS[owner]
        return lambda s, call: suit in suits(s)

    return make


def _agreed(match: re.Match[str]) -> Callable[[Binding], Test]:
    def make(binding: Binding) -> Test:
        suit = resolve(match["suit"], binding)
        return lambda s, call: s.agreed[s.side] == suit

    return make


def _fit(match: re.Match[str]) -> Callable[[Binding], Test]:
    def make(binding: Binding) -> Test:
        suit = resolve(match["suit"], binding)
        return lambda s, call: s.least_length(s.me, suit) + s.least_length(s.partner, suit) >= FIT

    return make


def _seat(match: re.Match[str]) -> Callable[[Binding], Test]:
    first, last = int(match["first"]), int(match["last"] or match["first"])
    return lambda binding: lambda s, call: first <= s.me + 1 <= last


def _level(match: re.Match[str]) -> Callable[[Binding], Test]:
    first, last = int(match["first"]), int(match["last"] or match["first"])
    return lambda binding: lambda s, call: first <= (s.last_bid.level if s.last_bid else 0) <= last


def _ranks(match: re.Match[str]) -> Callable[[Binding], Test]:
    test = COMPARE[match["op"]]

    def make(binding: Binding) -> Test:
        holds = test(RANK[resolve(match["one"], binding)], RANK[resolve(match["other"], binding)])
        return lambda s, call: holds

    return make


def _last_bid_in(match: re.Match[str]) -> Callable[[Binding], Test]:
    def make(binding: Binding) -> Test:
        strain = "N" if match["strain"] == "N" else resolve(match["strain"], binding)
        return lambda s, call: s.last_bid is not None and s.last_bid.strain == strain

    return make


def _in_force(match: re.Match[str]) -> Callable[[Binding], Test]:
    name = match["name"]
    return lambda binding: lambda s, call: name in s.in_force[s.side]


def _plays(match: re.Match[str]) -> Callable[[Binding], Test]:
    name = match["name"]
    return lambda binding: lambda s, call: name in s.conventions


def _compares(match: re.Match[str]) -> Callable[[Binding], Test]:
    what, test, text = match["what"], COMPARE[match["op"].replace("is", "=")], match["bid"]

    def make(binding: Binding) -> Test:
        bid = bind_bid(text, binding)
        if what == "call":
            return lambda s, call: test(call, bid)
        return lambda s, call: test(s.last_bid or 0, bid)

    return make


def bind_bid(text: str, binding: Binding) -> Call:
    """The bid that `3M` stands for under a binding."""
    strain = text[1:]
    return Call.bid(int(text[0]), "N" if strain in ("N", "NT") else resolve(strain, binding))


_FORMS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], Callable[[Binding], Test]]]] = [
    (re.compile(rf"{_WHO}\s+shows?\s+(?P<terms>.+)"), _shows),
    (re.compile(rf"{_WHO}\s+may\s+hold\s+(?P<terms>.+)"), _may_hold),
    (
        re.compile(rf"(?P<suit>{SUIT_NAME})\s+is\s+(?P<owner>ours|mine|partner's|theirs|lho's|rho's|unbid)"),
        _owned,
    ),
    (re.compile(rf"agreed\s+(?P<suit>{SUIT_NAME})"), _agreed),
    (re.compile(rf"fit\s+(?P<suit>{SUIT_NAME})"), _fit),
    (re.compile(r"seat\s+(?P<first>[1-4])(?:-(?P<last>[1-4]))?"), _seat),
    (re.compile(r"level\s+(?P<first>[0-7])(?:-(?P<last>[0-7]))?"), _level),
    (re.compile(rf"last bid in\s+(?P<strain>N|{SUIT_NAME})"), _last_bid_in),
    (re.compile(rf"(?P<one>{SUIT_NAME})\s*(?P<op><=|>=|<|>|!=|=)\s*(?P<other>{SUIT_NAME})"), _ranks),
    (re.compile(r"in\s+(?P<name>[a-z0-9_]+)"), _in_force),
    (re.compile(r"plays\s+(?P<name>[a-z0-9_]+)"), _plays),
    (
        re.compile(
            rf"(?P<what>call|last bid)\s*(?P<op><=|>=|<|>|=|!=|\bis\b)\s*(?P<bid>[1-7](?:NT|N|{SUIT_NAME}))"
        ),
        _compares,
    ),
]
