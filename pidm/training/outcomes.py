"""Outcomes: what calls gain, found by trying others in their place.

Random deals are bid by players with what they have learned so far. In some of the decisions a few other calls
are made instead, on the same deal, and all four bid on as ever. What the results differ by, in IMPs, is one
draw of what a call gains: the deal is one of those that come up there, since it did. It is noisy, but partner
and opponents answer as they really do, and nothing has to be imagined. A network learns the mean of millions
of such draws. As both partners and, at part of the tables, the opponents bid by what was learned so far, a
call and the answers to it are learned together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pidm.bridge.scoring import imps
from pidm.bridge.worlds import random_deals
from pidm.models.auctions import Auctions
from pidm.models.experience import Experience
from pidm.models.inputs import Floats, Masks, hand_inputs, suit_inputs
from pidm.models.layers import Adam, Layers, Weights
from pidm.models.many_tables import ManyTables, Rows

BATCH = 256
"""Decisions a step of learning."""
FADE = 0.999
"""How much of its squares Adam keeps in a step."""


@dataclass(frozen=True)
class Trials:
    """What is tried."""

    decisions: int = 2
    """Of the learner, on each deal."""
    others: int = 4
    """Calls that are tried in place of the best one, at most."""
    reach: float = 4.0
    """IMPs that they may be worth less, by what is known."""
    temperature: float = 0.7
    """IMPs: calls that are worth so much less are tried e times less often."""
    stray: float = 0.1
    """At half of the tables, the share of calls that are not the best one, so that rare auctions come up."""
    alone: float = 0.4
    """The share of tables where the opponents are as experienced as the learner."""
    joint: bool = True
    """Whether the learner's partner bids by what was learned so far; else as the first of the rivals does."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Decisions, and what came of their calls."""

    masks: Masks
    """uint16[n, 4], the hands."""
    auctions: Auctions
    calls: Rows
    """intp[n, 1 + others], the best call by what was known, and others."""
    tried: npt.NDArray[np.bool_]
    """bool[n, 1 + others], which of them were tried."""
    gained: Floats
    """float32[n, 1 + others], IMPs gained on the first."""

    def __len__(self) -> int:
        return len(self.masks)


def outcomes(
    learner: Experience, rivals: Sequence[Experience], deals: int, trials: Trials, rng: np.random.Generator
) -> Outcomes:
    """What comes of calls on some random deals, where the learner plays its rivals and itself."""
    tables = ManyTables.of(random_deals(deals, rng), (learner, *rivals))
    auctions = Auctions.begun(rng.integers(0, 4, deals), rng.integers(0, 4, deals))
    rival = np.where(rng.random(deals) < trials.alone, 0, rng.integers(1, len(rivals) + 1, deals))
    seats = np.zeros((deals, 4), np.intp)
    seats[np.arange(deals)[:, None], (rng.integers(0, 2, deals)[:, None] + [0, 2])] = rival[:, None]
    for side in () if trials.joint else (0, 1):
        learners = np.flatnonzero(seats[:, side] == 0)
        seats[learners, side + 2 * rng.integers(0, 2, len(learners))] = 1
    where, then, values = _decisions(tables, auctions, seats, trials, rng)
    calls, tried = _to_try(values, trials, rng)
    some = np.flatnonzero(tried[:, 1:].any(axis=1))
    where, then, calls, tried = where[some], then.take(some), calls[some], tried[some]
    row, place = np.nonzero(tried)
    ways = then.take(row)
    ways.call(np.arange(len(row)), calls[row, place])
    tables.bid_out(ways, where[row], seats[where[row]])
    scores = tables.scores(ways, where[row])
    actors = then.actor
    scores[actors[row] & 1 == 1] *= -1
    reached = np.zeros((*tried.shape, scores.shape[1]))
    reached[row, place] = scores
    difference = np.rint(reached - reached[:, :1]).astype(np.int64)
    gained = np.where(tried, imps(difference).mean(axis=2), 0).astype(np.float32)
    return Outcomes(tables.deals[where, actors], then, calls, tried, gained)


def _decisions(
    tables: ManyTables, auctions: Auctions, seats: Rows, trials: Trials, rng: np.random.Generator
) -> tuple[Rows, Auctions, Floats]:
    """Decisions of the learner, with their deals and what calls are worth: the close ones, above all."""
    strays = np.where(rng.random(len(auctions)) < 0.5, 0.0, trials.stray)
    live = np.arange(len(auctions))
    found: list[tuple[Rows, Auctions, Floats, npt.NDArray[np.float64]]] = []
    while len(live):
        now = auctions.take(live)
        who = seats[live, now.actor]
        values = tables.values(now, live, who)
        own = np.flatnonzero(who == 0)
        two_best = np.partition(values[own], -2, axis=1)[:, -2:]
        weight = np.exp((two_best[:, 0] - two_best[:, 1]) / trials.temperature) + 0.03
        found.append((live[own], now.take(own), values[own], np.log(weight) + rng.gumbel(size=len(own))))
        calls = values.argmax(axis=1)
        odd = np.flatnonzero(rng.random(len(live)) < strays[live])
        calls[odd] = _drawn(values[odd], 1, trials.temperature, rng)[:, 0]
        auctions.call(live, calls)
        live = live[~auctions.over[live]]
    deals, keys = np.concatenate([one[0] for one in found]), np.concatenate([one[3] for one in found])
    order = np.lexsort((-keys, deals))
    begins = np.maximum.accumulate(
        np.where(np.r_[True, np.diff(deals[order]) != 0], np.arange(len(order)), 0)
    )
    rows = np.sort(order[np.arange(len(order)) - begins < trials.decisions])
    values = np.concatenate([one[2] for one in found])[rows]
    return deals[rows], Auctions.joined([one[1] for one in found]).take(rows), values


def _to_try(values: Floats, trials: Trials, rng: np.random.Generator) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """The best call of each row and others, and which of them are worth a try."""
    rows = np.arange(len(values))
    best = values.argmax(axis=1)
    without = values.copy()
    without[rows, best] = values.min()
    others = _drawn(without, trials.others, trials.temperature, rng)
    near = np.take_along_axis(without, others, axis=1) > values[rows, best, None] - trials.reach
    return np.column_stack([best, others]), np.column_stack([np.ones(len(rows), bool), near])


def _drawn(values: Floats, count: int, temperature: float, rng: np.random.Generator) -> Rows:
    """Some calls of each row, the better ones more often, without repetition."""
    luck = values / temperature + rng.gumbel(size=values.shape)
    return np.argpartition(-luck, count - 1, axis=1)[:, :count]


class GainsLearner:
    """Learns the mean of outcomes."""

    def __init__(self, adam: Adam) -> None:
        self.adam = adam
        """The weights, and how they were changed last."""

    def learn(self, found: Outcomes, rate: float, rng: np.random.Generator) -> float:
        """See all of them once; the mean squared error before is returned."""
        pieces = np.array_split(rng.permutation(len(found)), max(1, len(found) // BATCH))
        view = found.auctions.view()
        hands, suits = hand_inputs(found.masks), suit_inputs(found.masks, view.suits)
        lost = 0.0
        for rows in pieces:
            inputs = hands[rows], suits[rows], view.inputs[rows]
            layers = Layers.of(self.adam.weights, inputs, view.kinds[rows])
            calls, tried = found.calls[rows], found.tried[rows]
            wrong = np.where(tried, np.take_along_axis(layers.scores, calls, axis=1) - found.gained[rows], 0)
            # Only differences between calls mean something: the mean over those tried is free.
            wrong -= wrong.sum(axis=1, keepdims=True) / tried.sum(axis=1, keepdims=True)
            wrong = np.where(tried, wrong, 0).astype(np.float32)
            lost += float((wrong**2).sum())
            error = np.zeros_like(layers.scores)
            np.put_along_axis(error, calls, wrong / np.float32(len(rows)), axis=1)
            self.adam.step(layers.gradients(self.adam.weights, error), rate)
        return lost / len(found)


def without_gains(habit: Weights) -> dict[str, Floats]:
    """Weights to begin with: the layers of the habit, and no call gains anything."""
    heads = ("calls", "call", "kinds", "kind")
    return {name: np.zeros_like(one) if name in heads else one.copy() for name, one in habit.items()}
