"""A decision by simulation: the lookahead weighs what is open, and its result becomes evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Deal
from pidm.core.choices import DecidedBy
from pidm.core.limit import Limit
from pidm.core.search import Beforehand
from pidm.draws import generator_of
from pidm.play.asked import Asked
from pidm.play.credit import believed
from pidm.play.decision import Candidate, Decision, Ending, SimulatedDeal
from pidm.play.experienced import valued
from pidm.play.reasons import found_by_simulation, looked, undecided, weighed
from pidm.play.seating import FINALISTS, WIDE_CAUTION, Seating
from pidm.reading.judgement import Judgement, Width
from pidm.reading.table import Table
from pidm.threads import one_thread

if TYPE_CHECKING:  # what only simulation needs is imported there: a rule decision should not wait for it
    from pidm.bridge.utilities import Form
    from pidm.core.search import SearchOptions, SearchResult

UNITS = {"imps": "IMPs", "matchpoints": "matchpoints", "points": "points"}
"""What calls are compared in, by the form of scoring."""
TOLD_DEALS = (0.1, 0.5, 0.9)
"""Which of the simulated deals are told of, by how the call taken does there against the next best."""
CAUTION_OF_EXPERIENCE = 0.5
"""Beside what experience tells, a call is better than the system's own only by so many standard errors."""
TOLD = 15.0
"""What experience tells of a call is worth so many deals of a simulation."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """How a bidder simulates."""

    seating: Seating
    """Who sits where, and the search there."""
    limit: Limit
    """What a decision may cost."""
    seed: int
    scoring: Form
    width: Width
    """Which calls it weighs."""
    worlds: int | None
    """Deals that it is based on, if that was said."""
    options: SearchOptions | None
    """How the search uses its limit, if that was said."""
    well_known: bool
    """Whether the opponents are."""

    def between(self, me: Seat, decision: Decision, worth: Mapping[Call, float]) -> Decision:
        """Let the lookahead decide between calls that experience has valued, the best of them first; if it
        cannot, the decision stands."""
        asked = valued(decision, worth)
        known = None
        if self.scoring == "imps":
            known = Beforehand({int(call): value for call, value in worth.items()}, TOLD)
        simulated = self.decide(me, asked, self.seating.table(me), known)
        if simulated.by is DecidedBy.SIMULATION:
            return simulated
        weighed = sorted(simulated.candidates, key=lambda one: one.call != decision.call)
        return replace(
            decision,
            candidates=decision.candidates if decision.by is DecidedBy.EXPERIENCE else tuple(weighed),
            seconds=decision.seconds + simulated.seconds,
            instances=simulated.instances,
            details=simulated.details,
        )

    def decide(
        self, me: Seat, asked: Asked, strategy: Judgement | Table, known: Beforehand | None = None
    ) -> Decision:
        """Let the lookahead decide between what is open, in what is left of the limit."""
        limit, hand, auction = self.limit, asked.hand, asked.auction
        if limit.seconds is not None:
            limit = Limit(seconds=max(limit.seconds - asked.seconds, 0.0))
        with one_thread():
            search, model = self.seating.searcher(me)
            result = search.decide(
                auction,
                hand.masks,
                replace(model, strategy=strategy, default=model),
                limit,
                generator_of(self.seed, hand, auction.dealer, auction.vul, auction),
                asked.choices,
                self._options(search.options, limit, known),
            )
        best, sample = Call(result.action), result.sample
        decided = result.decided is DecidedBy.SIMULATION
        by = DecidedBy.SIMULATION if decided else DecidedBy.PREFERENCE
        stands = _look_stands(asked, result, self.well_known)
        if stands:
            assert asked.seen is not None
            by, best = DecidedBy.LOOK, asked.seen[0].calls[asked.seen[1]]
        ranked = _ranked(asked.candidates, result, best)
        credit = self._believed(asked, result, best) if by is DecidedBy.SIMULATION else None
        place = asked.situation, asked.columns
        why: str | Callable[[], str]
        if stands:
            assert asked.seen is not None
            simulated = (
                found_by_simulation(best, asked.system[0].call, result, UNITS[self.scoring])
                if decided
                else ""
            )
            why = looked(*place, asked.system, *asked.seen, auction.actor, simulated)
        elif decided:
            why = self._weighed(asked, ranked, result, credit)
        else:
            why = undecided(*place, best, asked.system, result)
        return asked.decision(
            best,
            by,
            why,
            candidates=ranked,
            worlds=result.worlds,
            consistent=0.0 if sample is None else sample.consistent,
            seconds=result.seconds,
            instances=result.counters.generated,
            expected=_expected(result, best),
            believed=credit,
            deals=_told(ranked, result) if decided else (),
            details=vars(result.counters),
        )

    def _believed(self, asked: Asked, result: SearchResult, taken: Call) -> float | None:
        """What the call taken is believed to gain on the system's own, if it is another one."""
        own = asked.system[0].call
        if taken == own or not asked.system[0].rules or int(own) not in result.candidates:
            return None
        by_rules = self.seating.experienced is None
        seen = result.difference(int(taken), int(own))
        return believed(*seen, asked.auction, self.scoring, by_rules=by_rules)

    def _weighed(
        self, asked: Asked, ranked: Sequence[Candidate], result: SearchResult, credit: float | None
    ) -> str | Callable[[], str]:
        """Why a call was taken that was simulated; what it shows by experience takes time to find."""
        told = asked.situation, asked.columns, asked.system, ranked, result, UNITS[self.scoring], credit
        if self.seating.experienced is None:
            return weighed(*told)
        return partial(weighed, *told, self.seating.experienced.players[0].pair)

    def _options(self, options: SearchOptions, limit: Limit, known: Beforehand | None) -> SearchOptions:
        """How this search uses its limit."""
        if self.worlds is not None:
            options = replace(options, sample_size=self.worlds)
        elif self.options is None:
            options = replace(options, grows=limit.seconds is not None)
        if self.width is not Width.JUDGEMENT:
            options = replace(options, finalists=options.finalists or FINALISTS)
        if known is not None:
            options = replace(options, beforehand=known)
        if self.options is None and known is not None:
            options = replace(options, caution=CAUTION_OF_EXPERIENCE)
        elif self.options is None and self.width is not Width.JUDGEMENT:
            options = replace(options, caution=WIDE_CAUTION)
        return options


def _look_stands(asked: Asked, result: SearchResult, known: bool) -> bool:
    """Is the look's bid made although the search would stay with the system's call?

    It is unless the simulation finds that it loses: the look asks for more than a simulation that takes the
    opponents to bid as we do, and where that is not clear enough the look has been right. With opponents who
    are well known the simulation decides, and what a few worlds have ruled out stays out.
    """
    own = asked.system[0].call
    if asked.seen is None or result.action != own:
        return False
    if result.decided is not DecidedBy.SIMULATION:
        return True
    seen, best = asked.seen
    if known or int(seen.calls[best]) not in result.candidates:
        return False
    return result.difference(int(seen.calls[best]), int(own))[0] >= 0


def _expected(result: SearchResult, taken: Call) -> float | None:
    """The mean score of the call taken, over the worlds in which it was evaluated."""
    if int(taken) not in result.candidates:
        return None
    scores = result.worths[result.candidates.index(int(taken))]
    known = scores[~np.isnan(scores)]
    return round(float(known.mean()), 1) if len(known) else None


def _ranked(candidates: Sequence[Candidate], result: SearchResult, best: Call) -> tuple[Candidate, ...]:
    """The candidates with what the simulation makes of them: the one taken, then the best first."""
    if result.decided is not DecidedBy.SIMULATION:
        return tuple(sorted(candidates, key=lambda one: one.call != best))
    found = {}
    for action, mean, error in zip(result.candidates, result.means, result.errors):
        found[action] = (
            float(mean),
            float(error if action == best else result.difference(int(best), action)[1]),
        )
    ranked = [
        replace(one, mean=found[one.call][0], standard_error=found[one.call][1])
        for one in candidates
        if one.call in found
    ]
    ranked.sort(key=lambda one: (one.call != best, -(one.mean or 0.0)))
    # those that a few worlds have ruled out come last, without a value
    return (*ranked, *(one for one in candidates if one.call not in found))


def _told(ranked: Sequence[Candidate], result: SearchResult) -> tuple[SimulatedDeal, ...]:
    """Some of the simulated deals, with how each candidate ended."""
    assert result.sample is not None
    ranked = [one for one in ranked if int(one.call) in result.candidates]
    places = [result.candidates.index(int(one.call)) for one in ranked]
    difference = result.values[places[0]] - result.values[places[1]]
    known = np.flatnonzero(~np.isnan(result.worths).any(axis=0))
    order = known[np.argsort(difference[known], kind="stable")]
    rows = dict.fromkeys(int(order[int(share * (len(order) - 1))]) for share in TOLD_DEALS)
    return tuple(
        SimulatedDeal(
            Deal.from_array(result.sample.worlds[row]),
            tuple(
                Ending(one.call, result.ends[place][row].history, float(result.worths[place, row]))
                for one, place in zip(ranked, places)
            ),
        )
        for row in rows
    )
