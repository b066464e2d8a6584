"""`pidm engine`: JSON lines on standard input and output."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

import typer

from pidm.cli.options import bidding, reporting

if TYPE_CHECKING:
    from pidm.play.bidder import Bidder


@bidding
def engine(bidder: Bidder) -> None:
    """Answer bidding questions, one JSON object (or array of them) a line, until the input ends."""
    from pidm.engine import serve

    with reporting():
        bidder.prepare()
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text belong to a bad request
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in serve(bidder, sys.stdin):
        typer.echo(line)
        sys.stdout.flush()
