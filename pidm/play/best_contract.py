"""The best of the 35 contracts by either of two partners: what reached contracts are measured against."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import CALLS, Contract, Seat

Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=4)
def contracts_of(first: Seat) -> tuple[Contract, ...]:
    """The 35 contracts, undoubled, each by both partners."""
    return tuple(
        Contract(bid.level, bid.strain, 0, seat)
        for bid in CALLS
        if bid.is_bid
        for seat in (first, first.partner)
    )


def best_contracts(
    worth: Callable[[Contract], npt.ArrayLike], first: Seat
) -> tuple[list[Contract | None], Floats]:
    """For each deal the contract that is worth most to the side of `first`, and how much.

    `worth` gives what a contract is worth in every deal. Where none is worth anything, passing is best: None.
    """
    contracts = contracts_of(first)
    worths = np.array([np.atleast_1d(np.asarray(worth(one), dtype=np.float64)) for one in contracts])
    places, values = worths.argmax(axis=0), worths.max(axis=0)
    best = [contracts[place] if value > 0 else None for place, value in zip(places, values)]
    return best, np.maximum(values, 0.0)
