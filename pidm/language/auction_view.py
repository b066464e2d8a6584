"""What conditions and relative calls may ask about an auction: all that the language needs to know of it.

Reading an auction is the work of the room above, whose `Situation` answers these questions.
"""

from __future__ import annotations

from typing import Protocol

from pidm.bridge.calls import Call
from pidm.features import Feature, Range


class AuctionView(Protocol):
    """The auction so far, as the player to call sees it.

    Seats are counted from the dealer (0 deals). Pairs are of the dealer's side and the other.
    """

    # Seats and sides.

    @property
    def me(self) -> int:
        """The seat to call."""

    @property
    def partner(self) -> int:
        """The seat opposite."""

    @property
    def lho(self) -> int:
        """The seat to the left."""

    @property
    def rho(self) -> int:
        """The seat to the right."""

    @property
    def side(self) -> int:
        """0 if the seat to call is on the dealer's side."""

    # The laws.

    @property
    def vul(self) -> tuple[bool, bool]:
        """Which sides are vulnerable."""

    @property
    def scoring(self) -> str:
        """`imps` or `matchpoints`."""

    @property
    def last_bid(self) -> Call | None:
        """The highest bid so far."""

    @property
    def last_bidder(self) -> int | None:
        """Who made it."""

    @property
    def opener(self) -> int | None:
        """Who made the first bid."""

    @property
    def active(self) -> tuple[bool, bool]:
        """Has the side bid or doubled?"""

    @property
    def doubled(self) -> int:
        """0, 1 or 2: how the last bid stands doubled."""

    @property
    def balancing(self) -> bool:
        """Would a pass end the auction?"""

    def is_legal(self, call: Call) -> bool:
        """Whether the laws allow the call now."""

    def cheapest(self, strain: str) -> Call | None:
        """The lowest legal bid in a strain."""

    def passed_hand(self, seat: int) -> bool:
        """Did the seat pass before anybody bid?"""

    def has_bid(self, seat: int) -> bool:
        """Has the seat made a bid?"""

    def has_called(self, seat: int, call: int) -> bool:
        """Has the seat made this call?"""

    # What has been shown and agreed.

    @property
    def suits(self) -> tuple[frozenset[str], ...]:
        """The suits that each seat has shown by length."""

    def just_shown(self, seat: int) -> frozenset[str]:
        """The suits that the last call of the seat showed by length."""

    @property
    def agreed(self) -> tuple[str | None, str | None]:
        """The suits agreed as trumps."""

    @property
    def conventions(self) -> frozenset[str]:
        """What is on the card of the player to call."""

    @property
    def in_force(self) -> tuple[frozenset[str], frozenset[str]]:
        """The conventions that have been started and not ended."""

    def range_of(self, seat: int, what: Feature) -> Range:
        """The least and the most of a feature that a seat has shown."""

    def least_length(self, seat: int, suit: str) -> float:
        """The shortest that the suit can be."""

    @property
    def undiscussed(self) -> bool:
        """Does no block of the system or its conventions speak of this auction?"""

    # What must be done.

    @property
    def mood(self) -> tuple[str | None, ...]:
        """`invite` or `signoff`, if the last call of the seat was one."""

    @property
    def forced(self) -> bool:
        """Would a pass break a force?"""

    @property
    def forced_to_game(self) -> bool:
        """Would a pass break a force to game?"""

    @property
    def game_forcing(self) -> bool:
        """Is our side committed to game and not there yet?"""
