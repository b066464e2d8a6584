"""A process that works for the page: JSON lines in, JSON lines out, one piece of work at a time.

    -> {"task": "explain", "args": {...}}
    <- {"progress": ...}             any number of them
    <- {"result": ...}   or   {"error": "what is wrong with the request"}

It ends when nobody writes to it any more.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from pidm.core.garbage import collect_seldom


def main() -> None:
    """Work until the input ends; the first argument is how nice to be."""
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    collect_seldom()
    # Whatever else prints goes to the log: what we say must stay readable.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        for line in sys.stdin:
            _say(out, _answer(out, json.loads(line)))


def _answer(out: Any, request: dict[str, Any]) -> dict[str, Any]:
    from pidm.errors import PidmError
    from pidm.web.tasks import TASKS

    try:
        work = TASKS[request["task"]]
        return {"result": work(request["args"], lambda done: _say(out, {"progress": done}))}
    except (PidmError, OSError) as error:
        return {"error": str(error)}


def _say(out: Any, message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
