"""How a pair bids: which calls and contracts come up, what openings show, how it does against par.

The tables of the papers: 7 and 8 of JPS (calls, contracts, the opening table), 5 of P-BIT (passed out without
opponents, and how often the best result is reached), and the result table of Ng (score against par).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, STRAINS, Call, Contract, Seat, Vul
from pidm.bridge.cards import SUITS, Hand
from pidm.bridge.scoring import imps, par, score_for
from pidm.match.duplicate import BOARDS_TOGETHER
from pidm.match.uncontested import Talk, talk, uncontested_data
from pidm.play.match_boards import Board
from pidm.play.pool import Pool
from pidm.play.room import Room, Setup, results_of
from pidm.play.tables import Seats, Sitting, bid_tables

__all__ = ["Habits", "SeenTable", "habits", "habit_lines"]

SELF = (0, 0, 0, 0)
"""The pair in all four seats."""
AGAINST: tuple[Seats, ...] = ((0, 1, 0, 1), (1, 0, 1, 0))
"""The pair against another one, in both directions."""
MIDDLE = 5, 95
"""The percentiles between which the hands of an opening are described: the edges are accidents."""


@dataclass(frozen=True, eq=False)
class SeenTable:
    """One auction, with what the cards allow if the deal was solved."""

    board: Board
    seats: Seats
    auction: Auction
    solved: npt.NDArray[np.int8] | None
    """Tricks by strain S H D C N and declarer N E S W."""

    @property
    def contract(self) -> Contract | None:
        """What it ended in."""
        return self.auction.contract

    @property
    def ns_score(self) -> int:
        """What NS score, double dummy."""
        return _score(self.contract, self.board.vul, self.solved)


def _score(contract: Contract | None, vul: Vul, solved: npt.NDArray[np.int8] | None) -> int:
    assert solved is not None
    tricks = 0 if contract is None else int(solved[STRAINS.index(contract.strain), contract.declarer])
    return score_for(Seat.N, contract, vul, tricks)


@dataclass(frozen=True, eq=False)
class Habits:
    """What was seen of a pair."""

    setup: Setup
    tables: tuple[SeenTable, ...]
    """With opponents."""
    alone: tuple[tuple[Talk, npt.NDArray[np.int8] | None], ...] = ()
    """Without, north dealing, not vulnerable."""

    def data(self) -> dict[str, Any]:
        """All tables as plain data."""
        found: dict[str, Any] = {
            "pair": str(self.setup.pairs[0]),
            "against": str(self.setup.pairs[1]) if len(self.setup.pairs) > 1 else None,
            "tables": len(self.tables),
            "calls": _shares(str(call) for call in self._calls()),
            "contracts": _shares(
                "passed out" if one.contract is None else str(one.contract.bid) for one in self.tables
            ),
            "doubled": float(np.mean([bool(one.contract and one.contract.doubled) for one in self.tables])),
            "length": dict(sorted(Counter(len(one.auction.calls) for one in self.tables).items())),
            "openings": self._openings(),
        }
        if self.tables and self.tables[0].solved is not None:
            found["par"] = self._against_par()
        if self.alone:
            found["alone"] = self._alone()
        return found

    def _calls(self) -> list[Call]:
        return [
            call
            for one in self.tables
            for at, call in enumerate(one.auction.calls)
            if one.seats[one.auction.seat_of(at)] == 0
        ]

    def _openings(self) -> dict[str, Any]:
        """Table 8 of JPS: the hands behind each opening bid of the pair."""
        hands: dict[Call, list[Hand]] = defaultdict(list)
        for one in self.tables:
            at = next((k for k, call in enumerate(one.auction.calls) if call.is_bid), None)
            if at is not None and one.seats[seat := one.auction.seat_of(at)] == 0:
                hands[one.auction.calls[at]].append(one.board.deal[seat])
        return {str(call): _described(some) for call, some in sorted(hands.items())}

    def _against_par(self) -> dict[str, Any]:
        """The result table of Ng, from the side of the pair: of NS where it sits everywhere."""
        gains, levels = [], []
        for one in self.tables:
            best = par(one.board.deal, one.board.vul, one.board.dealer, one.solved)
            sign = 1 if one.seats[Seat.N] == 0 else -1
            gains.append(sign * (one.ns_score - best.score))
            levels.append(0 if one.contract is None else one.contract.bid.level)
        points = np.array(gains, dtype=float)
        won = np.array([imps(int(gain)) for gain in gains], dtype=float)
        at = np.array(levels)
        return {
            "deals": len(points),
            "max_gain": int(points.max()),
            "max_loss": int(points.min()),
            "total": int(points.sum()),
            "squared_error": int((points**2).sum()),
            "total_imps": int(won.sum()),
            "level_7": int((at == 7).sum()),
            "by_level": {
                int(level): {
                    "deals": int((at == level).sum()),
                    "points": round(float(points[at == level].mean()), 1),
                    "imps": round(float(won[at == level].mean()), 3),
                }
                for level in np.unique(at)
            },
        }

    def _alone(self) -> dict[str, Any]:
        found = uncontested_data([one for one, _ in self.alone])
        tables = [(one, solved) for one, solved in self.alone if solved is not None]
        if tables:
            scores = np.array([_score(_contract(one), Vul.None_, solved) for one, solved in tables])
            best = np.array([_best(solved) for _, solved in tables])
            found["optimal"] = {
                "deals": len(tables),
                "best_is_to_pass": round(float((best == 0).mean()), 4),
                "best_result": round(float((scores == best).mean()), 4),
                "points": round(float(scores.mean()), 1),
                "best_points": round(float(best.mean()), 1),
            }
        return found


def _contract(one: Talk) -> Contract | None:
    """What a pair ended in that bid alone."""
    auction = Auction(Seat.N, Vul.None_)
    for call in one.calls:
        auction = auction.after(call)
        if not auction.over:
            auction = auction.after(PASS)
    while not auction.over:
        auction = auction.after(PASS)
    return auction.contract


def _best(solved: npt.NDArray[np.int8]) -> int:
    """The best score of NS in any contract of theirs, not vulnerable; nothing for a pass."""
    best = 0
    for strain, row in zip(STRAINS, solved):
        declarer = Seat.N if row[Seat.N] >= row[Seat.S] else Seat.S
        tricks = int(row[declarer])
        if tricks >= 7:
            contract = Contract(tricks - 6, strain, 0, declarer)
            best = max(best, score_for(Seat.N, contract, Vul.None_, tricks))
    return best


def _shares(names: Any) -> dict[str, float]:
    counts = Counter(names)
    total = sum(counts.values())
    return {name: round(count / total, 4) for name, count in counts.most_common()}


def _described(hands: Sequence[Hand]) -> dict[str, Any]:
    points = np.array([hand.hcp for hand in hands])
    lengths = np.array([hand.lengths for hand in hands])
    low, high = np.percentile(points, MIDDLE, method="nearest")
    ends = np.percentile(lengths, MIDDLE, axis=0, method="nearest").T.astype(int)
    return {
        "hands": len(hands),
        "hcp": [int(low), int(high)],
        "mean_hcp": round(float(points.mean()), 1),
        "lengths": {suit: ends[k].tolist() for k, suit in enumerate(SUITS)},
        "balanced": round(float(np.mean([lengths_are_balanced(row) for row in lengths.tolist()])), 3),
    }


def lengths_are_balanced(lengths: Sequence[int]) -> bool:
    """4333, 4432 or 5332."""
    return sorted(lengths) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])


# ---------------------------------------------------------------------- watching


def _watch(room: Room, boards: Sequence[Board], layouts: tuple[Seats, ...], solved: bool) -> list[SeenTable]:
    sittings = [Sitting(board, seats) for board in boards for seats in layouts]
    biddings = bid_tables(sittings, room.callers, room.seconds)
    tables = room.solver.tables([board.deal for board in boards]) if solved else None
    return [
        SeenTable(
            one.sitting.board,
            one.sitting.seats,
            one.auction,
            None if tables is None else tables[number // len(layouts)],
        )
        for number, one in enumerate(biddings)
        if one.complete
    ]


def _talk(
    room: Room, boards: Sequence[Board], solved: bool
) -> list[tuple[Talk, npt.NDArray[np.int8] | None]]:
    talks = talk(room, boards, 0)
    if not solved:
        return [(one, None) for one in talks]
    return list(zip(talks, room.solver.tables([board.deal for board in boards])))


def habits(
    setup: Setup,
    boards: Sequence[Board],
    solved: bool = False,
    alone: bool = False,
    pool: Pool | None = None,
    progress: Callable[[int], object] | None = None,
) -> Habits:
    """Let a pair bid the boards in all four seats, or against a second one in both directions.

    With `solved`, deals are solved double dummy; with `alone`, it also bids them without opponents.
    """
    pool = pool or Pool()
    together = 1 if setup.simulates else BOARDS_TOGETHER
    layouts = AGAINST if len(setup.pairs) > 1 else (SELF,)
    tables: list[SeenTable] = []
    for done in results_of(partial(_watch, layouts=layouts, solved=solved), setup, boards, together, pool):
        tables += done.result
        if progress is not None:
            progress(len(tables) // len(layouts))
    talks: list[tuple[Talk, npt.NDArray[np.int8] | None]] = []
    if alone:
        quiet = [Board(board.number, board.deal, Seat.N, Vul.None_) for board in boards]
        for said in results_of(partial(_talk, solved=solved), setup, quiet, together, pool):
            talks += said.result
    return Habits(setup, tuple(tables), tuple(talks))


# ---------------------------------------------------------------------- in words


def habit_lines(data: dict[str, Any], most: int = 12) -> list[str]:
    """The tables in words."""
    who = "itself" if data["against"] is None else data["against"]
    lines = [f"{data['pair']} against {who}, {data['tables']} tables", ""]
    for title, key in (("Calls", "calls"), ("Final contracts", "contracts")):
        top = list(data[key].items())[:most]
        lines.append(f"{title}: " + ", ".join(f"{name} {share:.2%}" for name, share in top))
    lengths = {int(k): v for k, v in data["length"].items()}
    mean = sum(k * v for k, v in lengths.items()) / max(sum(lengths.values()), 1)
    lines.append(f"Calls an auction: {mean:.1f}; doubled contracts {data['doubled']:.2%}")
    lines += [
        "",
        f"{'opening':8}{'hands':>6}{'points':>9}{'mean':>6}" + "".join(f"{s:>6}" for s in SUITS) + "  bal",
    ]
    for call, one in data["openings"].items():
        spans = "".join(f"{'-'.join(map(str, one['lengths'][suit])):>6}" for suit in SUITS)
        points = "-".join(map(str, one["hcp"]))
        lines.append(
            f"{call:8}{one['hands']:>6}{points:>9}{one['mean_hcp']:>6.1f}{spans}{one['balanced']:>5.0%}"
        )
    if "par" in data:
        lines += ["", *_par_lines(data["par"])]
    if "alone" in data:
        from pidm.match.uncontested import uncontested_lines

        lines += ["", "Without opponents", *uncontested_lines(data["alone"])]
        best = data["alone"].get("optimal")
        if best is not None:
            lines.append(
                f"  best to pass on {best['best_is_to_pass']:.2%}; the best result reached on "
                f"{best['best_result']:.2%} of {best['deals']} deals; {best['points']:.0f} points a deal, "
                f"{best['best_points']:.0f} would be possible"
            )
    return lines


def _par_lines(data: dict[str, Any]) -> list[str]:
    lines = [
        f"Against par over {data['deals']} deals: {data['total']:+,} points, {data['total_imps']:+,} IMPs",
        f"largest gain {data['max_gain']:,}, largest loss {data['max_loss']:,}, squared error "
        f"{data['squared_error']:,}, contracts at the seven level {data['level_7']}",
        f"{'level':8}{'deals':>6}{'points':>9}{'IMPs':>8}",
    ]
    for level, one in data["by_level"].items():
        lines.append(f"{level or 'pass':<8}{one['deals']:>6}{one['points']:>+9.0f}{one['imps']:>+8.2f}")
    return lines
