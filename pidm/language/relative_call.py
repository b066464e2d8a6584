"""The call of a line: fixed, as `2M`, or relative to the auction, as `jump raise M`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from pidm.bridge.calls import DOUBLE, GAME, LAST_BID, PASS, RANKED_STRAINS, REDOUBLE, Call
from pidm.language.auction_view import AuctionView
from pidm.language.condition import bind_bid
from pidm.language.mistakes import TextError
from pidm.language.pattern import BIDS
from pidm.language.suits import SUIT_NAME, Binding, expand, resolve, variables_of_call


class CallMaker:
    """The call of a line with its suits bound, perhaps relative to the auction: `jump raise S`."""

    __slots__ = ("fixed", "jumps", "kind", "strain")

    def __init__(self, kind: str, strain: str = "", jumps: int = 0, fixed: Call | None = None):
        self.kind = kind
        self.strain = strain
        self.jumps = jumps
        self.fixed = fixed

    def resolve(self, s: AuctionView) -> Call | None:
        """The call in this situation; None when there is none, or it would not be legal."""
        if self.fixed is not None:
            return self.fixed if s.is_legal(self.fixed) else None
        if self.kind == "step":
            above = LAST_BID + 1 if s.last_bid is None else s.last_bid + self.jumps
            return Call(above) if above <= LAST_BID else None
        if self.kind == "game":
            bid = GAME[self.strain]
            return bid if s.is_legal(bid) else None
        if self.kind in _TRANSFERS:
            if not _transferred(s, self.strain):
                return None
        elif self.kind != "cheapest" and not _OWNED[self.kind](s, self.strain):
            return None
        cheapest = s.cheapest(self.strain)
        if cheapest is None:
            return None
        number = cheapest + len(RANKED_STRAINS) * self.jumps
        return Call(number) if number <= LAST_BID else None


_TRANSFERS = {"complete": 0, "super": 1}
"""The answers to a transfer, and how much they jump."""


def _transferred(s: AuctionView, suit: str) -> bool:
    """Has partner just shown the suit by a bid of another strain?"""
    return (
        s.last_bid is not None
        and s.last_bidder == s.partner
        and s.last_bid.strain != suit
        and suit in s.just_shown(s.partner)
    )


_OWNED: dict[str, Callable[[AuctionView, str], bool]] = {
    "raise": lambda s, suit: suit in s.suits[s.partner],
    "rebid": lambda s, suit: suit in s.suits[s.me],
    "new": lambda s, suit: not any(suit in shown for shown in s.suits),
    "cue": lambda s, suit: suit in s.suits[s.lho] or suit in s.suits[s.rho],
    "fourth": lambda s, suit: {suit} == set("SHDC") - (s.suits[s.me] | s.suits[s.partner]),
}
_PLAIN = {"P": PASS, "X": DOUBLE, "XX": REDOUBLE}
_BID = re.compile(rf"[1-7](?:NT|N|{SUIT_NAME})")
_RELATIVE = re.compile(
    r"(?P<jumps>(?:double )?jump)?\s*(?P<kind>cheapest|raise|rebid|new|cue|fourth|game|complete|super)?\s*"
    rf"(?P<strain>NT|N|{SUIT_NAME})"
)
_LEVELLED = ("game", *_TRANSFERS)
"""Kinds that have a level of their own."""
_STEP = re.compile(r"step ([1-9])")
_JUMPS = {None: 0, "jump": 1, "double jump": 2}


def parse_call(text: str) -> Callable[[Binding], CallMaker]:
    """Read the call of a line."""
    text = re.sub(r"\s+", " ", text.strip())
    if text in _PLAIN:
        plain = CallMaker("fixed", fixed=_PLAIN[text])
        return lambda binding: plain
    if _BID.fullmatch(text):
        return lambda binding: CallMaker("fixed", fixed=bind_bid(text, binding))
    step = _STEP.fullmatch(text)
    if step:
        higher = CallMaker("step", jumps=int(step[1]))
        return lambda binding: higher
    match = _RELATIVE.fullmatch(text)
    if match and (match["jumps"] or match["kind"]) and not (match["jumps"] and match["kind"] in _LEVELLED):
        name, jumps, kind = match["strain"], _JUMPS[match["jumps"]], match["kind"] or "cheapest"
        jumps = _TRANSFERS.get(kind, jumps)
        if name in ("N", "NT"):
            return lambda binding: CallMaker(kind, "N", jumps)
        return lambda binding: CallMaker(kind, resolve(name, binding), jumps)
    raise TextError(
        f"cannot read the call {text!r}",
        expected="P, X, XX, a bid such as 2M, or 'cheapest X', 'jump raise M', 'new X', 'cue X', 'game N', "
        "'step 1', 'complete X', 'super X'",
    )


@lru_cache(maxsize=1024)
def possible_calls(text: str) -> int:
    """The calls that the call of a line may turn out to be, as bits, for any suits and in any auction."""
    text = re.sub(r"\s+", " ", text.strip())
    if text in _PLAIN:
        return 1 << _PLAIN[text]
    if not _BID.fullmatch(text):
        return BIDS
    bits = 0
    for binding in expand(variables_of_call(text), {}, (), distinct=False):
        bits |= 1 << bind_bid(text, binding)
    return bits
