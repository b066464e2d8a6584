"""`pidm cotrain --generations`: what is done between the options and the learning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pidm.cli.live_line import interruptible, live_line

if TYPE_CHECKING:
    from pidm.play.pair import Pair
    from pidm.play.pool import Pool
    from pidm.training.generations import Generation, GenerationPlan, Judge, MatchOutcome

BETTER = 0.15
"""IMPs a board that the sequential test of a match asks for, against none."""
CLEAR = 2.0
"""Standard errors that a generation must be ahead when the boards are used up."""


def run(folder: Path, plan: GenerationPlan | None, pool: Pool, quiet: bool, as_json: bool) -> None:
    """Run generations in a directory, or go on with them; the outcome is printed."""
    from pidm.training.generations import Generations

    with live_line(
        quiet,
        as_json,
        lambda one: f"generation {one.generation}: {one.phase}",
        lambda one: f", {one.tags} tags",
    ) as show:
        work = Generations(folder, pool, judge_of(pool, plan_boards(folder, plan)), plan, show)
        with interruptible(work, folder):
            found = work.run()
    for one in found:
        typer.echo(json.dumps(_data(one)) if as_json else _line(one))
    if not as_json:
        best = folder / "correction.json"
        typer.echo(f"play it with: two_over_one,correction={best}" if best.exists() else "nothing has won")


def plan_boards(folder: Path, plan: GenerationPlan | None) -> int:
    """How long a match may be."""
    if plan is not None:
        return plan.boards
    from pidm.training.generations import GenerationPlan
    from pidm.training.settings import TrainingError

    try:
        data = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        return GenerationPlan.from_dict(data["plan"]).boards
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{folder / 'plan.json'} is damaged: {error}") from None


def judge_of(pool: Pool, boards: int) -> Judge:
    """Plays matches of at most so many boards, as few as the sequential test needs."""

    def judge(new: Pair, old: Pair, path: Path, seed: int) -> MatchOutcome:
        from pidm.match.duplicate import run_match
        from pidm.match.kept_results import about, kept_boards
        from pidm.match.statistics import Sprt
        from pidm.play.match_boards import random_boards
        from pidm.play.room import Setup
        from pidm.play.solved_deals import default_store
        from pidm.training.generations import MatchOutcome

        setup = Setup((new, old), store=default_store())
        played = random_boards(boards, seed)
        kept = kept_boards(path, True, about("generations", [setup], played))
        test = Sprt(0.0, BETTER)
        match = run_match(setup, played, test, differing=True, pool=pool, kept=kept)
        mean = match.mean
        wins = match.decision == "high" or (not match.decision and mean.mean > CLEAR * mean.error)
        assert kept is not None
        kept.journal.close()
        return MatchOutcome(round(mean.mean, 4), round(mean.error, 4), mean.n, wins)

    return judge


def _data(one: Generation) -> dict[str, Any]:
    return {**one._asdict(), "verdict": one.verdict._asdict()}


def _line(one: Generation) -> str:
    verdict = one.verdict
    outcome = "kept" if verdict.wins else "not kept"
    return (
        f"generation {one.number}: {one.tags} tags, {one.foretold:+.3f} IMPs a decision foretold; "
        f"{verdict.mean:+.3f} ({verdict.error:.3f}) IMPs a board against the one before, "
        f"{verdict.boards} boards: {outcome}"
    )
