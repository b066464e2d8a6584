"""Server-sent events, for what takes time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response, StreamingResponse

BEAT = 15.0
"""Seconds between signs of life on a stream of events."""


def events(source: AsyncIterator[tuple[str, Any]]) -> Response:
    """Server-sent events of these names and data."""

    async def lines() -> AsyncIterator[str]:
        coming = source.__aiter__()
        waiting: asyncio.Future[tuple[str, Any]] | None = None
        try:
            while True:
                if waiting is None:
                    waiting = asyncio.ensure_future(coming.__anext__())
                done, _ = await asyncio.wait({waiting}, timeout=BEAT)
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
            if waiting is not None:
                waiting.cancel()

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})
