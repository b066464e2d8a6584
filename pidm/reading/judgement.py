"""Judgement: near the edge of a rule the neighbouring call is open too, and the simulation decides.

A system draws lines: with 25 points together bid game, with 24 do not. Players know that a hand a point short
of a line may be worth the bid, and look at the whole hand. So the calls open to a hand here are its own and
those that the system makes with a little more and a little less strength.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.features import HandColumns
from pidm.reading.situation import Situation
from pidm.reading.strength_shift import StrengthShifted
from pidm.reading.table import Table


class Width(str, Enum):
    """Which calls a search weighs."""

    JUDGEMENT = "judgement"
    """Those that the system makes with some points more or less."""
    GAMES = "games"
    """Also games and slams that the hands may make, the bid that the look likes best, and pass."""
    WIDE = "wide"
    """About all that a sensible player would think of."""

    __str__ = str.__str__


def judged(situation: Situation, columns: HandColumns, margin: float) -> Choices:
    """The calls that the rules make with these hands, and with a little more and a little less strength.

    What the player's own earlier calls exclude is not among the latter: partner would not believe it.
    """
    strict = situation.choices(columns)
    proposals: list[Proposal] = list(strict.proposals)
    masks = [strict.mask]
    for points in (margin, -margin):
        shifted = situation.choices(StrengthShifted(columns, points))
        # A stronger or weaker hand that finds no rule has nothing to say about this one.
        spoken = [
            k
            for k, proposal in enumerate(shifted.proposals)
            if proposal.source is not None and not situation.excludes(Call(proposal.action))
        ]
        proposals += [shifted.proposals[k] for k in spoken]
        masks.append(shifted.mask[:, spoken])
    return Choices(tuple(proposals), np.concatenate(masks, axis=1), strict.refined)


class Judgement:
    """The strategy of the table, wider at one auction: where the player who searches is to call.

    What was learned there comes first: it settles calls that judgement would leave open. To learn it anew, it
    is not asked.
    """

    def __init__(self, table: Table, auction: Auction, margin: float = 1.0, anew: bool = False):
        self.table = table
        self.auction = auction
        """Where the neighbouring calls are open; elsewhere the system is followed."""
        self.margin = margin
        """How many points more and less are considered."""
        self.anew = anew
        """Whether what was learned there is left out."""

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """The plausible calls of every hand."""
        assert isinstance(columns, HandColumns)
        if history != self.auction or not (self.margin or self.anew):
            return self.table.choices(history, columns)
        situation = self.table.situation(history)
        learned = None if self.anew else self.table.refinement(history)
        if learned is None:
            return judged(situation, columns, self.margin)
        # What was learned is about the calls that were open then.
        return learned.narrowed(situation, columns, judged(situation, columns, learned.margin))
