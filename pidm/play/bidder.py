"""The front door to bidding: a pair's system in, a call with its evidence out."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pidm.authoring.fit import fit
from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, REDOUBLE, Call, Seat, Vul
from pidm.bridge.cards import Deal, Hand
from pidm.core.choices import Choices, DecidedBy
from pidm.core.garbage import pause, resume
from pidm.core.induction import Learned
from pidm.core.limit import Limit
from pidm.errors import IllegalCallError, PidmError
from pidm.features import HandColumns
from pidm.language.rules import Rule
from pidm.language.system import System
from pidm.play.call_table import Decisions
from pidm.play.decision import BidDeal, Candidate, Decision, Ending, Question, SimulatedDeal, question
from pidm.play.others import LEFT, RIGHT, others_of
from pidm.play.pair import JUDGEMENT
from pidm.play.reasons import because, looked, preferred, undecided, weighed
from pidm.play.seating import FINALISTS, WELL_KNOWN, WIDE_CAUTION, Seating, utility_of
from pidm.reading.judgement import Judgement, Width
from pidm.reading.situation import Situation
from pidm.reading.table import Table

if TYPE_CHECKING:  # what only simulation needs is imported there: a rule decision should not wait for it
    from pidm.bridge.utilities import Form
    from pidm.core.search import SearchOptions, SearchResult
    from pidm.models.blend import BlendedPair
    from pidm.models.pair import LearnedPair
    from pidm.play.belief import Belief
    from pidm.play.others import OtherLike, SystemLike
    from pidm.play.seating import Lessons
    from pidm.reading.look import Look, Seen
    from pidm.reading.refinement_files import Refinements

ONE_SECOND = Limit(seconds=1.0)

INSTANCES_OF_A_BELIEF = 200
"""Deals that may be generated for each one that a belief is counted in."""
UNITS = {"imps": "IMPs", "matchpoints": "matchpoints", "points": "points"}
"""What calls are compared in, by the form of scoring."""

SETTLED = DecidedBy.REFINEMENT, DecidedBy.MODEL
"""Passes that are not looked at again."""


@dataclass(frozen=True)
class _Asked:
    """A question with what the rules make of it."""

    hand: Hand
    auction: Auction
    situation: Situation
    choices: Choices
    """What is open to the hand."""
    candidates: tuple[Candidate, ...]
    """The same, with the rules behind it."""
    system: tuple[Candidate, ...]
    """What the system itself leaves open."""
    seconds: float
    """What it took so far."""
    seen: tuple[Seen, int] | None = None
    """What a look has found that bids something else than the system, and the place of that bid."""

    def decision(self, call: Call, by: DecidedBy, why: str, **evidence: Any) -> Decision:
        """The answer."""
        told = {"candidates": self.candidates, "seconds": self.seconds, **evidence}
        return Decision(
            call=call,
            by=by,
            why=why,
            hand=self.hand,
            auction=self.auction,
            situation=self.situation,
            system=self.system,
            **told,
        )


class Bidder:
    """Bids by a system; where the system leaves several calls open, by simulation.

    >>> bidder = Bidder("two_over_one", limit=None)
    >>> str(bidder.bid("KQJ84.A3.K72.985", "P P").call)
    '1S'
    """

    def __init__(
        self,
        system: SystemLike = "two_over_one",
        partner: OtherLike | None = None,
        opponents: OtherLike | Sequence[OtherLike] | None = None,
        utility: str = "estimate",
        limit: Limit | None = ONE_SECOND,
        seed: int = 0,
        scoring: Form = "imps",
        card: Mapping[str, bool] | None = None,
        judgement: float = JUDGEMENT,
        options: SearchOptions | None = None,
        refinements: Refinements | str | Path | Lessons | None = None,
        settle: str | None = None,
        look: bool = True,
        width: Width | str | None = None,
        worlds: int | None = None,
        disclosed: bool = False,
    ):
        """`partner` plays my system and `opponents` play it too unless told otherwise (one system, or left
        and right). A model learned from records, `NAME.pair`, can stand for any of them.

        `utility` values contracts in the simulation; `settle` is a better and more costly one, such as `dds`,
        for calls that come out close.

        `limit=None` does not simulate: the rules decide and, where they would pass in a contested auction, a
        look at what contracts are worth as they stand. With `look=False` it is the rules and nothing else.

        Once somebody has opened, calls that the system makes with up to
        `judgement` points more or less are open to the simulation as well. `refinements` is what training
        has learned, the directory of a session or its nets; it settles such calls without a simulation.

        `width` says which calls a simulation weighs: `judgement`, those; `games`, also games, slams, pass and
        what the look likes best; `wide`, about all. Without it, it follows from what is known of the
        opponents: `games` if there is a model of them that was learned from many calls.

        `worlds` is how many deals a simulation is based on. Without it these are 200; with more than a second
        for a call ever more, until one call is clearly the best or time is up. `disclosed` keeps to calls
        whose stated meaning the hand fits, so that partner and opponents can rely on it.

        A limit in seconds holds for every decision. So that it can, Python's garbage collection waits while a
        decision is made, and the rules that were read for it are taken out of its sight (`gc.freeze`). Call
        `prepare` first if the first decisions, too, should find everything read.
        """
        if scoring not in UNITS:
            raise PidmError(f"{scoring!r} is no form of scoring; expected {', '.join(UNITS)}")
        known: dict[str, System] = {}

        def load(what: SystemLike, card: Mapping[str, bool] | None = None) -> System:
            if isinstance(what, System):
                return what
            if card:
                return System.load(what, card)
            if str(what) not in known:
                known[str(what)] = System.load(what)
            return known[str(what)]

        self.system = load(system, card)
        others = others_of(self.system, partner, opponents, load)
        self.left, self.partner, self.right = others.left, others.partner, others.right
        self.models = others.models
        """What was learned of the others: 1 left, 2 partner, 3 right."""
        self.utility = utility
        self.settle = settle
        self.limit = limit
        self.seed = seed
        self.scoring = scoring
        self.judgement = judgement
        self.options = options
        self.look = look
        """Whether a pass in a contested auction is looked at again."""
        self.refinements = _learned(refinements, self.partner is self.system)
        """What I and partner have learned."""
        known_pair = bool({LEFT, RIGHT} & set(self.models))
        if width is not None and width not in tuple(Width):
            raise PidmError(f"{width} is no width; expected {', '.join(Width)}")
        self._well_known = any(
            model.origin.calls >= WELL_KNOWN for turn, model in self.models.items() if turn in (LEFT, RIGHT)
        )
        self.width = (
            Width(width) if width is not None else Width.GAMES if self._well_known else Width.JUDGEMENT
        )
        """Which calls a simulation weighs."""
        self.worlds = worlds
        """Deals that a simulation is based on, if that was said."""
        self.disclosed = disclosed
        """Whether only calls are made whose stated meaning the hand fits."""
        guarded = self.width is not Width.JUDGEMENT and not known_pair
        self.seating = Seating(
            self.system, others, scoring, self.refinements, utility, settle, options, guarded
        )
        """The tables and searches at each seat."""
        self._looks: dict[int, Look] = {}
        for name in (utility, settle):
            # What takes time to load must not take the time of the first decision; the estimate does not.
            if limit is not None and name is not None and name != "estimate":
                utility_of(name)

    def prepare(self) -> None:
        """Load all that simulations need, so that the first decision does not wait for it."""
        for system in {self.system, self.partner, self.left, self.right}:
            for block in system.blocks:
                block.check()
        if self.limit is not None:
            self.seating.searcher(Seat.N)
        if self.look:
            self._look(self.table(Seat.N))

    def bid(
        self,
        hand: Hand | str,
        auction: Auction | str | Sequence[Call | str] = "",
        dealer: Seat | str | None = None,
        vul: Vul | str | None = None,
    ) -> Decision:
        """The call for a hand after an auction. Dealer and vulnerability are the auction's own, N and None
        for a text."""
        paused = pause(self.limit)
        try:
            return self.bid_many([question(hand, auction, dealer, vul)])[0]
        finally:
            resume(paused)

    def bid_many(self, questions: Sequence[Question]) -> Decisions:
        """One decision a question; hands in the same auction share their net. The answers do not depend on
        the company."""
        groups: dict[Auction, list[int]] = defaultdict(list)
        for number, (_, auction) in enumerate(questions):
            groups[auction].append(number)
        decisions: dict[int, Decision] = {}
        seated: dict[Seat, list[int]] = defaultdict(list)
        for auction, numbers in groups.items():
            answers = self._answers(auction.actor, auction, [questions[n][0] for n in numbers])
            decisions.update(zip(numbers, answers))
            seated[auction.actor] += numbers
        for seat, numbers in seated.items():
            made = [decisions[number] for number in numbers]
            decisions.update(zip(numbers, self._looked(self.table(seat), made)))
        return Decisions(decisions[number] for number in range(len(questions)))

    def candidates(self, hand: Hand, auction: Auction) -> tuple[Candidate, ...]:
        """What would be weighed with this hand; a single one is the call."""
        table = self.table(auction.actor)
        choices = self._strategy(table, auction).choices(auction, HandColumns(hand.array[None]))
        return _candidates(choices, 0)

    def belief(self, hand: Hand, auction: Auction, worlds: int = 1000) -> Belief:
        """What the player to call may believe of the hidden hands, counted in deals that fit the auction."""
        from pidm.core.limit import Meter
        from pidm.core.sampling import rbmbmc
        from pidm.play.belief import believed

        seat = auction.actor
        search, player = self.seating.searcher(seat)
        sample = rbmbmc(
            search.game,
            auction,
            seat,
            hand.masks,
            player,
            Meter(Limit(instances=INSTANCES_OF_A_BELIEF * worlds)),
            worlds,
            self._generator(hand, auction),
        ).most_consistent(1)
        hidden = [other for other in Seat if other != seat]
        consistent = float((sample.inconsistency == 0).mean()) if len(sample) else 0.0
        return believed(sample.worlds, hidden, consistent)

    def bid_deal(self, deal: Deal, dealer: Seat = Seat.N, vul: Vul = Vul.None_) -> BidDeal:
        """Bid all four hands: I sit north, partner south, the opponents east and west."""
        paused = pause(self.limit)
        try:
            table = self.table(Seat.N)
            auction = Auction(dealer, vul)
            decisions: list[Decision] = []
            while not auction.over:
                answers = self._answers(Seat.N, auction, [deal[auction.actor]])
                decisions += self._looked(table, answers)
                auction = auction.after(decisions[-1].call)
            return BidDeal(deal, auction, tuple(decisions))
        finally:
            resume(paused)

    def table(self, seat: Seat) -> Table:
        """The table when I sit here."""
        return self.seating.table(seat)

    def _answers(self, me: Seat, auction: Auction, hands: Sequence[Hand]) -> list[Decision]:
        """The calls of the hands, whoever holds them, when I sit at `me`."""
        if auction.over:
            raise IllegalCallError(f"the auction {auction} is over; nobody is to call")
        start = time.perf_counter()
        table = self.table(me)
        columns = HandColumns(np.array([hand.masks for hand in hands], dtype=np.uint16))
        system = table.choices(auction, columns)
        strategy = self._strategy(table, auction)
        choices = system if strategy is table else strategy.choices(auction, columns)
        situation = table.situation(auction)
        open_to = [self._widened(table, auction, choices.take([row]), hand) for row, hand in enumerate(hands)]
        if self.disclosed and choices is not system:
            open_to = [_fitting(one, system.take([k]), situation, hands[k]) for k, one in enumerate(open_to)]
        each = (time.perf_counter() - start) / len(hands)
        asked = [
            _Asked(
                hand,
                auction,
                situation,
                mine,
                _candidates(mine, 0),
                _candidates(system, row),
                each,
            )
            for row, (hand, mine) in enumerate(zip(hands, open_to))
        ]
        turn = (auction.actor - me) & 3
        if turn in self.models:
            return [_as_learned(self.seating.model(turn, me), one) for one in asked]
        if self.limit is not None and self.look:
            asked = self._proposed(table, asked)
        return [self._decide(me, one) for one in asked]

    def _proposed(self, table: Table, asked: Sequence[_Asked]) -> list[_Asked]:
        """The questions, with what the look would bid among what is open to the simulation."""
        start = time.perf_counter()
        open_to_it = [k for k, one in enumerate(asked) if not one.candidates[0].lessons]
        found = self._seen(
            table, {k: (asked[k].auction, asked[k].hand, asked[k].system[0].call) for k in open_to_it}
        )
        each = (time.perf_counter() - start) / len(asked)
        result = [replace(one, seconds=one.seconds + each) for one in asked]
        for k, (seen, best) in found.items():
            choices, call = asked[k].choices, seen.calls[best]
            if call not in choices.candidates(0):
                choices = choices.also(call, seen)
            candidates = _candidates(choices, 0)
            result[k] = replace(result[k], choices=choices, candidates=candidates, seen=(seen, best))
        return result

    def _strategy(self, table: Table, auction: Auction) -> Judgement | Table:
        """What the system leaves open and, once somebody has opened, what lies a point beside it."""
        if self.limit is None or not self.judgement or auction.last_bid is None:
            return table
        return Judgement(table, auction, self.judgement)

    def _widened(self, table: Table, auction: Auction, choices: Choices, hand: Hand) -> Choices:
        """What is open to one hand at the width of this bidder."""
        if self.limit is None or self.width is Width.JUDGEMENT:
            return choices
        from pidm.reading.width import widened

        return widened(choices, self._look(table), auction, hand.array, self.width)

    def _decide(self, me: Seat, asked: _Asked) -> Decision:
        best, *others = asked.candidates
        if best.lessons and not others:
            words = f"{best.call} by what training has learned from {best.lessons} examples here"
            return asked.decision(best.call, DecidedBy.REFINEMENT, words)
        if not best.rules:
            words = f"no rule speaks of this hand here; {best.call} is the least that the auction allows"
            return asked.decision(best.call, DecidedBy.DEFAULT, words)
        if not others:
            return asked.decision(best.call, DecidedBy.RULE, because(asked.situation, asked.hand, best))
        if self.limit is not None:
            return self._simulate(me, asked)
        return asked.decision(best.call, DecidedBy.PREFERENCE, preferred(asked.candidates))

    def _simulate(self, me: Seat, asked: _Asked) -> Decision:
        """Let the lookahead decide between what is open, in what is left of the limit."""
        assert self.limit is not None
        table = self.table(me)
        limit, hand, auction = self.limit, asked.hand, asked.auction
        if limit.seconds is not None:
            limit = Limit(seconds=max(limit.seconds - asked.seconds, 0.0))
        search, model = self.seating.searcher(me)
        player = replace(model, strategy=self._strategy(table, auction), default=model)
        options = search.options
        if self.worlds is not None:
            options = replace(options, sample_size=self.worlds)
        elif self.options is None:
            options = replace(options, grows=limit.seconds is not None and limit.seconds > 1)
        if self.width is not Width.JUDGEMENT:
            caution = WIDE_CAUTION if self.options is None else options.caution
            options = replace(options, caution=caution, finalists=options.finalists or FINALISTS)
        result = search.decide(
            auction, hand.masks, player, limit, self._generator(hand, auction), asked.choices, options
        )
        best, sample = Call(result.action), result.sample
        decided = result.decided is DecidedBy.SIMULATION
        by = DecidedBy.SIMULATION if decided else DecidedBy.PREFERENCE
        ranked = _ranked(asked.candidates, result)
        if _look_stands(asked, result, self._well_known):
            assert asked.seen is not None
            by, best = DecidedBy.LOOK, asked.seen[0].calls[asked.seen[1]]
            why = looked(asked.system, *asked.seen, auction.actor)
            ranked = tuple(sorted(ranked, key=lambda one: one.call != best))
        elif decided:
            why = weighed(asked.situation, hand, asked.system, ranked, result, UNITS[self.scoring])
        else:
            why = undecided(best, result)
        return asked.decision(
            best,
            by,
            why,
            candidates=ranked,
            worlds=result.worlds,
            consistent=float((sample.inconsistency == 0).mean())
            if sample is not None and len(sample)
            else 0.0,
            seconds=result.seconds,
            instances=result.counters.generated,
            expected=_expected(result),
            deals=_told(ranked, result) if decided else (),
            details=vars(result.counters),
        )

    def _looked(self, table: Table, decisions: Sequence[Decision]) -> list[Decision]:
        """The decisions, with what the rules do in contested auctions looked at again, all of it together."""
        result = list(decisions)
        if self.limit is not None or not self.look:
            return result
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
                why=looked(before.system, seen, best, before.auction.actor),
                worlds=seen.worlds,
            )
        return result

    def _seen(
        self, table: Table, asked: Mapping[int, tuple[Auction, Hand, Call]]
    ) -> dict[int, tuple[Seen, int]]:
        """Where the look would bid something else than the call given: what it has seen, and the place."""
        # Before a bid there is nothing to look at; what the look needs is then not even loaded.
        asked = {
            k: one
            for k, one in asked.items()
            if one[0].last_bid is not None and one[2] not in (DOUBLE, REDOUBLE)
        }
        if not asked:
            return {}
        look = self._look(table)
        numbers = [k for k, (auction, hand, own) in asked.items() if look.worth_it(auction, hand.array, own)]
        found = look.at([(asked[k][0], asked[k][1].array, asked[k][2]) for k in numbers])
        result = {}
        for k, seen in zip(numbers, found):
            auction, hand, _ = asked[k]
            best = look.choose(auction, hand.array, seen)
            if seen is None or best is None:
                continue
            if not self.disclosed or fit(table.situation(auction), seen.calls[best], hand).fits:
                result[k] = seen, best
        return result

    def _look(self, table: Table) -> Look:
        from pidm.reading.look import Look

        key = id(table)
        if key not in self._looks:
            self._looks[key] = Look(table)
        return self._looks[key]

    def _generator(self, hand: Hand, auction: Auction) -> np.random.Generator:
        """The same question gets the same draws, whatever was asked before."""
        text = f"{self.seed} {hand} {auction.dealer} {auction.vul} {' '.join(map(str, auction.calls))}"
        return np.random.default_rng(
            int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")
        )


def _look_stands(asked: _Asked, result: SearchResult, known: bool) -> bool:
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


def _as_learned(model: LearnedPair | BlendedPair, asked: _Asked) -> Decision:
    """What a learned pair does: its likeliest call."""
    chances = model.probabilities(asked.auction, asked.hand.array[None])[0]
    likely = [Call(int(call)) for call in np.argsort(-chances, kind="stable")[:3] if chances[call] >= 0.05]
    best = likely[0]
    who = ", ".join(model.origin.who)
    words = f"{best} by what was learned of {who} from {model.origin.deals:,} deals ({chances[best]:.0%})"
    return asked.decision(
        best, DecidedBy.MODEL, words, candidates=tuple(Candidate(call, ()) for call in likely)
    )


def _learned(
    what: Refinements | str | Path | Lessons | None, alike: bool
) -> tuple[Refinements | None, Refinements | None]:
    """What I and partner have learned; the same, if we play alike and partner did not learn apart."""
    if what is None:
        return None, None
    if isinstance(what, tuple):
        return what
    if not isinstance(what, str | Path):
        return what, what if alike else None
    from pidm.reading.refinement_files import Refinements

    mine = Refinements.load(what)
    return mine, Refinements.load(what, partner=True) or (mine if alike else None)


def _expected(result: SearchResult) -> float | None:
    """The mean score of the action taken, over the worlds in which it was evaluated."""
    scores = result.worths[result.candidates.index(result.action)]
    known = scores[~np.isnan(scores)]
    return round(float(known.mean()), 1) if len(known) else None


def _fitting(choices: Choices, system: Choices, situation: Situation, hand: Hand) -> Choices:
    """Of what is open, what the system itself leaves open and calls whose meaning the hand fits."""
    own = set(system.candidates(0))
    stands = [one.action in own or fit(situation, Call(one.action), hand).fits for one in choices.proposals]
    return Choices(choices.proposals, choices.mask & np.array(stands, dtype=bool), choices.refined)


def _candidates(choices: Choices, row: int) -> tuple[Candidate, ...]:
    """What is open to one hand, with the rules behind it."""
    return tuple(_candidate(Call(call), choices.sources(row, call)) for call in choices.candidates(row))


def _candidate(call: Call, sources: Sequence[object]) -> Candidate:
    rules = {id(source): source for source in sources if isinstance(source, Rule)}
    lessons = next((source.examples for source in sources if isinstance(source, Learned)), 0)
    return Candidate(call, tuple(rules.values()), lessons=lessons)


def _ranked(candidates: Sequence[Candidate], result: SearchResult) -> tuple[Candidate, ...]:
    """The candidates with what the simulation makes of them: the one taken, then the best first."""
    if result.decided is not DecidedBy.SIMULATION:
        return tuple(sorted(candidates, key=lambda one: one.call != result.action))
    found = {}
    for action, mean, error in zip(result.candidates, result.means, result.errors):
        taken = action == result.action
        found[action] = float(mean), float(error if taken else result.difference(result.action, action)[1])
    ranked = [
        replace(one, mean=found[one.call][0], standard_error=found[one.call][1])
        for one in candidates
        if one.call in found
    ]
    ranked.sort(key=lambda one: (one.call != result.action, -(one.mean or 0.0)))
    # those that a few worlds have ruled out come last, without a value
    return (*ranked, *(one for one in candidates if one.call not in found))


TOLD = (0.1, 0.5, 0.9)
"""Which of the simulated deals are told of, by how the call taken does there against the next best."""


def _told(ranked: Sequence[Candidate], result: SearchResult) -> tuple[SimulatedDeal, ...]:
    """Some of the simulated deals, with how each candidate ended."""
    assert result.sample is not None
    ranked = [one for one in ranked if int(one.call) in result.candidates]
    places = [result.candidates.index(int(one.call)) for one in ranked]
    difference = result.values[places[0]] - result.values[places[1]]
    known = np.flatnonzero(~np.isnan(result.worths).any(axis=0))
    order = known[np.argsort(difference[known], kind="stable")]
    rows = dict.fromkeys(int(order[int(share * (len(order) - 1))]) for share in TOLD)
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
