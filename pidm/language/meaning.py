"""Meanings: what a call shows, from the words of a system file to boxes of feature ranges."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import cycle
from typing import NamedTuple

from pidm.core.box import INF, Box
from pidm.errors import FeatureError
from pidm.features import Feature, Range
from pidm.language.mistakes import TextError
from pidm.language.suits import SUIT_NAME, Binding, resolve

HIGHEST = INF
"""The open end of a range such as `5+`."""

MOST = "most"
COMBINED = {"combined": "least", "combined best": MOST}
"""What a term counts together with: the least or the most that partner has shown."""
THEIRS = "theirs"
"""Marks a term that holds of a suit only if the opponents have shown it."""


@cache
def feature(text: str) -> Feature:
    """The feature of this spelling, its suits bound."""
    return Feature.parse(text)


LENGTH = {suit: feature(f"length({suit})") for suit in "SHDC"}
STOPPED = {feature(f"stopper({suit})"): suit for suit in "SHDC"}
"""The suit of each feature that tells of stoppers."""
HCP = feature("hcp")
_BALANCE = feature("balance")


@dataclass(frozen=True)
class Term:
    """One term of a meaning: a range of a feature, its suits perhaps still variables."""

    feature: str
    """The spelling of the feature with suit names in braces: ``points({M})``."""
    low: float
    high: float
    with_partner: str | None = None
    """`least` or `most`: the range is of my value together with the least (most) that partner has shown;
    `theirs`: it is asked of the suit if they have shown it and partner has not shown as much."""
    implied: tuple[tuple[str, float, float], ...] = ()
    """What follows from the term and is worth knowing, as (feature, low, high)."""

    def bind(self, binding: Binding) -> BoundTerm | bool:
        """The term with its suits known; True or False where two suits coincide and nothing is left to
        measure."""
        try:
            what = feature(bind_suits(self.feature, binding))
        except FeatureError:  # the spelling was checked when the text was read: the suits compared are one
            return self.low <= 0 <= self.high
        return BoundTerm(
            what,
            self.low,
            self.high,
            self.with_partner,
            tuple((feature(bind_suits(name, binding)), low, high) for name, low, high in self.implied),
        )


@dataclass(frozen=True)
class BoundTerm:
    """A term whose suits are known."""

    feature: Feature
    low: float
    high: float
    with_partner: str | None
    implied: tuple[tuple[Feature, float, float], ...]


class CombinedTerm(NamedTuple):
    """A term that awaits what the others have shown."""

    feature: Feature
    low: float
    high: float
    awaits: str
    """What it awaits, as in `Term.with_partner`."""

    @property
    def together(self) -> Together:
        """What is asked of a hand with what the others have shown; the same one for all terms that ask it."""
        return _together(self.feature, self.awaits, self.low if self.awaits == THEIRS else 0.0)


class Together:
    """A feature of a hand together with what the others have shown, as rules ask for it in one auction after
    another; there is one object for each."""

    __slots__ = ("term",)

    def __init__(self, term: CombinedTerm):
        self.term = term
        """A term that asks for it."""


@cache
def _together(what: Feature, awaits: str, low: float) -> Together:
    return Together(CombinedTerm(what, low, HIGHEST, awaits))


@dataclass(frozen=True)
class Alternative:
    """One way to have the hand that a call shows: terms that all hold."""

    terms: tuple[Term, ...]
    priority: int = 0
    """Added to the priority of the line."""

    def bind(self, binding: Binding) -> BoundAlternative | None:
        """The alternative with its suits known; None if impossible, as `5+ X, 0-3 S` is for X = S."""
        terms = []
        for term in self.terms:
            bound = term.bind(binding)
            if bound is False:
                return None
            if bound is not True:
                terms.append(bound)
        alternative = BoundAlternative(tuple(terms), self.priority)
        return alternative if alternative.possible else None


@dataclass(frozen=True)
class BoundAlternative:
    """An alternative whose suits are known; `box` is ready unless a term awaits what others have shown."""

    terms: tuple[BoundTerm, ...]
    priority: int
    box: dict[Feature, Range] = field(init=False, compare=False)
    """The ranges that hold whatever others have shown."""
    implied: dict[Feature, Range] = field(init=False, compare=False)
    """What follows from the box and is worth knowing."""
    combined: tuple[CombinedTerm, ...] = field(init=False, compare=False)
    """The terms that await what others have shown."""
    settled: SettledBox = field(init=False, compare=False, repr=False)
    """`box` as the nets take it, right unless a term awaits what others have shown."""
    _beside: dict[tuple[float, ...], SettledBox | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        box: dict[Feature, Range] = {}
        implied: dict[Feature, Range] = {}
        for term in self.terms:
            if term.with_partner is None:
                narrow(box, term.feature, term.low, term.high)
            for feature_, low, high in term.implied:
                narrow(implied, feature_, low, high)
        object.__setattr__(self, "box", box)
        object.__setattr__(self, "implied", implied)
        object.__setattr__(self, "settled", SettledBox(Box(box), self.priority, self))
        combined = tuple(
            CombinedTerm(t.feature, t.low, t.high, t.with_partner) for t in self.terms if t.with_partner
        )
        object.__setattr__(self, "combined", combined)

    @property
    def possible(self) -> bool:
        """False when the terms contradict each other."""
        return all(low <= high for low, high in self.box.values())

    def beside(self, added: Callable[[CombinedTerm], float]) -> SettledBox | None:
        """The alternative as the nets take it, given what others have shown; None if that leaves no hand.
        `added` is what is added to the value of the hand, infinite where a term asks nothing."""
        if not self.combined:
            return self.settled
        shown = tuple([added(term) for term in self.combined])
        # Auctions show the other hands in few ways, and each is worked out once.
        if shown not in self._beside:
            self._beside[shown] = self._settled_beside(shown)
        return self._beside[shown]

    def _settled_beside(self, shown: Sequence[float]) -> SettledBox | None:
        box = dict(self.box)
        for term, more in zip(self.combined, shown):
            if abs(more) < INF:
                narrow(box, term.feature, term.low - more, term.high - more)
        if any(low > high for low, high in box.values()):
            return None
        return SettledBox(Box(box), self.priority, self)


class SettledBox(NamedTuple):
    """An alternative as the nets take it, whatever it says about other hands settled."""

    box: Box
    priority: int
    """Added to that of the rule."""
    alternative: BoundAlternative
    """The meaning as it is written."""


def narrow(box: dict[Feature, Range], feature_: Feature, low: float, high: float) -> None:
    """Let the box meet this range as well."""
    old = box.get(feature_)
    box[feature_] = (low, high) if old is None else (max(low, old[0]), min(high, old[1]))


def bind_suits(text: str, binding: Binding) -> str:
    """Replace the suit names in braces."""
    return re.sub(r"\{(\w+)\}", lambda m: resolve(m.group(1), binding), text)


@lru_cache(maxsize=8192)
def parse_meaning(text: str) -> tuple[Alternative, ...]:
    """Read a meaning: terms joined by commas, alternatives by ` or `; `0 or 3 aces` is a set of values."""
    alternatives = []
    offset = 0
    for part in re.split(r"(\s+or\s+)", _SET.sub(_marked, text)):
        if not re.fullmatch(r"\s+or\s+", part):
            alternatives += [Alternative(_parse_terms(one, offset)) for one in _members(part)]
        offset += len(part)
    return tuple(alternatives)


_VALUES = r"\d+(?:\+|-\d+)?"
_SET = re.compile(rf"(?<![\w(])(?:{_VALUES}\s+or\s+)+(?={_VALUES}\s+[A-Za-z])")
_MARK = "\0"
"""Stands for the `or` between the values of a set, so that it is not taken for one between alternatives."""


def _marked(match: re.Match[str]) -> str:
    return re.sub(r"\bor\b", 2 * _MARK, match[0])


def _members(text: str) -> list[str]:
    """One text for each value of the set in it, all as long as it, so that places of mistakes are right."""
    found = re.search(rf"{_VALUES}(?:\s+{_MARK}{{2}}\s+{_VALUES})+", text)
    if found is None:
        return [text]
    values = list(re.finditer(_VALUES, found[0]))
    blank = " " * len(found[0])
    texts = [blank[: v.start()] + v[0] + blank[v.end() :] for v in values]
    return [one for value in texts for one in _members(text[: found.start()] + value + text[found.end() :])]


def _parse_terms(text: str, offset: int) -> tuple[Term, ...]:
    terms: list[Term] = []
    for part, start in split_commas(text):
        word = part.strip()
        if not word:
            raise TextError("an empty term", offset + start, expected="a term such as '5+ S' or '12-14 hcp'")
        lead = len(part) - len(part.lstrip())
        try:
            terms += _parse_term(word)
        except TextError as error:
            raise TextError(error.problem, offset + start + lead + error.offset, error.expected) from None
        except FeatureError as error:
            raise TextError(str(error), offset + start + lead) from None
    return tuple(terms)


def split_commas(text: str) -> list[tuple[str, int]]:
    """The parts between commas that stand outside parentheses, each with where it starts."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append((text[start:i], start))
            start = i + 1
    parts.append((text[start:], start))
    return parts


_RANGE = r"(?P<low>\d+(?:\.\d+)?)(?:(?P<plus>\+)|-(?P<high>\d+(?:\.\d+)?))?"
_RANGED = re.compile(rf"(?:(?P<combined>combined(?:\s+best)?)\s+)?{_RANGE}\s+(?P<what>.+)")
_COMPARED = re.compile(rf"(?P<left>{SUIT_NAME})\s*(?P<op>>=|<=|>|<|=)\s*(?P<right>{SUIT_NAME})")
_FLAG = re.compile(rf"(?P<flag>[a-z][a-z ]*?)(?:\s+(?P<suit>{SUIT_NAME}))?")
_DIFFERENCE = {">": (1, 13), ">=": (0, 13), "=": (0, 0), "<=": (-13, 0), "<": (-13, -1)}


def _lengths(low: int, high: int) -> tuple[tuple[str, float, float], ...]:
    return tuple((f"length({suit})", low, high) for suit in "SHDC")


_PLAIN_FLAGS: dict[str, tuple[Term, ...]] = {
    "any": (),
    "balanced": (Term("balance", 0, 2, implied=_lengths(2, 5)),),
    "semibalanced": (Term("balance", 0, 3, implied=_lengths(2, 6)),),
    "unbalanced": (Term("balance", 3, HIGHEST),),
    "their suits stopped": tuple(Term(f"stopper({suit})", 2, HIGHEST, THEIRS) for suit in "SHDC"),
}
_SUIT_FLAGS: dict[str, Callable[[str], Term]] = {
    "stopper in": lambda s: Term(f"stopper({{{s}}})", 2, HIGHEST),
    "no stopper in": lambda s: Term(f"stopper({{{s}}})", 0, 1),
    "short": lambda s: Term(f"length({{{s}}})", 0, 1),
    "longest": lambda s: Term(f"longest({{{s}}})", 1, 1),
    "solid": lambda s: Term(f"quality({{{s}}})", 8, HIGHEST),
    "good": lambda s: Term(f"quality({{{s}}})", 6, HIGHEST),
    "fair": lambda s: Term(f"quality({{{s}}})", 4, HIGHEST),
}


def _parse_term(text: str) -> tuple[Term, ...]:
    ranged = _RANGED.fullmatch(text)
    if ranged:
        low, high = float(ranged["low"]), float(ranged["low"])
        if ranged["plus"]:
            high = HIGHEST
        elif ranged["high"]:
            high = float(ranged["high"])
        if low > high:
            raise TextError(f"the range {text.split()[0]} is empty", expected="the lower number first")
        name = _feature_text(ranged["what"], ranged.start("what"))
        combined = ranged["combined"]
        _check_reach(name, low, 2 if combined else 1)
        return (Term(name, low, high, COMBINED[re.sub(r"\s+", " ", combined)] if combined else None),)
    compared = _COMPARED.fullmatch(text)
    if compared:
        low, high = _DIFFERENCE[compared["op"]]
        return (Term(f"diff({{{compared['left']}}},{{{compared['right']}}})", low, high),)
    if text in _PLAIN_FLAGS:
        return _PLAIN_FLAGS[text]
    flag = _FLAG.fullmatch(text)
    if flag and flag["suit"] and flag["flag"] in _SUIT_FLAGS:
        return (_SUIT_FLAGS[flag["flag"]](flag["suit"]),)
    raise TextError(
        f"cannot read the term {text!r}",
        expected="'15-17 hcp', '5+ S', 'S >= H', 'balanced', 'stopper in X', 'combined 8+ M' or the like",
    )


_SUM_PART = re.compile(rf"(?P<suit>{SUIT_NAME})|(?P<name>[a-z][a-z0-9_]*)(?:\((?P<args>[^)]*)\))?")


def _feature_text(text: str, offset: int) -> str:
    """The spelling of a feature or sum of features, suit names in braces."""
    result = []
    for piece in re.split(r"(\s*[+-]\s*)", text):
        if re.fullmatch(r"\s*[+-]\s*", piece):
            result.append(f" {piece.strip()} ")
            continue
        match = _SUM_PART.fullmatch(piece.strip())
        if not match:
            raise TextError(
                f"{piece.strip()!r} is not a feature",
                offset,
                expected="a suit or a feature such as hcp or points(M)",
            )
        if match["suit"]:
            result.append(f"length({{{match['suit']}}})")
            continue
        args = [a.strip() for a in match["args"].split(",")] if match["args"] else []
        braced = ",".join(f"{{{a}}}" if re.fullmatch(SUIT_NAME, a) else a for a in args)
        spelled = f"{match['name']}({braced})" if args else match["name"]
        _check_feature(spelled, offset)
        result.append(spelled)
    return "".join(result)


@cache
def _check_feature(text: str, offset: int) -> None:
    """A misspelt feature is an error when the file is loaded; it names the nearest features."""
    try:
        feature(_sampled(text))
    except FeatureError as error:
        raise TextError(str(error), offset) from None


def _check_reach(text: str, low: float, hands: int) -> None:
    """A range above all that so many hands can have is a mistake; one that only ends above is none."""
    try:
        most = hands * feature(_sampled(text)).range[1]
    except FeatureError:  # a sum in which nothing is left when its suits are one
        return
    if low > most:
        who = "two hands have" if hands > 1 else "a hand has"
        raise TextError(f"{low:g} is out of reach: {who} at most {most:g}", expected=f"0 to {most:g}")


def _sampled(text: str) -> str:
    """A spelling with some suit for each name in braces, different ones as far as there are."""
    different = cycle("SHDC")
    return re.sub(r"\{(\w+)\}", lambda m: next(different), text)
