"""Is a convention worth playing? Two versions of a system; only boards where it matters are solved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pidm.bridge.worlds import from_deals
from pidm.match.duplicate import Match
from pidm.match.report import match_data, number, per_board, time_line, unit
from pidm.match.statistics import Mean, mean_of
from pidm.play.match_boards import Board, random_boards
from pidm.play.pair import Pair
from pidm.play.room import Setup
from pidm.play.systems import Systems
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table

BLOCK = 512
"""Boards that are bid together when boards are looked for that are bid differently."""


def versions_of(pair: Pair, with_: Iterable[str], without: Iterable[str]) -> tuple[Pair, Pair]:
    """The pair with the first conventions and without the others, and the other way round."""
    on, off = tuple(with_), tuple(without)
    card = [(name, True) for name in on] + [(name, False) for name in off]
    first = replace(pair, card=(*pair.card, *card))
    second = replace(pair, card=(*pair.card, *((name, not switched) for name, switched in card)))
    if on or off:
        first = replace(first, name=_words(pair, on, off))
        second = replace(second, name=_words(pair, off, on))
    return first, second


def screened(
    setup: Setup, seed: int, until: int, most: int, progress: Callable[[int, int], object] | None = None
) -> tuple[list[Board], int]:
    """Random boards that the two pairs bid differently, and how many boards were looked at for them.

    Both must bid by rules alone: then boards are bid by the hundred, and a convention that comes up once in a
    thousand deals is met often enough to be judged. It ends with `until` such boards, or after `most`.
    """
    systems = Systems()
    first, second = (systems.of(pair.system, pair.card) for pair in setup.pairs[:2])
    tables = [Table(both, setup.form) for both in ((first, second), (second, first))]
    found: list[Board] = []
    looked = 0
    while len(found) < until and looked < most:
        boards = random_boards(looked + BLOCK, seed)[looked:]
        worlds = from_deals(board.deal for board in boards)
        dealers, vuls = [board.dealer for board in boards], [board.vul for board in boards]
        one, other = (bid_out(table, worlds, dealers, vuls) for table in tables)
        found += [board for board, a, b in zip(boards, one, other) if a != b]
        looked += BLOCK
        if progress is not None:
            progress(len(found), looked)
    return found, looked


def can_be_screened(setup: Setup) -> bool:
    """Do both pairs bid by their rules and nothing else?"""
    return all(
        pair.system and pair.search is False and not pair.look and not pair.refinements
        for pair in setup.pairs[:2]
    )


def _words(pair: Pair, on: Sequence[str], off: Sequence[str]) -> str:
    parts = [f"with {' '.join(on)}"] if on else []
    parts += [f"without {' '.join(off)}"] if off else []
    return f"{pair.name or pair.system} {' '.join(parts)}"


def ab_data(match: Match, **options: Any) -> dict[str, Any]:
    """The comparison as plain data; of the boards, only those that were bid differently."""
    data = match_data(match, **options)
    different = {result.board.number for result in match.results if _differs(result.tables)}
    data["results"] = [one for one in data["results"] if one["board"] in different]
    contracts = _contracts_differ(match)
    return {
        **data,
        "kind": "ab",
        "boards": match.boards,
        "imps_per_hundred_boards": number(100 * match.imps.mean, 2),
        "comes_up": number(match.differing / max(match.boards, 1)),
        "other_contract": number(contracts / max(match.boards, 1)),
    }


def _differs(tables: Sequence[Any]) -> bool:
    return bool(tables[0].auction != tables[1].auction)


def _contracts_differ(match: Match) -> int:
    return sum(result.tables[0].contract != result.tables[1].contract for result in match.results)


def ab_lines(match: Match) -> list[str]:
    """The comparison in a few lines."""
    form, n = match.setup.form, max(match.boards, 1)
    mean = match.mean
    contracts = _contracts_differ(match)
    lines = [f"A  {match.setup.pairs[0].label}", f"B  {match.setup.pairs[1].label}"]
    lines.append(f"{n} boards: A {per_board(mean, form)}")
    if form == "imps":
        lines.append(f"per hundred boards: {Mean(100 * mean.mean, 100 * mean.error, mean.n)} {unit(form)}")
    lines.append(
        f"comes up on {match.differing} boards ({match.differing / n:.1%}), "
        f"changes the contract on {contracts} ({contracts / n:.1%})"
    )
    if match.differing:
        each = mean_of([one.points(form) for one in match.results if _differs(one.tables)])
        lines.append(f"when it comes up: {each} {unit(form)} a board")
    if contracts:
        won = sum(match.points)
        lines.append(f"when the contract changes: {won / contracts:+.2f} {unit(form)} a board")
    lines.append(verdict(mean))
    lines.append(time_line(match.effort, match.seconds, match.setup.pairs))
    return lines


def verdict(mean: Mean) -> str:
    """What the boards prove, in words."""
    if mean.mean == 0 and mean.error == 0:
        return "no difference on these boards"
    if abs(mean.mean) < 2 * mean.error:
        return "not decided: the difference is less than two standard errors; more boards would tell"
    return f"{'A' if mean.mean > 0 else 'B'} is better, by {abs(mean.mean) / mean.error:.1f} standard errors"
