"""A wide look: what all that comes into question is worth as it stands, whatever the rules call.

It is what learning sees (`stakes`); it decides nothing by itself.
"""

from __future__ import annotations

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, PASS, STRAINS, Call
from pidm.features import HandColumns
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp
from pidm.reading.judgement import judged
from pidm.reading.look import FEWEST, MARGIN, SILENT, Look, Prepared, contested

JUDGEMENT = 2.0
"""Points beside the limits of the rules at which a call still comes into question."""
_HCP = hcp(CARDS)


class WideLook(Look):
    """Looks at hands of one table, and values all that comes into question."""

    def worth_it(self, auction: Auction, hand: np.ndarray, own: Call = PASS) -> bool:
        """Does something else than the call of the rules come into question: in a contested auction, or
        beside a pass of our own contract?

        Not beside a call that asks partner to go on: it is no place to play, so that nothing can be compared
        with it. Nor does anybody run from a contract of our own that was doubled.
        """
        contract, me = auction.contract, auction.actor
        if contract is None or not self.looks(me):
            return False
        if own.is_bid:
            if own.strain != "N" and CARDS.length[hand[STRAINS.index(own.strain)]] < 3:
                return False
            if self.forcing(auction, own) in ("round", "game", "to"):
                return False
        elif own not in (PASS, DOUBLE):
            return False
        ours = (contract.declarer ^ me) & 1 == 0
        if ours and contract.doubled:
            return False
        if not contested(auction):
            return ours and own == PASS
        situation = self.table.situation(auction)
        acted = any(call != PASS for call in situation.auction.calls[situation.partner :: 4])
        return acted or int(_HCP[hand].sum()) >= SILENT

    def prepared(self, auction: Auction, hand: np.ndarray, own: Call) -> Prepared | None:
        """What is to be valued, in which worlds; None where nothing is, or too few worlds fit."""
        calls = self.calls(auction, hand, own)
        if len(calls) < 2:
            return None
        worlds = self.deal(auction, hand)
        return Prepared(auction, calls, worlds, MARGIN) if len(worlds) >= FEWEST else None

    def calls(self, auction: Auction, hand: np.ndarray, own: Call) -> tuple[Call, ...]:
        """The call of the rules, and all others that come into question beside it."""
        situation = self.table.situation(auction)
        near = judged(situation, HandColumns(hand[None]), JUDGEMENT).candidates(0)
        found = [PASS, DOUBLE, *map(Call, near), *self.bids(auction, hand)]
        if own != PASS and situation.forced:
            found.remove(PASS)
        allowed = (call for call in found if situation.is_legal(call) and call not in situation.excluded)
        return tuple(dict.fromkeys([own, *allowed]))
