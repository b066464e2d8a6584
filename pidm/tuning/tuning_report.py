"""What a run of tuning has found, in words and as plain data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pidm.match.statistics import Mean
from pidm.tuning.changes import Change
from pidm.tuning.trials import Trial
from pidm.tuning.tuner import Outcome

LISTED = 40
"""Changes without gain that are told of, the nearest to a gain first."""


def told(mean: Mean) -> str:
    """A gain in IMPs a board, with its error."""
    return f"{mean.mean:+.3f} ({mean.error:.3f})"


def note_of(change: Change, confirmed: Trial) -> str:
    """What stands in the file beside a change."""
    others = f" with {len(change.parts) - 1} others" if change.parts else ""
    return f"tuned{others}, {told(confirmed.gain)} IMPs a board on {confirmed.gain.n:,} others"


def lines(outcome: Outcome, report: bool) -> list[str]:
    """What people read at the end of a run."""
    tried, accepted = len(outcome.tried), outcome.accepted
    rate = f", {60 * tried / outcome.seconds:.1f} a minute of a process" if outcome.seconds else ""
    found = [f"{tried} changes tried{rate}; {outcome.left} left; {len(accepted)} accepted"]
    for change, trial, answer in accepted:
        found.append(f"  {change.title}")
        found += [f"    - {part}" for part in change.parts]
        found.append(
            f"      {told(trial.gain)} where it was found, {told(answer.gain)} on other boards: {_by(answer)}"
        )
    if outcome.together:
        counts = {trial.gain.n for trial in outcome.together.values()}
        found.append(f"together, on {max(counts):,} boards on which nothing was chosen:")
        found += [f"  {player}: {told(trial.gain)}" for player, trial in outcome.together.items()]
    if outcome.refused:
        found.append(f"{len(outcome.refused)} looked good and were not confirmed")
        found += [
            f"  {change.title}: {told(trial.gain)}, on other boards {told(answer.gain)}"
            for change, trial, answer in outcome.refused
        ]
    if report:
        found += _without_gain(outcome)
    return found


def _by(trial: Trial) -> str:
    return ", ".join(f"{member} {told(mean)}" for member, mean in trial.members.items())


def _without_gain(outcome: Outcome) -> list[str]:
    taken = {change.id for change, _, _ in (*outcome.accepted, *outcome.refused)}
    rest = [(change, trial) for change, trial in outcome.tried if change.id not in taken]
    stages = Counter(trial.stage for _, trial in rest)
    ends = {
        "impossible": "not possible",
        "nothing": "touched no board",
        "rare": "touched too few",
        "first": "dropped after a first opinion",
        "estimate": "dropped by the estimate",
        "solved": "dropped when the boards were solved",
    }
    found = [
        "",
        "without gain: "
        + ", ".join(f"{stages[stage]} {words}" for stage, words in ends.items() if stages[stage]),
    ]
    by_kind: dict[str, list[float]] = {}
    for change, trial in rest:
        by_kind.setdefault(change.kind, []).append(trial.gain.mean)
    found += [f"  {kind}: {len(gains)} tried, the best {max(gains):+.3f}" for kind, gains in by_kind.items()]
    far = sorted(rest, key=_merit, reverse=True)[:LISTED]
    return found + [f"  {told(trial.gain)} {trial.stage}  {change.title}" for change, trial in far]


def _merit(one: tuple[Change, Trial]) -> tuple[int, float]:
    stages = "impossible", "nothing", "rare", "first", "estimate", "solved"
    return stages.index(one[1].stage), one[1].sigmas


def data(outcome: Outcome, seconds: float) -> dict[str, Any]:
    """All of it as plain data."""
    return {
        "kind": "tune",
        "seconds": round(seconds, 1),
        "left": outcome.left,
        "accepted": [_pair(*one) for one in outcome.accepted],
        "refused": [_pair(*one) for one in outcome.refused],
        "together": {player: trial.to_data() for player, trial in outcome.together.items()},
        "tried": [{**change.to_data(), **trial.to_data()} for change, trial in outcome.tried],
    }


def _pair(change: Change, trial: Trial, answer: Trial) -> dict[str, Any]:
    return {**change.to_data(), "tried": trial.to_data(), "confirmed": answer.to_data()}
