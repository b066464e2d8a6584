"""`pidm cotrain`: partners refine their system together."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pidm.cli.gathering import holds
from pidm.cli.options import duration, reporting
from pidm.cli.playing import Backend, Cluster

if TYPE_CHECKING:
    from pidm.training.session import Progress, ProgressObserver


def cotrain(
    system: Annotated[str | None, typer.Argument(help="Name or file of the system to refine.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Directory of the new session.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with this session.")] = None,
    partner: Annotated[str | None, typer.Option("--partner", help="Partner's system, if it differs.")] = None,
    opponents: Annotated[
        str | None,
        typer.Option("--opponents", help="The opponents' system or NAME.pair; silent: they never bid."),
    ] = None,
    utility: Annotated[
        str, typer.Option("--utility", help="estimate, dds, ltc or total_tricks.")
    ] = "estimate",
    partner_utility: Annotated[
        str | None, typer.Option("--partner-utility", help="Partner's, if it differs.")
    ] = None,
    within: Annotated[
        list[str] | None, typer.Option("--within", help='Only auctions that begin so: "1S P 2S P".')
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", help="Deals bid to find auctions that matter (1000), with --experience to learn from."
        ),
    ] = None,
    nets: Annotated[int, typer.Option("--nets", help="Nets to refine.")] = 50,
    examples: Annotated[int, typer.Option("--examples", help="Examples to tag for a net.")] = 100,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Time for a tag.")] = None,
    instances: Annotated[
        int | None, typer.Option("--instances", help="Deals to generate for a tag (2000), instead of a time.")
    ] = None,
    sample: Annotated[int, typer.Option("--sample", help="Deals that a tag is based on.")] = 400,
    first: Annotated[
        str, typer.Option("--first", help="Auctions that come first: of most search cost, or gain.")
    ] = "cost",
    exchange_every: Annotated[
        int, typer.Option("--exchange-every", help="Rounds between exchanges; 0: only at the end.")
    ] = 1,
    tolerance: Annotated[
        float, typer.Option("--tolerance", help="IMPs that a learned call may lose; else it stays open.")
    ] = 0.15,
    firm: Annotated[
        int, typer.Option("--firm", help="Examples that settle a choice; with fewer it stays open.")
    ] = 5,
    problems: Annotated[int, typer.Option("--problems", help="Problems that measure progress.")] = 100,
    generations: Annotated[
        int | None,
        typer.Option(
            "--generations",
            min=1,
            help="Instead of nets of single auctions, learn from situations in self-play, so often, and keep "
            "what wins a match against the generation before.",
        ),
    ] = None,
    experience: Annotated[
        int | None,
        typer.Option(
            "--experience",
            min=1,
            help="Instead of nets, learn what calls gain: try them on 6,000 new deals a round, in so many "
            "rounds (1000), with all that was learned before.",
        ),
    ] = None,
    start: Annotated[
        list[Path] | None,
        typer.Option(
            "--start",
            help="With --experience: a file of experience to go on from, be it another system's; of several "
            "the mean of what their calls gain.",
        ),
    ] = None,
    rivals: Annotated[
        list[str] | None,
        typer.Option(
            "--rival",
            help="With --generations or --experience: a system, or for generations NAME.pair, to play; "
            "several times for a pool.",
        ),
    ] = None,
    temperature: Annotated[
        float, typer.Option("--temperature", help="With --generations: IMPs that a worse call may be worse.")
    ] = 0.0,
    pull: Annotated[
        float | None,
        typer.Option(
            "--pull",
            help="With --generations: IMPs for each card beside what a call shows (0). With --experience: "
            "IMPs that a call must gain for every factor of e by which the system makes it less often (0.3).",
        ),
    ] = None,
    units: Annotated[
        int | None,
        typer.Option(
            "--units",
            help="With --experience: units of the first layer of the network that learns, 256 to 1024, even "
            "(256, or as at the start).",
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            help="With --experience: how fast the network learns at first (0.001; with --start half of it). "
            "A small one wears off what was learned by chance.",
        ),
    ] = None,
    joint: Annotated[
        bool | None,
        typer.Option(
            "--joint/--alone",
            help="With --generations: try a call and partner's answer together, or not (as usual). With "
            "--experience: both partners bid by what was learned (as usual), or only one.",
        ),
    ] = None,
    boards: Annotated[
        int, typer.Option("--boards", min=1, help="With --generations or --experience: of a match, at most.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything.")] = 0,
    workers: Annotated[int, typer.Option("--workers", "--jobs", "-j", help="Processes.")] = 1,
    backend: Backend = None,
    cluster: Cluster = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No display.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines: one for each round, and one at the end.")
    ] = False,
) -> None:
    """Let two partners refine their system together; interrupt at any time, go on with --resume."""
    from pidm.authoring.asked_auction import asked_auction
    from pidm.play.pool import Pool
    from pidm.training import session
    from pidm.training.settings import Settings

    if (out is None) == (resume is None):
        raise typer.BadParameter("give --out DIR for a new session, or --resume DIR to go on with one")
    if resume is not None and system is not None:
        raise typer.BadParameter("a session to resume knows its system: leave the name out")
    if generations is not None and experience is not None:
        raise typer.BadParameter("give one of --generations and --experience")
    for option, given in (
        ("--start", start or None),
        ("--units", units),
        ("--rate", rate),
        ("--pull", pull),
    ):
        if given is None:
            continue
        if resume is not None:
            raise typer.BadParameter(f"a session to resume knows what was asked: leave {option} out")
        if experience is None and (option != "--pull" or generations is None):
            fitting = "--generations or --experience" if option == "--pull" else "--experience"
            raise typer.BadParameter(f"{option} goes with {fitting}")
    if experience is not None or (resume is not None and holds(resume)):
        from pidm.cli import gathering
        from pidm.training.gathering import GatheringPlan

        folder = out or resume
        assert folder is not None
        with reporting(), Pool(workers, backend, cluster) as pool:
            asked = None
            if experience is not None and out is not None:
                asked = GatheringPlan(
                    system or "two_over_one",
                    rivals=tuple(rivals) if rivals else () if start else GatheringPlan.rivals,
                    deals=deals if deals is not None else GatheringPlan.deals,
                    rounds=experience,
                    boards=boards,
                    seed=seed,
                    joint=joint is not False,
                    start=tuple(map(str, start or ())),
                    rate=GatheringPlan.rate if rate is None else rate,
                    pull=GatheringPlan.pull if pull is None else pull,
                    units=units,
                )
            gathering.run(folder, asked, pool, quiet, as_json)
        return
    deals = 1000 if deals is None else deals
    if generations is not None or (resume is not None and (resume / "plan.json").exists()):
        from pidm.cli.generations import run
        from pidm.training.generations import GenerationPlan

        folder = out or resume
        assert folder is not None
        with reporting(), Pool(workers, backend, cluster) as pool:
            plan = None
            if generations is not None and out is not None:
                plan = GenerationPlan(
                    system or "two_over_one",
                    generations=generations,
                    deals=deals,
                    temperature=temperature,
                    pull=GenerationPlan.pull if pull is None else pull,
                    joint=joint is True,
                    boards=boards,
                    seed=seed,
                    pool=tuple(rivals or GenerationPlan.pool),
                )
            run(folder, plan, pool, quiet, as_json)
        return
    if seconds is None and instances is None:
        instances = 2000
    with reporting(), Pool(workers, backend, cluster) as pool, _display(quiet, as_json) as show:
        if resume is not None:
            running = session.resume(resume, pool, show)
        else:
            assert out is not None
            settings = Settings(
                system=system or "two_over_one",
                partner=partner,
                opponents=opponents,
                utility=utility,
                partner_utility=partner_utility,
                within=tuple(str(asked_auction(one)) for one in within or ()),
                deals=deals,
                nets=nets,
                examples=examples,
                seconds=seconds,
                instances=instances,
                sample_size=sample,
                first=first,
                exchange_every=exchange_every,
                tolerance=tolerance,
                firm=firm,
                problems=problems,
                seed=seed,
            )
            running = session.start(out, settings, pool, show)
        try:
            running.run()
        except KeyboardInterrupt:
            folder = running.store.folder
            if as_json:
                _tell("interrupted", **_learned(folder))
            typer.echo(f"interrupted; go on with: pidm cotrain --resume {folder}", err=True)
            raise typer.Exit(130) from None
        finally:
            running.store.close()
    if as_json:
        _tell("done", **_learned(running.store.folder))
    else:
        typer.echo(_outcome(running.store.folder))


def _tell(event: str, **data: Any) -> None:
    """A JSON line for the program that reads us, at once."""
    typer.echo(json.dumps({"event": event, **data}))
    sys.stdout.flush()


def _learned(folder: Path) -> dict[str, Any]:
    """What a session has learned so far, in numbers."""
    from pidm.reading.refinement_files import Refinements

    found = [one for partner in (False, True) for one in Refinements.load(folder, partner) or ()]
    return {
        "folder": str(folder),
        "auctions": len(found),
        "choices": sum(1 for one in found for _ in one.conflicts()),
        "examples": sum(one.examples for one in found),
    }


def _rounds() -> ProgressObserver:
    """Tells every round that is finished, those of an interrupted session too when it goes on."""
    done = 0

    def tell(progress: Progress) -> None:
        nonlocal done
        if progress.phase == "learning" and progress.net and not progress.learning and progress.net > done:
            done = progress.net
            _tell(
                "round",
                nets=progress.net,
                examples=progress.tagged,
                score=progress.score,
                open=progress.ratio,
                seconds_left=progress.seconds_left,
            )

    return tell


@contextmanager
def _display(quiet: bool, as_json: bool = False) -> Iterator[ProgressObserver]:
    """A live table on a terminal, a line for each net elsewhere."""
    if as_json:
        yield _rounds()
    elif quiet:
        yield lambda progress: None
    elif not sys.stderr.isatty():
        last = -1

        def tell(progress: Progress) -> None:
            nonlocal last
            if progress.net > last and progress.ratio is not None:
                last = progress.net
                typer.echo(_line(progress), err=True)

        yield tell
    else:
        from rich.console import Console
        from rich.live import Live

        with Live(console=Console(stderr=True), refresh_per_second=4) as live:
            yield lambda progress: live.update(_panel(progress))


def _line(progress: Progress) -> str:
    return f"{progress.net} nets, {progress.tagged} examples, {_numbers(progress)}"


def _numbers(progress: Progress) -> str:
    if progress.ratio is None or progress.score is None:
        return "not measured yet"
    return f"{progress.score:+.2f} IMPs/problem without search, {progress.ratio:.1%} of decisions open"


def _panel(progress: Progress) -> Any:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    left = "" if progress.seconds_left is None else duration(progress.seconds_left)
    rows = {
        "phase": f"{progress.phase}  {progress.done}/{progress.total}",
        "learning": progress.learning or "-",
        "learned": f"{progress.net} nets, {progress.tagged} examples tagged",
        "measured": _numbers(progress),
        "time left": left or "-",
    }
    for name, text in rows.items():
        table.add_row(f"[bold]{name}[/bold]", text)
    return table


def _outcome(folder: Path) -> str:
    from pidm.reading.refinement_files import Refinements
    from pidm.reading.refinement_words import summary

    found = [one for partner in (False, True) for one in Refinements.load(folder, partner) or ()]
    return f"{summary(found)}; read them with: pidm refinements {folder}"
