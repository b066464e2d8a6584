"""Tables at which people practise: one or two of them, the engine in the other seats."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.errors import PidmError, RequestError
from pidm.play.practice_kinds import KINDS
from pidm.web.history import History
from pidm.web.processes import Processes

MOST_TABLES = 300
"""Tables that are kept in memory; the oldest go first."""
THINKING = 3.0
"""Seconds for the judgement of one call."""


class NoTableError(RequestError):
    """A table that is not there (any more)."""

    status = 404


@dataclass
class PracticeTable:
    """A board being bid."""

    asked: dict[str, Any]
    """What was asked for: systems `us` and `them`, `kind`, `seed`, `number`, `seconds`."""
    paths: dict[str, str]
    """The files of `us` and `them`."""
    people: tuple[Seat, ...]
    """The seats of people."""
    session: str
    """Whose score it counts for."""
    hands: dict[str, str]
    """All four, by seat."""
    auction: Auction
    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    version: int = 0
    meaning: dict[str, Any] = field(default_factory=dict)
    """What the calls so far and the calls possible mean."""
    outcome: dict[str, Any] | None = None
    """The board double dummy, when it is over."""
    verdicts: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What is to be said of the people's calls, by their number."""
    judged: bool = False
    trouble: str = ""
    """What went wrong behind the scenes, for people to read."""
    following: str = ""
    """The table at which these people go on, once one of them has dealt the next board."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def systems(self) -> dict[str, str]:
        """Who plays what."""
        return seated(self.asked, self.people[0])

    @property
    def position(self) -> dict[str, Any]:
        """The auction as the workers take it."""
        return {
            **seated(self.paths, self.people[0]),
            "dealer": str(self.auction.dealer),
            "vul": str(self.auction.vul),
            "calls": [str(call) for call in self.auction.calls],
            "deal": self.deal,
        }

    @property
    def deal(self) -> str:
        """All four hands in one text."""
        return f"N:{' '.join(self.hands[str(seat)] for seat in Seat)}"

    def bump(self) -> None:
        """Tell everybody who looks on that something has changed."""
        self.version += 1
        self.changed.set()
        self.changed = asyncio.Event()

    def seen_from(self, seat: Seat) -> dict[str, Any]:
        """What somebody in a seat may see: one hand, until the auction is over."""
        over = self.auction.over
        return {
            "id": self.name,
            "version": self.version,
            "asked": self.asked,
            "deals": KINDS[self.asked["kind"]].title if self.asked["kind"] in KINDS else "",
            "people": [str(one) for one in self.people],
            "seat": str(seat),
            "systems": self.systems,
            "dealer": str(self.auction.dealer),
            "vul": str(self.auction.vul),
            "calls": [str(call) for call in self.auction.calls],
            "turn": None if over else str(self.auction.actor),
            "over": over,
            "hands": {one: hand for one, hand in self.hands.items() if over or one == str(seat)},
            "made": self.meaning.get("made", []),
            "possible": self.meaning.get("possible", []),
            "shown": self.meaning.get("shown", {}),
            "legal": self.meaning.get("legal", []) if self.ready else [],
            "outcome": self.outcome,
            "verdicts": [self.verdicts[at] for at in sorted(self.verdicts)],
            "to_judge": sum(self.auction.seat_of(i) in self.people for i in range(len(self.auction.calls))),
            "judged": self.judged,
            "trouble": self.trouble,
            "following": self.following,
        }

    @property
    def ready(self) -> bool:
        """Whether the person whose turn it is may call: everything is known that is to be shown."""
        return self.meaning.get("calls") == [str(call) for call in self.auction.calls]


def seated(sides: dict[str, Any], seat: Seat) -> dict[str, str]:
    """What `us` and `them` have, by direction, when we sit here."""
    us, them = sides["us"], sides["them"]
    return {"ns": us, "ew": them} if seat.side == "NS" else {"ns": them, "ew": us}


class Club:
    """All the tables."""

    def __init__(self, pool: Processes, history: History) -> None:
        self._pool = pool
        self._history = history
        self._tables: OrderedDict[str, PracticeTable] = OrderedDict()
        self._background: set[asyncio.Task[None]] = set()

    def find(self, name: str) -> PracticeTable:
        """A table by its name."""
        table = self._tables.get(name)
        if table is None:
            raise NoTableError("this table is closed; deal a new board")
        return table

    async def open(
        self, asked: dict[str, Any], paths: dict[str, str], people: tuple[Seat, ...], session: str
    ) -> PracticeTable:
        """Deal a board and let the engine begin, if it is its turn."""
        wanted = {**asked, **seated(paths, people[0]), "seat": str(people[0])}
        board = await self._pool.slow("practice_board", wanted)
        auction = Auction(Seat.from_str(board["dealer"]), Vul.from_str(board["vul"]))
        table = PracticeTable(asked, paths, people, session, board["hands"], auction)
        self._tables[table.name] = table
        while len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)
        self._spawn(self._go_on(table))
        return table

    async def next(self, table: PracticeTable, asked: dict[str, Any]) -> PracticeTable:
        """Deal a board to the same people; partners who both ask for the next one get the same."""
        async with table.lock:
            if not table.following:
                found = await self.open(asked, table.paths, table.people, table.session)
                table.following = found.name
                table.bump()
        return self.find(table.following)

    async def call(self, table: PracticeTable, seat: Seat, call: Call) -> None:
        """Take the call of a person."""
        async with table.lock:
            if table.auction.over:
                raise RequestError("the auction is over")
            if table.auction.actor != seat or seat not in table.people:
                raise RequestError(f"it is {table.auction.actor}'s turn, not {seat}'s")
            table.auction = table.auction.after(call)
            table.bump()
        self._spawn(self._go_on(table))

    def go_on(self, table: PracticeTable) -> None:
        """Try again what went wrong behind the scenes."""
        if table.trouble:
            table.judged = False
            self._spawn(self._go_on(table))

    def close(self) -> None:
        """Stop what goes on behind the scenes."""
        for task in self._background:
            task.cancel()

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _go_on(self, table: PracticeTable) -> None:
        """Let the engine call until it is a person's turn; when the auction is over, judge it."""
        async with table.lock:
            try:
                if not table.auction.over and table.auction.actor not in table.people:
                    await self._engine_calls(table)
                table.meaning = await self._pool.quick("explain", table.position)
                table.trouble = ""
            except PidmError as error:
                table.trouble = str(error)
            table.bump()
            if table.auction.over and not table.judged and not table.trouble:
                await self._judge(table)

    async def _engine_calls(self, table: PracticeTable) -> None:
        start = table.auction

        def heard(calls: Any) -> None:
            table.auction = start.after_all(Call.from_str(call) for call in calls)
            table.bump()

        people = [str(seat) for seat in table.people]
        args = {**table.position, "people": people, "seconds": table.asked["seconds"]}
        calls = await self._pool.slow("bid_on", args, progress=heard)
        table.auction = start.after_all(Call.from_str(call) for call in calls)

    async def _judge(self, table: PracticeTable) -> None:
        numbers = [at for at in range(len(table.auction.calls)) if table.auction.seat_of(at) in table.people]
        try:
            table.outcome = await self._pool.slow(
                "outcome", {**table.position, "seconds": table.asked["seconds"]}
            )
            table.bump()
            await asyncio.gather(*(self._weigh(table, at) for at in numbers))
        except PidmError as error:
            table.trouble = str(error)
        table.judged = True
        if table.outcome is not None:
            sign = 1 if table.people[0].side == "NS" else -1
            costs = [verdict["cost"] for verdict in table.verdicts.values() if verdict["cost"] is not None]
            self._history.add_practice(
                table.name,
                table.session,
                sum(costs) if costs else None,
                sign * table.outcome["imps_par"],
                {
                    "asked": table.asked,
                    "people": [str(seat) for seat in table.people],
                    "deal": table.deal,
                    "dealer": str(table.auction.dealer),
                    "vul": str(table.auction.vul),
                    "calls": [str(call) for call in table.auction.calls],
                    "contract": table.outcome["contract"],
                    "score": table.outcome["score"],
                },
            )
        table.bump()

    async def _weigh(self, table: PracticeTable, at: int) -> None:
        verdict = await self._pool.slow("weigh", {**table.position, "at": at, "seconds": THINKING})
        table.verdicts[at] = verdict
        table.bump()
