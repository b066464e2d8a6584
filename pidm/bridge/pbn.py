"""PBN files (standard 2.1), taken apart board by board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Contract, Seat, Vul
from pidm.bridge.cards import complete_hands, partial_deal
from pidm.bridge.records import Note, Record, Records, card_from_str, outcome, tricks_of, tricks_taken
from pidm.errors import CallError, PidmError, RecordError

T = TypeVar("T")

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_FIELDS = ("Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play")
_PLAYERS = ("West", "North", "East", "South")
_HEADING = ("Event", "Site", "Date", "Board", *_PLAYERS, "Dealer", "Vulnerable", "Deal", "Scoring")
_MANDATORY = (*_HEADING, "Declarer", "Contract", "Result")
_SPELLING = {name.lower(): name for name in (*_MANDATORY, "Auction", "Play", "Note")}
_UNKNOWN = ("", "?")
_ALERT = "!"
"""PBN has no sign for an alert: a note that begins with this is one."""


@dataclass
class _Section:
    """A tag with the rows that follow it."""

    tag: str
    value: str
    line: int
    rows: list[str] = field(default_factory=list)

    @property
    def takes_rows(self) -> bool:
        """Whether rows may follow this tag."""
        return self.tag in ("Auction", "Play") or (self.tag.endswith("Table") and self.tag != "Table")


@dataclass
class _Board:
    """The text of one board, in sections."""

    line: int
    sections: dict[str, _Section] = field(default_factory=dict)
    notes: dict[tuple[str, str], str] = field(default_factory=dict)
    """The text of a note by the section that it follows and its number: auction and play count their own."""
    comments: list[str] = field(default_factory=list)
    broken: RecordError | None = None

    def part(self, tag: str, decode: Callable[[_Section], T]) -> T | None:
        """What a section says, None if it is missing or unknown; its errors get their line."""
        section = self.sections.get(tag)
        if section is None or (section.value.strip() in _UNKNOWN and not section.rows):
            return None
        try:
            return decode(section)
        except PidmError as error:
            raise RecordError(f"{tag}: {error}", line=section.line) from error


def loads(text: str, path: str | None = None) -> Records:
    """Read the text of a PBN file."""
    records = Records([], [])
    before: dict[str, str] = {}
    for board in _boards(text):
        for section in board.sections.values():  # "#" stands for the value of the board before
            if section.value == "#":
                section.value = before.get(section.tag, "")
            before[section.tag] = section.value
        try:
            records.boards.append(_record(board))
        except RecordError as error:
            name = board.sections["Board"].value if "Board" in board.sections else ""
            message = f"board {name}: {error.message}" if name else error.message
            records.errors.append(RecordError(message, path, error.line or board.line))
    return records


def _boards(text: str) -> Iterator[_Board]:
    board: _Board | None = None
    section: _Section | None = None
    comment: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("%") and comment is None:
            continue
        plain, comment, remarks = _uncommented(line, comment)
        if board is not None:
            board.comments += remarks
        if not plain.strip():
            if not line.strip() and comment is None and board is not None:
                yield board
                board = section = None
            continue
        board = board or _Board(number)
        tags = list(_TAG.finditer(plain))
        for tag in tags:
            name, value = _SPELLING.get(tag[1].lower(), tag[1]), re.sub(r'\\(["\\])', r"\1", tag[2])
            if name == "Note":
                mark, _, note = value.partition(":")
                board.notes[section.tag if section else "", mark.strip()] = note.strip()
            else:
                section = board.sections.setdefault(name, _Section(name, value, number))
        if tags:
            continue
        if section is None or not section.takes_rows or plain.lstrip().startswith("["):
            found = RecordError(f'expected a tag such as [Board "1"], found {plain.strip()}', line=number)
            board.broken = board.broken or found
        else:
            section.rows.append(plain)
    if board is not None:
        yield board


def _uncommented(line: str, comment: str | None) -> tuple[str, str | None, list[str]]:
    """The line without comments, the comment that goes on after it, and the comments that ended in it."""
    plain, done, quoted = "", [], False
    for at, char in enumerate(line):
        if comment is not None:
            if char == "}":
                done.append(comment.strip())
                comment = None
            else:
                comment += char
        elif char == "{" and not quoted:
            comment = ""
        elif char == ";" and not quoted:
            done.append(line[at + 1 :].strip())
            break
        else:
            quoted ^= char == '"' and not plain.endswith("\\")
            plain += char
    return plain, None if comment is None else comment + " ", done


def _record(board: _Board) -> Record:
    if board.broken is not None:
        raise board.broken
    digits = board.part("Board", lambda section: re.search(r"\d+", section.value))
    number = int(digits[0]) if digits else None
    vul = board.part("Vulnerable", lambda section: Vul.from_str(section.value))
    dealer = board.part("Dealer", _seat)
    if dealer is None:
        dealer = board.part("Auction", _seat)
    if number is not None:
        vul = Vul.of_board(number) if vul is None else vul
        dealer = Seat.of_board(number) if dealer is None else dealer
    hands = board.part("Deal", lambda section: complete_hands(partial_deal(section.value)))
    start = None if dealer is None else Auction(dealer, Vul.None_ if vul is None else vul)
    auction, notes = board.part("Auction", lambda section: _auction(section, start, board)) or (None, [])
    declarer = board.part("Declarer", _seat)
    stated = board.part("Contract", lambda section: _outcome(section, declarer, auction))
    contract, passed_out = stated or outcome(auction, None, False)
    play = board.part("Play", lambda section: _play(section, contract)) or ()
    tricks = board.part("Result", lambda section: _result(section.value, contract))
    if tricks is None and contract is not None:
        tricks = tricks_taken(play, contract)
    others = [section for tag, section in board.sections.items() if tag not in _FIELDS]
    return Record(
        number,
        hands or (None, None, None, None),
        dealer,
        vul,
        auction,
        tuple(notes),
        contract,
        passed_out,
        tricks,
        play,
        {other.tag: other.value for other in others if not other.rows and other.value not in _UNKNOWN},
        {other.tag: (other.value, *other.rows) for other in others if other.rows},
        tuple(board.comments),
    )


def _seat(section: _Section) -> Seat | None:
    value = section.value.strip().lstrip("^")  # ^ marks an irregular declarer
    return None if value in _UNKNOWN else Seat.from_str(value)


def _auction(section: _Section, start: Auction | None, board: _Board) -> tuple[Auction | None, list[Note]]:
    if start is None:
        raise CallError("no dealer: neither a Dealer tag, nor a seat here, nor the number of the board")
    first = _seat(section)
    if first not in (None, start.dealer):
        raise CallError(f"starts with {first}, but the dealer is {start.dealer}")
    auction, notes = start, dict[int, Note]()
    words = re.findall(r"=\s*\d+\s*=|\$\d+|[^\s=$]+", " ".join(section.rows))
    for word in words:
        at = len(auction.calls) - 1
        if word.startswith("="):
            text = board.notes.get(("Auction", word.strip("= ")), _ALERT)
            alert = text.startswith(_ALERT)
            if at >= 0:
                notes[at] = Note(at, text.removeprefix(_ALERT).strip(), alert or at in notes)
        elif word == _ALERT and at >= 0:
            notes[at] = Note(at, "", True)
        elif word.startswith("$") or re.fullmatch("[!?]+", word):
            continue  # how good the call was, somebody's opinion
        elif word in ("*", "+"):  # the rest is not known; the auction goes on
            break
        elif word == "-" and not auction.calls:
            continue  # fills the row up to the dealer
        elif word.upper() == "AP":
            while not auction.over:
                auction = auction.after(PASS)
        else:
            call = word.rstrip("!?*")
            auction = auction.after(Call.from_str(call))
            if word[len(call) :] in ("!", "*"):
                notes[at + 1] = Note(at + 1, "", True)
    if not words:
        return None, []
    return auction, list(notes.values())


def _outcome(
    section: _Section, declarer: Seat | None, auction: Auction | None
) -> tuple[Contract | None, bool]:
    text = section.value.strip()
    if text.lower().startswith("pass"):
        return outcome(auction, None, True)
    if declarer is None and auction is not None and auction.contract is not None:
        declarer = auction.contract.declarer
    if declarer is None:
        raise CallError(f"{text}, but no declarer")
    return outcome(auction, Contract.from_str(f"{text} by {declarer}"), False)


def _result(text: str, contract: Contract | None) -> int | None:
    match = re.fullmatch(r"\^?\s*(?:(NS|EW)\s*)?(\d+)", text.strip().upper())
    if match is None or int(match[2]) > 13:
        raise CallError(f"{text!r} is no number of tricks")
    if contract is None:
        return None
    tricks = int(match[2])
    return 13 - tricks if match[1] not in (None, contract.declarer.side) else tricks


def _play(section: _Section, contract: Contract | None) -> tuple[str, ...]:
    """The cards in the order of play. Rows are tricks, columns the seats from the opening lead on."""
    if contract is None:
        raise CallError("play without a contract")
    first = _seat(section)
    first = contract.declarer.lho if first is None else first
    play: list[str] = []
    rows = [re.sub(r"=\s*\d+\s*=|\$\d+", " ", row).split() for row in section.rows]
    for row in rows:
        if not row or row[0] in ("*", "+"):
            break
        leader = list(tricks_of([*play, "S2"], contract))[-1][0]  # a card to ask who leads now
        for turn in range(4):
            column = (leader + turn - first) % 4
            if column >= len(row) or row[column] in ("-", "*", "+"):
                return tuple(play)
            play.append(card_from_str(row[column]))
    return tuple(play)


def dumps(boards: Sequence[Record]) -> str:
    """The text of a PBN file."""
    return "\n".join(["% PBN 2.1", "% EXPORT", *map(_board_text, boards)])


def _board_text(record: Record) -> str:
    lines: list[str] = []

    def tag(name: str, value: object) -> None:
        text = re.sub(r'(["\\])', r"\\\1", re.sub(r"\s+", " ", str(value)))
        lines.append(f'[{name} "{text}"]')

    contract = record.contract
    unknown = "" if record.passed_out else "?"
    known: dict[str, object] = {
        "Board": record.board,
        "Dealer": record.dealer,
        "Vulnerable": "All" if record.vul == Vul.Both else record.vul,
        "Deal": _deal_text(record),
        "Declarer": contract.declarer if contract else unknown,
        "Contract": f"{_call_text(contract.bid)}{'X' * contract.doubled}" if contract else "Pass",
        "Result": unknown if record.tricks is None else record.tricks,
    }
    if contract is None and not record.passed_out:
        known["Contract"] = "?"
    for name in _MANDATORY:
        value = known.get(name, record.tags.get(name))
        if name != "Deal" or value is not None:  # readers take "?" for a bad deal
            tag(name, "?" if value is None else value)
    if record.auction is not None:
        _add_auction(record, record.auction, lines, tag)
    if record.play and contract is not None:
        first = contract.declarer.lho
        tag("Play", first)
        for leader, trick in tricks_of(record.play, contract):
            row = ["- "] * 4
            for turn, card in enumerate(trick):
                row[(leader + turn - first) % 4] = card
            lines.append(" ".join(row).rstrip())
        if len(record.play) < 52:
            lines.append("*")
    for name, value in record.tags.items():
        if name not in _MANDATORY:
            tag(name, value)
    for name, (columns, *rows) in record.tables.items():
        tag(name, columns)
        lines += rows
    lines += ["{" + comment.replace("}", ")") + "}" for comment in record.comments]
    return "\n".join(lines) + "\n"


def _add_auction(
    record: Record, auction: Auction, lines: list[str], tag: Callable[[str, object], None]
) -> None:
    words, texts = [], []
    for at, call in enumerate(auction.calls):
        word = _call_text(call)
        note = record.note(at)
        if note is not None:
            texts.append(f"{_ALERT if note.alert else ''}{note.text}")
            word += f" ={len(texts)}="
        words.append(word)
    if not auction.over:
        words.append("+")
    tag("Auction", auction.dealer)
    lines += [" ".join(words[i : i + 4]) for i in range(0, len(words), 4)]
    for mark, text in enumerate(texts, 1):
        tag("Note", f"{mark}:{text}")


def _call_text(call: Call) -> str:
    return "Pass" if call == PASS else f"{call}T" if call.strain == "N" else str(call)


def _deal_text(record: Record) -> str | None:
    if record.hands == (None,) * 4:
        return None
    return "N:" + " ".join("-" if hand is None else str(hand) for hand in record.hands)
