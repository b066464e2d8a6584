"""`pidm new`: a place to start."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pidm.cli.options import reporting


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of your system, or NAME.yaml.")],
    like: Annotated[
        str, typer.Option("--like", help="The shipped system to start from, or `empty` for none.")
    ] = "two_over_one",
) -> None:
    """Write a small file for a system of your own: it extends a shipped one and is in order as it stands."""
    with reporting():
        from pidm.authoring.starting import new_file
        from pidm.errors import PidmError
        from pidm.files import write_atomic

        path = Path(name if name.endswith((".yaml", ".yml")) else f"{name}.yaml")
        if path.exists():
            raise PidmError(f"{path} exists: choose another name, or remove it")
        write_atomic(path, new_file(path.stem, like, str(path)))
    typer.echo(f"{path} is written. Edit it, then:")
    typer.echo(f"  pidm lint {path}")
    typer.echo(f'  pidm explain {path} "1N P"')
    if like != "empty":
        typer.echo(f"  pidm diff {like} {path}")
