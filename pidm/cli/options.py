"""Options that several commands share, and the bidder that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pidm.bidder import Bidder

SystemName = Annotated[str, typer.Option("--system", help="Name or file of our system.")]
Partner = Annotated[str | None, typer.Option("--partner", help="Partner's system, if it differs.")]
Opponents = Annotated[str | None, typer.Option("--opponents", help="The opponents' system, if it differs.")]
Utility = Annotated[str, typer.Option("--utility", help="estimate, dds, ltc or total_tricks.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Time for a call.")]
Instances = Annotated[
    int | None, typer.Option("--instances", help="Deals to generate for a call, instead of a time.")
]
NoSearch = Annotated[bool, typer.Option("--no-search", help="Bid by rules alone.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the simulations.")]
Refined = Annotated[str | None, typer.Option("--refinements", help="Directory of what training has learned.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def reporting() -> Iterator[None]:
    """What the user can put right ends the command with its message and exit status 2."""
    from pidm.errors import PidmError

    try:
        yield
    except (PidmError, OSError) as error:
        typer.echo(f"pidm: {error}", err=True)
        raise typer.Exit(2) from None


def make_bidder(
    system: str,
    partner: str | None,
    opponents: str | None,
    utility: str,
    seconds: float | None,
    instances: int | None,
    no_search: bool,
    seed: int,
    refinements: str | None = None,
) -> Bidder:
    """The bidder that the options describe; bad options are a usage error."""
    from pidm.bidder import Bidder
    from pidm.core.limit import Limit

    if seconds is not None and instances is not None:
        raise typer.BadParameter("give --seconds or --instances, not both")
    limit = None if no_search else Limit(instances=instances) if instances else Limit(seconds=seconds or 1.0)
    return Bidder(
        system, partner, opponents, utility=utility, limit=limit, seed=seed, refinements=refinements
    )
