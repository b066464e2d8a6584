"""The command `pidm`: one module per group of commands, imported when one of them runs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; an error that the user can put right is one line on stderr."""
    from pidm.core.garbage import collect_seldom

    collect_seldom()
    from pidm.cli.bidder_options import in_words
    from pidm.errors import PidmError

    warnings.formatwarning = _one_line

    try:
        _run(sys.argv[1:] if arguments is None else list(arguments))
    except BrokenPipeError:  # the reader of our output has had enough
        sys.stderr.close()
        sys.exit(1)
    except (PidmError, OSError) as error:
        print(f"pidm: {in_words(error)}", file=sys.stderr)
        sys.exit(2)


def _one_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning as the command line prints it."""
    told = (
        f"pidm: {message}" if category.__module__.startswith("pidm.") else f"{filename}:{lineno}: {message}"
    )
    return f"{told}\n"


def _run(arguments: list[str]) -> None:
    if arguments[:1] == ["bid"]:
        from pidm.cli import quick

        plain = quick.understood(arguments[1:])
        if plain is not None:
            quick.bid(**plain)
            sys.exit(0)
    from pidm.cli.app import app

    app(arguments)
