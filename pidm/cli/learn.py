"""`pidm learn`: how a pair bids, learned from its records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pidm.cli.options import Json, Seed, reporting


def learn(
    records: Annotated[list[Path], typer.Argument(help="PBN, LIN, JSON-lines or match files with auctions.")],
    out: Annotated[Path, typer.Option("--out", help="The model file to write, NAME.pair.")],
    who: Annotated[
        list[str] | None,
        typer.Option("--who", help="Whose calls: a name in the records, NS, EW or all; may be repeated."),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="How well it foretells calls, and what the pair's calls show.")
    ] = False,
    system: Annotated[
        str,
        typer.Option(
            "--system", help="What they are taken to play where the records say little; '' for nothing."
        ),
    ] = "two_over_one",
    auctions: Annotated[int, typer.Option("--auctions", help="Auctions in the report.")] = 12,
    seed: Seed = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="No display.")] = False,
    as_json: Json = False,
) -> None:
    """Learn how a pair bids from records of its auctions; use the model with --opponents or --partner."""
    with reporting():
        import numpy as np

        from pidm.errors import PidmError
        from pidm.models import SUFFIX, learning
        from pidm.models.sources import read_biddings

        if out.suffix != SUFFIX:
            raise PidmError(f"{out}: the name of a model ends in {SUFFIX}")
        if not out.absolute().parent.is_dir():
            raise PidmError(f"{out.parent}: no such directory")
        found = read_biddings(records)
        for error in found.errors[:10]:
            typer.echo(f"pidm: {error}", err=True)
        if len(found.errors) > 10:
            typer.echo(f"pidm: and {len(found.errors) - 10} boards more that could not be read", err=True)
        meant = who or ["all"]
        material = learning.material(found.biddings, meant)
        train, held = learning.split(material, np.random.default_rng([seed, 1]))
        with _bar(quiet or as_json) as progress:
            model = learning.learned_pair(train, held, meant, seed, progress, system=system)
        model.save(out)
    if not as_json:
        typer.echo(f"{out}: {model.origin}")
    if not report:
        if as_json:
            typer.echo(json.dumps({"model": str(out), **asdict(model.origin)}))
        return
    with reporting():
        from pidm.language.system import System
        from pidm.models import learned_report as reports
        from pidm.reading.table import Table

        _, rules = learning.rules_as_model(Table.of(System.load(system or "two_over_one")), held)
        trust, learned = model.origin.trust, model.plain.of(held.examples)
        scores = reports.lines(held, trust * learned + (1 - trust) * rules, rules)
        meanings = reports.shown(material, auctions)
    if as_json:
        data = {
            "model": str(out),
            **asdict(model.origin),
            "kinds": [asdict(line) for line in scores],
            "shown": [
                {"auction": auction, "calls": [{**asdict(one), "call": str(one.call)} for one in made]}
                for auction, made in meanings
            ],
        }
        typer.echo(json.dumps(data))
        return
    typer.echo()
    reports.text(scores, meanings, typer.echo)


@contextmanager
def _bar(quiet: bool) -> Iterator[Callable[[int, int], object] | None]:
    """A bar on the terminal, nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("Learning")

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show
