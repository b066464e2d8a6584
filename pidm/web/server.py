"""Where the page listens, and under which names it may be addressed."""

from __future__ import annotations

import contextlib
import socket
import threading
import webbrowser
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from pidm.errors import PidmError
from pidm.web.events import end_all


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; nobody else may listen at the same place."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise PidmError(f"cannot listen at {host}:{port} ({error.strerror}); try another --port") from None
    found.listen(128)  # who comes before the application has started waits a moment
    return found


def names_of(host: str, listening: socket.socket) -> tuple[str, list[str]]:
    """The address to open, and all names under which requests are taken."""
    port = listening.getsockname()[1]
    if host in ("127.0.0.1", "localhost", "::1"):
        return f"127.0.0.1:{port}", [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    own = _addresses()
    outside = [name for name in own if not name.startswith("127.")]
    shown = (outside or [socket.gethostname()])[0] if host in ("0.0.0.0", "::") else host
    names = {shown, host, "127.0.0.1", "localhost", socket.gethostname(), *own}
    return f"{shown}:{port}", sorted(f"{name}:{port}" for name in names)


def _addresses() -> list[str]:
    """The addresses of this machine, as far as it knows them itself; that in its network first."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only says by which of them we would leave
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):  # a name that nobody knows
        own = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(one[4][0]) for one in own]
    return list(dict.fromkeys(found))


def open_when_ready(address: str) -> None:
    """Open the browser in a moment, when somebody answers."""
    timer = threading.Timer(0.6, webbrowser.open, (address,))
    timer.daemon = True
    timer.start()


class Server(uvicorn.Server):
    """A server that stops at once when it is told to."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams of events, too."""
        end_all()
        super().handle_exit(sig, frame)


def run(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until somebody stops it."""
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    Server(config).run(sockets=[listening])
