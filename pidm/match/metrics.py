"""The yardsticks of other papers, from the tables of a match.

- Team and partner IMPs: Lockhart and others, "Human-agent cooperation in bridge bidding", section 4.2.
- Score against par and points of no return: Ng, "Reinforcement learning in imperfect information games".
- Bidding without opponents: `pidm.match.uncontested`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import STRAINS, Call, Seat
from pidm.bridge.scoring import Par, imps, par
from pidm.match.duplicate import DUPLICATE, Match, Played, Result
from pidm.match.report import number
from pidm.match.statistics import Mean, mean_of
from pidm.match.uncontested import uncontested, uncontested_lines
from pidm.play.pool import Pool
from pidm.play.tables import Seats


def _guest(a: int, w: int) -> tuple[Seats, ...]:
    """One `a` among three `w` in every seat, then four `w`: the tables of the partner metric."""
    return (a, w, w, w), (w, a, w, w), (w, w, a, w), (w, w, w, a), (w, w, w, w)


LAYOUTS: tuple[Seats, ...] = (*DUPLICATE, *_guest(0, 1), *_guest(1, 0))
"""The tables of a match that is measured: the match, A as a guest of B, B as a guest of A."""


def measure(match: Match, pool: Pool | None = None) -> dict[str, Any]:
    """All yardsticks of a match played with `LAYOUTS` and with solved boards."""
    results = [result for result in match.results if all(table.complete for table in result.tables)]
    quiet = [result for result in results if _one_side_silent(result)]
    bounds = [_ParBounds.of(result) for result in results]
    return {
        "boards": len(results),
        "team": {**_data(_team(results)), "one_side_silent": _data(_team(quiet))},
        "partner": {
            name: {**_data(_partner(results, start)), "one_side_silent": _data(_partner(quiet, start))}
            for name, start in (("A for B", 2), ("B for A", 7))
        },
        "par": {name: _against_par(results, bounds, pair) for pair, name in enumerate("AB")},
        "no_return": {name: _no_return(results, bounds, pair) for pair, name in enumerate("AB")},
        "uncontested": uncontested(match.setup, [result.board for result in match.results], pool),
    }


def _data(mean: Mean) -> dict[str, Any]:
    return {"imps_per_board": number(mean.mean), "standard_error": number(mean.error), "boards": mean.n}


def _team(results: Iterable[Result]) -> Mean:
    """IMP(S(awaw) - S(wawa))."""
    return mean_of([result.imps for result in results])


def _partner(results: Iterable[Result], start: int) -> Mean:
    """What it is worth to have the guest for a partner, or for an opponent: positive for a guest who is a
    better partner than another of the same kind would be.

    IMP(S(awww) - S(wwww)) - IMP(S(waww) - S(wwww)) + IMP(S(wwaw) - S(wwww)) - IMP(S(wwwa) - S(wwww))
    """
    values = []
    for result in results:
        *guests, hosts = (_ns(table) for table in result.tables[start : start + 5])
        values.append(float(sum(sign * imps(guest - hosts) for guest, sign in zip(guests, (1, -1, 1, -1)))))
    return mean_of(values)


def _ns(table: Played) -> int:
    assert table.ns_score is not None
    return table.ns_score


def _one_side_silent(result: Result) -> bool:
    """Whether one side makes no bid at any table: such boards cannot be won by confusing the others."""
    sides = {table.auction.seat_of(at) & 1 for table in result.tables for at, _ in _bids(table)}
    return len(sides) < 2


def _bids(table: Played) -> list[tuple[int, Call]]:
    return [(at, call) for at, call in enumerate(table.auction.calls) if call.is_bid]


@dataclass(frozen=True)
class _ParBounds:
    """What the cards allow."""

    par: Par
    internal: tuple[Call | None, Call | None]
    """The internal points of no return of NS and EW: the highest bid that they can make, if any."""

    @classmethod
    def of(cls, result: Result) -> _ParBounds:
        assert result.solved is not None
        board = result.board
        highest = [_highest(result.solved[:, side::2]) for side in (0, 1)]
        return cls(par(board.deal, board.vul, board.dealer, result.solved), (highest[0], highest[1]))

    def beyond_internal(self, side: int, bid: Call) -> bool:
        """Whether this bid cannot bring this side a plus score, with silent opponents."""
        point = self.internal[side]
        return point is None or bid > point

    def beyond_external(self, side: int, bid: Call) -> bool:
        """Whether no contract of par can be reached after this bid."""
        return all(
            bid > best.bid or (bid == best.bid and best.declarer & 1 != side) for best in self.par.contracts
        )


def _highest(tricks: npt.NDArray[np.int8]) -> Call | None:
    """The highest bid that one side can make, from its columns of the table."""
    best = tricks.max(axis=1)
    made = [Call.bid(int(most) - 6, strain) for strain, most in zip(STRAINS, best) if most >= 7]
    return max(made, default=None)


def _against_par(results: Sequence[Result], bounds: Sequence[_ParBounds], pair: int) -> dict[str, Any]:
    """How much better than par a pair scores, averaged over both tables of a board."""
    points, won = [], []
    for result, bound in zip(results, bounds):
        differences = [
            (1 if table.seats[Seat.N] == pair else -1) * (_ns(table) - bound.par.score)
            for table in result.tables[:2]
        ]
        points.append(float(np.mean(differences)))
        won.append(float(np.mean([imps(difference) for difference in differences])))
    mean, error, _ = mean_of(points)
    return {
        **_data(mean_of(won)),
        "points_per_board": number(mean, 1),
        "points_standard_error": number(error, 1),
    }


def _no_return(results: Sequence[Result], bounds: Sequence[_ParBounds], pair: int) -> dict[str, Any]:
    """On which share of its tables a pair made a bid beyond its internal point, the external one, or both."""
    passed: dict[str, list[float]] = {"internal": [], "external": [], "both": []}
    for result, bound in zip(results, bounds):
        boards: dict[str, list[bool]] = {name: [] for name in passed}
        for table in result.tables[:2]:
            bids = [(at, call) for at, call in _bids(table) if table.seats[table.auction.seat_of(at)] == pair]
            marks = [
                (bound.beyond_internal(side, call), bound.beyond_external(side, call))
                for at, call in bids
                for side in (table.auction.seat_of(at) & 1,)
            ]
            boards["internal"].append(any(internal for internal, _ in marks))
            boards["external"].append(any(external for _, external in marks))
            boards["both"].append(any(internal and external for internal, external in marks))
        for name, found in boards.items():
            passed[name].append(float(np.mean(found)))
    return {
        name: {"share": number(mean.mean), "standard_error": number(mean.error)}
        for name, mean in ((name, mean_of(values)) for name, values in passed.items())
    }


def metric_lines(data: dict[str, Any]) -> list[str]:
    """The yardsticks in words."""

    def imps_text(one: dict[str, Any]) -> str:
        error = one["standard_error"]
        return f"{one['imps_per_board']:+.3f} ± {'?' if error is None else f'{error:.3f}'}"

    lines = ["", f"Team and partner, IMPs/board over {data['boards']} boards (and where one side never bid)"]
    quiet: Callable[[dict[str, Any]], str] = lambda one: (  # noqa: E731
        f"{imps_text(one):18} ({imps_text(one['one_side_silent'])} on {one['one_side_silent']['boards']})"
    )
    lines.append(f"  A against B      {quiet(data['team'])}")
    for name, one in data["partner"].items():
        lines.append(f"  {name:16} {quiet(one)}")
    lines += [
        "",
        "Against par; tables with a bid beyond the internal, the external, both points of no return",
    ]
    for name in "AB":
        best, no_return = data["par"][name], data["no_return"][name]
        shares = ", ".join(f"{one} {no_return[one]['share']:.1%}" for one in no_return)
        lines.append(
            f"  {name}  {imps_text(best)} IMPs/board, {best['points_per_board']:+.0f} points/board; {shares}"
        )
    for name, one in data["uncontested"].items():
        lines += ["", f"{name} without opponents", *uncontested_lines(one)]
    return lines
