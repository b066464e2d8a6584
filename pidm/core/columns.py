"""Columns: what a strategy gets to see of a batch of private parts, one array a feature."""

from __future__ import annotations

from typing import Any, Protocol, TypeGuard

import numpy as np


class Columns(Protocol):
    """Feature values of one seat over a batch of worlds; `MatrixColumns` if several come cheaper at once."""

    def __len__(self) -> int: ...

    def column(self, feature: Any) -> np.ndarray:
        """The values of one feature, of length n."""

    def take(self, rows: Any) -> Columns:
        """The same columns for some of the rows."""


class MatrixColumns(Columns, Protocol):
    """Columns that can be had all at once."""

    def matrix(self, features: Any) -> np.ndarray:
        """[n, len(features)], the values of these features in one array."""


def has_matrix(columns: Columns) -> TypeGuard[MatrixColumns]:
    """Can several columns be had at once?"""
    return hasattr(columns, "matrix")
