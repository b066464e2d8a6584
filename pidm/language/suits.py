"""Suit variables: M and oM, m and om, X, Y, Z, W, what they may stand for, and `for:` restrictions.

A binding is a plain dict from base variable to suit letter, such as ``{"M": "S", "X": "D"}``; ``oM`` and
``om`` follow from ``M`` and ``m``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from pidm.language.mistakes import TextError

Binding = Mapping[str, str]

DOMAINS: dict[str, str] = {"M": "HS", "m": "CD", "X": "CDHS", "Y": "CDHS", "Z": "CDHS", "W": "CDHS"}
"""The suits that each base variable may stand for, in the order of expansion."""

OTHER = {"H": "S", "S": "H", "C": "D", "D": "C"}
"""The other major and the other minor."""

SUIT_WORDS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
RANK = {"C": 0, "D": 1, "H": 2, "S": 3}
FIT = 8
"""The cards that two hands need together in a suit to make it their trumps."""

SUIT_NAME = r"(?:o?M|o?m|[WXYZSHDC]|spades|hearts|diamonds|clubs)"
"""Regular expression of everything that names a suit."""

_VARIABLE = re.compile(r"(?<![A-Za-z])(o?M|o?m|[WXYZ])(?![A-Za-z'])")
_LEVELLED = re.compile(r"(?<![A-Za-z0-9])[1-7*](o?M|o?m|[WXYZ])(?![A-Za-z])")


def base_of(variable: str) -> str:
    """The base variable: ``oM`` is bound by ``M``."""
    return variable[1:] if variable.startswith("o") else variable


def variables_of_call(text: str) -> list[str]:
    """The base variables of a call or pattern token; the lone call ``X`` is a double, not a suit."""
    found = [base_of(m.group(1)) for m in _LEVELLED.finditer(text)]
    if " " in text.strip():  # "cheapest X", "jump raise M": the last word is a strain
        found += [base_of(m.group(1)) for m in _VARIABLE.finditer(text.rsplit(" ", 1)[1])]
    return unique(found)


def variables_of_text(text: str) -> list[str]:
    """The base variables of a meaning or condition, where ``X`` is always a suit."""
    return unique(base_of(m.group(1)) for m in _VARIABLE.finditer(text))


def unique(items: Iterable[str]) -> list[str]:
    """The items in order of first appearance."""
    return list(dict.fromkeys(items))


def resolve(name: str, binding: Binding) -> str:
    """The suit letter that a name stands for under a binding."""
    if name in RANK:
        return name
    if name in SUIT_WORDS:
        return SUIT_WORDS[name]
    try:
        if name.startswith("o"):
            return OTHER[binding[name[1:]]]
        return binding[name]
    except KeyError:
        raise TextError(
            f"the suit {name} is not known here", expected="S, H, D, C or a variable of the auction"
        ) from None


Restriction = Callable[[Binding], bool]


@lru_cache(maxsize=1024)
def parse_restriction(text: str) -> Restriction:
    """Compile one ``for:`` text such as ``X in C,D; Y > X`` into a test of complete bindings.

    A part that speaks of variables which the binding does not have yet holds: it is tested again when they
    are bound.
    """
    tests: list[Restriction] = []
    offset = 0
    for part in text.split(";"):
        stripped = part.strip()
        if stripped:
            tests.append(_parse_part(stripped, offset + part.index(stripped[0])))
        offset += len(part) + 1
    return lambda binding: all(test(binding) for test in tests)


def _parse_part(part: str, offset: int) -> Restriction:
    member = re.fullmatch(rf"({SUIT_NAME})\s+(not\s+)?in\s+([A-Za-z, ]+)", part)
    if member:
        name, negated, listed = member.groups()
        suits = frozenset(s.strip() for s in listed.split(","))
        unknown = suits - set(RANK)
        if unknown:
            raise TextError(f"{sorted(unknown)[0]!r} is not a suit", offset, expected="S, H, D or C")
        return _when_bound((name,), lambda b: (resolve(name, b) in suits) != bool(negated))
    compare = re.fullmatch(rf"({SUIT_NAME})\s*(=|!=|<|>|<=|>=)\s*({SUIT_NAME})", part)
    if compare:
        left, operator, right = compare.groups()
        test = COMPARE[operator]
        return _when_bound((left, right), lambda b: test(RANK[resolve(left, b)], RANK[resolve(right, b)]))
    raise TextError(
        f"cannot read the restriction {part!r}", offset, expected="'X in C,D', 'X > Y', 'X != M' or 'M = S'"
    )


def _when_bound(names: tuple[str, ...], test: Restriction) -> Restriction:
    needed = [base_of(n) for n in names if n not in RANK and n not in SUIT_WORDS]
    return lambda binding: any(v not in binding for v in needed) or test(binding)


COMPARE: dict[str, Callable[[float, float], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def expand(
    variables: Iterable[str], start: Binding, restrictions: Iterable[Restriction], distinct: bool
) -> Iterator[dict[str, str]]:
    """All bindings of `variables` that continue `start`.

    X, Y, Z and W always differ. With `distinct`, as inside one auction pattern, no two variables name the
    same suit.
    """
    new = [v for v in unique(variables) if v not in start]
    if not new:
        if all(test(start) for test in restrictions):
            yield dict(start)
        return
    tests = list(restrictions)
    free = [v for v in "XYZW" if v in new or v in start]
    for suits in itertools.product(*(DOMAINS[v] for v in new)):
        binding = dict(start) | dict(zip(new, suits))
        if len({binding[v] for v in free}) < len(free):
            continue
        if distinct and len(set(binding.values())) < len(binding):
            continue
        if all(test(binding) for test in tests):
            yield binding
