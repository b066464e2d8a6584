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
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, SEATS, STRAINS, Call, Contract, Seat, Vul
from pidm.bridge.cards import SUITS, partial_deal
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

_TAG = r'\[\s*\w+\s*"'
_UNCLOSED = rf"[^\S\n]*(?:\{{|\n\s*{_TAG}|{_TAG}[^}}]*\{{)"
"""What no comment goes on with in its next line: another one, a new board, a tag and then another comment."""
_TOKEN = re.compile(
    rf"""
    (?P<blank>^[^\S\n]*\n)
    | ^%.*
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    | \{{(?P<comment>[^}}\n]*(?:\n(?!{_UNCLOSED})[^}}\n]*)*)\}}
    | ;(?P<remark>.*)
    | (?P<bad>[\[{{].*)
    | (?P<row>(?:[^\[{{;"\n]|"(?:[^"\\\n]|\\.)*"?)+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_FIELDS = ("Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play")
_PLAYERS = ("West", "North", "East", "South")
_HEADING = ("Event", "Site", "Date", "Board", *_PLAYERS, "Dealer", "Vulnerable", "Deal", "Scoring")
_MANDATORY = (*_HEADING, "Declarer", "Contract", "Result")
_SPELLING = {name.lower(): name for name in (*_MANDATORY, "Auction", "Play", "Note")}
_OPENING = {"Event", "Site", "Date", "Board"}
_BODY = {"Deal", "Contract", "Auction", "Play"}
_BOARD = {"Board", *_BODY}
_UNKNOWN = ("", "?")
_ALL_PASS = "AP"
_CALL = re.compile("[1-7](NT?|[SHDC])|Pass|P|XX?", re.IGNORECASE)
_ROW = re.compile(r"\s*(([1-7](NT?|[SHDC])|Pass|XX?|AP|[SHDC][2-9TJQKA])(?!\w)|[*+]\s*$)", re.IGNORECASE)
"""The beginning of a row of calls or cards."""
_ALERT = "!"
"""PBN has no sign for an alert: a note that begins with this is one."""


@dataclass
class _Section:
    """A tag with the rows that follow it."""

    tag: str
    value: str
    line: int
    rows: list[str] = field(default_factory=list)

    def takes(self, row: str, after_blank: bool) -> bool:
        """Whether a row belongs to this section; after a blank line, only what looks like more of it."""
        if self.tag in ("Auction", "Play"):
            return not after_blank or _ROW.match(row) is not None
        return self.tag.endswith("Table") and self.tag != "Table" and not after_blank


@dataclass
class _Board:
    """The text of one board, in sections."""

    line: int
    sections: dict[str, _Section] = field(default_factory=dict)
    notes: dict[tuple[str, str], str] = field(default_factory=dict)
    """The text of a note by the section that it follows and its number: auction and play count their own."""
    comments: list[str] = field(default_factory=list)
    broken: RecordError | None = None

    def breaks(self, what: str, line: int) -> None:
        """Note what is wrong with the text; only the first mistake tells anything."""
        self.broken = self.broken or RecordError(what, line=line)

    @property
    def first(self) -> str:
        """The name of the first tag."""
        return next(iter(self.sections), "")

    def ends_before(self, name: str, opener: str) -> bool:
        """Whether the next board begins with this tag, without a blank line; `opener` begins the file."""
        if name in self.sections:
            return name in ("Event", "Board", "Deal", opener) and not self.sections.keys().isdisjoint(_BOARD)
        # what is left of a damaged board ends where the next one opens
        rest = self.broken is not None or not self.sections.keys().isdisjoint(_BODY)
        return name == opener and rest and self.first not in _OPENING

    def goes_on_in(self, group: _Board) -> bool:
        """Whether the lines after a blank line are of this board, too."""
        if self.broken or group.broken or self.sections.keys() & group.sections.keys():
            return False
        return group.first not in _OPENING or self.sections.keys().isdisjoint(_BODY)

    def note(self, mark: str) -> str:
        """What a note of the auction says; some programs write them below the play."""
        play = self.sections["Play"].rows if "Play" in self.sections else []
        places = ("Auction", "") if f"={mark}=" in "".join(play) else ("Auction", "", "Play")
        return next((self.notes[place, mark] for place in places if (place, mark) in self.notes), _ALERT)

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
    lasting: dict[str, str] = {}
    for board in _boards(text):
        heading = all(section.value.startswith("##") for section in board.sections.values())
        _inherit(board, before, lasting)
        try:
            if not heading or board.broken:
                records.boards.append(_record(board))
        except RecordError as error:
            name = board.sections["Board"].value if "Board" in board.sections else ""
            message = f"board {name}: {error.message}" if name else error.message
            records.errors.append(RecordError(message, path, error.line or board.line))
    return records


def _inherit(board: _Board, before: dict[str, str], lasting: dict[str, str]) -> None:
    """Fill in the values of boards before: `#` stands for the last one, `##` makes one last."""
    for section in board.sections.values():
        if section.value == "#":
            section.value = before.get(section.tag, "")
        if section.value.startswith("##") or section.tag in lasting:
            section.value = lasting[section.tag] = section.value.removeprefix("##")
        before[section.tag] = section.value
    for tag in lasting.keys() - board.sections.keys():
        board.sections[tag] = _Section(tag, lasting[tag], board.line)


def _boards(text: str) -> Iterator[_Board]:
    """The boards of a text, also those that blank lines divide."""
    board: _Board | None = None
    for group in _groups(text):
        if board is None:
            board = group
        elif board.goes_on_in(group):
            board.sections.update(group.sections)
            board.notes.update(group.notes)
            board.comments += group.comments
        else:
            yield board
            board = group
    if board is not None:
        yield board


def _groups(text: str) -> Iterator[_Board]:
    """What stands between blank lines; where these are missing, what belongs to one board."""
    group: _Board | None = None
    section: _Section | None = None
    opener, line, at, row_line = "", 1, 0, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        kind, found = token.lastgroup, token[0].strip()
        name = token["name"] or ""
        name = _SPELLING.get(name.lower(), name)
        opener = opener or name
        if group is not None and (kind == "blank" or (name and group.ends_before(name, opener))):
            yield group
            group = None
        if kind in (None, "blank") or not found:
            continue
        whole = group is None or group.broken is None
        blank = group is None or not group.sections
        if kind == "row" and section is not None and whole and section.takes(found, after_blank=blank):
            if section.rows and row_line == line:  # a comment stands in the middle
                section.rows[-1] += f" {found}"
            else:
                section.rows.append(token["row"].rstrip())
            row_line = line
            continue
        group = group or _Board(line)
        if kind == "value":
            value = re.sub(r'\\(["\\])', r"\1", token["value"])
            if name == "Note":
                mark, _, note = value.partition(":")
                place = section.tag if section is not None and section.tag in ("Auction", "Play") else ""
                group.notes[place, mark.strip()] = note
            else:
                new = _Section(name, value, line)
                section = group.sections.setdefault(name, new)
                if section is not new and name in _FIELDS and (section.rows or section.value != value):
                    group.breaks(f"a second tag {name}", line)
        elif kind in ("comment", "remark"):
            comment = re.sub(r"\s*\n\s*", " ", token[kind]).strip()
            group.comments += [comment] if comment else []
        elif found.startswith("{"):
            group.breaks(f"a comment without its end: {found[:60]}", line)
        else:
            group.breaks(f'expected a tag such as [Board "1"], found {found[:60]}', line)
    if group is not None:
        yield group


def _record(board: _Board) -> Record:
    if board.broken is not None:
        raise board.broken
    if not board.sections.keys() & _BOARD:
        raise RecordError(f"no board: neither Board, Deal nor Auction, only {', '.join(board.sections)}")
    calls = board.part("Auction", lambda section: _words(section.rows, board.note)) or _Calls([], [], 0)
    theirs = _theirs(board, calls)
    dealer, vul = start_of(theirs)
    hands = board.part("Deal", lambda section: hands_of(theirs.deal, section.value))
    auction = board.part("Auction", lambda section: _auction(section, theirs, calls))
    declarer = board.part("Declarer", _spelled)
    stated = board.part("Contract", lambda section: _outcome(section, theirs, declarer, auction))
    contract, passed_out = stated or outcome(auction, None, False)
    play = board.part("Play", lambda section: _play(section, contract)) or ()
    tricks = board.part("Result", lambda section: _result(section.value, contract))
    if tricks is None and contract is not None:
        tricks = tricks_taken(play, contract)
    used = {"Declarer": contract, "Contract": contract, "Result": tricks}
    others = [
        section
        for tag, section in board.sections.items()
        if tag not in _FIELDS or (tag in used and used[tag] is None and not passed_out)
    ]
    return Record(
        theirs.board_num,
        hands or (None, None, None, None),
        dealer,
        vul,
        auction,
        tuple(calls.notes),
        contract,
        passed_out,
        tricks,
        play,
        {other.tag: other.value for other in others if not other.rows and other.value not in _UNKNOWN},
        {other.tag: (other.value, *other.rows) for other in others if other.rows},
        tuple(board.comments),
    )


def _theirs(board: _Board, calls: _Calls) -> Board:
    """The board as endplay reads it; what nobody can read is an error with its line."""
    values = {tag: board.part(tag, _spelled) for tag in _SPELLINGS}
    first = board.part("Auction", calls.first)
    # endplay knows the dealer by the auction; by the tag Dealer only if there are a deal and a contract, too
    dealer = values["Dealer"] or ("" if first is None else str(first))
    return _by_endplay({**values, "Auction": dealer}, [calls.words])


def _by_endplay(values: Mapping[str, str | None], rows: Iterable[Sequence[str]]) -> Board:
    """The board as endplay reads it from these tags, the last one with these rows."""
    from endplay.parsers import pbn

    tags = [f'[{tag} "{value}"]' for tag, value in values.items() if value is not None]
    try:
        (board,) = pbn.loads("\n".join([*tags, *map(" ".join, rows)]))
    except Exception as error:  # whatever it stumbles over costs no other board
        raise RecordError(f"endplay cannot read the board: {error}") from error
    return board


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


class _Calls(NamedTuple):
    """The words of an auction."""

    words: list[str]
    """The calls as endplay wants them."""
    notes: list[Note]
    """What was said about them."""
    dashes: int
    """How many players stand before the dealer in the first row."""

    def first(self, section: _Section) -> Seat | None:
        """Who makes the first call, if the section says it."""
        seat = _spelled(section)
        return None if seat is None else SEATS[(Seat.from_str(seat) + self.dashes) % 4]


def _words(rows: Sequence[str], note: Callable[[str], str]) -> _Calls:
    calls: list[str] = []
    said: dict[int, Note] = {}
    dashes, ended = 0, False

    def say(text: str, alert: bool) -> None:
        at = len(calls) - 1
        before = said.get(at, Note(at))
        if at >= 0:
            said[at] = Note(at, "; ".join(filter(None, (before.text, text))), before.alert or alert)

    for word in re.findall(r"=\s*\d+\s*=|\$\d+|\^[ISRL]|[^\s=$^]+", " ".join(rows)):
        if word.startswith("="):
            text = note(word.strip("= "))
            say(text.removeprefix(_ALERT).strip(), alert=text.startswith(_ALERT))
        elif word == _ALERT:
            say("", alert=True)
        elif word.startswith("$") or re.fullmatch("[!?]+", word) or word == "^I":
            continue  # how good the call was, somebody's opinion; or that it was irregular
        elif word in ("*", "+"):  # the rest is not known; the auction goes on
            ended = True
        elif ended:
            raise CallError(f"{word} after the end of the auction")
        elif word == "-" and not calls:
            dashes += 1
        elif word == "^S":  # stands for the call of a player whose turn was skipped
            calls.append(str(PASS))
            say("skipped", alert=False)
        elif word.upper() == _ALL_PASS:
            calls.append(_ALL_PASS)
            ended = True
        else:
            call = word.rstrip("!?*")
            # endplay takes every word with a P for a pass
            calls.append(call if _CALL.fullmatch(call) else str(Call.from_str(call)))
            if word[len(call) :] in ("!", "*"):
                say("", alert=True)
    return _Calls(calls, list(said.values()), dashes)


def _auction(section: _Section, theirs: Board, calls: _Calls) -> Auction | None:
    dealer, vul = start_of(theirs)
    if dealer is None:
        raise CallError("no dealer: neither a Dealer tag, nor a seat here, nor the number of the board")
    first = calls.first(section)
    if first not in (None, dealer):
        raise CallError(f"starts with {first}, but the dealer is {dealer}")
    if not calls.words:
        return None
    auction = Auction(dealer, Vul.None_ if vul is None else vul)
    all_pass = calls.words[-1] == _ALL_PASS
    # endplay makes three passes of it, also of four or two
    for bid in theirs.auction[: len(calls.words) - all_pass]:
        auction = auction.after(call_of(bid))
    while all_pass and not auction.over:
        auction = auction.after(PASS)
    return auction


def _outcome(
    section: _Section, theirs: Board, declarer: str | None, auction: Auction | None
) -> tuple[Contract | None, bool]:
    stated = theirs.contract
    if stated.is_passout():
        return outcome(auction, None, True)
    bid = Call.bid(stated.level, STRAINS[stated.denom])
    by = Seat(stated.declarer)
    if declarer is None:  # endplay has north play it
        found = None if auction is None else auction.contract
        if auction is None or (not auction.over and (found is None or found.bid != bid)):
            return None, False
        if found is None:
            raise CallError(f"contract {section.value.strip()}, but all passed")
        by = found.declarer
    return outcome(auction, Contract(bid.level, bid.strain, int(stated.penalty) >> 1, by), False)


def _result(text: str, contract: Contract | None) -> int | None:
    """The tricks of declarer; endplay takes an unknown result for no trick, and knows no `NS 9` or `^9`."""
    match = re.fullmatch(r"\^?\s*(?:(NS|EW)\s*)?(\d+)(?:\s*(?:NS|EW)\s*\d+)?", text.strip().upper())
    if match is None or int(match[2]) > 13:
        raise CallError(f"{text!r} is no number of tricks")
    if contract is None:
        return None
    tricks = int(match[2])
    return 13 - tricks if match[1] not in (None, contract.declarer.side) else tricks


def _play(section: _Section, contract: Contract | None) -> tuple[str, ...]:
    """The cards in the order of play. Four words are a trick, each in the column of its seat."""
    words: list[str] = []
    for row in section.rows:
        cards = re.sub(r"=\s*\d+\s*=|\$\d+|\^R|[!?]+", " ", row).split()
        if len(words) % 4 and len(words) % 4 + len(cards) > 4:  # notes may divide a trick
            raise CallError(f"not four cards in the trick before {row.strip()}")
        words += cards
    end = words.index("*") if "*" in words else len(words)
    cards = ["-" if word in ("-", "+") else card_from_str(word) for word in words[:end]]
    if not set(words[end:]) <= {"*", "-"}:
        raise CallError(f"cards after the end of the play: {' '.join(words[end:])}")
    if set(cards) <= {"-"}:
        return ()
    for at, card in enumerate(cards):
        if card != "-" and card in cards[:at]:
            raise HandError(f"{card} is played twice")
    if contract is None:
        raise CallError("play without a contract or its declarer")
    leader = contract.declarer.lho
    first = leader if section.value.strip() in _UNKNOWN else Seat.from_str(_seat(section.value))
    cards += ["-"] * (-len(cards) % 4)  # endplay wants whole rows, and the leader in the first column
    rows = [cards[i : i + 4] for i in range(0, len(cards), 4)]
    turn = (leader - first) % 4
    theirs = _by_endplay(
        {"Contract": f"{contract.level}{contract.strain}", "Play": str(leader)},
        [row[turn:] + row[:turn] for row in rows],
    )
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
    known: dict[str, object] = {
        "Board": record.board,
        "Dealer": record.dealer,
        "Vulnerable": "All" if record.vul == Vul.Both else record.vul,
        "Deal": _deal_text(record),
        "Result": record.tricks,
    }
    if contract is not None:
        known["Declarer"] = contract.declarer
        known["Contract"] = f"{_call_text(contract.bid)}{'X' * contract.doubled}"
    elif record.passed_out:
        known |= {"Declarer": "", "Contract": "Pass", "Result": ""}
    for name in _MANDATORY:
        value = known.get(name)
        value = record.tags.get(name) if value is None else value
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
    remarks = list(record.comments)
    if record.play and contract is None:
        remarks.append(f"Play: {' '.join(record.play)}")
    lines += ["{" + re.sub(r"\s+", " ", remark).replace("}", ")") + "}" for remark in remarks]
    return "\n".join(lines) + "\n"


def _add_auction(
    record: Record, auction: Auction, lines: list[str], tag: Callable[[str, object], None]
) -> None:
    words, texts = [], []
    for at, call in enumerate(auction.calls):
        word = _call_text(call)
        note = record.note(at)
        if note is not None:
            sign = _ALERT if note.alert else " " if note.text.startswith(_ALERT) else ""
            texts.append(sign + note.text)
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
