"""What a series of boards proves: means with their standard errors, and the sequential test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pidm.errors import PidmError

FEWEST = 30
"""Boards that are not tied before a sequential test may decide: until then the variance is hardly known,
however many tied ones there are."""


class Mean(NamedTuple):
    """A mean over boards with its standard error."""

    mean: float
    error: float
    """Standard error; infinite for less than two boards."""
    n: int

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f}"


def mean_of(values: Sequence[float] | npt.NDArray[np.float64]) -> Mean:
    """Mean and standard error of independent values, one a board."""
    numbers = np.asarray(values, dtype=np.float64)
    if len(numbers) == 0:
        return Mean(0.0, math.inf, 0)
    error = numbers.std(ddof=1) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.inf
    return Mean(float(numbers.mean()), float(error), len(numbers))


def running(values: Sequence[float]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Mean and standard error after each board; the error of a single board is not known (NaN)."""
    numbers = np.asarray(values, dtype=np.float64)
    n = np.arange(1, len(numbers) + 1)
    means = np.cumsum(numbers) / n
    squares = np.cumsum(numbers**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.maximum(squares - n * means**2, 0) / (n - 1)
        return means, np.sqrt(variance / n)


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential probability ratio test of a mean, with the variance as observed.

    `low` is the mean of the first hypothesis, `high` that of the second; the test stops when one of them is
    so much more likely that the chances of a wrong decision are `alpha` (high accepted, low true) and `beta`.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise PidmError(f"the sequential test needs LOW below HIGH, not {self.low:g} and {self.high:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise PidmError("the chances of a wrong decision are between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `low` and `high` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, values: Sequence[float]) -> float:
        """The log-likelihood ratio of `high` to `low`; 0 while the values do not vary."""
        found = mean_of(values)
        if found.n < 2 or found.error == 0:
            return 0.0
        return (self.high - self.low) * (found.mean - (self.low + self.high) / 2) / found.error**2

    def ratios(self, values: Sequence[float]) -> npt.NDArray[np.float64]:
        """The same after each board."""
        means, errors = running(values)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = (self.high - self.low) * (means - (self.low + self.high) / 2) / errors**2
        return np.where(errors > 0, found, 0.0)

    def decision(self, values: Sequence[float]) -> str:
        """`low`, `high`, or nothing while the test goes on."""
        if np.count_nonzero(values) < FEWEST:
            return ""
        low, high = self.bounds
        ratio = self.ratio(values)
        return "low" if ratio <= low else "high" if ratio >= high else ""
