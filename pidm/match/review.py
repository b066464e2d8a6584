"""Boards that people have bid, reviewed call by call.

For every call: does it fit the system that its side plays, what would the engine call, what did the call cost
on average (simulated, with its error), and was par, double dummy, still within reach after it?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import STRAINS, Call, Contract, Seat
from pidm.bridge.par_auction import within_reach
from pidm.bridge.scoring import imps, par
from pidm.core.limit import Limit
from pidm.language.system import System
from pidm.play.pool import Pool
from pidm.play.solved_deals import Solver, default_store, ns_score
from pidm.play.weighing import Verdict, weigh
from pidm.reading.table import Table
from pidm.records.boards import Note, Record, dumps

SECONDS = 0.6
"""Time for the simulation of a call."""
DEAR = 0.5
"""IMPs from which on a clear loss is called a mistake."""
KINDS = {
    "opening": "opening bids",
    "response": "responses",
    "rebid": "opener's rebids",
    "defence": "overcalls and takeout doubles",
    "competing": "contested auctions",
    "slam": "slam decisions",
    "later": "other later calls",
}
"""Kinds of decisions."""


@dataclass(frozen=True)
class ReviewedCall:
    """One call of a board."""

    at: int
    """Which call of the auction, counted from 0."""
    seat: Seat
    kind: str
    """One of `KINDS`."""
    verdict: Verdict
    shows: str
    """What the call means in the system."""
    meanings: Mapping[Call, str]
    """The same for every call that came into question; of calls that no rule speaks of nothing is known."""
    reach: tuple[int, int] | None
    """What NS could still reach double dummy before and after the call; None if a hand is not known."""

    @property
    def lost(self) -> float:
        """IMPs that it lost on average, if that is clear; else nothing."""
        cost = self.verdict.cost
        return cost if cost is not None and self.verdict.clear else 0.0

    @property
    def mistake(self) -> bool:
        """Whether it is worth a word."""
        return self.lost >= DEAR

    @property
    def par_lost(self) -> int:
        """IMPs that fell out of the reach of the caller's side, double dummy."""
        if self.reach is None:
            return 0
        before, after = self.reach
        return abs(imps(before - after))

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        found = self.verdict.to_dict()
        for option, plain in zip(self.verdict.options, found["options"]):
            plain["shows"] = self.meanings.get(option.call, "")
        told = {
            **found,
            "at": self.at,
            "seat": str(self.seat),
            "kind": self.kind,
            "shows": self.shows,
            "reach": list(self.reach) if self.reach else None,
            "par_lost": self.par_lost,
            "lost": round(self.lost, 3),
            "mistake": self.mistake,
        }
        return {**told, "remark": remark(told)}


@dataclass(frozen=True)
class ReviewedBoard:
    """A board with what is to be said of its calls."""

    record: Record
    calls: tuple[ReviewedCall, ...]
    """Those whose hand is known."""
    par_score: int | None = None
    """What NS score at par."""
    par_contracts: tuple[Contract, ...] = ()
    tricks: int | None = None
    """What declarer takes double dummy in the contract that was bid."""
    score: int | None = None
    """What NS score with it."""
    trouble: str = ""
    """Why the board was not reviewed, if so."""

    @property
    def lost_at(self) -> ReviewedCall | None:
        """The call with which par was lost: the one that let most of it go, double dummy."""
        lost = [call for call in self.calls if call.par_lost]
        return max(lost, key=lambda call: call.par_lost, default=None)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        record, auction = self.record, self.record.auction
        lost = self.lost_at
        told = {
            "board": record.board,
            "dealer": str(auction.dealer) if auction else None,
            "vul": str(auction.vul) if auction else None,
            "hands": {str(seat): str(hand) for seat, hand in zip(Seat, record.hands) if hand is not None},
            "calls": [str(call) for call in auction.calls] if auction else [],
            "players": players_of(record),
            "contract": str(record.contract) if record.contract else None,
            "taken": record.tricks,
            "tricks": self.tricks,
            "score": self.score,
            "par": None
            if self.par_score is None
            else {"score": self.par_score, "contracts": [str(one) for one in self.par_contracts]},
            "lost_at": lost.at if lost else None,
            "reviewed": [call.to_dict() for call in self.calls],
            "lin": dumps([record], "lin").strip().replace("\n", "") if record.deal and auction else "",
            "trouble": self.trouble,
        }
        return {**told, "said": in_words(told) if told["par"] is not None else ""}


def players_of(record: Record) -> dict[str, str]:
    """The players by seat, as far as the file names them."""
    names = {"N": "North", "E": "East", "S": "South", "W": "West"}
    return {
        seat: record.tags[name] for seat, name in names.items() if record.tags.get(name, "").strip("-?* ")
    }


def review_board(table: Table, record: Record, limit: Limit | None, solver: Solver) -> ReviewedBoard:
    """Review one board; without a limit nothing is simulated."""
    auction = record.auction
    if auction is None or not auction.calls:
        return ReviewedBoard(record, (), trouble="no auction is recorded")
    if all(hand is None for hand in record.hands):
        return ReviewedBoard(record, (), trouble="no hand is recorded")
    deal = record.deal
    reach = None
    board = ReviewedBoard(record, ())
    if deal is not None:
        solved = solver.tables([deal])[0]
        reach = within_reach(auction, solved)
        best = par(deal, auction.vul, auction.dealer, solved)
        board = replace(board, par_score=best.score, par_contracts=best.contracts)
        if auction.over:
            contract = auction.contract
            tricks = (
                None
                if contract is None
                else int(solved[STRAINS.index(contract.strain), int(contract.declarer)])
            )
            board = replace(board, tricks=tricks, score=ns_score(contract, auction.vul, tricks))
    calls = []
    for at, call in enumerate(auction.calls):
        before = Auction(auction.dealer, auction.vul, auction.calls[:at])
        hand = record.hands[before.actor]
        if hand is None:
            continue
        verdict = weigh(table, hand, before, call, limit, glimpses=4)
        ends = (reach[at], reach[at + 1]) if reach is not None else None
        told = meanings(table, before, [call, *(option.call for option in verdict.options)])
        shows = told.get(call, "no agreement")
        calls.append(ReviewedCall(at, before.actor, kind_of(before, call), verdict, shows, told, ends))
    return replace(board, calls=tuple(calls))


def meanings(table: Table, auction: Auction, calls: Iterable[Call]) -> dict[Call, str]:
    """What calls would show, those of which something is known."""
    from pidm.authoring.explain import explain_call
    from pidm.language.words import ANY_HAND

    situation = table.situation(auction)
    found = {call: explain_call(situation, call, auction.actor) for call in calls}
    # What is not agreed on may be read as natural; if that says nothing about the hand, nothing is said.
    return {call: told.shows for call, told in found.items() if not told.natural or told.shows != ANY_HAND}


def kind_of(auction: Auction, call: Call) -> str:
    """What kind of decision a call is."""
    actor, last = auction.actor, auction.last_bid
    if last is None:
        return "opening"
    acted = {Seat.N: False, Seat.E: False, Seat.S: False, Seat.W: False}
    for at, one in enumerate(auction.calls):
        if one != 0:
            acted[auction.seat_of(at)] = True
    ours = acted[actor] or acted[actor.partner]
    theirs = acted[actor.lho] or acted[actor.rho]
    if not ours:
        return "defence"
    if max(last.level, call.level if call.is_bid else 0) >= 5:
        return "slam"
    if theirs:
        return "competing"
    if not acted[actor]:
        return "response"
    bids = sum(acted[seat] for seat in (actor, actor.partner))
    mine = [one for at, one in enumerate(auction.calls) if auction.seat_of(at) == actor and one != 0]
    return "rebid" if bids == 2 and len(mine) == 1 and _opened(auction, actor) else "later"


def _opened(auction: Auction, seat: Seat) -> bool:
    first = next(at for at, one in enumerate(auction.calls) if one.is_bid)
    return auction.seat_of(first) == seat


@lru_cache(maxsize=4)
def _table(ns: str, ew: str) -> Table:
    ours = System.load(ns)
    return Table.of(ours) if ns == ew else Table((ours, System.load(ew)))


def _work(ns: str, ew: str, record: Record, seconds: float | None) -> ReviewedBoard:
    limit = Limit(seconds=seconds) if seconds else None
    return review_board(_table(ns, ew), record, limit, Solver(default_store()))


def review(
    records: Sequence[Record],
    ns: str,
    ew: str,
    seconds: float | None = SECONDS,
    pool: Pool | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[ReviewedBoard]:
    """Review boards, in their order and as they come; to stop early, close the iterator."""
    pieces = [(ns, ew, record, seconds) for record in records]
    coming = (pool or Pool(1)).do(_work, pieces)
    with closing(coming):  # type: ignore[type-var]
        for number, board in enumerate(coming, 1):
            if progress is not None:
                progress(number)
            yield board


# ---------------------------------------------------------------------- back into the file


def annotated(record: Record, board: Mapping[str, Any]) -> Record:
    """The record with its review in notes and comments; everything else stays."""
    notes = {note.at: note for note in record.notes}
    for call in board["reviewed"]:
        said = remark(call)
        if said:
            old = notes.get(call["at"], Note(call["at"]))
            notes[call["at"]] = replace(old, text=f"{old.text}; {said}" if old.text else said)
    comments = record.comments
    if board["par"] is not None:
        comments = (*comments, f"pidm: {in_words(board)}")
    return replace(record, notes=tuple(notes[at] for at in sorted(notes)), comments=comments)


def remark(call: Mapping[str, Any]) -> str:
    """What is written beside a call; nothing when there is nothing to say."""
    if call["mistake"]:
        return f"pidm: {call['best']}, this loses {call['lost']:.1f} IMPs (+-{call['error']:.1f})"
    if call["fits"] == "outside":
        return f"pidm: the system says {call['preferred']}"
    return ""


def in_words(board: Mapping[str, Any]) -> str:
    """Par and the call that lost it, in a sentence."""
    contracts = ", ".join(board["par"]["contracts"][:2]) or "passed out"
    text = f"par NS {board['par']['score']:+d} ({contracts})"
    if board["score"] is not None:
        text += f", the contract NS {board['score']:+d}"
    if board["lost_at"] is not None:
        lost = next(call for call in board["reviewed"] if call["at"] == board["lost_at"])
        text += f"; par was lost by {lost['made']} of {lost['seat']} ({counted(lost['par_lost'])})"
    return text


def counted(imps: int) -> str:
    """`1 IMP`, `9 IMPs`."""
    return f"{imps} IMP" if imps == 1 else f"{imps} IMPs"
