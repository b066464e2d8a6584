"""Does what a system says about its calls fit the hands that make them?

Takes deals that others have bid (JSON lines as for `agreement`), or with `--own N` deals that four
players of the system bid by its rules, with `--look` by rules and look, with `--experience` by these and the
experience that ships; what is told of play beside the rules then counts as well, `--agreed` leaves it out.
Every call that a rule speaks about is explained, and the explanation is held against the hand: high card
points, and the length of each suit that the call speaks about; apart from that for the calls after both sides
have acted.

    scripts/measure meanings two_over_one deals.jsonl.gz --deals 2000
    scripts/measure meanings two_over_one --own 2000 --look
    scripts/measure meanings two_over_one --own 2000 --experience
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from measures.bid_deals import read_deals
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import random_deals, to_deals
from pidm.errors import PidmError
from pidm.language.meaning import HCP, LENGTH
from pidm.language.system import System
from pidm.language.words import words_of
from pidm.play.bidder import Bidder
from pidm.play.in_play import in_play_of
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table

Bid = tuple[dict[str, Hand], Auction]


def bid_by_others(path: Path, first: int, count: int | None) -> list[Bid]:
    """The deals of a file with their auctions."""
    result = []
    for deal in read_deals(path, first, count):
        calls = tuple(Call.from_str(text) for text in deal["auction"])
        auction = Auction(Seat.from_str(deal["dealer"]), Vul.from_str(deal["vul"]), calls)
        result.append(({seat: Hand.from_str(hand) for seat, hand in deal["hands"].items()}, auction))
    return result


def bid_by_rules(system: System, count: int, seed: int) -> list[Bid]:
    """Random deals that four players of the system bid."""
    worlds = random_deals(count, np.random.default_rng(seed))
    boards = range(1, count + 1)
    auctions = bid_out(
        Table.of(system), worlds, [Seat.of_board(b) for b in boards], [Vul.of_board(b) for b in boards]
    )
    return [(dict(zip("NESW", deal)), auction) for deal, auction in zip(to_deals(worlds), auctions)]


def bid_with_the_look(system: System, count: int, seed: int, experience: str | None) -> list[Bid]:
    """The same deals, bid by rules and look, and perhaps with experience."""
    bidder = Bidder(system, limit=None, experience=experience)
    deals = to_deals(random_deals(count, np.random.default_rng(seed)))
    auctions = [Auction(Seat.of_board(b), Vul.of_board(b)) for b in range(1, count + 1)]
    while live := [k for k, auction in enumerate(auctions) if not auction.over]:
        asked = [(deals[k][auctions[k].actor], auctions[k]) for k in live]
        for k, decision in zip(live, bidder.bid_many(asked)):
            auctions[k] = auctions[k].after(decision.call)
    return [(dict(zip("NESW", deal)), auction) for deal, auction in zip(deals, auctions)]


def contested(auction: Auction) -> bool:
    """Have both sides bid or doubled?"""
    return all(any(call != PASS for call in auction.calls[side::2]) for side in (0, 1))


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("system", help="name or file of a system")
    parser.add_argument("deals", type=Path, nargs="?", help="JSON lines, perhaps gzipped")
    parser.add_argument("--own", type=int, help="bid so many random deals by the rules instead")
    parser.add_argument("--look", action="store_true", help="these with the look")
    parser.add_argument("--experience", action="store_true", help="these with the look and experience")
    parser.add_argument("--agreed", action="store_true", help="hold them against what was agreed alone")
    parser.add_argument("--deals", dest="count", type=int, help="how many deals of the file (default: all)")
    parser.add_argument("--first", type=int, default=0, help="skip so many deals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=10, help="how many calls to list")


def measure(options: argparse.Namespace) -> None:
    """Print the figures."""
    if (options.deals is None) == (options.own is None):
        raise PidmError("give a file of deals or --own N")
    if options.agreed and not options.experience:
        raise PidmError("--agreed goes with --experience: without it nothing else is told")
    system = System.load(options.system)
    if options.own is not None and (options.look or options.experience):
        bid = bid_with_the_look(system, options.own, options.seed, None if options.experience else "")
    elif options.own is not None:
        bid = bid_by_rules(system, options.own, options.seed)
    else:
        bid = bid_by_others(options.deals, options.first, options.count)
    table = Table.of(system)
    in_play = in_play_of(table) if options.experience and not options.agreed else {}
    said: Counter[str] = Counter()
    true: Counter[str] = Counter()
    wrong: Counter[tuple[str, str, str]] = Counter()
    for hands, auction in bid:
        before = Auction(auction.dealer, auction.vul)
        for call in auction.calls:
            hand = hands[str(before.actor)]
            situation = table.situation(before)
            meant = situation.meaning_of(call)
            shown = dict(meant.shown)
            if before.actor in in_play:
                shown |= in_play[before.actor].beyond(situation, call)
            statements = [("points", "points", HCP, hand.hcp)]
            statements += [("lengths", s, LENGTH[s], cards) for s, cards in zip("SHDC", hand.lengths)]
            faults = []
            for kind, name, feature, value in statements:
                if not meant.rules or feature not in shown:
                    continue
                low, high = shown[feature]
                for what in (kind, f"{kind}, contested") if contested(before) else (kind,):
                    said[what] += 1
                    true[what] += low <= value <= high
                faults += [] if low <= value <= high else [name]
            for fault in faults:
                wrong[" ".join(map(str, before.calls)) + f" {call}", words_of(shown), fault] += 1
            before = before.after(call)
    kinds = ("points", "lengths", "points, contested", "lengths, contested")
    figures = {what: true[what] / said[what] if said[what] else None for what in kinds}
    if options.json:
        print(json.dumps({**figures, "statements": dict(said)}))
        return
    for what, share in figures.items():
        print(
            f"{what:18} {100 * share:6.2f}% of {said[what]} statements are true" if share else f"{what}: none"
        )
    for (calls, words, fault), count in wrong.most_common(options.worst):
        print(f"{count:6}  {calls}: {words}  (wrong about {fault})")
