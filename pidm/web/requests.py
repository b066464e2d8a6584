"""What the tasks of the workers have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.core.limit import Limit
from pidm.play.pair import Pair

Progress = Callable[[Any], object]
"""Told how far a task has come."""
Task = Callable[[dict[str, Any], Progress], Any]
"""Plain data in, plain data out."""


def auction_of(args: dict[str, Any]) -> Auction:
    """The auction of a request: `calls` as a list, `dealer`, `vul`."""
    auction = Auction(Seat.from_str(args.get("dealer", "N")), Vul.from_str(args.get("vul", "None")))
    return auction.after_all(Call.from_str(call) for call in args["calls"])


def limit_of(args: dict[str, Any]) -> Limit | None:
    """The time that a search may take; None: bid by the rules alone."""
    seconds = float(args.get("seconds", 0))
    return Limit(seconds=seconds) if seconds > 0 else None


def pair_of(system: str, args: dict[str, Any]) -> Pair:
    """A pair with this system that takes the time of a request."""
    limit = limit_of(args)
    return Pair(system, search=False) if limit is None else Pair(system, seconds=limit.seconds)
