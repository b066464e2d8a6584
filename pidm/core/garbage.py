"""Garbage collection: seldom in processes of our own, and put off while decisions are made."""

from __future__ import annotations

import atexit
import gc

SELDOM = (20_000, 10, 10)
"""Objects made until Python looks through the newest ones, and how often it then looks through the older."""
KEPT = 2_000
"""Objects: if more than this remain of a decision, they are there to stay."""


def collect_seldom() -> None:
    """Let Python look for garbage less often: for processes that do nothing but our work.

    A system is some hundred thousand objects that stay. To look for garbage among them while they are made
    doubles the time that rules and nets take.
    """
    gc.set_threshold(*SELDOM)
    # Nor is there anything to look for when the process ends: that took up to a third of a command's time.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def pause() -> bool:
    """Put off garbage collection; returns whether there is something to `resume`.

    Decisions make hardly any garbage that only a collection finds, but they read rules by the thousand, and
    to look through these again and again takes as long as to decide. In a large program a single collection
    takes longer than many limits. Nothing may be allocated before this, so it is the first thing to do, and
    no context manager.
    """
    if not gc.isenabled():
        return False
    gc.disable()
    return True


def resume(paused: bool) -> None:
    """Let garbage be collected again.

    What was made to stay (rules that were read, nets that were built) is taken out of its sight, or looking
    through all of it would take a second every now and then, in decisions or between them. That happens only
    while the program learns something new: what else is there at such a moment is not collected if it
    becomes garbage in a circle later.
    """
    if paused:
        if gc.get_count()[0] > KEPT:
            gc.freeze()
        gc.enable()
