"""Bridge as the core sees a game: whose turn it is, what may be called, and what the hidden hands may be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypeGuard, runtime_checkable

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.dealing import Shown, shown_dealer
from pidm.bridge.worlds import Worlds, complete
from pidm.core.box import INF
from pidm.core.columns import Columns
from pidm.core.game import Draft
from pidm.core.player import Player
from pidm.features import Bounds, HandColumns
from pidm.language.meaning import HCP, LENGTH, feature
from pidm.reading.inference import POINTS
from pidm.reading.situation import Situation
from pidm.reading.table import Table

Private = tuple[int, ...]
"""What a seat holds: its four suit masks."""

COMMON = 0.12
"""Calls that are more likely than this are weighed as they come."""
WORTH_SPLITTING = 128
"""Instances from which on a draft keeps hands."""
MOST_KEPT = 40
"""Hands around which the others are dealt, at most, for one draft."""
AROUND = 6
"""Worlds dealt around one of them: more would look like evidence, but share a hand."""
MOST_SHORTNESS = 9
"""The most that shortness can be worth; so much less than its points may the high cards of a hand be."""

_SUIT_HCP = [feature(f"hcp({suit})") for suit in "SHDC"]
_BALANCE = feature("balance")


@runtime_checkable
class Showing(Protocol):
    """A model of a player that says by itself what its calls show, instead of the table's reading of them."""

    def shown(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> Shown:
        """Ranges that hold for nearly all hands with which the seat calls like this."""

    def share(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> float:
        """How likely a hand of which nothing is known calls like this."""

    def likelihood(self, history: Auction, columns: Columns, action: int) -> np.ndarray:
        """float[n], how likely each hand makes this call."""


_showing: dict[type, bool] = {}
"""By class, what `isinstance` says: every draft asks, and of a protocol it takes longer than to deal."""


def _is_showing(model: object) -> TypeGuard[Showing]:
    kind = type(model)
    if kind not in _showing:
        _showing[kind] = isinstance(model, Showing)
    return _showing[kind]


class Bridge:
    """The auction as a game between four players of known systems."""

    def __init__(self, table: Table):
        self.table = table

    def actor(self, history: Auction) -> int | None:
        """The seat to call, None when the auction is over."""
        return None if history.over else history.actor

    def legal(self, history: Auction) -> Sequence[int]:
        """The legal calls, pass first."""
        return history.legal()

    def after(self, history: Auction, action: int) -> Auction:
        """The auction with one more call."""
        return history.after(Call(action))

    def moves(self, history: Auction) -> list[tuple[Auction, int]]:
        """All calls, each with the auction before it."""
        result = []
        before = Auction(history.dealer, history.vul)
        for call in history.calls:
            result.append((before, int(call)))
            before = before.after(call)
        return result

    def complete(self, seat: int, private: Private, n: int, rng: np.random.Generator) -> Worlds:
        """Deal the 39 hidden cards at random."""
        return complete(seat, private, n, rng)

    def private(self, worlds: Worlds, row: int, seat: int) -> Private:
        """The hand of a seat in one world."""
        return tuple(int(mask) for mask in worlds[row, seat])

    def columns(self, worlds: Worlds, seat: int) -> HandColumns:
        """The features of a seat's hands."""
        return HandColumns(worlds[:, seat])

    def propose(
        self,
        history: Auction,
        seat: int,
        private: Private,
        n: int,
        rng: np.random.Generator,
        models: Mapping[int, Player],
        ignore: Collection[int] = (),
    ) -> Draft | None:
        """Deal the hidden hands from what they have shown in points and lengths.

        Everyone knows everyone's system, so what has been shown is the table's reading of the auction, unless
        a player's model knows better.
        """
        known = np.zeros((4, 4), dtype=np.uint16)
        known[seat] = private
        shown: list[Shown | None] = [None] * 4
        telling: dict[int, Showing] = {}
        for other in range(4):
            if other != seat:
                model: object = models[other].strategy if other in models else None
                if _is_showing(model):
                    shown[other] = model.shown(history, other, ignore)
                    telling[other] = model
                else:
                    shown[other] = as_shown(self.covering(history, other, ignore))
        dealer = shown_dealer(known, shown)
        if not dealer.possible or not telling:
            return Draft(dealer.propose(n, rng), n if dealer.possible else 0)
        rarest = min(telling, key=lambda other: telling[other].share(history, other, ignore))
        worlds = dealer.propose(n, rng)
        return self._split(history, rarest, telling[rarest], known, shown, worlds, n, rng, ignore)

    def _split(
        self,
        history: Auction,
        seat: int,
        model: Showing,
        known: np.ndarray,
        shown: Sequence[Shown | None],
        worlds: Worlds,
        n: int,
        rng: np.random.Generator,
        ignore: Collection[int],
    ) -> Draft:
        """Weigh the hands with which a seat calls like this; if they are rare, deal the other two anew around
        those that do.

        Points and lengths say little about a call that is rare and has no simple meaning: of the hands within
        them hardly one makes it. Those that do are kept as often as they are likely. What is dealt around one
        is distributed as it is in the worlds themselves, so that only the chances of the others' calls are
        left to be weighed.
        """
        moves = [
            (place, before, call)
            for place, (before, call) in enumerate(self.moves(history))
            if before.actor == seat and place not in ignore
        ]
        counted = frozenset(place for place, _, _ in moves)
        columns = HandColumns(worlds[:, seat])
        chances = np.ones(len(worlds))
        for _, before, call in moves:
            chances *= model.likelihood(before, columns, call)
        likeliest = chances.max(initial=0.0)
        if n < WORTH_SPLITTING or chances.sum() >= COMMON * likeliest * len(chances):
            return Draft(worlds, n, chances, counted)
        kept = np.flatnonzero(rng.random(len(worlds)) * likeliest < chances)[:MOST_KEPT]
        parts = []
        for row in kept:
            around = known.copy()
            around[seat] = worlds[row, seat]
            parts.append(shown_dealer(around, shown).propose(AROUND, rng))
        kin = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return Draft(np.concatenate(parts), n + AROUND * len(parts), counted=counted, kin=kin)

    def covering(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> Bounds:
        """Ranges that hold for every hand of the seat that its system could have bid like this."""
        situation = self.table.situation(history)
        position = len(history.calls) - 1
        result: Bounds = {}
        while situation.parent is not None:
            if history.seat_of(position) == seat and position not in ignore:
                for what, (low, high) in self._covered(history, position, situation).items():
                    old = result.get(what, (-INF, INF))
                    result[what] = (max(low, old[0]), min(high, old[1]))
            situation = situation.parent
            position -= 1
        return result

    def _covered(self, history: Auction, position: int, situation: Situation) -> Bounds:
        """The ranges of the hands that make one of the calls; wider where learning has moved its edges."""
        if not self.table.refinements:
            return situation.covered
        learned = self.table.refinement(Auction(history.dealer, history.vul, history.calls[:position]))
        return situation.covered if learned is None else learned.widened(situation.covered)


def as_shown(bounds: Bounds) -> Shown:
    """What the dealing takes into account: points, lengths, balance; never narrower than the bounds."""
    hcp = _whole(bounds.get(HCP, (0, 37)), 37)
    for points in POINTS.values():
        if points in bounds:
            low, high = bounds[points]
            hcp = (max(hcp[0], int(max(low, 0)) - MOST_SHORTNESS), int(min(hcp[1], high)))
    lengths = tuple(_whole(bounds.get(LENGTH[suit], (0, 13)), 13) for suit in "SHDC")
    suit_hcp = tuple(_whole(bounds.get(what, (0, 10)), 10) for what in _SUIT_HCP)
    balance = bounds.get(_BALANCE, (0, 6))
    balanced = True if balance[1] <= 2 else False if balance[0] >= 3 else None
    return Shown((max(hcp[0], 0), hcp[1]), lengths, suit_hcp, balanced)  # type: ignore[arg-type]


def _whole(bounds: tuple[float, float], most: int) -> tuple[int, int]:
    return int(max(bounds[0], 0)), int(min(bounds[1], most))
