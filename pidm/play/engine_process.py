"""One run of a program that is asked in lines: bounded in time and size, and nothing of it is left."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pidm.errors import PidmError

T = TypeVar("T")

MOST = 16 * 2**20
"""Bytes that a program may write for one line that it is asked, its errors included; more is a flood."""
_CHUNK = 2**16
_LAST_WORDS = 4096
"""Bytes of its errors that are remembered."""


class EngineError(PidmError):
    """An engine that cannot be started, or ended before it had answered anything."""


class Silence(Exception):  # noqa: N818
    """The engine did not answer: it ended, its time was up, or it wrote without end."""


class EngineProcess:
    """A running program, in a process group of its own under a guard that ends it when we are gone."""

    def __init__(self, command: str) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise EngineError(f"engine {command!r} cannot be started: {error}") from None
        if not words or shutil.which(words[0]) is None:
            raise EngineError(f"engine {command!r} cannot be started: there is no such program")
        held, self._lifeline = os.pipe()
        guard = Path(__file__).with_name("engine_guard.py")
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(guard), str(held), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=(held,),
            start_new_session=True,
        )
        os.close(held)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out, self._errors = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for pipe in (self._in, self._out, self._errors):
            os.set_blocking(pipe, False)
        self._unsent = b""
        self._unread = b""
        self._said = b""
        self._ready = True

    def ask(self, line: str, seconds: float, understood: Callable[[str], T | None]) -> T:
        """What is understood of the first line that answers a line; `understood` gives None for others."""
        self._unsent += line.encode() + b"\n"
        deadline = time.monotonic() + seconds
        written = 0
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._out, selectors.EVENT_READ)
            waiting.register(self._errors, selectors.EVENT_READ)
            waiting.register(self._in, selectors.EVENT_WRITE)
            while True:
                *lines, self._unread = self._unread.split(b"\n")
                for number, found in enumerate(lines):
                    answer = understood(found.decode("utf-8", "replace")) if found.strip() else None
                    if answer is not None:
                        self._unread = b"\n".join([*lines[number + 1 :], self._unread])
                        return answer
                left = deadline - time.monotonic()
                if left <= 0:
                    reading = " and does not read what it is asked" if self._unsent else ""
                    raise Silence(f"did not answer within {seconds:g} s{reading}")
                for key, _ in waiting.select(left):
                    if key.fd == self._in:
                        self._send()
                        if not self._unsent:
                            waiting.unregister(self._in)
                        continue
                    some = self._read(key.fd)
                    written += len(some)
                    if key.fd == self._out:
                        self._unread += some
                        if not some:
                            raise Silence(self._ended())
                    else:
                        self._said = (self._said + some)[-_LAST_WORDS:]
                        if not some:
                            waiting.unregister(self._errors)
                if written > MOST:
                    raise Silence(f"wrote more than {MOST // 2**20} MB and no answer")

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            raise Silence(self._ended()) from None

    def _read(self, pipe: int) -> bytes:
        try:
            return os.read(pipe, _CHUNK)
        except OSError:
            return b""

    def _ended(self) -> str:
        """What there is to tell about a program that has ended."""
        self._wait(5.0)
        while some := self._read(self._errors):
            self._said = (self._said + some)[-_LAST_WORDS:]
        self.end(patience=0)
        words = self._said.decode("utf-8", "replace").strip().splitlines()
        last = f" ({words[-1].strip()[:200]})" if words else ""
        return f"ended with exit status {self._process.returncode}{last}"

    def _wait(self, seconds: float) -> None:
        """Wait for the end, leaving the number of the process taken: it stays that of the group."""
        options = os.WEXITED | os.WNOWAIT | os.WNOHANG
        began = time.monotonic()
        while os.waitid(os.P_PID, self._process.pid, options) is None:
            if time.monotonic() - began >= seconds:
                return
            time.sleep(0.01)

    def end(self, patience: float = 2.0) -> None:
        """Let the program end by itself when its input ends; then end what is left of its group."""
        if not self._ready:
            return
        self._ready = False
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._process.stdin.close()
        self._wait(patience)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()
        os.close(self._lifeline)
