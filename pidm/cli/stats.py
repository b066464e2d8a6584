"""`pidm stats`: how a pair bids, in the tables of the papers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from pidm.cli.match import (
    PAIR,
    Backend,
    Boards,
    Cluster,
    Deals,
    Jobs,
    MatchSeed,
    Out,
    Quiet,
    UtilityName,
    make_boards,
    make_setup,
)
from pidm.cli.options import Instances, Json, NoSearch, RulesOnly, Seconds, reporting


def stats(
    pair: Annotated[str, typer.Argument(metavar="PAIR", help=f"The pair: {PAIR}.")],
    against: Annotated[
        str | None, typer.Option("--against", help="Its opponents; without it, the pair sits everywhere.")
    ] = None,
    boards: Boards = None,
    deals: Deals = "random",
    seed: MatchSeed = 1,
    par: Annotated[
        bool, typer.Option("--par", help="Solve every deal: score against par, best results.")
    ] = False,
    alone: Annotated[
        bool, typer.Option("--alone", help="Bid without opponents as well: what calls show and tell.")
    ] = False,
    seconds: Seconds = None,
    instances: Instances = None,
    no_search: NoSearch = False,
    rules_only: RulesOnly = False,
    utility: UtilityName = None,
    jobs: Jobs = None,
    backend: Backend = None,
    cluster: Cluster = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many calls and contracts to show.")] = 12,
    out: Out = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """How often each call and contract comes up, what openings show; with --par and --alone how good it is.

    The tables of the papers on bidding: JPS 7 and 8, P-BIT 2 to 5, the result table of Ng.
    """
    with reporting():
        from pidm.files import write_atomic
        from pidm.match.habits import habit_lines, habits
        from pidm.match.report import settings_of
        from pidm.play.pool import Pool

        described = [pair] if against is None else [pair, against]
        setup = make_setup(described, seed, "imps", seconds, instances, no_search, rules_only, utility)
        played = make_boards(deals, boards, seed, 1000)
        with Pool(jobs, backend, cluster) as pool, _bar(len(played), quiet or as_json) as progress:
            found = habits(setup, played, par, alone, pool, progress)
        data = {
            **settings_of(setup, boards=len(played), deals=deals, utility=utility, jobs=pool.jobs),
            **found.data(),
        }
        if out is not None:
            write_atomic(out, json.dumps(data, indent=1) + "\n")
    if as_json:
        typer.echo(json.dumps(data))
        return
    for line in habit_lines(data, top):
        typer.echo(line)


@contextmanager
def _bar(total: int, quiet: bool) -> Iterator[Callable[[int], object] | None]:
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        "Boards", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)
