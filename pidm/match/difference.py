"""In which auctions two systems, or two versions of one, call differently, how often, and what it is worth.

Every board is bid by rules, once with the first system at all four seats, then with the second for one side.
Up to the first call that differs the auctions are the same: that call is what the systems disagree about, and
the difference of the scores is what it was worth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pidm.authoring.auction_as_seen import as_seen
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.scoring import imps, score_for
from pidm.bridge.worlds import from_deals
from pidm.language.system import System
from pidm.match.statistics import Mean, mean_of
from pidm.play.match_boards import Board
from pidm.play.solved_deals import Solver
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table

Progress = Callable[[int, int], object]
"""Told how many of the steps are done, and how many there are."""
STEPS = 4
"""Three times bidding, then double dummy."""


@dataclass(frozen=True)
class Different:
    """A board that two systems bid differently."""

    board: Board
    first: Auction
    """By the first system."""
    second: Auction
    """The same with the second system at one of the sides."""
    place: int
    """The number of the first call that differs."""
    imps: float | None = None
    """What the side that changed its system wins by it; None when nothing was solved."""

    @property
    def before(self) -> Auction:
        """The auction that the systems disagree about."""
        return Auction(self.first.dealer, self.first.vul, self.first.calls[: self.place])

    @property
    def calls(self) -> tuple[Call, Call]:
        """What each of them calls there."""
        return self.first.calls[self.place], self.second.calls[self.place]


@dataclass(frozen=True)
class Spot:
    """An auction in which two systems differ."""

    auction: str
    """As the player to call sees it."""
    calls: tuple[tuple[str, str, int], ...]
    """The call of the first, of the second, and how often, the most frequent first."""
    found: tuple[Different, ...]

    @property
    def imps(self) -> Mean | None:
        """What the second system wins when it comes up."""
        known = [one.imps for one in self.found if one.imps is not None]
        return mean_of(known) if known else None


@dataclass(frozen=True)
class Differences:
    """How two systems differ."""

    systems: tuple[str, str]
    chances: int
    """How often they could have differed: two sides on each board."""
    spots: tuple[Spot, ...]
    """The most frequent first."""

    @property
    def found(self) -> list[Different]:
        """All boards that were bid differently."""
        return [one for spot in self.spots for one in spot.found]

    @property
    def imps(self) -> Mean | None:
        """What the second system wins on a board for each side that plays it."""
        known = [one.imps for one in self.found if one.imps is not None]
        return mean_of([*known, *[0.0] * (self.chances - len(known))]) if known else None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        whole = self.imps
        return {
            "systems": list(self.systems),
            "chances": self.chances,
            "different": len(self.found),
            "imps": None if whole is None else {"mean": whole.mean, "error": whole.error},
            "auctions": [
                {
                    "auction": spot.auction,
                    "times": len(spot.found),
                    "calls": [{"first": a, "second": b, "times": n} for a, b, n in spot.calls],
                    "imps": None if spot.imps is None else spot.imps.mean,
                    "boards": [one.board.number for one in spot.found],
                }
                for spot in self.spots
            ],
        }


def differences(
    first: System,
    second: System,
    boards: Sequence[Board],
    solver: Solver | None = None,
    progress: Progress | None = None,
) -> Differences:
    """Bid the boards with both systems; with a solver, say what the differences are worth."""
    tell = progress or (lambda done, steps: None)
    worlds = from_deals(board.deal for board in boards)
    dealers, vuls = [board.dealer for board in boards], [board.vul for board in boards]
    base = bid_out(Table.of(first), worlds, dealers, vuls)
    tell(1, STEPS)
    found: list[Different] = []
    for side in (0, 1):
        systems = [second if seat & 1 == side else first for seat in range(4)]
        others = bid_out(Table(systems), worlds, dealers, vuls)
        tell(2 + side, STEPS)
        for board, one, other in zip(boards, base, others):
            place = _parting(one, other)
            # Where the opponents part first they only read the calls of the new system otherwise.
            if place is not None and (one.dealer + place) & 1 == side:
                found.append(Different(board, one, other, place))
    if solver is not None:
        found = _scored(found, solver)
    tell(STEPS, STEPS)
    return Differences((first.name, second.name), 2 * len(boards), _spots(found))


def _parting(first: Auction, second: Auction) -> int | None:
    """The number of the first call that differs."""
    pairs = zip(first.calls, second.calls)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), None)


def _scored(found: Sequence[Different], solver: Solver) -> list[Different]:
    """The same with what they are worth."""
    wanted = {
        (one.board.deal, contract.strain, contract.declarer)
        for one in found
        for contract in (one.first.contract, one.second.contract)
        if contract is not None
    }
    listed = list(wanted)
    tricks = dict(zip(listed, solver.tricks(listed)))

    def score(one: Different, auction: Auction, seat: Seat) -> int:
        contract = auction.contract
        taken = 0 if contract is None else tricks[one.board.deal, contract.strain, contract.declarer]
        return score_for(seat, contract, auction.vul, taken)

    result = []
    for one in found:
        seat = one.before.actor
        won = imps(score(one, one.second, seat) - score(one, one.first, seat))
        result.append(Different(one.board, one.first, one.second, one.place, float(won)))
    return result


def _spots(found: Sequence[Different]) -> tuple[Spot, ...]:
    grouped: dict[str, list[Different]] = defaultdict(list)
    for one in found:
        grouped[as_seen(one.before)].append(one)
    spots = []
    for auction, some in grouped.items():
        counted = Counter((str(a), str(b)) for a, b in (one.calls for one in some))
        calls = tuple((a, b, times) for (a, b), times in counted.most_common())
        spots.append(Spot(auction, calls, tuple(some)))
    return tuple(sorted(spots, key=lambda spot: (-len(spot.found), spot.auction)))
