"""Whoever makes the calls of a pair: a bidder of ours, or a program of somebody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pidm.bridge.calls import Call
from pidm.core.choices import DecidedBy
from pidm.models import is_model_file
from pidm.play.bidder import Bidder
from pidm.play.decision import Decision, Question
from pidm.play.pair import Pair
from pidm.play.systems import Systems

if TYPE_CHECKING:
    from pidm.bridge.utilities import Form
    from pidm.core.search import SearchOptions
    from pidm.language.system import System
    from pidm.models.learned_pair import LearnedPair
    from pidm.play.seating import Lessons


@dataclass(frozen=True)
class Departure:
    """A call that a simulation made instead of the system's own."""

    own: Call
    """What the system would have called."""
    gain: float
    """What the call was believed to gain on that, in the form of scoring."""
    added: bool
    """Whether no rule near the hand makes the call: a wider search or the look has added it."""


@dataclass(frozen=True)
class Answer:
    """What came back for one question."""

    call: Call | None
    """The call; None if there was none."""
    fault: str = ""
    """Why there was none."""
    silent: bool = False
    """Whether there was no answer at all, rather than one that is no call."""
    expected: float | None = None
    """What the caller expects its side to score, in points, if it says."""
    by: DecidedBy | None = None
    """Who decided, if the caller says."""
    counters: Mapping[str, float] = field(default_factory=dict)
    """What the call took: `calls`, 1; `lookaheads`, 1 if it was searched for, then `stages`, the number
    of calls before it; `generated` instances and sampling `failures`, those of simulated players included."""
    departure: Departure | None = None
    """How it departs from the caller's system, if a simulation has made it do so."""


class Caller(Protocol):
    """Answers bidding questions, each from the hand and the auction alone."""

    notices: Counter[str]
    """What it said that answers no question, and how often."""

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question."""

    def close(self) -> None:
        """Nothing more will be asked."""


class BidderCaller:
    """A bidder of ours."""

    def __init__(self, bidder: Bidder) -> None:
        self.bidder = bidder
        """Who bids."""
        self.notices: Counter[str] = Counter()
        """A bidder says nothing else."""

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question."""
        return [_answer(decision) for decision in self.bidder.bid_many(questions)]

    def close(self) -> None:
        """Nothing to do."""


class ModelCaller:
    """A pair that was learned from records makes its likeliest calls."""

    def __init__(self, model: LearnedPair) -> None:
        from pidm.language.system import System
        from pidm.models.blend import beside
        from pidm.reading.table import Table

        system = model.origin.system
        self.model = beside(model, Table.of(System.load(system))) if system else model
        """How it bids."""
        self.notices: Counter[str] = Counter()
        """It says nothing else."""

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question."""
        found = []
        for hand, auction in questions:
            chances = self.model.probabilities(auction, hand.array[None])[0]
            found.append(Answer(Call(int(chances.argmax())), by=DecidedBy.MODEL, counters={"calls": 1}))
        return found

    def close(self) -> None:
        """Nothing to do."""


def _answer(decision: Decision) -> Answer:
    searched = bool(decision.details.get("lookaheads", 0))
    counters = {
        "calls": 1,
        "lookaheads": int(searched),
        "stages": len(decision.auction.calls) if searched else 0,
        "generated": decision.details.get("generated", 0),
        "failures": decision.details.get("failures", 0),
    }
    return Answer(
        decision.call,
        expected=decision.expected,
        by=decision.by,
        counters=counters,
        departure=_departure(decision),
    )


def _departure(decision: Decision) -> Departure | None:
    """The call taken against the system's own, where a simulation has valued both."""
    own = decision.system_call
    if own is None or decision.believed is None:
        return None
    taken = next(one for one in decision.candidates if one.call == decision.call)
    return Departure(own, decision.believed, not taken.rules)


def bidder_of(
    pair: Pair,
    seed: int = 0,
    form: Form = "imps",
    rivals: Pair | None = None,
    systems: Systems | None = None,
    lessons: Lessons | None = None,
    options: SearchOptions | None = None,
    told: System | None = None,
) -> Bidder:
    """The bidder that a pair's description tells of.

    It knows what the rivals play, if there are any and the description does not say otherwise; `told` is
    that where it has no name. `lessons` is what the two have learned, instead of the refinements of the
    description.
    """
    systems = systems or Systems()
    opponents = [systems.other(one) for one in pair.opponents] or ([told] if told is not None else [])
    if not opponents and rivals is not None and rivals.system:
        opponents = [systems.other(rivals.system, rivals.card)]
    return Bidder(
        systems.of(pair.system, pair.card),
        partner=systems.other(pair.partner) if pair.partner is not None else None,
        opponents=(opponents * 2)[:2] if opponents else None,
        utility=pair.utility or "estimate",
        limit=pair.limit,
        seed=seed,
        scoring=form,
        judgement=pair.judgement,
        width=pair.width,
        worlds=pair.worlds,
        disclosed=pair.disclosed,
        options=options,
        refinements=lessons or pair.refinements,
        settle=pair.settle,
        look=pair.look,
        correction=pair.correction,
        experience=pair.experience,
    )


def make_caller(pair: Pair, rivals: Pair, systems: Systems, seed: int, form: Form) -> Caller:
    """Whoever calls for a pair."""
    if pair.command:
        from pidm.play.external_engine import EngineCaller

        return EngineCaller(pair.command, pair.timeout)
    if is_model_file(pair.system):
        return ModelCaller(systems.model(pair.system))
    return BidderCaller(bidder_of(pair, seed, form, rivals, systems))
