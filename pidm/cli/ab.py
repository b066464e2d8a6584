"""`pidm ab`: is a convention worth playing?"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pidm.cli.match import (
    Backend,
    Boards,
    Cluster,
    Deals,
    Jobs,
    MatchSeed,
    Out,
    Pbn,
    Quiet,
    Resume,
    Scoring,
    Swings,
    UtilityName,
    live,
    looking,
    make_boards,
    make_setup,
    part_of,
)
from pidm.cli.options import Instances, Json, NoSearch, RulesOnly, Seconds, reporting


def ab(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="Name or file of a system.")],
    other: Annotated[
        str | None, typer.Argument(metavar="[OTHER]", help="Another system to compare it with.")
    ] = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="A convention that A plays and B does not.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="A convention that B plays and A does not.")
    ] = None,
    boards: Boards = None,
    until: Annotated[
        int,
        typer.Option("--until", min=1, help="Without --boards: look for so many boards bid differently."),
    ] = 40,
    most: Annotated[int, typer.Option("--most", min=1, help="Random boards to look at for them.")] = 10_000,
    deals: Deals = "random",
    seed: MatchSeed = 1,
    seconds: Seconds = None,
    instances: Instances = None,
    no_search: NoSearch = False,
    rules_only: RulesOnly = False,
    utility: UtilityName = None,
    scoring: Scoring = "imps",
    jobs: Jobs = None,
    backend: Backend = None,
    cluster: Cluster = None,
    swings: Swings = 3,
    out: Out = None,
    resume: Resume = False,
    pbn: Pbn = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare two versions of a system: with and without a convention, or two files.

    A plays the conventions of --with and not those of --without; B the other way round. They meet over two
    tables of every board. Boards that both bid to the same contract are settled without solving them. Without
    --seconds or --instances both bid by rules alone; then, unless --boards or --deals says otherwise, random
    boards are looked through until enough are found that the two bid differently, and the result is that over
    all boards looked at.
    """
    with reporting():
        from dataclasses import replace

        from pidm.errors import PidmError
        from pidm.files import write_atomic
        from pidm.match import report
        from pidm.match.ab import ab_data, ab_lines, can_be_screened, screened, versions_of
        from pidm.match.duplicate import run_match
        from pidm.match.kept_results import about, kept_boards
        from pidm.play.pair import Pair
        from pidm.play.pool import Pool

        if (other is None) == (not with_ and not without):
            raise PidmError("give --with or --without a convention, or a second system, but not both")
        first = Pair.from_str(system)
        pairs = versions_of(first, with_ or (), without or ())
        if other is not None:
            pairs = first, Pair.from_str(other)
        by_rules = rules_only or not (no_search or seconds is not None or instances is not None)
        setup = make_setup(pairs, seed, scoring, seconds, instances, no_search, by_rules, utility)
        looked = 0
        if boards is None and deals == "random" and can_be_screened(setup):
            with looking(until, quiet or as_json) as shown:
                played, looked = screened(setup, seed, until, most, shown)
        else:
            played = make_boards(deals, boards, seed, 1000)
        part = part_of(out, resume)
        kept = kept_boards(part, resume, about("ab", [setup], played)) if part else None
        with (
            Pool(jobs, backend, cluster) as pool,
            live(len(played), scoring, quiet or as_json, "Boards") as progress,
        ):
            found = run_match(setup, played, progress=progress, differing=True, pool=pool, kept=kept)
        found = replace(found, tied=max(looked - len(played), 0))
        data = ab_data(found, boards=found.boards, deals=deals, utility=utility, jobs=pool.jobs)
        if out is not None:
            write_atomic(out, json.dumps(data, indent=1) + "\n")
        if pbn is not None:
            different = [one for one in found.results if one.tables[0].auction != one.tables[1].auction]
            write_atomic(pbn, report.pbn(different, setup.pairs))
        if kept is not None:
            kept.journal.finish()
    if as_json:
        typer.echo(json.dumps(data))
        return
    for line in ab_lines(found):
        typer.echo(line)
    ranked = sorted(found.results, key=lambda result: result.points(scoring))
    groups = {
        "Best for A": [one for one in ranked[::-1] if one.points(scoring) > 0][:swings],
        "Worst for A": [one for one in ranked if one.points(scoring) < 0][:swings],
    }
    for title, results in groups.items():
        if results:
            typer.echo(f"\n{title}")
        for result in results:
            for line in report.swing_lines(result, scoring, setup.pairs):
                typer.echo(line)
