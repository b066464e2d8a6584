"""The front door to bidding: a pair's system in, a call with its evidence out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Deal, Hand
from pidm.core.choices import DecidedBy
from pidm.core.garbage import pause, resume
from pidm.core.limit import Limit
from pidm.draws import generator_of
from pidm.errors import IllegalCallError, PidmError
from pidm.features import HandColumns
from pidm.features.columns import BLOCK_ROWS
from pidm.language.system import System
from pidm.play.asked import Asked
from pidm.play.call_table import Decisions
from pidm.play.decision import BidDeal, Candidate, Decision, Question, question
from pidm.play.experienced import Experienced, everybody, experience_of, nearest, valued
from pidm.play.open_calls import OpenCalls
from pidm.play.others import LEFT, RIGHT, others_of
from pidm.play.pair import JUDGEMENT
from pidm.play.reasons import because, preferred
from pidm.play.seating import WELL_KNOWN, Seating, lessons_of, utility_of
from pidm.play.second_look import SecondLook
from pidm.play.simulation import UNITS, Simulation
from pidm.reading.judgement import Width
from pidm.reading.table import Table

if TYPE_CHECKING:  # what only simulation needs is imported there: a rule decision should not wait for it
    from pidm.bridge.utilities import Form
    from pidm.core.search import SearchOptions
    from pidm.models.blend import BlendedPair
    from pidm.models.experience import Experience
    from pidm.models.learned_pair import LearnedPair
    from pidm.play.belief import Belief
    from pidm.play.others import OtherLike, SystemLike
    from pidm.play.seating import Lessons
    from pidm.reading.correction import Correction
    from pidm.reading.refinement_files import Refinements

ONE_SECOND = Limit(seconds=1.0)

INSTANCES_OF_A_BELIEF = 200
"""Deals that may be generated for each one that a belief is counted in."""


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
        correction: Correction | str | Path | None = None,
        experience: Experience | str | Path | None = None,
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

        `worlds` is how many deals a simulation is based on. Without it these are 200 and, with a limit in
        seconds, ever more until one call is clearly the best or time is up. `disclosed` keeps to calls whose
        stated meaning the hand fits, so that partner and opponents can rely on it. `correction` is a file
        with what was learned about the look (`pidm cotrain --generations`), or that itself.

        `experience` is what a pair has learned on millions of deals (`pidm cotrain --experience`), a file or
        that itself; an empty text for none. Without it, it is what ships with the system, if there is
        something; with another card, or a file that goes on from a shipped system, where the calls say what
        they say there. It decides where a call has gained on that of rules and look; with `look=False`
        never. A search then weighs what is worth about as much by it, more of that with a greater `width`,
        instead of what lies within `judgement`; not so beside a partner who is known by rules only.

        A limit in seconds holds for every decision. So that it can, and because it would take as long as the
        decisions themselves, Python's garbage collection waits while they are made, and the rules that were
        read for them are taken out of its sight (`gc.freeze`). Call `prepare` first if the first decisions,
        too, should find everything read.
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
        self.refinements = lessons_of(refinements, self.partner is self.system)
        """What I and partner have learned."""
        if width is not None and width not in tuple(Width):
            raise PidmError(f"{width} is no width; expected {', '.join(Width)}")
        well_known = any(
            model.origin.calls >= WELL_KNOWN for turn, model in self.models.items() if turn in (LEFT, RIGHT)
        )
        self.width = Width(width) if width is not None else Width.GAMES if well_known else Width.JUDGEMENT
        """Which calls a simulation weighs."""
        self.worlds = worlds
        """Deals that a simulation is based on, if that was said."""
        self.disclosed = disclosed
        """Whether only calls are made whose stated meaning the hand fits."""
        self._second_look = SecondLook(disclosed, correction)
        found = experience_of(experience, self.system) if look else None
        near = nearest(self.system) if look and found is None and experience is None else None
        found, alike = (found, None) if near is None else near
        seated = None if found is None else everybody(found, self.system, others, alike)
        self.experience = None
        """What was learned in self-play, if there is something; no simulation uses it beside a partner who is
        known by rules only."""
        if found is not None and (limit is None or seated is not None):
            self.experience = Experienced(found, disclosed, self.width, limit is not None, alike)
        self._elsewhere: Bidder | None = None
        """Who searches where the calls so far do not say what they said when experience was gathered."""
        if self.experience is not None and alike is not None and limit is not None:
            self._elsewhere = Bidder(
                self.system,
                partner,
                opponents,
                utility,
                limit,
                seed,
                scoring,
                judgement=judgement,
                options=options,
                refinements=refinements,
                settle=settle,
                width=width,
                worlds=worlds,
                disclosed=disclosed,
                correction=correction,
                experience="",
            )
        self.seating = Seating(
            self.system,
            others,
            scoring,
            self.refinements,
            utility,
            settle,
            options,
            guarded=self.width is not Width.JUDGEMENT,
            experienced=seated if limit is not None else None,
        )
        """The tables and searches at each seat."""
        self._searches_at_once = limit is not None and self.experience is None
        """Whether the search weighs what lies near the rules, not what experience leaves open."""
        self._open_calls = OpenCalls(
            judgement if self._searches_at_once else 0.0,
            self.width if self._searches_at_once else Width.JUDGEMENT,
            disclosed,
            self._second_look,
        )
        self._simulation = None
        if limit is not None:
            self._simulation = Simulation(
                self.seating, limit, seed, scoring, self.width, worlds, options, well_known
            )
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
            self._second_look.at_table(self.table(Seat.N))
        if self._elsewhere is not None:
            self._elsewhere.prepare()
            self._who(Auction())

    def bid(
        self,
        hand: Hand | str,
        auction: Auction | str | Sequence[Call | str] = "",
        dealer: Seat | str | None = None,
        vul: Vul | str | None = None,
    ) -> Decision:
        """The call for a hand after an auction. Dealer and vulnerability are the auction's own, N and None
        for a text."""
        paused = pause()
        try:
            return self.bid_many([question(hand, auction, dealer, vul)])[0]
        finally:
            resume(paused)

    def bid_many(self, questions: Sequence[Question]) -> Decisions:
        """One decision a question; hands in the same auction share their net. The answers do not depend on
        the company."""
        paused = pause()
        try:
            if self._elsewhere is None:
                return self._decisions(questions)
            here = [number for number, (_, auction) in enumerate(questions) if self._who(auction) is self]
            found = dict(zip(here, self._decisions([questions[number] for number in here])))
            others = sorted({*range(len(questions))}.difference(here))
            found.update(zip(others, self._elsewhere._decisions([questions[number] for number in others])))
            return Decisions(found[number] for number in range(len(questions)))
        finally:
            resume(paused)

    def _who(self, auction: Auction) -> Bidder:
        """Who decides in an auction: with experience where that holds."""
        if self._elsewhere is None or self.experience is None or self.experience.alike is None:
            return self
        situation = self.table(auction.actor).situation(auction)
        return self if self.experience.alike.so_far(situation) else self._elsewhere

    def _decisions(self, questions: Sequence[Question]) -> Decisions:
        groups: dict[Auction, list[int]] = defaultdict(list)
        for number, (_, auction) in enumerate(questions):
            groups[auction].append(number)
        decisions: dict[int, Decision] = {}
        seated: dict[Seat, list[int]] = defaultdict(list)
        for auction, numbers, columns in _with_columns(questions, groups):
            seat = auction.actor
            hands = [questions[n][0] for n in numbers]
            answers = self._answers(seat, auction, hands, columns)
            decisions.update(zip(numbers, answers))
            seated[seat] += numbers
        for seat, numbers in seated.items():
            made = [decisions[number] for number in numbers]
            decisions.update(zip(numbers, self._looked(seat, made)))
        return Decisions(decisions[number] for number in range(len(questions)))

    def candidates(self, hand: Hand, auction: Auction) -> tuple[Candidate, ...]:
        """What would be weighed with this hand; a single one is the call."""
        columns, seat = HandColumns(hand.array[None]), auction.actor
        if (who := self._who(auction)) is not self:
            return who.candidates(hand, auction)
        if self.experience is None or self._simulation is None:
            return self._asked(self.table(seat), auction, [hand], columns)[0].candidates
        answers = self._answers(seat, auction, [hand], columns)
        look = partial(self._second_look.revised, self.table(seat))
        [(decision, worth)] = self.experience.weighed(answers, look)
        return valued(decision, worth).candidates if len(worth) > 1 else decision.candidates[:1]

    def belief(self, hand: Hand, auction: Auction, worlds: int = 1000) -> Belief:
        """What the player to call may believe of the hidden hands, counted in deals that fit the auction."""
        from pidm.core.limit import Meter
        from pidm.core.sampling import rbmbmc
        from pidm.play.belief import believed

        if (who := self._who(auction)) is not self:
            return who.belief(hand, auction, worlds)
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
            generator_of(self.seed, hand, auction.dealer, auction.vul, auction),
        ).most_consistent(1)
        hidden = [other for other in Seat if other != seat]
        return believed(sample.worlds, hidden, sample.consistent)

    def bid_deal(self, deal: Deal, dealer: Seat = Seat.N, vul: Vul = Vul.None_) -> BidDeal:
        """Bid all four hands: I sit north, partner south, the opponents east and west."""
        paused = pause()
        try:
            auction = Auction(dealer, vul)
            decisions: list[Decision] = []
            while not auction.over:
                hand, who = deal[auction.actor], self._who(auction)
                columns = HandColumns(hand.array[None])
                answers = who._answers(Seat.N, auction, [hand], columns)
                decisions += who._looked(Seat.N, answers)
                auction = auction.after(decisions[-1].call)
            return BidDeal(deal, auction, tuple(decisions))
        finally:
            resume(paused)

    def table(self, seat: Seat) -> Table:
        """The table when I sit here."""
        return self.seating.table(seat)

    def _answers(
        self,
        me: Seat,
        auction: Auction,
        hands: Sequence[Hand],
        columns: HandColumns,
    ) -> list[Decision]:
        """The calls of the hands, whoever holds them, when I sit at `me`."""
        if auction.over:
            raise IllegalCallError(f"the auction {auction} is over; nobody is to call")
        table = self.table(me)
        turn = (auction.actor - me) & 3
        if turn in self.models:
            asked = self._open_calls.asked(table, auction, hands, columns)
            return [_as_learned(self.seating.model(turn, me), one) for one in asked]
        return [self._decide(me, one) for one in self._asked(table, auction, hands, columns)]

    def _asked(
        self, table: Table, auction: Auction, hands: Sequence[Hand], columns: HandColumns
    ) -> list[Asked]:
        """What is open to the hands, with what the look proposes to a simulation."""
        asked = self._open_calls.asked(table, auction, hands, columns)
        if not (self._searches_at_once and self.look):
            return asked
        return self._second_look.proposing(table, asked)

    def _decide(self, me: Seat, asked: Asked) -> Decision:
        best, *others = asked.candidates
        if best.lessons and not others:
            words = f"{best.call} by what training has learned from {best.lessons} examples here"
            return asked.decision(best.call, DecidedBy.REFINEMENT, words)
        if not best.rules:
            words = f"No rule speaks of this hand here; {best.call} is the least that the auction allows"
            return asked.decision(best.call, DecidedBy.DEFAULT, words)
        if not others:
            words_of_rule = partial(because, asked.situation, asked.columns, best)
            return asked.decision(best.call, DecidedBy.RULE, words_of_rule)
        if self._searches_at_once:
            assert self._simulation is not None
            strategy = self._open_calls.strategy(self.table(me), asked.auction)
            return self._simulation.decide(me, asked, strategy)
        words_of_several = partial(preferred, asked.situation, asked.columns, asked.candidates)
        return asked.decision(best.call, DecidedBy.PREFERENCE, words_of_several)

    def _looked(self, seat: Seat, decisions: Sequence[Decision]) -> Sequence[Decision]:
        """The decisions, looked at again where nothing was simulated; what experience leaves open is then
        simulated."""
        if self._searches_at_once or not self.look:
            return decisions
        look = partial(self._second_look.revised, self.table(seat))
        if self.experience is None:
            return look(decisions)
        simulation = self._simulation
        if simulation is None:
            return self.experience.revised(decisions, look)
        return [
            simulation.between(seat, one, worth) if len(worth) > 1 else one
            for one, worth in self.experience.weighed(decisions, look)
        ]


def _with_columns(
    questions: Sequence[Question], groups: Mapping[Auction, list[int]]
) -> Iterator[tuple[Auction, list[int], HandColumns]]:
    """The auctions, the numbers of the questions in each, and the features of their hands.

    Most auctions of a batch are those of one hand, for which a feature costs as much as for all of them.
    """
    page: list[tuple[Auction, list[int]]] = []
    rows = 0
    for auction, numbers in groups.items():
        if page and rows + len(numbers) > BLOCK_ROWS:
            yield from _page(questions, page)
            page, rows = [], 0
        page.append((auction, numbers))
        rows += len(numbers)
    if page:
        yield from _page(questions, page)


def _page(
    questions: Sequence[Question], page: Sequence[tuple[Auction, list[int]]]
) -> Iterator[tuple[Auction, list[int], HandColumns]]:
    masks = [questions[number][0].masks for _, numbers in page for number in numbers]
    together = HandColumns(np.array(masks, dtype=np.uint16))
    rows = np.arange(len(masks))
    start = 0
    for auction, numbers in page:
        end = start + len(numbers)
        yield auction, numbers, together if len(page) == 1 else together.take(rows[start:end])
        start = end


def _as_learned(model: LearnedPair | BlendedPair, asked: Asked) -> Decision:
    """What a learned pair does: its likeliest call."""
    chances = model.probabilities(asked.auction, asked.hand.array[None])[0]
    likely = [Call(int(call)) for call in np.argsort(-chances, kind="stable")[:3] if chances[call] >= 0.05]
    best = likely[0]
    who = ", ".join(model.origin.who)
    words = f"{best} by what was learned of {who} from {model.origin.deals:,} deals ({chances[best]:.0%})"
    return asked.decision(
        best, DecidedBy.MODEL, words, candidates=tuple(Candidate(call, ()) for call in likely)
    )
