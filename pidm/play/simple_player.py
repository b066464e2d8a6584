"""Two players without any system, as engines for matches: one always passes, one makes any legal call.

    pidm match two_over_one "engine:python -m pidm.play.simple_player pass"
    pidm match two_over_one "engine:python -m pidm.play.simple_player random"

The random walk takes each legal call with the same chance, whatever the hand (Ng, section 3.2.1). Its choice
depends on the seed, the hand and the auction alone, so that it is the same whenever it is asked.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.errors import PidmError

__all__ = ["PLAYERS", "answers", "main"]


def _always_pass(auction: Auction, hand: str, seed: int) -> Call:
    return PASS


def _random_walk(auction: Auction, hand: str, seed: int) -> Call:
    legal = sorted(auction.legal())
    words = f"{seed} {hand} {auction.dealer} {auction.vul} {auction}".encode()
    return Call(legal[zlib.crc32(words) % len(legal)])


PLAYERS: dict[str, Callable[[Auction, str, int], Call]] = {"pass": _always_pass, "random": _random_walk}
"""The players by name."""


def answers(player: str, lines: Iterable[str], seed: int = 1) -> Iterable[str]:
    """An answer for each line of requests, as `pidm engine` speaks."""
    for line in lines:
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
        except ValueError as error:
            yield json.dumps({"id": None, "error": {"type": "RequestError", "message": str(error)}})
            continue
        many = isinstance(asked, list)
        found = [_answer(player, one, seed) for one in (asked if many else [asked])]
        yield json.dumps(found if many else found[0])


def _answer(player: str, asked: Any, seed: int) -> dict[str, Any]:
    number = asked.get("id") if isinstance(asked, dict) else None
    try:
        calls = asked.get("auction", [])
        start = Auction(Seat.from_str(asked.get("dealer", "N")), Vul.from_str(asked.get("vul", "None")))
        words = calls.split() if isinstance(calls, str) else calls
        auction = start.after_all(Call.from_str(word) for word in words)
        return {"id": number, "call": str(PLAYERS[player](auction, str(asked.get("hand")), seed))}
    except (PidmError, AttributeError, TypeError) as error:
        return {"id": number, "error": {"type": type(error).__name__, "message": str(error)}}


def main(args: Sequence[str]) -> int:
    """Answer standard input until it ends; arguments: the player, and a seed if wanted."""
    if not args or args[0] not in PLAYERS or not all(word.isdigit() for word in args[1:]):
        sys.stderr.write(f"usage: python -m pidm.play.simple_player {'|'.join(PLAYERS)} [SEED]\n")
        return 2
    for line in answers(args[0], sys.stdin, int(args[1]) if len(args) > 1 else 1):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
