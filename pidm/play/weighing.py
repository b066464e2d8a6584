"""A call that somebody made, beside what the system says and what the simulation thinks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Deal, Hand
from pidm.core.choices import Choices, DecidedBy, Proposal
from pidm.core.columns import Columns
from pidm.core.limit import Limit
from pidm.core.player import Player, Strategy
from pidm.draws import generator_of
from pidm.features import HandColumns
from pidm.language.rules import Rule
from pidm.reading.judgement import Judgement
from pidm.reading.table import Table

MARGIN = 2.0
"""Points beside the system's limits at which a call is still a matter of judgement."""
CAUTION = 1.0
"""Standard errors by which another call must be better to be preferred to the system's own."""
UNFINISHED = 0.6
"""The share of the auctions that the limit may cut off. A player at the table stays with the system much
sooner; here a rough answer is better than none, and its error is told."""
CLEAR = 2.0
"""Standard errors from which on a loss is called clear."""


class Source(NamedTuple):
    """A rule, as it is named to people."""

    title: str
    place: str
    """File and line."""


@dataclass(frozen=True)
class Option:
    """A call that comes into question."""

    call: Call
    rules: tuple[Source, ...]
    """The rules that propose it; none for a call that only the player had in mind."""
    behind: float | None = None
    """IMPs that it loses to the best on average; None without a simulation."""
    error: float | None = None
    """The standard error of that; 0 for the best itself."""


@dataclass(frozen=True)
class Glimpse:
    """One of the simulated deals."""

    deal: Deal
    scores: tuple[float, ...]
    """What our side would score after each option, in points."""


@dataclass(frozen=True)
class Verdict:
    """What is to be said of a call."""

    made: Call
    preferred: Call
    """What the system says."""
    fits: str
    """`system` (a rule makes the call), `judgement` (within two points of one), or `outside`."""
    best: Call
    """What the engine calls: the system's own call, unless the simulation found another clearly better."""
    options: tuple[Option, ...]
    """What comes into question, the best first."""
    worlds: int = 0
    """How many deals were simulated."""
    glimpses: tuple[Glimpse, ...] = ()
    """Some of them, those first in which the call made matters most."""

    @property
    def cost(self) -> float | None:
        """IMPs that the call loses to the engine's on average, never less than none."""
        behind = next((option.behind for option in self.options if option.call == self.made), None)
        return behind if behind is None else max(behind, 0.0)

    @property
    def error(self) -> float | None:
        """The standard error of the cost."""
        return next((option.error for option in self.options if option.call == self.made), None)

    @property
    def clear(self) -> bool:
        """Whether the loss is clearly more than chance."""
        cost, error = self.cost, self.error
        return cost is not None and error is not None and cost > CLEAR * error and cost > 0

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "made": str(self.made),
            "preferred": str(self.preferred),
            "fits": self.fits,
            "best": str(self.best),
            "cost": _rounded(self.cost),
            "error": _rounded(self.error),
            "clear": self.clear,
            "worlds": self.worlds,
            "options": [
                {
                    "call": str(option.call),
                    "behind": _rounded(option.behind),
                    "error": _rounded(option.error),
                    "rules": [rule._asdict() for rule in option.rules],
                }
                for option in self.options
            ],
            "glimpses": [
                {"deal": str(one.deal), "scores": [round(score) for score in one.scores]}
                for one in self.glimpses
            ],
        }


class _WithCall:
    """A strategy that also considers one call more in one auction."""

    def __init__(self, strategy: Strategy, auction: Auction, call: Call) -> None:
        self._strategy = strategy
        self._auction = auction
        self._call = call

    def choices(self, history: Auction, columns: Columns) -> Choices:
        found = self._strategy.choices(history, columns)
        if history != self._auction:
            return found
        more = np.ones((len(found.mask), 1), dtype=bool)
        return Choices(
            (*found.proposals, Proposal(self._call)),
            np.concatenate([found.mask, more], axis=1),
            found.refined,
        )


def weigh(
    table: Table,
    hand: Hand,
    auction: Auction,
    made: Call,
    limit: Limit | None = None,
    seed: int = 0,
    glimpses: int = 6,
) -> Verdict:
    """Judge a call of the player to call; without a limit nothing is simulated."""
    columns = HandColumns(hand.array[None])
    strict = table.choices(auction, columns)
    own = strict.candidates(0)
    strategy: Strategy = table
    if auction.last_bid is not None:
        strategy = Judgement(table, auction, MARGIN)
    wide = strategy.choices(auction, columns)
    near = wide.candidates(0)
    fits = "system" if made in own else "judgement" if made in near else "outside"
    considered = list(dict.fromkeys((*near, int(made))))
    options = tuple(Option(Call(call), _rules(wide.sources(0, call))) for call in considered)
    verdict = Verdict(made, Call(own[0]), fits, Call(own[0]), options)
    if limit is None or len(considered) == 1:
        if len(considered) == 1:  # nothing else comes into question
            options = (replace(options[0], behind=0.0, error=0.0),)
        return replace(verdict, options=options)
    return _simulated(
        verdict, table, hand, auction, _WithCall(strategy, auction, made), limit, seed, glimpses
    )


def _simulated(
    verdict: Verdict,
    table: Table,
    hand: Hand,
    auction: Auction,
    strategy: Strategy,
    limit: Limit,
    seed: int,
    glimpses: int,
) -> Verdict:
    from pidm.bridge.utilities import utility, versus
    from pidm.core.search import Search, SearchOptions
    from pidm.reading.bridge_game import Bridge

    model = Player(table, utility("estimate"))
    options = SearchOptions(caution=CAUTION, unfinished=UNFINISHED, versus=versus("imps"))
    rng = generator_of(seed, hand, auction.dealer, auction.vul, auction)
    result = Search(Bridge(table), options).decide(
        auction, hand.masks, replace(model, strategy=strategy, default=model), limit, rng
    )
    if result.decided is not DecidedBy.SIMULATION or result.sample is None:
        return verdict
    weighed = []
    for option in verdict.options:
        behind, error = 0.0, 0.0
        if option.call != result.action:
            behind, error = result.difference(result.action, int(option.call))
        weighed.append(replace(option, behind=behind, error=error if np.isfinite(error) else None))
    # The system's own call stands unless another is clearly better, so one may be ahead of it by a little.
    weighed.sort(key=lambda one: (one.call != result.action, one.behind))
    places = [result.candidates.index(int(one.call)) for one in weighed]
    made = next(place for place, one in zip(places, weighed) if one.call == verdict.made)
    rival = places[0] if weighed[0].call != verdict.made else places[min(1, len(places) - 1)]
    known = np.flatnonzero(~np.isnan(result.worths).any(axis=0))
    stake = np.abs(result.worths[made, known] - result.worths[rival, known])
    rows = known[np.argsort(-stake, kind="stable")]
    # Half of what is shown are the deals that decide, half are simply the next ones.
    chosen = list(dict.fromkeys([*rows[: glimpses // 2].tolist(), *known.tolist()]))[:glimpses]
    return replace(
        verdict,
        best=Call(result.action),
        options=tuple(weighed),
        worlds=result.worlds,
        glimpses=tuple(
            Glimpse(
                Deal.from_array(result.sample.worlds[row]),
                tuple(float(result.worths[place, row]) for place in places),
            )
            for row in chosen
        ),
    )


def _rules(sources: tuple[object, ...]) -> tuple[Source, ...]:
    rules = [Source(one.block.title, one.place) for one in sources if isinstance(one, Rule)]
    return tuple(dict.fromkeys(rules))


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 3)
