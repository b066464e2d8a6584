"""What calls are worth by playing on: wide tags of single decisions, in IMPs over the call of the rules.

A tag deals worlds that fit the auction, lets the auction go on from every candidate with everybody following
the rules, and compares where it ends. Opponents who follow rules double too little, so that every contract is
valued twice: as it is, and with our contracts doubled where they are well down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call
from pidm.bridge.cards import Hand
from pidm.bridge.scoring import imps
from pidm.bridge.utilities import Guarded, Utility
from pidm.bridge.worlds import Worlds
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.limit import Limit, Meter
from pidm.core.player import Player, Strategy
from pidm.core.playing_out import play_out
from pidm.core.sampling import rbmbmc
from pidm.features import HandColumns
from pidm.models.learned_seats import LearnedSeats
from pidm.play.seating import utility_of
from pidm.reading.bridge_game import Bridge
from pidm.reading.look import Look
from pidm.reading.strength_shift import StrengthShifted
from pidm.reading.table import Table

WORLDS = 32
"""Worlds of a tag. More situations teach more than more worlds of each."""
FEWEST = 16
"""With fewer there is no tag."""
INSTANCES = 3000
"""Deals that may be generated for them."""


@dataclass(frozen=True, eq=False)
class Tag:
    """What the candidates of a decision are worth, in IMPs over the first of them."""

    calls: tuple[Call, ...]
    """The call of the rules, then the others."""
    plain: np.ndarray
    """float[calls, 2], the mean gain in each half of the worlds, contracts valued as they are."""
    guarded: np.ndarray
    """The same, with our contracts doubled where they are well down."""
    worlds: int
    """How many worlds it is based on."""


def tag(
    look: Look,
    auction: Auction,
    hand: Hand,
    calls: Sequence[Call],
    rng: np.random.Generator,
    light: float = 0.0,
    joint: bool = False,
    seats: LearnedSeats | None = None,
) -> Tag | None:
    """The tag of a decision; None where too few worlds fit the auction.

    `light` opponents bid with so many points less than their system says. Their hands are then dealt as the
    look deals them, more or less as their calls show. With `joint`, partner looks as well before answering:
    a call and the answer to it are tried together, since neither may gain without the other. `seats` tells of
    players who were learned from records: the chances of their calls weigh the worlds, and they answer.
    """
    worth = utility_of("estimate")
    table = look.table
    worlds = (
        look.deal(auction, hand.array, rng)[:WORLDS] if light else fitting(table, auction, hand, rng, seats)
    )
    if len(worlds) < FEWEST:
        return None
    guard = Guarded(worth)
    everybody: Strategy = LighterSide(table, auction.actor.lho, light) if light else seats or table
    if joint:
        everybody = Answering(everybody, look, len(auction.calls) + 2)
    ends = _ends(table, everybody, [auction.after(call) for call in calls], worlds)
    halves = [_halves(_worths(one, ends, worlds, auction.actor)) for one in (worth, guard)]
    return Tag(tuple(calls), halves[0], halves[1], len(worlds))


def fitting(
    table: Table, auction: Auction, hand: Hand, rng: np.random.Generator, seats: LearnedSeats | None = None
) -> Worlds:
    """Worlds in which everybody would have called like this, as far as such are found, in no order."""
    worth = utility_of("estimate")
    learned = {} if seats is None else {seat: Player(model, worth) for seat, model in seats.models.items()}
    player = Player(table, worth, learned)
    meter = Meter(Limit(instances=INSTANCES))
    sample = rbmbmc(Bridge(table), auction, auction.actor, hand.masks, player, meter, WORLDS, rng)
    found = sample.most_consistent(FEWEST).worlds
    return np.asarray(found[rng.permutation(len(found))])


class LighterSide:
    """The strategy of a table where one side bids with some points less than its system says."""

    def __init__(self, table: Table, seat: int, points: float) -> None:
        self._table = table
        self._side = seat & 1
        self._points = points

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """What the rules propose for a batch of hands, or for somewhat stronger ones."""
        if history.actor & 1 != self._side:
            return self._table.choices(history, columns)
        assert isinstance(columns, HandColumns)
        return self._table.situation(history).choices(StrengthShifted(columns, self._points))


@dataclass(frozen=True, eq=False)
class Answering:
    """A strategy in which the player who makes one call of the auction looks before it."""

    strategy: Strategy
    """Of everybody else, and of that player at other times."""
    look: Look
    at: int
    """How many calls stand before the one that is looked at."""

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """What is proposed for a batch of hands; what the look calls, where it is asked."""
        found = self.strategy.choices(history, columns)
        if len(history.calls) != self.at or history.contract is None:
            return found
        assert isinstance(columns, HandColumns)
        look, calls = self.look, found.or_else(PASS).preferred()
        asked = {
            row: (history, hand, Call(int(own)))
            for row, (hand, own) in enumerate(zip(columns.masks, calls))
            if look.worth_it(history, hand, Call(int(own)))
        }
        for (row, (_, hand, _)), seen in zip(asked.items(), look.at(list(asked.values()))):
            best = look.choose(history, hand, seen)
            if seen is not None and best is not None:
                calls[row] = seen.calls[best]
        made = np.unique(calls)
        return Choices(tuple(Proposal(int(call)) for call in made), calls[:, None] == made)


def _ends(
    table: Table, everybody: Strategy, starts: Sequence[Auction], worlds: Worlds
) -> list[list[tuple[Auction, np.ndarray]]]:
    """For every start, where the auction ends, with the rows of the worlds in which it does."""
    n = len(worlds)
    ends: list[list[tuple[Auction, np.ndarray]]] = [[] for _ in starts]
    every = np.concatenate([worlds] * len(starts))
    histories = [start for start in starts for _ in range(n)]
    for step in play_out(Bridge(table), histories, every, everybody):
        if step.choices is None:
            for place in np.unique(step.rows // n):
                ends[place].append((step.history, step.rows[step.rows // n == place] % n))
    return ends


def _worths(
    worth: Utility, ends: Sequence[Sequence[tuple[Auction, np.ndarray]]], worlds: Worlds, seat: int
) -> np.ndarray:
    """float[starts, worlds], what our side scores."""
    result = np.zeros((len(ends), len(worlds)))
    groups: dict[object, list[tuple[int, Auction, np.ndarray]]] = {}
    for place, parts in enumerate(ends):
        for history, rows in parts:
            groups.setdefault(worth.key(history), []).append((place, history, rows))
    for members in groups.values():
        rows = np.unique(np.concatenate([one[2] for one in members]))
        scores = worth.evaluate(members[0][1], worlds[rows], seat)
        for place, _, mine in members:
            result[place, mine] = scores[np.searchsorted(rows, mine)]
    return result


def _halves(worths: np.ndarray) -> np.ndarray:
    won = imps((worths - worths[0]).round())
    middle = won.shape[1] // 2
    return np.column_stack([won[:, :middle].mean(axis=1), won[:, middle:].mean(axis=1)])
