"""Bid random deals by rules alone, four players of one system, and count what no player would do.

Counts decisions that reach the default actions, passes of forcing calls, and the absurdities of
`pidm.authoring.absurd`. Prints examples of each. `pidm lint --stress` does it with opponents who disturb.

    scripts/measure sanity two_over_one --deals 2000 --seed 1
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict

import numpy as np

from pidm.authoring.absurd import DealtHands, absurdities
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.bridge.worlds import random_deals, to_deals
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
    hands = DealtHands(worlds)
    for row, auction in enumerate(auctions):
        both = [absurdities(Table.of(system), auction, hands, row, side) for side in (0, 1)]
        for kind in dict.fromkeys(kind for kinds in both for kind in kinds):
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
