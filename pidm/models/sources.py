"""Records to learn from: PBN and LIN files, JSON lines, and what `pidm match --out` writes.

JSON lines hold one board each: `hands` by seat or `deal` as in PBN, `dealer`, `vul`, and either `auction`
with `players` by seat if known, or `tables`, each with its `auction` and the names of its pairs, `ns` and
`ew`. A board with two tables and no names is a duplicate match: A sits N-S at the first, E-W at the second.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Deal, Hand, PartialDeal
from pidm.errors import PidmError, RecordError

SIDES = {"NS": (Seat.N, Seat.S), "EW": (Seat.E, Seat.W), "ALL": tuple(Seat)}
"""Whom `who` means besides a name."""
LARGEST = 1 << 30
"""Bytes that are read of one file, unpacked."""


@dataclass(frozen=True)
class BidBoard:
    """One auction, with the hands that were seen and the names of the players."""

    hands: PartialDeal
    """N E S W, as far as they are known."""
    auction: Auction
    """All calls."""
    players: tuple[str, str, str, str] = ("", "", "", "")
    """N E S W; empty where nobody says."""

    def seats_of(self, who: Iterable[str]) -> frozenset[Seat]:
        """The seats that are meant: `NS`, `EW`, `all` or names."""
        found: set[Seat] = set()
        for word in who:
            sides = SIDES.get(word.strip().upper())
            named = (seat for seat in Seat if self.players[seat].casefold() == word.strip().casefold())
            found.update(named if sides is None else sides)
        return frozenset(found)


@dataclass(frozen=True)
class Found:
    """What the files hold."""

    biddings: list[BidBoard]
    """The auctions that could be read."""
    errors: list[RecordError]
    """What is wrong with the others."""


def read_biddings(paths: Sequence[str | os.PathLike[str]]) -> Found:
    """All auctions of the files; a bad board is an error, the others are read."""
    found = Found([], [])
    for path in map(Path, paths):
        name = path.name.removesuffix(".gz").lower()
        if name.endswith((".jsonl", ".json")):
            _read_json(path, found)
        else:
            _read_records(path, found)
    return found


def names_in(biddings: Iterable[BidBoard]) -> list[str]:
    """The names of the players, the most frequent first."""
    counts: dict[str, int] = {}
    for bidding in biddings:
        for name in set(bidding.players) - {""}:
            counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda name: -counts[name])


def _read_records(path: Path, found: Found) -> None:
    from pidm.records.boards import read

    records = read(path)
    found.errors.extend(records.errors)
    for record in records.boards:
        if record.auction is not None and record.auction.calls:
            north, east, south, west = (
                record.tags.get(seat, "") for seat in ("North", "East", "South", "West")
            )
            found.biddings.append(BidBoard(record.hands, record.auction, (north, east, south, west)))


def _read_json(path: Path, found: Found) -> None:
    text = _text(path)
    if text.lstrip().startswith("{") and '"results"' in text:
        try:
            match = json.loads(text)
        except json.JSONDecodeError:
            match = None  # several lines, each an object
        if isinstance(match, dict) and isinstance(match.get("results"), list):
            _add(match["results"], [None] * len(match["results"]), path, found)
            return
    entries: list[Any] = []
    lines: list[int | None] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entries.append(json.loads(line))
            lines.append(number)
        except json.JSONDecodeError as error:
            found.errors.append(RecordError(f"not JSON: {error.msg}", str(path), number, error.colno))
    _add(entries, lines, path, found)


def _text(path: Path) -> str:
    if path.suffix == ".gz":
        with gzip.open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    else:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise RecordError(f"more than {LARGEST >> 20} MB; split the file", str(path))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8 at byte {error.start}", str(path)) from None


def _add(entries: Iterable[Any], lines: Iterable[int | None], path: Path, found: Found) -> None:
    for entry, line in zip(entries, lines):
        try:
            found.biddings.extend(_biddings(entry))
        except PidmError as error:
            found.errors.append(RecordError(str(error), str(path), line))


def _biddings(entry: Any) -> Iterator[BidBoard]:
    """The auctions of one board."""
    if not isinstance(entry, Mapping):
        raise PidmError("expected an object with hands and an auction")
    hands = _hands(entry)
    number = entry.get("board", 1)
    if "dealer" not in entry and not isinstance(entry.get("board"), int):
        raise PidmError('expected a "dealer", or the number of the "board"')
    dealer = Seat.from_str(str(entry["dealer"])) if "dealer" in entry else Seat.of_board(number)
    vul = Vul.from_str(str(entry["vul"])) if "vul" in entry else Vul.of_board(number)
    tables = entry.get("tables")
    if tables is None:
        yield BidBoard(hands, _auction(entry, dealer, vul), _players(entry.get("players")))
        return
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise PidmError('"tables" is a list of objects, each with its "auction"')
    for place, table in enumerate(tables):
        ns, ew = str(table.get("ns", "")), str(table.get("ew", ""))
        if not ns and not ew and len(tables) == 2:
            ns, ew = ("A", "B") if place == 0 else ("B", "A")
        yield BidBoard(hands, _auction(table, dealer, vul), (ns, ew, ns, ew))


def _hands(entry: Mapping[str, Any]) -> PartialDeal:
    if "deal" in entry:
        return Deal.from_str(str(entry["deal"])).hands
    given = entry.get("hands")
    if (
        not isinstance(given, Mapping)
        or not given
        or any(str(seat).upper() not in tuple("NESW") for seat in given)
    ):
        raise PidmError('expected a "deal", or "hands" by seat N E S W')
    texts = {str(seat).upper(): str(hand) for seat, hand in given.items()}
    if len(texts) == 4:
        return Deal.from_str("N:" + " ".join(texts[seat] for seat in "NESW")).hands
    north, east, south, west = (Hand.from_str(texts[seat]) if seat in texts else None for seat in "NESW")
    return north, east, south, west


def _auction(entry: Mapping[str, Any], dealer: Seat, vul: Vul) -> Auction:
    calls = entry.get("auction")
    if isinstance(calls, str):
        return Auction.from_str(calls, dealer, vul)
    if not isinstance(calls, list):
        raise PidmError('expected an "auction": a list of calls, or a text')
    return Auction(dealer, vul, tuple(Call.from_str(str(call)) for call in calls))


def _players(given: Any) -> tuple[str, str, str, str]:
    if given is None:
        return ("", "", "", "")
    if not isinstance(given, Mapping):
        raise PidmError('"players" are names by seat N E S W')
    names = {str(seat).upper(): str(name) for seat, name in given.items()}
    return names.get("N", ""), names.get("E", ""), names.get("S", ""), names.get("W", "")
