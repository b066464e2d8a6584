"""The policy-change density of the JPS paper (section 4): how a change of value is made up of local parts."""

from __future__ import annotations

import numpy as np

from pidm.games.tabular import Tabular

__all__ = ["density"]


def density(table: Tabular, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """rho of equation 5 for every state, float[nodes, worlds]; 0 where games end.

    It is 0 wherever the two policies do the same (lemma 1), and its sum is the change of value (theorem 1).
    """
    values = table.sweep(old).values
    reach = table.sweep(new).reach
    rho = np.zeros_like(values)
    for level in table.levels:
        parts = new[level.slots] * values[level.first : level.last]
        rho[level.nodes] = reach[level.nodes] * (
            np.add.reduceat(parts, level.starts, axis=0) - values[level.nodes]
        )
    return rho
