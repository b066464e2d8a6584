"""Who may ask: pages that we served ourselves, at the address where we are known; and how much at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pidm.errors import RequestError

LARGEST_QUESTION = 64 * 1024
"""Bytes of an ordinary request."""
LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of a file of boards."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class TooLargeError(RequestError):
    """A request with more in it than is taken."""

    status = 413


class Guard:
    """Refuses requests that were made by other pages, or to us under another name."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        """`hosts`: the names, with port, under which we may be addressed."""
        self._app = app
        self._hosts = {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope["method"], Headers(scope=scope))
        if refused:
            await JSONResponse({"error": refused}, 403, dict(HEADERS))(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refused(self, method: str, headers: Headers) -> str:
        """Why a request is refused; empty if it is not."""
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return f"this is not the page that runs at {host or 'no address'}"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{one}" for one in self._hosts}:
            return "requests from other pages are refused"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "requests from other pages are refused"
        if method not in ("GET", "HEAD") and not headers.get("content-type", "").startswith(
            "application/json"
        ):
            return "a request that changes something is JSON"
        return ""


async def body_of(request: Request, largest: int = LARGEST_QUESTION) -> dict[str, Any]:
    """The JSON object that a request brings."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > largest:
            raise TooLargeError(f"at most {largest // 1024} KB are taken at once")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise RequestError("expected a JSON object")
    return found


def text_of(given: dict[str, Any], key: str, default: str | None = None, longest: int = 200) -> str:
    """A short text of a request."""
    value = given.get(key, default)
    if not isinstance(value, str) or len(value) > longest:
        raise RequestError(f'"{key}" is a text of at most {longest} characters')
    return value


def number_of(
    given: dict[str, Any], key: str, default: float, low: float, high: float, whole: bool = False
) -> float:
    """A number of a request, within bounds."""
    value = given.get(key, default)
    kinds = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
        raise RequestError(f'"{key}" is a {"whole " if whole else ""}number from {low:g} to {high:g}')
    return value


def texts_of(given: dict[str, Any], key: str, most: int = 400) -> list[str]:
    """A list of short texts of a request."""
    value = given.get(key, [])
    if not isinstance(value, list) or len(value) > most:
        raise RequestError(f'"{key}" is a list of at most {most} texts')
    if not all(isinstance(one, str) and len(one) <= 40 for one in value):
        raise RequestError(f'"{key}" is a list of short texts')
    return value
