"""Why a call was made, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.features import HandColumns
from pidm.language.words import words_of
from pidm.play.decision import Candidate
from pidm.reading.inference import bounds_of
from pidm.reading.table import Table

if TYPE_CHECKING:
    from pidm.core.search import SearchResult


def because(table: Table, auction: Auction, hand: Hand, candidate: Candidate) -> str:
    """The rule in words: the part of it that this hand fits."""
    rule = candidate.rules[0]
    columns = HandColumns(hand.array[None])
    boxes = [box for a in table.situation(auction).applied if a.rule is rule for box, _, _ in a.boxes]
    fitting = (box for box in boxes if all(_within(columns, f, low, high) for f, (low, high) in box.items()))
    shown = next(fitting, boxes[0] if boxes else None)
    meaning = f" ({words_of(bounds_of(shown))})" if shown is not None else ""
    return f"{candidate.call} by rule: {rule.block.title or 'untitled'}{meaning} at {rule.place}"


def _within(columns: HandColumns, what: Any, low: float, high: float) -> bool:
    return bool(low <= columns.column(what)[0] <= high)


def weighed(ranked: Sequence[Candidate], result: SearchResult, unit: str) -> str:
    """What the simulation found, in words."""
    best, second = ranked[0], ranked[1]
    assert best.mean is not None and second.mean is not None
    behind, error = best.mean - second.mean, second.standard_error or 0.0
    solved = f", {result.solved} of them by the better utility" if result.solved else ""
    deals = f"{result.worlds} deals{solved}"
    if behind < 0:
        return (
            f"{best.call} is preferred by the system, and the simulation of {deals} is not clear enough to "
            f"leave it: {second.call} would win {-behind:.2f} {unit} (±{error:.2f})"
        )
    return (
        f"{best.call} by simulation of {deals}: {second.call} would lose {behind:.2f} {unit} "
        f"(±{error:.2f}); the rules leave both open"
    )


def undecided(best: Call, result: SearchResult) -> str:
    """Why the simulation has nothing to say."""
    sample = result.sample
    fitting = sample is not None and len(sample) > 0 and sample.inconsistency.min() == 0
    reason = (
        "the limit is too small to bid the deals out"
        if fitting
        else "no deal was found that fits the auction"
    )
    return f"{best} is preferred by the system; {reason}"
