"""Processes that work for the page, so that a search of one visitor does not keep the others waiting.

Quick questions and searches have processes of their own. A process that takes too long or dies is replaced;
what it was doing is done again once if it died, and given up if it took too long.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from pidm.errors import PidmError

LARGEST_ANSWER = 1 << 25
"""Bytes of one line from a process."""
NICE = 5
"""How much searches give way to quick questions."""


_WORK = "import sys; sys.path[:] = filter(None, sys.path); from pidm.web.worker import main; main()"
"""A worker does not look for pidm in the current folder, where a checkout may stand without its features."""


class BusyError(PidmError):
    """Too much is being asked at once."""


class LostError(PidmError):
    """The process that worked on it took too long, or died twice."""


class _Process:
    """One process, started when it is first needed."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _WORK,
                str(self._nice),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LARGEST_ANSWER,
                env=environment,
                start_new_session=True,  # an interrupt in the terminal is the server's to handle
            )
        return self._process

    async def ask(self, line: bytes, progress: Callable[[Any], object] | None) -> dict[str, Any]:
        process = await self.start()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(line)
        await process.stdin.drain()
        while True:
            answer = await process.stdout.readline()
            if not answer.endswith(b"\n"):
                raise ConnectionResetError("the process ended")
            message: dict[str, Any] = json.loads(answer)
            if "progress" not in message:
                return message
            if progress is not None:
                progress(message["progress"])

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None


class _Crew:
    """Processes that take turns."""

    def __init__(self, count: int, nice: int, most_waiting: int) -> None:
        self.staff = [_Process(nice) for _ in range(count)]
        self._idle: asyncio.LifoQueue[_Process] = asyncio.LifoQueue()
        for process in self.staff:
            self._idle.put_nowait(process)
        self._waiting = 0
        self._most = most_waiting

    async def ask(
        self, task: str, args: Any, seconds: float, progress: Callable[[Any], object] | None
    ) -> Any:
        if self._waiting >= self._most:
            raise BusyError("too many people are asking just now; please try again in a moment")
        line = json.dumps({"task": task, "args": args}).encode() + b"\n"
        self._waiting += 1
        try:
            process = await self._idle.get()
        finally:
            self._waiting -= 1
        try:
            return await self._done(process, line, seconds, progress)
        except asyncio.CancelledError:  # nobody wants to know any more
            await process.stop()
            raise
        finally:
            self._idle.put_nowait(process)

    async def _done(
        self, process: _Process, line: bytes, seconds: float, progress: Callable[[Any], object] | None
    ) -> Any:
        for _ in range(2):
            try:
                answer = await asyncio.wait_for(process.ask(line, progress), seconds)
            except asyncio.TimeoutError:
                await process.stop()
                raise LostError(f"this took longer than {seconds:g} seconds and was given up") from None
            except (ConnectionError, json.JSONDecodeError):
                await process.stop()
                continue
            if "error" in answer:
                raise PidmError(answer["error"])
            return answer["result"]
        raise LostError("the process that worked on this died, twice")


class Processes:
    """Answers quick questions and does searches. Make it inside a running event loop."""

    def __init__(self, searches: int | None = None, quick: int = 1) -> None:
        """`searches`: how many processes search, by default one for each processor."""
        self._quick = _Crew(quick, 0, 500)
        self._slow = _Crew(searches or max(_processors(), 1), NICE, 100)

    async def warm_up(self, task: str, args: Any) -> None:
        """Let every process that searches do something small, so that the first search does not wait."""
        await asyncio.gather(*(self.slow(task, args) for _ in self._slow.staff))

    async def quick(self, task: str, args: Any, seconds: float = 30.0) -> Any:
        """The answer to a question that takes a moment."""
        return await self._quick.ask(task, args, seconds, None)

    async def slow(
        self, task: str, args: Any, seconds: float = 60.0, progress: Callable[[Any], object] | None = None
    ) -> Any:
        """What comes out of a search."""
        return await self._slow.ask(task, args, seconds, progress)

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(one.stop() for one in (*self._quick.staff, *self._slow.staff)))

    @property
    def searches(self) -> int:
        """How many searches can run at once."""
        return len(self._slow.staff)

    @property
    def pids(self) -> list[int]:
        """The processes that run."""
        staff = (*self._quick.staff, *self._slow.staff)
        return [one.pid for one in staff if one.pid is not None]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
