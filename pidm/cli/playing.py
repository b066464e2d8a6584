"""What the commands share that play many boards: their options, and what follows from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from pidm.cli.bidder_options import one_limit
from pidm.cli.options import Instances, Json, NoSearch, RulesOnly, Seconds, extended

if TYPE_CHECKING:
    from pidm.match.duplicate import Result
    from pidm.play.match_boards import Board
    from pidm.play.pair import Pair
    from pidm.play.pool import Pool
    from pidm.play.room import Setup

PAIR = "a system (name or file) with options, two_over_one,no-search; or engine:COMMAND"
Boards = Annotated[int | None, typer.Option("--boards", "-n", min=1, help="How many boards.")]
Deals = Annotated[
    str,
    typer.Option(
        "--deals", help="A PBN, LIN or JSON-lines file of deals; or random, or shuffle (Python's generator)."
    ),
]
Backend = Annotated[
    str | None, typer.Option("--backend", help="Who works: loky (processes of this machine), dask or ray.")
]
Cluster = Annotated[str | None, typer.Option("--cluster", help="Address of a running Dask or Ray cluster.")]
Pbn = Annotated[Path | None, typer.Option("--pbn", help="Write both tables of every board as PBN.")]
Swings = Annotated[int, typer.Option("--swings", min=0, help="How many of the largest swings to show.")]


@dataclass(frozen=True)
class Playing:
    """The options that these commands have in common."""

    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the deals and the simulations.")] = 1
    seconds: Seconds = None
    instances: Instances = None
    no_search: NoSearch = False
    rules_only: RulesOnly = False
    utility: Annotated[str | None, typer.Option("--utility", help="estimate, dds, ltc or total_tricks.")] = (
        None
    )
    scoring: Annotated[str, typer.Option("--scoring", help="imps or matchpoints.")] = "imps"
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; by default one for each processor.")
    ] = None
    backend: Backend = None
    cluster: Cluster = None
    out: Annotated[Path | None, typer.Option("--out", help="Write the result as JSON to this file.")] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run of the same --out that was interrupted.")
    ] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No live display.")] = False
    as_json: Json = False

    def setup(self, described: Sequence[str | Pair]) -> Setup:
        """What the processes must know; bad options are usage errors."""
        from pidm.errors import PidmError
        from pidm.play.pair import Pair
        from pidm.play.room import Setup
        from pidm.play.solved_deals import default_store
        from pidm.play.systems import Systems

        one_limit(self.seconds, self.instances, self.no_search, self.rules_only)
        if self.scoring not in ("imps", "matchpoints"):
            raise PidmError(f"{self.scoring!r} is no form of scoring; expected imps or matchpoints")
        pairs = [Pair.from_str(one) if isinstance(one, str) else one for one in described]
        limits = self.seconds, self.instances, self.no_search, self.utility, self.rules_only
        settled = tuple(pair.settled(*limits) for pair in pairs)
        systems = Systems()
        for pair in settled:  # mistakes are told at once, not by a process somewhere
            systems.of_pair(pair)
        form: Any = self.scoring
        return Setup(settled, self.seed, form, default_store())

    def boards(self, deals: str, count: int | None, default: int) -> list[Board]:
        """The boards that the options describe."""
        from pidm.play.match_boards import random_boards, read_boards, shuffled_boards

        if deals in ("random", "shuffle"):
            deal = random_boards if deals == "random" else shuffled_boards
            return deal(count or default, self.seed)
        return read_boards(deals)[:count]

    def pool(self) -> Pool:
        """Who does the work."""
        from pidm.play.pool import Pool

        return Pool(self.jobs, self.backend, self.cluster)

    @property
    def part(self) -> Path | None:
        """The file beside --out that holds the results so far; None without --out."""
        from pidm.errors import PidmError

        if self.out is None and self.resume:
            raise PidmError("--resume goes on with the results kept for --out FILE: give the same --out")
        return self.out.with_name(f"{self.out.name}.part") if self.out is not None else None

    def write(self, data: object) -> None:
        """Write the result where --out says."""
        from pidm.files import write_atomic

        if self.out is not None:
            write_atomic(self.out, json.dumps(data, indent=1) + "\n")

    @contextmanager
    def bar(self, total: int, title: str = "Boards") -> Iterator[Show | None]:
        """How far it is, on the terminal; None where nobody looks."""
        from rich.console import Console

        console = Console(stderr=True)
        if self.quiet or self.as_json or not console.is_terminal:
            yield None
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task(title, total=total, note="")
            yield lambda done, note="": bar.update(task, completed=done, note=note)

    @contextmanager
    def live(self, total: int) -> Iterator[Callable[[Sequence[Result]], object] | None]:
        """The same for a match, with the mean so far."""
        from pidm.match.report import per_board
        from pidm.match.statistics import mean_of

        with self.bar(total) as show:
            if show is None:
                yield None
                return

            def told(results: Sequence[Result]) -> None:
                mean = mean_of([result.points(self.scoring) for result in results])
                show(len(results), f"A {per_board(mean, self.scoring)}")

            yield told


class Show(Protocol):
    """Told how many are done, and a word about it."""

    def __call__(self, done: int, note: str = "") -> object:
        """Show it."""


def playing(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of `Playing`, but for these, and as its first argument what they say."""
    options = [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=one.default, annotation=one.annotation)
        for name, one in signature(Playing, eval_str=True).parameters.items()
        if name not in without
    ]
    return lambda command: extended(command, options, Playing)
