"""Feature keys: the spelling of a feature as a value that is cheap to hash and to compare."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pidm.core.box import Range
from pidm.errors import FeatureError, check_length
from pidm.symbols import plain

if TYPE_CHECKING:
    from pidm.features.declare import FeatureClass

LONGEST = 1_000
"""Characters of a spelling."""
LARGEST_SUM = 30_000
"""What a sum of features may reach: columns are of 16 bits."""
_SUIT_WORDS = {"SPADES": "S", "HEARTS": "H", "DIAMONDS": "D", "CLUBS": "C", "NT": "N", "ALL": ""}
_SPELLING = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*")
_TERM = re.compile(r"\s*([+-]?)\s*(?:(\d{1,4})\s*\*)?([^+*()]*?(?:\([^()]*\))?)\s*(?=[+-]|$)")


class Feature(str):
    """A feature: one instance of a feature class, such as `hcp(S)` or `losers(H)`.

    It is its spelling in a system file, so it prints, sorts and hashes as a string. There is one object for
    each feature; get it from `Feature.parse`.
    """

    __slots__ = ("args", "declaration", "name")

    name: str
    """The feature class: `hcp`."""
    args: tuple[str, ...]
    """The suits and strains in the brackets: `("S",)`; empty when the feature is of the whole hand."""
    declaration: FeatureClass
    """Where the class is declared."""

    _known: ClassVar[dict[str, Feature]] = {}
    _classes: ClassVar[dict[str, FeatureClass]] = {}

    @classmethod
    def parse(cls, text: str) -> Feature:
        """Read a feature, `hcp(S)`, or a sum of features, `hcp + length(S) - 2*length(H)`."""
        feature = cls._known.get(text) or Sum._sums.get(text)
        if feature is None:
            terms = _terms(text)
            if len(terms) == 1 and terms[0][0] == 1:
                return terms[0][1]
            feature = Sum.of(terms)
        return feature

    @property
    def range(self) -> Range:
        """The least and the greatest value that any hand may have."""
        return self.declaration.range_of(self.args)

    @property
    def family(self) -> str:
        """The family of features that it belongs to."""
        return self.declaration.family

    @property
    def meaning(self) -> str:
        """What it measures, in one line."""
        return self.declaration.meaning

    @property
    def dynamic(self) -> bool:
        """Whether the value depends on what partner has shown."""
        return self.declaration.dynamic

    def __repr__(self) -> str:
        return f"Feature.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Feature.parse, (str(self),)


class Sum(Feature):
    """A sum of features with whole coefficients: `hcp + length(S) + length(H)`, `length(S) - length(H)`."""

    __slots__ = ("terms",)

    terms: tuple[tuple[int, Feature], ...]
    """Coefficient and feature; in the order of the catalogue, the features that are added first."""

    _sums: ClassVar[dict[str, Sum]] = {}

    @classmethod
    def of(cls, terms: Iterable[tuple[int, Feature]]) -> Feature:
        """The sum of these terms; the same sum has one spelling in whatever order it is written."""
        from pidm.features.declare import catalogue  # which itself imports this module

        total: dict[Feature, int] = {}
        for coefficient, feature in terms:
            parts = feature.terms if isinstance(feature, Sum) else ((1, feature),)
            for inner, part in parts:
                total[part] = total.get(part, 0) + coefficient * inner
        order = {feature: position for position, feature in enumerate(catalogue())}
        kept = [(coefficient, feature) for feature, coefficient in total.items() if coefficient]
        kept.sort(key=lambda term: (term[0] < 0, order[term[1]]))
        if not kept:
            raise FeatureError("a sum of features in which nothing is left")
        if len(kept) == 1 and kept[0][0] == 1:
            return kept[0][1]
        text = ""
        for coefficient, feature in kept:
            sign = ("- " if coefficient < 0 else "+ ") if text else ("-" if coefficient < 0 else "")
            count = f"{abs(coefficient)}*" if abs(coefficient) != 1 else ""
            text += f"{' ' if text else ''}{sign}{count}{feature}"
        known = cls._sums.get(text)
        if known is None:
            known = str.__new__(cls, text)
            known.name, known.args, known.terms = "sum", (), tuple(kept)
            if max(map(abs, known.range)) > LARGEST_SUM:
                raise FeatureError(f"a sum of features reaches {max(known.range):g}; at most {LARGEST_SUM:,}")
            cls._sums[text] = known
        return known

    @property
    def range(self) -> Range:
        """Bounds on the sum, from the ranges of the terms."""
        ends = [
            tuple(sorted((coefficient * part.range[0], coefficient * part.range[1])))
            for coefficient, part in self.terms
        ]
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    @property
    def family(self) -> str:
        """The family of features that it belongs to."""
        return "sums"

    @property
    def meaning(self) -> str:
        """What it measures, in one line."""
        return f"The sum {self}."

    @property
    def dynamic(self) -> bool:
        """Whether a term depends on what partner has shown."""
        return any(part.dynamic for _, part in self.terms)


def _terms(text: str) -> list[tuple[int, Feature]]:
    """The terms of a feature or a sum of features."""
    check_length(text, LONGEST, "a feature", FeatureError)
    found: list[tuple[int, Feature]] = []
    position = 0
    while position < len(text) or not found:
        match = _TERM.match(text, position)
        if match is None or match.end() == position:
            raise FeatureError(
                f"{text!r} is no feature; expected one such as hcp, length(S) or hcp + length(S)"
            )
        sign, count, spelling = match.groups()
        found.append((int(count or 1) * (-1 if sign == "-" else 1), _single(spelling, text)))
        position = match.end()
    return found


def _single(spelling: str, text: str) -> Feature:
    """The feature of a spelling with whatever case and blanks people type."""
    match = _SPELLING.fullmatch(spelling)
    if match is None:
        raise FeatureError(f"{text!r} is no feature; expected one such as hcp, length(S) or hcp + length(S)")
    name = match[1].lower()
    declaration = Feature._classes.get(name)
    words = [plain(word.strip()) for word in match[2].split(",")] if match[2] else []
    if declaration is None:
        raise FeatureError(f"no feature {match[1]!r}{_near(match[1], len(words))}")
    args = [arg for arg in (_SUIT_WORDS.get(word, word) for word in words) if arg]
    feature = Feature._known.get(_spell(name, args))
    if feature is None:
        expected = ", ".join(_examples(declaration))
        raise FeatureError(f"no feature {spelling.strip()!r}; {name} is written {expected}")
    return feature


def _examples(declaration: FeatureClass) -> list[str]:
    """One instance of each form that a class has."""
    forms: dict[int, str] = {}
    for feature in declaration.instances:
        forms.setdefault(len(feature.args), str(feature))
    return list(forms.values())


def _near(name: str, args: int) -> str:
    """What the user may have meant with so much in brackets, to end an error message."""
    for declaration in Feature._classes.values():
        if name.upper() == declaration.paper:
            return f"; the paper's {declaration.paper} is {' or '.join(_examples(declaration))}"
    near = difflib.get_close_matches(name.lower(), Feature._classes, n=3, cutoff=0.55)
    forms = [
        min(_examples(Feature._classes[found]), key=lambda form: abs(len(Feature.parse(form).args) - args))
        for found in near
    ]
    return f"; did you mean {' or '.join(forms)}?" if forms else "; `pidm features` lists them"


def _spell(name: str, args: Iterable[str]) -> str:
    inside = ",".join(args)
    return f"{name}({inside})" if inside else name
