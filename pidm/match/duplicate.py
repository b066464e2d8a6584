"""Duplicate matches: every board at two tables, the pairs changing directions, scored double dummy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Contract, Seat
from pidm.bridge.scoring import imps
from pidm.match.gains import Gain, gains_of
from pidm.match.statistics import Mean, Sprt, mean_of
from pidm.play.match_boards import Board
from pidm.play.pool import Pool
from pidm.play.room import Effort, Kept, Room, Setup, chunks, results_of
from pidm.play.solved_deals import ns_score
from pidm.play.tables import Bidding, Fault, Seats, Sitting, bid_tables

DUPLICATE: tuple[Seats, ...] = ((0, 1, 0, 1), (1, 0, 1, 0))
"""Open room: pair A sits north-south. Closed room: east-west."""
AVERAGE_PLUS = {"imps": 3.0, "matchpoints": 0.1}
"""What a pair gets above average when the other is at fault that a board has no result:
3 IMPs, 60 percent of the matchpoints."""
BOARDS_TOGETHER = 25
"""Boards of one piece of work when calls are quick; when they may be slow, boards come one by one."""


@dataclass(frozen=True)
class Played:
    """A board at one table."""

    seats: Seats
    """Which pair sat N E S W."""
    auction: Auction
    contract: Contract | None
    """None also when the auction was not finished."""
    tricks: int | None
    """Declarer's, double dummy; None where nothing had to be solved."""
    ns_score: int | None
    """What NS scored; None without a result."""
    faults: tuple[Fault, ...] = ()
    expected: tuple[tuple[int, float], ...] = ()
    """What callers expected their side to score, by the number of the call."""
    counters: tuple[dict[str, float], ...] = ()
    """What the calls of N E S W took."""
    gains: tuple[Gain, ...] = ()
    """What simulations thought that they would gain on the callers' systems, and what they did."""

    @property
    def complete(self) -> bool:
        """Whether the board was bid to its end."""
        return not any(fault.ended for fault in self.faults)

    def score(self, pair: int) -> int | None:
        """What a pair scored."""
        if self.ns_score is None:
            return None
        return self.ns_score if self.seats[Seat.N] == pair else -self.ns_score


@dataclass(frozen=True)
class Result:
    """A board of a match."""

    board: Board
    tables: tuple[Played, ...]
    """Open room, closed room, and further tables if there are any."""
    imps: float
    """What pair A wins."""
    matchpoints: float
    """The same as a share of the matchpoints above average: one half, nothing, or minus one half."""
    solved: npt.NDArray[np.int8] | None = field(default=None, compare=False)
    """The double-dummy table, strains S H D C N by declarers N E S W, if it was asked for."""

    def points(self, form: str) -> float:
        """What pair A wins in this form of scoring."""
        return self.matchpoints if form == "matchpoints" else self.imps

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """What went wrong in the two rooms, with the place of the pair that did it."""
        return [(table.seats[fault.seat] or 0, fault) for table in self.tables[:2] for fault in table.faults]


def score_board(board: Board, tables: Sequence[Played]) -> Result:
    """The result of a board from its two tables."""
    first, second = tables[:2]
    if first.complete and second.complete:
        mine, theirs = first.ns_score, second.ns_score
        # Without scores both tables ended in the same contract, and nothing had to be solved.
        difference = 0 if mine is None or theirs is None else mine - theirs
        return Result(board, tuple(tables), imps(difference), float(np.sign(difference)) / 2)
    guilty = {table.seats[fault.seat] for table in (first, second) for fault in table.faults if fault.ended}
    sign = 0 if len(guilty) == 2 else -1 if 0 in guilty else 1
    return Result(board, tuple(tables), sign * AVERAGE_PLUS["imps"], sign * AVERAGE_PLUS["matchpoints"])


def play(
    room: Room,
    boards: Sequence[Board],
    layouts: tuple[Seats, ...] = DUPLICATE,
    differing: bool = False,
    solved: bool = False,
    gains: bool = False,
) -> list[Result]:
    """Bid and score boards at the tables of `layouts`, of which the first two count.

    With `differing`, only boards that ended in different contracts are solved; with `solved`, every
    contract of every board. With `gains`, what simulations called instead of a system's call is compared with
    that call: the auction is bid again from there.
    """
    sittings = [Sitting(board, seats) for board in boards for seats in layouts]
    biddings = bid_tables(sittings, room.callers, room.seconds)
    by_board = chunks(biddings, len(layouts))
    rooms = [bidding for tables in by_board for bidding in tables[:2]]
    gained = gains_of(room, rooms) if gains else {}
    full = room.solver.tables([board.deal for board in boards]) if solved else None
    wanted = [
        bidding
        for tables in by_board
        if not (differing and len({_outcome(table) for table in tables}) == 1)
        for bidding in tables
        if bidding.complete and bidding.auction.contract is not None
    ]
    contracts = [
        (bidding.sitting.board.deal, contract.strain, contract.declarer)
        for bidding in wanted
        if (contract := bidding.auction.contract) is not None
    ]
    tricks = {id(bidding): taken for bidding, taken in zip(wanted, room.solver.tricks(contracts))}
    results = []
    for number, (board, tables) in enumerate(zip(boards, by_board)):
        played = [_played(one, tricks.get(id(one)), gained.get(id(one), ())) for one in tables]
        result = score_board(board, played)
        if full is not None:
            result = Result(result.board, result.tables, result.imps, result.matchpoints, full[number])
        results.append(result)
    return results


def _outcome(bidding: Bidding) -> tuple[bool, Contract | None]:
    return bidding.complete, bidding.auction.contract


def _played(bidding: Bidding, tricks: int | None, gains: tuple[Gain, ...] = ()) -> Played:
    auction, seats = bidding.auction, bidding.sitting.seats
    contract = auction.contract if bidding.complete else None
    known = bidding.complete and (contract is None or tricks is not None)
    score = ns_score(contract, auction.vul, tricks) if known else None
    found = bidding.faults, bidding.expected, bidding.counters
    return Played(seats, auction, contract, tricks, score, *found, gains)


@dataclass(frozen=True)
class Match:
    """A match and its outcome, from the side of pair A."""

    setup: Setup
    results: tuple[Result, ...]
    effort: Effort
    seconds: float
    """From beginning to end."""
    sprt: Sprt | None = None
    decision: str = ""
    """What the sequential test decided, `low` or `high`, if it did."""
    tied: int = 0
    """Further boards that both tables bid alike, call for call, so that they need not be played."""

    @property
    def boards(self) -> int:
        """How many boards there were."""
        return len(self.results) + self.tied

    @property
    def points(self) -> list[float]:
        """What pair A won on each board, in the form of scoring of the match."""
        return [result.points(self.setup.form) for result in self.results] + [0.0] * self.tied

    @property
    def mean(self) -> Mean:
        """The mean over boards, in the form of scoring of the match."""
        return mean_of(self.points)

    @property
    def imps(self) -> Mean:
        """The mean in IMPs."""
        return mean_of([result.imps for result in self.results] + [0.0] * self.tied)

    @property
    def differing(self) -> int:
        """On how many boards the two tables bid differently."""
        return sum(result.tables[0].auction != result.tables[1].auction for result in self.results)


Progress = Callable[[Sequence[Result]], object]
"""Sees all results so far."""


def run_match(
    setup: Setup,
    boards: Sequence[Board],
    sprt: Sprt | None = None,
    progress: Progress | None = None,
    layouts: tuple[Seats, ...] = DUPLICATE,
    differing: bool = False,
    solved: bool = False,
    pool: Pool | None = None,
    kept: Kept[Board, Result] | None = None,
    gains: bool = False,
) -> Match:
    """Play the boards, or as many as the sequential test needs, which looks at them in their order.

    The workers of `pool` play; without it this process does. Results are kept as they finish if `kept` says
    where, and those that are there already are not played again.
    """
    began = time.perf_counter()
    results: list[Result] = []
    effort = Effort()
    decision = ""
    work = partial(play, layouts=layouts, differing=differing, solved=solved, gains=gains)
    together = 1 if setup.simulates else BOARDS_TOGETHER
    coming = results_of(work, setup, boards, together, pool or Pool(), kept)
    try:
        for done in coming:
            effort += done.effort
            for result in done.result:
                results.append(result)
                if sprt is not None:
                    decision = sprt.decision([one.points(setup.form) for one in results])
                if decision:
                    break
            if progress is not None:
                progress(results)
            if decision:
                break
    finally:
        coming.close()  # type: ignore[attr-defined]
    return Match(setup, tuple(results), effort, time.perf_counter() - began, sprt, decision)
