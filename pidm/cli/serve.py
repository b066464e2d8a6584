"""`pidm serve`: practise, explore, review and watch in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pidm.cli.options import reporting

PORT = 8753


def serve(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="What the page may read besides the shipped systems: systems (.yaml), records (.pbn, .lin), "
            "training sessions (folders), matches (.json), or folders of them.",
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0: any.")] = PORT,
    host: Annotated[
        str,
        typer.Option(
            "--host", help="The address to listen at; others than 127.0.0.1 can be reached by others."
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
    searches: Annotated[
        int | None, typer.Option("--searches", min=1, help="Searches at once; by default one a processor.")
    ] = None,
) -> None:
    """Open a page to practise, explore systems, review boards and watch training.

    It is for this computer alone unless --host says otherwise; Ctrl-C ends it.
    """
    with reporting():
        try:
            import starlette  # noqa: F401
            import uvicorn  # noqa: F401
        except ImportError:
            from pidm.errors import PidmError

            raise PidmError("pidm serve needs the extra: pip install 'pidm[web]'") from None
        from pidm.web.server import listen, names_of, open_when_ready, run

        socket = listen(host, port)
        address, names = names_of(host, socket)
        from pidm.web.app import make_app

        app = make_app(paths or (), names, searches=searches)
    typer.echo(f"pidm is at http://{address}/  (Ctrl-C ends it)")
    if not no_browser:
        open_when_ready(f"http://{address}/")
    run(app, socket)
