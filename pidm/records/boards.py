"""Records of boards: PBN and LIN files, read and written with their auctions.

`pbn` and `lin` beside this module know the two formats. They cut a file into boards and hand the text of
each to endplay's parser, in the spelling that it reads right. What it would lose or mix up they keep
themselves: alerts and notes, comments, passed-out boards, missing and unknown fields, claims; a bad board
becomes an error with its line. endplay is imported when the first board is read: that takes most of a second.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pidm.bridge.auction import Auction
from pidm.bridge.calls import CALLS, SEATS, STRAINS, Call, Contract, Seat, Vul
from pidm.bridge.cards import RANKS, SUITS, Deal, Hand, PartialDeal, check_disjoint, complete_hands
from pidm.errors import CallError, HandError, RecordError
from pidm.files import write_atomic
from pidm.symbols import plain

if TYPE_CHECKING:
    from endplay.types import Bid, Board
    from endplay.types import Deal as TheirDeal

FORMATS = ("pbn", "lin")
MAX_BYTES = 500_000_000
"""Of a file: some hundred thousand boards."""


@dataclass(frozen=True)
class Note:
    """What was said about one call."""

    at: int
    """Which call of the auction, counted from 0."""
    text: str = ""
    """The explanation; empty if there is only an alert."""
    alert: bool = False
    """Whether the call was alerted."""


@dataclass(frozen=True)
class Record:
    """One board as it was recorded. What the file does not tell is None or empty."""

    board: int | None = None
    """Its number."""
    hands: PartialDeal = (None, None, None, None)
    """The hands N E S W as far as they are known."""
    dealer: Seat | None = None
    """Who called first; by the board's number where the file does not say."""
    vul: Vul | None = None
    """Who was vulnerable; by the board's number where the file does not say."""
    auction: Auction | None = None
    """The auction, complete or not."""
    notes: tuple[Note, ...] = ()
    """Alerts and explanations, in the order of the calls."""
    contract: Contract | None = None
    """The contract; None also for a passed-out board."""
    passed_out: bool = False
    """Whether all four passed."""
    tricks: int | None = None
    """How many tricks declarer took."""
    play: tuple[str, ...] = ()
    """The cards in the order of play, such as `SA`, up to the first that is not known."""
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What else the file tells, by the names of PBN: `Event`, `North`; a contract without declarer, too."""
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """PBN tables that are kept as they are: the lines by the name of the tag."""
    comments: tuple[str, ...] = ()
    """Remarks on the board as a whole."""

    def __post_init__(self) -> None:
        check_disjoint(self.hands)

    @property
    def deal(self) -> Deal | None:
        """The deal, if all four hands are known."""
        north, east, south, west = self.hands
        if north is None or east is None or south is None or west is None:
            return None
        return Deal((north, east, south, west))

    def note(self, at: int) -> Note | None:
        """What was said about call number `at`."""
        return next((note for note in self.notes if note.at == at), None)

    @classmethod
    def of(
        cls, deal: Deal, auction: Auction, *, board: int | None = None, notes: Iterable[Note] = ()
    ) -> Record:
        """The record of an auction that was just bid on this deal."""
        contract = auction.contract if auction.over else None
        passed_out = auction.over and contract is None
        return cls(
            board, deal.hands, auction.dealer, auction.vul, auction, tuple(notes), contract, passed_out
        )


@dataclass(frozen=True)
class Unread:
    """A piece of a file that is no board that could be read: it can be copied as it stands."""

    text: str
    """The lines of the file."""
    form: str
    """The format of the file, `pbn` or `lin`."""


class _Records(NamedTuple):
    boards: list[Record]
    """The boards that could be read."""
    errors: list[RecordError]
    """What is wrong with the others."""


class Records(_Records):
    """What a file holds: `boards, errors = read(path)`."""

    pieces: list[Record | Unread]
    """All of the file in its order: the boards, and between them what could not be read."""

    def __new__(
        cls, boards: list[Record], errors: list[RecordError], pieces: Iterable[Record | Unread] = ()
    ) -> Records:
        """Without pieces, the file is taken to hold nothing else."""
        self = super().__new__(cls, boards, errors)
        self.pieces = list(pieces or boards)
        return self

    def rewritten(self, boards: Iterable[Sequence[Record]]) -> list[Record | Unread]:
        """All of the file, with the records that now stand for its first boards in their place."""
        new = iter(boards)
        pieces = [next(new, [piece]) if isinstance(piece, Record) else [piece] for piece in self.pieces]
        return [one for some in pieces for one in some]


def read(path: str | os.PathLike[str]) -> Records:
    """Read a `.pbn` or `.lin` file; a bad board becomes an error with its line, the others are read."""
    form = format_of(path)
    size = os.stat(path).st_size
    if size > MAX_BYTES:
        raise RecordError(f"the file has {size:,} bytes; at most {MAX_BYTES:,} are read", os.fspath(path))
    data = Path(path).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
    else:
        text = "\n".join(map(_decoded, data.split(b"\n")))
    return loads(text, form, os.fspath(path))


def _decoded(line: bytes) -> str:
    """A line as text; files put together from several mix their character sets."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1").translate(_WINDOWS)


_WINDOWS = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}
"""What Windows writes where Latin 1, the character set of the PBN standard, has control characters."""


def write(path: str | os.PathLike[str], boards: Sequence[Record | Unread]) -> None:
    """Write a `.pbn` or `.lin` file, all of it or nothing; `dumps` says what a format has no place for."""
    write_atomic(path, dumps(boards, format_of(path)))


def loads(text: str, form: str, path: str | None = None) -> Records:
    """Read the text of a file; `form` is `pbn` or `lin`, `path` is named in errors."""
    from pidm.records import lin, pbn

    text = re.sub("\r\n?", "\n", text.replace("\ufeff", "").replace("\x1a", " "))  # DOS ends files with ^Z
    return {"pbn": pbn.loads, "lin": lin.loads}[_known(form)](text, path)


def dumps(boards: Sequence[Record | Unread], form: str) -> str:
    """The text of a file; `form` is `pbn` or `lin`.

    What could not be read is copied as it stood into a file of its own format, and left out of another.
    PBN has no place for the play of an unknown contract, LIN none for a contract that no auction ends in:
    they are written as remarks. Of tags and tables LIN keeps the names of the players, without commas.
    """
    from pidm.records import lin, pbn

    form = _known(form)
    kept = [one for one in boards if isinstance(one, Record) or one.form == form]
    return {"pbn": pbn.dumps, "lin": lin.dumps}[form](kept)


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the name of a file tells."""
    return _known(Path(path).suffix.lstrip("."), os.fspath(path))


def _known(form: str, path: str | None = None) -> str:
    if form.lower() not in FORMATS:
        raise RecordError(f"{form!r} is no format of records; expected pbn or lin", path)
    return form.lower()


def hands_of(deal: TheirDeal, text: str) -> PartialDeal:
    """The hands of endplay's deal, as far as they are known; it does not count the cards in the text."""
    if len(re.findall(f"10|[{RANKS}]", text)) % 13:
        raise HandError(f"not thirteen cards in every hand, or a card twice: {text}")
    return complete_hands([Hand.from_str(str(hand)) if len(hand) else None for _, hand in deal])


def call_of(bid: Bid) -> Call:
    """The call that endplay's bid stands for."""
    if hasattr(bid, "penalty"):
        return CALLS[int(bid.penalty) >> 1]  # 1 pass, 2 double, 4 redouble
    return Call.bid(bid.level, STRAINS[bid.denom])


def start_of(board: Board) -> tuple[Seat | None, Vul | None]:
    """Dealer and vulnerability of endplay's board; it takes them from the number where they are not told."""
    dealer, vul = board.dealer, board.vul
    return None if dealer is None else Seat(dealer), None if vul is None else Vul.from_str(vul.name)


def outcome(auction: Auction | None, contract: Contract | None, passed: bool) -> tuple[Contract | None, bool]:
    """The contract and whether the board was passed out, from the auction and what a file says beside it."""
    if auction is None:
        return contract, passed
    if not auction.over:
        return (contract, passed) if contract is not None else (None, False)
    found = auction.contract
    if (contract is not None and contract != found) or (passed and found is not None):
        raise CallError(f"contract {contract or 'Pass'}, but the auction ends in {found or 'Pass'}")
    return found, found is None


def tricks_of(play: Sequence[str], contract: Contract) -> Iterator[tuple[Seat, Sequence[str]]]:
    """The tricks in the order of play, each with the seat that leads to it; the last may be short."""
    leader = contract.declarer.lho
    for start in range(0, len(play), 4):
        trick = play[start : start + 4]
        yield leader, trick
        leader = SEATS[(leader + _winner(trick, contract.strain)) % 4]


def tricks_taken(play: Sequence[str], contract: Contract) -> int | None:
    """How many tricks declarer took, if all thirteen were played."""
    if len(play) != 52:
        return None
    sides = [
        SEATS[(leader + _winner(trick, contract.strain)) % 4].side
        for leader, trick in tricks_of(play, contract)
    ]
    return sides.count(contract.declarer.side)


def card_from_str(text: str) -> str:
    """A card as `SA`, from `SA`, `s10` or `♠A`."""
    card = plain(text).strip().replace("10", "T")
    if len(card) != 2 or card[0] not in SUITS or card[1] not in RANKS:
        raise HandError(f"{text.strip()!r} is no card; expected a suit and a rank as in SA")
    return card


def _winner(trick: Sequence[str], trump: str) -> int:
    """Which card of a trick wins it, counted from the lead."""
    led = trick[0][0]
    strength = [(card[0] == trump, card[0] == led, RANKS.index(card[1])) for card in trick]
    return strength.index(max(strength))
