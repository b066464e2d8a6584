"""Resource-bounded model-based Monte Carlo sampling, RBMBMC (section 3.4, figure 2).

A contract algorithm: it returns the K worlds found within its limit that disagree with the fewest past
actions, judged by the models of those who took them. Worlds come in batches, and past actions are checked
from the newest back, so that a world is dropped as soon as it cannot improve the sample.

Plain rejection draws worlds uniformly and starves after a few narrow actions, so drafts of the game are
preferred (`Game.propose`). This keeps the distribution right:
- Drafts cover every consistent world, each with the chance that it has uniformly, up to a factor that is the
  same for all (or is given as a weight). So the worlds that pass all checks are uniform among the consistent
  ones, exactly as if they had come from rejection, and worlds of both origins can stand in one sample.
- Weighted worlds are accepted with a chance proportional to their weight. The actions of players whose models
  say how likely they take them (`LikelyStrategy`) are weights too: a world's is the product of its chances.
- An action that does not fit its model at all would empty the draft. Such actions are left out of the draft
  until worlds appear; they still count as inconsistencies of the worlds, which are then uniform among those
  that fit all the other actions. The sample says "that one action meant something else", where uniform worlds
  with as few inconsistencies would say "any one action may have meant something else".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pidm.core.game import Draft, Game, Private, Worlds
from pidm.core.limit import Meter
from pidm.core.player import LikelyStrategy, Player, Strategy, has_likelihood

__all__ = ["Sample", "rbmbmc"]

FIRST_BATCH = 64
"""Worlds in the first batch at least, to learn how rare consistent worlds are and what a world costs."""
LARGEST_BATCH = 4096
"""Larger batches cost more memory than they save calls."""
PATIENCE = 256
"""An action that none of so many worlds agrees with is taken not to fit its model."""
LIKELY = 0.01
"""A world in which an action is less likely than this does not agree with it."""
RESERVE = 24
"""If fewer weighted worlds are accepted, so many of the strongest are taken."""
HALF_A_WORLD = 0.5
"""So many consistent worlds are taken to have been found where none was."""
SPARE = 1.2
"""A batch is larger than what is missing needs, so that seldom a few more have to be drawn."""
GROWTH = 4
"""A batch is at most so many times what was drawn before it: the next may be drawn from something better."""
PLANNED_TIME = 0.5
"""Of the time that is left, what a batch may be planned to take, so that a wrong estimate does no harm."""
EMPTY = 4096
"""If so many instances of drafts give no world, what was shown is taken to be impossible."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The most consistent worlds found."""

    worlds: Worlds
    """At most as many as were asked for, the most consistent first."""
    inconsistency: np.ndarray
    """int16[n], with how many past actions each world disagrees."""
    generated: int
    """Instances that were generated, rejected ones included."""
    ignored: tuple[int, ...] = ()
    """Positions in the history of the actions that had to be left out of the drafts."""
    kin: np.ndarray | None = None
    """int[n], equal for worlds that were dealt around the same hand; None if all were drawn apart."""

    def __len__(self) -> int:
        return len(self.inconsistency)

    @property
    def failed(self) -> bool:
        """Is some world not fully consistent? The paper counts these as sampling failures (section 5.1.1)."""
        return not len(self) or bool(self.inconsistency.any())

    @property
    def consistent(self) -> float:
        """The share of the worlds that agree with every past action; 0 without worlds."""
        return float((self.inconsistency == 0).mean()) if len(self) else 0.0

    def most_consistent(self, enough: int) -> Sample:
        """Only the fully consistent worlds if there are enough of them, else all."""
        perfect = int((self.inconsistency == 0).sum())
        if perfect < enough or perfect == len(self):
            return self
        return self.head(perfect)

    def head(self, n: int) -> Sample:
        """The n most consistent worlds."""
        if n >= len(self):
            return self
        return self.take(np.arange(n))

    def take(self, rows: np.ndarray) -> Sample:
        """Some of the worlds."""
        kin = None if self.kin is None else self.kin[rows]
        return Sample(self.worlds[rows], self.inconsistency[rows], self.generated, self.ignored, kin)


def rbmbmc(
    game: Game,
    history: Any,
    seat: int,
    private: Private,
    player: Player,
    meter: Meter,
    size: int,
    rng: np.random.Generator,
    drafts: bool = True,
) -> Sample:
    """Sample worlds for what `seat` holds after this history; `drafts=False` is plain rejection."""
    checks = _checks(game, history, seat, player)
    source = _Source(game, history, seat, private, player, rng, checks, drafts)
    firm = [check for check in checks if not has_likelihood(check.strategy)]
    likely = [check for check in checks if has_likelihood(check.strategy)]
    pool = _Pool(size, len(firm))
    generated = 0
    pace = _Pace(size, meter, bool(checks))
    # By the clock, something is drawn in any case: without a world all was in vain.
    while (meter.timed and not generated) or not (pool.settled(source.excused(firm)) or meter.over):
        draft = source.draw(pace.batch(pool.missing))
        generated += draft.generated
        meter.charge(draft.generated)
        counts = _inconsistency(game, draft.worlds, firm, pool.cutoff)
        draws = 1 - rng.random(len(counts)) if likely or draft.weights is not None else None
        if likely:
            rest = [check for check in likely if check.position not in draft.counted]
            draft = _weighed(game, draft, rest, counts < pool.cutoff, pool.bound, draws)
        pool.add(draft, counts, draws)
        source.learn(checks)
        pace.learn(draft.generated, pool.perfect)
    if not generated:
        nothing = game.complete(seat, private, 1, rng)[np.arange(0)]
        return Sample(nothing, np.zeros(0, dtype=np.int16), 0, source.ignored)
    worlds, counts, kin = pool.best()
    return Sample(worlds, counts, generated, source.ignored, kin)


# ---------------------------------------------------------------------- consistency


@dataclass
class _Check:
    """A past action of another player, with the record of how many worlds agreed with it."""

    position: int
    before: Any
    action: int
    actor: int
    strategy: Strategy
    asked: int = 0
    agreed: int = 0


def _checks(game: Game, history: Any, seat: int, player: Player) -> list[_Check]:
    """The actions to check, newest first. What the searcher did itself says nothing about the others."""
    checks = []
    for position, (before, action) in enumerate(game.moves(history)):
        actor = game.actor(before)
        if actor is not None and actor != seat:
            checks.append(_Check(position, before, action, actor, player.model(actor).strategy))
    return checks[::-1]


def _inconsistency(game: Game, worlds: Worlds, checks: list[_Check], cutoff: int) -> np.ndarray:
    """Function Inconsistent of figure 2 for a batch: int16[n], counted up to the cut-off."""
    n = len(worlds)
    counts = np.zeros(n, dtype=np.int16)
    alive = np.arange(n)
    columns: dict[int, Any] = {}
    for check in checks:
        if not len(alive):
            break
        if check.actor not in columns:
            columns[check.actor] = game.columns(worlds if len(alive) == n else worlds[alive], check.actor)
        agrees = check.strategy.choices(check.before, columns[check.actor]).allows(check.action)
        check.asked += len(alive)
        check.agreed += int(agrees.sum())
        counts[alive[~agrees]] += 1
        stays = np.flatnonzero(counts[alive] < cutoff)
        if len(stays) < len(alive):
            alive = alive[stays]
            columns = {actor: values.take(stays) for actor, values in columns.items()}
    return counts


def _weighed(
    game: Game,
    draft: Draft,
    checks: list[_Check],
    useful: np.ndarray,
    bound: float,
    draws: np.ndarray | None,
) -> Draft:
    """The draft with the chances of these actions as weights; 0 for worlds that cannot enter the sample."""
    assert draws is not None
    weights = np.where(useful, 1.0 if draft.weights is None else draft.weights, 0.0)
    alive = np.flatnonzero(weights)
    columns: dict[int, Any] = {}
    for check in checks:
        if not len(alive):
            break
        if check.actor not in columns:
            columns[check.actor] = game.columns(draft.worlds[alive], check.actor)
        strategy: LikelyStrategy = check.strategy  # type: ignore[assignment]
        chances = strategy.likelihood(check.before, columns[check.actor], check.action)
        check.asked += len(alive)
        check.agreed += int((chances >= LIKELY).sum())
        weights[alive] *= chances
        # A world that is too weak already need not be asked for the rest.
        stays = np.flatnonzero(weights[alive] >= LIKELY * bound * draws[alive])
        weights[np.delete(alive, stays)] = 0.0
        alive = alive[stays]
        columns = {actor: values.take(stays) for actor, values in columns.items()}
    return replace(draft, weights=weights)


class _Pool:
    """The most consistent worlds so far; a few weighted ones that were not accepted are kept in reserve."""

    def __init__(self, size: int, checks: int) -> None:
        self._size = size
        self._checks = checks
        self._strength = np.zeros(0)
        self.bound = 0.0
        """The largest weight so far."""
        self.counts = np.zeros(0, dtype=np.int16)
        """Inconsistencies of the worlds that were accepted, in ascending order."""
        self._counts = np.zeros(0, dtype=np.int16)
        self._kin = np.zeros(0, dtype=np.intp)
        self._families = 0
        """How many numbers for kin have been given out."""
        self._worlds: Worlds = None

    @property
    def full(self) -> bool:
        return len(self.counts) >= self._size

    @property
    def cutoff(self) -> int:
        """A world with so many inconsistencies would not enter the sample."""
        return int(self.counts[-1]) if self.full else self._checks + 1

    @property
    def perfect(self) -> int:
        return int((self.counts == 0).sum())

    @property
    def missing(self) -> int:
        return self._size - self.perfect

    def settled(self, ignored: int) -> bool:
        """Can no further world improve the sample? Actions that fit no world are inconsistencies of all."""
        return self.full and self.cutoff <= ignored

    def add(self, draft: Draft, counts: np.ndarray, draws: np.ndarray | None) -> None:
        """Keep the best of the old and the new."""
        # To accept with chance weight / bound is to keep those with weight / uniform >= bound. So each world
        # draws once and can be judged again when a larger weight raises the bound.
        useful = counts < self.cutoff
        if draft.weights is None:
            strength = np.full(len(counts), np.inf)
        else:
            strength = draft.weights / draws
            useful &= strength > 0
            self.bound = max(self.bound, float(draft.weights.max(initial=0.0)))
        rows = np.flatnonzero(useful)
        kin = np.arange(len(draft.worlds)) if draft.kin is None else draft.kin
        worlds, counts, strength = draft.worlds[rows], counts[rows], strength[rows]
        family = self._families + kin[rows]
        self._families += int(kin.max(initial=-1)) + 1
        if self._worlds is not None:
            worlds = np.concatenate([self._worlds, worlds])
            counts = np.concatenate([self._counts, counts])
            strength = np.concatenate([self._strength, strength])
            family = np.concatenate([self._kin, family])
        accepted = strength >= self.bound
        ranked = np.argsort(counts, kind="stable")
        best = ranked[accepted[ranked]][: self._size]
        others = ranked[~accepted[ranked]]
        others = others[np.lexsort((-strength[others], counts[others]))][:RESERVE]
        self.counts = counts[best]
        kept = np.concatenate([best, others])
        self._worlds, self._counts, self._strength = worlds[kept], counts[kept], strength[kept]
        self._kin = family[kept]

    def best(self) -> tuple[Worlds, np.ndarray, np.ndarray | None]:
        """The worlds of the sample, their inconsistencies, and their kin; the most consistent first.

        If hardly any weighted world was accepted, one weight towers above the others; the strongest of them
        are then taken all the same: as if the largest weight had been smaller.
        """
        rows = np.arange(len(self.counts))
        if len(rows) < RESERVE and len(self._counts) > len(rows):
            rows = np.argsort(self._counts[:RESERVE], kind="stable")
        kin = self._kin[rows]
        apart = len(np.unique(kin)) == len(kin)
        return self._worlds[rows], self._counts[rows], None if apart else kin


# ---------------------------------------------------------------------- where worlds come from


class _Source:
    """Draws worlds: drafts while the game has them, uniform completions otherwise."""

    def __init__(
        self,
        game: Game,
        history: Any,
        seat: int,
        private: Private,
        player: Player,
        rng: np.random.Generator,
        checks: list[_Check],
        drafts: bool,
    ) -> None:
        self._game, self._history, self._seat, self._private, self._rng = game, history, seat, private, rng
        self._models = {check.actor: player.model(check.actor) for check in checks}
        self._relaxations = _relaxations(checks)
        self._drafts = drafts and bool(checks)
        self._empty = 0
        self.ignored: tuple[int, ...] = ()

    def excused(self, checks: list[_Check]) -> int:
        """With how many of these actions every world disagrees."""
        return sum(check.position in self.ignored for check in checks)

    def draw(self, n: int) -> Draft:
        """The worlds of at most n instances."""
        while self._drafts:
            draft = self._game.propose(
                self._history, self._seat, self._private, n, self._rng, self._models, self.ignored
            )
            if draft is None:
                break
            self._empty = 0 if len(draft.worlds) else self._empty + draft.generated
            if draft.generated and self._empty < EMPTY:
                return draft
            relaxed = next(self._relaxations, None)
            self._drafts = relaxed is not None
            self.ignored, self._empty = relaxed or (), 0
            if draft.generated:
                return draft
        self._drafts, self.ignored = False, ()
        return Draft(self._game.complete(self._seat, self._private, n, self._rng), n)

    def learn(self, checks: list[_Check]) -> None:
        """Leave out of the drafts what no world agrees with, although the draft was made for it."""
        if self._drafts:
            for check in checks:
                if check.asked >= PATIENCE and not check.agreed and check.position not in self.ignored:
                    self.ignored = tuple(sorted({*self.ignored, check.position}))


def _relaxations(checks: list[_Check]) -> Iterator[tuple[int, ...]]:
    """What to leave out when everything together is impossible.

    The newest action first, because everything before it has probably been found possible already. Then, in
    case that a player follows another system altogether, all actions of one player.
    """
    for check in checks:
        yield (check.position,)
    for actor in dict.fromkeys(check.actor for check in checks):
        mine = tuple(sorted(check.position for check in checks if check.actor == actor))
        if len(mine) > 1:
            yield mine


class _Pace:
    """Chooses the size of the next batch: how many worlds are missing, how rare are consistent ones?"""

    def __init__(self, size: int, meter: Meter, checked: bool) -> None:
        # Where worlds are checked, about half of them fail.
        self._first = min(max(FIRST_BATCH, 2 * size if checked else size), LARGEST_BATCH)
        self._meter = meter
        self._start = meter.seconds
        self._made = self._perfect = 0

    def batch(self, missing: int) -> int:
        """Instances to generate now, at least one."""
        meter, wanted = self._meter, self._first
        if self._made:
            rate = max(self._perfect, HALF_A_WORLD) / self._made
            needed = max(FIRST_BATCH, int(SPARE * missing / rate))
            wanted = min(needed, GROWTH * self._made, LARGEST_BATCH)
            if meter.timed:
                each = max(meter.seconds - self._start, 1e-9) / self._made
                wanted = min(wanted, int(PLANNED_TIME * meter.left / each))
        if not meter.timed:
            wanted = min(wanted, int(meter.left))
        return max(1, wanted)

    def learn(self, made: int, perfect: int) -> None:
        """Note what a batch has given."""
        self._made += made
        self._perfect = perfect
