"""The ground of trials: boards bid by a system as it is, so that a change rebids only what it touches.

Every decision of our side is known: its auction, the blocks that spoke, the call that the rules make. A
change of some blocks is asked again only where one of them spoke; a table is bid anew only from the call on
that comes out otherwise, or that comes to show something else. What this leaves out is small: that a look
deals its worlds from what partner would have done with other hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Hand
from pidm.bridge.scoring import imps
from pidm.bridge.tricks import trick_estimator
from pidm.bridge.worlds import from_deals
from pidm.errors import PidmError
from pidm.features import Bounds, HandColumns
from pidm.language.system import System
from pidm.play.bidder import Bidder
from pidm.play.calling import BidderCaller, Caller, make_caller
from pidm.play.match_boards import Board
from pidm.play.pair import Pair
from pidm.play.solved_deals import Wanted, ns_score
from pidm.play.systems import Systems
from pidm.play.tables import Seats, Sitting, bid_tables
from pidm.reading.situation import Situation

OURSELVES = "ourselves"
"""The member of a pool that plays the system as it is, and is told of the change."""
OPEN_ROOM: Seats = (0, 1, 0, 1)
CLOSED_ROOM: Seats = (1, 0, 1, 0)


class Judge(Protocol):
    """Says what contracts take."""

    def tricks(self, wanted: Sequence[Wanted]) -> list[int]:
        """The tricks of declarer in each contract."""


class GainEstimate:
    """Guesses the tricks, in no time: for a first opinion of a change."""

    def tricks(self, wanted: Sequence[Wanted]) -> list[int]:
        """The tricks that declarer takes on average, to the nearest."""
        found = [0] * len(wanted)
        groups: dict[tuple[str, Seat], list[int]] = defaultdict(list)
        for place, (_, strain, declarer) in enumerate(wanted):
            groups[strain, declarer].append(place)
        for (strain, declarer), places in groups.items():
            worlds = from_deals(wanted[place][0] for place in places)
            expected = trick_estimator().expected(worlds, strain, int(declarer))
            for place, tricks in zip(places, expected):
                found[place] = round(float(tricks))
        return found


@dataclass(frozen=True)
class Setting:
    """Who meets on which boards."""

    boards: tuple[Board, ...]
    pool: tuple[str, ...]
    """The members: `ourselves`, or pairs as people write them."""
    look: bool = True
    """Whether we look again where the rules pass."""


@dataclass(frozen=True)
class _Group:
    """Decisions of ours in one auction."""

    auction: Auction
    tables: tuple[int, ...]
    """At which tables, by place."""
    hands: np.ndarray
    """uint16[n, 4]"""
    by_rules: np.ndarray
    """int16[n], the calls that the rules make."""
    made: tuple[Call, ...]
    """The calls that were made."""
    shown: Mapping[Call, tuple[Bounds, object]]
    """What those calls show and ask for."""


class Ground:
    """Boards that a system has bid against one member of a pool. Tables 2k and 2k + 1 are those of board k,
    where we sit north-south and east-west."""

    def __init__(
        self,
        system: System,
        setting: Setting,
        member: str,
        auctions: Sequence[Auction] | None = None,
        caller: Caller | None = None,
    ):
        """`auctions` of the tables, if they are known from before; `caller`, who bids for the member."""
        self.system, self.setting, self.member = system, setting, member
        self._caller = caller
        if member != OURSELVES and caller is None:
            pair = Pair.from_str(member).settled(no_search=True)
            self._caller = make_caller(pair, Pair(command="us"), Systems(), 0, "imps")
        self.sittings = [
            Sitting(board, seats) for board in setting.boards for seats in (OPEN_ROOM, CLOSED_ROOM)
        ]
        """The tables."""
        self._us = self._bidder(system)
        self.auctions = list(auctions) if auctions is not None else self._bid_all()
        """How each table was bid."""
        self._groups = self._grouped()
        self._index: dict[int, list[int]] = defaultdict(list)
        for number, group in enumerate(self._groups):
            for position in self._blocks(self._situation(self._us, group.auction)):
                self._index[position].append(number)

    def _bidder(self, system: System, opponents: System | None = None) -> Bidder:
        """From a system as it stands in memory: a change on trial has no name for a pair to be called by."""
        known = opponents if opponents is not None else self.system if self.member == OURSELVES else None
        return Bidder(system, opponents=known, limit=None, look=self.setting.look, experience="")

    def _callers(self, system: System) -> list[Caller]:
        """Us with a system, and the member."""
        if self._caller is not None:
            return [BidderCaller(self._bidder(system)), self._caller]
        if system is self.system:
            us = BidderCaller(self._us)
            return [us, us]
        return [BidderCaller(self._bidder(system)), BidderCaller(self._bidder(self.system, system))]

    def _bid_all(self) -> list[Auction]:
        if self._caller is None:  # both tables of a board are bid alike
            once = [Sitting(board, (0, 0, 0, 0)) for board in self.setting.boards]
            found = [one.auction for one in bid_tables(once, self._callers(self.system))]
            return [auction for auction in found for _ in range(2)]
        return self._bid(self.sittings, self._callers(self.system))

    def _bid(self, sittings: Sequence[Sitting], callers: Sequence[Caller]) -> list[Auction]:
        found = []
        for one in bid_tables(sittings, callers):
            if one.faults:
                raise PidmError(f"{self.member}: board {one.sitting.board.number}: {one.faults[0]}")
            found.append(one.auction)
        return found

    # ------------------------------------------------------------------ decisions

    def _grouped(self) -> list[_Group]:
        asked: dict[Auction, list[tuple[int, Hand, Call]]] = defaultdict(list)
        for place, (sitting, auction) in enumerate(zip(self.sittings, self.auctions)):
            history = Auction(auction.dealer, auction.vul)
            for call in auction.calls:
                if sitting.seats[history.actor] == 0:
                    asked[history].append((place, sitting.board.deal[history.actor], call))
                history = history.after(call, check=False)
        groups = []
        for history, decisions in asked.items():
            situation = self._situation(self._us, history)
            hands = np.array([hand.masks for _, hand, _ in decisions], dtype=np.uint16)
            made = tuple(call for _, _, call in decisions)
            groups.append(
                _Group(
                    history,
                    tuple(place for place, _, _ in decisions),
                    hands,
                    situation.choices(HandColumns(hands)).preferred(),
                    made,
                    {call: _told(situation, call) for call in dict.fromkeys(made)},
                )
            )
        return groups

    @staticmethod
    def _situation(bidder: Bidder, auction: Auction) -> Situation:
        return bidder.table(auction.actor).situation(auction)

    @staticmethod
    def _blocks(situation: Situation) -> set[int]:
        return {instance.block.position for instance in situation.blocks}

    def touched(self, system: System, blocks: Iterable[int] | None) -> dict[int, Auction]:
        """The tables that another system bids otherwise, each with the auction up to where it does.

        `blocks` are the positions of those in which the two differ; None for any.
        """
        if blocks is None:
            return {place: Auction(one.dealer, one.vul) for place, one in enumerate(self.auctions)}
        numbers = sorted({number for position in blocks for number in self._index.get(position, ())})
        bidder = self._bidder(system)
        found: dict[int, Auction] = {}
        for number in numbers:
            group = self._groups[number]
            situation = self._situation(bidder, group.auction)
            calls = situation.choices(HandColumns(group.hands)).preferred()
            told = {call: _told(situation, call) != shown for call, shown in group.shown.items()}
            for row, place in enumerate(group.tables):
                if calls[row] != group.by_rules[row]:
                    start = group.auction
                elif told[group.made[row]]:
                    start = group.auction.after(group.made[row], check=False)
                else:
                    continue
                if place not in found or len(start.calls) < len(found[place].calls):
                    found[place] = start
        return found

    # ------------------------------------------------------------------ trials

    def rebid(self, system: System, starts: Mapping[int, Auction]) -> dict[int, Auction]:
        """The auctions of some tables with another system, from where they begin to differ."""
        sittings = [
            Sitting(self.sittings[place].board, self.sittings[place].seats, before=start.calls)
            for place, start in starts.items()
        ]
        return dict(zip(starts, self._bid(sittings, self._callers(system))))

    def gains(self, auctions: Mapping[int, Auction], judge: Judge) -> np.ndarray:
        """IMPs gained on each board where these tables are bid so."""
        gained = np.zeros(len(self.setting.boards))
        changed = {
            place: one for place, one in auctions.items() if one.contract != self.auctions[place].contract
        }
        boards = sorted({place // 2 for place in changed})
        places = [place for board in boards for place in (2 * board, 2 * board + 1)]
        before = self._scored({place: self.auctions[place] for place in places}, judge)
        after = {**before, **self._scored(changed, judge)}
        for board in boards:
            old, new = (one[2 * board] - one[2 * board + 1] for one in (before, after))
            gained[board] = float(imps(new) - imps(old))
        return gained

    def _scored(self, auctions: Mapping[int, Auction], judge: Judge) -> dict[int, int]:
        """What north-south score at tables that are bid so."""
        contracts = {place: one.contract for place, one in auctions.items()}
        wanted = {
            place: (self.sittings[place].board.deal, contract.strain, contract.declarer)
            for place, contract in contracts.items()
            if contract is not None
        }
        tricks = dict(zip(wanted, judge.tricks(list(wanted.values()))))
        return {
            place: ns_score(contract, auctions[place].vul, tricks.get(place))
            for place, contract in contracts.items()
        }

    def with_system(self, system: System, blocks: Iterable[int] | None) -> Ground:
        """The same boards bid by another system; what it does not touch is taken over."""
        auctions = list(self.auctions)
        if self._caller is None:
            # Everybody plays it now: a table is touched by either side, and both tables are bid alike.
            starts: dict[int, Auction] = {}
            for place, start in self.touched(system, blocks).items():
                board = place // 2
                if board not in starts or len(start.calls) < len(starts[board].calls):
                    starts[board] = start
            alike = [
                Sitting(self.setting.boards[board], (0, 0, 0, 0), before=start.calls)
                for board, start in starts.items()
            ]
            us = BidderCaller(self._bidder(system, system))
            for board, auction in zip(starts, self._bid(alike, [us])):
                auctions[2 * board] = auctions[2 * board + 1] = auction
        else:
            for place, auction in self.rebid(system, self.touched(system, blocks)).items():
                auctions[place] = auction
        return Ground(system, self.setting, self.member, auctions, self._caller)

    def close(self) -> None:
        """Nothing more will be bid."""
        if self._caller is not None:
            self._caller.close()


def _told(situation: Situation, call: Call) -> tuple[Bounds, object]:
    """What a call shows, and what it asks partner to do."""
    meant = situation.meaning_of(call)
    rule = meant.rules[0] if meant.rules else None
    if rule is None:
        return meant.shown, None
    return meant.shown, (rule.forcing, rule.agrees, rule.line.spec.starts, rule.line.spec.ends)
