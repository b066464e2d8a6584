"""`pidm features`: the catalogue of hand features, and their values for a hand."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def features(
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", help="A hand: AQ2.QJ854.K4.AJ3.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the catalogue as a page of the docs.")
    ] = False,
) -> None:
    """Print the catalogue of hand features, or their values for a hand."""
    from pidm.features import listing

    if hand is not None:
        from pidm.bridge.cards import Hand

        if markdown:
            raise typer.BadParameter("--markdown prints the catalogue; leave the hand out")
        found = listing.values(Hand.from_str(hand).masks)
        typer.echo(json.dumps(found) if as_json else listing.values_as_text(found))
    elif as_json:
        typer.echo(json.dumps(listing.as_data()))
    else:
        typer.echo(listing.as_markdown().rstrip("\n") if markdown else listing.as_text())
