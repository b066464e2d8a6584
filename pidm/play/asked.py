"""A question to a bidder, with what is open to the hand and why: the rules behind every candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.core.choices import Choices, DecidedBy
from pidm.core.induction import Learned
from pidm.features import HandColumns
from pidm.language.rules import Rule
from pidm.play.decision import Candidate, Decision
from pidm.reading.situation import Situation

if TYPE_CHECKING:
    from pidm.reading.look import Seen


class Asked(NamedTuple):
    """A question with what the rules make of it. (A tuple: there is one for every decision.)"""

    hand: Hand
    auction: Auction
    situation: Situation
    columns: HandColumns
    """The features of the hand."""
    choices: Choices
    """What is open to the hand."""
    candidates: tuple[Candidate, ...]
    """The same, with the rules behind it."""
    system: tuple[Candidate, ...]
    """What the system itself leaves open."""
    seconds: float
    """What it took so far."""
    seen: tuple[Seen, int] | None = None
    """What a look has found that bids something else than the system, and the place of that bid."""

    def decision(
        self, call: Call, by: DecidedBy, reason: str | Callable[[], str], **evidence: Any
    ) -> Decision:
        """The answer."""
        return Decision.of(
            {
                "call": call,
                "by": by,
                "candidates": self.candidates,
                "reason": reason,
                "hand": self.hand,
                "auction": self.auction,
                "situation": self.situation,
                "columns": self.columns,
                "system": self.system,
                "seconds": self.seconds,
                **evidence,
            }
        )


def candidates_of(choices: Choices) -> tuple[Candidate, ...]:
    """What is open to one hand, with the rules behind it."""
    found: tuple[Candidate, ...] | None = choices.derived.get(Candidate)
    if found is None:
        behind: dict[int, list[object]] = {}
        for proposal in choices.standing(0):
            behind.setdefault(proposal.action, []).append(proposal.source)
        found = tuple([_candidate(Call(call), sources) for call, sources in behind.items()])
        choices.derived[Candidate] = found
    return found


def _candidate(call: Call, sources: Sequence[object]) -> Candidate:
    rules = tuple(dict.fromkeys([source for source in sources if isinstance(source, Rule)]))
    lessons = next((source.examples for source in sources if isinstance(source, Learned)), 0)
    return Candidate(call, rules, lessons=lessons)
