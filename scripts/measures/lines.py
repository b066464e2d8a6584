"""Which lines of a system lose: what other calls would have gained, line by line, with silent opponents.

Random deals are bid by the rules of one side. At every call after the opening the other calls that come into
question (those that the rules make with two points more or less, pass, and the bids that a sensible player
would think of) are made instead, bid on by the rules, and compared on the deal as it is by estimated tricks.
The gains are added up for each line and each other call; listed are those that gain beyond chance, the
dearest first, with hands. A line there is wrong, or the rules do not know how to go on after it. What is
mended by it must hold on other deals: give another --seed to confirm.

    scripts/measure lines two_over_one --deals 4000
    scripts/measure lines my_system.yaml --match "^1N" --hands 5
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.scoring import imps
from pidm.bridge.utilities import utility
from pidm.bridge.worlds import Worlds, random_deals, to_deals
from pidm.core.playing_out import play_out
from pidm.features import HandColumns
from pidm.language.rules import Rule
from pidm.language.system import System
from pidm.reading.bridge_game import Bridge
from pidm.reading.judgement import judged
from pidm.reading.look import Look
from pidm.reading.table import Table

JUDGEMENT = 2.0
"""Points beside the limits of the rules at which a call still comes into question."""
FEWEST = 8
"""Deals on which a call must have been compared to be listed."""
CLEAR = 2.0
"""Standard errors that a gain must be above nothing."""
NOISE = 1.0
"""IMPs that the error of a gain is taken to be at least on a single deal: few equal results prove nothing."""


class Turn(NamedTuple):
    """A call of the rules that could have been another one."""

    deal: int
    auction: Auction
    call: Call
    line: str
    """The line of the file that made it."""


class Loss(NamedTuple):
    """What another call gains on a line."""

    line: str
    call: Call
    other: Call
    gains: np.ndarray
    """IMPs, one for each deal."""
    turns: list[Turn]

    @property
    def mean(self) -> float:
        """IMPs gained on a deal."""
        return float(self.gains.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(np.sqrt((self.gains.var() + NOISE**2) / len(self.gains)))

    @property
    def sure(self) -> float:
        """IMPs that are lost in all, beyond chance."""
        return (self.mean - CLEAR * self.error) * len(self.gains)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("system", help="name or file of a system")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", help="only auctions like this, a regular expression")
    parser.add_argument("--worst", type=int, default=20, help="how many to list")
    parser.add_argument("--hands", type=int, default=2, help="how many hands of each to print")


def measure(options: argparse.Namespace) -> None:
    """Print the list."""
    wanted = re.compile(options.match or "")
    table = Table((System.load(options.system), System.load("silent")))
    worlds = random_deals(options.deals, np.random.default_rng(options.seed))
    turns, ends = bid(table, worlds)
    turns = [turn for turn in turns if wanted.search(_said(turn.auction))]
    found = losses(table, worlds, turns, ends)
    dear = sorted((one for one in found if one.sure > 0), key=lambda one: -one.sure)[: options.worst]
    if options.json:
        rows = [
            {"line": one.line, "call": str(one.call), "other": str(one.other), "deals": len(one.gains)}
            | {"mean": round(one.mean, 3), "error": round(one.error, 3)}
            for one in dear
        ]
        print(json.dumps({"deals": options.deals, "calls": len(turns), "lines": rows}))
        return
    print(f"{options.deals} deals, {len(turns)} calls after the opening")
    deals = to_deals(worlds)
    for one in dear:
        gained = f"{one.other} gains {one.mean:+.2f} ({one.error:.2f}) IMPs on {len(one.gains)} deals"
        print(f"{one.line}: {one.call}, {gained}")
        for k in np.argsort(-one.gains, kind="stable")[: options.hands].tolist():
            turn = one.turns[k]
            me = turn.auction.actor
            hands = f"{deals[turn.deal][me]} opposite {deals[turn.deal][me.partner]}"
            print(f"    {one.gains[k]:+.0f}  {_said(turn.auction)}  {hands}")


def bid(table: Table, worlds: Worlds) -> tuple[list[Turn], list[Auction]]:
    """The calls of north and south after their opening, and how the auctions end."""
    vuls = [Vul.of_board(number) for number in range(1, len(worlds) + 1)]
    starts = [Auction(Seat.N if k & 1 else Seat.S, vul) for k, vul in enumerate(vuls)]
    turns, ends = [], list(starts)
    for step in play_out(Bridge(table), starts, worlds, table):
        if step.choices is None:
            for row in step.rows:
                ends[row] = step.history
            continue
        auction = step.history
        if auction.last_bid is None or auction.actor & 1:
            continue
        for place, row in enumerate(step.rows.tolist()):
            call = Call(int(step.choices.preferred()[place]))
            rule = next((one for one in step.choices.sources(place, call) if isinstance(one, Rule)), None)
            turns.append(Turn(row, auction, call, "no rule" if rule is None else rule.place))
    return turns, ends


def losses(table: Table, worlds: Worlds, turns: Sequence[Turn], ends: Sequence[Auction]) -> list[Loss]:
    """What other calls gain, by line and call."""
    look = Look(table)
    tried = [(turn, other) for turn in turns for other in _others(table, look, turn, worlds)]
    starts = [turn.auction.after(other) for turn, other in tried]
    rows = np.array([turn.deal for turn, _ in tried], dtype=int)
    reached = list(starts)
    for step in play_out(Bridge(table), starts, worlds[rows], table) if tried else ():
        if step.choices is None:
            for row in step.rows:
                reached[row] = step.history
    after, before = scores(worlds[rows], reached), scores(worlds, ends)[rows]
    gains = imps((after - before).round())
    grouped: dict[tuple[str, Call, Call], list[int]] = defaultdict(list)
    for number, (turn, other) in enumerate(tried):
        grouped[turn.line, turn.call, other].append(number)
    return [
        Loss(line, call, other, gains[numbers].astype(float), [tried[number][0] for number in numbers])
        for (line, call, other), numbers in grouped.items()
        if len(numbers) >= FEWEST
    ]


def _others(table: Table, look: Look, turn: Turn, worlds: Worlds) -> Iterator[Call]:
    """What comes into question besides the call that was made."""
    auction, hand = turn.auction, worlds[turn.deal, turn.auction.actor]
    situation = table.situation(auction)
    near = judged(situation, HandColumns(hand[None]), JUDGEMENT).candidates(0)
    found = [*map(Call, near), *look.bids(auction, hand), *([] if situation.forced else [PASS])]
    for call in dict.fromkeys(found):
        if call != turn.call and situation.is_legal(call) and call not in situation.excluded:
            yield call


def scores(worlds: Worlds, ends: Sequence[Auction]) -> np.ndarray:
    """float[n], what north and south score by estimated tricks, each auction in its world."""
    worth = utility("estimate")
    groups: dict[object, list[int]] = defaultdict(list)
    for row, end in enumerate(ends):
        groups[worth.key(end)].append(row)
    result = np.zeros(len(ends))
    for members in groups.values():
        result[members] = worth.evaluate(ends[members[0]], worlds[members], Seat.N)
    return result


def _said(auction: Auction) -> str:
    """The calls of the side that bids."""
    calls = [str(call) for call in auction.calls[::2]]
    return " ".join(calls) or "-"
