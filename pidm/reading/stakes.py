"""What is at stake in a call: the situation of every candidate of a decision, in named numbers.

The paper's dynamic attributes (A.5) taken further: what a hand has matters by what the others have shown and
by what the contracts are worth as they stand. None of it names an auction, so that what is learned from it
holds in auctions that come up once in a lifetime.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, GAME, PASS, REDOUBLE, Call
from pidm.bridge.cards import SUITS
from pidm.bridge.scoring import imps
from pidm.features import HandColumns
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp
from pidm.language.meaning import HCP, LENGTH
from pidm.reading.judgement import judged
from pidm.reading.look import Seen
from pidm.reading.situation import Situation
from pidm.reading.wide_look import JUDGEMENT

KINDS = ("pass", "double", "raise", "rebid", "new suit", "cue bid", "notrump")
"""What a call is, in the order of their numbers."""
FORCING = ("round", "game", "to", "invite")
"""What asks partner to go on."""


_HCP = hcp(CARDS)
_LENGTH = CARDS.length

HOPELESS = -3.0
"""A bid that loses more IMPs as it stands does not come into question."""
MOST = 6
"""Calls that come into question, at most."""


def contenders(seen: Seen) -> Seen:
    """Of what a wide look has seen, what comes into question: the call of the rules, pass, then bids, the
    best as they stand first.

    Doubles do not: what they are worth hangs on how soundly the opponents bid, and what our own systems teach
    about that does not hold for others.
    """
    places = [place for place, call in enumerate(seen.calls) if place and call == PASS]
    for place in np.argsort(-seen.gains, kind="stable").tolist():
        if place and seen.calls[place].is_bid and seen.gains[place] >= HOPELESS:
            places.append(place)
    return seen.take([0, *places[: MOST - 1]])


class Dilemma:
    """A decision: who holds what after which auction, and what a wide look has seen."""

    def __init__(self, situation: Situation, auction: Auction, hand: np.ndarray, seen: Seen) -> None:
        self.situation = situation
        self.auction = auction
        self.hand = hand
        self.seen = seen
        self.calls = seen.calls
        """The call of the rules, then the others."""
        self.points = int(_HCP[hand].sum())
        self.lengths = dict(zip(SUITS, _LENGTH[hand].tolist()))

    @cached_property
    def rows(self) -> np.ndarray:
        """float[calls, stakes], all that is at stake in every call."""
        rows = np.empty((len(self.calls), len(STAKES)))
        for column, stake in enumerate(STAKES):
            rows[:, column] = stake.of(self)
        return rows

    @cached_property
    def kinds(self) -> list[int]:
        """What each call is, as a place in `KINDS`."""
        return [KINDS.index(kind_of(self.situation, call)) for call in self.calls]

    @cached_property
    def bids(self) -> np.ndarray:
        """bool[calls], which are bids."""
        return np.array([call.is_bid for call in self.calls])

    @cached_property
    def levels(self) -> np.ndarray:
        """float[calls], the level of the contract that each call leads to."""
        return np.array([0 if one is None else one.level for one in self.seen.contracts], dtype=float)

    @cached_property
    def trumps(self) -> np.ndarray:
        """float[calls], cards in the suit of a bid that the hand has and partner has shown; 0 elsewhere."""
        return np.array([self._trumps(call) for call in self.calls], dtype=float)

    def _trumps(self, call: Call) -> float:
        if not call.is_bid or call.strain == "N":
            return 0.0
        shown = self.situation.least_length(self.situation.partner, call.strain)
        return float(self.lengths[call.strain] + shown)

    @cached_property
    def margins(self) -> np.ndarray:
        """float[calls], tricks beyond what the contract asks for."""
        return np.asarray(self.seen.tricks - self.levels - 6)

    @cached_property
    def near(self) -> frozenset[int]:
        """The calls within two points of judgement."""
        return frozenset(judged(self.situation, HandColumns(self.hand[None]), JUDGEMENT).candidates(0))

    @cached_property
    def short(self) -> np.ndarray:
        """float[calls, 2], points and cards by which the hand differs from what each call shows."""
        return np.array([self._short(call) for call in self.calls])

    def _short(self, call: Call) -> tuple[float, float]:
        shown = self.situation.meaning_of(call).shown
        low, high = shown.get(HCP, (0, 37))
        cards = 0.0
        for suit, length in self.lengths.items():
            least, most = shown.get(LENGTH[suit], (0, 13))
            cards = max(cards, least - length, length - most)
        return max(low - self.points, self.points - high, 0.0), cards

    @cached_property
    def passed(self) -> np.ndarray:
        """float[worlds], what a pass scores as it stands; the call of the rules where there is no pass."""
        place = self.calls.index(PASS) if PASS in self.calls else 0
        return np.asarray(self.seen.points[place])

    @property
    def acted(self) -> bool:
        """Whether partner has bid or doubled."""
        return any(call != PASS for call in self.situation.auction.calls[self.situation.partner :: 4])

    @property
    def theirs(self) -> bool:
        """Whether the contract so far is the opponents'."""
        contract = self.auction.contract
        return contract is not None and (contract.declarer ^ self.auction.actor) & 1 == 1


@dataclass(frozen=True)
class Stake:
    """One of the numbers."""

    name: str
    """How data files and pages call it."""
    about: str
    """What it is, in a player's words."""
    of: Callable[[Dilemma], np.ndarray | float]
    """Its values for all calls, or one for all."""


def kind_of(situation: Situation, call: Call) -> str:
    """What a call is."""
    if not call.is_bid:
        return "double" if call in (DOUBLE, REDOUBLE) else "pass"
    if call.strain == "N":
        return "notrump"
    suits = situation.suits
    if call.strain in suits[situation.partner]:
        return "raise"
    if call.strain in suits[situation.me]:
        return "rebid"
    return "cue bid" if call.strain in suits[situation.lho] | suits[situation.rho] else "new suit"


def _their_margin(case: Dilemma) -> float:
    """Tricks that their contract makes beyond what it asks for; none if the contract so far is ours."""
    if not case.theirs or PASS not in case.calls:
        return 0.0
    return float(case.margins[case.calls.index(PASS)])


def _best_margin(case: Dilemma) -> float:
    return float(case.margins[case.bids].max()) if case.bids.any() else -13.0


def _gain_on_pass(case: Dilemma) -> np.ndarray:
    return np.asarray(imps((case.seen.points - case.passed).round()).mean(axis=1))


def _passes(case: Dilemma) -> float:
    count = 0
    for call in reversed(case.auction.calls):
        if call != PASS:
            break
        count += 1
    return float(count)


def _forcing(case: Dilemma) -> np.ndarray:
    found = []
    for call in case.calls:
        rules = case.situation.meaning_of(call).rules
        found.append(bool(rules and rules[0].forcing and rules[0].forcing.kind in FORCING))
    return np.array(found, dtype=float)


def _games(case: Dilemma) -> np.ndarray:
    return np.array([call.is_bid and call >= GAME[call.strain] for call in case.calls], dtype=float)


STAKES: tuple[Stake, ...] = (
    Stake("points", "high-card points", lambda case: float(case.points)),
    Stake("kind", "what the call is", lambda case: np.array(case.kinds, dtype=float)),
    Stake("own_kind", "what the call of the rules is", lambda case: float(case.kinds[0])),
    Stake("level", "level of the contract", lambda case: case.levels),
    Stake("game", "it is game or more", _games),
    Stake("trumps", "trumps, mine and those that partner has shown", lambda case: case.trumps),
    Stake(
        "judged",
        "the rules make the call with two points more or less",
        lambda case: np.array([int(call) in case.near for call in case.calls], dtype=float),
    ),
    Stake(
        "law",
        "trumps beyond what the law of total tricks asks for at this level",
        lambda case: np.where(case.trumps > 0, case.trumps - 6 - case.levels, -9.0),
    ),
    Stake("partner_points", "partner's points on average", lambda case: case.seen.partner),
    Stake("their_margin", "tricks that their contract makes beyond what it asks for", _their_margin),
    Stake("chance", "chance that the contract makes", lambda case: case.seen.made),
    Stake("margin", "tricks that the contract makes beyond what it asks for", lambda case: case.margins),
    Stake("gain", "IMPs gained on the call of the rules as it stands", lambda case: case.seen.gains),
    Stake("gain_doubled", "IMPs gained if it is doubled", lambda case: case.seen.gains_doubled),
    Stake("gain_on_pass", "IMPs gained on a pass as it stands", _gain_on_pass),
    Stake("passes", "passes since the last other call", _passes),
    Stake("we_vul", "we are vulnerable", lambda case: float(case.auction.vul.of(case.auction.actor))),
    Stake("they_vul", "they are vulnerable", lambda case: float(case.auction.vul.of(case.auction.actor.lho))),
    Stake("points_off", "points beside what the call shows", lambda case: case.short[:, 0]),
    Stake("cards_off", "cards beside what the call shows", lambda case: case.short[:, 1]),
    Stake("best_margin", "tricks that our best contract makes beyond what it asks for", _best_margin),
    Stake("doubled", "the contract so far is doubled", lambda case: float(case.situation.doubled)),
    Stake("theirs", "the contract so far is theirs", lambda case: float(case.theirs)),
    Stake("acted", "partner has bid or doubled", lambda case: float(case.acted)),
    Stake("forcing", "the call asks partner to go on", _forcing),
)
"""All that is at stake, in the order of the columns."""
NAMES = tuple(stake.name for stake in STAKES)
