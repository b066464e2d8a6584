"""What a match looks like on paper: plain data, PBN with both tables, links to a viewer, tables of swings."""

from __future__ import annotations

import math
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pidm import __version__
from pidm.bridge.calls import Seat
from pidm.match.duplicate import Match, Played, Result
from pidm.match.gains import gain_data, gain_lines
from pidm.match.statistics import FEWEST, Mean
from pidm.play.match_boards import Board, board_data
from pidm.play.pair import Pair
from pidm.play.room import Effort, Setup
from pidm.records.boards import Note, Record, dumps

ROOMS = ("open", "closed")
VIEWER = "https://www.bridgebase.com/tools/handviewer.html?lin="


def number(value: float, digits: int = 4) -> float | None:
    """A number for JSON, which knows no infinity."""
    return round(value, digits) if math.isfinite(value) else None


def settings_of(setup: Setup, **options: Any) -> dict[str, Any]:
    """All that is needed to repeat a run: pairs, seed, options, versions and the command."""
    return {
        "pairs": [str(pair) for pair in setup.pairs],
        "seed": setup.seed,
        "scoring": setup.form,
        "options": {
            name: str(value) if isinstance(value, Path) else value for name, value in options.items()
        },
        "versions": versions(),
        "command": " ".join(map(_quoted, sys.argv)),
    }


def versions() -> dict[str, str]:
    """Of everything that can change a result."""
    found = {"pidm": __version__, "python": platform.python_version()}
    for name in ("numpy", "scikit-learn", "endplay"):
        found[name] = metadata.version(name)
    return found


def _quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)


def timing_of(effort: Effort, seconds: float, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Where the time went, in seconds over all processes."""
    return {
        "seconds": round(seconds, 2),
        "bidding": {
            f"{'AB'[int(place)]} {pairs[int(place)].label}": round(spent, 2)
            for place, spent in sorted(effort.bidding.items())
        },
        "solving": round(effort.solving, 2),
        "contracts_solved": effort.solved,
        "contracts_known": effort.known,
    }


def match_data(match: Match, **options: Any) -> dict[str, Any]:
    """A match as plain data."""
    points = match.points
    mean = match.mean
    data: dict[str, Any] = {
        "kind": "match",
        "a": match.setup.pairs[0].label,
        "b": match.setup.pairs[1].label,
        "boards": len(match.results),
        "imps_per_board": number(match.imps.mean),
        "standard_error": number(mean.error),
        "scoring": match.setup.form,
        "score_per_board": number(mean.mean),
        "won": sum(one > 0 for one in points),
        "lost": sum(one < 0 for one in points),
        "tied": sum(one == 0 for one in points),
        "bid_differently": match.differing,
        "settings": settings_of(match.setup, **options),
        "timing": timing_of(match.effort, match.seconds, match.setup.pairs),
        "faults": [
            {"board": result.board.number, "pair": "AB"[pair], "seat": str(fault.seat), "what": str(fault)}
            for result in match.results
            for pair, fault in result.faults
        ],
        "results": [result_data(result, match.setup.pairs) for result in match.results],
    }
    gained = gain_data(match)
    if gained:
        data["gains"] = gained
    if match.sprt is not None:
        data["sprt"] = {
            **asdict(match.sprt),
            "log_likelihood_ratio": number(match.sprt.ratio(points)),
            "bounds": [number(bound) for bound in match.sprt.bounds],
            "accepted": match.decision or None,
        }
    return data


def result_data(result: Result, pairs: Sequence[Pair]) -> dict[str, Any]:
    """A board as plain data."""
    board = result.board
    return {
        **board_data(board.number, board.deal, board.dealer, board.vul),
        "imps": result.imps,
        "matchpoints": result.matchpoints,
        "tables": [
            {
                "room": room,
                "ns": pairs[table.seats[Seat.N] or 0].label,
                "ew": pairs[table.seats[Seat.E] or 0].label,
                "auction": [str(call) for call in table.auction.calls],
                "contract": str(table.contract) if table.contract else None,
                "tricks": table.tricks,
                "ns_score": table.ns_score,
                "faults": [str(fault) for fault in table.faults],
                "link": link(board, table, pairs),
                **({"gains": [one.to_dict() for one in table.gains]} if table.gains else {}),
            }
            for room, table in zip(ROOMS, result.tables)
        ],
    }


def record_of(board: Board, table: Played, pairs: Sequence[Pair], room: str = "") -> Record:
    """A table as a record for PBN and LIN."""
    names = {
        seat: pairs[place].label if (place := table.seats[seat]) is not None else "silent" for seat in Seat
    }
    notes = [Note(fault.at, str(fault)) for fault in table.faults if fault.at < len(table.auction.calls)]
    record = Record.of(board.deal, table.auction, board=board.number, notes=notes)
    tags = {"North": names[Seat.N], "East": names[Seat.E], "South": names[Seat.S], "West": names[Seat.W]}
    if room:
        tags = {"Event": "pidm match", **tags, "Room": room.capitalize(), "Scoring": "IMP"}
    if table.ns_score is not None:
        tags["Score"] = f"NS {table.ns_score}"
    return replace(record, tricks=table.tricks, tags=tags)


def pbn(results: Iterable[Result], pairs: Sequence[Pair]) -> str:
    """Both tables of every board as PBN."""
    records = []
    for result in results:
        for room, table in zip(ROOMS, result.tables):
            record = record_of(result.board, table, pairs, room)
            sign = 1 if room == "open" else -1
            tags = {**record.tags, "ScoreIMP": f"NS {sign * result.imps:g}"}
            records.append(replace(record, tags=tags, comments=(link(result.board, table, pairs),)))
    return dumps(records, "pbn")


def link(board: Board, table: Played, pairs: Sequence[Pair]) -> str:
    """The address that shows the table in BBO's hand viewer."""
    record = record_of(board, table, pairs)
    seats = dict(zip(("North", "East", "South", "West"), table.seats))
    short = {name: "" if place is None else pairs[place].short for name, place in seats.items()}
    names = {name: text.replace(",", " ") for name, text in short.items()}  # LIN has commas between names
    return VIEWER + quote(dumps([replace(record, tags=names)], "lin").strip(), safe="|,")


def swings(results: Iterable[Result], form: str, most: int) -> list[Result]:
    """The boards with the largest swings, largest first."""
    ranked = sorted(results, key=lambda result: -abs(result.points(form)))
    return [result for result in ranked if result.points(form)][:most]


def swing_lines(result: Result, form: str, pairs: Sequence[Pair]) -> list[str]:
    """A board in words: the hands, and how both tables bid them."""
    board = result.board
    lines = [
        f"Board {board.number}, dealer {board.dealer}, vul {board.vul}: "
        f"A {result.points(form):+g} {unit(form)}"
    ]
    lines += [f"  {seat}  {hand}" for seat, hand in zip("NESW", board.deal)]
    for room, table in zip(ROOMS, result.tables):
        who = "A" if table.seats[Seat.N] == 0 else "B"
        lines.append(f"  {room:6} NS {who}: {table.auction or '(no call)'}")
        lines.append(f"         {outcome(table)}")
        lines += [f"         fault: {fault}" for fault in table.faults]
    return lines


def outcome(table: Played) -> str:
    """The contract and its score in words."""
    if not table.complete:
        return "no result"
    if table.contract is None:
        return "passed out"
    if table.tricks is None or table.ns_score is None:
        return str(table.contract)
    over = table.tricks - table.contract.level - 6
    made = "=" if over == 0 else f"{over:+d}"
    return f"{table.contract} {made}, NS {table.ns_score:+d}"


def unit(form: str) -> str:
    """What is won in a form of scoring."""
    return {"imps": "IMPs", "matchpoints": "matchpoints"}.get(form, form)


def summary_lines(match: Match) -> list[str]:
    """The outcome in a few lines."""
    points, form, pairs = match.points, match.setup.form, match.setup.pairs
    mean = match.mean
    lines = [
        f"A  {pairs[0].label}",
        f"B  {pairs[1].label}",
        f"{len(points)} boards: A {per_board(mean, form)}; "
        f"won {sum(one > 0 for one in points)}, lost {sum(one < 0 for one in points)}, "
        f"tied {sum(one == 0 for one in points)}; {match.differing} bid differently",
    ]
    if match.sprt is not None:
        ratio, (low, high) = match.sprt.ratio(points), match.sprt.bounds
        accepted = {"low": match.sprt.low, "high": match.sprt.high}.get(match.decision)
        verdict = "undecided" if accepted is None else f"accepted {accepted:g} {unit(form)}/board"
        swings_seen = sum(one != 0 for one in points)
        if accepted is None and swings_seen < FEWEST:
            verdict += f", with {swings_seen} of the {FEWEST} boards not tied that it needs at least"
        lines.append(f"sequential test: {verdict} (ratio {ratio:.2f}, bounds {low:.2f} and {high:.2f})")
    lines += gain_lines(match, unit(form))
    lines += fault_lines(match)
    lines.append(time_line(match.effort, match.seconds, pairs))
    if match.effort.trouble:
        lines.append(match.effort.trouble)
    return lines


def per_board(mean: Mean, form: str) -> str:
    """A mean in words."""
    if form == "matchpoints":
        return f"{50 + 100 * mean.mean:.1f}% of the matchpoints ± {100 * mean.error:.1f}"
    return f"{mean.mean:+.3f} IMPs/board ± {mean.error:.3f}"


def fault_lines(match: Match, most: int = 10) -> list[str]:
    """What went wrong at the tables."""
    faults = [(result, pair, fault) for result in match.results for pair, fault in result.faults]
    lines = [f"board {result.board.number}: {'AB'[pair]} {fault}" for result, pair, fault in faults[:most]]
    if len(faults) > most:
        lines.append(f"and {len(faults) - most} faults more")
    for said, times in list(match.effort.notices.items())[:most]:
        place, _, line = said.partition(" ")
        lines.append(f"{'AB'[int(place)]} said what answers no question, {times:g} times, skipped: {line}")
    return lines


def time_line(effort: Effort, seconds: float, pairs: Sequence[Pair]) -> str:
    """Where the time went."""
    split = timing_of(effort, seconds, pairs)
    bidding: Mapping[str, float] = split["bidding"]
    total = sum(bidding.values()) + effort.solving or 1.0
    parts = [f"bidding {'AB'[int(place)]} {spent:.1f} s" for place, spent in sorted(effort.bidding.items())]
    return (
        f"{seconds:.1f} s; over all processes {', '.join(parts)}, double dummy {effort.solving:.1f} s "
        f"({effort.solving / total:.0%}; {effort.solved} contracts solved, {effort.known} known)"
    )
