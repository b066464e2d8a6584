"""The work of a session, piece by piece, as any process can do it.

A piece depends on the settings, on what both partners have learned (the *view*) and on its own arguments, and
all of these are plain text: so it can be done anywhere, again after a failure, and gives the same result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Contract, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.dealing import Shown, shown_dealer
from pidm.bridge.scoring import imps
from pidm.bridge.utilities import Utility
from pidm.bridge.worlds import Worlds, hands_of, random_deals
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.cotraining import gather
from pidm.core.player import Player, Strategy
from pidm.core.playing_out import play_out
from pidm.draws import generator_of
from pidm.features import HandColumns
from pidm.models.learned_seats import LearnedSeats
from pidm.play.best_contract import best_contracts
from pidm.play.calling import bidder_of
from pidm.play.seating import utility_of
from pidm.play.systems import Systems
from pidm.reading.bridge_game import Bridge
from pidm.reading.judgement import Judgement, judged
from pidm.reading.learned_features import Key, key_of
from pidm.reading.refinement import Refinement
from pidm.reading.refinement_files import Refinements
from pidm.reading.table import Table
from pidm.training.settings import Settings

View = str
"""What both partners have learned as far as one knows, in JSON: `{"mine": [...], "partner": [...]}`."""

NOTHING: View = json.dumps({"mine": [], "partner": []})
DRAWN = 400
"""Deals drawn at once for more states of an auction."""
DRAWS = 12
"""How often that is tried."""
SPARE = 3
"""States drawn for each that is wanted, to choose from."""

Situated = tuple[int, int, str, str]
"""A state as plain data: dealer, vul, calls, hand."""


def state_of(auction: Auction, hand: Hand) -> Situated:
    """A state as plain data."""
    return int(auction.dealer), int(auction.vul), " ".join(map(str, auction.calls)), str(hand)


def auction_of(state: Sequence[Any]) -> Auction:
    """The auction of a state."""
    return Auction.from_str(state[2], Seat(state[0]), Vul(state[1]))


class Learner:
    """One of the partners with what that partner knows: surveys deals, tags states, measures progress."""

    def __init__(self, settings: Settings, place: int, view: View) -> None:
        self.settings = settings
        self.place = place
        known = json.loads(view)
        mine = _refinements(known["mine"])
        partners = mine if known["mine"] == known["partner"] else _refinements(known["partner"])
        self.bidder = bidder_of(
            settings.pair(place),
            settings.seed,
            settings.scoring,
            systems=_systems(),
            lessons=(mine, partners),
            options=settings.search,
        )
        """How this partner bids."""

    def table(self, seat: Seat) -> Table:
        """The table when this partner sits here."""
        return self.bidder.table(seat)

    # ------------------------------------------------------------------ tagging (section 4.2.2)

    def tag(self, state: Situated) -> dict[str, Any]:
        """The call that PIDM finds for a state, with what it thinks of the others."""
        settings, auction, hand = self.settings, auction_of(state), Hand.from_str(state[3])
        search, mine = self.bidder.seating.searcher(auction.actor)
        table = self.table(auction.actor)
        partner = Player(table, utility_of(settings.utility_of(1 - self.place)), mine.models)
        strategy = Judgement(table, auction, settings.judgement, anew=True)
        others = {**mine.models, int(auction.actor.partner): partner}
        player = Player(strategy, mine.utility, others, mine)
        rng = generator_of("tag", settings.seed, *state)
        limit = self.bidder.limit
        assert limit is not None
        result = search.decide(auction, hand.masks, player, limit, rng)
        known = result.worlds > 0
        return {
            "state": list(state),
            "call": str(Call(result.action)),
            "values": {
                str(Call(action)): round(float(mean), 3) if known else None
                for action, mean in zip(result.candidates, result.means)
            },
            "worlds": result.worlds,
            "instances": result.counters.generated,
            "nodes": result.counters.nodes,
        }

    # ------------------------------------------------------------------ states (section 4.2.1)

    def is_open(self, auction: Auction, columns: Columns) -> np.ndarray | None:
        """Where the player to call finds several calls open, whatever was learned before."""
        wide = self.wide(auction, columns)
        return None if wide is None else wide.open()

    def wide(self, auction: Auction, columns: Columns) -> Choices | None:
        """What is open to the player to call before learning; None where judgement has no say."""
        situation = self.table(Seat.N).situation(auction)
        if not situation.active[situation.side]:
            return None
        assert isinstance(columns, HandColumns)
        return judged(situation, columns, self.settings.judgement)

    def left(self, auction: Auction, columns: Columns) -> Choices | None:
        """What is left of it after learning."""
        found, table = self.wide(auction, columns), self.table(Seat.N)
        learned = table.refinement(auction)
        if found is None or learned is None:
            return found
        assert isinstance(columns, HandColumns)
        return learned.narrowed(table.situation(auction), columns, found)

    def survey(self, chunk: int, deals: int) -> list[Situated]:
        """The open states of our side in some random deals; of both, if all four play the same.

        Where the rules themselves leave several calls open, any of them is made: a search may make each.
        """
        rng = generator_of("survey", self.settings.seed, chunk)
        worlds = random_deals(deals, rng)
        starts = [Auction(Seat(k & 3), Vul(k >> 2 & 3)) for k in range(deals)]
        bidder = self.bidder
        alike = bidder.system is bidder.partner is bidder.left and not bidder.models
        everybody = bidder.seating.everybody(Seat.N)

        def is_open(auction: Auction, columns: Columns) -> np.ndarray | None:
            mine = alike or auction.actor & 1 == 0
            return self.is_open(auction, columns) if mine and self._wanted(auction) else None

        cases = gather(Bridge(everybody.table), starts, worlds, AnyOpen(everybody, rng), is_open)
        return [state_of(case.history, Hand(case.private)) for case in cases]

    def _wanted(self, auction: Auction) -> bool:
        within = self.settings.within
        text = " ".join(map(str, key_of(auction.calls))) + " "
        return not within or any(text.startswith(f"{start} ") for start in within)

    def cases(self, states: Sequence[Situated]) -> list[Situated]:
        """The states to learn an auction from: some that came up, and more as they would come up.

        Every choice between the same calls is learned by itself, so those that come up too seldom to be
        learned are left out, in favour of the others.
        """
        settings = self.settings
        found = list(dict.fromkeys([*states, *self._more(states, SPARE * settings.examples)]))
        groups: dict[tuple[int, ...], list[Situated]] = {}
        for state in found:
            groups.setdefault(self._open_calls(state), []).append(state)
        ranked = sorted(groups.values(), key=len, reverse=True)
        kept = [group for group in ranked if len(group) >= settings.least][
            : settings.examples // settings.least
        ]
        total = sum(map(len, kept))
        chosen = []
        for group in kept or ranked[:1]:
            share = len(group) * settings.examples // max(total, 1)
            chosen += group[: max(share, settings.least)]
        return chosen[: settings.examples]

    def _open_calls(self, state: Situated) -> tuple[int, ...]:
        auction, hand = auction_of(state), Hand.from_str(state[3])
        columns = HandColumns(np.array([hand.masks], dtype=np.uint16))
        situation = self.table(auction.actor).situation(auction)
        own, *near = judged(situation, columns, self.settings.judgement).candidates(0)
        return own, *sorted(near)

    def _more(self, states: Sequence[Situated], count: int) -> list[Situated]:
        """More open states of the auctions of these."""
        auctions = list(dict.fromkeys(auction_of(state) for state in states))
        rng = generator_of("more", self.settings.seed, *key_of(auctions[0].calls))
        found: list[Situated] = []
        for attempt in range(DRAWS * len(auctions)):
            if len(found) >= count:
                break
            drawn = self._draw(auctions[attempt % len(auctions)], rng)
            found += drawn[: max(count // 4, 1)]
        return found[:count]

    def _draw(self, auction: Auction, rng: np.random.Generator) -> list[Situated]:
        """Open states of one auction."""
        table = self.table(auction.actor)
        everybody = AnyOpen(self.bidder.seating.everybody(auction.actor), rng)
        hands = fitting(table, auction, DRAWN, rng, everybody)[:, auction.actor]
        if not len(hands):
            return []
        wide = judged(table.situation(auction), HandColumns(hands), self.settings.judgement)
        return [state_of(auction, hand) for hand in hands_of(hands[wide.open()])]

    # ------------------------------------------------------------------ progress

    def measure(self) -> dict[str, float]:
        """How this pair bids some problems without searching: how much is open, and the IMPs it loses.

        One of our hands can open and opponents pass throughout, whatever they play (section 5.1). The
        contract is compared with the best one by the same utility.
        """
        settings = self.settings
        worth = utility_of(settings.utility_of(self.place))
        worlds, starts, best = _problems(settings.problems, settings.seed, settings.utility_of(self.place))
        table = self.table(Seat.N)
        decisions = opened = refined = 0
        ends: dict[int, Auction] = {}

        for step in play_out(Bridge(table), starts, worlds, _Quiet(table)):
            if step.columns is None:
                ends.update((int(row), step.history) for row in step.rows)
            elif not step.history.actor & 1:
                left = self.left(step.history, step.columns)
                decisions += len(step.rows)
                if left is not None:
                    opened += int(left.open().sum())
                    refined += int(left.refined) * len(step.rows)
        won = [worth.evaluate(ends[row], worlds[row : row + 1], Seat.N)[0] for row in range(len(worlds))]
        lost = imps(np.rint(won).astype(np.int64) - best)
        return {
            "score": round(float(np.mean(lost)), 4),
            "error": round(float(np.std(lost, ddof=1) / np.sqrt(len(lost))), 4),
            "lookahead_ratio": round(opened / max(decisions, 1), 4),
            "refined_ratio": round(refined / max(decisions, 1), 4),
        }


class AnyOpen:
    """What the four do of whom nobody knows how they search: of the calls that their systems leave open to a
    hand, any."""

    def __init__(self, everybody: LearnedSeats, rng: np.random.Generator) -> None:
        self._everybody = everybody
        self._rng = rng

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """One call for every hand; learned players make their likeliest calls."""
        found = self._everybody.choices(history, columns)
        rows = np.flatnonzero(found.open())
        if history.actor in self._everybody.models or not len(rows):
            return found
        mask = found.mask.copy()
        # By the calls alone: which proposals there are besides depends on how the rules were asked.
        for row, drawn in zip(rows.tolist(), self._rng.random(len(rows)).tolist()):
            calls = sorted(found.candidates(row))
            taken = calls[int(drawn * len(calls))]
            mask[row] &= [proposal.action == taken for proposal in found.proposals]
        return Choices(found.proposals, mask, found.refined)

    def shown(self, history: Auction, seat: int) -> Shown:
        """Ranges that hold for the hands with which the seat calls like this."""
        return self._everybody.shown(history, seat)


def fitting(
    table: Table,
    auction: Auction,
    n: int,
    rng: np.random.Generator,
    everybody: LearnedSeats | AnyOpen | None = None,
) -> Worlds:
    """Those of n deals, drawn from what an auction shows, that would be bid like this: as they come up.

    `everybody` is what the four do, if it is not what their systems say.
    """
    everybody = everybody or LearnedSeats(table, {})
    shown = [everybody.shown(auction, seat) for seat in range(4)]
    worlds = shown_dealer(np.zeros((4, 4), dtype=np.uint16), shown).deal(n, rng)
    for before, call in Bridge(table).moves(auction):
        if not len(worlds):
            break
        worlds = worlds[everybody.choices(before, HandColumns(worlds[:, before.actor])).preferred() == call]
    return worlds


class _Quiet:
    """A strategy with east and west passing."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """The plausible calls of every hand."""
        if history.actor & 1:
            return Choices((Proposal(PASS),), np.ones((len(columns), 1), dtype=bool))
        return self._strategy.choices(history, columns)


def problems(count: int, rng: np.random.Generator) -> Worlds:
    """Random deals in which north or south can open: 12 high-card points or more."""
    from pidm.language.meaning import HCP

    found: list[Worlds] = []
    while sum(map(len, found)) < count:
        worlds = random_deals(count, rng)
        points = [HandColumns(worlds[:, seat]).column(HCP) for seat in (0, 2)]
        found.append(worlds[np.maximum(*points) >= 12])
    return np.concatenate(found)[:count]


def best_scores(worth: Utility, starts: Sequence[Auction], worlds: Worlds) -> np.ndarray:
    """int64[n], what the best of the 35 contracts scores, NS declaring; nothing if none makes."""
    best = np.zeros(len(worlds))
    for vul in Vul:
        rows = np.array([row for row, start in enumerate(starts) if start.vul == vul], dtype=np.intp)
        if len(rows):

            def score(one: Contract, vul: Vul = vul, rows: np.ndarray = rows) -> np.ndarray:
                end = Auction(one.declarer, vul).after(one.bid)
                return np.asarray(worth.evaluate(end, worlds[rows], Seat.N))

            _, best[rows] = best_contracts(score, Seat.N)
    return np.rint(best).astype(np.int64)


@lru_cache(maxsize=2)
def _problems(count: int, seed: int, name: str) -> tuple[Worlds, list[Auction], np.ndarray]:
    """The problems that measure progress, and what the best contracts score."""
    worlds = problems(count, generator_of("problems", seed))
    starts = [Auction(Seat.N if k & 1 else Seat.S, Vul(k >> 1 & 3)) for k in range(len(worlds))]
    return worlds, starts, best_scores(utility_of(name), starts, worlds)


@lru_cache(maxsize=1)
def _systems() -> Systems:
    """The systems of this process, read once."""
    return Systems()


def _refinements(listed: Sequence[Mapping[str, Any]]) -> Refinements | None:
    known: dict[Key, Refinement] = {}
    for data in listed:
        one = _refinement(json.dumps(data, sort_keys=True))
        known[one.key] = one
    return Refinements(known) if known else None


@lru_cache(maxsize=2000)
def _refinement(text: str) -> Refinement:
    return Refinement.from_dict(json.loads(text))


@lru_cache(maxsize=4)
def learner(settings: str, place: int, view: View) -> Learner:
    """One of the partners; kept for the next piece of work."""
    return Learner(Settings.from_dict(json.loads(settings)), place, view)


# ---------------------------------------------------------------------- pieces of work, by name


def survey(settings: str, view: View, chunk: int, deals: int) -> list[Situated]:
    """The open states of a chunk of random deals."""
    return learner(settings, 0, view).survey(chunk, deals)


def tag(settings: str, view: View, place: int, states: Sequence[Situated]) -> list[dict[str, Any]]:
    """The tags of some states."""
    at = learner(settings, place, view)
    return [at.tag(state) for state in states]


def cases(settings: str, view: View, place: int, states: Sequence[Situated]) -> list[Situated]:
    """The states to learn an auction from."""
    return learner(settings, place, view).cases(states)


def measure(settings: str, view: View) -> dict[str, float]:
    """How the pair does."""
    return learner(settings, 0, view).measure()
