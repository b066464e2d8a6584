"""LIN files, as Bridge Base writes them: cut into boards, which endplay reads one by one.

endplay finds players, number, dealer, vulnerability, deal, calls with alerts and explanations, and cards. It
does not get to see what it would lose or stumble over: remarks, which it takes for explanations, claims, the
labels of a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Seat, Vul
from pidm.bridge.cards import SUITS, Hand, PartialDeal, complete_hands, suit_text
from pidm.bridge.records import (
    Note,
    Record,
    Records,
    call_of,
    card_from_str,
    hands_of,
    outcome,
    start_of,
    tricks_taken,
)
from pidm.errors import CallError, PidmError, RecordError

if TYPE_CHECKING:
    from endplay.types import Board

_SEATS = (Seat.S, Seat.W, Seat.N, Seat.E)
"""LIN counts from south: dealer 1 is S, and hands and names go S W N E."""
_NAMES = ("South", "West", "North", "East")
_CALLS = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
_VULS = {Vul.None_: "o", Vul.NS: "n", Vul.EW: "e", Vul.Both: "b"}
_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CALL = re.compile("[1-7][SHDCN]|[pdr]")


@dataclass(frozen=True)
class _Item:
    """A key with its value, `mb|1N|`, and its line."""

    key: str
    value: str
    line: int


@dataclass
class _Board:
    """The items of one board."""

    items: list[_Item] = field(default_factory=list)
    closed: bool = False
    """Whether this is the closed room of a team match, whose players are the second four."""

    def all(self, *keys: str) -> list[_Item]:
        """The items with one of these keys."""
        return [item for item in self.items if item.key in keys]

    @property
    def number(self) -> str:
        """The number of the board as it is written, empty if there is none."""
        found = (re.search(r"\d+", item.value) for item in self.all("ah") + self.all("qx"))
        return next((digits[0] for digits in found if digits), "")

    @contextmanager
    def blamed(self, item: _Item) -> Iterator[None]:
        """Errors get the number of the board, the item and its line."""
        try:
            yield
        except PidmError as error:
            name = f"board {self.number}: " if self.number else ""
            raise RecordError(f"{name}{error}, in {item.key}|{item.value}|", line=item.line) from error


def loads(text: str, path: str | None = None) -> Records:
    """Read the text of a LIN file."""
    records = Records([], [])
    players = ""
    for board in _boards(text):
        players = next((item.value for item in board.all("pn")), players)
        if not board.all("md", "mb"):
            continue  # the heading of a match
        try:
            records.boards.append(_record(board, players))
        except RecordError as error:
            records.errors.append(RecordError(error.message, path, error.line or board.items[0].line))
    return records


def _boards(text: str) -> Iterator[_Board]:
    board, line = _Board(), 1
    parts = text.split("|")
    for key, value in zip(parts[::2], parts[1::2]):
        line += key.count("\n")
        item = _Item(key.strip().lower(), value.replace("\r", "").replace("\n", "").strip(), line)
        line += value.count("\n")
        if item.key == "qx" or (item.key in ("pn", "md") and board.all("md")):
            yield board
            board = _Board(closed=item.key == "qx" and item.value.lower().startswith("c"))
        board.items.append(item)
    yield board


def _record(board: _Board, players: str) -> Record:
    from endplay.utils.escape import unescape_suits

    theirs, hands, dealer, vul = _heading(board, players)
    game = _by_endplay(_game(board))
    auction = _auction(board, game, dealer, vul)
    contract, passed_out = outcome(auction, None, False)
    play = tuple(SUITS[card.suit] + card.rank.abbr for card in game.play)
    tricks = None
    for item in board.all("mc"):
        with board.blamed(item):
            if not re.fullmatch(r"\d|1[0-3]", item.value):
                raise CallError(f"{item.value!r} is no number of tricks")
            tricks = int(item.value)
    if contract is not None and tricks is None:
        tricks = tricks_taken(play, contract)
    return Record(
        theirs.board_num,
        hands,
        dealer,
        vul,
        auction,
        tuple(
            Note(at, bid.announcement or "", bid.alertable)
            for at, bid in enumerate(game.auction)
            if bid.alertable or bid.announcement
        ),
        contract,
        passed_out,
        tricks if contract is not None else None,
        play,
        {seat: name.strip() for seat, name in theirs.info.items() if name.strip()},
        comments=tuple(unescape_suits(item.value) for item in board.all("nt") if item.value),
    )


def _by_endplay(items: Iterable[str]) -> Board:
    """The board as endplay reads it from these items."""
    from endplay.parsers.lin import LINDecoder

    try:
        return LINDecoder().parse_line("".join(items))
    except Exception as error:  # whatever it stumbles over costs no other board
        raise RecordError(f"endplay cannot read the board: {error}") from error


def _heading(board: _Board, players: str) -> tuple[Board, PartialDeal, Seat | None, Vul | None]:
    """What stands above the auction: endplay's board, the hands, dealer and vulnerability."""
    names = [*players.split(",")[4 if board.closed else 0 :], "", "", "", ""]
    items = [f"pn|{','.join(names[:4])}|"]
    if board.number:
        items.append(f"ah|Board {board.number}|")
    for item in board.all("sv"):
        if item.value:
            with board.blamed(item):
                items.append(f"sv|{_VULS[Vul.from_str(item.value)]}|")  # endplay knows no 0
    deal = next((item for item in board.all("md")), None)
    if deal is None:
        theirs = _by_endplay(items)
        return theirs, (None, None, None, None), *start_of(theirs)
    try:
        theirs = _by_endplay([*items, f"md|{deal.value}|"])
        return theirs, hands_of(theirs.deal, deal.value[1:]), *start_of(theirs)
    except PidmError:  # not a dealer and three or four hands, but some of it may be known
        theirs = _by_endplay(items)
    dealer, vul = start_of(theirs)
    if deal.value[:1] in tuple("1234"):
        dealer = _SEATS[int(deal.value[0]) - 1]
    with board.blamed(deal):
        hands: list[Hand | None] = [None] * 4
        for seat, hand in zip(_SEATS, deal.value.lstrip("01234").split(",")):
            if hand.strip(" SHDCshdc"):
                hands[seat] = Hand.from_str(hand)
        return theirs, complete_hands(hands), dealer, vul


def _game(board: _Board) -> list[str]:
    """Calls, explanations and cards as endplay wants them; without a dealer it guesses at no contract."""
    game: list[str] = []
    for item in board.all("mb", "an", "pc"):
        with board.blamed(item):
            if item.key == "mb":
                call = item.value.rstrip("!")
                # endplay takes every word with a P for a pass
                call = call if _CALL.fullmatch(call) else _call_text(Call.from_str(call))
                game.append(f"mb|{call}{'!' * item.value.endswith('!')}|")
            elif item.key == "pc":
                game.append(f"pc|{card_from_str(item.value)}|")
            elif not any(one.startswith("mb|") for one in game):
                raise CallError("an explanation before the first call")
            elif game[-1].startswith("an|"):  # endplay keeps the last one of a call
                game[-1] = f"{game[-1][:-1]} {item.value}|"
            else:
                game.append(f"an|{item.value}|")
    return game


def _auction(board: _Board, game: Board, dealer: Seat | None, vul: Vul | None) -> Auction | None:
    auction: Auction | None = None
    for item, bid in zip(board.all("mb"), game.auction):
        with board.blamed(item):
            if auction is None:
                if dealer is None:
                    raise CallError("no dealer: neither in md nor by the number of the board")
                auction = Auction(dealer, Vul.None_ if vul is None else vul)
            auction = auction.after(call_of(bid))
    return auction


def dumps(boards: Sequence[Record]) -> str:
    """The text of a LIN file, a line for each board."""
    return "".join(_board_text(record) + "\n" for record in boards)


def _board_text(record: Record) -> str:
    dealer = "" if record.dealer is None else str(_SEATS.index(record.dealer) + 1)
    hands = ",".join(_hand_text(record.hands[seat]) for seat in _SEATS)
    items = [("pn", ",".join(_plain(record.tags.get(name, "")) for name in _NAMES)), ("st", "")]
    items += [("md", dealer + hands), ("rh", "")]
    if record.board is not None:
        items.append(("ah", f"Board {record.board}"))
    if record.vul is not None:
        items.append(("sv", _VULS[record.vul]))
    for at, call in enumerate(record.auction.calls if record.auction is not None else ()):
        note = record.note(at) or Note(at)
        items.append(("mb", f"{_call_text(call)}{'!' if note.alert else ''}"))
        if note.text:
            items.append(("an", _without_symbols(note.text)))
    items += [("nt", _without_symbols(comment)) for comment in record.comments]
    items.append(("pg", ""))
    for start in range(0, len(record.play), 4):
        items += [("pc", card) for card in record.play[start : start + 4]]
        items.append(("pg", ""))
    if record.tricks is not None and len(record.play) < 52:
        items.append(("mc", str(record.tricks)))
    return "".join(f"{key}|{value}|" for key, value in items)


def _call_text(call: Call) -> str:
    return _CALLS.get(call, str(call))


def _hand_text(hand: Hand | None) -> str:
    return "" if hand is None else "".join(suit + suit_text(mask) for suit, mask in zip(SUITS, hand.masks))


def _plain(text: str) -> str:
    """The text without the bars and the line ends that would end the item."""
    return re.sub(r"\s+", " ", text.replace("|", "/"))


def _without_symbols(text: str) -> str:
    for suit, symbol in _SYMBOLS.items():
        text = text.replace(symbol, "!" + suit)
    return _plain(text)
