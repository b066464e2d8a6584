"""`pidm review`: boards that people have bid, judged call by call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pidm.cli.options import Json, reporting

if TYPE_CHECKING:
    from pidm.records.boards import Record


def review(
    file: Annotated[Path, typer.Argument(help="The boards with their auctions: PBN or LIN.")],
    systems: Annotated[
        str, typer.Option("--systems", help="What the pairs play: NS=sayc,EW=two_over_one, or one for all.")
    ] = "two_over_one",
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the review as one HTML file that can be mailed.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write the boards with the review in their notes (PBN or LIN)."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0, help="Time for the simulation of a call; 0: none.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; by default one for each processor.")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="How many of the most expensive calls are shown.")] = 10,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    as_json: Json = False,
) -> None:
    """Judge every call of every board: does it fit the system, what does it cost, which call lost par?

    Ctrl-C stops it; what has been reviewed by then is reported and written all the same.
    """
    with reporting():
        from pidm.files import write_atomic
        from pidm.match.review import SECONDS, annotated
        from pidm.match.review_page import page
        from pidm.match.standings import standings
        from pidm.records.boards import read, write

        sides = systems_of(systems)
        found = read(file)
        for error in found.errors:
            typer.echo(f"pidm: {error}", err=True)
        boards, stopped = _reviewed(
            found.boards, sides, SECONDS if seconds is None else seconds, jobs, quiet or as_json
        )
        if html is not None:
            write_atomic(html, page(boards, file.name, sides))
        if out is not None:
            # What could not be read, or was not reviewed any more, stays in the file as it is.
            write(out, found.rewritten([one] for one in map(annotated, found.boards, boards)))
    if as_json:
        typer.echo(json.dumps({"systems": sides, "boards": boards, "standings": standings(boards)}))
    else:
        for line in lines_of(boards, top):
            typer.echo(line)
    if stopped:
        typer.echo(f"pidm: stopped after {len(boards)} of {len(found.boards)} boards", err=True)
        raise typer.Exit(130)
    if found.errors:
        raise typer.Exit(1)


def systems_of(text: str) -> dict[str, str]:
    """`NS=sayc,EW=acol.yaml` or one system for all, as systems by side."""
    from pidm.errors import PidmError
    from pidm.language.system import System

    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) == 1 and "=" not in parts[0]:
        found = {"NS": parts[0], "EW": parts[0]}
    else:
        found = {}
        for part in parts:
            side, _, name = part.partition("=")
            if side.upper() not in ("NS", "EW") or not name:
                raise PidmError(f"{part!r} is no side with its system; expected NS=sayc,EW=two_over_one")
            found[side.upper()] = name
        if len(found) != 2:
            raise PidmError(
                f"{text!r} does not name the systems of both sides; expected NS=sayc,EW=two_over_one"
            )
    for name in found.values():
        System.load(name)  # mistakes are told at once, not by a process somewhere
    return found


def _reviewed(
    records: Sequence[Record], sides: dict[str, str], seconds: float, jobs: int | None, quiet: bool
) -> tuple[list[dict[str, Any]], bool]:
    """The boards as far as they were reviewed, and whether somebody stopped it."""
    from rich.console import Console
    from rich.progress import Progress

    from pidm.match.review import review as reviewed
    from pidm.play.pool import Pool

    boards: list[dict[str, Any]] = []
    console = Console(stderr=True)
    with (
        Pool(jobs) as pool,
        Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as bar,
    ):
        task = bar.add_task("Reviewing", total=len(records))
        coming = reviewed(records, sides["NS"], sides["EW"], seconds or None, pool)
        try:
            for board in coming:
                boards.append(board.to_dict())
                bar.update(task, advance=1)
        except KeyboardInterrupt:
            return boards, True
    return boards, False


def lines_of(boards: list[dict[str, Any]], top: int) -> list[str]:
    """The review in a few lines: the standings and the most expensive calls."""
    from pidm.match.standings import standings

    found = standings(boards)
    lines = [f"{found['count']} boards"]
    for name, key in (("Pairs", "pairs"), ("Kinds of decisions", "kinds")):
        lines.append(f"{name:32} calls  outside  mistakes  IMPs lost")
        lines += [
            f"  {row['name'][:30]:30} {row['calls']:5} {row['outside']:8} {row['mistakes']:9} "
            f"{row['lost']:10.1f}"
            for row in found[key]
        ]
    if found["dearest"][:top]:
        lines.append("The most expensive calls")
    for one in found["dearest"][:top]:
        board = "?" if one["board"] is None else one["board"]
        lines.append(
            f"  board {board:>3}  {one['who'][:16]:16} {one['call']:3} loses {one['lost']:5.1f} IMPs "
            f"to {one['best']:3}  after: {' '.join(one['auction']) or '-'}"
        )
    return lines
