"""PIDM, partial information decision making (section 3.5, figure 3).

Candidates come from the strategy. If there are several, worlds are sampled that fit the history, the
lookahead plays each candidate out in all of them, and the candidate with the best mean is taken.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pidm.core.choices import Choices, DecidedBy
from pidm.core.columns import Columns
from pidm.core.evaluation import Costs, End, evaluate
from pidm.core.game import Game, Private, Worlds
from pidm.core.garbage import pause, resume
from pidm.core.limit import Clock, Limit, Meter
from pidm.core.lookahead import Counters, Lookahead, Shares, Versus, lawful, unbeaten
from pidm.core.player import Player, Utility, can_stop, cost_of
from pidm.core.playing_on import PlayedOn
from pidm.core.sampling import Sample, rbmbmc
from pidm.errors import PidmError

__all__ = ["Beforehand", "Counters", "Search", "SearchOptions", "SearchResult"]

LARGEST = 4000
"""Worlds that a sample grows to at most."""
PROMISED = 0.6
"""Of the time that is left, what a larger sample may be expected to take: estimates go wrong."""
FEWEST = 8
"""Worlds for which a decision makes sense; a costly utility does not get a smaller sample."""
MARGIN = 0.95
"""Of a limit in seconds, what is planned with; the rest is for what cannot be foreseen."""
COSTLY = 1e-3
"""Seconds for a world from which on a utility is costly: its time varies more than can be foreseen."""
COSTLY_MARGIN = 0.75
"""Of a limit in seconds, what is planned with when the utility is costly."""
STOPPABLE_MARGIN = 0.9
"""The same if a costly utility can stop."""
GRACE = 0.08
"""Of a limit in seconds, what the evaluation may use at least, because without it all was in vain."""
NESTED_GRACE = 0.5
"""The same for simulated players, whose limit lies within another."""
PLANNED = 0.6
"""Of what sampling leaves, what the evaluation of a sample is planned to take with a costly utility."""
SHORTEST_SEARCH = 0.002
"""Seconds without which a simulated player need not begin to search."""
SAME = 1e-9
"""Means that differ by no more than this are the same."""


@dataclass(frozen=True, eq=False)
class Beforehand:
    """What is known of the candidates before anything is simulated."""

    values: Mapping[int, float]
    """What they are worth, in what `SearchOptions.versus` counts; only differences mean something."""
    worlds: float
    """As much as so many worlds of a simulation tell."""

    def __post_init__(self) -> None:
        if not self.worlds >= 0:
            raise PidmError(f"what is known beforehand tells as much as 0 worlds or more, not {self.worlds}")

    def with_worlds(self, candidates: Sequence[int], means: np.ndarray, worlds: int) -> np.ndarray:
        """Both together: the means of a simulation of so many worlds, and what was known."""
        known = np.array([self.values[action] for action in candidates])
        return (worlds * means + self.worlds * known) / max(worlds + self.worlds, SAME)


@dataclass(frozen=True)
class SearchOptions:
    """How a search uses its limit; the independent variables of section 5.1.2."""

    sample_size: int = 200
    """Worlds that a decision is based on."""
    g: float = 0.4
    """The share of the limit that sampling may use at most."""
    r: float = 0.5
    """The share of a node's part of the limit that goes to simulating the player who acts there."""
    nested_size: int = 10
    """Worlds that a simulated player bases its decision on."""
    depth: int = 1
    """How deep players simulate players who search; at 0 everybody else follows the order of preference."""
    nodes: int = 4000
    """Histories that one lookahead looks at, at most: limits in instances need an end too."""
    few: int = 4
    """With fewer worlds in a node than this, a player does not choose by their mean."""
    enough: int = 16
    """With so many fully consistent worlds, those that are not fully consistent are left out."""
    fewest: int = 1
    """With fewer worlds than this, the order of preference decides; so it does if some worlds are fully
    consistent, but fewer: the others, in which an action meant something else, would outvote them."""
    tolerance: int = 1
    """If even the best world disagrees with more actions than this, the order of preference decides."""
    unfinished: float = 1.0
    """If more than this share of the games could not be followed to their end, the order of preference
    decides: for games like bridge, where what an unfinished game is worth now tells little (section 1)."""
    finalists: int = 0
    """With more candidates than this, part of the worlds select so many, the preferred one among them, and
    the other worlds compare these: what was lucky in the selection gains nothing by it. 0: all are compared
    in all worlds."""
    selection: float = 0.25
    """The share of the worlds and of the limit that selects them."""
    caution: float = 0.0
    """By how many standard errors another candidate must be better than the preferred one to replace it."""
    drafts: bool = True
    """Draw worlds from what has been shown; False is plain rejection."""
    settle: Utility | None = None
    """A better, more costly utility that settles what is close, applied where the lookahead's games ended."""
    settle_share: float = 0.5
    """The share of the remaining limit that is kept for it."""
    close: float = 2.0
    """What is close: a difference from the best of at most so many standard errors."""
    grows: bool = False
    """While the best is close to another and there is time, is a larger sample drawn? Only by the clock."""
    versus: Versus | None = None
    """How a game is scored by comparison, as bridge is in IMPs: what worths, float[candidates, worlds], count
    for against those of a rival, float[worlds]. Without it, worths count as they are."""
    beforehand: Beforehand | None = None
    """What is known of the candidates before anything is simulated; without it, they are all alike."""

    def __post_init__(self) -> None:
        for name in ("g", "r", "settle_share", "selection"):
            if not 0 < getattr(self, name) < 1:
                raise PidmError(f"{name} is a share between 0 and 1, not {getattr(self, name)}")
        for name in ("sample_size", "nested_size"):
            if getattr(self, name) < 1:
                raise PidmError(f"{name} is a number of worlds from 1, not {getattr(self, name)}")


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A decision with its evidence."""

    action: int
    """What to do."""
    candidates: tuple[int, ...]
    """What was compared, in the strategy's order of preference; of many candidates, the finalists."""
    sources: tuple[tuple[object, ...], ...]
    """Who proposed each candidate."""
    decided: DecidedBy
    """By what: a rule (one candidate), simulation, or preference (no worlds to judge by)."""
    worths: np.ndarray
    """float[candidates, worlds], the utility of each candidate in each world; NaN where not evaluated."""
    values: np.ndarray
    """The same as it counts: with `versus`, against the candidate that no other beats."""
    settled: np.ndarray
    """The same as `values`, by the better utility, of the candidates and worlds to which it was applied."""
    sample: Sample | None
    """The worlds, and how consistent they are."""
    ends: tuple[np.ndarray, ...]
    """For each candidate, where the game of each world ended, as an object with its `history`; empty if
    nothing was simulated."""
    stage: int
    """The number of actions before."""
    counters: Counters
    """What it took, simulated players included."""
    seconds: float
    """How long it took."""

    @property
    def worlds(self) -> int:
        """The number of worlds in which all candidates were evaluated."""
        return int(_complete(self.values).sum())

    @property
    def solved(self) -> int:
        """The number of worlds in which the better utility settled what was close."""
        return int((~np.isnan(self.settled)).any(axis=0).sum())

    @property
    def means(self) -> np.ndarray:
        """float[candidates], the expected value of each."""
        return _estimate(self.values, self.settled, self._kin)[0]

    @property
    def errors(self) -> np.ndarray:
        """float[candidates], the standard error of each mean."""
        return _estimate(self.values, self.settled, self._kin)[1]

    @property
    def _kin(self) -> np.ndarray | None:
        return None if self.sample is None else self.sample.kin

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """By how much the first of two candidates is better in the mean, and the standard error of that.

        Both were evaluated in the same worlds, so this error is smaller than those of the means.
        """
        a, b = self.candidates.index(one), self.candidates.index(other)
        values, settled = self.values[[a]] - self.values[[b]], self.settled[[a]] - self.settled[[b]]
        mean, error = _estimate(values, settled, self._kin)
        return float(mean[0]), float(error[0])


class Search:
    """Makes decisions in one game; remembers between them only what things cost on this machine."""

    def __init__(
        self, game: Game, options: SearchOptions | None = None, clock: Clock = time.perf_counter
    ) -> None:
        self.game = game
        """The game played."""
        self.options = options or SearchOptions()
        """How limits are used."""
        self.costs = Costs()
        """What things cost on this machine."""
        self._clock = clock

    def decide(
        self,
        history: Any,
        private: Private,
        player: Player,
        limit: Limit,
        rng: np.random.Generator,
        choices: Choices | None = None,
        options: SearchOptions | None = None,
    ) -> SearchResult:
        """PIDM for the player whose turn it is and who holds this.

        Whoever has asked the player's strategy already hands its answer over, `choices` of one row. `options`
        are for this decision, and for the players that it simulates.
        """
        seat = self.game.actor(history)
        if seat is None:
            raise PidmError("the game is over, there is nothing to decide")
        options = options or self.options
        if limit.seconds is None:
            decision = _Decision(self, player, seat, Meter(limit), rng, Counters(), options)
            return decision.run(history, private, choices)
        paused = pause()
        try:
            meter = Meter(limit.share(_margin(player.utility)), clock=self._clock)
            decision = _Decision(self, player, seat, meter, rng, Counters(), options)
            return decision.run(history, private, choices)
        finally:
            resume(paused)


def _margin(utility: Utility) -> float:
    if cost_of(utility) < COSTLY:
        return MARGIN
    return STOPPABLE_MARGIN if can_stop(utility) else COSTLY_MARGIN


@dataclass
class _Decision:
    """One call of PIDM; simulated players make their own, with a part of the same meter."""

    search: Search
    player: Player
    seat: int
    meter: Meter
    rng: np.random.Generator
    counters: Counters
    options: SearchOptions
    nesting: int = 0
    """How many players are being simulated by one another."""

    def run(self, history: Any, private: Private, choices: Choices | None) -> SearchResult:
        """The decision with its evidence."""
        game = self.search.game
        own = self._own(private)
        if choices is None:
            choices = self.player.strategy.choices(history, own)
        choices = lawful(game, history, choices)
        candidates = choices.candidates(0)
        self.counters.decisions += 1
        self.counters.refined += choices.refined
        stage = len(game.moves(history))
        found = _Found(0, DecidedBy.RULE, np.full((len(candidates), 0), np.nan))
        if len(candidates) > 1:
            found = self._compare_until_clear(history, private, own, candidates)
        if found.finalists is not None:
            candidates = tuple(candidates[place] for place in found.finalists)
        return SearchResult(
            action=candidates[found.best],
            candidates=candidates,
            sources=tuple(choices.sources(0, action) for action in candidates),
            decided=found.decided,
            worths=found.worths,
            values=found.worths if found.values is None else found.values,
            settled=np.full_like(found.worths, np.nan) if found.settled is None else found.settled,
            sample=found.sample,
            ends=found.ends,
            stage=stage,
            counters=self.counters,
            seconds=self.meter.seconds,
        )

    def _own(self, private: Private) -> Columns:
        """The features of what the player holds: the same in any world, so one is enough."""
        game = self.search.game
        return game.columns(game.complete(self.seat, private, 1, self.rng), self.seat)

    def _compare_until_clear(
        self, history: Any, private: Private, own: Columns, candidates: Sequence[int]
    ) -> _Found:
        """Compare on ever larger samples, until one candidate is clearly the best or time is up."""
        found = self.compare(history, private, own, candidates)
        before, spent = 0.0, self.meter.seconds
        while size := self._larger(found, spent - before):
            grown = replace(self, options=replace(self.options, sample_size=size))
            more = grown.compare(history, private, own, candidates)
            if more.decided is not DecidedBy.SIMULATION:
                break
            found, before, spent = more, spent, self.meter.seconds
        return found

    def _larger(self, found: _Found, took: float) -> int:
        """How many worlds to draw next, after a comparison that took so long; 0 if that was the last."""
        if not (self.options.grows and self.meter.timed and found.values is not None):
            return 0
        if found.decided is not DecidedBy.SIMULATION or found.sample is None:
            return 0
        if len(self._close(found.values, found.best, found.sample.kin)) < 2:
            return 0
        worlds = found.values.shape[1]
        size = min(int(PROMISED * worlds * self.meter.left / max(took, 1e-6)), LARGEST)
        return size if size >= 2 * worlds else 0

    def compare(self, history: Any, private: Private, own: Columns, candidates: Sequence[int]) -> _Found:
        """Sample, look ahead, and compare the candidates."""
        options, game, meter = self.options, self.search.game, self.meter
        self.counters.lookaheads += 1
        self.counters.stages += len(game.moves(history))
        sampling = meter.part(options.g * meter.left)
        sample = rbmbmc(
            game,
            history,
            self.seat,
            private,
            self.player,
            sampling,
            self._size(len(candidates)),
            self.rng,
            options.drafts,
        )
        self.counters.generated += sample.generated
        self.counters.failures += sample.failed
        sample = sample.most_consistent(options.enough)
        fitting = int((sample.inconsistency == 0).sum()) or len(sample)
        if fitting < max(options.fewest, 1) or sample.inconsistency.min() > options.tolerance:
            # No world fits: the others play something else than modelled, and a bad sample tells nothing.
            return _Found(
                0, DecidedBy.PREFERENCE, np.full((len(candidates), len(sample)), np.nan), sample=sample
            )

        many = options.finalists and len(candidates) > options.finalists
        if many and self.nesting == 0 and len(sample) >= 2 * FEWEST:
            selecting = np.arange(len(sample)) % round(1 / options.selection) == 0
            finalists = self._select(history, own, candidates, sample.take(np.flatnonzero(selecting)))
            fresh = sample.take(np.flatnonzero(~selecting))
            found = self._weigh(history, own, [candidates[place] for place in finalists], fresh)
            return replace(found, finalists=finalists)
        return self._weigh(history, own, candidates, sample)

    def _select(
        self, history: Any, own: Columns, candidates: Sequence[int], sample: Sample
    ) -> tuple[int, ...]:
        """The places of the candidates that do best in a few worlds, and of the preferred one."""
        meter = self.meter.part(self.options.selection * self.meter.left)
        worths, _, _ = self._look_ahead(history, own, candidates, sample, meter)
        known = _complete(worths)
        if not known.any():
            return tuple(range(self.options.finalists))
        against = self._against(worths, 0)[:, known].mean(axis=1)
        best = sorted(range(1, len(candidates)), key=lambda place: (-against[place], place))
        return 0, *sorted(best[: self.options.finalists - 1])

    def _look_ahead(
        self, history: Any, own: Columns, candidates: Sequence[int], sample: Sample, meter: Meter
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...], int]:
        """The worths of the candidates, where their games end, and how many games were cut off."""
        tree = self._tree(own, sample.worlds, meter)

        def worth(ends: Sequence[End]) -> None:
            grace = meter.grace(NESTED_GRACE if self.nesting else GRACE)
            self._evaluate(self.player.utility, ends, sample, grace)

        backed = tree.follow([self.search.game.after(history, action) for action in candidates], worth)
        return np.stack([values for values, _ in backed]), tuple(where for _, where in backed), tree.cut

    def _weigh(self, history: Any, own: Columns, candidates: Sequence[int], sample: Sample) -> _Found:
        """Look ahead and compare the candidates."""
        options, meter = self.options, self.meter
        settle = options.settle if self.nesting == 0 else None
        budget = meter.part(meter.left * (1 - options.settle_share)) if settle is not None else meter
        worths, ends, cut = self._look_ahead(history, own, candidates, sample, budget)
        known = _complete(worths)
        unfinished = cut > options.unfinished * worths.size and self.nesting == 0
        if not known.any() or unfinished:
            return _Found(0, DecidedBy.PREFERENCE, worths, sample=sample)

        rival = unbeaten(worths[:, known], options.versus)
        values = self._against(worths, rival)
        close = self._close(values, rival, sample.kin)
        if settle is not None and len(close) > 1 and self._affords(settle, len(close)):
            better = self._settle(settle, close, ends, sample)
            if (~np.isnan(better[rival])).sum() >= FEWEST:
                settled = self._against(better, rival)
                best = self._pick(candidates, values, settled, close, sample.kin)
                return _Found(best, DecidedBy.SIMULATION, worths, values, settled, sample, ends)
        unsettled = np.full_like(values, np.nan)
        best = self._pick(candidates, values, unsettled, range(len(candidates)), sample.kin)
        return _Found(best, DecidedBy.SIMULATION, worths, values, sample=sample, ends=ends)

    def _evaluate(self, utility: Utility, ends: Sequence[End], sample: Sample, meter: Meter) -> None:
        evaluate(utility, ends, sample.worlds, self.seat, meter, self.search.costs)

    def _against(self, worths: np.ndarray, rival: int) -> np.ndarray:
        """What the worths count for against one of the candidates."""
        return worths if self.options.versus is None else self.options.versus(worths, worths[rival])

    def _size(self, candidates: int) -> int:
        """The sample size, or as many worlds as a costly utility can evaluate in time."""
        options = self.options
        size = options.nested_size if self.nesting else options.sample_size
        if self.meter.timed:
            cost = self.search.costs.utility(self.player.utility).world * candidates
            if cost:
                size = min(size, max(FEWEST, int(PLANNED * (1 - options.g) * self.meter.left / cost)))
        return size

    def _affords(self, settle: Utility, candidates: int) -> bool:
        """Is there time for the fewest worlds?"""
        cost = self.search.costs.utility(settle)
        return not self.meter.timed or cost.of(candidates, candidates * FEWEST) <= self.meter.left

    def _tree(self, own: Columns, worlds: Worlds, meter: Meter) -> Lookahead | PlayedOn:
        options = self.options
        if self.player.play_on is not None:
            return PlayedOn(self.player, self.seat, worlds, meter, self.search.costs, self.counters)
        # A simulated player needs a sample of its own.
        least = SHORTEST_SEARCH if meter.timed else options.nested_size / options.g
        shares = Shares(options.r, options.few, options.nodes, least, options.versus)
        resolve = self._resolve if self.nesting < options.depth else None
        return Lookahead(
            self.search.game,
            self.player,
            self.seat,
            own,
            worlds,
            meter,
            shares,
            self.search.costs,
            self.counters,
            resolve,
        )

    def _resolve(
        self,
        history: Any,
        seat: int,
        private: Private,
        player: Player,
        candidates: tuple[int, ...],
        meter: Meter,
    ) -> int | None:
        """What a simulated player does who has several plausible actions (figure 3, the call of PIDM)."""
        nested = replace(self, player=player, seat=seat, meter=meter, nesting=self.nesting + 1)
        found = nested.compare(history, private, nested._own(private), candidates)
        undecided = found.decided is DecidedBy.PREFERENCE and meter.over
        return None if undecided else candidates[found.best]

    def _pick(
        self,
        candidates: Sequence[int],
        values: np.ndarray,
        settled: np.ndarray,
        among: Sequence[int],
        kin: np.ndarray | None,
    ) -> int:
        """The candidate with the best mean, with what was known beforehand; ties, and what caution demands,
        go to the preferred one."""
        means, _ = _estimate(values, settled, kin)
        if self.options.beforehand is not None:
            known = _complete(values)
            worlds = int(known.sum()) if kin is None else len(np.unique(kin[known]))
            means = self.options.beforehand.with_worlds(candidates, means, worlds)
        first = among[0]
        best = max(among, key=lambda candidate: (means[candidate], -candidate))
        if self.options.caution and best != first:
            gain, error = _estimate(values[[best]] - values[[first]], settled[[best]] - settled[[first]], kin)
            if gain[0] < self.options.caution * error[0]:
                return first
        return best

    def _close(self, values: np.ndarray, best: int, kin: np.ndarray | None) -> list[int]:
        """The candidates that are not clearly worse than the best."""
        behind, error = _estimate(values[best] - values, np.full_like(values, np.nan), kin)
        return [int(k) for k in np.flatnonzero(behind <= self.options.close * error + SAME)]

    def _settle(
        self, utility: Utility, close: Sequence[int], ends: Sequence[np.ndarray], sample: Sample
    ) -> np.ndarray:
        """The worths of the close candidates by the better utility, where their games ended."""
        worths = np.full((len(ends), len(sample)), np.nan)
        leaves = {candidate: set(ends[candidate]) for candidate in close}
        # In the order of the tree: what a limit leaves out must not depend on where objects lie in memory.
        distinct = list(dict.fromkeys(leaf for candidate in close for leaf in ends[candidate]))
        self._evaluate(utility, distinct, sample, self.meter)
        for candidate in close:
            for leaf in leaves[candidate]:
                here = leaf.rows[ends[candidate][leaf.rows] == leaf]
                worths[candidate, here] = leaf.values[np.searchsorted(leaf.rows, here)]
        # A world counts only if all close candidates have been settled in it.
        worths[:, np.isnan(worths[close]).any(axis=0)] = np.nan
        return worths


@dataclass(frozen=True, eq=False)
class _Found:
    """The outcome of a comparison: which candidate, and why."""

    best: int
    decided: DecidedBy
    worths: np.ndarray
    values: np.ndarray | None = None
    settled: np.ndarray | None = None
    sample: Sample | None = None
    ends: tuple[np.ndarray, ...] = ()
    finalists: tuple[int, ...] | None = None
    """The places of those that were compared, if not all were."""


def _complete(values: np.ndarray) -> np.ndarray:
    """bool[worlds], where every candidate has a value."""
    return np.asarray(~np.isnan(values).any(axis=0))


def _estimate(
    values: np.ndarray, settled: np.ndarray, kin: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard error of each row, over the worlds that are complete.

    Where a better utility has evaluated some of the worlds, the mean over all worlds by the first one is
    corrected by what the better one found on those: an unbiased estimate of the better one's mean, with less
    noise than its own mean over so few worlds.
    """
    known = _complete(values)
    means, errors = _mean_error(values[:, known], None if kin is None else kin[known])
    if settled.shape == values.shape:
        for row in range(len(values)):
            both = known & ~np.isnan(settled[row])
            if both.any():
                shift, error = _mean_error(
                    (settled[row] - values[row])[None, both], None if kin is None else kin[both]
                )
                means[row] += shift[0]
                errors[row] = np.hypot(errors[row], error[0])
    return means, errors


def _mean_error(values: np.ndarray, kin: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard error of each row; worlds dealt around the same hand err together."""
    n = values.shape[1]
    if n == 0:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    means = values.mean(axis=1)
    family = np.arange(n) if kin is None else np.unique(kin, return_inverse=True)[1]
    families = int(family.max()) + 1
    if families == 1:
        return means, np.full(len(values), np.inf)
    if families == n:
        return means, values.std(axis=1, ddof=1) / np.sqrt(n)
    off = np.stack([np.bincount(family, weights=row, minlength=families) for row in values - means[:, None]])
    return means, np.sqrt((off**2).sum(axis=1) * families / (families - 1)) / n
