"""`pidm bench`: one number for how pidm bids, and how fast."""

from __future__ import annotations

import json

import typer

from pidm.cli.options import Json, reporting


def bench(as_json: Json = False) -> None:
    """Bid a fixed set of deals with every shipped system; print a signature of all calls, and the speed."""
    from rich.console import Console

    from pidm.play import bench as benching

    console = Console(stderr=True)
    with reporting(), console.status("reading the systems") as status:
        found = benching.bench(lambda name, done, of: status.update(f"{name}: search {done} of {of}"))
    if as_json:
        typer.echo(json.dumps(found.to_dict()))
        return
    for part in found.parts:
        typer.echo(
            f"{part.system:16} {part.signature}  {part.decisions} calls by rules in {part.seconds:.1f} s, "
            f"{part.looks} looked at in {part.look_seconds:.1f} s, "
            f"{part.searches} by search in {part.search_seconds:.1f} s"
        )
    typer.echo(f"signature        {found.signature}")
    typer.echo(
        f"speed            {found.decisions_per_second:.0f} decisions a second by rules, "
        f"{found.looks_per_second:.0f} looks, "
        f"{found.searches_per_second:.1f} with search ({benching.LIMIT})"
    )
