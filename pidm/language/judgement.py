"""Judgement: near the edge of a rule the neighbouring call is open too, and the simulation decides.

A system draws lines: with 25 points together bid game, with 24 do not. Players know that a hand a point short
of a line may be worth the bid, and look at the whole hand. So the calls open to a hand here are its own and
those that the system makes with a little more and a little less strength.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pidm.bridge.auction import Auction
from pidm.core.choices import Choices, Proposal
from pidm.core.net import Columns
from pidm.features import Feature, HandColumns, Sum
from pidm.language.system import Table


class StrengthShifted:
    """The columns of the same hands with some points more or less."""

    def __init__(self, columns: HandColumns, points: float):
        self._columns = columns
        self._points = points

    def __len__(self) -> int:
        return len(self._columns)

    def column(self, feature: Feature) -> np.ndarray:
        """The values of one feature."""
        return np.asarray(self._columns.column(feature) + self._points * _weight(feature))

    def matrix(self, features: Sequence[Feature]) -> np.ndarray:
        """The values of several features, [n, k]."""
        kind = np.int16 if float(self._points).is_integer() else np.float32
        shift = np.array([self._points * _weight(feature) for feature in features], dtype=kind)
        return np.asarray(self._columns.matrix(features) + shift)

    def take(self, rows: np.ndarray) -> StrengthShifted:
        """The same for some of the hands."""
        return StrengthShifted(self._columns.take(rows), self._points)

    def with_partner(self, partner: object) -> StrengthShifted:
        """The same when partner has shown something else."""
        return StrengthShifted(self._columns.with_partner(partner), self._points)  # type: ignore[arg-type]


def _weight(feature: Feature) -> int:
    """How many points a feature gains with a point of strength."""
    if isinstance(feature, Sum):
        return sum(coefficient * _weight(part) for coefficient, part in feature.terms)
    return int(
        (feature.name == "hcp" and not feature.args) or (feature.name == "points" and len(feature.args) == 1)
    )


class Judgement:
    """The strategy of the table, wider at one auction: where the player who searches is to call."""

    def __init__(self, table: Table, auction: Auction, margin: float = 1.0):
        self.table = table
        self.auction = auction
        """Where the neighbouring calls are open; elsewhere the system is followed."""
        self.margin = margin
        """How many points more and less are considered."""

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """The plausible calls of every hand."""
        assert isinstance(columns, HandColumns)
        strict = self.table.choices(history, columns)
        if history != self.auction or not self.margin:
            return strict
        proposals: list[Proposal] = list(strict.proposals)
        masks = [strict.mask]
        for points in (self.margin, -self.margin):
            shifted = self.table.choices(history, StrengthShifted(columns, points))  # type: ignore[arg-type]
            # A stronger or weaker hand that finds no rule has nothing to say about this one.
            spoken = [k for k, proposal in enumerate(shifted.proposals) if proposal.source is not None]
            proposals += [shifted.proposals[k] for k in spoken]
            masks.append(shifted.mask[:, spoken])
        return Choices(tuple(proposals), np.concatenate(masks, axis=1), strict.refined)
