"""`pidm stats`: how a pair bids, in the tables of the papers."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pidm.cli.options import reporting
from pidm.cli.playing import PAIR, Boards, Deals, Playing, playing


@playing("scoring", "resume")
def stats(
    how: Playing,
    pair: Annotated[str, typer.Argument(metavar="PAIR", help=f"The pair: {PAIR}.")],
    against: Annotated[
        str | None, typer.Option("--against", help="Its opponents; without it, the pair sits everywhere.")
    ] = None,
    boards: Boards = None,
    deals: Deals = "random",
    par: Annotated[
        bool, typer.Option("--par", help="Solve every deal: score against par, best results.")
    ] = False,
    alone: Annotated[
        bool, typer.Option("--alone", help="Bid without opponents as well: what calls show and tell.")
    ] = False,
    top: Annotated[int, typer.Option("--top", min=1, help="How many calls and contracts to show.")] = 12,
) -> None:
    """How often each call and contract comes up, what openings show; with --par and --alone how good it is.

    The tables of the papers on bidding: JPS 7 and 8, P-BIT 2 to 5, the result table of Ng.
    """
    with reporting():
        from pidm.match.habits import habit_lines, habits
        from pidm.match.report import settings_of

        described = [pair] if against is None else [pair, against]
        setup = how.setup(described)
        played = how.boards(deals, boards, 1000)
        with how.pool() as pool, how.bar(len(played)) as progress:
            found = habits(setup, played, par, alone, pool, progress)
        data = {
            **settings_of(setup, boards=len(played), deals=deals, utility=how.utility, jobs=pool.jobs),
            **found.data(),
        }
        how.write(data)
    if how.as_json:
        typer.echo(json.dumps(data))
        return
    for line in habit_lines(data, top):
        typer.echo(line)
