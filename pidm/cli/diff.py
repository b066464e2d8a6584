"""`pidm diff`: in which auctions two systems, or two versions of one, call differently."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pidm.cli.options import Json, reporting

if TYPE_CHECKING:
    from pidm.match.difference import Differences, Spot


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A system, by name or file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another, or a later version of it.")],
    boards: Annotated[int, typer.Option("--boards", "-n", min=1, help="Random boards to bid.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Other numbers give other boards.")] = 1,
    top: Annotated[int, typer.Option("--top", min=1, help="How many auctions are shown.")] = 15,
    worth: Annotated[
        bool, typer.Option("--worth/--no-worth", help="Solve what differs, to say what it is worth.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Say in which auctions two systems differ, how often that comes up, and what it is worth.

    Both bid random boards by rules. An auction is listed with the calls in which the two part, A's first;
    IMPs are what B wins, double dummy, when its side changes from A to B.
    """
    with reporting():
        from pidm.language.system import System
        from pidm.match.difference import differences
        from pidm.play.match_boards import random_boards
        from pidm.play.solved_deals import Solver, default_store

        solver = Solver(default_store()) if worth else None
        found = differences(System.load(first), System.load(second), random_boards(boards, seed), solver)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=1))
    else:
        for line in _lines(found, (first, second), boards, top):
            typer.echo(line)


def _lines(found: Differences, names: tuple[str, str], boards: int, top: int) -> Iterator[str]:
    count = len(found.found)
    if not count:
        yield f"{names[0]} and {names[1]} bid {boards} boards alike"
        return
    yield f"A  {names[0]}"
    yield f"B  {names[1]}"
    share = 100 * count / found.chances
    yield f"{boards} boards, each side in turn: {count} of {found.chances} auctions differ ({share:.1f}%)"
    if found.imps is not None:
        won = found.imps
        yield f"B wins {won.mean:+.3f} IMPs a board ± {won.error:.3f}, against opponents who play A"
    yield ""
    yield f"{'per 1,000':>9}  {'IMPs each':>9}  {'in all':>7}  auction: call of A -> of B"
    for spot in found.spots[:top]:
        yield _line(spot, found.chances)
    if len(found.spots) > top:
        rest = sum(len(spot.found) for spot in found.spots[top:])
        yield f"... and {len(found.spots) - top} more auctions ({rest} times); --top shows more"


def _line(spot: Spot, chances: int) -> str:
    often = 1000 * len(spot.found) / chances
    calls = ", ".join(f"{a} -> {b} {times}" for a, b, times in spot.calls[:3])
    more = f", {len(spot.calls) - 3} more" if len(spot.calls) > 3 else ""
    each = "" if spot.imps is None else f"{spot.imps.mean:+.1f}"
    whole = "" if spot.imps is None else f"{spot.imps.mean * len(spot.found):+.0f}"
    return f"{often:9.1f}  {each:>9}  {whole:>7}  {spot.auction}: {calls}{more}"
