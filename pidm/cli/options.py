"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from pidm.cli.bidder_options import in_words, make_bidder

Dealer = Annotated[str, typer.Option("--dealer", help="Who deals: N, E, S or W.")]
Vulnerable = Annotated[str, typer.Option("--vul", help="None, NS, EW or Both.")]
SystemName = Annotated[str, typer.Option("--system", help="Name or file of our system.")]
PartnerOption = Annotated[
    str | None, typer.Option("--partner", help="Partner's system or model, if it differs.")
]
Opponents = Annotated[
    str | None,
    typer.Option("--opponents", help="The opponents' system or model; LEFT,RIGHT if they differ."),
]
UtilityOption = Annotated[str, typer.Option("--utility", help="estimate, dds, ltc or total_tricks.")]
Settle = Annotated[
    str | None, typer.Option("--settle", help="A better utility for what comes out close: dds.")
]
Scoring = Annotated[str, typer.Option("--scoring", help="imps, matchpoints or points.")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Time for a call.")]
Instances = Annotated[
    int | None, typer.Option("--instances", help="Deals to generate for a call, instead of a time.")
]
NoSearch = Annotated[
    bool,
    typer.Option("--no-search", help="Bid by rules and a look at contracts as they stand; no simulation."),
]
RulesOnly = Annotated[bool, typer.Option("--rules-only", help="Bid by rules and nothing else.")]
WorldsOption = Annotated[
    int | None,
    typer.Option("--worlds", min=1, help="Deals to simulate; else 200, by the clock as many as it takes."),
]
Disclosed = Annotated[
    bool, typer.Option("--disclosed", help="Only make calls whose stated meaning the hand fits.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the simulations.")]
Refined = Annotated[
    str | None,
    typer.Option(
        "--refinements", help="What training has learned: its directory, or the name of a shipped one."
    ),
]
Experienced = Annotated[
    str | None,
    typer.Option(
        "--experience",
        help="What the pair has learned on millions of deals: a file, or none; else what ships with it.",
    ),
]
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


BIDDING: dict[str, Any] = {
    "system": SystemName,
    "partner": PartnerOption,
    "opponents": Opponents,
    "utility": UtilityOption,
    "seconds": Seconds,
    "instances": Instances,
    "no_search": NoSearch,
    "rules_only": RulesOnly,
    "seed": Seed,
    "refinements": Refined,
    "settle": Settle,
    "scoring": Scoring,
    "worlds": WorldsOption,
    "disclosed": Disclosed,
    "experience": Experienced,
}
"""The options that describe a bidder, by the parameters of `make_bidder`, which has their defaults."""


def bidding(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `BIDDING`, and as its first argument the bidder that they describe."""
    defaults = signature(make_bidder).parameters
    options = [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=defaults[name].default, annotation=option)
        for name, option in BIDDING.items()
    ]
    return extended(command, options, make_bidder)


def extended(
    command: Callable[..., None], options: Sequence[Parameter], make: Callable[..., Any]
) -> Callable[..., None]:
    """A command with more options, and as its first argument what is made of them."""
    _, *own = signature(command, eval_str=True, locals={"Bidder": Any}).parameters.values()
    names = [one.name for one in options]

    def run(**given: Any) -> None:
        with reporting():
            made = make(**{name: given.pop(name) for name in names if name in given})
        command(made, **given)

    # Typer reads a command's options from its signature and its annotations.
    whole = [*own, *options]
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = signature(run).replace(parameters=whole)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in whole}
    return run


def duration(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
