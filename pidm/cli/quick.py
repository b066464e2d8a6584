"""The plainest forms of `pidm bid`, read without typer: the answer is there in half the time.

What is not understood here, mistakes and `--help` included, is left to typer: this must never say anything
else than `pidm.cli.bid` would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pidm.cli.making import in_lines, make_bidder

VALUES = ("dealer", "vul", "system", "partner", "opponents", "utility", "settle", "scoring", "refinements")
"""Options with a text."""
FLAGS = {"--json": "as_json", "--no-search": "no_search"}


def understood(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of `pidm bid` by name; None if they are not all of the plainest kind."""
    found: dict[str, Any] = {}
    places = ["hand", "auction"]
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("-"):
            if not places:
                return None
            found[places.pop(0)] = word
        elif word in FLAGS:
            found[FLAGS[word]] = True
        elif word.startswith("--") and word[2:] in VALUES and waiting:
            found[word[2:]] = waiting.pop(0)
        else:
            return None
    return found if "hand" in found else None


def bid(
    hand: str, auction: str = "", dealer: str = "N", vul: str = "None", as_json: bool = False, **options: Any
) -> None:
    """Print the call for a hand, and why."""
    for line in in_lines(make_bidder(**options).bid(hand, auction, dealer, vul), as_json):
        print(line, flush=True)  # the end of the process may wait for the solver
