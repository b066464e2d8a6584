"""`pidm cotrain --experience`: what is done between the options and the work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pidm.cli.generations import judge_of
from pidm.cli.live_line import interruptible, live_line

if TYPE_CHECKING:
    from pidm.play.pool import Pool
    from pidm.training.gathering import Gathered, GatheringPlan, GatheringProgress


def run(folder: Path, plan: GatheringPlan | None, pool: Pool, quiet: bool, as_json: bool) -> None:
    """Gather experience in a directory, or go on with it; the outcome is printed."""
    from pidm.training.gathering import Gathering

    with live_line(quiet, as_json, lambda one: str(one.phase), _told) as show:
        work = Gathering(folder, pool, lambda *match: judge_of(pool, work.plan.boards)(*match), plan, show)
        with interruptible(work, folder):
            found = work.run()
    typer.echo(json.dumps(_data(found)) if as_json else _outcome(work.plan.system, found))


def holds(folder: Path) -> bool:
    """Does this directory hold experience, or what is to become it?"""
    try:
        return "gathering" in json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def _told(progress: GatheringProgress) -> str:
    return "" if progress.ahead is None else f", {progress.ahead:+.2f} IMPs a board ahead"


def _data(found: Gathered) -> dict[str, object]:
    return {"path": str(found.path), "ahead": found.ahead, "verdict": found.verdict._asdict()}


def _outcome(system: str, found: Gathered) -> str:
    verdict = found.verdict
    outcome = "it wins" if verdict.wins else "it does not win"
    return (
        f"{found.ahead:+.3f} IMPs a board ahead of the habit; the pair with it against the one without: "
        f"{verdict.mean:+.3f} ({verdict.error:.3f}) on {verdict.boards} boards: {outcome}\n"
        f"play it with: {system},experience={found.path}"
    )
