"""Results of boards and problems as lines of a journal, and back: the same results, to the last digit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pidm import __version__
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.match.challenge import Problem, Solution
from pidm.match.duplicate import Played, Result
from pidm.match.gains import Gain
from pidm.play.journal import Journal
from pidm.play.match_boards import Board
from pidm.play.room import Kept, Setup
from pidm.play.solved_deals import ns_score
from pidm.play.systems import Systems, digest
from pidm.play.tables import Fault, Seats


def about(kind: str, setups: Sequence[Setup], tasks: Iterable[object], **options: Any) -> dict[str, Any]:
    """What a run must have in common with one that it goes on with: all but how the work is spread."""
    systems = Systems()
    texts = "\n".join(map(repr, tasks))
    return {
        "kind": kind,
        "pidm": __version__,
        "pairs": [str(pair) for setup in setups for pair in setup.pairs],
        "systems": [digest(one) for setup in setups for pair in setup.pairs for one in systems.of_pair(pair)],
        "seed": setups[0].seed,
        "scoring": setups[0].form,
        "tasks": hashlib.sha256(texts.encode()).hexdigest()[:16],
        **options,
    }


def kept_boards(path: Path | None, resume: bool, about: Mapping[str, Any]) -> Kept[Board, Result] | None:
    """Where the boards of a match are kept, if anywhere."""
    return Kept(Journal(path, about, resume), plain_result, read_result) if path is not None else None


def kept_problems(
    path: Path | None, resume: bool, about: Mapping[str, Any]
) -> Kept[Problem, Solution] | None:
    """Where the problems of a challenge are kept, if anywhere."""
    return Kept(Journal(path, about, resume), plain_solution, read_solution) if path is not None else None


def plain_result(result: Result) -> dict[str, Any]:
    """A board as plain data, its deal too for whoever looks on while others are still being played."""
    board = result.board
    return {
        "board": board.number,
        "dealer": str(board.dealer),
        "vul": str(board.vul),
        "deal": str(board.deal),
        "tables": [_plain_table(table) for table in result.tables],
        "imps": result.imps,
        "matchpoints": result.matchpoints,
        "solved": None if result.solved is None else result.solved.tolist(),
    }


def read_result(data: Mapping[str, Any], board: Board) -> Result:
    """The result of this board."""
    _check(data["board"], board.number)
    solved = data["solved"]
    return Result(
        board,
        tuple(_table(one, board) for one in data["tables"]),
        data["imps"],
        data["matchpoints"],
        None if solved is None else np.array(solved, dtype=np.int8).reshape(5, 4),
    )


def _plain_table(table: Played) -> dict[str, Any]:
    return {
        "seats": table.seats,
        "calls": _calls(table.auction),
        "tricks": table.tricks,
        "faults": [[int(one.seat), one.at, one.what, one.ended] for one in table.faults],
        "expected": table.expected,
        "counters": table.counters,
        "gains": [[one.at, str(one.own), one.added, one.predicted, one.realised] for one in table.gains],
    }


def _table(data: Mapping[str, Any], board: Board) -> Played:
    auction = _auction(data["calls"], board.dealer, board.vul)
    faults = tuple(Fault(Seat(seat), at, what, ended) for seat, at, what, ended in data["faults"])
    complete = not any(fault.ended for fault in faults)
    contract, tricks = auction.contract if complete else None, data["tricks"]
    known = complete and (contract is None or tricks is not None)
    north, east, south, west = data["seats"]
    seats: Seats = (north, east, south, west)
    return Played(
        seats,
        auction,
        contract,
        tricks,
        ns_score(contract, board.vul, tricks) if known else None,
        faults,
        tuple((at, worth) for at, worth in data["expected"]),
        tuple(data["counters"]),
        tuple(Gain(at, Call.from_str(own), *rest) for at, own, *rest in data["gains"]),
    )


def plain_solution(solution: Solution) -> dict[str, Any]:
    """A solved problem as plain data; the problem is known."""
    return {
        "problem": solution.problem.number,
        "calls": _calls(solution.auction),
        "complete": solution.complete,
        "fault": solution.fault,
        "ltc": solution.ltc,
        "dds": solution.dds,
        "award": solution.award,
        "best": dict(solution.best),
        "counters": dict(solution.counters),
        "refined": solution.refined,
    }


def read_solution(data: Mapping[str, Any], problem: Problem) -> Solution:
    """The solution of this problem."""
    _check(data["problem"], problem.number)
    auction = _auction(data["calls"], problem.dealer, problem.vul)
    same = ("complete", "fault", "ltc", "dds", "award", "best", "counters")
    return Solution(problem, auction, **{name: data[name] for name in same}, refined=tuple(data["refined"]))


def _check(found: object, expected: int) -> None:
    if found != expected:
        raise ValueError(f"expected the result of number {expected}, not of {found!r}")


def _calls(auction: Auction) -> str:
    return " ".join(map(str, auction.calls))


def _auction(calls: str, dealer: Seat, vul: Any) -> Auction:
    auction = Auction(dealer, vul)
    for call in calls.split():
        auction = auction.after(Call.from_str(call))
    return auction
