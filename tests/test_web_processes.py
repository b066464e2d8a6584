import asyncio
import os
import signal

import pytest

from pidm.errors import PidmError
from pidm.language.loading import shipped_systems
from pidm.web.events import end_all, events
from pidm.web.processes import BusyError, LostError, Processes, _Crew

SAYC = str(shipped_systems()["sayc"])
OPENING = {"ns": SAYC, "ew": SAYC, "calls": []}


def test_what_takes_too_long_is_given_up_and_the_next_is_answered():
    async def ask():
        pool = Processes(1)
        try:
            with pytest.raises(LostError, match="longer than 0.001 seconds"):
                await pool.slow("explain", OPENING, seconds=0.001)
            assert not pool.pids
            return await pool.slow("explain", OPENING, seconds=200)
        finally:
            await pool.close()

    assert asyncio.run(ask())["actor"] == "N"


def test_a_mistake_of_the_visitor_is_told_and_costs_no_process():
    async def ask():
        pool = Processes(1)
        try:
            await pool.quick("explain", OPENING, seconds=200)
            before = pool.pids
            with pytest.raises(PidmError, match="not higher"):
                await pool.quick("explain", {**OPENING, "calls": ["2H", "2D"]})
            return before == pool.pids
        finally:
            await pool.close()

    assert asyncio.run(ask())


def test_a_process_that_dies_again_and_again_is_not_asked_for_ever():
    async def ask():
        crew = _Crew(1, 0, 10)
        killer = asyncio.create_task(kill_all(crew))
        try:
            with pytest.raises(LostError, match="died, twice"):
                await crew.ask("lint", {"ns": SAYC, "deals": 100_000}, 200, None)
        finally:
            killer.cancel()
            await asyncio.gather(*(one.stop() for one in crew.staff))

    async def kill_all(crew):
        while True:
            for one in crew.staff:
                if one.pid is not None:
                    os.kill(one.pid, signal.SIGKILL)
            await asyncio.sleep(0.2)

    asyncio.run(ask())


def test_too_many_at_once_are_turned_away():
    async def ask():
        crew = _Crew(1, 0, 1)
        first = asyncio.create_task(crew.ask("explain", OPENING, 200, None))
        second = asyncio.create_task(crew.ask("explain", OPENING, 200, None))
        await asyncio.sleep(0)
        try:
            with pytest.raises(BusyError, match="try again"):
                await crew.ask("explain", OPENING, 200, None)
            return await first == await second
        finally:
            await asyncio.gather(*(one.stop() for one in crew.staff))

    assert asyncio.run(ask())


def test_streams_end_with_the_server():
    async def forever():
        while True:
            yield "tick", {"n": 1}
            await asyncio.sleep(3600)

    async def listen():
        heard = []
        async for line in events(forever()).body_iterator:
            heard.append(line)
            end_all()
        return heard

    assert asyncio.run(listen()) == ['event: tick\ndata: {"n": 1}\n\n']
