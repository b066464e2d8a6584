"""Bidding at many tables at once: auctions advance in step, questions to one caller go out together."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat
from pidm.core.choices import DecidedBy
from pidm.play.calling import Answer, Caller, Departure
from pidm.play.decision import Question
from pidm.play.match_boards import Board

Seats = tuple[int | None, int | None, int | None, int | None]
"""Who sits N E S W, as the place in a list of callers; None is nobody: scripted calls, then passes."""


@dataclass(frozen=True)
class Fault:
    """What somebody did who could not be understood or may not call that."""

    seat: Seat
    """Who."""
    at: int
    """Which call of the auction it should have been, counted from 0."""
    what: str
    """What happened."""
    ended: bool
    """Whether there was no call at all, so that the board could not be bid to its end."""

    def __str__(self) -> str:
        return f"{self.seat} at call {self.at + 1} {self.what}"


@dataclass(frozen=True)
class Sitting:
    """A board to be bid at one table."""

    board: Board
    seats: Seats
    """Who sits where."""
    script: tuple[Call, ...] = ()
    """What the seats without a caller call, one after the other; then, and where it is illegal, they pass."""
    before: tuple[Call, ...] = ()
    """The auction so far."""


@dataclass(frozen=True)
class Bidding:
    """How a table bid."""

    sitting: Sitting
    auction: Auction
    """As far as it went."""
    faults: tuple[Fault, ...] = ()
    expected: tuple[tuple[int, float], ...] = ()
    """What callers expected their side to score, by the number of the call."""
    counters: tuple[dict[str, float], ...] = ()
    """What the calls of N E S W took."""
    refined: tuple[int, ...] = ()
    """The numbers of the calls that training had settled."""
    departures: tuple[tuple[int, Departure], ...] = ()
    """Where simulations departed from a caller's system, by the number of the call."""

    @property
    def complete(self) -> bool:
        """Whether the auction was bid to its end."""
        return not any(fault.ended for fault in self.faults)


@dataclass
class _Open:
    """A table whose auction goes on."""

    sitting: Sitting
    auction: Auction
    faults: list[Fault] = field(default_factory=list)
    expected: list[tuple[int, float]] = field(default_factory=list)
    counters: tuple[dict[str, float], ...] = field(default_factory=lambda: ({}, {}, {}, {}))
    barred: set[Seat] = field(default_factory=set)
    """Who must pass from now on."""
    scripted: int = 0
    refined: list[int] = field(default_factory=list)
    departures: list[tuple[int, Departure]] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return self.auction.over or any(fault.ended for fault in self.faults)

    def unasked(self) -> Call | None:
        """The call that needs no caller, if it is the turn of such a seat."""
        actor = self.auction.actor
        if self.sitting.seats[actor] is None:
            call = PASS
            if self.scripted < len(self.sitting.script):
                call = self.sitting.script[self.scripted]
                self.scripted += 1
            return call if self.auction.is_legal(call) else PASS
        return PASS if actor in self.barred else None

    def take(self, answer: Answer) -> None:
        """Go on with an answer, or note what is wrong with it."""
        actor, at = self.auction.actor, len(self.auction.calls)
        add(self.counters[actor], answer.counters)
        if answer.by is DecidedBy.REFINEMENT:
            self.refined.append(at)
        if answer.call is not None and self.auction.is_legal(answer.call):
            if answer.expected is not None:
                self.expected.append((at, answer.expected))
            if answer.departure is not None:
                self.departures.append((at, answer.departure))
            self.auction = self.auction.after(answer.call, check=False)
            return
        if answer.silent:
            self.faults.append(Fault(actor, at, answer.fault, True))
            return
        # As the laws have it: the call is cancelled, a legal one put in its place, and partner must pass from
        # now on. The legal one is pass.
        what = answer.fault or f"called {answer.call} after {self.auction or 'nothing'}, which is illegal"
        self.faults.append(Fault(actor, at, what, False))
        self.barred.add(actor.partner)
        self.auction = self.auction.after(PASS)

    def result(self) -> Bidding:
        faults, expected, refined = tuple(self.faults), tuple(self.expected), tuple(self.refined)
        departures = tuple(self.departures)
        return Bidding(self.sitting, self.auction, faults, expected, self.counters, refined, departures)


def add(total: dict[str, float], more: Mapping[str, float]) -> None:
    """Add numbers by name."""
    for name, number in more.items():
        total[name] = total.get(name, 0) + number


def bid_tables(
    sittings: Sequence[Sitting], callers: Sequence[Caller], seconds: dict[str, float] | None = None
) -> list[Bidding]:
    """Bid all tables to the end.

    A caller is asked the same question once: the answer holds wherever the same hand is in the same auction.
    So a caller that plays against itself bids both tables of a board alike, even if it would not answer the
    same way twice. The time that each caller took is added to `seconds`, by its place.
    """
    seconds = {} if seconds is None else seconds
    same = [callers.index(caller) for caller in callers]
    tables = [_Open(one, Auction(one.board.dealer, one.board.vul, one.before)) for one in sittings]
    known: dict[tuple[int, Question], Answer] = {}
    live = [table for table in tables if not table.done]
    while live:
        asked: dict[int, dict[Question, None]] = defaultdict(dict)
        waiting: list[tuple[_Open, tuple[int, Question]]] = []
        for table in live:
            call = table.unasked()
            if call is not None:
                table.auction = table.auction.after(call, check=False)
                continue
            actor = table.auction.actor
            place = table.sitting.seats[actor]
            assert place is not None
            caller = same[place]
            question = (table.sitting.board.deal[actor], table.auction)
            if (caller, question) not in known:
                asked[caller][question] = None
            waiting.append((table, (caller, question)))
        for caller, questions in asked.items():
            began = time.perf_counter()
            answers = callers[caller].answers(list(questions))
            add(seconds, {str(caller): time.perf_counter() - began})
            known.update(((caller, question), answer) for question, answer in zip(questions, answers))
        for table, key in waiting:
            table.take(known[key])
        live = [table for table in live if not table.done]
    return [table.result() for table in tables]
