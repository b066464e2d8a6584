"""`pidm refinements`: what training has learned, told, checked and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pidm.cli.options import Json, reporting

if TYPE_CHECKING:
    from pidm.reading.refinement import Refinement
    from pidm.reading.refinement_files import Refinements


def refinements(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Directory of a session or of learned nets, a data file, or the name of a shipped one."
        ),
    ],
    auction: Annotated[str, typer.Option("--auction", help='Only this auction: "1N P".')] = "",
    changes: Annotated[
        bool, typer.Option("--changes", help="Only where calls differ from those of the rules.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only the auctions whose rules have changed since.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Write what the first partner has learned: to a data file (.jsonl), as a page (.md), "
            "or to a new directory with a file for each auction.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What training has learned, as a player would say it, with the examples behind each rule."""
    from pidm.authoring.asked_auction import asked_auction
    from pidm.reading.learned_features import key_text
    from pidm.reading.refinement_files import Refinements
    from pidm.reading.refinement_words import say, summary

    with reporting():
        loaded = [Refinements.load(folder, partner) for partner in (False, True)]
        found = [[*(of or ())] for of in loaded]
        if check:
            found = [[] if of is None else _stale(of) for of in loaded]
        if auction:
            wanted = str(asked_auction(auction))
            found = [[one for one in of if key_text(one.key) == wanted] for of in found]
        if changes:
            found = [[one.trimmed() for one in of if any(one.changes())] for of in found]
        if out is not None:
            _write(out, folder.stem, found[0])
    listed = [one for of in found for one in of]
    if as_json:
        typer.echo(json.dumps([{**one.to_dict(), "says": say(one)} for one in listed]))
        return
    for one in listed:
        lines = say(one)
        if lines:
            typer.echo(f"{key_text(one.key)}   ({one.examples} examples)")
            for line in lines:
                typer.echo(f"  {line}")
    typer.echo(summary(listed), err=True)


def _stale(learned: Refinements) -> list[Refinement]:
    """What was learned for rules that have changed since."""
    from pidm.language.system import System
    from pidm.reading.table import Table

    tables: dict[str, Table] = {}
    found = []
    for one in learned:
        name = str(one.about.get("system", "two_over_one"))
        if name not in tables:
            tables[name] = Table.of(System.load(name))
        if one.is_stale(tables[name]):
            found.append(one)
    return found


def _write(out: Path, name: str, found: list[Refinement]) -> None:
    from pidm.files import write_atomic
    from pidm.reading.refinement import RefinementError
    from pidm.reading.refinement_files import SUFFIX, write_lines, write_refinement
    from pidm.reading.refinement_words import page

    if out.suffix == SUFFIX:
        write_lines(out, found)
        return
    if out.suffix == ".md":
        write_atomic(out, page(name, found))
        return
    if out.exists() and any(out.iterdir()):
        raise RefinementError(f"{out} is not empty: expected a new directory")
    out.mkdir(parents=True, exist_ok=True)
    for one in found:
        write_refinement(out, one)
