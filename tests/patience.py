"""What hangs without an end in sight is stopped after far more processor time than it may need.

Processor time of this process, not time by the clock: a busy machine fails nothing."""

import signal
from contextlib import contextmanager


@contextmanager
def patience(seconds=20):
    """Fail when the block has used so much processor time."""

    def stop(number, frame):
        raise AssertionError(f"still busy after {seconds} seconds of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
