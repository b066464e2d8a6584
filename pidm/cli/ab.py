"""`pidm ab`: is a convention worth playing?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Annotated

import typer

from pidm.cli.options import reporting
from pidm.cli.playing import Boards, Deals, Pbn, Playing, Swings, playing


@playing()
def ab(
    how: Playing,
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
    swings: Swings = 3,
    pbn: Pbn = None,
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

        if (other is None) == (not with_ and not without):
            raise PidmError("give --with or --without a convention, or a second system, but not both")
        first = Pair.from_str(system)
        pairs = versions_of(first, with_ or (), without or ())
        if other is not None:
            pairs = first, Pair.from_str(other)
        limited = how.no_search or how.seconds is not None or how.instances is not None
        setup = replace(how, rules_only=how.rules_only or not limited).setup(pairs)
        looked, start = 0, perf_counter()
        if boards is None and deals == "random" and can_be_screened(setup):
            with looking(until, how) as shown:
                played, looked = screened(setup, how.seed, until, most, shown)
        else:
            played = how.boards(deals, boards, 1000)
        spent = perf_counter() - start
        kept = kept_boards(how.part, how.resume, about("ab", [setup], played))
        with (
            how.pool() as pool,
            how.live(len(played)) as progress,
        ):
            found = run_match(setup, played, progress=progress, differing=True, pool=pool, kept=kept)
        found = replace(found, tied=max(looked - len(played), 0), seconds=found.seconds + spent)
        data = ab_data(found, boards=found.boards, deals=deals, utility=how.utility, jobs=pool.jobs)
        how.write(data)
        if pbn is not None:
            different = [one for one in found.results if one.tables[0].auction != one.tables[1].auction]
            write_atomic(pbn, report.pbn(different, setup.pairs))
        if kept is not None:
            kept.journal.finish()
    if how.as_json:
        typer.echo(json.dumps(data))
        return
    for line in ab_lines(found):
        typer.echo(line)
    ranked = sorted(found.results, key=lambda result: result.points(how.scoring))
    groups = {
        "Best for A": [one for one in ranked[::-1] if one.points(how.scoring) > 0][:swings],
        "Worst for A": [one for one in ranked if one.points(how.scoring) < 0][:swings],
    }
    for title, results in groups.items():
        if results:
            typer.echo(f"\n{title}")
        for result in results:
            for line in report.swing_lines(result, how.scoring, setup.pairs):
                typer.echo(line)


@contextmanager
def looking(until: int, how: Playing) -> Iterator[Callable[[int, int], object] | None]:
    """How many boards have been found that are bid differently, on the terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if how.quiet or how.as_json or not console.is_terminal:
        yield None
        return
    with console.status("looking for boards that are bid differently") as status:
        yield lambda found, looked: status.update(f"{found} of {until} found in {looked} boards")
