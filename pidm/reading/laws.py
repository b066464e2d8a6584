"""The auction as the laws see it: whose turn it is, who has called what, and which calls are legal.

Seats are counted from the dealer here (0 deals), so that one reading serves a system at any table position.
"""

from __future__ import annotations

from functools import cached_property

from pidm.bridge.auction import Auction
from pidm.bridge.calls import FIRST_BID, LAST_BID, PASS, RANKED_STRAINS, Call


class Notes:
    """Notes that something has asked who is vulnerable, or has used what was found out by asking.

    If `last` is the same before and after something is found out, that holds whoever is vulnerable.
    """

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last = object()
        """Another one after each time."""

    def ask(self) -> None:
        """Note it once more."""
        self.last = object()


NOTES = Notes()


class Laws:
    """The auction so far, from the seat that is to call. Pairs are of the dealer's side and the other."""

    def __init__(self, auction: Auction):
        self.auction = auction
        """The auction with the dealer in the north seat."""
        self.me = len(auction.calls) & 3
        """The seat to call, counted from the dealer."""
        self.side = self.me & 1
        """0 if that is on the dealer's side."""
        self._vul = (auction.vul.of(0), auction.vul.of(1))
        self.last_bid = auction.last_bid
        """The highest bid so far."""

    @property
    def vul(self) -> tuple[bool, bool]:
        """Which sides are vulnerable; that it was asked is noted."""
        NOTES.ask()
        return self._vul

    @property
    def partner(self) -> int:
        """The seat opposite."""
        return (self.me + 2) & 3

    @property
    def lho(self) -> int:
        """The seat to the left."""
        return (self.me + 1) & 3

    @property
    def rho(self) -> int:
        """The seat to the right."""
        return (self.me + 3) & 3

    @cached_property
    def opener(self) -> int | None:
        """Who made the first bid."""
        return next((turn & 3 for turn, call in enumerate(self.auction.calls) if call.is_bid), None)

    @cached_property
    def last_bidder(self) -> int | None:
        """Who made it."""
        last = self.last_bid
        return None if last is None else self.auction.calls.index(last) & 3

    @cached_property
    def active(self) -> tuple[bool, bool]:
        """Has the side bid or doubled?"""
        calls = self.auction.calls
        return any(call != PASS for call in calls[::2]), any(call != PASS for call in calls[1::2])

    @property
    def doubled(self) -> int:
        """0, 1 or 2: how the last bid stands doubled."""
        return self.auction.doubled

    @property
    def balancing(self) -> bool:
        """Would a pass end the auction?"""
        return self.last_bid is not None and self.auction.calls[-2:] == (PASS, PASS)

    @cached_property
    def legal(self) -> frozenset[Call]:
        """The calls that the laws allow."""
        return frozenset(self.auction.legal())

    def is_legal(self, call: Call) -> bool:
        """Whether the laws allow the call now."""
        return call in self.legal

    def cheapest(self, strain: str) -> Call | None:
        """The lowest legal bid in a strain."""
        strains = len(RANKED_STRAINS)
        number = FIRST_BID + RANKED_STRAINS.index(strain)
        last = self.last_bid
        if last is not None and number <= last:
            number += strains * -(-(last + 1 - number) // strains)
        return Call(number) if number <= LAST_BID else None

    def passed_hand(self, seat: int) -> bool:
        """Did the seat pass before anybody bid?"""
        calls = self.auction.calls
        return len(calls) > seat and all(call == PASS for call in calls[: seat + 1])

    def has_bid(self, seat: int) -> bool:
        """Has the seat made a bid?"""
        return any(call.is_bid for call in self.auction.calls[seat::4])

    def has_called(self, seat: int, call: int) -> bool:
        """Has the seat made this call?"""
        return call in self.auction.calls[seat::4]
