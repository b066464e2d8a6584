"""Shipped parts that an author may take over, each by one word in `include:`.

What the natural layer does in competition is what these parts say; a pair that includes them has agreed
on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pidm.language.finding import shipped
from pidm.language.rules import LAYERS, BlockInstance
from pidm.language.system import System
from pidm.reading.situation import Situation

THEY_OPEN, THEY_INTERFERE = "standard/they_open", "standard/they_interfere"
MAJORS = "two_over_one/one_of_a_major"
PARTS = {
    THEY_OPEN: "standard/they_open",
    THEY_INTERFERE: "standard/they_interfere",
    MAJORS: "two_over_one/we_open/one_of_a_major",
}
"""By the word for `include:`, the folder of the part."""
LONG_MAJOR = 5
"""Cards that an opening in a major shows, where the chapter on majors fits."""


def parts_for(system: System) -> list[str]:
    """The parts that a system has not taken over; none for a shipped one, which says what it wants to say."""
    if Path(system.spec.path).resolve().is_relative_to(shipped()):
        return []
    agreed = {block.mark.path for block in system.spec.blocks if LAYERS[block.layer] > LAYERS["standard"]}
    return [part for part in PARTS if not any(_holds(part, path) for path in agreed)]


def offered(situation: Situation, parts: Iterable[str]) -> str | None:
    """Which of some parts would speak of an auction in which the natural layer calls, if there is one."""
    return next((part for part in parts if _speaks(part, situation)), None)


def _speaks(part: str, at: Situation) -> bool:
    if part == MAJORS:
        return _our_major(at)
    return any(_says(part, instance, at) for instance in at.blocks)


def _says(part: str, instance: BlockInstance, at: Situation) -> bool:
    """Is it a block of a part of the trunk, as the natural layer has it, that says something here?"""
    block = instance.block
    if not instance.specificity or block.layer != LAYERS["standard"] or not block.spec.lines:
        return False
    return _holds(part, block.spec.mark.path) and bool(instance.cases_at(at))


def _our_major(at: Situation) -> bool:
    """We have opened one of a major with five cards, and they are silent."""
    opener = at.opener
    if opener is None or opener & 1 != at.side or at.active[1 - at.side]:
        return False
    opening = next(call for call in at.auction.calls if call.is_bid)
    if opening.level > 1 or opening.strain not in "SH":
        return False
    return at.least_length(opener, opening.strain) >= LONG_MAJOR


@cache
def _holds(part: str, path: str) -> bool:
    """Is it a file of a part?"""
    return Path(path).resolve().is_relative_to(shipped() / PARTS[part])
