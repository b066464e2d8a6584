"""What no player would do: contracts and passes that are wrong whatever the opponents hold.

A side's auction is judged by its own 26 cards. Every kind is narrow: what a good player might do now and then
on a bad day is no absurdity.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import GAME, PASS, STRAINS, Call, Contract, Seat
from pidm.bridge.scoring import score_for
from pidm.bridge.tricks import trick_estimator
from pidm.bridge.worlds import Worlds
from pidm.features import Feature, HandColumns
from pidm.language.suits import FIT
from pidm.reading.counted import Counted
from pidm.reading.situation import Situation
from pidm.reading.table import Table

ABSURD = {
    "forcing call passed": "a call that partner had to answer was passed",
    "ace ask passed": "a forcing 4NT was passed",
    "artificial call passed": "the contract is a bid that did not show its suit: six trumps, none has five",
    "missed game": "26 points together and no game, though one should make and nobody got in the way",
    "missed slam": "36 points together and no slam",
    "strong hand silent": "18 points and a six-card suit, and never a bid or a double",
    "doubled misfit": "doubled with six trumps at most, though one of the two knew of eight cards elsewhere",
    "no stopper": "notrump at the three level or higher, and their suit is not stopped",
    "fast losers in a slam": "a slam lacking an ace and king, or two aces, that nobody is short in",
    "slam on too little": "a slam on too few points: 22 in a suit, 29 in notrump, 25 for a grand slam",
    "game on too little": "a game that nobody contested on less than 15 points (notrump: 20)",
    "ran away": "four tricks or more short at the four level or higher, for more than their game is worth",
    "too few trumps": "a suit at the two level or higher with five trumps at most (undoubled at two: no 5-0)",
    "fit not played": "six trumps at most although a fit of eight cards was shown",
    "endless auction": "more than 30 calls",
}
"""The kinds, worst first, in words."""

ENOUGH = 31
"""Points together that are enough to bid six notrump by counting."""
LONGEST = 30
"""Calls of an auction that still has a point."""


class DealtHands:
    """What is counted of a batch of deals, uint16[n, 4 seats, 4 suits]."""

    def __init__(self, worlds: Worlds):
        self.worlds = worlds

    def _columns(self, name: str) -> np.ndarray:
        return np.stack(
            [HandColumns(self.worlds[:, seat]).column(Feature.parse(name)) for seat in range(4)], axis=1
        ).astype(int)

    @cached_property
    def hcp(self) -> np.ndarray:
        """int[n, 4 seats]"""
        return self._columns("hcp")

    @cached_property
    def lengths(self) -> np.ndarray:
        """int[n, 4 seats, 4 suits]"""
        return np.stack([self._columns(f"length({suit})") for suit in "SHDC"], axis=2)

    @cached_property
    def stoppers(self) -> np.ndarray:
        """int[n, 4 seats, 4 suits]"""
        return np.stack([self._columns(f"stopper({suit})") for suit in "SHDC"], axis=2)

    def tricks(self, row: int, contract: Contract) -> float:
        """What declarer may expect to take."""
        world = self.worlds[row : row + 1]
        return float(trick_estimator().expected(world, contract.strain, contract.declarer)[0])


def absurdities(
    table: Table, auction: Auction, hands: DealtHands, row: int, side: int, stretched: int = 0
) -> Iterator[str]:
    """The kinds of absurdity in a finished auction of one side (0: NS), each at most once; `stretched` are
    the points that its players counted and do not have."""
    yield from dict.fromkeys(_in_passes(table, auction, side))
    judged = _Judged(table, auction, hands, row, side, stretched)
    yield from judged.kinds()


def _in_passes(table: Table, auction: Auction, side: int) -> Iterator[str]:
    """Passes of this side that its forces do not allow."""
    for number, call in enumerate(auction.calls):
        if call != PASS or auction.seat_of(number) & 1 != side:
            continue
        before = Auction(auction.dealer, auction.vul, auction.calls[:number])
        if table.situation(before).forced:
            asked = before.last_bid is not None and before.last_bid == Call.from_str("4N")
            yield "ace ask passed" if asked else "forcing call passed"


class _Judged:
    """The end of an auction, as one side's 26 cards see it."""

    def __init__(
        self, table: Table, auction: Auction, hands: DealtHands, row: int, side: int, stretched: int
    ):
        self.table, self.auction, self.hands, self.row, self.side = table, auction, hands, row, side
        self.contract = auction.contract
        seats = (side, side + 2)
        self.points = int(hands.hcp[row, seats].sum())
        self.counted = self.points + stretched
        """The points as the players have counted them."""
        self.valued = min(self.points, self._by_its_count())
        """The points as they are, and as the system counts them if that is less: who values a bare honor at
        less than its points does not miss a game that the points alone speak for."""
        self.lengths = hands.lengths[row, seats]
        """int[2, 4 suits]"""

    @cached_property
    def end(self) -> Situation:
        """What was shown in the end."""
        return self.table.situation(self.auction)

    def _by_its_count(self) -> int:
        """The points of the two hands as the system counts them."""
        counts = self.table.systems[self.side].counts
        columns = HandColumns(self.hands.worlds[self.row, (self.side, self.side + 2)])
        return int(Counted(columns, counts).column(Feature.parse("hcp")).sum())

    def kinds(self) -> Iterator[str]:
        """What is wrong."""
        contract = self.contract
        if len(self.auction.calls) > LONGEST:
            yield "endless auction"
        yield from self._silence()
        if contract is None or contract.declarer & 1 != self.side:
            if self._has_game and not self._pushed and (contract is None or not self._defence(contract)):
                yield "missed game"
            return
        yield from self._strength(contract)
        yield from self._strain(contract)
        if contract.level >= 6 and self._fast_losers(contract):
            yield "fast losers in a slam"
        short = contract.level + 6 - self.hands.tricks(self.row, contract)
        if contract.level >= 4 and short >= 4 and not self._saves(contract):
            yield "ran away"

    @cached_property
    def _has_game(self) -> bool:
        """Are there points for game, and is there one to be made?

        Points in a misfit, or with their suit open, make none: who stops with them has done well.
        """
        if self.valued < 26:
            return False
        games = [
            Contract(game.level, strain, 0, seat)
            for strain, game in GAME.items()
            for seat in (Seat(self.side), Seat(self.side + 2))
        ]
        return any(self.hands.tricks(self.row, game) >= game.level + 6 for game in games)

    def _saves(self, contract: Contract) -> bool:
        """Does the contract cost no more than a game that they would make?"""
        vul = self.auction.vul
        lost = -score_for(Seat(self.side), contract, vul, round(self.hands.tricks(self.row, contract)))
        for strain, game in GAME.items():
            for seat in (Seat(1 - self.side), Seat(3 - self.side)):
                theirs = Contract(game.level, strain, 0, seat)
                tricks = round(self.hands.tricks(self.row, theirs))
                if tricks >= theirs.level + 6 and score_for(seat, theirs, vul, tricks) >= lost:
                    return True
        return False

    def _defence(self, contract: Contract) -> bool:
        """Are they in a contract that one may well defend: a high one, or doubled?"""
        return contract.doubled > 0 or contract.level >= 4

    @cached_property
    def _pushed(self) -> bool:
        """Did the opponents bid so much that 26 points may have gone elsewhere?"""
        theirs = [
            call
            for number, call in enumerate(self.auction.calls)
            if call.is_bid and self.auction.seat_of(number) & 1 != self.side
        ]
        return any(call.level >= 3 for call in theirs)

    def _silence(self) -> Iterator[str]:
        calls = self.auction.calls
        for seat in (self.side, self.side + 2):
            strong = self.hands.hcp[self.row, seat] >= 18 and self.hands.lengths[self.row, seat].max() >= 6
            first = (seat - self.auction.dealer) & 3
            mine = calls[first::4]
            if strong and mine and not any(call for call in mine):
                before = Auction(self.auction.dealer, self.auction.vul, calls[:first])
                last = before.last_bid
                if last is None or last.level <= 3:
                    yield "strong hand silent"

    def _strength(self, contract: Contract) -> Iterator[str]:
        game = contract.bid >= GAME[contract.strain]
        level, points = contract.level, self.points
        notrump = contract.strain == "N"
        if not game and not self._pushed and not contract.doubled and self._has_game:
            yield "missed game"
        if level < 6 and points >= 36 and not contract.doubled:
            yield "missed slam"
        counted = self.counted
        if (level == 7 and counted < 25) or (level == 6 and counted < (29 if notrump else 22)):
            yield "slam on too little"
        silent = not self.end.active[1 - ((self.side - self.auction.dealer) & 1)]
        if game and level < 6 and silent and counted < (20 if notrump else 15):
            yield "game on too little"

    def _strain(self, contract: Contract) -> Iterator[str]:
        if contract.strain == "N":
            if contract.level >= 3 and any(self._open(suit) for suit in self._their_suits):
                yield "no stopper"
            return
        trumps = int(self.lengths[:, STRAINS.index(contract.strain)].sum())
        if trumps > 6:
            return
        bid_at = max(i for i, call in enumerate(self.auction.calls) if call.is_bid)
        shown = self.table.situation(
            Auction(self.auction.dealer, self.auction.vul, self.auction.calls[: bid_at + 1])
        )
        longest = int(self.lengths[:, STRAINS.index(contract.strain)].max())
        if shown.least_length(bid_at & 3, contract.strain) < 3 and longest < 5:
            yield "artificial call passed"
        if contract.doubled and self._knew_better(contract.strain):
            yield "doubled misfit"
        # Who bids five cards at the two level may find partner with none, and nobody to tell.
        unlucky = longest == 5 and contract.level == 2 and not contract.doubled
        if trumps <= 5 and contract.level >= 2 and not unlucky:
            yield "too few trumps"
        first = (self.side - self.auction.dealer) & 1
        if any(self.end.least_length(first, s) + self.end.least_length(first + 2, s) >= FIT for s in "SHDC"):
            yield "fit not played"

    def _knew_better(self, trumps: str) -> bool:
        """Did one of the two know of no fit here and of eight cards in another suit?"""
        for number in range(2):
            seat = (self.side + 2 * number - self.auction.dealer) & 3
            own = dict(zip("SHDC", self.lengths[number].tolist()))
            together = {suit: own[suit] + self.end.least_length(seat ^ 2, suit) for suit in "SHDC"}
            if together[trumps] < FIT - 1 and max(together.values()) >= FIT:
                return True
        return False

    @cached_property
    def _their_suits(self) -> list[str]:
        """The suits that the opponents have bid and hold."""
        theirs = (self.side + 1 - self.auction.dealer) & 1
        shown = self.end.suits[theirs] | self.end.suits[theirs + 2]
        named = {
            call.strain
            for number, call in enumerate(self.auction.calls)
            if call.is_bid and self.auction.seat_of(number) & 1 != self.side
        }
        return [suit for suit in "SHDC" if suit in shown and suit in named]

    def _open(self, suit: str) -> bool:
        """Can they run the suit: no likely stopper, and not half of one on both sides?"""
        stoppers = self.hands.stoppers[self.row, (self.side, self.side + 2), STRAINS.index(suit)]
        return bool(stoppers.max() < 2 and stoppers.min() < 1)

    @cached_property
    def _asked(self) -> bool:
        """Has a player of this side asked for aces?"""
        asks = {Call.from_str("4N"), Call.from_str("4C")}
        for number, call in enumerate(self.auction.calls):
            if call in asks and self.auction.seat_of(number) & 1 == self.side:
                after = Auction(self.auction.dealer, self.auction.vul, self.auction.calls[: number + 2])
                if self.table.situation(after).forced:
                    return True
        return False

    def _fast_losers(self, contract: Contract) -> bool:
        """Can they cash two tricks at once (against a grand slam one)?

        Who has the points for notrump and no way to ask may be unlucky.
        """
        if contract.strain == "N" and contract.level == 6 and self.counted >= ENOUGH and not self._asked:
            return False
        ours = self.hands.worlds[self.row, self.side] | self.hands.worlds[self.row, self.side + 2]
        aces = 0
        for number in range(4):
            ace, king = bool(ours[number] >> 12 & 1), bool(ours[number] >> 11 & 1)
            shortest = 2 if contract.strain == "N" else int(self.lengths[:, number].min())
            if ace or shortest == 0:
                continue
            aces += 1
            if not king and shortest >= 2:
                return True
        return aces > 7 - contract.level
