"""`pidm engine`: JSON lines on standard input and output."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import typer

from pidm.cli.making import make_bidder
from pidm.cli.options import (
    Instances,
    NoSearch,
    Opponents,
    Partner,
    Refined,
    Scoring,
    Seconds,
    Seed,
    Settle,
    SystemName,
    Utility,
    reporting,
)


def engine(
    system: SystemName = "two_over_one",
    partner: Partner = None,
    opponents: Opponents = None,
    utility: Utility = "estimate",
    seconds: Seconds = None,
    instances: Instances = None,
    no_search: NoSearch = False,
    seed: Seed = 0,
    refinements: Refined = None,
    settle: Settle = None,
    scoring: Scoring = "imps",
) -> None:
    """Answer bidding questions, one JSON object (or array of them) a line, until the input ends."""
    from pidm.engine import serve

    with reporting():
        bidder = make_bidder(
            system,
            partner,
            opponents,
            utility,
            seconds,
            instances,
            no_search,
            seed,
            refinements,
            settle,
            scoring,
        )
        bidder.prepare()
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text belong to a bad request
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in serve(bidder, sys.stdin):
        typer.echo(line)
        sys.stdout.flush()
