"""What learned nets test: which calls are open to a hand, the circumstances, and any feature of the hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import Any

import numpy as np

from pidm.bridge.calls import PASS, Call
from pidm.core.choices import Choices
from pidm.features import Feature, HandColumns, catalogue
from pidm.reading.situation import Situation

Key = tuple[Call, ...]
"""The auction of a refinement, see `key_of`."""
OWN, NEAR = 2, 1
"""Values of `Open`."""


class Open(str):
    """The feature that tells whether a call is open to a hand: 2 if it is the system's own, 1 if it is near
    and 0 if neither."""

    __slots__ = ("call",)
    call: Call

    def __new__(cls, call: Call) -> Open:
        """Of this call."""
        made = super().__new__(cls, f"open({call})")
        made.call = call
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Open, (self.call,)


class Circumstance(str):
    """A feature that is not of the hand: `vulnerable(we)` and `vulnerable(they)` are 1 or 0, `passes` is the
    number of passes before the opening bid."""

    __slots__ = ()


WE, THEY, PASSES = (Circumstance(name) for name in ("vulnerable(we)", "vulnerable(they)", "passes"))


def leading_passes(calls: Iterable[Call]) -> int:
    """The number of passes before the opening bid."""
    return sum(1 for _ in takewhile(lambda call: call == PASS, calls))


def key_of(calls: Iterable[Call]) -> Key:
    """The calls of an auction as learning sees it: from the opening bid."""
    listed = tuple(calls)
    return listed[leading_passes(listed) :] or listed


def key_text(key: Key) -> str:
    """As people write it."""
    return " ".join(map(str, key))


def inducible() -> tuple[str, ...]:
    """What trees may test, the simplest first: the circumstances and all features of the hand."""
    order = {name: place for place, name in enumerate(("hcp", "length", "points", "controls", "losers"))}
    features = sorted(catalogue(), key=lambda f: (f.dynamic, order.get(f.name, len(order)), len(f.args)))
    return WE, THEY, PASSES, *features


class JudgedColumns:
    """The features that learned nets test in one situation: those of the hands, the calls open to them, the
    circumstances."""

    def __init__(self, situation: Situation, columns: HandColumns, wide: Choices):
        """`wide` are the calls that judgement leaves open to the hands."""
        self._columns = columns.with_partner(situation.bounds[situation.partner])
        self._wide = wide
        self._circumstances = circumstances(situation)

    def __len__(self) -> int:
        return len(self._columns)

    def column(self, feature: Any) -> np.ndarray:
        """The values of one feature."""
        if isinstance(feature, Open):
            own = self._wide.preferred() == feature.call
            return np.asarray(self._wide.allows(feature.call).astype(np.int8) + own)
        if isinstance(feature, Circumstance):
            return np.full(len(self), self._circumstances[feature], dtype=np.int8)
        return np.asarray(self._columns.column(feature))

    def take(self, rows: Any) -> JudgedColumns:
        """The same for some of the rows."""
        some = JudgedColumns.__new__(JudgedColumns)
        some._columns, some._wide = self._columns.take(rows), self._wide.take(rows)
        some._circumstances = self._circumstances
        return some


class PooledColumns:
    """The same features for states of several situations, one after the other."""

    def __init__(self, parts: Sequence[JudgedColumns]):
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def column(self, feature: Any) -> np.ndarray:
        """The values of one feature."""
        return np.concatenate([part.column(feature) for part in self._parts])

    def take(self, rows: Any) -> PooledColumns:
        """The same for some of the rows, which must be ascending numbers."""
        starts = np.cumsum([0, *map(len, self._parts)])
        chosen = [rows[(rows >= low) & (rows < high)] - low for low, high in pairwise(starts)]
        return PooledColumns([part.take(some) for part, some in zip(self._parts, chosen)])


def circumstances(situation: Situation) -> dict[Circumstance, int]:
    """The features of a situation that are not of the hand."""
    side = situation.side
    passes = leading_passes(situation.auction.calls)
    return {WE: int(situation.vul[side]), THEY: int(situation.vul[1 - side]), PASSES: passes}


def feature_of(text: str) -> Any:
    """A feature of a learned net from its text."""
    if text.startswith("open("):
        return Open(Call.from_str(text[5:-1]))
    if text in (WE, THEY, PASSES):
        return Circumstance(text)
    return Feature.parse(text)
