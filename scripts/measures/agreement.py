"""How often do the rules of a system make the calls of a file of bid deals?

The file holds one deal a line, as JSON (gzip is fine): dealer, vul, hands {N, E, S, W: "S.H.D.C"}, auction
[calls]. Every call of every
auction is put to the rules (without search). Prints the agreement for openings, for all calls, and for bids
and doubles other than
openings, then the situations where most calls differ, with hands.

    scripts/measure agreement two_over_one deals.jsonl.gz --deals 3000 --worst 20
    scripts/measure agreement two_over_one deals.jsonl.gz --match "^1N P 2C P" --hands 5
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from measures.bid_deals import read_deals
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.errors import PidmError
from pidm.language.system import System
from pidm.reading.lockstep import preferred_calls
from pidm.reading.table import Table


def questions(
    deals: list[dict], match: re.Pattern[str] | None
) -> tuple[list[str], list[Auction], list[Call]]:
    """(hand, auction, call) of every decision whose auction text matches."""
    hands, auctions, calls = [], [], []
    for deal in deals:
        auction = Auction(Seat.from_str(deal["dealer"]), Vul.from_str(deal["vul"]))
        for text in deal["auction"]:
            call = Call.from_str(text)
            if match is None or match.search(auction_text(auction)):
                hands.append(deal["hands"][str(auction.actor)])
                auctions.append(auction)
                calls.append(call)
            auction = auction.after(call)
    return hands, auctions, calls


def auction_text(auction: Auction) -> str:
    """The calls without leading passes, joined by spaces."""
    calls = list(auction.calls)
    while calls and calls[0] == 0:
        calls.pop(0)
    return " ".join(map(str, calls))


def percentage(hits: int, total: int) -> str:
    """A share in words."""
    return f"{100 * hits / total:6.2f}% of {total}" if total else "    -"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("system", help="name or file of a system")
    parser.add_argument("deals", type=Path, help="JSON lines, perhaps gzipped")
    parser.add_argument("--deals", dest="count", type=int, help="how many deals (default: all)")
    parser.add_argument("--first", type=int, default=0, help="skip so many deals")
    parser.add_argument(
        "--match",
        help="only decisions whose auction (calls without leading passes) matches this regular expression",
    )
    parser.add_argument("--call", help="only decisions where the expected call is this one")
    parser.add_argument("--worst", type=int, default=15, help="how many situations to list")
    parser.add_argument("--hands", type=int, default=3, help="how many differing hands to show in each")


def measure(options: argparse.Namespace) -> None:
    """Print the figures."""
    system = System.load(options.system)
    deals = read_deals(options.deals, options.first, options.count)
    hands, auctions, calls = questions(deals, re.compile(options.match) if options.match else None)
    if options.call:
        kept = [i for i, call in enumerate(calls) if str(call) == options.call.upper()]
        hands, auctions, calls = (
            [hands[i] for i in kept],
            [auctions[i] for i in kept],
            [calls[i] for i in kept],
        )
    if not calls:
        raise PidmError("no decision matches")
    masks = np.array([Hand.from_str(hand).masks for hand in hands], dtype=np.uint16)
    defaulted = np.zeros(len(calls), dtype=bool)
    reasons: dict[int, str] = {}

    def observe(auction: Auction, rows: np.ndarray, choices) -> None:
        first = choices.mask.argmax(axis=1)
        for row, column in zip(rows, first):
            source = choices.proposals[column].source
            defaulted[row] = source is None
            reasons[row] = source.place.rsplit("/", 1)[-1] if source is not None else "default"

    start = time.perf_counter()
    answers = preferred_calls(Table.of(system), masks, auctions, observe)
    seconds = time.perf_counter() - start
    agreed = np.array([a == c for a, c in zip(answers, calls)])
    opening = np.array([not any(a.calls) for a in auctions])
    passes = np.array([c == 0 for c in calls])
    figures = {
        "decisions": len(calls),
        "openings": float(agreed[opening].mean()) if opening.any() else None,
        "all": float(agreed.mean()),
        "bids_and_doubles": float(agreed[~opening & ~passes].mean()) if (~opening & ~passes).any() else None,
        "default": float(defaulted.mean()),
        "seconds": seconds,
    }
    if options.json:
        print(json.dumps(figures))
        return
    print(f"openings                    {percentage(int(agreed[opening].sum()), int(opening.sum()))}")
    print(f"all calls                   {percentage(int(agreed.sum()), len(calls))}")
    other = ~opening & ~passes
    print(f"bids and doubles, later     {percentage(int(agreed[other].sum()), int(other.sum()))}")
    later = ~opening & passes
    print(f"passes, later               {percentage(int(agreed[later].sum()), int(later.sum()))}")
    print(f"reached the default actions {percentage(int(defaulted.sum()), len(calls))};  {seconds:.1f} s")
    situations: dict[str, list[int]] = defaultdict(list)
    for i, auction in enumerate(auctions):
        situations[auction_text(auction)].append(i)
    worst = sorted(situations.items(), key=lambda item: -sum(not agreed[i] for i in item[1]))[: options.worst]
    for text, rows in worst:
        wrong = [i for i in rows if not agreed[i]]
        if not wrong:
            break
        pairs = Counter((str(calls[i]), str(answers[i])) for i in wrong).most_common(6)
        print(
            f"\n{text or '(opening)'}: {len(wrong)} of {len(rows)} differ   "
            + "  ".join(f"{c}->{a} {n}" for (c, a), n in pairs)
        )
        for i in wrong[: options.hands]:
            place = f"vul {auctions[i].vul} seat {auctions[i].actor}"
            print(f"    {hands[i]:20} {place}: {calls[i]} expected, {answers[i]} by {reasons[i]}")
