"""Hands as they would look with a little more or less strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pidm.features import Bounds, Feature, HandColumns, PartnerShown, Sum


class StrengthShifted:
    """The columns of the same hands with some points more or less, but never less than none.

    A hand without a point is as weak as hands get: with a little less it would fall out of "0-10 hcp".
    """

    def __init__(self, columns: HandColumns, points: float):
        self._columns = columns
        self._points = points

    def __len__(self) -> int:
        return len(self._columns)

    def column(self, feature: Feature) -> np.ndarray:
        """The values of one feature."""
        shifted = self._columns.column(feature) + self._points * weight(feature)
        return np.asarray(np.maximum(shifted, _floor(feature)))

    def matrix(self, features: Sequence[Feature]) -> np.ndarray:
        """The values of several features, [n, k]."""
        kind = np.int16 if float(self._points).is_integer() else np.float32
        shift = np.array([self._points * weight(feature) for feature in features], dtype=kind)
        floor = np.array([_floor(feature) for feature in features], dtype=np.int16)
        return np.asarray(np.maximum(self._columns.matrix(features) + shift, floor))

    def take(self, rows: np.ndarray) -> StrengthShifted:
        """The same for some of the hands."""
        return StrengthShifted(self._columns.take(rows), self._points)

    def with_partner(self, partner: Bounds | PartnerShown | None) -> StrengthShifted:
        """The same when partner has shown something else."""
        return StrengthShifted(self._columns.with_partner(partner), self._points)


def _floor(feature: Feature) -> int:
    """The least value of a shifted feature."""
    return 0 if weight(feature) and not isinstance(feature, Sum) else LOW


LOW = -10_000
"""Below the values of all features."""


STRENGTH = {"hcp": 0, "points": 1, "hcp_by_tricks": 0, "points_by_tricks": 1}
"""What counts the strength of a hand, each with its number of arguments when it speaks of the whole hand."""


def weight(feature: Feature) -> int:
    """How many points a feature gains with a point of strength."""
    if isinstance(feature, Sum):
        return sum(coefficient * weight(part) for coefficient, part in feature.terms)
    return int(STRENGTH.get(feature.name) == len(feature.args))
