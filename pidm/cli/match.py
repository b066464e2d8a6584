"""`pidm match`: two pairs, the same boards, who wins?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pidm.cli.options import reporting
from pidm.cli.playing import PAIR, Boards, Deals, Pbn, Playing, Swings, playing

Plots = Annotated[Path | None, typer.Option("--plots", help="Draw plots into this folder.")]


@playing()
def match(
    how: Playing,
    a: Annotated[str, typer.Argument(metavar="A", help=f"The first pair: {PAIR}.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second pair.")],
    boards: Boards = None,
    deals: Deals = "random",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option("--sprt", metavar="LOW HIGH", help="Stop when one of the two means is clearly right."),
    ] = None,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Measure partnership, par and information as well.")
    ] = False,
    gains: Annotated[
        bool,
        typer.Option(
            "--gains",
            help="Where a simulation departs from the system, make the system's call too: was the gain real?",
        ),
    ] = False,
    swings: Swings = 5,
    pbn: Pbn = None,
    plots: Plots = None,
) -> None:
    """Play a duplicate match of two pairs, scored double dummy.

    Every deal is bid at two tables; what A wins on a board is the difference. A pair is a system with options
    (seconds=1, instances=500, no-search, rules-only, utility=ltc, settle=dds, judgement=1, width=wide,
    opponents=SYSTEM, refinements=DIR, +CONVENTION, -CONVENTION, name=TEXT), a model learned from records
    (NAME.pair), or engine:COMMAND for a program that speaks JSON lines.
    """
    with reporting():
        from pidm.files import write_atomic
        from pidm.match import report
        from pidm.match.duplicate import DUPLICATE, run_match
        from pidm.match.kept_results import about, kept_boards
        from pidm.match.metrics import LAYOUTS, measure, metric_lines
        from pidm.match.statistics import Sprt

        _check_plots(plots)
        test = Sprt(*sprt) if sprt is not None else None
        played = how.boards(deals, boards, 100)
        setup = how.setup([a, b])
        layouts = LAYOUTS if metrics else DUPLICATE
        asked: dict[str, object] = {"metrics": metrics, "gains": gains}
        if sprt is not None:
            asked["sprt"] = list(sprt)
        kept = kept_boards(how.part, how.resume, about("match", [setup], played, **asked))
        with how.pool() as pool:
            with how.live(len(played)) as progress:
                found = run_match(setup, played, test, progress, layouts, False, metrics, pool, kept, gains)
            measured = measure(found, pool) if metrics else None
        options = {
            "boards": len(played),
            "deals": deals,
            "sprt": list(sprt) if sprt else None,
            "metrics": metrics,
            "gains": gains,
            "utility": how.utility,
            "jobs": pool.jobs,
            "backend": how.backend,
        }
        data = report.match_data(found, **options)
        if measured is not None:
            data["metrics"] = measured
        how.write(data)
        if pbn is not None:
            write_atomic(pbn, report.pbn(found.results, setup.pairs))
        if plots is not None:
            from pidm.match.plots import match_plots

            match_plots(found, plots)
        if kept is not None:
            kept.journal.finish()
    if how.as_json:
        typer.echo(json.dumps(data))
        return
    for line in report.summary_lines(found):
        typer.echo(line)
    for result in report.swings(found.results, how.scoring, swings):
        typer.echo()
        for line in report.swing_lines(result, how.scoring, setup.pairs):
            typer.echo(line)
        for table in result.tables[:2]:
            typer.echo(f"  {report.link(result.board, table, setup.pairs)}")
    if metrics:
        for line in metric_lines(data["metrics"]):
            typer.echo(line)


def _check_plots(folder: Path | None) -> None:
    """Without matplotlib there are no plots: better known before the match than after."""
    if folder is None:
        return
    from importlib.util import find_spec

    from pidm.errors import PidmError

    if find_spec("matplotlib") is None:
        raise PidmError("plots need matplotlib: pip install 'pidm[plots]'")
