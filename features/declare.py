"""Declaring features: each class once, with family, instances, range, meaning and computation.

The docstring of the declared function is the meaning: its first line stands in the catalogue, the rest in
the docs.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pidm.core.box import Range
from pidm.errors import FeatureError
from pidm.features.cards import CARDS, HOLDINGS, SHAPES, SUITS, Column, table_of_shapes
from pidm.features.key import Feature, Sum, _spell

if TYPE_CHECKING:
    from pidm.features.columns import HandColumns

Function = TypeVar("Function", bound=Callable[..., Any])

HIGH_CARDS = "high cards"
DISTRIBUTION = "distribution"
SUIT_QUALITY = "quality of suits"
HAND_QUALITY = "quality of the hand"
DYNAMIC = "dynamic"
FAMILIES = (HIGH_CARDS, DISTRIBUTION, SUIT_QUALITY, HAND_QUALITY, DYNAMIC)
"""The families of appendix A, in its order; families of one's own come after them."""


class Over(Enum):
    """The instances that a feature class has; the values are the paper's notation."""

    HAND = ""
    """One, of the whole hand."""
    SUIT = "S"
    """One for each suit."""
    ANY = "A"
    """One for the whole hand and one for each suit."""
    TRUMP_SUIT = "TS"
    """One for each trump suit and each suit, which may be the same."""
    TRUMP_ANY = "TA"
    """For each trump suit one of the whole hand and one of each suit."""
    STRAIN_ANY = "T*A"
    """For each strain, notrump too, one of the whole hand and one of each suit."""
    PAIR = "2S"
    """One for each ordered pair of different suits."""

    @property
    def arguments(self) -> list[tuple[str, ...]]:
        """What stands in the brackets of each instance."""
        if self is Over.HAND:
            return [()]
        if self in (Over.SUIT, Over.ANY):
            return [()] * (self is Over.ANY) + [(suit,) for suit in SUITS]
        if self is Over.PAIR:
            return list(itertools.permutations(SUITS, 2))
        found: list[tuple[str, ...]] = []
        for strain in SUITS + "N" * (self is Over.STRAIN_ANY):
            found += [(strain,)] * (self is not Over.TRUMP_SUIT)
            found += [(strain, suit) for suit in SUITS]
        return found

    def is_whole(self, args: tuple[str, ...]) -> bool:
        """Whether the instance with these arguments speaks of the whole hand, and not of one or two suits."""
        named = {Over.SUIT: 1, Over.ANY: 1}.get(self, 2)
        return self is Over.HAND or len(args) < named


class By(Enum):
    """What the values of a feature are computed from."""

    SUITS = "suits"
    """The sum of one table per suit over the holdings of that suit."""
    SHAPE = "shape"
    """One table over the shapes."""
    COLUMNS = "columns"
    """Other columns, and what partner has shown."""


@dataclass(frozen=True, eq=False)
class FeatureClass:
    """The declaration of a feature class."""

    name: str
    """As a system file spells it, without the brackets."""
    paper: str
    """Its name in appendix A; empty for a feature of one's own."""
    family: str
    """The family that the catalogue lists it in."""
    over: Over
    """Which instances there are."""
    suit: Range | None
    """The range of an instance of one suit or pair of suits."""
    hand: Range | None
    """The range of an instance of the whole hand."""
    whole_numbers: bool
    """Whether the values are whole numbers (int8), or float32."""
    by: By
    """What the values are computed from."""
    function: Callable[..., Any]
    """The computation."""
    dynamic: bool
    """Whether the values depend on what partner has shown."""
    meaning: str
    """What it measures, in one line."""
    details: str
    """The definition, where one line is not enough."""
    instances: tuple[Feature, ...] = field(default=(), init=False)
    """The features of this class, in the order of the catalogue."""

    def range_of(self, args: tuple[str, ...]) -> Range:
        """The range of the instance with these arguments."""
        wanted = self.hand if self.over.is_whole(args) else self.suit
        assert wanted is not None  # checked when the class was declared
        return wanted

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its columns."""
        return np.dtype(np.int8 if self.whole_numbers else np.float32)


class _Registry:
    """What has been declared so far."""

    def __init__(self) -> None:
        self.version = 0
        """Changes with every declaration, so that what was derived from the older ones is derived again."""
        self.interned: dict[tuple[str, bytes], Column] = {}
        """Equal tables are one object, so that their gathers are shared."""

    def intern(self, table: Column) -> Column:
        """The one object that stands for tables equal to this one; it cannot be written to."""
        table = np.ascontiguousarray(table)
        table.flags.writeable = False
        return self.interned.setdefault((table.dtype.str, table.tobytes()), table)


REGISTRY = _Registry()


def classes() -> tuple[FeatureClass, ...]:
    """All declared feature classes, in the order of the catalogue: by family, then as declared."""
    return _sorted_classes(REGISTRY.version)


@lru_cache(maxsize=1)
def _sorted_classes(version: int) -> tuple[FeatureClass, ...]:
    place = {family: number for number, family in enumerate(FAMILIES)}
    return tuple(
        sorted(Feature._classes.values(), key=lambda declared: place.get(declared.family, len(place)))
    )


def catalogue() -> tuple[Feature, ...]:
    """All declared features, in the order of the catalogue."""
    return tuple(feature for declared in classes() for feature in declared.instances)


def remove(name: str) -> None:
    """Forget a feature class of one's own; its name is free again."""
    declaration = Feature._classes.get(name)
    if declaration is None or declaration.paper:
        raise FeatureError(f"no feature class of your own is called {name!r}")
    del Feature._classes[name]
    for feature in declaration.instances:
        del Feature._known[str(feature)]
    for text, total in list(Sum._sums.items()):
        if any(part in declaration.instances for _, part in total.terms):
            del Sum._sums[text]
    _forget()


def _forget() -> None:
    REGISTRY.version += 1
    suit_tables.cache_clear()
    shape_table.cache_clear()


def _declare(
    by: By,
    name: str,
    over: Over,
    suit: Range | None,
    hand: Range | None,
    family: str,
    paper: str,
    whole_numbers: bool = True,
    dynamic: bool = False,
) -> Callable[[Function], Function]:
    if not name.isidentifier() or name != name.lower():
        raise FeatureError(f"{name!r} cannot name a feature; expected lower-case letters and digits")
    if name in Feature._classes:
        raise FeatureError(f"the feature class {name!r} is declared already")
    of_whole = any(over.is_whole(args) for args in over.arguments)
    of_suits = not all(over.is_whole(args) for args in over.arguments)
    for what, bounds, needed in (("suit", suit, of_suits), ("hand", hand, of_whole)):
        if needed != (bounds is not None):
            need = "needs" if needed else "has no use for"
            raise FeatureError(f"the feature class {name!r} {need} {what}=(low, high)")
        if bounds is not None and bounds[0] > bounds[1]:
            raise FeatureError(f"the range {bounds} of the feature class {name!r} is empty")

    def register(function: Function) -> Function:
        text = inspect.cleandoc(function.__doc__ or "")
        meaning, _, details = text.partition("\n")
        declaration = FeatureClass(
            name,
            paper,
            family,
            over,
            suit,
            hand,
            whole_numbers,
            by,
            function,
            dynamic,
            meaning,
            details.strip(),
        )
        instances = tuple(_instance(declaration, args) for args in over.arguments)
        object.__setattr__(declaration, "instances", instances)
        Feature._classes[name] = declaration
        Feature._known.update((str(feature), feature) for feature in declaration.instances)
        _forget()
        return function

    return register


def _instance(declaration: FeatureClass, args: tuple[str, ...]) -> Feature:
    feature = str.__new__(Feature, _spell(declaration.name, args))
    feature.name, feature.args, feature.declaration = declaration.name, args, declaration
    return feature


def sum_feature(
    name: str,
    over: Over,
    *,
    suit: Range | None = None,
    hand: Range | None = None,
    family: str = "own",
    paper: str = "",
    whole_numbers: bool = True,
) -> Callable[[Function], Function]:
    """Declare a sum over the four suits: `function(cards, suit, *args)` gives what `suit` adds, or None."""
    return _declare(By.SUITS, name, over, suit, hand, family, paper, whole_numbers)


SuitFunction = Callable[..., Column | None]
"""`function(cards, suit, *args)`: what a suit adds to a sum over the suits, or None."""


def _as_sum(
    of_suits: Callable[[Function], SuitFunction], declare: Callable[[SuitFunction], SuitFunction]
) -> Callable[[Function], Function]:
    """Declares the sum that `of_suits` makes of a function, which stays as it is, with its docstring."""

    def register(function: Function) -> Function:
        added = of_suits(function)
        added.__doc__ = function.__doc__
        declare(added)
        return function

    return register


def suit_feature(
    name: str,
    over: Over = Over.ANY,
    *,
    suit: Range,
    hand: Range | None = None,
    family: str = "own",
    paper: str = "",
    whole_numbers: bool = True,
) -> Callable[[Function], Function]:
    """Declare what each suit is worth, `function(cards)`; the whole hand, if over ANY, is the sum."""
    if over not in (Over.SUIT, Over.ANY):
        raise FeatureError(f"the suit feature {name!r} is over {over.name}, not SUIT or ANY")

    def of_suits(function: Function) -> SuitFunction:
        return lambda cards, suit, *args: function(cards) if suit in args or not args else None

    return _as_sum(of_suits, _declare(By.SUITS, name, over, suit, hand, family, paper, whole_numbers))


def trump_feature(
    name: str,
    over: Over = Over.TRUMP_ANY,
    *,
    suit: Range,
    hand: Range | None = None,
    family: str = "own",
    paper: str = "",
    whole_numbers: bool = True,
) -> Callable[[Function], Function]:
    """Declare what a suit is worth, `function(cards, trump)`, as trumps (trump is True) or beside them."""
    if over not in (Over.TRUMP_SUIT, Over.TRUMP_ANY):
        raise FeatureError(f"the trump feature {name!r} is over {over.name}, not TRUMP_SUIT or TRUMP_ANY")

    def of_suits(function: Function) -> SuitFunction:
        return lambda cards, suit, trump, *args: (
            function(cards, suit == trump) if suit in args or not args else None
        )

    return _as_sum(of_suits, _declare(By.SUITS, name, over, suit, hand, family, paper, whole_numbers))


def shape_feature(
    name: str,
    over: Over = Over.HAND,
    *,
    suit: Range | None = None,
    hand: Range | None = None,
    family: str = "own",
    paper: str = "",
) -> Callable[[Function], Function]:
    """Declare a feature of the shape: `function(lengths, *suits)` gets int8[560, 4] and suit numbers."""
    return _declare(By.SHAPE, name, over, suit, hand, family, paper)


def hand_feature(
    name: str,
    over: Over = Over.HAND,
    *,
    suit: Range | None = None,
    hand: Range | None = None,
    family: str = "own",
    paper: str = "",
    whole_numbers: bool = False,
    dynamic: bool = False,
) -> Callable[[Function], Function]:
    """Declare anything else, `function(columns, *args)`: it asks `HandColumns` for the columns that it needs.

    A dynamic one may read what partner has shown, `columns.partner`.
    """
    return _declare(By.COLUMNS, name, over, suit, hand, family, paper, whole_numbers, dynamic)


@cache
def suit_tables(feature: Feature) -> tuple[tuple[int, Column], ...]:
    """The suits, as numbers, that a sum over suits takes in, each with its table of 8,192 values."""
    declaration = feature.declaration
    found: list[tuple[int, Column]] = []
    for number, suit in enumerate(SUITS):
        table = declaration.function(CARDS, suit, *feature.args)
        if table is not None:
            found.append((number, REGISTRY.intern(_checked(table, (HOLDINGS,), feature))))
    if len(found) == 1:  # the range of a sum is not that of its parts
        _check_range(found[0][1], feature)
    return tuple(found)


@cache
def shape_table(feature: Feature) -> Column:
    """The table of a feature of the shape, over the numbers of shapes."""
    values = feature.declaration.function(SHAPES, *(SUITS.index(suit) for suit in feature.args))
    checked = _checked(values, (len(SHAPES),), feature)
    _check_range(checked, feature)
    table = table_of_shapes(checked)
    table.flags.writeable = False
    return table


def _checked(values: Any, shape: tuple[int, ...], feature: Feature) -> Column:
    array = np.asarray(values)
    if array.shape != shape:
        raise FeatureError(f"{feature} gives an array of shape {array.shape}; expected {shape}")
    exact = array.astype(feature.declaration.dtype)
    if feature.declaration.whole_numbers and not np.array_equal(exact, array):
        raise FeatureError(f"{feature} is declared to have small whole numbers and gives others")
    return exact


def _check_range(values: Column, feature: Feature) -> None:
    if feature.declaration.paper:  # the tests check those, and their columns must be quick
        return
    low, high = feature.range
    inside = (values >= low) & (values <= high)  # what is no number is outside, too
    if not inside.all():
        raise FeatureError(
            f"{feature} gives {values[~inside][0]}, outside of its declared range {low:g} to {high:g}"
        )


def compute(feature: Feature, columns: HandColumns) -> Column:
    """The column of a feature that is computed from other columns."""
    declaration = feature.declaration
    values = np.asarray(declaration.function(columns, *feature.args))
    if declaration.paper and values.shape == (len(columns),):
        return values.astype(declaration.dtype, copy=False)
    checked = _checked(values, (len(columns),), feature)
    _check_range(checked, feature)
    return checked
