"""The engine process: JSON lines in, JSON lines out (docs/engine.md).

One request a line, one answer a line, in order; a line may hold an array of requests, answered by one array::

    -> {"id": 7, "hand": "AKQ.JT9.876.5432", "dealer": "N", "vul": "None", "auction": ["1C", "P"]}
    <- {"id": 7, "call": "1H", ...}
    <- {"id": 7, "error": {"type": "HandError", "message": "..."}}     a bad request; the engine goes on
"""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from pidm import __version__
from pidm.authoring.explain import explain
from pidm.authoring.fit import fit
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.errors import PidmError, RequestError
from pidm.play.bidder import Bidder
from pidm.play.decision import Question, auction_of, question
from pidm.play.in_play import CallsInPlay, in_play_of

PROTOCOL = 1
"""Grows when an answer loses a field or a field changes its meaning; new fields may come at any time."""
LONGEST_QUOTE = 80
"""Characters of a bad request that its error quotes."""

LONGEST_ID = 200
"""Characters of the name of a request, which is sent back with the answer."""

Request = dict[str, Any]
Answer = dict[str, Any]


def serve(bidder: Bidder, lines: Iterable[str]) -> Iterator[str]:
    """The answer to every line that is not blank."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer(bidder, line))


def answer(bidder: Bidder, line: str) -> Any:
    """The answer to one line, as plain data."""
    try:
        message = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        return _error(None, RequestError(f"not JSON: {error.msg} at column {error.colno}"))
    except (ValueError, RecursionError) as error:  # numbers and brackets without end
        return _error(None, RequestError(f"not JSON that can be read: {error}"))
    if isinstance(message, list):
        return _answers(bidder, message)
    return _answers(bidder, [message])[0]


def _no_number(text: str) -> NoReturn:
    raise RequestError(f"{text} is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _answers(bidder: Bidder, requests: list[Any]) -> list[Answer]:
    """The answers in order; hands to bid are asked together, since those in one auction share their net."""
    results: list[Answer] = [{}] * len(requests)
    asked: list[tuple[int, Question]] = []
    for number, request in enumerate(requests):
        try:
            kind = _kind(request)
            if kind == "bid":
                asked.append((number, _question(request)))
            else:
                results[number] = {"id": request.get("id"), **_OTHERS[kind](bidder, request)}
        except PidmError as error:
            results[number] = _error(request, error)
    for (number, _), decision in zip(asked, bidder.bid_many([q for _, q in asked])):
        results[number] = {"id": requests[number].get("id"), **decision.to_dict()}
    return results


_KEYS = {
    "bid": ("hand", "auction", "dealer", "vul"),
    "candidates": ("hand", "auction", "dealer", "vul"),
    "explain": ("auction", "dealer", "vul"),
    "system": (),
}
"""What can be asked, and what such a request may hold besides `id` and `ask`."""


def _kind(request: Any) -> str:
    """What is asked; keys that nobody knows are a mistake, since they would silently change nothing."""
    if not isinstance(request, dict):
        raise RequestError(f"a request is an object, not {_quoted(request)}")
    if _id(request) != request.get("id"):
        raise RequestError(f'an "id" is a number or a text of at most {LONGEST_ID} characters')
    kind = request.get("ask", "bid")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise RequestError(f'"ask" is one of {", ".join(_KEYS)}, not {_quoted(kind)}')
    unknown = [key for key in request if key not in ("id", "ask", *_KEYS[kind])]
    if unknown:
        known = ", ".join(("id", "ask", *_KEYS[kind]))
        raise RequestError(f"unknown key {_quoted(unknown[0])}; a request to {kind} has {known}")
    return kind


def _question(request: Request) -> Question:
    if not isinstance(request.get("hand"), str):
        raise RequestError('a request has a "hand" such as "AKQ.JT9.876.5432"')
    auction = _auction(request)
    if auction.over:
        raise RequestError("the auction is over")
    return question(request["hand"], auction)


def _auction(request: Request) -> Auction:
    calls = request.get("auction", [])
    if not isinstance(calls, list | str) or (
        isinstance(calls, list) and not all(isinstance(call, str) for call in calls)
    ):
        raise RequestError('the "auction" is a list of calls such as ["1C", "P"]')
    texts = {key: request.get(key, default) for key, default in (("dealer", "N"), ("vul", "None"))}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise RequestError(f'"{key}" is a text, not {_quoted(text)}')
    return auction_of(calls, Seat.from_str(texts["dealer"]), Vul.from_str(texts["vul"]))


def _candidates(bidder: Bidder, request: Request) -> Answer:
    """What is open to a hand, before anything is simulated."""
    hand, auction = _question(request)
    situation = bidder.table(auction.actor).situation(auction)
    found = []
    for candidate in bidder.candidates(hand, auction):
        told = fit(situation, candidate.call, hand)
        found.append(
            {
                "call": str(candidate.call),
                "shows": told.shows,
                "fits": told.fits,
                "outside": told.outside,
                "rules": candidate.to_dict()["rules"],
            }
        )
    return {"candidates": found}


def _explain(bidder: Bidder, request: Request) -> Answer:
    """What the calls of an auction show, and what those possible now would show."""
    auction = _auction(request)
    seat = auction.dealer if auction.over else auction.actor
    table = bidder.table(seat)
    mine = bidder.experience
    # Who has promised to keep to what calls show goes nowhere beyond it.
    known = (
        {} if mine is None or mine.disclosed else {bidder.system: CallsInPlay(mine.experience, mine.alike)}
    )
    return {**explain(table, auction, in_play_of(table, known)).to_dict(), **_learned(bidder, auction, seat)}


def _learned(bidder: Bidder, auction: Auction, me: Seat) -> Answer:
    """What the calls show of those who were learned from records."""
    if not bidder.models:
        return {}
    from pidm.models.call_meanings import told

    found = []
    for place, call in enumerate(auction.calls):
        turn = (auction.seat_of(place) - me) & 3
        if turn in bidder.models:
            model = bidder.seating.model(turn, me)
            found += told(model, Auction(auction.dealer, auction.vul, auction.calls[:place]), call)
    return {"learned": [one.to_dict() for one in found]}


def _system(bidder: Bidder, request: Request) -> Answer:
    """Who answers: the system and its card, what a call may cost, the versions."""
    system = bidder.system
    return {
        "system": system.name,
        "about": system.spec.about,
        "conventions": sorted(system.conventions),
        "limit": None if bidder.limit is None else str(bidder.limit),
        "scoring": bidder.scoring,
        "calls": [str(Call(number)) for number in range(38)],
        "protocol": PROTOCOL,
        "version": __version__,
    }


_OTHERS: dict[str, Callable[[Bidder, Request], Answer]] = {
    "candidates": _candidates,
    "explain": _explain,
    "system": _system,
}


def _quoted(value: object) -> str:
    text = reprlib.repr(value)  # of any size and depth
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def _error(request: Any, error: PidmError) -> Answer:
    return {"id": _id(request), "error": {"type": type(error).__name__, "message": str(error)}}


def _id(request: Any) -> int | float | str | None:
    """The name of a request, if it has one that can be sent back."""
    name = request.get("id") if isinstance(request, dict) else None
    if isinstance(name, str):
        return name if len(name) <= LONGEST_ID else None
    return name if isinstance(name, int | float) else None
