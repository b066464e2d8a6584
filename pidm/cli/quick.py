"""The plainest forms of `pidm bid`, read without typer: the answer is there in half the time.

What is not understood here, mistakes and `--help` included, is left to typer: this must never say anything
else than `pidm.cli.bid` would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pidm.cli.bidder_options import auction_so_far, in_lines, is_dashes, make_bidder

VALUES = (
    *("dealer", "vul", "system", "partner", "opponents"),
    *("utility", "settle", "scoring", "refinements", "experience"),
)
"""Options with a text."""
FLAGS = {"--json": "as_json", "--no-search": "no_search", "--rules-only": "rules_only"}


def understood(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of `pidm bid` by name; None if they are not all of the plainest kind."""
    found: dict[str, Any] = {}
    places: list[str] = []
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("-") or is_dashes(word):
            places.append(word)
        elif word in FLAGS:
            found[FLAGS[word]] = True
        elif word.startswith("--") and word[2:] in VALUES and waiting:
            found[word[2:]] = waiting.pop(0)
        else:
            return None
    if not places:
        return None
    found["hand"], *auction = places
    return {**found, "auction": auction} if auction else found


def bid(
    hand: str,
    auction: Sequence[str] | None = None,
    dealer: str = "N",
    vul: str = "None",
    as_json: bool = False,
    **options: Any,
) -> None:
    """Print the call for a hand, and why."""
    decision = make_bidder(**options).bid(hand, auction_so_far(auction or (), dealer, vul))
    for line in in_lines(decision, as_json):
        print(line, flush=True)  # the end of the process may wait for the solver
