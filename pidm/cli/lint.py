"""`pidm lint`: what an author should put right, and what a system does under stress."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pidm.cli.options import Json, reporting
from pidm.cli.system import Name, Off, On, card_of, shortened

if TYPE_CHECKING:
    from pidm.authoring.lint import Report
    from pidm.authoring.stress import StressReport


def lint(
    name: Name,
    deals: Annotated[
        int, typer.Option(min=0, help="Random deals to bid; 0: only files and examples.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Other numbers give other deals.")] = 0,
    top: Annotated[int, typer.Option(min=1, help="How many findings of each kind are shown.")] = 10,
    everything: Annotated[bool, typer.Option("--all", help="Show all findings.")] = False,
    strict: Annotated[bool, typer.Option(help="Fail for holes, ambiguity and the like, too.")] = False,
    under_stress: Annotated[
        bool,
        typer.Option(
            "--stress", help="Opponents who disturb, partners who stretch: count what no player would do."
        ),
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Lint again whenever a file is saved.")] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; by default one for each processor.")
    ] = None,
    on: On = None,
    off: Off = None,
    as_json: Json = False,
) -> None:
    """Find mistakes, failing examples, holes, ambiguity and rules that never win.

    The exit status is 1 when the system is not in order.

    With `--stress` the opponents overcall, double and preempt on anything plausible and partners stretch by
    two points: what no player would do is counted, the most frequent first, with the hands.
    """
    if under_stress:
        _stressed(name, deals, seed, top, everything, strict, jobs, card_of(on, off), as_json)
        return
    from pidm.authoring.lint import REMARKS
    from pidm.authoring.lint import lint as linted
    from pidm.play.pool import Pool

    card = card_of(on, off)
    with reporting(), Pool(_workers(jobs, deals)) as pool:
        while True:
            with _progress() as tell:
                report = linted(name, deals, seed, card, tell, pool.do)
            if as_json:
                typer.echo(json.dumps(report.to_dict(), indent=1))
            else:
                _show(report, top, everything)
            if not watch:
                break
            _wait_for_a_change(name, card)
    failing = not report.in_order or (strict and any(one.kind not in REMARKS for one in report.findings))
    raise typer.Exit(1 if failing else 0)


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on a terminal, told what is being done and how far it is."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield tell


POLL = 0.3
"""Seconds between two looks at the files."""


def _wait_for_a_change(name: str, card: dict[str, bool]) -> None:
    """Wait until a file of a system is saved; one that is replaced or made anew counts, too."""
    from pidm.language.loading import load_system

    files = load_system(name, card, []).files
    typer.echo(f"\nwatching {len(files)} files; Ctrl-C ends", err=True)
    before = _saved(files)
    while _saved(files) == before:
        time.sleep(POLL)


def _saved(files: Iterable[Path]) -> list[tuple[int, int] | None]:
    """When each file was saved, and its size; None for one that is not there at the moment."""
    found: list[tuple[int, int] | None] = []
    for path in files:
        try:
            state = path.stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((state.st_mtime_ns, state.st_size))
    return found


def _workers(jobs: int | None, deals: int) -> int | None:
    """How many processes: to start them takes as long as to bid a few hundred deals."""
    return 1 if jobs is None and deals <= FEW else jobs


FEW = 500
"""Deals that are bid in this process unless more are asked for."""

MUCH = 0.25
"""The share of the calls that an author may leave to the natural layer."""
RARE = 2000
"""Of so many deals, each kind of absurdity may come up in one."""


def _stressed(
    name: str,
    deals: int,
    seed: int,
    top: int,
    everything: bool,
    strict: bool,
    jobs: int | None,
    card: dict[str, bool],
    as_json: bool,
) -> None:
    """`--stress`: what no player would do, the most frequent first."""
    from pidm.authoring.stress import stress
    from pidm.play.pool import Pool

    with reporting(), Pool(_workers(jobs, deals)) as pool, _progress() as tell:
        report = stress(name, deals, seed, card, pool.do, lambda done: tell("bidding deals", done, deals))
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=1))
    else:
        for line in _stress_lines(report, None if everything else top):
            typer.echo(line)
    often = any(len(cases) * RARE > max(report.deals, RARE) for cases in report.kinds().values())
    raise typer.Exit(1 if strict and often else 0)


def _stress_lines(report: StressReport, top: int | None) -> Iterator[str]:
    from pidm.authoring.absurd import ABSURD

    kinds = report.kinds()
    yield f"{report.system} under stress, {report.deals} deals: {len(report.cases)} absurdities"
    for kind, cases in kinds.items():
        yield f"{len(cases):6}  1 of {report.deals / len(cases):,.0f} deals  {kind}: {ABSURD[kind]}"
    for kind, cases in kinds.items():
        for case in cases[:top]:
            stretched = f", {case.stretched} stretches" if case.stretched else ""
            yield f"\n{kind}: {case.side} play {report.system}{stretched}; vulnerable {case.vul}"
            yield f"  {case.dealer} deals: {case.auction}"
            hands = case.deal.removeprefix("N:").split()
            yield from (f"    {seat} {hand}" for seat, hand in zip("NESW", hands))
        if top is not None and len(cases) > top:
            yield f"  ... and {len(cases) - top} more (--all shows them)"


def _show(report: Report, top: int, everything: bool) -> None:
    """The report as a table, worst first."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pidm.authoring.lint import KINDS, REMARKS

    console = Console()
    for line in _first_screen(report):
        console.print(Text(shortened(line)), soft_wrap=True)
    table = Table(title=f"{report.system}: {len(report.findings)} findings")
    for column in ("kind", "where", "per 1,000 deals", "finding"):
        table.add_column(column, justify="right" if column.startswith("per") else "left", overflow="fold")
    for kind in KINDS:
        found = [one for one in report.findings if one.kind == kind]
        shown = found if everything else found[:top]
        if kind in REMARKS and not everything:
            shown = found[: top // 2] if kind == "natural" else []
        for one in shown:
            often = f"{one.per_mille:.1f}" if one.per_mille else ""
            samples = () if kind in REMARKS else one.samples
            lines = [one.what, *samples, *([one.place] if one.place else [])]
            table.add_row(kind, Text(one.where), often, Text(shortened("\n".join(lines))))
        if shown and len(found) > len(shown):
            table.add_row("", "", "", Text(f"... and {len(found) - len(shown)} more (--all shows them)"))
        table.add_section()
    if table.row_count:
        console.print(table)
    for line in _summary(report):
        console.print(Text(line))


def _first_screen(report: Report) -> Iterator[str]:
    """Whose the bidding is, and what to do next."""
    from pidm.authoring.priorities import SHOWN
    from pidm.authoring.watch import OWNERS

    if not report.decisions:
        return
    yield f"{report.system}: {report.deals} deals, {report.decisions} calls"
    shares = [
        f"{100 * report.owners[owner] / report.decisions:.0f}% {owner}"
        for owner in OWNERS
        if report.owners.get(owner)
    ]
    yield f"Whose calls: {', '.join(shares)}"
    yield from _to_take_over(report)
    if not report.solved:
        yield "What things cost is told with the deals of --seed 0"
        return
    found = [one for one in report.to_do if one.cost > 0][:SHOWN]
    if found:
        yield (
            f"To do next; IMPs lost on 100 boards, beyond what two_over_one loses on the same {report.solved}"
        )
    for number, one in enumerate(found, 1):
        yield f"  {number}. {one.cost:5.1f} ± {one.error:.1f}  {one.what} ({one.times} times)"
    yield ""


WORTH = 0.02
"""The share of the calls from which on a shipped part is worth a line."""


def _to_take_over(report: Report) -> Iterator[str]:
    """Shipped parts that would make calls of the natural layer the author's."""
    shares = {name: count / report.decisions for name, count in report.offered.items()}
    worthy = sorted((name for name in shares if shares[name] >= WORTH), key=lambda name: -shares[name])
    if worthy:
        yield "To take over in one line, a word each under `include:`, before `natural`"
    for name in worthy:
        yield f"  -{100 * shares[name]:.0f}% natural  {name}"


def _summary(report: Report) -> Iterable[str]:
    from pidm.authoring.lint import KINDS

    if report.decisions:
        shares = ", ".join(
            f"{layer} {100 * count / report.decisions:.1f}%" for layer, count in sorted(report.layers.items())
        )
        yield f"{report.deals} deals, {report.decisions} calls; by layer: {shares}"
    for kind, count in report.totals.items():
        if count:
            yield f"{count:6}  {kind}: {KINDS[kind]}"
    if not report.in_order:
        yield "not in order"
    elif report.not_yours > MUCH:
        yield f"no mistakes, but {100 * report.not_yours:.0f}% of the calls are not yours"
    else:
        yield "in order"
