"""Bidding challenges (section 5.1): two hands, opponents whose calls are given, a contract to be measured.

Random challenges are measured against the best contract, by the losing-trick count of section 5.1.2 and by
double dummy averaged over the opponents' cards. Problems from a file come with awards per contract.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import SEATS, STRAINS, Call, Contract, Seat, Vul
from pidm.bridge.cards import Deal, Hand
from pidm.bridge.scoring import imps, score
from pidm.bridge.utilities import LosingTricks
from pidm.bridge.worlds import complete_known, random_deals, to_deals
from pidm.match.report import number, settings_of
from pidm.match.statistics import Mean, mean_of
from pidm.play.best_contract import best_contracts
from pidm.play.calling import Caller
from pidm.play.match_boards import Board
from pidm.play.pool import Pool
from pidm.play.room import Effort, Kept, Room, Setup, results_of
from pidm.play.solved_deals import Solver
from pidm.play.tables import Seats, Sitting, add, bid_tables
from pidm.reading.learned_features import key_of

_DEALT_TOGETHER = 64
PROBLEMS_TOGETHER = 10
VARIABLES = {
    "imps_per_problem": "IMPs/problem",
    "generated_instances": "generated instances",
    "lookaheads": "lookahead invocations",
    "lookahead_ratio": "lookahead invocation ratio",
    "refined_nets": "refined nets used",
    "sampling_failures": "sampling failures",
    "lookahead_stage": "lookahead stage",
}
"""The dependent variables of section 5.1.1."""


@dataclass(frozen=True)
class Problem:
    """Two hands to bid."""

    number: int
    hands: tuple[Hand | None, Hand | None, Hand | None, Hand | None]
    """Those of the pair, at two opposite seats; the others are not known."""
    dealer: Seat = Seat.N
    vul: Vul = Vul.None_
    title: str = ""
    script: tuple[Call, ...] = ()
    """The calls of the opponents, one after the other; then they pass."""
    awards: Mapping[str, float] = field(default_factory=dict, hash=False)
    """What contracts are worth: `6s`, `6s by w`, `pass`; `other` for the rest. Empty: measured by tricks."""
    reference: float = 0.0
    """What awards are compared with."""
    before: tuple[Call, ...] = ()
    """The auction so far."""

    @property
    def first(self) -> Seat:
        """The first of the seats of the pair, N or E."""
        return Seat.N if self.hands[0] is not None else Seat.E

    def seats(self, partner: int = 0) -> Seats:
        """Who sits where: the pair, and nobody. If the two differ, `partner` is the place of the second."""
        return (0, None, partner, None) if self.first == Seat.N else (None, 0, None, partner)

    def deals(self, count: int, seed: int) -> list[Deal]:
        """The deal with the opponents' cards dealt at random, several times."""
        known = np.zeros((4, 4), dtype=np.uint16)
        for seat, hand in zip(SEATS, self.hands):
            if hand is not None:
                known[seat] = hand.masks
        return to_deals(complete_known(known, count, np.random.default_rng([seed, self.number])))

    def award(self, contract: Contract | None) -> float:
        """What a contract is worth, by the awards."""
        names = ["pass"]
        if contract is not None:
            bid = f"{contract.bid}{'X' * contract.doubled}".lower()
            names = [f"{bid} by {contract.declarer}".lower(), bid]
        for name in (*names, "other"):
            if name in self.awards:
                return self.awards[name]
        return 0.0


def random_problems(count: int, seed: int) -> list[Problem]:
    """Random challenges for north and south, of whom at least one can open."""
    problems: list[Problem] = []
    block = 0
    while len(problems) < count:
        deals = to_deals(random_deals(_DEALT_TOGETHER, np.random.default_rng([seed, block])))
        for deal in deals:
            if any(opens(deal[seat]) for seat in (Seat.N, Seat.S)):
                place = len(problems) + 1
                hands = (deal[Seat.N], None, deal[Seat.S], None)
                problems.append(Problem(place, hands, Seat.of_board(place), Vul.of_board(place)))
        block += 1
    return problems[:count]


def opens(hand: Hand) -> bool:
    """Whether a hand is suitable for an opening bid: 12 points, or the rule of twenty."""
    longest = sorted(hand.lengths)[2:]
    return hand.hcp >= 12 or (hand.hcp >= 10 and hand.hcp + sum(longest) >= 20)


@dataclass(frozen=True)
class Solution:
    """How a pair solved a problem."""

    problem: Problem
    auction: Auction
    complete: bool
    """Whether the auction was bid to its end."""
    fault: str
    """What went wrong, if something did."""
    ltc: float | None
    """IMPs against the best contract by the losing-trick count; None for problems with awards."""
    dds: float | None
    """IMPs against the best contract by double dummy; None if not asked for."""
    award: float | None
    """The award, less the reference; None for problems without awards."""
    best: Mapping[str, str]
    """The best contract by each measure."""
    counters: Mapping[str, float]
    """What the calls of the pair took."""
    refined: tuple[int, ...] = ()
    """The numbers of the calls that training had settled."""

    @property
    def contract(self) -> Contract | None:
        """What was reached; None also when the auction was not finished."""
        return self.auction.contract if self.complete else None


def solve_problems(room: Room, problems: Sequence[Problem], layouts: int) -> list[Solution]:
    """Bid problems and measure the contracts; double dummy takes `layouts` deals of the opponents' cards."""
    return solve(problems, room.callers, room.solver, layouts, room.setup.seed, room.seconds)


def solve(
    problems: Sequence[Problem],
    callers: Sequence[Caller],
    solver: Solver,
    layouts: int,
    seed: int = 0,
    seconds: dict[str, float] | None = None,
) -> list[Solution]:
    """The same by these callers: one for both partners, or one for each."""
    dealt = [problem.deals(max(layouts, 1), seed) for problem in problems]
    sittings = [
        Sitting(
            Board(problem.number, deals[0], problem.dealer, problem.vul),
            problem.seats(len(callers) - 1),
            problem.script,
            problem.before,
        )
        for problem, deals in zip(problems, dealt)
    ]
    solutions = []
    for problem, deals, bidding in zip(problems, dealt, bid_tables(sittings, callers, seconds)):
        contract = bidding.auction.contract if bidding.complete else None
        ltc = dds = award = None
        best: dict[str, str] = {}
        if problem.awards:
            award = problem.award(contract) - problem.reference
        else:
            ltc, best["ltc"] = _against_best(problem, contract, _ltc_tricks(deals[0])[None])
            if layouts:
                dds, best["dds"] = _against_best(problem, contract, solver.tables(deals))
        counters: dict[str, float] = {}
        for taken in bidding.counters:
            add(counters, taken)
        solutions.append(
            Solution(
                problem,
                bidding.auction,
                bidding.complete,
                "; ".join(str(one) for one in bidding.faults),
                ltc,
                dds,
                award,
                best,
                counters,
                bidding.refined,
            )
        )
    return solutions


def _ltc_tricks(deal: Deal) -> np.ndarray:
    """The tricks by losing-trick count, strains by declarers, as the solver gives them: float64[5, 4]."""
    world = deal.array[None]
    utility = LosingTricks()
    return np.array([[utility.tricks(world, strain, seat)[0] for seat in SEATS] for strain in STRAINS])


def _against_best(problem: Problem, contract: Contract | None, tricks: np.ndarray) -> tuple[float, str]:
    """The IMPs by which the contract differs from the best one, and that one; tricks are [deals, 5, 4]."""

    def worth(one: Contract) -> float:
        taken = tricks[:, STRAINS.index(one.strain), one.declarer].astype(np.intp)
        return float(score(one, problem.vul, taken).mean())

    [best], [highest] = best_contracts(worth, problem.first)
    reached = 0.0
    if contract is not None:
        ours = contract.declarer in (problem.first, problem.first.partner)
        reached = worth(contract) if ours else -worth(contract)
    return float(imps(np.array([reached - highest]))[0]), str(best or "Pass")


@dataclass(frozen=True)
class Challenge:
    """How a pair did on a set of problems."""

    setup: Setup
    solutions: tuple[Solution, ...]
    effort: Effort
    seconds: float

    def means(self) -> dict[str, Mean]:
        """The mean of every measure there is: `ltc`, `dds`, `award`."""
        found = {}
        for name in ("ltc", "dds", "award"):
            values = [value for one in self.solutions if (value := getattr(one, name)) is not None]
            if values:
                found[name] = mean_of(values)
        return found

    def variables(self) -> dict[str, Any]:
        """The dependent variables of section 5.1.1; IMPs by the first measure there is."""
        mean = next(iter(self.means().values()), Mean(0.0, 0.0, 0))
        return {"imps_per_problem": number(mean.mean), **variables_of(self.solutions)}


def variables_of(solutions: Sequence[Solution]) -> dict[str, Any]:
    """What bidding took: the other six dependent variables of section 5.1.1.

    A player's own calls are counted, each a use of PIDM, and those of them that found several calls open and
    looked ahead; instances and sampling failures are those of simulated players too.
    """
    total: dict[str, float] = {}
    for one in solutions:
        add(total, one.counters)
    lookaheads, calls = total.get("lookaheads", 0), total.get("calls", 0)
    nets = {key_of(one.auction.calls[:at]) for one in solutions for at in one.refined}
    return {
        "generated_instances": int(total.get("generated", 0)),
        "lookaheads": int(lookaheads),
        "lookahead_ratio": number(lookaheads / calls if calls else 0.0),
        "refined_nets": len(nets),
        "sampling_failures": int(total.get("failures", 0)),
        "lookahead_stage": number(total.get("stages", 0) / lookaheads if lookaheads else 0.0),
    }


def run_challenge(
    setup: Setup,
    problems: Sequence[Problem],
    layouts: int,
    progress: Any = None,
    pool: Pool | None = None,
    kept: Kept[Problem, Solution] | None = None,
) -> Challenge:
    """Let the first pair of the setup solve problems; `progress` is told how many are solved."""
    began = time.perf_counter()
    solutions: list[Solution] = []
    effort = Effort()
    size = 1 if setup.simulates else PROBLEMS_TOGETHER
    work = partial(solve_problems, layouts=layouts)
    for done in results_of(work, setup, problems, size, pool or Pool(), kept):
        effort += done.effort
        solutions += done.result
        if progress is not None:
            progress(len(solutions))
    return Challenge(setup, tuple(solutions), effort, time.perf_counter() - began)


def challenge_data(challenge: Challenge, **options: Any) -> dict[str, Any]:
    """A challenge as plain data."""
    return {
        "kind": "challenge",
        "pair": challenge.setup.pairs[0].label,
        "problems": len(challenge.solutions),
        "scores": {
            name: {"imps_per_problem": number(mean.mean), "standard_error": number(mean.error)}
            for name, mean in challenge.means().items()
        },
        "variables": challenge.variables(),
        "settings": settings_of(challenge.setup, **options),
        "timing": {
            "seconds": round(challenge.seconds, 2),
            "bidding": round(sum(challenge.effort.bidding.values()), 2),
            "solving": round(challenge.effort.solving, 2),
        },
        "results": [_solution_data(one) for one in challenge.solutions],
    }


def _solution_data(solution: Solution) -> dict[str, Any]:
    problem = solution.problem
    return {
        "problem": problem.number,
        "title": problem.title,
        "hands": {str(seat): str(hand) for seat, hand in zip(SEATS, problem.hands) if hand is not None},
        "dealer": str(problem.dealer),
        "vul": str(problem.vul),
        "auction": [str(call) for call in solution.auction.calls],
        "contract": str(solution.contract) if solution.contract else None,
        "best": dict(solution.best),
        "ltc": solution.ltc,
        "dds": solution.dds,
        "award": solution.award,
        "fault": solution.fault,
    }


def challenge_lines(challenge: Challenge) -> Iterator[str]:
    """A challenge in a few lines."""
    yield challenge.setup.pairs[0].label
    names = {
        "ltc": "against the best contract by losing tricks",
        "dds": "against the best contract by double dummy",
        "award": "awards against the reference",
    }
    for name, mean in challenge.means().items():
        yield f"  {mean.mean:+.3f} ± {mean.error:.3f} a problem, {names[name]} ({mean.n} problems)"
    for name, value in list(challenge.variables().items())[1:]:
        yield f"  {VARIABLES[name]}: {value:,}"
    faults = [one for one in challenge.solutions if one.fault]
    for one in faults[:5]:
        yield f"  problem {one.problem.number}: {one.fault}"
    yield (
        f"  {challenge.seconds:.1f} s; bidding {sum(challenge.effort.bidding.values()):.1f} s, "
        f"double dummy {challenge.effort.solving:.1f} s over all processes"
    )
