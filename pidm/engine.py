"""The engine process: JSON lines in, JSON lines out.

One request a line, one answer a line, in order; a line may hold an array of requests, answered by one array::

    -> {"id": 7, "hand": "AKQ.JT9.876.5432", "dealer": "N", "vul": "None", "auction": ["1C", "P"]}
    <- {"id": 7, "call": "1H", ...}
    <- {"id": 7, "error": {"type": "HandError", "message": "..."}}     a bad request; the engine goes on
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pidm.errors import PidmError
from pidm.play.bidder import Bidder
from pidm.play.decision import Question, question


class RequestError(PidmError, ValueError):
    """A request that is not of the agreed form."""


def serve(bidder: Bidder, lines: Iterable[str]) -> Iterator[str]:
    """The answer to every line that is not blank."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer(bidder, line))


def answer(bidder: Bidder, line: str) -> Any:
    """The answer to one line, as plain data."""
    try:
        message = json.loads(line, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        return _error(None, RequestError(f"not JSON: {error.msg} at column {error.colno}"))
    except (ValueError, RecursionError) as error:  # numbers and brackets without end
        return _error(None, RequestError(f"not JSON that can be read: {error}"))
    if isinstance(message, list):
        return _answers(bidder, message)
    return _answers(bidder, [message])[0]


def _no_number(text: str) -> None:
    raise RequestError(f"{text} is no number")


def _answers(bidder: Bidder, requests: list[Any]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = [{}] * len(requests)
    asked: list[tuple[int, Question]] = []
    for number, request in enumerate(requests):
        try:
            asked.append((number, _question(request)))
        except PidmError as error:
            results[number] = _error(request, error)
    for (number, _), decision in zip(asked, bidder.bid_many([q for _, q in asked])):
        results[number] = {"id": requests[number].get("id"), **decision.to_dict()}
    return results


def _question(request: Any) -> Question:
    if not isinstance(request, dict):
        raise RequestError(f"a request is an object, not {request!r}")
    if not isinstance(request.get("hand"), str):
        raise RequestError('a request has a "hand" such as "AKQ.JT9.876.5432"')
    auction = request.get("auction", [])
    if isinstance(auction, list) and not all(isinstance(call, str) for call in auction):
        raise RequestError('the "auction" is a list of calls such as ["1C", "P"]')
    if not isinstance(auction, list | str):
        raise RequestError('the "auction" is a list of calls such as ["1C", "P"]')
    texts = {key: request.get(key, default) for key, default in (("dealer", "N"), ("vul", "None"))}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise RequestError(f'"{key}" is a text, not {text!r}')
    asked = question(request["hand"], auction, texts["dealer"], texts["vul"])
    if asked[1].over:
        raise RequestError("the auction is over")
    return asked


def _error(request: Any, error: PidmError) -> dict[str, Any]:
    name = request.get("id") if isinstance(request, dict) else None
    return {"id": name, "error": {"type": type(error).__name__, "message": str(error)}}
