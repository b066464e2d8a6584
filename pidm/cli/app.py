"""The typer app: one module per command group, imported when one of its commands runs."""

from __future__ import annotations

import typer

import pidm

app = typer.Typer(
    name="pidm",
    help="A bridge bidding engine that looks ahead.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pidm {pidm.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """A bridge bidding engine that looks ahead."""
