"""The ground of trials: boards bid by a system as it is, so that a change rebids only what it touches.

Every decision of our side is known: its auction, the blocks that spoke, the call that the rules make. A
change of some blocks is asked again only where one of them spoke; a table is bid anew only from the call on
that comes out otherwise, or that comes to show something else. What this leaves out is small: that a look
deals its worlds from what partner would have done with other hands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from pidm.language.source import Mark
from pidm.language.system import System
from pidm.play.bidder import Bidder
from pidm.play.calling import BidderCaller, Caller, bidder_of, make_caller
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
    blocks: frozenset[int]
    """The positions of the blocks that had a say."""
    lines: Mapping[Call, frozenset[Mark]]
    """The lines that those calls come from."""


class Ground:
    """Boards that a system has bid against one member of a pool. Tables 2k and 2k + 1 are those of board k,
    where we sit north-south and east-west."""

    def __init__(
        self,
        system: System,
        setting: Setting,
        member: str,
        auctions: Sequence[Auction] | None = None,
        before: Ground | None = None,
        blocks: Iterable[int] | None = None,
    ):
        """`auctions` of the tables, if they are known: then `before` is the ground of another system from
        which it differs by these blocks (None for any), and what they leave alone is taken over."""
        self.system, self.setting, self.member = system, setting, member
        self._pair: Pair | None = None
        """The member, if it plays a system that can be told of ours."""
        self._caller: Caller | None = None
        """Who bids for a member that plays something else."""
        self._known: System | None = None
        """What the member plays, if that is a system."""
        self._systems: Systems = before._systems if before is not None else Systems()
        if before is not None:
            self._pair, self._caller, self._known = before._pair, before._caller, before._known
        elif member != OURSELVES:
            pair = Pair.from_str(member).settled(no_search=True)
            if pair.command or pair.learned:
                self._caller = make_caller(pair, Pair(command="us"), self._systems, 0, "imps")
            else:
                self._pair, self._known = pair, self._systems.of(pair.system, pair.card)
        self.sittings = [
            Sitting(board, seats) for board in setting.boards for seats in (OPEN_ROOM, CLOSED_ROOM)
        ]
        """The tables."""
        us = self._bidder(system)  # not kept, for what it has read takes memory
        self.auctions = list(auctions) if auctions is not None else self._bid_all(us)
        """How each table was bid."""
        self._groups = self._grouped(us, {} if before is None else before._untouched(blocks))
        self._index: dict[int, list[int]] = defaultdict(list)
        for number, group in enumerate(self._groups):
            for position in group.blocks:
                self._index[position].append(number)

    @property
    def alone(self) -> bool:
        """Whether everybody at the table plays the system, so that both tables of a board are bid alike."""
        return self.member == OURSELVES

    def _bidder(self, system: System, opponents: System | None = None) -> Bidder:
        """From a system as it stands in memory: a change on trial has no name for a pair to be called by.
        Opponents whose system is known are read by it."""
        known = opponents if opponents is not None else self.system if self.alone else self._known
        return Bidder(system, opponents=known, limit=None, look=self.setting.look, experience="")

    def _callers(self, system: System, us: Bidder) -> list[Caller]:
        """Us with a system, and the member, who is told what we play."""
        mine = BidderCaller(us)
        if self._caller is not None:
            return [mine, self._caller]
        if self._pair is not None:
            theirs = bidder_of(self._pair, systems=self._systems, told=system)
            return [mine, BidderCaller(theirs)]
        if system is self.system:
            return [mine, mine]
        return [mine, BidderCaller(self._bidder(self.system, system))]

    def _bid_all(self, us: Bidder) -> list[Auction]:
        callers = self._callers(self.system, us)
        if self.alone:
            once = [Sitting(board, (0, 0, 0, 0)) for board in self.setting.boards]
            found = [one.auction for one in bid_tables(once, callers)]
            return [auction for auction in found for _ in range(2)]
        return self._bid(self.sittings, callers)

    def _bid(self, sittings: Sequence[Sitting], callers: Sequence[Caller]) -> list[Auction]:
        found = []
        for one in bid_tables(sittings, callers):
            if one.faults:
                raise PidmError(f"{self.member}: board {one.sitting.board.number}: {one.faults[0]}")
            found.append(one.auction)
        return found

    # ------------------------------------------------------------------ decisions

    def _grouped(self, us: Bidder, known: Mapping[Auction, _Group]) -> list[_Group]:
        """Our decisions by auction; where nothing has changed since, as they are known."""
        asked: dict[Auction, list[tuple[int, Hand, Call]]] = defaultdict(list)
        for place, (sitting, auction) in enumerate(zip(self.sittings, self.auctions)):
            history = Auction(auction.dealer, auction.vul)
            for call in auction.calls:
                if sitting.seats[history.actor] == 0:
                    asked[history].append((place, sitting.board.deal[history.actor], call))
                history = history.after(call, check=False)
        groups = []
        for history, decisions in asked.items():
            tables, made = tuple(place for place, _, _ in decisions), tuple(call for _, _, call in decisions)
            old = known.get(history)
            if old is not None and old.tables == tables and old.made == made:
                groups.append(old)
                continue
            situation = self._situation(us, history)
            hands = np.array([hand.masks for _, hand, _ in decisions], dtype=np.uint16)
            calls = tuple(dict.fromkeys(made))
            groups.append(
                _Group(
                    history,
                    tables,
                    hands,
                    situation.choices(HandColumns(hands)).preferred(),
                    made,
                    {call: _told(situation, call) for call in calls},
                    frozenset(instance.block.position for instance in situation.blocks),
                    {call: _lines_of(situation, call) for call in calls},
                )
            )
        return groups

    def _untouched(self, blocks: Iterable[int] | None) -> dict[Auction, _Group]:
        """The decisions before which none of these blocks had a say, nor in them."""
        if blocks is None:
            return {}
        touched = {
            self._groups[number].auction for position in blocks for number in self._index.get(position, ())
        }
        found = {}
        for group in self._groups:
            history = group.auction
            before = (
                Auction(history.dealer, history.vul, history.calls[:k]) for k in range(len(history.calls) + 1)
            )
            if touched.isdisjoint(before):
                found[history] = group
        return found

    @staticmethod
    def _situation(bidder: Bidder, auction: Auction) -> Situation:
        return bidder.table(auction.actor).situation(auction)

    @cached_property
    def uses(self) -> Counter[Mark]:
        """How many calls each line has made."""
        found: Counter[Mark] = Counter()
        for group in self._groups:
            for call, times in Counter(group.made).items():
                for mark in group.lines[call]:
                    found[mark] += times
        return found

    def touched(self, system: System, blocks: Iterable[int] | None) -> dict[int, Auction]:
        """The tables that another system bids otherwise, each with the auction up to where it does.

        `blocks` are the positions of those in which the two differ; None for any.
        """
        return Attempt(self, system, blocks).starts(range(len(self.setting.boards)))

    # ------------------------------------------------------------------ trials

    def rebid(self, system: System, starts: Mapping[int, Auction]) -> dict[int, Auction]:
        """The auctions of some tables with another system, from where they begin to differ."""
        return Attempt(self, system, None).rebid(starts)

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
        if self.alone:
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
        return Ground(system, self.setting, self.member, auctions, self, blocks)

    def close(self) -> None:
        """Nothing more will be bid."""
        if self._caller is not None:
            self._caller.close()


class Attempt:
    """A system on trial at the tables of a ground: some boards after the other, read only once."""

    def __init__(self, ground: Ground, system: System, blocks: Iterable[int] | None):
        """`blocks` are the positions of those in which it differs; None for any."""
        self.ground, self.system, self.blocks = ground, system, blocks
        self._us = ground._bidder(system)
        self._callers = ground._callers(system, self._us)

    def starts(self, boards: Container[int]) -> dict[int, Auction]:
        """The tables of these boards that are bid otherwise, each with the auction up to where it is."""
        ground = self.ground
        if self.blocks is None:
            return {
                place: Auction(one.dealer, one.vul)
                for place, one in enumerate(ground.auctions)
                if place // 2 in boards
            }
        numbers = sorted({number for position in self.blocks for number in ground._index.get(position, ())})
        found: dict[int, Auction] = {}
        for number in numbers:
            group = ground._groups[number]
            rows = [row for row, place in enumerate(group.tables) if place // 2 in boards]
            if not rows:
                continue
            situation = ground._situation(self._us, group.auction)
            calls = situation.choices(HandColumns(group.hands[rows])).preferred()
            told: dict[Call, bool] = {}
            for row, call in zip(rows, calls):
                place, made = group.tables[row], group.made[row]
                if made not in told:
                    told[made] = _told(situation, made) != group.shown[made]
                if call != group.by_rules[row]:
                    start = group.auction
                elif told[made]:
                    start = group.auction.after(made, check=False)
                else:
                    continue
                if place not in found or len(start.calls) < len(found[place].calls):
                    found[place] = start
        return found

    def rebid(self, starts: Mapping[int, Auction]) -> dict[int, Auction]:
        """The auctions of some tables, from where they begin to differ."""
        tables = self.ground.sittings
        sittings = [
            Sitting(tables[place].board, tables[place].seats, before=start.calls)
            for place, start in starts.items()
        ]
        return dict(zip(starts, self.ground._bid(sittings, self._callers)))


def _lines_of(situation: Situation, call: Call) -> frozenset[Mark]:
    """Where the lines stand that make a call."""
    return frozenset(rule.line.spec.mark for rule in situation.meaning_of(call).rules)


def _told(situation: Situation, call: Call) -> tuple[Bounds, object]:
    """What a call shows, and what it asks partner to do."""
    meant = situation.meaning_of(call)
    rule = meant.rules[0] if meant.rules else None
    if rule is None:
        return meant.shown, None
    return meant.shown, (rule.forcing, rule.agrees, rule.line.spec.starts, rule.line.spec.ends)
