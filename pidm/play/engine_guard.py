"""Runs a program and takes care that nothing of it is left: `engine_guard.py LIFELINE COMMAND...`.

LIFELINE is a file descriptor that its parent holds open at the other end. When the parent is gone, however it
ended, the whole process group is killed. Standard library only: this is run as a file, without pidm.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

GRACE = 0.2
"""Seconds that the end of the parent may be noticed after that of the program."""


def _wait_for_the_end(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def main(lifeline: int, command: list[str]) -> int:
    """Run the command; its exit status."""
    watch = threading.Thread(target=_wait_for_the_end, args=(lifeline,), daemon=True)
    watch.start()
    try:
        status = subprocess.call(command)
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
        return 127
    # A program whose parent is gone finds its input closed and ends, perhaps before we know why: what it has
    # started must not outlive it then.
    watch.join(GRACE)
    if status < 0:  # ended by a signal: so do we
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    os._exit(main(int(sys.argv[1]), sys.argv[2:]))
