"""Feature columns of a batch of hands: computed when asked for, and kept.

A sum over suits is a gather per suit from tables of 8,192 entries; a feature of the shape is one gather by
the number of the shape. Decision nets ask for many features of few hands, where the calls cost more than
the values: for such batches all whole-number features are gathered at once, a row of them per holding (the
block), and taken from there. In a large batch the first column leaves nothing behind but itself; what later
ones are made of is kept, because others are likely to need it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pidm.features.cards import CARDS, HOLDINGS, SHAPE_STEPS, SUITS, Column
from pidm.features.declare import REGISTRY, By, catalogue, compute, shape_table, suit_tables
from pidm.features.key import Feature, Sum
from pidm.features.partner import Bounds, PartnerShown

BLOCK_ROWS = 2048
"""Up to this many hands, all whole-number features together cost less than a few columns one by one."""

Rows = npt.NDArray[np.intp]


class _Kept:
    """What was worked out for a batch of hands."""

    __slots__ = ("columns", "counted", "gathers", "index", "numbers")

    def __init__(self) -> None:
        self.columns: dict[Feature, Column] = {}
        self.numbers: dict[Feature, list[float]] = {}
        """Columns as plain numbers."""
        self.counted: dict[object, dict[Any, list[float]]] = {}
        """Numbers as somebody counts them who keeps them here, by who that is."""
        self.gathers: dict[tuple[int, int], tuple[Column, Column]] = {}
        """What was looked up for a suit, by its number and the id of the table, which is kept too."""
        self.index: dict[int, Rows] = {}
        """The holdings of each suit as an index, and the numbers of the shapes."""


class HandColumns:
    """The feature columns of a batch of hands, uint16[n, 4 suits], given what partner has shown."""

    __slots__ = (
        "_block",
        "_kept",
        "_masks",
        "_parent",
        "_rows",
        "_shown",
        "_size",
        "_version",
    )

    def __init__(self, masks: npt.NDArray[np.uint16], partner: Bounds | PartnerShown | None = None) -> None:
        masks = np.asarray(masks, np.uint16)
        if masks.ndim != 2 or masks.shape[1] != 4:
            raise ValueError(f"hands are suit masks of shape [n, 4], not {list(masks.shape)}")
        if masks.max(initial=0) >= HOLDINGS:
            row, suit = np.argwhere(masks >= HOLDINGS)[0]
            raise ValueError(f"hand {row}: {masks[row, suit]} is no mask of 13 cards in {SUITS[suit]}")
        self._start(len(masks), masks, None, None, partner)

    def _start(
        self,
        size: int,
        masks: npt.NDArray[np.uint16] | None,
        parent: HandColumns | None,
        rows: Rows | None,
        shown: Bounds | PartnerShown | None,
    ) -> None:
        self._shown = shown
        self._size = size
        self._masks = masks
        self._parent = parent
        self._rows = rows
        self._version = REGISTRY.version
        self._block: Column | None = None
        # There is one of these for each hand of a batch, and most are asked for nothing by themselves.
        self._kept: _Kept | None = None

    def __len__(self) -> int:
        return self._size

    @property
    def kept(self) -> _Kept:
        """What was worked out for these hands."""
        if self._kept is None:
            self._kept = _Kept()
        return self._kept

    @property
    def masks(self) -> npt.NDArray[np.uint16]:
        """The hands, uint16[n, 4 suits]."""
        if self._masks is None:
            assert self._parent is not None
            above = self._parent.masks
            self._masks = above if self._rows is None else above.take(self._rows, axis=0)
        return self._masks

    @property
    def partner(self) -> PartnerShown:
        """What partner has shown, for the dynamic features."""
        if not isinstance(self._shown, PartnerShown):
            self._shown = PartnerShown.of(self._shown)
        return self._shown

    def take(self, rows: npt.ArrayLike) -> HandColumns:
        """The same for some of the hands, by their numbers or as a mask; what is known here is taken over."""
        chosen = np.asarray(rows)
        chosen = np.flatnonzero(chosen) if chosen.dtype == bool else chosen.astype(np.intp, copy=False)
        view = HandColumns.__new__(HandColumns)
        view._start(len(chosen), None, self, chosen, self._shown)
        return view

    def each(self) -> list[HandColumns]:
        """Those of each hand by itself."""
        if self._size == 1:
            return [self]
        whole = self if self._parent is None or self._rows is None else self._parent
        rows = np.arange(self._size) if whole is self or self._rows is None else self._rows
        return [whole.take(rows[k : k + 1]) for k in range(self._size)]

    def with_partner(self, partner: Bounds | PartnerShown | None) -> HandColumns:
        """The same hands when partner has shown something else; only dynamic features are computed anew."""
        view = HandColumns.__new__(HandColumns)
        view._start(self._size, None, self, None, partner)
        return view

    def column(self, feature: Feature) -> Column:
        """The values of one feature, [n]; do not write to them."""
        found = self._taken(feature)
        if found is None:
            found = self._computed(feature)
        self.kept.columns[feature] = found
        return found

    def number(self, feature: Feature) -> float:
        """The value of one feature for a single hand, an `int` if the feature has whole numbers, else as it
        stands in the column. For one hand of a small batch it is worked out for all of them at once."""
        batch, row = self.among()
        return batch.numbers(feature)[row]

    def among(self) -> tuple[HandColumns, int]:
        """For a single hand: the batch for which its features are worked out at once, and its row there."""
        parent, rows = self._parent, self._rows
        if parent is None or rows is None or parent._size > BLOCK_ROWS:
            self._check_version()
            return self, 0
        parent._check_version()
        return parent, int(rows[0])

    def numbers(self, feature: Feature) -> list[float]:
        """The values of one feature as plain numbers, [n]; do not write to them."""
        self._check_version()
        found = self.kept.numbers.get(feature)
        if found is None:
            self.block()  # all simple features at once cost about what one does
            found = self.kept.numbers[feature] = _numbers(self.column(feature))
        return found

    def matrix(self, features: Sequence[Feature]) -> Column:
        """The values of several features, [n, k]: whole numbers in int8 or int16 if all are, else float32."""
        self._check_version()
        plan = _plan(tuple(features), REGISTRY.version)
        if self._size > BLOCK_ROWS:
            # Columns lie together, so that filling and comparing them runs through memory in order.
            values: Column = np.empty((len(features), self._size), dtype=plan.dtype).T
            for position, feature in enumerate(features):
                values[:, position] = self.column(feature)
            return values
        block = self.block()
        if not plan.others:
            return block.take(plan.places, axis=1)
        values = block.take(plan.places, axis=1).astype(plan.dtype, copy=False)
        for position in plan.others:
            values[:, position] = self.column(features[position])
        return values

    def block(self) -> Column:
        """All whole-number features that need no other column, int8[n, width]; `matrix` knows the places."""
        self._check_version()
        if self._block is None:
            layout = _layout(REGISTRY.version)
            parent = self._parent
            if parent is not None and (parent._block is not None or parent._size <= BLOCK_ROWS):
                above = parent.block()
                self._block = above if self._rows is None else above.take(self._rows, axis=0)
            else:
                masks = self.masks
                block = look_up(layout.suits[0], masks[:, 0])
                for suit in (1, 2, 3):
                    block += look_up(layout.suits[suit], masks[:, suit])
                block[:, layout.first_shape :] = look_up(layout.shapes, self.shape_numbers())
                self._block = block
        return self._block

    def gather(self, table: Column, suit: int | str) -> Column:
        """A table of 8,192 values looked up for the holdings of one suit, [n]; do not write to it."""
        number = SUITS.index(suit) if isinstance(suit, str) else suit
        before = self.kept.gathers.get((number, id(table)))
        if before is not None:
            return before[1]
        values = look_up(table, self.index(number))
        if self._keeps():  # the table is kept too, so that its id stays its own
            self.kept.gathers[number, id(table)] = table, values
        return values

    def index(self, suit: int | str) -> Rows:
        """The holdings of one suit as an index into tables, intp[n]; do not write to it."""
        number = SUITS.index(suit) if isinstance(suit, str) else suit
        index = self.kept.index.get(number)
        if index is None:
            same = self._parent if self._rows is None else None
            index = same.index(number) if same is not None else _cut_out(self.masks, number)
            if self._keeps():
                self.kept.index[number] = index
        return index

    def shape_numbers(self) -> Rows:
        """The number of each hand's shape, by which tables over the shapes are looked up, intp[n]."""
        numbers = self.kept.index.get(_SHAPE)
        if numbers is None:
            spades, hearts, diamonds = _STEPS
            total = look_up(spades, self.index(0))
            total += look_up(hearts, self.index(1))
            total += look_up(diamonds, self.index(2))
            numbers = total.astype(np.intp)
            if self._keeps():
                self.kept.index[_SHAPE] = numbers
        return numbers

    def _keeps(self) -> bool:
        """Whether to keep what a column is made of: for a first column alone, memory would cost the most."""
        return self._size <= BLOCK_ROWS or bool(self.kept.columns)

    def _taken(self, feature: Feature) -> Column | None:
        """The column from what is known already, here or above."""
        self._check_version()
        if self._kept is not None:
            known = self._kept.columns.get(feature)
            if known is not None:
                return known
        if self._block is not None:
            position = _layout(REGISTRY.version).positions.get(feature)
            if position is not None:
                return self._block[:, position]
        parent = self._parent
        if parent is None or (
            parent._shown is not self._shown and feature.dynamic and parent.partner != self.partner
        ):
            return None
        if self._rows is None:
            return parent.column(feature)
        # What a few hands together are asked for costs hardly more than for one of them.
        above = parent.column(feature) if parent._size <= BLOCK_ROWS else parent._taken(feature)
        return above if above is None else above.take(self._rows)

    def _computed(self, feature: Feature) -> Column:
        if isinstance(feature, Sum):
            return self._summed(feature)
        by = feature.declaration.by
        if by is By.SUITS:
            parts = suit_tables(feature)
            if not parts:
                return np.zeros(self._size, dtype=feature.declaration.dtype)
            return total_of(self.gather(table, suit) for suit, table in parts)
        if by is By.SHAPE:
            return look_up(shape_table(feature), self.shape_numbers())
        return compute(feature, self)

    def _summed(self, feature: Sum) -> Column:
        total: Column | None = None
        for coefficient, part in feature.terms:
            column = self.column(part)
            column = column.astype(np.int16) if column.dtype.kind == "i" else column
            column = column if coefficient == 1 else column * column.dtype.type(coefficient)
            total = column if total is None else total + column
        assert total is not None
        return total

    def _check_version(self) -> None:
        if self._version != REGISTRY.version:  # a class was declared or removed since: places have moved
            self._version = REGISTRY.version
            self._kept = None
            self._block = None


def look_up(table: Column, index: npt.NDArray[Any]) -> Column:
    """The entries of a table at an index that is known to lie within: numpy wraps faster than it checks."""
    return table.take(index, axis=0, mode="wrap")


def _numbers(column: Column) -> list[float]:
    """A column as plain numbers; what is not whole stays in its own type, in which bounds are compared."""
    found: list[float] = column.tolist() if column.dtype.kind == "i" else list(column)
    return found


def total_of(parts: Iterable[Column]) -> Column:
    """The sum of columns; the only part itself if there is one."""
    rest = iter(parts)
    total = next(rest)
    for second in rest:
        total = total + second
        for part in rest:
            total += part  # in place: memory costs more than adding
    return total


def _cut_out(masks: npt.NDArray[np.uint16], suit: int) -> Rows:
    """The holdings of one suit in numpy's index type, by which it gathers twice as fast.

    Many hands are cheaper cut out of words, four times 16 bits, than by picking every fourth number.
    """
    if len(masks) <= BLOCK_ROWS or masks.strides[1] != 2 or np.intp is not np.int64:
        return masks[:, suit].astype(np.intp)
    words, shift = masks.view(np.int64)[:, 0], _SHIFTS[suit]
    if shift == 0:
        return words & 0xFFFF
    index: Rows = words >> shift
    if shift != 48:
        index &= 0xFFFF
    return index


_SHIFTS = (0, 16, 32, 48) if sys.byteorder == "little" else (48, 32, 16, 0)


def column(
    feature: Feature, masks: npt.NDArray[np.uint16], partner: Bounds | PartnerShown | None = None
) -> Column:
    """The values of one feature for hands uint16[n, 4 suits], given what their partner has shown."""
    return HandColumns(masks, partner).column(feature)


_SHAPE = 4
"""Where the numbers of the shapes are kept, beside the indices of the four suits."""
_STEPS = [CARDS.length.astype(np.int16) * np.int16(step) for step in SHAPE_STEPS]


class _Layout(NamedTuple):
    """Where the block has its features, and the rows that it is made from."""

    positions: dict[Feature, int]
    suits: list[Column]
    """For each suit int8[8192, width]: what a holding adds to every feature."""
    shapes: Column
    """int8[shape numbers, width - first_shape]: the features of the shape."""
    first_shape: int


@lru_cache(maxsize=1)
def _layout(version: int) -> _Layout:
    by_suits = [f for f in catalogue() if f.declaration.by is By.SUITS and f.declaration.whole_numbers]
    by_shape = [f for f in catalogue() if f.declaration.by is By.SHAPE]
    width = len(by_suits) + len(by_shape)
    suits = [np.zeros((HOLDINGS, width), dtype=np.int8) for _ in SUITS]
    for position, feature in enumerate(by_suits):
        for suit, table in suit_tables(feature):
            suits[suit][:, position] = table
    shapes = np.stack([shape_table(feature) for feature in by_shape], axis=1)
    positions = {feature: position for position, feature in enumerate(by_suits + by_shape)}
    return _Layout(positions, suits, shapes, len(by_suits))


class _Plan(NamedTuple):
    """What a request for several features comes down to."""

    places: Rows
    """Their places in the block, 0 for one that is not there."""
    others: tuple[int, ...]
    """Which of them are not there."""
    dtype: np.dtype[Any]
    """Their common type."""


@lru_cache(maxsize=4096)
def _plan(features: tuple[Feature, ...], version: int) -> _Plan:
    positions = _layout(version).positions
    places = np.array([positions.get(feature, 0) for feature in features], dtype=np.intp)
    others = tuple(k for k, feature in enumerate(features) if feature not in positions)
    dtype = np.result_type(np.int8, *map(_dtype, features))
    return _Plan(places, others, dtype)


def _dtype(feature: Feature) -> np.dtype[Any]:
    if isinstance(feature, Sum):
        return np.result_type(np.int16, *(_dtype(part) for _, part in feature.terms))
    return feature.declaration.dtype
