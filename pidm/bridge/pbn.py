"""PBN files (standard 2.1): cut into boards, which endplay reads one by one.

endplay finds number, dealer, vulnerability, deal, contract, calls and the order of the cards played. It does
not get to see what it would lose or stumble over: comments, notes and alerts, results, tables, several tags
in a line, quotation marks within a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, STRAINS, Call, Contract, Seat, Vul
from pidm.bridge.cards import SUITS, PartialDeal, partial_deal
from pidm.bridge.records import (
    Note,
    Record,
    Records,
    call_of,
    card_from_str,
    hands_of,
    outcome,
    start_of,
    tricks_of,
    tricks_taken,
)
from pidm.errors import CallError, HandError, PidmError, RecordError

if TYPE_CHECKING:
    from endplay.types import Board

T = TypeVar("T")

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_FIELDS = ("Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play")
_PLAYERS = ("West", "North", "East", "South")
_HEADING = ("Event", "Site", "Date", "Board", *_PLAYERS, "Dealer", "Vulnerable", "Deal", "Scoring")
_MANDATORY = (*_HEADING, "Declarer", "Contract", "Result")
_SPELLING = {name.lower(): name for name in (*_MANDATORY, "Auction", "Play", "Note")}
_UNKNOWN = ("", "?")
_ALL_PASS = "AP"
_CALL = re.compile("[1-7](NT?|[SHDC])|Pass|P|XX?", re.IGNORECASE)
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
    calls, notes = board.part("Auction", lambda section: _words(section.rows, board.notes)) or ([], [])
    theirs = _theirs(board, calls)
    dealer, vul = start_of(theirs)
    hands = board.part("Deal", lambda section: _hands(section.value, theirs))
    auction = board.part("Auction", lambda section: _auction(section, theirs, calls))
    declarer = board.part("Declarer", _spelled)
    stated = board.part("Contract", lambda section: _outcome(section, theirs, declarer, auction))
    contract, passed_out = stated or outcome(auction, None, False)
    play = board.part("Play", lambda section: _play(section, contract)) or ()
    tricks = board.part("Result", lambda section: _result(section.value, contract))
    if tricks is None and contract is not None:
        tricks = tricks_taken(play, contract)
    others = [section for tag, section in board.sections.items() if tag not in _FIELDS]
    return Record(
        theirs.board_num,
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


def _theirs(board: _Board, calls: Sequence[str]) -> Board:
    """The board as endplay reads it; what it refuses is spelled anew, or is an error with its line."""
    try:
        return _by_endplay(_values(board, _told), [calls])
    except RecordError:
        return _by_endplay(_values(board, _spelled), [calls])


def _values(board: _Board, spell: Callable[[_Section], str | None]) -> dict[str, str | None]:
    values = {tag: board.part(tag, spell) for tag in _SPELLINGS}
    # endplay knows the dealer by the auction; by the tag Dealer only if there are a deal and a contract, too
    return {**values, "Auction": values["Dealer"] or values["Auction"] or ""}


def _by_endplay(values: Mapping[str, str | None], rows: Iterable[Sequence[str]]) -> Board:
    """The board as endplay reads it from these tags, the last one with these rows."""
    from endplay.parsers import pbn

    tags = [f'[{tag} "{value}"]' for tag, value in values.items() if value is not None]
    try:
        (board,) = pbn.loads("\n".join([*tags, *map(" ".join, rows)]))
    except Exception as error:  # whatever it stumbles over costs no other board
        raise RecordError(f"endplay cannot read the board: {error}") from error
    return board


def _told(section: _Section) -> str | None:
    """The value as endplay gets it; of a seat it looks at the first letter only, so that Nobody is north."""
    return _spelled(section) if section.tag in _OF_SEATS else section.value.strip().replace('"', "'")


def _spelled(section: _Section) -> str | None:
    """The value as endplay wants it."""
    text = section.value.strip()
    return None if text in _UNKNOWN else _SPELLINGS[section.tag](text)


def _seat(text: str) -> str:
    return str(Seat.from_str(text.lstrip("^")))  # ^ marks an irregular declarer


def _contract(text: str) -> str:
    try:
        return (
            "Pass" if text.lower().startswith("pass") else str(Contract.from_str(f"{text} by N")).split()[0]
        )
    except CallError:
        raise CallError(f"{text!r} is no contract; expected one like 4HX") from None


_SPELLINGS: dict[str, Callable[[str], str | None]] = {
    "Board": lambda text: next(iter(re.findall(r"\d+", text)), None),
    "Vulnerable": lambda text: str(Vul.from_str(text)),
    "Deal": lambda text: "N:" + " ".join(str(hand or "-") for hand in partial_deal(text)),
    "Declarer": _seat,
    "Contract": _contract,
    "Dealer": _seat,
    "Auction": _seat,
}
_OF_SEATS = ("Declarer", "Dealer", "Auction")


def _words(rows: Sequence[str], notes: Mapping[tuple[str, str], str]) -> tuple[list[str], list[Note]]:
    """The calls as endplay wants them, and what was said about them."""
    calls: list[str] = []
    said: dict[int, Note] = {}
    for word in re.findall(r"=\s*\d+\s*=|\$\d+|[^\s=$]+", " ".join(rows)):
        at = len(calls) - 1
        if word.startswith("="):
            text = notes.get(("Auction", word.strip("= ")), _ALERT)
            alert = text.startswith(_ALERT)
            if at >= 0:
                said[at] = Note(at, text.removeprefix(_ALERT).strip(), alert or at in said)
        elif word == _ALERT and at >= 0:
            said[at] = Note(at, "", True)
        elif word.startswith("$") or re.fullmatch("[!?]+", word):
            continue  # how good the call was, somebody's opinion
        elif word in ("*", "+"):  # the rest is not known; the auction goes on
            break
        elif word == "-" and not calls:
            continue  # fills the row up to the dealer
        elif word.upper() == _ALL_PASS:
            calls.append(_ALL_PASS)
            break
        else:
            call = word.rstrip("!?*")
            # endplay takes every word with a P for a pass
            calls.append(call if _CALL.fullmatch(call) else str(Call.from_str(call)))
            if word[len(call) :] in ("!", "*"):
                said[at + 1] = Note(at + 1, "", True)
    return calls, list(said.values())


def _auction(section: _Section, theirs: Board, calls: Sequence[str]) -> Auction | None:
    dealer, vul = start_of(theirs)
    if dealer is None:
        raise CallError("no dealer: neither a Dealer tag, nor a seat here, nor the number of the board")
    if _spelled(section) not in (None, str(dealer)):
        raise CallError(f"starts with {section.value.strip()}, but the dealer is {dealer}")
    if not calls:
        return None
    auction = Auction(dealer, Vul.None_ if vul is None else vul)
    all_pass = calls[-1] == _ALL_PASS
    for bid in theirs.auction[
        : len(calls) - all_pass
    ]:  # endplay makes three passes of it, also of four or two
        auction = auction.after(call_of(bid))
    while all_pass and not auction.over:
        auction = auction.after(PASS)
    return auction


def _hands(text: str, theirs: Board) -> PartialDeal:
    try:
        if ":" not in text:
            raise HandError("no seat")  # endplay has north in mind
        return hands_of(theirs.deal, text)
    except HandError:
        partial_deal(text)  # says more exactly what is wrong
        raise


def _outcome(
    section: _Section, theirs: Board, declarer: str | None, auction: Auction | None
) -> tuple[Contract | None, bool]:
    stated = theirs.contract
    if stated.is_passout():
        return outcome(auction, None, True)
    by = Seat(stated.declarer)
    if declarer is None:  # endplay has north play it
        if auction is None or auction.contract is None:
            raise CallError(f"{section.value.strip()}, but no declarer")
        by = auction.contract.declarer
    contract = Contract(stated.level, STRAINS[stated.denom], int(stated.penalty) >> 1, by)
    return outcome(auction, contract, False)


def _result(text: str, contract: Contract | None) -> int | None:
    """The tricks of declarer; endplay takes an unknown result for no trick, and knows no `NS 9` or `^9`."""
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
    rows = []
    for row in section.rows:
        cards = re.sub(r"=\s*\d+\s*=|\$\d+", " ", row).split()
        if not cards or cards[0] in ("*", "+"):
            break
        spelled = ["-" if card in "-*+" else card_from_str(card) for card in cards[:4]]
        rows.append([*spelled, "-", "-", "-"][:4])  # endplay wants whole rows
    first = str(contract.declarer.lho) if section.value.strip() in _UNKNOWN else _seat(section.value)
    theirs = _by_endplay({"Contract": f"{contract.level}{contract.strain}", "Play": first}, rows)
    known = takewhile(lambda card: card.suit < len(SUITS), theirs.play)  # it has a card of no suit for a dash
    return tuple(SUITS[card.suit] + card.rank.abbr for card in known)


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
