"""The forcing state: which calls still bind a side, and whether a pass would break one of them."""

from __future__ import annotations

from typing import NamedTuple

from pidm.bridge.calls import DOUBLE, GAME, PASS, Call
from pidm.language.force import Forcing, ForcingKind
from pidm.reading.laws import Laws


class ForcingState(NamedTuple):
    """What both sides are held to."""

    lasting: tuple[Forcing | None, Forcing | None] = (None, None)
    """The force that each side is under until it ends: to game, or to a bid."""
    asked: int | None = None
    """The seat whose call was forcing for one round and has not been answered."""

    def after(self, laws: Laws, call: Call, forcing: Forcing | None, suits: frozenset[str]) -> ForcingState:
        """The state after a call of the player to call, which asks this and whose side has shown these
        suits."""
        lasting, asked = self.lasting, None
        if forcing is not None:
            if forcing.kind in (ForcingKind.GAME, ForcingKind.TO):
                mine = _stronger(lasting[laws.side], forcing)
                lasting = (mine, lasting[1]) if laws.side == 0 else (lasting[0], mine)
            elif forcing.kind is ForcingKind.ROUND:
                asked = laws.me
        if self.asked is not None and self.asked & 1 != laws.side and _survives(laws, call, suits):
            asked = self.asked
        return ForcingState(lasting, asked)

    def forced(self, laws: Laws) -> bool:
        """Would a pass break a force?"""
        if self.asked is not None and self.asked == laws.partner:
            return True  # also above game: an ask must be answered
        force = self.lasting[laws.side]
        return force is not None and _pass_breaks(force, laws)

    def forced_to_game(self, laws: Laws) -> bool:
        """Would a pass break a force to game?"""
        force = self.lasting[laws.side]
        return force is not None and force.kind is ForcingKind.GAME and _pass_breaks(force, laws)

    def game_forcing(self, laws: Laws) -> bool:
        """Is the side to call committed to game and not there yet?"""
        force = self.lasting[laws.side]
        return force is not None and force.kind is ForcingKind.GAME and not _reached(force, laws)


def _survives(laws: Laws, call: Call, suits: frozenset[str]) -> bool:
    """Must the forcing call before be answered after this call of an opponent who has shown these suits?

    After a pass it must. A bid or double is a way out, except that nobody plays a doubled cue bid.
    """
    if call != DOUBLE or laws.last_bid is None:
        return call == PASS
    return laws.last_bid.strain in suits


def reaches(force: Forcing, call: Call) -> bool:
    """Does a bid end a force that lasts to game or to a bid?"""
    if not call.is_bid:
        return False
    return call >= (GAME[call.strain] if force.until is None else force.until)


def _reached(force: Forcing, laws: Laws) -> bool:
    return laws.last_bid is not None and reaches(force, laws.last_bid)


def _pass_breaks(force: Forcing, laws: Laws) -> bool:
    if _reached(force, laws) or laws.last_bidder is None:
        return False
    if laws.last_bidder & 1 == laws.side:
        return laws.auction.calls[-1] == PASS or laws.doubled > 0
    return laws.balancing and not laws.doubled


def _stronger(one: Forcing | None, other: Forcing) -> Forcing:
    if one is None or other.kind is ForcingKind.GAME:
        return other
    if one.kind is ForcingKind.GAME:
        return one
    return max(one, other, key=lambda force: force.until or 0)
