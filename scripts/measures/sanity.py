"""Bid random deals by rules alone, four players of one system, and count what no player would do.

Counts decisions that reach the default actions, passes of forcing calls, and final contracts that nobody
would sit for: a slam with too
few points, a suit contract without seven trumps when an eight-card fit had been shown, a game or slam on
far too little, and missed games with
28 points or more. Prints examples of each.

    scripts/measure sanity two_over_one --deals 2000 --seed 1
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import STRAINS, Seat, Vul
from pidm.bridge.worlds import random_deals, to_deals
from pidm.features import Feature, HandColumns
from pidm.language.system import System
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("system", help="name or file of a system")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=3, help="how many of each kind to print")


def measure(options: argparse.Namespace) -> None:
    """Print the figures."""
    system = System.load(options.system)
    worlds = random_deals(options.deals, np.random.default_rng(options.seed))
    dealers = [Seat.of_board(number) for number in range(1, options.deals + 1)]
    vuls = [Vul.of_board(number) for number in range(1, options.deals + 1)]
    counts = {"decisions": 0, "default": 0, "passes of forcing calls": 0}
    found: dict[str, list[int]] = defaultdict(list)

    def observe(auction: Auction, rows: np.ndarray, choices) -> None:
        counts["decisions"] += len(rows)
        first = choices.mask.argmax(axis=1)
        default = np.array([choices.proposals[column].source is None for column in first])
        counts["default"] += int(default.sum())
        found["default"].extend(rows[default].tolist())
        if Table.of(system).situation(auction).forced:
            passed = rows[choices.preferred() == 0]
            counts["passes of forcing calls"] += len(passed)
            found["passes of forcing calls"].extend(passed.tolist())

    auctions = bid_out(Table.of(system), worlds, dealers, vuls, observe)
    hcp = np.stack(
        [HandColumns(worlds[:, seat]).column(Feature.parse("hcp")) for seat in range(4)], axis=1
    ).astype(int)
    lengths = np.stack(
        [
            np.stack(
                [HandColumns(worlds[:, seat]).column(Feature.parse(f"length({s})")) for s in "SHDC"], axis=1
            )
            for seat in range(4)
        ],
        axis=1,
    ).astype(int)
    for row, auction in enumerate(auctions):
        for kind in faults(system, auction, hcp[row], lengths[row]):
            found[kind].append(row)
    kinds = [kind for kind in found if kind not in counts]
    figures = {**counts, **{kind: len(found[kind]) for kind in kinds}, "deals": options.deals}
    if options.json:
        print(json.dumps(figures))
        return
    print(f"default actions             {counts['default']} of {counts['decisions']} decisions")
    print(
        f"passes of forcing calls     {counts['passes of forcing calls']} of {counts['decisions']} decisions"
    )
    deals = to_deals(worlds)
    for kind in sorted(kinds):
        print(f"{kind:27} {len(found[kind])} of {options.deals} deals")
    for kind, rows in sorted(found.items()):
        for row in rows[: options.examples]:
            auction = auctions[row]
            print(f"\n{kind}: dealer {auction.dealer} vul {auction.vul}  {' '.join(map(str, auction.calls))}")
            for seat, hand in zip("NESW", deals[row]):
                print(f"    {seat} {hand}")


def faults(system: System, auction: Auction, hcp: np.ndarray, lengths: np.ndarray) -> list[str]:
    """What is wrong with the contract of an auction."""
    contract = auction.contract
    result = []
    ours = {0: int(hcp[0] + hcp[2]), 1: int(hcp[1] + hcp[3])}
    if contract is None:
        return ["passed out with 26 points"] if max(ours.values()) >= 26 else []
    side = contract.declarer & 1
    points = ours[side]
    declarer, dummy = contract.declarer, (contract.declarer + 2) & 3
    trumps = (
        None
        if contract.strain == "N"
        else int(
            lengths[declarer, STRAINS.index(contract.strain)] + lengths[dummy, STRAINS.index(contract.strain)]
        )
    )
    if contract.level == 7 and points < 25:
        result.append("grand slam under 25 points")
    if contract.level == 6 and points < (29 if contract.strain == "N" else 22):
        result.append("slam on too little")
    game = contract.level >= {"N": 3, "S": 4, "H": 4}.get(contract.strain, 5)
    if (
        game
        and contract.level < 6
        and points < (20 if contract.strain == "N" else 15)
        and not contested(auction)
    ):
        result.append("uncontested game on too little")
    if trumps is not None and trumps < 6 and contract.level >= 2:
        result.append("fewer than six trumps")
    if trumps is not None and trumps < 7 and shown_fit(system, auction, side):
        result.append("no fit although one was shown")
    if not game and points >= 28 and not contract.doubled:
        result.append("missed game with 28 points")
    if contract.level < 6 and points >= 36:
        result.append("missed slam with 36 points")
    return result


def contested(auction: Auction) -> bool:
    """Did both sides bid?"""
    return len({i & 1 for i, call in enumerate(auction.calls) if call.is_bid}) == 2


def shown_fit(system: System, auction: Auction, side: int) -> bool:
    """Was an eight-card fit shown on this side?"""
    situation = Table.of(system).situation(auction)
    first = (side - auction.dealer) & 1
    return any(situation.least_length(first, s) + situation.least_length(first + 2, s) >= 8 for s in "SHDC")
