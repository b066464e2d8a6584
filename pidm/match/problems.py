"""Files of bidding problems, in YAML.

    title: From our club
    problems:
      - title: A fit and no wasted points
        west: AKQ52.K4.A932.J4
        east: J984.A3.KQJ54.A2
        dealer: W
        vul: Both
        opponents: 2H P
        awards: {7S: 10, 6S: 7, 6D by W: 5, other: 0}
        reference: 6

The hands are those of two partners. The opponents make the calls that are given, then they pass.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pidm.bridge.calls import SEATS, Call, Contract, Seat, Vul
from pidm.bridge.cards import Hand, check_disjoint
from pidm.errors import CallError, PidmError, RecordError, SystemFileError
from pidm.language.source import Mapping, Mark, Sequence, Text, mark_of, parse, suggest
from pidm.match.challenge import Problem

_HANDS = {"north": Seat.N, "east": Seat.E, "south": Seat.S, "west": Seat.W}
_KEYS = (*_HANDS, "title", "dealer", "vul", "opponents", "awards", "reference")


def read_problems(path: str | Path) -> list[Problem]:
    """The problems of a file; mistakes are told with their place."""
    path = Path(path)
    errors: list[SystemFileError] = []
    tree = parse(path.read_bytes(), str(path), errors)
    if errors:
        first = errors[0]
        raise RecordError(first.message, first.path, first.line, first.column)
    listed = _plain(tree).get("problems") if isinstance(tree, Mapping) else tree
    if not isinstance(listed, Sequence) or not listed:
        raise _at(mark_of(tree)._replace(path=str(path)), "expected a list of `problems`")
    return [_problem(number, entry) for number, entry in enumerate(listed, 1)]


def _at(mark: Mark, message: str) -> RecordError:
    return RecordError(message, mark.path, mark.line, mark.column)


def _problem(number: int, entry: Any) -> Problem:
    if not isinstance(entry, Mapping):
        raise _at(mark_of(entry), "a problem has hands and awards, such as `west: AQ32.K4.AQ932.J4`")
    for key in entry:
        if key not in _KEYS:
            raise _at(key.mark, f"unknown key `{key}`; {suggest(key, _KEYS)}")
    said = _plain(entry)
    hands: list[Hand | None] = [None] * 4
    for name, seat in _HANDS.items():
        if name in said:
            hands[seat] = _read(said[name], Hand.from_str)
    partners = [seat for seat in SEATS if hands[seat] is not None]
    if len(partners) != 2 or partners[0].partner != partners[1]:
        raise _at(entry.mark, "a problem has the hands of two partners: north and south, or east and west")
    try:
        check_disjoint(hands)
    except PidmError as error:
        raise _at(entry.mark, str(error)) from None
    north, east, south, west = hands
    return Problem(
        number,
        (north, east, south, west),
        _read(said["dealer"], Seat.from_str) if "dealer" in said else partners[0],
        _read(said["vul"], Vul.from_str) if "vul" in said else Vul.None_,
        str(said.get("title", "")),
        _read(said["opponents"], _script) if "opponents" in said else (),
        _awards(said["awards"]) if "awards" in said else {},
        _read(said["reference"], float) if "reference" in said else 0.0,
    )


def _plain(entry: Mapping) -> dict[str, Any]:
    return {str(key): value for key, value in entry.items()}


def _read(text: Any, reader: Any) -> Any:
    """What a text means; its error with the place."""
    if not isinstance(text, Text):
        raise _at(mark_of(text), "expected a text")
    try:
        return reader(str(text))
    except (PidmError, ValueError) as error:
        raise _at(text.mark, str(error)) from None


def _script(text: str) -> tuple[Call, ...]:
    return tuple(Call.from_str(word) for word in re.split(r"[\s,]+", text.strip()) if word)


def _awards(entry: Any) -> dict[str, float]:
    if not isinstance(entry, Mapping) or not entry:
        raise _at(mark_of(entry), "expected awards by contract, such as {6S: 10, 4S by W: 4, other: 0}")
    return {_read(key, _contract): _read(value, float) for key, value in entry.items()}


def _contract(text: str) -> str:
    """The name of a contract as `Problem.awards` has it."""
    word = text.strip().lower()
    if word in ("pass", "other"):
        return word
    if " by " in word:
        found = Contract.from_str(text)
        return f"{found.bid}{'X' * found.doubled} by {found.declarer}".lower()
    match = re.fullmatch(r"(.*?)(x{0,2})", word)
    assert match is not None
    bid = Call.from_str(match[1])
    if not bid.is_bid:
        raise CallError(f"{text!r} is no contract; expected 6S, 6S by W, Pass or other")
    return f"{bid}{match[2]}".lower()
