"""`pidm match`: two pairs, the same boards, who wins?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pidm.cli.bidder_options import one_limit
from pidm.cli.options import Instances, Json, NoSearch, RulesOnly, Seconds, reporting

if TYPE_CHECKING:
    from pidm.match.duplicate import Result
    from pidm.play.boards import Board
    from pidm.play.pair import Pair
    from pidm.play.room import Setup

PAIR = "a system (name or file) with options, two_over_one,no-search; or engine:COMMAND"
Boards = Annotated[int | None, typer.Option("--boards", "-n", min=1, help="How many boards.")]
Deals = Annotated[
    str,
    typer.Option(
        "--deals", help="A PBN, LIN or JSON-lines file of deals; or random, or shuffle (Python's generator)."
    ),
]
MatchSeed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the deals and the simulations.")]
Scoring = Annotated[str, typer.Option("--scoring", help="imps or matchpoints.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Processes; by default one for each processor.")
]
Backend = Annotated[
    str | None, typer.Option("--backend", help="Who works: loky (processes of this machine), dask or ray.")
]
Cluster = Annotated[str | None, typer.Option("--cluster", help="Address of a running Dask or Ray cluster.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with a run of the same --out that was interrupted.")
]
UtilityName = Annotated[str | None, typer.Option("--utility", help="estimate, dds, ltc or total_tricks.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write the result as JSON to this file.")]
Pbn = Annotated[Path | None, typer.Option("--pbn", help="Write both tables of every board as PBN.")]
Swings = Annotated[int, typer.Option("--swings", min=0, help="How many of the largest swings to show.")]
Plots = Annotated[Path | None, typer.Option("--plots", help="Draw plots into this folder.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No live display.")]


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=f"The first pair: {PAIR}.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second pair.")],
    boards: Boards = None,
    deals: Deals = "random",
    seed: MatchSeed = 1,
    seconds: Seconds = None,
    instances: Instances = None,
    no_search: NoSearch = False,
    rules_only: RulesOnly = False,
    utility: UtilityName = None,
    scoring: Scoring = "imps",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option("--sprt", metavar="LOW HIGH", help="Stop when one of the two means is clearly right."),
    ] = None,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Measure partnership, par and information as well.")
    ] = False,
    jobs: Jobs = None,
    backend: Backend = None,
    cluster: Cluster = None,
    swings: Swings = 5,
    out: Out = None,
    resume: Resume = False,
    pbn: Pbn = None,
    plots: Plots = None,
    quiet: Quiet = False,
    as_json: Json = False,
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
        from pidm.play.pool import Pool

        _check_plots(plots)
        test = Sprt(*sprt) if sprt is not None else None
        played = make_boards(deals, boards, seed, 100)
        setup = make_setup([a, b], seed, scoring, seconds, instances, no_search, rules_only, utility)
        layouts = LAYOUTS if metrics else DUPLICATE
        part = part_of(out, resume)
        kept = kept_boards(part, resume, about("match", [setup], played, metrics=metrics)) if part else None
        with Pool(jobs, backend, cluster) as pool:
            with live(len(played), scoring, quiet or as_json, "Boards") as progress:
                found = run_match(setup, played, test, progress, layouts, False, metrics, pool, kept)
            measured = measure(found, pool) if metrics else None
        options = {
            "boards": len(played),
            "deals": deals,
            "sprt": list(sprt) if sprt else None,
            "metrics": metrics,
            "utility": utility,
            "jobs": pool.jobs,
            "backend": backend,
        }
        data = report.match_data(found, **options)
        if measured is not None:
            data["metrics"] = measured
        if out is not None:
            write_atomic(out, json.dumps(data, indent=1) + "\n")
        if pbn is not None:
            write_atomic(pbn, report.pbn(found.results, setup.pairs))
        if plots is not None:
            from pidm.match.plots import match_plots

            match_plots(found, plots)
        if kept is not None:
            kept.journal.finish()
    if as_json:
        typer.echo(json.dumps(data))
        return
    for line in report.summary_lines(found):
        typer.echo(line)
    for result in report.swings(found.results, scoring, swings):
        typer.echo()
        for line in report.swing_lines(result, scoring, setup.pairs):
            typer.echo(line)
        for table in result.tables[:2]:
            typer.echo(f"  {report.link(result.board, table, setup.pairs)}")
    if metrics:
        for line in metric_lines(data["metrics"]):
            typer.echo(line)


def make_setup(
    described: Sequence[str | Pair],
    seed: int,
    scoring: str,
    seconds: float | None,
    instances: int | None,
    no_search: bool,
    rules_only: bool,
    utility: str | None,
) -> Setup:
    """What the processes of a match must know; bad options are usage errors."""
    from pidm.errors import PidmError
    from pidm.play.pair import Pair
    from pidm.play.room import Setup
    from pidm.play.solved_deals import default_store
    from pidm.play.systems import Systems

    one_limit(seconds, instances, no_search, rules_only)
    if scoring not in ("imps", "matchpoints"):
        raise PidmError(f"{scoring!r} is no form of scoring; expected imps or matchpoints")
    pairs = [Pair.from_str(one) if isinstance(one, str) else one for one in described]
    settled = tuple(pair.settled(seconds, instances, no_search, utility, rules_only) for pair in pairs)
    systems = Systems()
    for pair in settled:  # mistakes are told at once, not by a process somewhere
        systems.of_pair(pair)
    form: Any = scoring
    return Setup(settled, seed, form, default_store())


def part_of(out: Path | None, resume: bool) -> Path | None:
    """The file beside --out that holds the results so far; None without --out."""
    from pidm.errors import PidmError

    if out is None and resume:
        raise PidmError("--resume goes on with the results kept for --out FILE: give the same --out")
    return out.with_name(f"{out.name}.part") if out is not None else None


def make_boards(deals: str, count: int | None, seed: int, default: int) -> list[Board]:
    """The boards that the options describe."""
    from pidm.play.boards import random_boards, read_boards, shuffled_boards

    if deals in ("random", "shuffle"):
        deal = random_boards if deals == "random" else shuffled_boards
        return deal(count or default, seed)
    return read_boards(deals)[:count]


def _check_plots(folder: Path | None) -> None:
    """Without matplotlib there are no plots: better known before the match than after."""
    if folder is None:
        return
    from importlib.util import find_spec

    from pidm.errors import PidmError

    if find_spec("matplotlib") is None:
        raise PidmError("plots need matplotlib: pip install 'pidm[plots]'")


@contextmanager
def looking(until: int, quiet: bool) -> Iterator[Callable[[int, int], object] | None]:
    """How many boards have been found that are bid differently, on the terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    with console.status("looking for boards that are bid differently") as status:
        yield lambda found, looked: status.update(f"{found} of {until} found in {looked} boards")


@contextmanager
def live(
    total: int, form: str, quiet: bool, title: str
) -> Iterator[Callable[[Sequence[Result]], object] | None]:
    """A bar with the mean so far, on the terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pidm.match.report import per_board
    from pidm.match.statistics import mean_of

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[score]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total, score="")

        def show(results: Sequence[Result]) -> None:
            mean = mean_of([result.points(form) for result in results])
            bar.update(task, completed=len(results), score=f"A {per_board(mean, form)}")

        yield show
