"""The loop of `pidm tune`: changes are tried in waves, and the best of a wave, if it is confirmed, stays.

What was accepted may not have gone far enough: changes of the same lines, as they read then, come next. What
looked good without being sure is tried at once when all has been tried. In the end all that was accepted is
measured together on boards on which nothing was chosen.

A wave is as large on any number of processes, and all its changes are tried on the same system, so that the
outcome does not depend on who works. What was tried is kept in a journal; a run that was killed goes on from
there to the same result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pidm.play.journal import Journal, JournalError
from pidm.play.pool import Pool
from pidm.tuning.changes import Change, out_of_date
from pidm.tuning.proposals import Proposer
from pidm.tuning.trials import Plan, Trial, confirmed, measured, tried

HOPEFUL = 1.5
"""Standard errors above nothing from which a change takes part in what is tried at once."""
WAVE = 16
"""Changes that are tried on the same system before one of them may become part of it."""


@dataclass
class Outcome:
    """What a run has found so far."""

    accepted: list[tuple[Change, Trial, Trial]] = field(default_factory=list)
    """Changes that are part of the system now, as tried and as confirmed."""
    refused: list[tuple[Change, Trial, Trial]] = field(default_factory=list)
    """Changes that looked good and were not confirmed."""
    tried: list[tuple[Change, Trial]] = field(default_factory=list)
    """All trials, in order; a change may be tried again after another was accepted."""
    together: dict[str, Trial] = field(default_factory=dict)
    """What the accepted ones gain together, by member of the pool and judge, on boards of their own."""
    left: int = 0
    """Changes that have not been tried."""
    seconds: float = 0.0
    """That the trials took, over all processes."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The accepted ones."""
        return tuple(change for change, _, _ in self.accepted)

    @property
    def holds(self) -> bool:
        """Whether what was accepted gains together, against each of the pool and the judges by more than its
        error."""
        gains = [trial.gain for trial in self.together.values()]
        return bool(gains) and all(gain.mean > gain.error for gain in gains)

    def hopeful(self) -> list[Change]:
        """What looked good at last, but neither so good that it was accepted nor refused on other boards; the
        best first."""
        decided = {change.id for change, _, _ in (*self.accepted, *self.refused)}
        latest = {change.id: (change, trial) for change, trial in self.tried if change.id not in decided}
        good = [one for one in latest.values() if one[1].stage in ("estimate", "solved")]
        return [
            change
            for change, trial in sorted(good, key=lambda one: -one[1].sigmas)
            if trial.sigmas >= HOPEFUL
        ]


Progress = Callable[[Outcome], object]
"""Sees what has been found after every wave."""


def tune(
    plan: Plan,
    changes: Sequence[Change],
    pool: Pool | None = None,
    journal: Journal | None = None,
    until: Callable[[], bool] = lambda: False,
    progress: Progress | None = None,
    proposer: Proposer | None = None,
) -> Outcome:
    """Try the changes, until all have been tried or `until` says that it is enough.

    With a proposer, what it has to add comes next after each change that is accepted, and in the end what
    looked good is tried at once.
    """
    pool = pool or Pool()
    kept = _Kept(journal)
    outcome = Outcome()
    queue, last = list(changes), proposer is None
    while queue or not last:
        if not queue and proposer is not None:
            queue, last = proposer.together(outcome.hopeful(), outcome.changes), True
        outcome.left = len(queue)
        if not kept and until():
            break
        wave, queue = _wave(queue, outcome.changes)
        pieces = [(plan, outcome.changes, change) for change in wave]
        trials = list(kept.results(pool, tried, pieces))
        outcome.tried += zip(wave, trials)
        good = sorted(
            (
                (change, trial)
                for change, trial in zip(wave, trials)
                if trial.stage == "solved" and trial.accepted
            ),
            key=lambda one: -one[1].sigmas,
        )
        again: list[Change] = []
        for place, (change, trial) in enumerate(good):
            (answer,) = kept.results(pool, confirmed, [(plan, outcome.changes, change)])
            if answer.accepted:
                outcome.accepted.append((change, trial, answer))
                again = [other for other, _ in good[place + 1 :]]  # on the new system they may be worth less
                if proposer is not None and not last:
                    done = {one.id for one, _ in outcome.tried}
                    again += [one for one in proposer.after(outcome.changes) if one.id not in done]
                break
            outcome.refused.append((change, trial, answer))
        first = {one.id for one in again}
        queue = again + [one for one in queue if one.id not in first]
        outcome.left = len(queue)
        outcome.seconds = sum(trial.seconds for _, trial in outcome.tried)
        if progress is not None:
            progress(outcome)
    if outcome.accepted:
        players = (*plan.pool, *plan.judges)
        answers = pool.do(measured, [(plan, outcome.changes, player) for player in players])
        outcome.together = dict(zip(players, answers))
    return outcome


def _wave(queue: list[Change], accepted: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """The next changes, and the rest; what is about a text that reads otherwise by now is left out."""
    stale = out_of_date(queue, accepted)
    free = [change for change in queue if change.id not in stale]
    return free[:WAVE], free[WAVE:]


class _Kept:
    """Results of a run that was interrupted come first, then those of the workers."""

    def __init__(self, journal: Journal | None):
        self._journal = journal
        self._waiting: list[dict[str, Any]] = []
        if journal is not None:
            self._waiting = [one for _, line in journal.take(10**9) for one in line["results"]]

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def results(
        self, pool: Pool, work: Callable[..., Trial], pieces: Sequence[tuple[Any, ...]]
    ) -> Iterator[Trial]:
        """A trial for each piece of work."""
        known = self._waiting[: len(pieces)]
        del self._waiting[: len(pieces)]
        for data, (_, _, change) in zip(known, pieces):
            trial = Trial.from_data(data)
            if trial.change != change.id:
                raise JournalError(
                    f"the interrupted run tried another change than `{change.title}` here; start anew"
                )
            yield trial
        for trial in pool.do(work, pieces[len(known) :]):
            if self._journal is not None:
                self._journal.add([trial.to_data()], {})
            yield trial


def minutes_from_now(minutes: float | None) -> Callable[[], bool]:
    """Whether so many minutes have passed; without a number, never."""
    if minutes is None:
        return lambda: False
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() >= end
