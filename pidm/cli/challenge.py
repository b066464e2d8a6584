"""`pidm challenge`: bidding challenges without opponents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pidm.cli.options import reporting
from pidm.cli.playing import Playing, playing


@playing()
def challenge(
    how: Playing,
    pairs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PAIR]...", help="Pairs as for `pidm match`; two_over_one if none is given."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="A YAML file of problems; without it, random ones.")
    ] = None,
    problems: Annotated[int, typer.Option("--problems", "-n", min=1, help="How many random problems.")] = 100,
    layouts: Annotated[
        int,
        typer.Option(
            "--layouts", min=0, help="Deals of the opponents' cards for double dummy; 0 leaves it out."
        ),
    ] = 10,
    worst: Annotated[int, typer.Option("--worst", min=0, help="How many of the worst results to show.")] = 3,
) -> None:
    """Let pairs bid two hands without opponents, and measure the contracts against the best ones.

    Prints the dependent variables of the BIDI experiments: IMPs per problem, generated instances, lookaheads
    and their ratio, refined nets used, sampling failures, lookahead stage.
    """
    with reporting():
        from pidm.match.challenge import challenge_data, challenge_lines, random_problems, run_challenge
        from pidm.match.kept_results import about, kept_problems
        from pidm.match.problems import read_problems

        asked = read_problems(file) if file is not None else random_problems(problems, how.seed)
        found = []
        setups = [how.setup([described]) for described in pairs or ["two_over_one"]]
        kept = kept_problems(how.part, how.resume, about("challenge", setups, asked, layouts=layouts))
        with how.pool() as pool:
            for setup in setups:
                with how.bar(len(asked), setup.pairs[0].label) as progress:
                    found.append(run_challenge(setup, asked, layouts, progress, pool, kept))
        options = {
            "file": str(file) if file is not None else None,
            "problems": len(asked),
            "layouts": layouts,
            "utility": how.utility,
            "jobs": pool.jobs,
        }
        data = [challenge_data(one, **options) for one in found]
        plain = data[0] if len(data) == 1 else data
        how.write(plain)
        if kept is not None:
            kept.journal.finish()
    if how.as_json:
        typer.echo(json.dumps(plain))
        return
    for one in found:
        for line in challenge_lines(one):
            typer.echo(line)
        ranked = sorted(one.solutions, key=lambda s: s.award if s.award is not None else s.ltc or 0.0)
        for solution in ranked[:worst]:
            problem = solution.problem
            title = f" ({problem.title})" if problem.title else ""
            typer.echo(f"\n  Problem {problem.number}{title}, dealer {problem.dealer}, vul {problem.vul}")
            for seat, hand in zip("NESW", problem.hands):
                if hand is not None:
                    typer.echo(f"    {seat}  {hand}")
            reached = solution.contract or "passed out"
            values = [
                f"{name} {value:+g}" + (f" (best {solution.best[name]})" if name in solution.best else "")
                for name in ("ltc", "dds", "award")
                if (value := getattr(solution, name)) is not None
            ]
            typer.echo(f"    {solution.auction}: {reached}; {', '.join(values)}")
