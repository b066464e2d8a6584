"""The shallow look: what contracts are worth as they stand (section 3.5, the utility of the current state).

A system cannot foresee every contested auction, and where it says nothing it passes, or stops short of game.
A player at the table looks: what would I leave them in, what could we play instead, and what if they double
that? So a few worlds are dealt from what everybody has shown, and every plausible bid is valued in them as if
the auction ended there, undoubled and doubled. Nothing is played on, so this costs some milliseconds; and
because a bid has to gain even if it is doubled, it needs no model of what the opponents do next.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import GAME, PASS, STRAINS, Call, Contract
from pidm.bridge.cards import SUITS
from pidm.bridge.dealing import Shown, shown_dealer
from pidm.bridge.scoring import imps, score_table
from pidm.bridge.tricks import TrickEstimator, trick_estimator
from pidm.bridge.worlds import Worlds
from pidm.draws import generator_of
from pidm.features import HandColumns
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp
from pidm.language.meaning import HCP, LENGTH
from pidm.language.rules import LAYERS
from pidm.language.system import System
from pidm.reading.bridge_game import Bridge, as_shown
from pidm.reading.table import Table

Spot = tuple[Auction, np.ndarray, Call]
"""An auction, the hand of who is to call, uint16[4], and the call that the rules make with it."""

WORLDS = 48
"""Dealt for a look."""
FEWEST = 8
"""With fewer worlds there is nothing to be seen."""
TRIES = 6
"""Batches dealt until enough worlds fit partner's calls."""
LOOSE_POINTS, LOOSE_CARDS = 3, 1
"""Opponents may play another system: what they have shown is taken to be wider by so much."""
MARGIN, CAREFUL_MARGIN = 1.0, 2.0
"""IMPs that a bid must gain on what the rules do even if it is doubled: on a pass in a contested auction; on
a bid, or where the opponents are silent, since there the rules know better what they do."""
SHORT_POINTS = 3
"""Points that a hand may be short of what the bid shows, or above it. Its lengths are as the bid shows them:
partner counts trumps."""
STRONG = 12
"""From so many points on, a hand whose side is silent has better ways to act than a suit by the look."""
SILENT = 5
"""Points with which a hand looks although partner has not acted."""
NOTRUMP_POINTS = 6
"""Points with which notrump is thought of."""
SUIT, SUPPORT, FIT = 4, 3, 6
"""Cards with which a suit is thought of; or that partner has shown in it, if both together have a fit."""
GAME_POINTS, GAME_SUIT = 12, 7
"""Points or cards with which a player thinks of game although partner has not acted."""
LONG_SUIT = 6
"""Cards with which a light hand comes in where nobody of its side has acted."""
ASK = Call.bid(4, "N")
"""Asks for key cards, if the system says so."""
SLAM_POINTS, RESERVE = 25, 4
"""Points from which a slam is thought of, with partner a few above the least shown."""
SLAM_TRUMPS = 8
"""Trumps, as far as shown, with which it is played in a suit."""
KEPT = 512
"""Auctions whose readings are kept."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What a look at one hand has found. Everything counts for the side to call."""

    calls: tuple[Call, ...]
    """The call of the rules, and the bids that were valued."""
    contracts: tuple[Contract | None, ...]
    """What each would lead to if everybody passed, and an ask for key cards to slam; None for no contract."""
    points: np.ndarray
    """float[calls, worlds], the score of each contract as it stands."""
    doubled: np.ndarray
    """The same with the bids doubled; the call of the rules as it stands."""
    tricks: np.ndarray
    """float[calls], the tricks that declarer takes on average."""
    made: np.ndarray
    """float[calls], how likely declarer makes the contract."""
    partner: float
    """The high-card points that partner has on average."""
    margin: float
    """IMPs that a bid must gain."""
    learned: np.ndarray | None = None
    """float[calls], IMPs gained on the call of the rules by what was learned, if it was asked."""

    @cached_property
    def gains(self) -> np.ndarray:
        """float[calls], IMPs gained on the call of the rules."""
        return _against(self.points, self.points[0])

    @cached_property
    def gains_doubled(self) -> np.ndarray:
        """float[calls], IMPs gained on the call of the rules if the bid is doubled."""
        return _against(self.doubled, self.points[0])

    @cached_property
    def sure(self) -> np.ndarray:
        """float[calls], IMPs gained on the call of the rules, whether the bid is doubled or not."""
        return np.asarray(np.minimum(self.gains, self.gains_doubled))

    @property
    def values(self) -> np.ndarray:
        """float[calls], what the calls are ranked by: what was learned of them, or else what is sure."""
        return self.sure if self.learned is None else self.learned

    def gain_of(self, place: int) -> tuple[float, float]:
        """What is gained by one of the calls, and the standard error of that in these worlds."""
        rows = self.points if self.gains[place] < self.gains_doubled[place] else self.doubled
        won = imps((rows[place] - self.points[0]).round())
        mean = float(won.mean()) if self.learned is None else float(self.learned[place])
        return mean, float(won.std(ddof=1) / len(won) ** 0.5)

    def take(self, places: Sequence[int]) -> Seen:
        """The same for some of the calls; that of the rules stays the first."""
        return replace(
            self,
            calls=tuple(self.calls[place] for place in places),
            contracts=tuple(self.contracts[place] for place in places),
            points=self.points[places],
            doubled=self.doubled[places],
            tricks=self.tricks[places],
            made=self.made[places],
        )

    @property
    def worlds(self) -> int:
        """How many worlds it is based on."""
        return len(self.points[0])

    @property
    def gaining(self) -> list[int]:
        """The places of the bids that gain the margin even if doubled, the best first."""
        order = np.argsort(-self.sure, kind="stable")
        return [place for place in order.tolist() if place and self.sure[place] >= self.margin]


def _against(points: np.ndarray, own: np.ndarray) -> np.ndarray:
    return np.asarray(imps((points - own).round()).mean(axis=1))


class Look:
    """Looks at hands of one table. The same question gets the same answer, alone or among others."""

    def __init__(self, table: Table, estimator: TrickEstimator | None = None):
        self.table = table
        self.game = Bridge(table)
        self.estimator = estimator or trick_estimator()
        """What guesses the tricks."""
        self._looks = [_has_natural_layer(system) for system in table.systems]
        self._read: OrderedDict[Auction, list[Shown | None]] = OrderedDict()

    def worth_it(self, auction: Auction, hand: np.ndarray, own: Call = PASS) -> bool:
        """Is there something to look at: a contested auction, or a pass of our own contract, and a reason to
        bid more than the rules do?

        From a contract of our own that was doubled nobody runs: that lost more than it saved. A bid of the
        rules is looked at if they compete and it is a place to play from the three level on, below game, or
        if it is game and a slam is in sight, or a small slam.
        Without the natural layer a system says all that it wants to say: its calls stand.
        """
        contract, me = auction.contract, auction.actor
        if contract is None or not self.looks(me):
            return False
        ours = (contract.declarer ^ me) & 1 == 0
        if ours and contract.doubled:
            return False
        if own != PASS:
            if not own.is_bid or own.level < 3:
                return False
            if own.strain != "N" and _LENGTH[hand[STRAINS.index(own.strain)]] < SUPPORT:
                return False
            if self.forcing(auction, own) in ("round", "game", "to"):
                return False
            if own >= GAME[own.strain]:
                return self._slam_in_sight(auction, hand)
        if not contested(auction):
            return ours and own == PASS
        partner = any(call != PASS for call in _calls_of(auction, me ^ 2))
        return partner or int(_HCP[hand].sum()) >= SILENT

    def looks(self, seat: int) -> bool:
        """Whether the system of a seat has a natural layer, and so leaves something to be seen."""
        return self._looks[seat]

    def at(self, asked: Sequence[Spot]) -> list[Seen | None]:
        """What there is to see for each hand; None where nothing can be bid, or too few worlds fit."""
        looks = [self.prepared(*one) for one in asked]
        # Tricks depend on strain and declarer alone, so those of all hands are estimated together.
        wanted: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, look in enumerate(looks):
            for key in look.keys if look is not None else ():
                wanted[key].append(number)
        chances: dict[tuple[int, str, int], np.ndarray] = {}
        for (strain, declarer), numbers in wanted.items():
            parts = [looks[number].worlds for number in numbers]  # type: ignore[union-attr]
            found = self.estimator.distribution(np.concatenate(parts), strain, declarer)
            at = 0
            for number, part in zip(numbers, parts):
                chances[number, strain, declarer] = found[at : at + len(part)]
                at += len(part)
        return [
            None if look is None else look.seen({key: chances[(number, *key)] for key in look.keys})
            for number, look in enumerate(looks)
        ]

    def _slam_in_sight(self, auction: Auction, hand: np.ndarray) -> bool:
        """Are there the points for twelve tricks, if partner has a little more than the least shown?"""
        situation = self.table.situation(auction)
        least, most = situation.strength(situation.partner)
        return int(_HCP[hand].sum()) + min(most, least + RESERVE) >= SLAM_POINTS

    def prepared(self, auction: Auction, hand: np.ndarray, own: Call) -> Prepared | None:
        """What is to be valued, in which worlds; None where nothing is, or too few worlds fit."""
        bids = [bid for bid in self.bids(auction, hand) if bid > own and goes_on(auction, own, bid)]
        if own.is_bid and own.level == 6:
            bids = [Call.bid(7, own.strain)]
        if not bids:
            return None
        worlds = self.deal(auction, hand)
        if len(worlds) < FEWEST:
            return None
        margin = CAREFUL_MARGIN if own.is_bid or not contested(auction) else MARGIN
        slam = self._asked_first(auction, hand) if own < ASK else None
        if slam is None or slam not in bids:
            return Prepared(auction, (own, *bids), worlds, margin)
        bids = [ASK, *(bid for bid in bids if bid != ASK)]
        return Prepared(auction, (own, *bids), worlds, margin, {ASK: slam})

    def _asked_first(self, auction: Auction, hand: np.ndarray) -> Call | None:
        """The slam in a major that is not bid before partner was asked for key cards, if 4NT does so here.

        With a void nobody asks: the answer would not tell which ace is missing.
        """
        situation = self.table.situation(auction)
        suit = situation.agreed[situation.side]
        if suit is None or suit not in "SH" or not _LENGTH[hand].all():
            return None
        if not auction.is_legal(ASK) or situation.excludes(ASK):
            return None
        rules = situation.meaning_of(ASK).rules
        return Call.bid(6, suit) if rules and "blackwood" in rules[0].line.spec.starts else None

    def bids(self, auction: Auction, hand: np.ndarray) -> list[Call]:
        """About all bids that a sensible player would think of."""
        situation = self.table.situation(auction)
        lengths, points = _LENGTH[hand].tolist(), int(_HCP[hand].sum())
        partner = situation.partner
        acted = any(call != PASS for call in situation.auction.calls[partner::4])
        slam = acted and self._slam_in_sight(auction, hand)
        slams = (6, 7) if auction.last_bid is not None and auction.last_bid.level == 6 else (6,)
        bids = []
        for strain, length in zip(STRAINS, (*lengths, 0)):
            first = situation.cheapest(strain)
            if first is None:
                continue
            trumps = SLAM_TRUMPS
            if strain == "N":
                if points < NOTRUMP_POINTS:
                    continue
            else:
                shown = situation.least_length(partner, strain)
                trumps = length + int(shown)
                if length < SUIT and not (shown >= SUPPORT and length + shown >= FIT):
                    continue
                if length == SUIT and not acted and first.level > 1:
                    continue
            game = Call(GAME[strain]).level
            for level in range(first.level, 8):
                near = level <= min(first.level + 1, 5) and (level <= game or level == first.level)
                as_game = level == game and (acted or points >= GAME_POINTS or length >= GAME_SUIT)
                as_slam = level in slams and slam and trumps >= SLAM_TRUMPS
                if near or as_game or as_slam:
                    bids.append(Call.bid(level, strain))
        return bids

    def choose(self, auction: Auction, hand: np.ndarray, seen: Seen | None) -> int | None:
        """The place of the bid to make instead of what the rules say; None if there is none."""
        gaining = [] if seen is None else [(place, seen.calls[place]) for place in seen.gaining]
        return next((place for place, call in gaining if self.sound(auction, hand, call)), None)

    def forcing(self, auction: Auction, call: Call) -> str | None:
        """What partner is asked to do by a call."""
        rules = self.table.situation(auction).meaning_of(call).rules
        return rules[0].forcing.kind if rules and rules[0].forcing else None

    def sound(self, auction: Auction, hand: np.ndarray, call: Call) -> bool:
        """Will partner take the bid for what it is?

        Not if it asks for more bidding, and not if it shows another hand. Where nobody of our side has acted,
        the auction seldom ends here, and what pays is a light hand with six cards up to the two level, or the
        last chance.
        """
        if call == ASK and self._asked_first(auction, hand):
            return True
        if self.forcing(auction, call) in ("round", "game", "to", "invite"):
            return False
        situation = self.table.situation(auction)
        shown = situation.meaning_of(call).shown
        low, high = shown.get(HCP, (0, 37))
        points = int(_HCP[hand].sum())
        if not low - SHORT_POINTS <= points <= high + SHORT_POINTS:
            return False
        lengths = _LENGTH[hand].tolist()
        for suit, length in zip(SUITS, lengths):
            low, high = shown.get(LENGTH[suit], (0, 13))
            if not low <= length <= high:
                return False
        if situation.active[situation.side] or situation.balancing:
            return True
        if call.level > 2 or call.strain == "N" or points >= STRONG:
            return False
        return bool(lengths[STRAINS.index(call.strain)] >= LONG_SUIT)

    # ------------------------------------------------------------------ worlds

    def deal(self, auction: Auction, hand: np.ndarray, rng: np.random.Generator | None = None) -> Worlds:
        """Worlds that fit partner's calls, and those of the opponents more or less; the same for the same
        question, unless it brings draws of its own."""
        me = auction.actor
        known = np.zeros((4, 4), dtype=np.uint16)
        known[me] = hand
        dealer = shown_dealer(known, self._shown(auction))
        rng = rng or generator_of(hand.tolist(), auction.dealer, auction.vul, auction)
        moves = [(before, call) for before, call in self.game.moves(auction) if before.actor == me ^ 2]
        found: list[Worlds] = []
        count = 0
        for _ in range(TRIES if dealer.possible else 0):
            worlds = dealer.deal(2 * WORLDS, rng)
            columns = HandColumns(worlds[:, me ^ 2])
            fitting = np.arange(len(worlds))
            for before, call in moves:
                if len(fitting):
                    choices = self.table.choices(before, columns.take(fitting))
                    fitting = fitting[choices.allows(call)]
            worlds = worlds[fitting]
            found.append(worlds)
            count += len(worlds)
            if count >= WORLDS:
                break
        return np.concatenate(found)[:WORLDS] if found else np.zeros((0, 4, 4), dtype=np.uint16)

    def _shown(self, auction: Auction) -> list[Shown | None]:
        """What the others have shown."""
        found = self._read.pop(auction, None)
        if found is None:
            me = auction.actor
            found = [None] * 4
            for other in range(4):
                if other != me:
                    bounds = as_shown(self.game.covering(auction, other))
                    found[other] = bounds if other == me ^ 2 else _loosened(bounds)
            if len(self._read) >= KEPT:
                self._read.popitem(last=False)
        self._read[auction] = found  # as the newest
        return found


class Prepared:
    """A hand with its worlds and calls, before anything is known of the tricks."""

    def __init__(
        self,
        auction: Auction,
        calls: tuple[Call, ...],
        worlds: Worlds,
        margin: float,
        leads_to: Mapping[Call, Call] | None = None,
    ):
        """`leads_to`: what a call that asks is valued as."""
        self.auction, self.calls, self.worlds, self.margin = auction, calls, worlds, margin
        ends = [(leads_to or {}).get(call, call) for call in calls]
        self.contracts = [(auction if call == PASS else auction.after(call)).contract for call in ends]
        self.keys = {(c.strain, int(c.declarer)) for c in self.contracts if c is not None}

    def seen(self, chances: dict[tuple[str, int], np.ndarray]) -> Seen:
        """With the chances of each number of tricks, float[worlds, 14], by strain and declarer."""
        me, vul, table = self.auction.actor, self.auction.vul, score_table()
        points = np.zeros((len(self.calls), len(self.worlds)))
        doubled = np.zeros_like(points)
        tricks, made = np.zeros(len(self.calls)), np.zeros(len(self.calls))
        played: dict[tuple[str, int], list[tuple[int, Contract]]] = defaultdict(list)
        for place, contract in enumerate(self.contracts):
            if contract is not None:
                played[contract.strain, int(contract.declarer)].append((place, contract))
        for (strain, declarer), contracts in played.items():
            mine = chances[strain, declarer]
            bids = [contract.bid for _, contract in contracts]
            rows = table[bids, :, int(vul.of(declarer))].reshape(-1, 14).astype(np.float64)
            sign = 1.0 if (declarer ^ me) & 1 == 0 else -1.0
            # Rounded, because the last bits of the sum depend on the size of the batch.
            scores = (sign * np.round(mine @ rows.T, 6)).T
            at_least = mine[:, ::-1].cumsum(axis=1)[:, ::-1].mean(axis=0).tolist()
            on_average = round(float(mine.mean(axis=0) @ _TRICKS), 4)
            for number, (place, contract) in enumerate(contracts):
                points[place] = scores[3 * number + contract.doubled]
                at_risk = place and self.calls[place].is_bid
                doubled[place] = scores[3 * number + 1] if at_risk else points[place]
                made[place] = round(at_least[contract.level + 6], 4)
                tricks[place] = on_average
        partner = round(float(_HCP[self.worlds[:, me ^ 2]].sum(axis=1).mean()), 4)
        seen = (points, doubled, tricks, made, partner)
        return Seen(self.calls, tuple(self.contracts), *seen, self.margin)


def goes_on(auction: Auction, own: Call, bid: Call) -> bool:
    """May a bid be looked at beside the call of the rules?

    Over a game that the rules bid only slams are. Over a contract of ours, slams in the same strain and slams
    in a suit instead of a game in notrump: other suits lost what these gained.
    """
    if own.is_bid and own >= GAME[own.strain] and bid.level <= max(own.level, 5):
        return False
    played = (auction if own == PASS else auction.after(own)).contract
    assert played is not None
    ours = (played.declarer ^ auction.actor) & 1 == 0
    if bid.level < 6 or not ours or played.bid < GAME[played.strain]:
        return True
    return bid.strain == played.strain or (played.strain == "N" and played.level < 6)


def _calls_of(auction: Auction, seat: int) -> tuple[Call, ...]:
    return auction.calls[(seat - auction.dealer) & 3 :: 4]


def contested(auction: Auction) -> bool:
    """Have the opponents of who is to call bid or doubled?"""
    me = auction.actor
    return any(call != PASS for seat in (me + 1, me + 3) for call in _calls_of(auction, seat))


def _has_natural_layer(system: System) -> bool:
    return any(block.layer == LAYERS["natural"] for block in system.blocks)


def _loosened(shown: Shown) -> Shown:
    lengths = tuple((max(low - LOOSE_CARDS, 0), min(high + LOOSE_CARDS, 13)) for low, high in shown.lengths)
    points = (max(shown.hcp[0] - LOOSE_POINTS, 0), min(shown.hcp[1] + LOOSE_POINTS, 37))
    return Shown(points, lengths)  # type: ignore[arg-type]


_HCP = hcp(CARDS)
_LENGTH = CARDS.length
_TRICKS = np.arange(14)
