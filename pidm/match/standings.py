"""The table of a reviewed tournament: who lost how much in the bidding, and by which calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pidm.match.review import KINDS

MOST_DEAR = 40
"""Expensive calls that are listed."""


@dataclass
class _Account:
    """What somebody's calls come to."""

    calls: int = 0
    outside: int = 0
    """Those that the system does not make."""
    mistakes: int = 0
    lost: float = 0.0
    """IMPs, by all of them."""

    def add(self, call: Mapping[str, Any]) -> None:
        """One call more."""
        self.calls += 1
        self.outside += call["fits"] == "outside"
        self.mistakes += call["mistake"]
        self.lost += call["lost"]


def standings(boards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Players and pairs by IMPs lost in bidding, kinds of decisions, and the most expensive calls.

    `boards` are reviewed boards as plain data.
    """
    players: dict[str, _Account] = defaultdict(_Account)
    pairs: dict[str, _Account] = defaultdict(_Account)
    kinds: dict[str, _Account] = defaultdict(_Account)
    dearest = []
    for place, board in enumerate(boards):
        names = board["players"]
        for call in board["reviewed"]:
            seat = call["seat"]
            side = "NS" if seat in "NS" else "EW"
            who = names.get(seat, seat)
            players[who].add(call)
            pairs[" – ".join(names.get(one, one) for one in side)].add(call)
            kinds[call["kind"]].add(call)
            if call["mistake"]:
                dearest.append(
                    {
                        "board": board["board"],
                        "place": place,
                        "at": call["at"],
                        "who": who,
                        "lost": call["lost"],
                        "call": call["made"],
                        "best": call["best"],
                        "auction": board["calls"][: call["at"]],
                    }
                )
    dearest.sort(key=lambda one: -one["lost"])
    return {
        "count": len(boards),
        "players": _rows(players),
        "pairs": _rows(pairs),
        "kinds": [{**row, "name": KINDS[row["name"]]} for row in _rows(kinds)],
        "dearest": dearest[:MOST_DEAR],
    }


def _rows(accounts: Mapping[str, _Account]) -> list[dict[str, Any]]:
    """Whoever lost most comes first."""
    rows = [{"name": name, **vars(one), "lost": round(one.lost, 3)} for name, one in accounts.items()]
    return sorted(rows, key=lambda row: -row["lost"])
