"""Hands as a system counts them: where rules speak of points, a count of the system's choice is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pidm.features import Feature, HandColumns
from pidm.language.counts import Counts
from pidm.reading.strength_shift import StrengthShifted


class Counted:
    """The columns of the same hands, with some features in the place of others."""

    def __init__(self, columns: HandColumns | StrengthShifted, counts: Counts):
        self._columns = columns
        self._counts = counts

    def __len__(self) -> int:
        return len(self._columns)

    def column(self, feature: Feature) -> np.ndarray:
        """The values of one feature."""
        return self._columns.column(self._counts.of(feature))

    def matrix(self, features: Sequence[Feature]) -> np.ndarray:
        """The values of several features, [n, k]."""
        return self._columns.matrix([self._counts.of(feature) for feature in features])

    def take(self, rows: np.ndarray) -> Counted:
        """The same for some of the hands."""
        return Counted(self._columns.take(rows), self._counts)
