"""What is still within reach, double dummy, after every call of an auction.

Par is what both sides reach who see all cards. Who bids on from the middle of an auction reaches something as
well, and a call can only lose of it: so the difference between par and the score of a board falls on those
calls after which less was within reach than before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, STRAINS, Call, Seat
from pidm.bridge.scoring import score_table

BIDS = 35
_State = tuple[int, int, int, int]
"""The last bid from 0, how it is doubled, the side that made it, the passes since."""


def within_reach(auction: Auction, table: npt.NDArray[np.int8] | Sequence[Sequence[int]]) -> list[int]:
    """The best that both sides can still do before the first call, after the first, and so on: what NS score.

    `table`: the tricks in strain S H D C N by declarer N E S W. Where nobody of a side has named a strain
    yet, the partner may declare who takes more tricks in it.
    """
    tricks = np.asarray(table)
    values: list[int] = []
    known: dict[tuple[int, ...], dict[_State, int]] = {}
    named = [-1] * 10
    bid, doubled, side, passes = -1, 0, 0, 0
    for at in range(len(auction.calls) + 1):
        key = tuple(named)
        if key not in known:
            known[key] = _solved(auction, tricks, key)
        start = (bid, doubled, side, passes) if bid >= 0 else (-1, 0, (auction.dealer + at) & 1, passes)
        values.append(known[key][start])
        if at == len(auction.calls):
            break
        call, seat = auction.calls[at], auction.seat_of(at)
        if call == PASS:
            passes += 1
        elif call.is_bid:
            bid, doubled, side, passes = int(call) - 3, 0, seat & 1, 0
            place = 5 * side + STRAINS.index(call.strain)
            if named[place] < 0:
                named[place] = int(seat)
        else:
            doubled, passes = int(call), 0
    return values


def _solved(auction: Auction, tricks: npt.NDArray[np.int8], named: tuple[int, ...]) -> dict[_State, int]:
    """The values of all positions, from the highest bids down; before a bid the side is the one to call."""
    scores = score_table()
    better = (max, min)
    values: dict[_State, int] = {}
    above: list[int | None] = [None, None]
    """The best that each side reaches by one of the bids seen so far."""
    for bid in range(BIDS - 1, -1, -1):
        call = Call(bid + 3)
        strain = STRAINS.index(call.strain)
        for side in (0, 1):
            who = named[5 * side + strain]
            taken = int(tricks[strain, who]) if who >= 0 else int(tricks[strain, side::2].max())
            vulnerable = int(auction.vul.of(Seat(side)))
            for doubled in (2, 1, 0):
                points = int(scores[call, doubled, vulnerable, taken])
                values[bid, doubled, side, 3] = points if side == 0 else -points
                for passes in (2, 1, 0):
                    actor = side ^ (1 if doubled != 1 else 0) ^ (passes & 1)
                    reached = [values[bid, doubled, side, passes + 1]]
                    if above[actor] is not None:
                        reached.append(above[actor])  # type: ignore[arg-type]
                    if doubled == 0 and actor != side:
                        reached.append(values[bid, 1, side, 0])
                    if doubled == 1 and actor == side:
                        reached.append(values[bid, 2, side, 0])
                    values[bid, doubled, side, passes] = better[actor](reached)
        for side in (0, 1):
            here, before = values[bid, 0, side, 0], above[side]
            above[side] = here if before is None else better[side](here, before)
    for side in (0, 1):
        values[-1, 0, side, 4] = 0
    for passes in (3, 2, 1, 0):
        for actor in (0, 1):
            bids = above[actor]
            assert bids is not None
            values[-1, 0, actor, passes] = better[actor](values[-1, 0, 1 - actor, passes + 1], bids)
    return values
