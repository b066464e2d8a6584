"""Programs of others that speak our JSON lines (`pidm.engine` tells the protocol)."""

from __future__ import annotations

import contextlib
import json
import queue
import shlex
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO, Any

from pidm.bridge.calls import Call
from pidm.errors import CallError, PidmError
from pidm.play.calling import Answer
from pidm.play.decision import Question
from pidm.play.pair import TIMEOUT


class EngineError(PidmError):
    """An engine that cannot be started, or ended before it had answered anything."""


class _Silence(Exception):  # noqa: N818
    """The engine did not answer: it ended, or its time was up."""


class EngineCaller:
    """A program that is asked in batches; started anew when it ends or does not answer in time."""

    def __init__(self, command: str, timeout: float = TIMEOUT) -> None:
        """Start the program; `timeout` is in seconds for each question."""
        self.command = command
        self.timeout = timeout
        self.restarts = 0
        """How often it had to be started again."""
        self._arrays = True
        self._answered = False
        self._process: _Process | None = None
        self._running()

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question. When a batch fails, its questions are asked one by one."""
        requests = [_request(number, question) for number, question in enumerate(questions)]
        if self._arrays and len(requests) > 1:
            try:
                found = self._ask(requests, len(requests))
            except _Silence:
                found = None
            else:
                # An engine that does not know arrays answers with one object, perhaps an error.
                self._arrays = isinstance(found, list)
            if isinstance(found, list) and len(found) == len(requests):
                return [_answer(one) for one in found]
        return [self._single(request) for request in requests]

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _single(self, request: dict[str, Any]) -> Answer:
        try:
            return _answer(self._ask(request, 1))
        except _Silence as silence:
            return Answer(None, str(silence), silent=True)

    def _ask(self, message: Any, questions: int) -> Any:
        process = self._running()
        try:
            answer = process.ask(json.dumps(message), self.timeout * questions)
        except _Silence as silence:
            process.end(patience=0)
            self._process = None
            self.restarts += 1
            # One question may be too much for it, but a program that never answers is no engine.
            if not self._answered and questions == 1:
                raise EngineError(f"engine {self.command!r} {silence}, before its first answer") from None
            raise
        self._answered = True
        try:
            return json.loads(answer)
        except json.JSONDecodeError:
            return {"error": {"message": f"no JSON: {answer.strip()[:200]}"}}

    def _running(self) -> _Process:
        if self._process is None:
            self._process = _Process(self.command)
        return self._process


class _Process:
    """One run of the program. A thread reads its lines, so that waiting can end."""

    def __init__(self, command: str) -> None:
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed in `end`
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                text=True,
                encoding="utf-8",
            )
        except (OSError, ValueError) as error:
            self._said.close()
            raise EngineError(f"engine {command!r} cannot be started: {error}") from None
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        # A pipe that breaks, or bytes that are no text, end the reading like the end of the program does.
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                if line.strip():
                    self._lines.put(line)
        self._lines.put("")

    def ask(self, line: str, seconds: float) -> str:
        """The line that answers a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise _Silence(self._ended()) from None
        try:
            answer = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise _Silence(f"did not answer within {seconds:g} s") from None
        if not answer:
            raise _Silence(self._ended())
        return answer

    def _ended(self) -> str:
        """What there is to tell about a program that has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        self._said.seek(0)
        words = self._said.read().decode("utf-8", "replace").strip().splitlines()
        last = f" ({words[-1].strip()[:200]})" if words else ""
        return f"ended with exit status {self._process.poll()}{last}"

    def end(self, patience: float = 2.0) -> None:
        """Let the program end by itself when its input ends, and make it if that takes too many seconds."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        began = time.monotonic()
        while self._process.poll() is None and time.monotonic() - began < patience:
            time.sleep(0.01)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._said.close()


def _request(number: int, question: Question) -> dict[str, Any]:
    hand, auction = question
    return {
        "id": number,
        "hand": str(hand),
        "dealer": str(auction.dealer),
        "vul": str(auction.vul),
        "auction": [str(call) for call in auction.calls],
    }


def _answer(data: Any) -> Answer:
    if not isinstance(data, dict) or "call" not in data:
        error = data.get("error", data) if isinstance(data, dict) else data
        message = error.get("message", error) if isinstance(error, dict) else error
        return Answer(None, f"answered without a call: {str(message)[:200]}", silent=True)
    try:
        call = Call.from_str(str(data["call"]))
    except CallError as error:
        return Answer(None, str(error))
    expected = data.get("expected")
    counters = {"decisions": 1, "generated": data.get("instances", 0)}
    return Answer(
        call,
        expected=float(expected) if isinstance(expected, int | float) else None,
        counters={name: value for name, value in counters.items() if isinstance(value, int | float)},
    )
