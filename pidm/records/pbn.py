"""PBN files (standard 2.1), of which endplay reads board by board.

endplay finds number, dealer, vulnerability, deal, contract, calls and the order of the cards played. It does
not get to see what it would lose or stumble over: comments, notes and alerts, results, tables, several tags
in a line, quotation marks within a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, SEATS, STRAINS, Call, Contract, Seat, Vul
from pidm.bridge.cards import SUITS, partial_deal
from pidm.errors import CallError, HandError, RecordError
from pidm.records.boards import (
    Note,
    Record,
    Records,
    Unread,
    call_of,
    card_from_str,
    hands_of,
    outcome,
    start_of,
    tricks_of,
    tricks_taken,
)
from pidm.records.pbn_text import (
    ALERT,
    BOARD,
    FIELDS,
    MANDATORY,
    UNKNOWN,
    BoardText,
    TagSection,
    boards_of,
    directives,
)

if TYPE_CHECKING:
    from endplay.types import Board

FORM = "pbn"
_ALL_PASS = "AP"
_BEGINS = re.compile(r'\[\s*(Event|Site|Date|Board)\s*"', re.IGNORECASE)
"""The first tag of a board, of those that every board has which we write."""
_CALL = re.compile("[1-7](NT?|[SHDC])|Pass|P|XX?", re.IGNORECASE)


def loads(text: str, path: str | None = None) -> Records:
    """Read the text of a PBN file."""
    records = Records([], [])
    boards = list(boards_of(text))
    _keep_directives(records, text[: boards[0].start] if boards else text)
    for board in boards:
        try:
            records.boards.append(_record(board))
            records.pieces.append(records.boards[-1])
            _keep_directives(records, board.source)
        except RecordError as error:
            records.pieces.append(Unread(board.source.rstrip(), FORM))
            name = board.sections["Board"].value if "Board" in board.sections else ""
            message = f"board {name}: {error.message}" if name else error.message
            records.errors.append(RecordError(message, path, error.line or board.line))
    return records


def _keep_directives(records: Records, text: str) -> None:
    if "%" in text and (lines := directives(text)):
        records.pieces.append(Unread("\n".join(lines), FORM))


def _record(board: BoardText) -> Record:
    if board.broken is not None:
        raise board.broken
    if not board.sections.keys() & BOARD:
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
        if tag not in FIELDS or (tag in used and used[tag] is None and not passed_out)
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
        {other.tag: other.value for other in others if not other.rows and other.value not in UNKNOWN},
        {other.tag: (other.value, *other.rows) for other in others if other.rows},
        (*board.comments, *_notes_of_play(board)),
    )


def _notes_of_play(board: BoardText) -> list[str]:
    """What was said about cards, as remarks: a record has notes on calls only."""
    auction, play = (_marks(board.sections.get(tag)) for tag in ("Auction", "Play"))
    return [
        f"On the play: {text.strip()}"
        for (place, mark), text in board.notes.items()
        if place == "Play" and (mark in play or mark not in auction)
    ]


def _marks(section: TagSection | None) -> set[str]:
    """The numbers of the notes that a section refers to."""
    return set(re.findall(r"=\s*(\d+)\s*=", "".join(section.rows))) if section is not None else set()


def _theirs(board: BoardText, calls: _Calls) -> Board:
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


def _spelled(section: TagSection) -> str | None:
    """The value as endplay wants it."""
    text = section.value.strip()
    return None if text in UNKNOWN else _SPELLINGS[section.tag](text)


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

    def first(self, section: TagSection) -> Seat | None:
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
            say(text.removeprefix(ALERT).strip(), alert=text.startswith(ALERT))
        elif word == ALERT:
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


def _auction(section: TagSection, theirs: Board, calls: _Calls) -> Auction | None:
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
    section: TagSection, theirs: Board, declarer: str | None, auction: Auction | None
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
    match = re.fullmatch(r"\^?\s*(?:(NS|EW)\s*)?(\d{1,2})(?:\s*(?:NS|EW)\s*\d{1,2})?", text.strip().upper())
    if match is None or int(match[2]) > 13:
        raise CallError(f"{text!r} is no number of tricks")
    if contract is None:
        return None
    tricks = int(match[2])
    return 13 - tricks if match[1] not in (None, contract.declarer.side) else tricks


def _play(section: TagSection, contract: Contract | None) -> tuple[str, ...]:
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
    first = leader if section.value.strip() in UNKNOWN else Seat.from_str(_seat(section.value))
    cards += ["-"] * (-len(cards) % 4)  # endplay wants whole rows, and the leader in the first column
    rows = [cards[i : i + 4] for i in range(0, len(cards), 4)]
    turn = (leader - first) % 4
    theirs = _by_endplay(
        {"Contract": f"{contract.level}{contract.strain}", "Play": str(leader)},
        [row[turn:] + row[:turn] for row in rows],
    )
    known = takewhile(lambda card: card.suit < len(SUITS), theirs.play)  # it has a card of no suit for a dash
    return tuple(SUITS[card.suit] + card.rank.abbr for card in known)


def dumps(boards: Sequence[Record | Unread]) -> str:
    """The text of a PBN file."""
    texts = [_copied(one.text) if isinstance(one, Unread) else _board_text(one) for one in boards]
    return "\n".join(["% PBN 2.1", "% EXPORT", *texts])


def _copied(text: str) -> str:
    """What could not be read, as it stood. Debris that begins no board would be taken for more of the board
    before it, so its lines become such that readers skip."""
    if not _BEGINS.match(text):
        text = re.sub("^(?!%)", "%", text, flags=re.MULTILINE)
    return text + "\n"


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
    for name in MANDATORY:
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
        if name not in MANDATORY:
            tag(name, value)
    for name, (columns, *rows) in record.tables.items():
        # The standard doubles backslashes, but not those before the width of a column.
        text = re.sub(r'\\(?=["\\]|$)|"', r"\\\g<0>", re.sub(r"\s+", " ", columns))
        lines += [f'[{name} "{text}"]', *rows]
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
            sign = ALERT if note.alert else " " if note.text.startswith(ALERT) else ""
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
