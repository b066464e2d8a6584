"""What an author should do next: where calls are not the author's, and what boards lose there.

Every board was solved, and bid by `two_over_one` as well (`reference`). What a side does worse than par,
beyond what that pair does worse on the same cards, is what its bidding cost. It is put down to the first call
that was not the author's; where all were, to the line of the side's first bid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from pidm.authoring.absurd import ABSURD
from pidm.authoring.reference import SEED, references
from pidm.authoring.watch import PIECE, Sightings, Tally, deals_of

SHOWN = 5
"""Things to do that fit on a screen."""
LEAST = 3
"""Times that something came up, before it is worth a line."""


@dataclass(frozen=True, slots=True)
class ToDo:
    """One thing to do, with what it is worth."""

    what: str
    """What to do, in a sentence."""
    where: str
    """The auction as a pattern that a block may have, the file and line, or the kind of absurdity."""
    times: int
    """How often it came up."""
    cost: float
    """IMPs lost on a hundred boards."""
    error: float
    """The standard error of that."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


class Losses:
    """What each side of each board lost, as far as its boards were solved."""

    def __init__(self, seed: int, contracts: Sequence[str]):
        known = references() if seed == SEED else []
        self.boards = min(len(known), len(contracts))
        """How many boards were solved: the first ones."""
        self._lost: list[tuple[float, float]] = []
        for start in range(0, self.boards, PIECE):
            _, vuls = deals_of(seed, start // PIECE, min(PIECE, self.boards - start))
            for row, vul in enumerate(vuls, start):
                self._lost.append(known[row].losses(contracts[row], vul))

    def of(self, spots: Iterable[tuple[int, int]]) -> tuple[float, float]:
        """IMPs lost on a hundred boards at these (deal, side), and the standard error."""
        lost = [self._lost[row][side] for row, side in set(spots) if row < self.boards]
        if not self.boards:
            return 0.0, 0.0
        scale = 100 / self.boards
        return scale * sum(lost), scale * sqrt(sum(one * one for one in lost))


def to_do(seen: Sightings, losses: Losses, places: dict[str, str]) -> list[ToDo]:
    """What to do next, dearest first; `places` has the call, file and line of every line of the author's."""
    taken: set[tuple[int, int]] = set()
    found = list(_absurd(seen, losses, taken))
    found += _made(seen.gaps, losses, taken, "say what you call after {}: a block `auction: {}`", {})
    found += _made(seen.first_bids, losses, taken, "look at what follows {}", places)
    # What may well be luck goes last: by what it costs at least, most probably.
    return sorted(found, key=lambda one: one.error - one.cost)


def _absurd(seen: Sightings, losses: Losses, taken: set[tuple[int, int]]) -> Iterator[ToDo]:
    """What no player would do, each board once, by the worst of its kinds; what they took is added."""
    for kind in (kind for kind in ABSURD if kind in seen.absurd):
        tally = seen.absurd[kind]
        cost, error = losses.of(spot for spot in tally.spots if spot not in taken)
        taken.update(tally.spots)
        sample = f" ({tally.samples[0]})" if tally.samples else ""
        yield ToDo(f"mend what no player would do, {kind}{sample}", kind, tally.count, cost, error)


def _made(
    tallies: dict[str, Tally],
    losses: Losses,
    taken: set[tuple[int, int]],
    words: str,
    places: dict[str, str],
) -> Iterator[ToDo]:
    for key, tally in tallies.items():
        if tally.count >= LEAST and (key in places or not places):
            cost, error = losses.of(spot for spot in tally.spots if spot not in taken)
            where = places.get(key, key)
            yield ToDo(words.format(where, where), where, tally.count, cost, error)
