"""Server-sent events, for what takes time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response, StreamingResponse

_streams: set[asyncio.Future[None]] = set()
"""Those that are open, each with what ends it."""
BEAT = 15.0
"""Seconds between signs of life on a stream of events."""


def end_all() -> None:
    """End all streams: the server wants to stop, and they would never end by themselves."""
    for end in list(_streams):
        if not end.done():
            end.set_result(None)


def events(source: AsyncIterator[tuple[str, Any]]) -> Response:
    """Server-sent events of these names and data."""

    async def lines() -> AsyncIterator[str]:
        coming = source.__aiter__()
        waiting: asyncio.Future[tuple[str, Any]] | None = None
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        _streams.add(end)
        try:
            while True:
                if waiting is None:
                    waiting = asyncio.ensure_future(coming.__anext__())
                either: set[asyncio.Future[Any]] = {waiting, end}
                done, _ = await asyncio.wait(either, timeout=BEAT, return_when=asyncio.FIRST_COMPLETED)
                if end in done:
                    return
                if not done:
                    yield ": still here\n\n"
                    continue
                try:
                    name, data = waiting.result()
                except StopAsyncIteration:
                    return
                waiting = None
                yield f"event: {name}\ndata: {json.dumps(data)}\n\n"
        finally:
            _streams.discard(end)
            end.cancel()
            if waiting is not None:
                waiting.cancel()

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})
