"""How good a partner of strangers a pair is: the measures of Lockhart et al. (2020), section 4.2.

    scripts/measure partners two_over_one,no-search club.pair --boards 10000 --seed 1

Both are described as in `pidm match`. Three figures in IMPs a deal, with their standard errors:
team      our pair against theirs, each deal at two tables
partner   one of us in the place of one of them, at each of the four seats, against four of them
host      one of them in the place of one of us, against four of us
The last two add up the four seats. They are positive for a partner who is better than one of the hosts' own.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from rich.console import Console
from rich.progress import track

from pidm.bridge.scoring import imps
from pidm.play.calling import make_caller
from pidm.play.match_boards import Board, random_boards
from pidm.play.pair import Pair
from pidm.play.solved_deals import Solver, ns_score
from pidm.play.systems import Systems
from pidm.play.tables import Bidding, Sitting, bid_tables

US, THEM, GUEST = 0, 1, 2
"""Our pair, theirs, and one of us who knows that partner is one of them."""
TOGETHER = 250
"""Boards that are bid together."""
SEATS = range(4)


def _one_among(guest: int, hosts: int) -> list[tuple[int, ...]]:
    return [tuple(guest if seat == place else hosts for seat in SEATS) for place in SEATS]


LAYOUTS = [
    (US, THEM, US, THEM),
    (THEM, US, THEM, US),
    (THEM,) * 4,
    *_one_among(GUEST, THEM),
    (US,) * 4,
    *_one_among(THEM, US),
]
"""Who sits N E S W at the tables of a deal."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("pair", help="who is measured, such as two_over_one,no-search")
    parser.add_argument("hosts", help="who they play with and against: a pair, a model, or engine:COMMAND")
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)


def measure(options: argparse.Namespace) -> None:
    """Print the figures."""
    us, them = Pair.from_str(options.pair), Pair.from_str(options.hosts)
    guest = replace(us, partner=us.partner or them.system or None)
    systems = Systems()
    callers = [
        make_caller(us, them, systems, 0, "imps"),
        make_caller(them, us, systems, 0, "imps"),
        make_caller(guest, them, systems, 0, "imps"),
    ]
    solver = Solver()
    boards = random_boards(options.boards, options.seed)
    parts = [boards[k : k + TOGETHER] for k in range(0, len(boards), TOGETHER)]
    scores = []
    for part in track(parts, "deals", console=Console(stderr=True), transient=True):
        sittings = [Sitting(board, seats) for board in part for seats in LAYOUTS]
        scores.append(_scores(part, bid_tables(sittings, callers), solver))
    for caller in callers:
        caller.close()
    figures = _figures(np.concatenate(scores))
    if options.json:
        print(json.dumps({"boards": options.boards, **figures}))
        return
    for name, (mean, error) in figures.items():
        print(f"{name:8} {mean:+.3f} ({error:.3f}) IMPs a deal, {options.boards:,} deals")


def _scores(boards: Sequence[Board], biddings: Sequence[Bidding], solver: Solver) -> np.ndarray:
    """int[boards, layouts], what N-S score, double dummy."""
    played = [one for one in biddings if one.auction.contract is not None]
    contracts = [(one.sitting.board.deal, one.auction.contract) for one in played]
    tricks = solver.tricks([(deal, made.strain, made.declarer) for deal, made in contracts if made])
    taken = {id(one): number for one, number in zip(played, tricks)}
    flat = [ns_score(one.auction.contract, one.auction.vul, taken.get(id(one))) for one in biddings]
    return np.array(flat).reshape(len(boards), len(LAYOUTS))


def _figures(scores: np.ndarray) -> dict[str, tuple[float, float]]:
    """Mean and standard error of each measure."""
    team = imps(scores[:, 0] - scores[:, 1])
    partner = _strangers(scores[:, 2], scores[:, 3:7])
    host = _strangers(scores[:, 7], scores[:, 8:12])
    named = {"team": team, "partner": partner, "host": host}
    return {
        name: (float(np.mean(won)), float(np.std(won, ddof=1) / len(won) ** 0.5))
        for name, won in named.items()
    }


def _strangers(alone: np.ndarray, visited: np.ndarray) -> np.ndarray:
    """What the side with a stranger wins on what it scores without, added up over the seats."""
    sides = np.array([1, -1, 1, -1])
    return np.asarray((imps(visited - alone[:, None]) * sides).sum(axis=1))
