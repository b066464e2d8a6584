"""The look's part in a decision: where contracts as they stand speak for another call than the rules make."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pidm.authoring.fit import fit
from pidm.bridge.auction import Auction
from pidm.bridge.calls import REDOUBLE, Call
from pidm.bridge.cards import Hand
from pidm.core.choices import DecidedBy
from pidm.play.asked import Asked, candidates_of
from pidm.play.decision import Candidate, Decision
from pidm.play.reasons import looked
from pidm.reading.table import Table

if TYPE_CHECKING:  # what only the look needs is imported there: a rule decision should not wait for it
    from pidm.reading.correction import Correction
    from pidm.reading.look import Look, Seen

SETTLED = DecidedBy.REFINEMENT, DecidedBy.MODEL
"""Passes that are not looked at again."""


@dataclass(frozen=True, eq=False)
class SecondLook:
    """Looks again at what the rules do, at every table where this bidder sits."""

    disclosed: bool = False
    """Whether only bids are made whose stated meaning the hand fits."""
    correction: Correction | str | Path | None = None
    """What was learned about the look, or the file that holds it."""
    _looks: dict[int, Look] = field(default_factory=dict, init=False, repr=False)

    def at_table(self, table: Table) -> Look:
        """The look at one table."""
        key = id(table)
        if key not in self._looks:
            self._looks[key] = self._made(table)
        return self._looks[key]

    def _made(self, table: Table) -> Look:
        if self.correction is None:
            from pidm.reading.look import Look

            return Look(table)
        from pidm.reading.correction import Correction, correction
        from pidm.reading.learned_look import LearnedLook

        known = self.correction
        return LearnedLook(table, known if isinstance(known, Correction) else correction(str(known)))

    def proposing(self, table: Table, asked: Sequence[Asked]) -> list[Asked]:
        """The questions, with what the look would bid among what is open to a simulation."""
        start = time.perf_counter()
        open_to_it = [k for k, one in enumerate(asked) if not one.candidates[0].lessons]
        found = self._seen(
            table, {k: (asked[k].auction, asked[k].hand, asked[k].system[0].call) for k in open_to_it}
        )
        each = (time.perf_counter() - start) / len(asked)
        result = [one._replace(seconds=one.seconds + each) for one in asked]
        for k, (seen, best) in found.items():
            choices, call = asked[k].choices, seen.calls[best]
            if call not in choices.candidates(0):
                choices = choices.also(call, seen)
            candidates = candidates_of(choices)
            result[k] = result[k]._replace(choices=choices, candidates=candidates, seen=(seen, best))
        return result

    def revised(self, table: Table, decisions: Sequence[Decision]) -> list[Decision]:
        """The decisions of the rules, with another call where the look finds one, all looked at together."""
        start = time.perf_counter()
        asked = {
            k: (one.auction, one.hand, one.call) for k, one in enumerate(decisions) if one.by not in SETTLED
        }
        found = self._seen(table, asked)
        each = (time.perf_counter() - start) / max(len(asked), 1)
        result = [replace(one, seconds=one.seconds + each) for one in decisions]
        for k, (seen, best) in found.items():
            before = decisions[k]
            mean, error = seen.gain_of(best)
            bid = Candidate(seen.calls[best], (), mean, error)
            result[k] = replace(
                result[k],
                call=bid.call,
                by=DecidedBy.LOOK,
                candidates=(bid, replace(before.candidates[0], mean=0.0)),
                reason=partial(
                    looked, before.situation, before.columns, before.system, seen, best, before.auction.actor
                ),
                worlds=seen.worlds,
            )
        return result

    def _seen(
        self, table: Table, asked: Mapping[int, tuple[Auction, Hand, Call]]
    ) -> dict[int, tuple[Seen, int]]:
        """Where the look would bid something else than the call given: what it has seen, and the place."""
        # Before a bid there is nothing to look at; what the look needs is then not even loaded.
        asked = {k: one for k, one in asked.items() if one[0].last_bid is not None and one[2] != REDOUBLE}
        if not asked:
            return {}
        look = self.at_table(table)
        numbers = [k for k, (auction, hand, own) in asked.items() if look.worth_it(auction, hand.array, own)]
        found = look.at([(asked[k][0], asked[k][1].array, asked[k][2]) for k in numbers])
        result = {}
        for k, seen in zip(numbers, found):
            auction, hand, _ = asked[k]
            best = look.choose(auction, hand.array, seen)
            if seen is None or best is None:
                continue
            situation, bid = table.situation(auction), seen.calls[best]
            unheard = situation.excludes(bid) and bid.level < 6  # a slam is where we play, whatever was shown
            if unheard or (self.disclosed and not fit(situation, bid, hand).fits):
                continue
            result[k] = seen, best
        return result
