"""LIN files, as Bridge Base writes them: endplay reads the boards one by one.

endplay finds players, number, dealer, vulnerability, deal, calls with alerts and explanations, and cards. It
does not get to see what it would lose or stumble over: remarks, which it takes for explanations, claims, the
labels of a match.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Seat, Vul
from pidm.bridge.cards import SUITS, Hand, PartialDeal, complete_hands, suit_text
from pidm.errors import CallError, HandError, PidmError, RecordError
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
    tricks_taken,
)
from pidm.records.lin_items import DAMAGE, KEYS, Item, LinBoard, boards_of
from pidm.symbols import plain

if TYPE_CHECKING:
    from endplay.types import Board

FORM = "lin"
_SEATS = (Seat.S, Seat.W, Seat.N, Seat.E)
"""LIN counts from south: dealer 1 is S, and hands and names go S W N E."""
_NAMES = ("South", "West", "North", "East")
_CALLS = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
_VULS = {Vul.None_: "o", Vul.NS: "n", Vul.EW: "e", Vul.Both: "b"}
_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_CALL = "(?:[1-7](?:NT|[SHDCN])|XX?|[PDR])!?"
_CARD = "[SHDC](?:10|[2-9TJQKA])"
_READ = KEYS - {"qx", "vg", "rs"}
"""The keys that a record has fields for, or that say nothing."""
_FURTHER = "Lin_"
"""What the others are called as tags: `Lin_qx`."""


def loads(text: str, path: str | None = None) -> Records:
    """Read the text of a LIN file."""
    records = Records([], [])
    players: list[str] = []
    for board in boards_of(text):
        try:
            own = _own_names(board)
            if len(players) <= 4 or len(own) > 4:  # within a match, four names are those of one board
                players = own or ([] if board.all(DAMAGE) else players)
            names = own if 0 < len(own) <= 4 else players[4:] if board.closed else players
            if board.all("md", "mb", DAMAGE):  # no heading of a match
                records.boards.append(_record(board, names))
                records.pieces.append(records.boards[-1])
            elif board.items:
                records.pieces.append(Unread(board.source.strip(), FORM))
        except RecordError as error:
            records.pieces.append(Unread(board.source.strip(), FORM))
            records.errors.append(RecordError(error.message, path, error.line or board.items[0].line))
    if text.strip() and not records.boards and not records.errors:
        records.errors.append(RecordError("no board: neither md| nor mb| in the text", path, 1))
    return records


def _own_names(board: LinBoard) -> list[str]:
    """The players that a board names itself."""
    names: list[str] = []
    for item in board.all("pn"):
        with board.blamed(item):
            names = item.value.rstrip(",").split(",")
            if len(names) > 4 and len(names) != 8 and item.value.count(",") != 7:
                raise CallError(f"{len(names)} names; expected four or eight")
    return names


def _record(board: LinBoard, names: Sequence[str]) -> Record:
    from endplay.utils.escape import unescape_suits

    for item in board.all(DAMAGE):
        with board.blamed(item):
            raise CallError(f"expected an item such as mb|1S|, found {item.value[:40]}")
    theirs, hands, dealer, vul = _heading(board, names)
    items = _game(board)
    game = _by_endplay(text for _, text in items)
    auction = _auction(board, items, game, dealer, vul)
    contract, passed_out = outcome(auction, None, False)
    play = tuple(SUITS[card.suit] + card.rank.abbr for card in game.play)
    tricks = _claimed(board)
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
        {
            **{seat: name.strip() for seat, name in theirs.info.items() if name.strip()},
            **_further(board, contract is not None),
        },
        comments=tuple(unescape_suits(item.value) for item in board.all("nt") if item.value),
    )


def _claimed(board: LinBoard) -> int | None:
    """The tricks that declarer claimed, if anybody did."""
    tricks = None
    for item in board.all("mc"):
        with board.blamed(item):
            if not re.fullmatch(r"\d|1[0-3]", item.value):
                raise CallError(f"{item.value!r} is no number of tricks")
            tricks = int(item.value)
    return tricks


def _further(board: LinBoard, played: bool) -> dict[str, str]:
    """The items that a record has no field for, as tags: the label of a match, the result of no contract."""
    found: dict[str, str] = {}
    count: Counter[str] = Counter()
    for item in board.items:
        if item.value and item.key.isalnum() and (item.key not in _READ or (item.key == "mc" and not played)):
            count[item.key] += 1
            more = "" if count[item.key] == 1 else f"_{count[item.key]}"
            found[f"{_FURTHER}{item.key}{more}"] = item.value
    return found


def _by_endplay(items: Iterable[str]) -> Board:
    """The board as endplay reads it from these items."""
    from endplay.parsers.lin import LINDecoder

    try:
        return LINDecoder().parse_line("".join(items))
    except Exception as error:  # whatever it stumbles over costs no other board
        raise RecordError(f"endplay cannot read the board: {error}") from error


def _heading(board: LinBoard, names: Sequence[str]) -> tuple[Board, PartialDeal, Seat | None, Vul | None]:
    """What stands above the auction: endplay's board, the hands, dealer and vulnerability."""
    items = [f"pn|{','.join([*names, '', '', '', ''][:4])}|"]
    if board.number:
        items.append(f"ah|Board {board.number}|")
    for item in board.all("sv"):
        if item.value:
            with board.blamed(item):
                items.append(f"sv|{_VULS[Vul.from_str(item.value)]}|")  # endplay knows no 0
    deal = next(iter(board.all("md")), None)
    if deal is None:
        theirs = _by_endplay(items)
        return theirs, (None, None, None, None), *start_of(theirs)
    with board.blamed(deal):
        written = [bool(hand.strip()) for hand in deal.value.split(",")]
        if any(written[4:]) or (written[4:] and not all(written[:4])):  # one comma too many shifts the hands
            raise HandError("more than four hands")
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


def _game(board: LinBoard) -> list[tuple[Item, str]]:
    """Calls, explanations and cards as endplay wants them; without a dealer it guesses at no contract."""
    game: list[tuple[Item, str]] = []
    for item in board.all("mb", "an", "pc"):
        with board.blamed(item):
            if item.key == "mb":
                for call in _split(_CALL, item.value.upper()):
                    # endplay takes every word with a P for a pass
                    bare = _call_text(Call.from_str(call.rstrip("!")))
                    game.append((item, f"mb|{bare}{'!' * call.endswith('!')}|"))
            elif item.key == "pc":
                for card in map(card_from_str, _split(_CARD, plain(item.value))):
                    if any(text == f"pc|{card}|" for _, text in game):
                        raise HandError(f"{card} is played twice")
                    game.append((item, f"pc|{card}|"))
            elif not any(text.startswith("mb|") for _, text in game):
                raise CallError("an explanation before the first call")
            elif game[-1][1].startswith("an|"):  # endplay keeps the last one of a call
                game[-1] = item, f"{game[-1][1][:-1]} {item.value}|"
            else:
                game.append((item, f"an|{item.value}|"))
    return game


def _split(pattern: str, text: str) -> list[str]:
    """The words of an item: one as a rule, but some programs write several, as in 1Sp4Sppp."""
    found = re.findall(pattern, text)
    return found if found and sum(map(len, found)) == len(text) else [text]


def _auction(
    board: LinBoard, items: Iterable[tuple[Item, str]], game: Board, dealer: Seat | None, vul: Vul | None
) -> Auction | None:
    auction: Auction | None = None
    for item, bid in zip([item for item, text in items if text.startswith("mb|")], game.auction):
        with board.blamed(item):
            if auction is None:
                if dealer is None:
                    raise CallError("no dealer: neither in md nor by the number of the board")
                auction = Auction(dealer, Vul.None_ if vul is None else vul)
            auction = auction.after(call_of(bid))
    return auction


def dumps(boards: Sequence[Record | Unread]) -> str:
    """The text of a LIN file, a line for each board."""
    return "".join(f"{one.text if isinstance(one, Unread) else _board_text(one)}\n" for one in boards)


def _board_text(record: Record) -> str:
    dealer = "" if record.dealer is None else str(_SEATS.index(record.dealer) + 1)
    hands = ",".join(_hand_text(record.hands[seat]) for seat in _SEATS)
    names = (_plain(record.tags.get(name, "").replace(",", " ")) for name in _NAMES)
    further = [
        (name.removeprefix(_FURTHER)[:2], _plain(value))
        for name, value in record.tags.items()
        if re.fullmatch(rf"{_FURTHER}\w\w(_\d+)?", name)
    ]
    items = [item for item in further if item[0] == "qx"]  # with its label a board of a match begins
    items += [("pn", ",".join(names)), ("st", ""), ("md", dealer + hands), ("rh", "")]
    if record.board is not None:
        items.append(("ah", f"Board {record.board}"))
    if record.vul is not None:
        items.append(("sv", _VULS[record.vul]))
    auction = record.auction
    if auction is None and record.passed_out and record.dealer is not None:
        auction = Auction(record.dealer, calls=(PASS,) * 4)
    for at, call in enumerate(() if auction is None else auction.calls):
        note = record.note(at) or Note(at)
        items.append(("mb", f"{_call_text(call)}{'!' if note.alert else ''}"))
        if note.text:
            items.append(("an", _without_symbols(note.text)))
    items += [("nt", _without_symbols(comment)) for comment in record.comments]
    ended = auction is not None and auction.over
    if not ended and (record.contract is not None or record.passed_out):
        result = "" if record.tricks is None else f", {record.tricks} tricks"
        items.append(("nt", f"Contract: {record.contract or 'Pass'}{result}"))
    items.append(("pg", ""))
    for start in range(0, len(record.play), 4):
        items += [("pc", card) for card in record.play[start : start + 4]]
        items.append(("pg", ""))
    if record.tricks is not None and ended and len(record.play) < 52:
        items.append(("mc", str(record.tricks)))
    items += [item for item in further if item[0] != "qx"]
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
