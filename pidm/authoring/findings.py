"""What lint finds, as values: findings worst first, and what became of every rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pidm.authoring.priorities import ToDo

KINDS = {
    "error": "mistake in a file",
    "name": "name that nothing declares",
    "example": "example that fails",
    "illegal": "line whose call is never legal, or always excluded",
    "variable": "line in which two suits may be one",
    "forced": "pass of a forcing call",
    "unanswered": "artificial call without an answer",
    "absurd": "what no player would do",
    "violation": "hand that is not what its call shows",
    "hole": "hands that find no rule",
    "never wins": "rule that hands reach but that never makes the call",
    "never matches": "rule for which no auction was found",
    "ambiguity": "hands that find several calls",
    "changed": "example of a shipped part that your changes make fail",
    "natural": "hands that the system leaves to the natural layer",
    "not reached": "rule that was not needed in these deals",
}
"""What is looked for, worst first."""

FAILING = ("error", "name", "example")
"""Kinds that are plain mistakes: with one of them a system is not in order."""

REMARKS = ("changed", "natural", "not reached")
"""Kinds that are worth knowing, but nothing wrong."""

_PER_RULE = ("illegal", "never wins", "never matches", "not reached")
"""Kinds that are counted by rules, not by hands."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a system's author may want to put right."""

    kind: str
    """One of `KINDS`."""
    where: str
    """The auction as the player to call sees it, or the call of a rule."""
    what: str
    """What was found."""
    count: int = 0
    """How many hands (decisions, examples) it concerns."""
    per_mille: float = 0.0
    """How often it happens in a thousand deals."""
    place: str = ""
    """File and line, when it concerns a line of a file."""
    samples: tuple[str, ...] = ()
    """Hands, with the call that they made."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "kind": self.kind,
            "where": self.where,
            "what": self.what,
            "count": self.count,
            "per_mille": round(self.per_mille, 3),
            "place": self.place,
            "samples": list(self.samples),
        }


@dataclass(frozen=True, slots=True)
class RuleCount:
    """What became of one line of a file in the deals that were bid."""

    place: str
    """File and line."""
    call: str
    """The call as written."""
    reached: int
    """Hands that were in an auction where the line applies."""
    won: int
    """Hands whose call came from the line."""
    made: int
    """Hands that made a call which this line, first of all, explains."""
    violated: int
    """Those of them that are not what explain says of the call."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Report:
    """What lint found."""

    system: str
    deals: int
    decisions: int
    """How many calls were made."""
    layers: dict[str, int]
    """How many of them each layer made; `none` stands for calls without a rule."""
    findings: tuple[Finding, ...]
    """Worst first."""
    rules: tuple[RuleCount, ...] = ()
    """Every line of the files, in their order."""
    owners: dict[str, int] = field(default_factory=dict)
    """How many of the calls are the author's, taken over, natural and nobody's."""
    offered: dict[str, int] = field(default_factory=dict)
    """How many calls of the natural layer each shipped part would make the author's, if included."""
    to_do: tuple[ToDo, ...] = ()
    """What to do next, dearest first."""
    solved: int = 0
    """On how many of the deals the costs were counted."""

    @property
    def not_yours(self) -> float:
        """The share of the calls that the natural layer made, or nobody."""
        others = self.owners.get("natural", 0) + self.owners.get("nobody's", 0)
        return others / max(self.decisions, 1)

    @property
    def totals(self) -> dict[str, int]:
        """Hands, rules or examples concerned, by kind."""
        found = Counter[str]()
        for finding in self.findings:
            found[finding.kind] += max(finding.count, 1) if finding.kind not in _PER_RULE else 1
        return {kind: found[kind] for kind in KINDS}

    @property
    def in_order(self) -> bool:
        """No mistakes and no failing examples."""
        return not any(finding.kind in FAILING for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "system": self.system,
            "deals": self.deals,
            "decisions": self.decisions,
            "layers": self.layers,
            "totals": self.totals,
            "in_order": self.in_order,
            "owners": self.owners,
            "offered": self.offered,
            "to_do": [one.to_dict() for one in self.to_do],
            "solved": self.solved,
            "findings": [finding.to_dict() for finding in self.findings],
            "rules": [count.to_dict() for count in self.rules],
        }
