"""`pidm tune`: which changes of a system's rules win?"""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from pidm.cli.options import reporting
from pidm.cli.playing import Playing, playing


@playing("seconds", "instances", "no_search", "utility", "scoring")
def tune(
    how: Playing,
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="Name or file of a system.")],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="A further member of the pool: a pair, NAME.pair or engine:COMMAND."),
    ] = None,
    boards: Annotated[int, typer.Option("--boards", "-n", min=8, help="Boards to try changes on.")] = 2000,
    confirm: Annotated[int, typer.Option("--confirm", min=8, help="Others, to confirm them.")] = 2000,
    measure: Annotated[
        int,
        typer.Option("--measure", min=8, help="Others again, to measure all of them together in the end."),
    ] = 2000,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="Met in the end only: a pair that has no say in what is accepted."),
    ] = None,
    deals: Annotated[
        str,
        typer.Option("--deals", help="random, or a file: boards to try, then to confirm, then to measure."),
    ] = "random",
    within: Annotated[
        list[str] | None,
        typer.Option("--within", help="Change only these files or folders, systems/acol; and the card."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Kinds of changes to try, instead of all.")
    ] = None,
    most: Annotated[int | None, typer.Option("--most", min=1, help="Try so many changes at most.")] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", min=0, help="Stop after so long; --resume goes on.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write what was accepted into the files of the system.")
    ] = False,
    report: Annotated[bool, typer.Option("--report", help="Also tell what was tried without gain.")] = False,
) -> None:
    """Try changes of a system's rules, and keep those that win.

    A change is made in the rules, so that it changes what is bid and how it is read. It is tried on boards
    against a pool: the system as it is, told of the change, and the pairs of --against. Only tables that it
    touches are bid anew. What gains three standard errors over the pool and loses to nobody is confirmed on
    other boards; then it is part of the system, and the next are tried on top of it. In the end all of it is
    measured together on boards on which nothing was chosen, against the pool and every --judge; --write
    writes it only if it gains against each of them.

    Kinds of changes: count, doubles, preempts, competing, games, limits, ranges, conventions, lines,
    alternatives, lengths, thresholds; those of the lines that are used most come first. Solved contracts are
    kept in the cache. With --out a run can be interrupted, and goes on with --resume to the same result.
    """
    with reporting():
        from dataclasses import asdict

        from pidm.errors import PidmError
        from pidm.language.system import System
        from pidm.play.journal import Journal
        from pidm.play.pair import Pair
        from pidm.play.solved_deals import default_store
        from pidm.play.systems import digest
        from pidm.tuning import files
        from pidm.tuning.operators import OPERATORS
        from pidm.tuning.proposals import Proposer
        from pidm.tuning.trials import Plan, laboratory
        from pidm.tuning.tuner import minutes_from_now
        from pidm.tuning.tuner import tune as run
        from pidm.tuning.tuning_report import data, lines, note_of

        for kind in only or ():
            if kind not in OPERATORS:
                raise PidmError(f"{kind!r} is no kind of change; expected one of {', '.join(OPERATORS)}")
        described = Pair.from_str(system)
        if not described.system or described.learned:
            raise PidmError(f"{system!r} is no system; what is tuned are the rules of one")
        for one in (*(against or ()), *(judge or ())):
            Pair.from_str(one)
        loaded = System.load(described.system, dict(described.card))
        plan = Plan(
            system=described.system,
            card=described.card,
            pool=("ourselves", *(against or ())),
            boards=boards,
            confirming=confirm,
            measuring=measure,
            judges=tuple(judge or ()),
            deals=deals,
            seed=how.seed,
            look=not how.rules_only,
            store=str(default_store() or ""),
        )
        if min(map(len, plan.sets().values())) < 8:
            asked = f"--boards {boards}, --confirm {confirm} and --measure {measure}"
            raise PidmError(f"{deals} has too few boards for {asked}")
        kinds, places = only or OPERATORS, within or ()
        proposer = Proposer(loaded, kinds, places)
        if not proposer.first({}):
            raise PidmError(
                f"nothing to try: no lines of {system} for these kinds of changes in these places"
            )
        journal = None
        if how.part is not None:
            about = {
                "kind": "tune",
                **{name: value for name, value in asdict(plan).items() if name != "store"},
                "system_digest": digest(loaded),
                "kinds": list(kinds),
                "within": list(places),
                "most": most,
            }
            journal = Journal(how.part, json.loads(json.dumps(about)), how.resume)
        began = time.perf_counter()
        changes = proposer.first(laboratory(plan).uses())[:most]
        with how.pool() as pool, how.bar(len(changes), "Changes") as show:

            def told(so_far: object) -> None:
                if show is not None:
                    from pidm.tuning.tuner import Outcome

                    assert isinstance(so_far, Outcome)
                    show(max(len(changes) - so_far.left, 0), f"{len(so_far.accepted)} accepted")

            outcome = run(plan, changes, pool, journal, minutes_from_now(minutes), told, proposer)
        seconds = time.perf_counter() - began
        found = data(outcome, seconds)
        how.write(found)
        if journal is not None:
            if outcome.left:
                journal.close()
            else:
                journal.finish()
        written = []
        if write and outcome.holds:
            noted = [(change, note_of(change, answer)) for change, _, answer in outcome.accepted]
            written = files.write(loaded, noted)
    if how.as_json:
        typer.echo(json.dumps(found))
        return
    for line in lines(outcome, report):
        typer.echo(line)
    if write and outcome.accepted and not outcome.holds:
        typer.echo("not written: together it does not gain against everybody by more than its error")
    for path in written:
        typer.echo(f"written: {path}")
