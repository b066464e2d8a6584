"""The boards of a match: dealt by a seed, or read from a file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pidm.bridge.calls import SEATS, Seat, Vul
from pidm.bridge.cards import RANKS, Deal, Hand
from pidm.bridge.worlds import random_deals, to_deals
from pidm.errors import PidmError, RecordError

_DEALT_TOGETHER = 64
"""Boards that share a generator, so that a longer match begins with the boards of a shorter one."""


@dataclass(frozen=True)
class Board:
    """A deal with its number, dealer and vulnerability."""

    number: int
    deal: Deal
    dealer: Seat
    vul: Vul

    @classmethod
    def numbered(cls, number: int, deal: Deal) -> Board:
        """A deal with the dealer and vulnerability of its number."""
        return cls(number, deal, Seat.of_board(number), Vul.of_board(number))


def board_data(number: int | None, deal: Deal, dealer: Seat, vul: Vul) -> dict[str, Any]:
    """A board as plain data, before anybody has bid it."""
    return {"board": number, "dealer": str(dealer), "vul": str(vul), "deal": str(deal)}


def random_boards(count: int, seed: int) -> list[Board]:
    """Random boards; more from the same seed begin with the same ones."""
    boards: list[Board] = []
    while len(boards) < count:
        rng = np.random.default_rng([seed, len(boards) // _DEALT_TOGETHER])
        for deal in to_deals(random_deals(_DEALT_TOGETHER, rng)):
            boards.append(Board.numbered(len(boards) + 1, deal))
    return boards[:count]


def shuffled_boards(count: int, seed: int) -> list[Board]:
    """Boards dealt as any Python program can: a deck shuffled by `random.Random(seed)`, thirteen cards each.

    The deck is the cards from 0, the spade ace, down to the two, then hearts, diamonds and clubs, in order
    anew before each shuffle.
    """
    stream = random.Random(seed)
    boards = []
    for number in range(1, count + 1):
        deck = list(range(52))
        stream.shuffle(deck)
        masks = [[0, 0, 0, 0] for _ in SEATS]
        for place, card in enumerate(deck):
            masks[place // 13][card // 13] |= 1 << (len(RANKS) - 1 - card % 13)
        north, east, south, west = (Hand((s, h, d, c)) for s, h, d, c in masks)
        boards.append(Board.numbered(number, Deal((north, east, south, west))))
    return boards


def read_boards(path: str | Path) -> list[Board]:
    """The boards of a PBN, LIN or JSON-lines file; each deal once, however often it was played."""
    path = Path(path)
    lines = path.suffix.lower() in (".jsonl", ".json")
    found = list(_json_boards(path) if lines else _recorded_boards(path))
    boards = list({(board.number, board.deal, board.dealer, board.vul): board for board in found}.values())
    if not boards:
        raise RecordError("no board with all four hands", str(path))
    return boards


def _recorded_boards(path: Path) -> Iterator[Board]:
    from pidm.records.boards import read

    found = read(path)
    if found.errors:
        raise found.errors[0]
    for place, record in enumerate(found.boards, 1):
        number = place if record.board is None else record.board
        if record.deal is None:
            raise RecordError(f"board {number} does not have all four hands", str(path))
        dealer = Seat.of_board(number) if record.dealer is None else record.dealer
        yield Board(number, record.deal, dealer, Vul.of_board(number) if record.vul is None else record.vul)


def _json_boards(path: Path) -> Iterator[Board]:
    """One object a line, with `deal` as in PBN or `hands` by seat, and if known `board`, `dealer`, `vul`."""
    place = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        place += 1
        try:
            entry = json.loads(line)
            yield _json_board(entry, place)
        except json.JSONDecodeError as error:
            raise RecordError(f"not JSON: {error.msg}", str(path), number, error.colno) from None
        except PidmError as error:
            raise RecordError(str(error), str(path), number) from None


def _json_board(entry: Any, place: int) -> Board:
    if not isinstance(entry, dict) or not ("deal" in entry or isinstance(entry.get("hands"), dict)):
        raise PidmError('expected an object with a "deal", or with "hands" by seat')
    if "deal" in entry:
        deal = Deal.from_str(str(entry["deal"]))
    else:
        hands = {str(seat).upper(): str(hand) for seat, hand in entry["hands"].items()}
        if sorted(hands) != sorted("NESW"):
            raise PidmError('expected "hands" of N, E, S and W')
        deal = Deal.from_str("N:" + " ".join(hands[seat] for seat in "NESW"))
    number = entry.get("board", place)
    if not isinstance(number, int):
        raise PidmError(f'"board" is a number, not {number!r}')
    dealer = Seat.from_str(str(entry["dealer"])) if "dealer" in entry else Seat.of_board(number)
    vul = Vul.from_str(str(entry["vul"])) if "vul" in entry else Vul.of_board(number)
    return Board(number, deal, dealer, vul)
