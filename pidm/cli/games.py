"""`pidm games`: small games with known optima, to play by hand and to try solvers on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pidm.cli.options import Json, reporting

if TYPE_CHECKING:
    from pidm.games.paper_table import Row
    from pidm.games.small import SmallGame


def games(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Games, or Python files with one; none lists them."),
    ] = None,
    solver: Annotated[
        str | None, typer.Option("--solver", help="A solver, or several: cfr,cfr+jps,joint.")
    ] = None,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Runs of each solver.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random starts.")] = 1,
    iterations: Annotated[int, typer.Option("--iterations", min=1, help="Of cfr.")] = 1000,
    depth: Annotated[
        int | None, typer.Option("--depth", min=0, help="Longest chain of jps, 0 for any; as in the paper.")
    ] = None,
    samples: Annotated[
        int, typer.Option("--samples", min=0, help="Infosets where chains of jps start, 0 for all.")
    ] = 0,
    seat: Annotated[
        int, typer.Option("--seat", min=0, help="By hand: the player that you are, 0 for all.")
    ] = 0,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write a line for each run.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the runs, as a PNG file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
    as_json: Json = False,
) -> None:
    """List the small games, play one by hand, or run solvers on them.

    A game of your own is a Python file with a subclass of pidm.games.small.SmallGame: pidm games my_game.py.
    """
    with reporting():
        from pidm.core.conformance import check
        from pidm.errors import PidmError
        from pidm.games import paper_table
        from pidm.games.catalogue import GAMES, load
        from pidm.games.solvers import SOLVERS, SolverOptions, run
        from pidm.games.tabular import Tabular

        if not names:
            _list([load(name) for name in GAMES], as_json)
            return
        chosen = [load(name) for name in names]
        for game in chosen:
            check(game, game)
        if solver is None:
            if len(chosen) > 1:
                raise PidmError(
                    f"one game can be played at a time; for solvers give --solver {','.join(SOLVERS)}"
                )
            _play(chosen[0], seat, seed)
            return
        wanted = [name.strip() for name in solver.split(",")]
        for name in wanted:
            if name not in SOLVERS:
                raise PidmError(f"no solver {name!r}; there are {', '.join(SOLVERS)}")
        _check_plot(plot)
        done = []
        optima = {game.name: game.optimum for game in chosen}
        known = {game.name: game.best_known for game in chosen}
        with _bar(len(chosen) * len(wanted) * runs, quiet or as_json) as told:
            for game in chosen:
                table = Tabular(game, game)
                goal = game.best_known if game.optimum is None else game.optimum
                options = SolverOptions(iterations, depth, samples, target=goal)
                for name in wanted:
                    for number in range(runs):
                        title = f"{game.name} {name}"
                        done.append(run(table, game.name, name, number, seed, options, told(title)))
                        told(title)("", 1.0)
        found = paper_table.rows(done, optima, known)
        if csv is not None:
            from pidm.files import write_atomic

            write_atomic(csv, paper_table.as_csv(done, seed))
        if plot is not None:
            paper_table.plot(done, optima, plot)
    if as_json:
        typer.echo(json.dumps(paper_table.as_data(found, done, seed)))
        return
    _table(found)


def _list(found: Sequence[SmallGame], as_json: bool) -> None:
    from pidm.games.tabular import Tabular

    lines = []
    for game in found:
        table = Tabular(game, game)
        lines.append(
            {
                "name": game.name,
                "states": table.states,
                "infosets": table.infosets,
                "optimum": game.optimum,
                "best_known": game.best_known,
                "rules": game.rules,
            }
        )
    if as_json:
        typer.echo(json.dumps(lines))
        return
    typer.echo(f"{'game':<20}{'states':>12}{'infosets':>12}{'optimum':>10}")
    for game, line in zip(found, lines):
        optimum = _goal(game.optimum, game.best_known)
        typer.echo(f"{line['name']:<20}{line['states']:>12,}{line['infosets']:>12,}{optimum:>10}")
    typer.echo("\npidm games NAME plays one by hand; pidm games NAME --solver cfr+jps --runs 30 solves it.")


def _goal(optimum: float | None, best_known: float | None) -> str:
    """The optimum, at least what is known of it."""
    if optimum is not None:
        return f"{optimum:.4f}"
    return "?" if best_known is None else f">={best_known:.2f}"


def _table(found: Sequence[Row]) -> None:
    typer.echo(
        f"{'game':<20}{'solver':<12}{'runs':>5}{'mean':>9}{'error':>8}{'best':>9}{'optimum':>9}{'reached':>9}"
        f"{'paper':>7}{'s/run':>8}"
    )
    for row in found:
        optimum = _goal(row.optimum, row.best_known)
        paper = "" if row.paper is None else f"{row.paper:.2f}"
        error = "" if row.error != row.error else f"{row.error:.4f}"
        typer.echo(
            f"{row.game:<20}{row.solver:<12}{row.runs:>5}{row.mean:>9.4f}{error:>8}{row.best:>9.4f}{optimum:>9}"
            f"{row.reached:>6}/{row.runs:<2}{paper:>7}{row.seconds:>8.2f}"
        )


def _check_plot(path: Path | None) -> None:
    """Without matplotlib there is no plot: better known before the runs than after."""
    from importlib.util import find_spec

    from pidm.errors import PidmError

    if path is not None and find_spec("matplotlib") is None:
        raise PidmError("plots need matplotlib: pip install 'pidm[plots]'")


@contextmanager
def _bar(total: int, quiet: bool) -> Iterator[Callable[[str], Callable[[str, float], None]]]:
    """A bar over all runs, with what goes on in the present one."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda title: lambda what, part: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)

        def told(title: str) -> Callable[[str, float], None]:
            def update(what: str, part: float) -> None:
                if what:
                    progress.update(task, description=f"{title}  {what}")
                else:
                    progress.advance(task)

            return update

        yield told


# ---------------------------------------------------------------------- by hand


def _play(game: SmallGame, seat: int, seed: int) -> None:
    """A game in the terminal: at each turn the player sees what it holds and what was done."""
    import numpy as np

    from pidm.errors import PidmError
    from pidm.games.solvers import SolverOptions, solve
    from pidm.games.tabular import Tabular

    if seat > game.seats:
        raise PidmError(f"{game.name} has {game.seats} players, there is no player {seat}")
    rng = np.random.default_rng(seed)
    world = int(rng.integers(len(game.deals)))
    table: Any = None
    policy: Any = None
    if seat:
        table = Tabular(game, game)
        try:
            policy = solve(table, "exact", rng)
        except PidmError:
            goal = game.best_known if game.optimum is None else game.optimum
            policy = solve(table, "joint", rng, SolverOptions(patience=2000, target=goal))
    typer.echo(game.rules)
    history = game.start
    while (actor := game.actor(history)) is not None:
        legal = list(game.legal(history))
        if seat and actor != seat - 1:
            node = table.histories.index(history)
            children = [int(table.child[node]) + k for k in range(len(legal))]
            chances = [policy[table.slot[child] + table.private[actor][world]] for child in children]
            action = legal[int(np.argmax(chances))]
            typer.echo(f"Player {actor + 1}: {game.say_action(action)}")
        else:
            action = _ask(game, history, actor, legal, world)
        history = game.after(history, action)
    held = ", ".join(game.say_held(one, int(game.deals[world, one])) for one in range(game.seats))
    typer.echo(
        f"The players had {held}. {game.say_history(history)} is worth "
        f"{float(game.evaluate(history, game.deals[[world]], 0)[0]):g}."
    )


def _ask(game: SmallGame, history: Any, actor: int, legal: Sequence[int], world: int) -> int:
    words = {game.say_action(action).lower(): action for action in legal}
    typer.echo(f"\nPlayer {actor + 1}, you have {game.say_held(actor, int(game.deals[world, actor]))}.")
    typer.echo(f"So far: {game.say_history(history)}.")
    shown = list(words) if len(words) <= 20 else [*list(words)[:3], "...", list(words)[-1]]
    while True:
        typer.echo(f"Your action ({' '.join(shown).upper()}): ", nl=False)
        line = sys.stdin.readline()
        if not line:
            raise typer.Exit(1)
        found = words.get(line.strip().lower())
        if found is not None:
            return found
        typer.echo(f"{line.strip() or 'Nothing'} is not legal here.")
