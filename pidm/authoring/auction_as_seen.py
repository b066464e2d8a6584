"""An auction as the player to call sees it, written like the patterns of system files."""

from __future__ import annotations

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS


def as_seen(auction: Auction) -> str:
    """Our calls bare, theirs in parentheses, without leading passes; `P*` when nobody has bid.

    >>> as_seen(Auction.from_str("P 1S 2H P P"))
    '1S (2H) P (P)'
    """
    calls = auction.calls
    start = next((i for i, call in enumerate(calls) if call != PASS), None)
    if start is None:
        return "P*"
    ours = len(calls) & 1
    words = [str(call) if i & 1 == ours else f"({call})" for i, call in enumerate(calls)]
    return " ".join(words[start:])
