"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from pidm.cli.making import in_words

Dealer = Annotated[str, typer.Option("--dealer", help="Who deals: N, E, S or W.")]
Vulnerable = Annotated[str, typer.Option("--vul", help="None, NS, EW or Both.")]
SystemName = Annotated[str, typer.Option("--system", help="Name or file of our system.")]
Partner = Annotated[str | None, typer.Option("--partner", help="Partner's system, if it differs.")]
Opponents = Annotated[
    str | None,
    typer.Option("--opponents", help="The opponents' system, if it differs; LEFT,RIGHT if they differ."),
]
Utility = Annotated[str, typer.Option("--utility", help="estimate, dds, ltc or total_tricks.")]
Settle = Annotated[
    str | None, typer.Option("--settle", help="A better utility for what comes out close: dds.")
]
Scoring = Annotated[str, typer.Option("--scoring", help="imps, matchpoints or points.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Time for a call.")]
Instances = Annotated[
    int | None, typer.Option("--instances", help="Deals to generate for a call, instead of a time.")
]
NoSearch = Annotated[bool, typer.Option("--no-search", help="Bid by rules alone.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the simulations.")]
Refined = Annotated[str | None, typer.Option("--refinements", help="Directory of what training has learned.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def reporting() -> Iterator[None]:
    """What the user can put right ends the command with its message and exit status 2."""
    from pidm.errors import PidmError

    try:
        yield
    except (PidmError, OSError) as error:
        typer.echo(f"pidm: {in_words(error)}", err=True)
        raise typer.Exit(2) from None
