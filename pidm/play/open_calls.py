"""Which calls are open to a hand: what the rules leave open, what lies near it, what a wider search adds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pidm.authoring.fit import fit
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.core.choices import Choices
from pidm.features import HandColumns
from pidm.play.asked import Asked, candidates_of
from pidm.play.second_look import SecondLook
from pidm.reading.judgement import Judgement, Width
from pidm.reading.situation import Situation
from pidm.reading.table import Table


@dataclass(frozen=True, eq=False)
class OpenCalls:
    """How far beside the rules calls are open."""

    judgement: float
    """Points beside the system's limits, once somebody has opened; 0 where nothing is simulated."""
    width: Width
    """Which calls a simulation weighs; `judgement` where nothing is simulated."""
    disclosed: bool
    """Whether only calls are made whose stated meaning the hand fits."""
    second_look: SecondLook

    def strategy(self, table: Table, auction: Auction) -> Judgement | Table:
        """What the system leaves open and, once somebody has opened, what lies near."""
        if not self.judgement or auction.last_bid is None:
            return table
        return Judgement(table, auction, self.judgement)

    def asked(
        self, table: Table, auction: Auction, hands: Sequence[Hand], columns: HandColumns
    ) -> list[Asked]:
        """What is open to each of the hands, whose features are in `columns`."""
        start = time.perf_counter()
        situation = table.situation(auction)
        own = table.choices_of_each(situation, auction, columns)
        strategy = self.strategy(table, auction)
        open_to = own if strategy is table else strategy.choices(auction, columns).each()
        if self.width is not Width.JUDGEMENT:
            open_to = [self._widened(table, auction, one, hand) for one, hand in zip(open_to, hands)]
        if self.disclosed and strategy is not table:
            open_to = [_fitting(one, ours, situation, hand) for one, ours, hand in zip(open_to, own, hands)]
        each = (time.perf_counter() - start) / len(hands)
        return [
            Asked(hand, auction, situation, mine, calls, candidates_of(calls), candidates_of(ours), each)
            for hand, mine, calls, ours in zip(hands, columns.each(), open_to, own)
        ]

    def _widened(self, table: Table, auction: Auction, choices: Choices, hand: Hand) -> Choices:
        """What is open to one hand at this width, beyond judgement."""
        from pidm.reading.width import widened

        return widened(choices, self.second_look.at_table(table), auction, hand.array, self.width)


def _fitting(choices: Choices, system: Choices, situation: Situation, hand: Hand) -> Choices:
    """Of what is open, what the system itself leaves open and calls whose meaning the hand fits."""
    own = set(system.candidates(0))
    stands = [one.action in own or fit(situation, Call(one.action), hand).fits for one in choices.proposals]
    return Choices(choices.proposals, choices.mask & np.array(stands, dtype=bool), choices.refined)
