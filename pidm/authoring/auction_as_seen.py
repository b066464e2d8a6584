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


def pattern_of(auction: Auction, suits: bool = False) -> str:
    """The auction as a pattern for all like it: majors as M and oM, minors as m and om, no implied passes.

    With `suits` they stay what they are.

    >>> pattern_of(Auction.from_str("1H P 2C P"))
    '1M 2m'
    >>> pattern_of(Auction.from_str("P 1D 1S P P"))
    '1m (1M) P (P)'
    """
    words = as_seen(auction).split()
    names: dict[str, str] = {}
    for word in words:
        strain = word.strip("()")[1:]
        if strain in _KINDS and strain not in names and not suits:
            mine, other = _KINDS[strain]
            names |= {strain: mine, other: f"o{mine}"}
    kept: list[str] = []
    for number, word in enumerate(words):
        bare = word.strip("()")
        if word == "(P)" and number and _ours(words[number - 1]) and words[number - 1] != "P":
            after = words[number + 1 : number + 2]
            if not after or _ours(after[0]):
                continue
        kept.append(word.replace(bare, bare[:1] + names.get(bare[1:], bare[1:])))
    return " ".join(kept)


_KINDS = {"S": ("M", "H"), "H": ("M", "S"), "D": ("m", "C"), "C": ("m", "D")}
"""What a suit is one of, and the other one."""


def _ours(word: str) -> bool:
    return not word.startswith("(")
