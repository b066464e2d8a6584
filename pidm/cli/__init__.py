"""The command `pidm`: one module per group of commands, imported when one of them runs."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; an error that the user can put right is one line on stderr."""
    # A system is some hundred thousand objects that stay: looking for garbage among them while they are made
    # would double the time to the first answer.
    gc.set_threshold(100_000, 50, 100)
    from pidm.cli.app import app
    from pidm.cli.options import in_words
    from pidm.errors import PidmError

    try:
        app(arguments)
    except BrokenPipeError:  # the reader of our output has had enough
        sys.stderr.close()
        sys.exit(1)
    except (PidmError, OSError) as error:
        print(f"pidm: {in_words(error)}", file=sys.stderr)
        sys.exit(2)
