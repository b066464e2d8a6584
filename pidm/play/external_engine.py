"""Programs of others that speak our JSON lines (docs/engine.md tells the protocol)."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pidm.bridge.calls import Call
from pidm.errors import CallError
from pidm.play.calling import Answer
from pidm.play.decision import Question
from pidm.play.engine_process import EngineError, EngineProcess, Silence
from pidm.play.pair import TIMEOUT

T = TypeVar("T")

__all__ = ["EngineCaller", "EngineError"]

SHARE = 0.25
"""Of the time for one question, what an array of questions is planned to take: so it has time for each."""
QUOTED = 80
"""Characters of a stray line that are reported."""
NOTICES = 20
"""Different stray lines that are reported."""
LARGEST = 1e12
"""A larger number is none that an engine could mean."""


class EngineCaller:
    """A program that is asked one question or several at a time; started anew when it does not answer."""

    def __init__(self, command: str, timeout: float = TIMEOUT) -> None:
        """Start the program; `timeout` is in seconds for each question."""
        self.command = command
        self.timeout = timeout
        self.restarts = 0
        """How often it had to be started again."""
        self.notices: Counter[str] = Counter()
        """Lines that answer nothing and were skipped, and how often."""
        self._arrays = True
        self._answered = False
        self._pace = math.inf
        """Seconds that a question took."""
        self._number = 0
        self._process: EngineProcess | None = None
        self._running()

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question, matched by its id. What an array leaves open is asked one by one."""
        requests = [self._request(question) for question in questions]
        found: dict[int, Answer] = {}
        waiting = list(requests)
        while waiting:
            size = int(SHARE * self.timeout / self._pace) if self._arrays else 1
            some, waiting = waiting[: max(size, 1)], waiting[max(size, 1) :]
            if len(some) > 1:
                found.update(self._several(some))
            for request in some:
                if request["id"] not in found:
                    found[request["id"]] = self._single(request)
        return [found[request["id"]] for request in requests]

    def close(self) -> None:
        """End the program and all that it has started."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _several(self, requests: Sequence[dict[str, Any]]) -> dict[int, Answer]:
        """The answers to an array of questions, as far as there are any."""
        asked = {request["id"] for request in requests}

        def understood(line: str) -> dict[int, Answer] | None:
            data = _json(line)
            if isinstance(data, list):
                by_id = {one["id"]: one for one in data if isinstance(one, dict) and _is_id(one.get("id"))}
                known = {number: _answer(one) for number, one in by_id.items() if number in asked}
                if known:
                    return known
            if isinstance(data, Answer) or (isinstance(data, dict) and "error" in data):
                self._arrays = False  # it does not know arrays
                return {}
            self._stray(line)
            return None

        try:
            return self._ask(requests, understood, len(requests))
        except Silence:
            return {}

    def _single(self, request: dict[str, Any]) -> Answer:
        number = request["id"]

        def understood(line: str) -> Answer | None:
            data = _json(line)
            if isinstance(data, Answer):
                return data
            if isinstance(data, dict):
                of = data.get("id")
                if _is_id(of) and of == number:
                    return _answer(data)
                if of is None and "error" in data:
                    return _answer(data)
                if "id" not in data and "call" in data:
                    return Answer(None, "answered without the id of the question", silent=True)
            self._stray(line)
            return None

        try:
            return self._ask(request, understood, 1)
        except Silence as silence:
            return Answer(None, str(silence), silent=True)

    def _ask(self, message: Any, understood: Callable[[str], T | None], questions: int) -> T:
        process = self._running()
        began = time.monotonic()
        try:
            found = process.ask(json.dumps(message), self.timeout, understood)
        except Silence as silence:
            self._pace = self.timeout  # it is asked one by one until it is quick again
            process.end(patience=0)
            self._process = None
            self.restarts += 1
            # One question may be too much for it, but a program that never answers is no engine.
            if not self._answered and questions == 1:
                raise EngineError(f"engine {self.command!r} {silence}, before its first answer") from None
            raise
        self._answered = True
        self._pace = max((time.monotonic() - began) / questions, 1e-6)
        return found

    def _running(self) -> EngineProcess:
        if self._process is None:
            self._process = EngineProcess(self.command)
        return self._process

    def _request(self, question: Question) -> dict[str, Any]:
        """A question with an id of its own, so that a late answer is never taken for another's."""
        hand, auction = question
        self._number += 1
        return {
            "id": self._number,
            "hand": str(hand),
            "dealer": str(auction.dealer),
            "vul": str(auction.vul),
            "auction": [str(call) for call in auction.calls],
        }

    def _stray(self, line: str) -> None:
        words = line.strip()
        quoted = words if len(words) <= QUOTED else f"{words[:QUOTED]}..."
        if quoted in self.notices or len(self.notices) < NOTICES:
            self.notices[quoted] += 1


def _json(line: str) -> Any:
    """What a line says; a fault if it is meant as an answer but cannot be read; None for other text."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        if line.lstrip()[:1] in ("{", "["):
            return Answer(None, f"answered with JSON that cannot be read: {str(error)[:100]}", silent=True)
        return None


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _answer(data: Mapping[str, Any]) -> Answer:
    if "call" not in data:
        error = data.get("error", data)
        message = error.get("message", error) if isinstance(error, dict) else error
        return Answer(None, f"answered without a call: {str(message)[:200]}", silent=True)
    call = data["call"]
    if not isinstance(call, str) or len(call) > QUOTED:
        return Answer(None, f"called {str(call)[:QUOTED]}, which is no call")
    numbers = {name: data[name] for name in ("expected", "instances") if data.get(name) is not None}
    for name, value in numbers.items():
        if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= LARGEST:
            return Answer(None, f'answered with "{name}" that is no number it could mean', silent=True)
    try:
        made = Call.from_str(call)
    except CallError as error:
        return Answer(None, str(error))
    expected = numbers.get("expected")
    return Answer(
        made,
        expected=float(expected) if expected is not None else None,
        counters={"calls": 1, "generated": numbers.get("instances", 0)},
    )
