"""Options that several commands share, and the bidder that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pidm.bidder import Bidder

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


def in_words(error: Exception) -> str:
    """The message of an error, with the file first where one could not be opened."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


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
    settle: str | None = None,
    scoring: str = "imps",
) -> Bidder:
    """The bidder that the options describe; bad options are a usage error."""
    from pidm.bidder import ONE_SECOND, Bidder
    from pidm.core.limit import Limit
    from pidm.errors import PidmError

    if sum((seconds is not None, instances is not None, no_search)) > 1:
        raise PidmError("give one of --seconds, --instances and --no-search")
    limit: Limit | None = ONE_SECOND
    if seconds is not None or instances is not None:
        limit = Limit(seconds, instances)
    both = [one.strip() for one in opponents.split(",")] if opponents and "," in opponents else opponents
    form: Any = scoring
    return Bidder(
        system,
        partner,
        both,
        utility=utility,
        limit=None if no_search else limit,
        seed=seed,
        scoring=form,
        refinements=refinements,
        settle=settle,
    )
