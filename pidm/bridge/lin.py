"""LIN files, as Bridge Base writes them, taken apart board by board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Seat, Vul
from pidm.bridge.cards import SUITS, Hand, PartialDeal, complete_hands, suit_text
from pidm.bridge.records import Note, Record, Records, card_from_str, outcome, tricks_taken
from pidm.errors import CallError, PidmError, RecordError

_SEATS = (Seat.S, Seat.W, Seat.N, Seat.E)
"""LIN counts from south: dealer 1 is S, and hands and names go S W N E."""
_ORDER = {key: place for place, key in enumerate(("ah", "qx", "sv", "md"))}
_NAMES = ("South", "West", "North", "East")
_CALLS = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
_VULS = {Vul.None_: "o", Vul.NS: "n", Vul.EW: "e", Vul.Both: "b"}
_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True)
class _Item:
    """A key with its value, `mb|1N|`, and its line."""

    key: str
    value: str
    line: int


@dataclass
class _Board:
    """The items of one board, and what is read from them."""

    items: list[_Item] = field(default_factory=list)
    closed: bool = False
    """Whether this is the closed room of a team match, whose players are the second four."""

    def has(self, *keys: str) -> bool:
        return any(item.key in keys for item in self.items)


def loads(text: str, path: str | None = None) -> Records:
    """Read the text of a LIN file."""
    records = Records([], [])
    players = ""
    for board in _boards(text):
        players = next((item.value for item in board.items if item.key == "pn"), players)
        if not board.has("md", "mb"):
            continue  # the heading of a match
        try:
            records.boards.append(_record(board, players))
        except RecordError as error:
            records.errors.append(RecordError(error.message, path, error.line))
    return records


def _boards(text: str) -> Iterator[_Board]:
    board, line = _Board(), 1
    parts = text.split("|")
    for key, value in zip(parts[::2], parts[1::2]):
        line += key.count("\n")
        item = _Item(key.strip().lower(), value.replace("\r", "").replace("\n", ""), line)
        line += value.count("\n")
        if item.key == "qx" or (item.key in ("pn", "md") and board.has("md")):
            yield board
            board = _Board(closed=item.key == "qx" and item.value.lower().startswith("c"))
        board.items.append(item)
    yield board


@dataclass
class _Draft:
    """What the items of a board have told so far."""

    number: int | None = None
    hands: PartialDeal = (None, None, None, None)
    dealer: Seat | None = None
    vul: Vul | None = None
    notes: dict[int, Note] = field(default_factory=dict)
    play: list[str] = field(default_factory=list)
    claimed: int | None = None
    comments: list[str] = field(default_factory=list)
    auction: Auction | None = None

    def start(self) -> Auction:
        """The auction before its first call."""
        if self.dealer is None:
            raise CallError("no dealer: neither in md nor by the number of the board")
        return Auction(self.dealer, Vul.None_ if self.vul is None else self.vul)


def _record(board: _Board, players: str) -> Record:
    draft = _Draft()
    # The heading first: the auction needs dealer and vulnerability, and some programs write them late.
    for item in sorted(board.items, key=lambda item: _ORDER.get(item.key, len(_ORDER))):
        try:
            if item.key not in _ORDER and draft.number is not None:
                draft.dealer = Seat.of_board(draft.number) if draft.dealer is None else draft.dealer
                draft.vul = Vul.of_board(draft.number) if draft.vul is None else draft.vul
            _take(draft, item)
        except PidmError as error:
            name = f"board {draft.number}: " if draft.number is not None else ""
            raise RecordError(f"{name}{error}, in {item.key}|{item.value}|", line=item.line) from error
    contract, passed_out = outcome(draft.auction, None, False)
    tricks = draft.claimed if contract is not None else None
    if tricks is None and contract is not None:
        tricks = tricks_taken(draft.play, contract)
    names = players.split(",")[4 if board.closed else 0 :]
    return Record(
        draft.number,
        draft.hands,
        draft.dealer,
        draft.vul,
        draft.auction,
        tuple(draft.notes.values()),
        contract,
        passed_out,
        tricks,
        tuple(draft.play),
        {seat: name.strip() for seat, name in zip(_NAMES, names) if name.strip()},
        comments=tuple(draft.comments),
    )


def _take(draft: _Draft, item: _Item) -> None:
    """Add one item to the draft."""
    value = item.value.strip()
    if item.key in ("ah", "qx"):
        digits = re.search(r"\d+", value)
        if digits and draft.number is None:
            draft.number = int(digits[0])
    elif item.key == "md":
        if value[:1] in tuple("1234"):
            draft.dealer = _SEATS[int(value[0]) - 1]
        draft.hands = _hands(value.lstrip("01234"))
    elif item.key == "sv":
        draft.vul = Vul.from_str(value) if value else None
    elif item.key == "mb":
        _call(draft, value)
    elif item.key == "an":
        if draft.auction is None:
            raise CallError("an explanation before the first call")
        at = len(draft.auction.calls) - 1
        before = draft.notes.get(at, Note(at))
        draft.notes[at] = replace(before, text=f"{before.text} {_with_symbols(value)}".strip())
    elif item.key == "nt" and value:
        draft.comments.append(_with_symbols(value))
    elif item.key == "pc":
        draft.play.append(card_from_str(value))
    elif item.key == "mc":
        if not re.fullmatch(r"\d|1[0-3]", value):
            raise CallError(f"{value!r} is no number of tricks")
        draft.claimed = int(value)


def _call(draft: _Draft, text: str) -> None:
    auction = draft.start() if draft.auction is None else draft.auction
    draft.auction = auction.after(Call.from_str(text.rstrip("!")))
    if text.endswith("!"):
        at = len(auction.calls)
        draft.notes[at] = Note(at, "", True)


def _hands(text: str) -> PartialDeal:
    hands: list[Hand | None] = [None] * 4
    for seat, hand in zip(_SEATS, text.split(",")):
        if hand.strip(" SHDCshdc"):
            hands[seat] = Hand.from_str(hand)
    return complete_hands(hands)


def _with_symbols(text: str) -> str:
    return re.sub("!([SHDC])", lambda match: _SYMBOLS[match[1].upper()], text, flags=re.IGNORECASE)


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
        items.append(("mb", f"{_CALLS.get(call, call)}{'!' if note.alert else ''}"))
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


def _hand_text(hand: Hand | None) -> str:
    return "" if hand is None else "".join(suit + suit_text(mask) for suit, mask in zip(SUITS, hand.masks))


def _plain(text: str) -> str:
    """The text without the bars and the line ends that would end the item."""
    return re.sub(r"\s+", " ", text.replace("|", "/"))


def _without_symbols(text: str) -> str:
    for suit, symbol in _SYMBOLS.items():
        text = text.replace(symbol, "!" + suit)
    return _plain(text)
