"""`pidm bid` and `pidm deal`: bidding from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pidm.cli.bidder_options import auction_so_far, in_lines
from pidm.cli.options import Dealer, Json, Vulnerable, bidding, reporting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pidm.play.bidder import Bidder
    from pidm.play.decision import BidDeal
    from pidm.records.boards import Record, Records


@bidding
def bid(
    bidder: Bidder,
    hand: Annotated[str, typer.Argument(help="The hand, S.H.D.C: AQ2.KJ854.K4.A93")],
    auction: Annotated[
        list[str] | None,
        typer.Argument(help="The auction so far: 1N P 2C P, or theirs in parentheses: '1N (2H) 3H'"),
    ] = None,
    dealer: Dealer = "N",
    vul: Vulnerable = "None",
    as_json: Json = False,
) -> None:
    """The call for a hand, and why."""
    with reporting():
        decision = bidder.bid(hand, auction_so_far(auction or (), dealer, vul))
    for line in in_lines(decision, as_json):
        typer.echo(line)


@bidding
def deal(
    bidder: Bidder,
    file: Annotated[
        Path | None, typer.Argument(help="PBN or LIN file of deals; without it, random deals.")
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many random deals.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the boards with the auctions added, as PBN or LIN.")
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Print the reason of every call.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a flat table, a call a line.")] = False,
    as_json: Json = False,
) -> None:
    """Bid whole deals, random ones or those of a file.

    The exit status is 1 when a board of the file cannot be bid; the others are bid all the same.
    """
    from pidm.bridge.calls import Seat, Vul

    with reporting():
        found, failed = _read_boards(file) if file else (_random_boards(count, bidder.seed), False)
        boards = _to_bid(found.boards, file)
        results: list[BidDeal] = []
        for board in _progress(boards, quiet=as_json or as_csv or len(boards) < 4):
            assert board.deal is not None
            results.append(bidder.bid_deal(board.deal, board.dealer or Seat.N, board.vul or Vul.None_))
            if not (as_json or as_csv or out):
                typer.echo(_text(board, results[-1], why))
        if out:
            _write(out, found, dict(zip(map(id, boards), results)), bidder.system.name)
            deals = "1 deal" if len(results) == 1 else f"{len(results)} deals"
            typer.echo(f"{deals} written to {out}", err=True)
    if as_json:
        typer.echo(json.dumps([_as_dict(board, result) for board, result in zip(boards, results)]))
    elif as_csv:
        from pidm.play.call_table import rows_of_deals, to_csv

        typer.echo(to_csv(rows_of_deals(results, [board.board for board in boards])), nl=False)
    if failed:
        raise typer.Exit(1)


def _read_boards(path: Path) -> tuple[Records, bool]:
    """What a file holds, and whether some of its boards cannot be bid; those are named."""
    from pidm.records.boards import read

    found = read(path)
    for error in found.errors:
        typer.echo(f"pidm: {error}", err=True)
    partial = [board for board in found.boards if board.deal is None]
    for board in partial:
        typer.echo(f"pidm: {path}: board {board.board} does not have all four hands and is not bid", err=True)
    return found, bool(found.errors or partial)


def _to_bid(boards: list[Record], path: Path | None) -> list[Record]:
    """The boards with all four hands, without those that are here because pidm has bid them before."""
    from pidm.errors import RecordError
    from pidm.play.bid_records import is_ours

    whole = [board for board in boards if board.deal is not None]
    if not whole:
        raise RecordError("no board with all four hands", str(path))
    return [board for board in whole if not is_ours(board)] or whole


def _write(out: Path, found: Records, results: dict[int, BidDeal], system: str) -> None:
    """All that was found, with what was bid on its boards."""
    from pidm.play.bid_records import with_auction
    from pidm.play.solved_deals import Solver, default_store
    from pidm.records.boards import write

    tables = Solver(default_store()).tables([result.deal for result in results.values()])
    solved = dict(zip(results, tables))
    boards = (
        with_auction(board, results[id(board)], system, solved[id(board)])
        if id(board) in results
        else [board]
        for board in found.boards
    )
    write(out, found.rewritten(boards))


def _random_boards(count: int, seed: int) -> Records:
    import numpy as np

    from pidm.bridge.calls import Seat, Vul
    from pidm.bridge.worlds import random_deals, to_deals
    from pidm.records.boards import Record, Records

    worlds = random_deals(count, np.random.default_rng(seed))
    boards = [
        Record(board=number, hands=dealt.hands, dealer=Seat.of_board(number), vul=Vul.of_board(number))
        for number, dealt in enumerate(to_deals(worlds), 1)
    ]
    return Records(boards, [])


def _progress(boards: list[Record], quiet: bool) -> Iterable[Record]:
    if quiet:
        return boards
    from rich.console import Console
    from rich.progress import track

    return track(boards, "Bidding", console=Console(stderr=True))


def _text(board: Record, result: BidDeal, why: bool) -> str:
    auction = result.auction
    lines = [f"Board {board.board}  dealer {auction.dealer}  vul {auction.vul}"]
    lines += [f"  {seat}  {hand}" for seat, hand in zip("NESW", result.deal)]
    lines.append("  " + " ".join(str(call) for call in auction.calls))
    lines.append(f"  {auction.contract or 'passed out'}")
    if why:
        for number, decision in enumerate(result.decisions):
            lines.append(f"  {auction.seat_of(number)} {decision.call!s:3} {decision.why}")
    return "\n".join(lines)


def _as_dict(board: Record, result: BidDeal) -> dict[str, object]:
    from pidm.play.match_boards import board_data

    auction = result.auction
    return {
        **board_data(board.board, result.deal, auction.dealer, auction.vul),
        "auction": [str(call) for call in auction.calls],
        "contract": str(auction.contract) if auction.contract else None,
        "decisions": [decision.to_dict() for decision in result.decisions],
    }
