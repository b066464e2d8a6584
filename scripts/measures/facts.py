"""How many facts of a textbook do the rules of a system get right?

The file holds one fact a line, as JSON (gzip is fine): hand "S.H.D.C", auction [calls before], expected call,
and perhaps dealer (the first caller, default N), vul (default None), group (a chapter), and keys of your own
that are true or false. Every hand is put to the rules (without search). Prints the agreement, group by group,
and the misses with the rule that spoke.

    scripts/measure facts sayc facts.jsonl --skip implied --skip doubtful
    scripts/measure facts sayc facts.jsonl --group balancing --misses 50
    scripts/measure facts sayc facts.jsonl --part 1/3 --part 2/3      # keep the last third aside
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import defaultdict
from pathlib import Path

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.errors import PidmError
from pidm.language.system import System
from pidm.reading.lockstep import preferred_calls
from pidm.reading.table import Table


def part_of(text: str) -> tuple[int, int]:
    """The numbers of "1/3"."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text}: write a part as 1/3")
    return int(found[1]), int(found[2])


def read_facts(path: Path, parts: list[tuple[int, int]], seed: int) -> list[dict]:
    """The facts of the file that fall into one of the parts (all, if none is given), in the order of the
    file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as lines:
        facts = [json.loads(line) for line in lines if line.strip()]
    if not parts:
        return facts
    order = np.random.default_rng(seed).permutation(len(facts))
    chosen = [row for part, count in parts for row in np.array_split(order, count)[part - 1].tolist()]
    return [facts[row] for row in sorted(set(chosen))]


def auction_of(fact: dict) -> Auction:
    """The auction before the call."""
    seat, vul = Seat.from_str(fact.get("dealer", "N")), Vul.from_str(fact.get("vul", "None"))
    return Auction.from_str(", ".join(fact["auction"]), seat, vul)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("system", help="name or file of a system")
    parser.add_argument("facts", type=Path, help="JSON lines, perhaps gzipped")
    parser.add_argument("--skip", action="append", default=[], metavar="KEY", help="skip facts where true")
    parser.add_argument("--only", action="append", default=[], metavar="KEY", help="only facts where true")
    parser.add_argument("--group", default="", help="only groups that match this regular expression")
    parser.add_argument(
        "--part", action="append", default=[], type=part_of, metavar="I/N", help="one of N random parts"
    )
    parser.add_argument(
        "--on", action="append", default=[], metavar="NAME", help="put a convention on the card"
    )
    parser.add_argument("--off", action="append", default=[], metavar="NAME", help="take one off the card")
    parser.add_argument("--seed", type=int, default=1, help="of the parts (default 1)")
    parser.add_argument("--misses", type=int, default=20, help="how many misses to list (default 20)")


def measure(options: argparse.Namespace) -> None:
    """Print the figures."""
    card = dict.fromkeys(options.on, True) | dict.fromkeys(options.off, False)
    system = System.load(options.system, card)
    facts = [
        fact
        for fact in read_facts(options.facts, options.part, options.seed)
        if not any(fact.get(key) for key in options.skip)
        and all(fact.get(key) for key in options.only)
        and re.search(options.group, fact.get("group", ""))
    ]
    auctions = [auction_of(fact) for fact in facts]
    hands = [Hand.from_str(fact["hand"]) for fact in facts]
    expected = [Call.from_str(fact["expected"]) for fact in facts]
    if not facts:
        raise PidmError("no fact matches")
    rules: dict[int, str] = {}

    def observe(auction: Auction, rows: np.ndarray, choices) -> None:
        for row, column in zip(rows.tolist(), choices.mask.argmax(axis=1)):
            source = choices.proposals[column].source
            rules[row] = source.place.rsplit("/", 1)[-1] if source is not None else "the default actions"

    masks = np.array([hand.masks for hand in hands], dtype=np.uint16)
    answers = preferred_calls(Table.of(system), masks, auctions, observe)
    groups: dict[str, list[int]] = defaultdict(list)
    for row, fact in enumerate(facts):
        groups[fact.get("group", "")].append(row)
    right = [answer == call for answer, call in zip(answers, expected)]
    if options.json:
        shares = {name: [sum(right[row] for row in rows), len(rows)] for name, rows in groups.items()}
        print(json.dumps({"facts": len(facts), "right": sum(right), "groups": shares}))
        return
    print(f"{sum(right)} of {len(facts)} right ({100 * sum(right) / len(facts):.1f}%)")
    missed = {name: [row for row in rows if not right[row]] for name, rows in groups.items()}
    listed = 0
    for name, rows in sorted(missed.items(), key=lambda item: -len(item[1])):
        count = len(groups[name])
        print(f"\n{name or 'no group'}: {count - len(rows)} of {count}")
        for row in rows[: max(0, options.misses - listed)]:
            text = " ".join(map(str, auctions[row].calls)) or "(opening)"
            place = f"{text}, {auctions[row].dealer} dealt, vul {auctions[row].vul}"
            print(f"    {hands[row]!s:20} {place}: {expected[row]} expected, {answers[row]} by {rules[row]}")
            listed += 1
