"""Duplicate scoring (law 77), IMPs (law 78), matchpoints, and par through endplay.

Scores are vectorised: give one number and get one, give an array and get an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import CALLS, Contract, Seat, Vul
from pidm.errors import ScoreError

if TYPE_CHECKING:
    from pidm.bridge.cards import Deal

Numbers = npt.NDArray[Any] | Sequence[int]

_SMALL = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900)
_LARGE = (1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000)
_IMP_STEPS = np.array([*_SMALL, *_LARGE])
"""The least differences that are worth 1, 2, ... 24 IMPs."""


def _points(level: int, strain: str, doubled: int, vulnerable: bool, tricks: int) -> int:
    """What declarer's side scores for one contract and one number of tricks."""
    over = tricks - level - 6
    if over < 0:
        down = -over
        if not doubled:
            return -(100 if vulnerable else 50) * down
        if vulnerable:
            return -doubled * (300 * down - 100)
        return -doubled * (200 * down - 100 + 100 * max(down - 3, 0))
    trick = 20 if strain in "CD" else 30
    bid = (trick * level + (10 if strain == "N" else 0)) << doubled
    overtrick = doubled * (200 if vulnerable else 100) if doubled else trick
    insult = 50 * doubled
    game = (500 if vulnerable else 300) if bid >= 100 else 50
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    return bid + over * overtrick + insult + game + slam


@lru_cache(maxsize=1)
def score_table() -> npt.NDArray[np.int16]:
    """What declarer's side scores: int16[38 calls, 3 doubled, 2 not vulnerable or vulnerable, 14 tricks].

    The rows of pass, double and redouble are 0: no contract, no score.
    """
    table = np.zeros((38, 3, 2, 14), dtype=np.int16)
    for call in CALLS[3:]:
        for doubled in range(3):
            for vulnerable in (False, True):
                table[call, doubled, int(vulnerable)] = [
                    _points(call.level, call.strain, doubled, vulnerable, tricks) for tricks in range(14)
                ]
    table.flags.writeable = False
    return table


@overload
def score(contract: Contract | None, vul: Vul, tricks: int) -> int: ...
@overload
def score(contract: Contract | None, vul: Vul, tricks: Numbers) -> npt.NDArray[np.int32]: ...
def score(contract: Contract | None, vul: Vul, tricks: int | Numbers) -> int | npt.NDArray[np.int32]:
    """What declarer's side scores for taking `tricks`, 0 to 13; a passed-out board scores 0."""
    taken = np.asarray(tricks)
    if not taken.size:
        taken = taken.astype(np.intp)  # numpy takes an empty list for floats
    elif taken.dtype.kind not in "iu" or taken.min() < 0 or taken.max() > 13:
        raise ScoreError(f"declarer takes a whole number of tricks from 0 to 13, not {tricks!r}")
    if contract is None:
        scores = np.zeros(taken.shape, dtype=np.int32)
    else:
        row = score_table()[contract.bid, contract.doubled, int(vul.of(contract.declarer))]
        scores = row[taken].astype(np.int32)
    return scores if taken.ndim else int(scores)


@overload
def score_for(seat: Seat, contract: Contract | None, vul: Vul, tricks: int) -> int: ...
@overload
def score_for(seat: Seat, contract: Contract | None, vul: Vul, tricks: Numbers) -> npt.NDArray[np.int32]: ...
def score_for(
    seat: Seat, contract: Contract | None, vul: Vul, tricks: int | Numbers
) -> int | npt.NDArray[np.int32]:
    """What the side of `seat` scores when the declarer takes `tricks`."""
    points = score(contract, vul, tricks)
    return points if contract is None or contract.declarer.side == seat.side else -points


@overload
def imps(difference: int) -> int: ...
@overload
def imps(difference: Numbers) -> npt.NDArray[np.int32]: ...
def imps(difference: int | Numbers) -> int | npt.NDArray[np.int32]:
    """The IMPs for a difference of scores, with its sign."""
    points = np.asarray(difference)
    won = np.searchsorted(_IMP_STEPS, np.abs(points), side="right")
    signed = (np.sign(points) * won).astype(np.int32)
    return signed if points.ndim else int(signed)


def matchpoints(scores: Numbers, field: Numbers | None = None) -> npt.NDArray[np.float64]:
    """The matchpoints of each score: one for every score of the field it beats, half for every tie.

    Without a field, the scores are the results of one board and each is compared with all the others.
    """
    mine = np.asarray(scores)
    others = np.sort(mine if field is None else np.asarray(field), axis=None)
    below = np.searchsorted(others, mine, side="left")
    up_to = np.searchsorted(others, mine, side="right")
    points = (below + up_to) / 2
    return points - 0.5 if field is None else points  # a score does not tie with itself


@dataclass(frozen=True)
class Par:
    """The best that both sides can do, double dummy."""

    score: int
    """What NS score."""
    contracts: tuple[Contract, ...]
    """The contracts that reach it; none if the board is passed out."""
    tricks: tuple[int, ...]
    """How many tricks declarer takes in each."""


def par(deal: Deal, vul: Vul, dealer: Seat = Seat.N, table: Numbers | None = None) -> Par:
    """Solve the deal double dummy and find its par.

    `table` is the deal as solved before: tricks in strain S H D C N by declarer N E S W, [5, 4].
    """
    from endplay.config import suppress_unicode
    from endplay.dds import par as solve
    from endplay.types import Player
    from endplay.types import Vul as TheirVul

    solved = to_endplay(deal) if table is None else _their_table(table)
    found = solve(solved, TheirVul.find(str(vul)), Player.find(str(dealer)))
    contracts, tricks = [], []
    with suppress_unicode():  # endplay writes suits as symbols unless told otherwise
        for c in found:  # one object at a time: endplay changes the last one when it makes the next
            if not c.is_passout():
                declarer = Seat(int(c.declarer))
                contracts.append(Contract(int(c.level), c.denom.abbr[0], len(c.penalty.abbr), declarer))
                tricks.append(int(c.level) + 6 + int(c.result))
    return Par(int(found.score), tuple(contracts), tuple(tricks))


def _their_table(table: Numbers) -> Any:
    """Solved tricks, [5, 4], as endplay's own type."""
    from endplay._dds import ddTableResults
    from endplay.dds.ddtable import DDTable

    data = ddTableResults()
    for strain, row in enumerate(np.asarray(table).tolist()):
        for declarer, tricks in enumerate(row):
            data.resTable[strain][declarer] = tricks
    return DDTable(data)


def to_endplay(deal: Deal) -> Any:
    """The deal as endplay's own type."""
    from endplay.types import Deal as TheirDeal

    return TheirDeal(str(deal))
