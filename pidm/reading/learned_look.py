"""The look with its learned correction: calls are ranked by what such calls have gained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pidm.bridge.auction import Auction
from pidm.reading.correction import Correction
from pidm.reading.look import Seen, Spot
from pidm.reading.stakes import Dilemma, contenders
from pidm.reading.table import Table
from pidm.reading.wide_look import WideLook


class LearnedLook(WideLook):
    """Looks at hands of one table, and corrects what it sees."""

    def __init__(self, table: Table, correction: Correction) -> None:
        super().__init__(table)
        self.correction = correction
        """What was learned."""

    def at(self, asked: Sequence[Spot]) -> list[Seen | None]:
        """What there is to see for each hand, with what was learned of each call."""
        found = super().at(asked)
        numbers = [number for number, seen in enumerate(found) if seen is not None]
        cases = []
        for number in numbers:
            auction, hand, _ = asked[number]
            seen = found[number]
            assert seen is not None
            cases.append(Dilemma(self.table.situation(auction), auction, hand, contenders(seen)))
        for number, case, values in zip(numbers, cases, self.correction.values(cases)):
            found[number] = replace(case.seen, learned=values)
        return found

    def choose(self, auction: Auction, hand: np.ndarray, seen: Seen | None) -> int | None:
        """The place of the call to make instead of that of the rules; None if there is none.

        Of bids, those that partner will take for what they are: see `Look`.
        """
        if seen is None or seen.learned is None:
            return None
        for place in np.argsort(-seen.learned, kind="stable").tolist():
            if not place or seen.learned[place] < self.correction.threshold:
                return None
            if not seen.calls[place].is_bid or self.sound(auction, hand, seen.calls[place]):
                return int(place)
        return None
