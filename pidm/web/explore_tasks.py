"""What the workers do for who explores a system: meanings with ranges, frequencies, hands, rules, lint."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.worlds import hands_of
from pidm.features import HandColumns
from pidm.language.finding import short_place
from pidm.language.meaning import HCP, LENGTH
from pidm.language.system import System
from pidm.reading.inference import NATURAL
from pidm.reading.table import Table
from pidm.web.loaded import mark, system, table
from pidm.web.requests import Progress, auction_of

SAMPLE = 400
"""Deals from which frequencies are counted."""
MOST_RULES = 60
"""Rules that a search shows."""


def explain(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """What the calls made and the calls possible mean."""
    from pidm.authoring.explain import explain as explained
    from pidm.play.in_play import in_play_of

    auction = auction_of(args)
    here = table(args["ns"], args["ew"])
    found = explained(here, auction, in_play_of(here)).to_dict()
    for one in (*found["made"], *found["possible"]):
        for rule in one["rules"]:
            rule["place"] = short_place(rule["place"])
    found["calls"] = [str(call) for call in auction.calls]
    found["legal"] = [str(call) for call in auction.legal()]
    found["actor"] = None if auction.over else str(auction.actor)
    found["ranges"] = ranges(here, auction)
    found["mark"] = mark(args["ns"], args["ew"])
    return found


def ranges(here: Table, auction: Auction) -> dict[str, dict[str, list[int]]]:
    """What each seat has shown in points and lengths, from the least to the most."""
    situation = here.situation(auction)
    found = {}
    for seat in Seat:
        bounds = situation.bounds[(seat - auction.dealer) & 3]
        told = {"hcp": bounds.get(HCP, NATURAL[HCP])}
        told |= {suit: bounds.get(LENGTH[suit], (0, 13)) for suit in "SHDC"}
        found[str(seat)] = {
            name: [int(max(low, 0)), int(min(high, 37 if name == "hcp" else 13))]
            for name, (low, high) in told.items()
        }
    return found


def frequency(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """How often each call comes up after an auction, of hundred hands that get there."""
    from pidm.play.onlooker import worlds_after

    auction = auction_of(args)
    here = table(args["ns"], args["ew"])
    worlds = worlds_after(here, auction, SAMPLE, np.random.default_rng(1))
    if not len(worlds) or auction.over:
        return {"hands": 0, "shares": {}}
    calls = here.choices(auction, HandColumns(worlds[:, auction.actor])).preferred()
    found, counts = np.unique(calls, return_counts=True)
    shares = {str(Call(int(call))): round(100 * int(n) / len(worlds), 2) for call, n in zip(found, counts)}
    return {"hands": len(worlds), "shares": shares}


def hands(args: dict[str, Any], progress: Progress) -> list[str]:
    """Hands that would make the last call of an auction, those first for which it is the only one."""
    from pidm.play.onlooker import worlds_after

    auction = auction_of(args)
    here = table(args["ns"], args["ew"])
    before = Auction(auction.dealer, auction.vul, auction.calls[:-1])
    worlds = worlds_after(here, auction, 60, np.random.default_rng(2))
    if not len(worlds):
        return []
    masks = worlds[:, before.actor]
    own = here.choices(before, HandColumns(masks)).preferred() == int(auction.calls[-1])
    chosen = np.concatenate([np.flatnonzero(own), np.flatnonzero(~own)])[:10]
    return [str(hand) for hand in hands_of(masks[chosen])]


@functools.lru_cache(maxsize=8)
def _rules(of: System) -> list[dict[str, Any]]:
    """All rules of a system as they are listed."""
    from pidm.authoring.explain import bound, in_words

    found = []
    seen = set()
    for pattern, rule in of.rules():
        row: dict[str, Any] = {
            "title": rule.block.title,
            "convention": rule.block.spec.convention or "",
            "auction": bound(pattern, rule.binding),
            "call": bound(rule.line.spec.call, rule.binding),
            "shows": in_words([one.settled.box for one in rule.alternatives]),
            "place": short_place(rule.place),
        }
        key = (row["auction"], row["call"], row["place"])
        if key not in seen:
            seen.add(key)
            found.append(row)
    return found


def search(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Conventions and rules that hold all words of a question."""
    of = system(args["ns"])
    words = args["words"].lower().split()
    conventions = [
        {"name": one.name, "about": (one.about or "").strip(), "on": one.on, "example": _first(of, one.name)}
        for one in of.spec.all_conventions.values()
        if all(word in f"{one.name.replace('_', ' ')} {one.about or ''}".lower() for word in words)
    ]
    conventions.sort(key=lambda one: not one["on"])
    rules = []
    for row in _rules(of):
        text = " ".join(row.values()).replace("_", " ").lower()
        if all(word in text for word in words):
            rules.append(row)
    # What is about it comes before what mentions it.
    asked = "_".join(words)
    rules.sort(
        key=lambda row: (
            row["convention"] != asked,
            not all(word in row["title"].lower() for word in words),
        )
    )
    return {"conventions": conventions[:20], "rules": rules[:MOST_RULES], "found": len(rules)}


def _first(of: System, convention: str) -> list[str] | None:
    """An auction in which a convention has something to say, to have a look at."""
    from pidm.authoring.reachable import auctions_of
    from pidm.bridge.calls import Vul

    here = Table.of(of)
    for block in of.blocks:
        if block.spec.convention == convention:
            for auction in auctions_of(block, Seat.N, Vul.None_, 1):
                applied = here.situation(auction).applied
                if any(one.rule.block.spec.convention == convention for one in applied):
                    return [str(call) for call in auction.calls]
    return None


def source(args: dict[str, Any], progress: Progress) -> dict[str, Any] | None:
    """The text of a file of a system; None for any other file."""
    for path in _files(system(args["ns"])):
        if short_place(str(path)) == args["file"] or str(path) == args["file"]:
            return {"file": args["file"], "text": path.read_text(encoding="utf-8")}
    return None


def _files(of: System) -> Iterator[Path]:
    """The files of a system, under both names that places may have."""
    here = Path.cwd()
    for path in of.spec.files:
        yield path
        if path.is_relative_to(here):
            yield path.relative_to(here)


def files(args: dict[str, Any], progress: Progress) -> dict[str, list[str]]:
    """The files of the systems at a table."""
    return {name: [str(path) for path in system(name).spec.files] for name in (args["ns"], args["ew"])}


def lint(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """What lint finds in a system."""
    from pidm.authoring.findings import KINDS, REMARKS
    from pidm.authoring.lint import lint as linted

    report = linted(args["ns"], int(args["deals"]), progress=lambda what, done, total: progress(done))
    found = report.to_dict()
    del found["rules"]
    listed = []
    for kind in KINDS:
        some = [one for one in found["findings"] if one["kind"] == kind]
        listed += some[: 5 if kind in REMARKS else 25]
    for one in listed:
        one["place"] = short_place(one["place"])
    found["findings"] = listed
    found["kinds"] = KINDS
    return found
