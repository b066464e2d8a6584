"""What the auctions of a system have in common: worked out once for all in which it is the same."""

from __future__ import annotations

from functools import lru_cache

from pidm.language.system import System
from pidm.reading.matched_blocks import MatchedBlocks
from pidm.reading.rule_order import RuleOrder

STATES, ORDERS = 2048, 2048
"""How much of each kind is kept; then what was not asked for longest is forgotten."""


class CommonGround:
    """Of one system; it lives as long as the system."""

    @classmethod
    def of(cls, system: System) -> CommonGround:
        """That of this system; the same one every time."""
        found = system.derived.get(cls)
        if found is None:
            found = system.derived[cls] = cls()
        assert isinstance(found, CommonGround)
        return found

    def __init__(self) -> None:
        self.matched = lru_cache(maxsize=STATES)(MatchedBlocks)
        """The blocks that match, by the patterns that are alive."""
        self.ordered = lru_cache(maxsize=ORDERS)(RuleOrder)
        """The rules of some cases in order."""
