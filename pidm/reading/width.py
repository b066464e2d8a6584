"""How wide a search looks: which calls are weighed besides those that the system leaves open.

With opponents as they are, wide candidates win; with a poor model of them they lose more than they can win.
So the width is chosen with the model.
"""

from __future__ import annotations

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, GAME, PASS, Call
from pidm.core.choices import Choices, Proposal
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp
from pidm.reading.judgement import Width
from pidm.reading.look import Look

NOTRUMP = 15
"""Points for 3N opposite a partner who has not acted."""
_HCP = hcp(CARDS)


def widened(choices: Choices, look: Look, auction: Auction, hand: np.ndarray, width: Width) -> Choices:
    """The choices of one hand, uint16[4], with the further calls of this width behind them."""
    if width is Width.JUDGEMENT or auction.last_bid is None:
        return choices
    known = choices.candidates(0)
    own = Call(known[0])
    out = {*known, *look.table.situation(auction).excluded}
    further = [call for call in _further(look, auction, hand, own, width) if call not in out]
    if not further:
        return choices
    proposals = (*choices.proposals, *(Proposal(int(call), width) for call in further))
    return Choices(
        proposals, np.column_stack([choices.mask, np.ones((1, len(further)), bool)]), choices.refined
    )


def _further(look: Look, auction: Auction, hand: np.ndarray, own: Call, width: Width) -> list[Call]:
    bids = look.bids(auction, hand)
    legal = set(auction.legal())
    if width is Width.WIDE:
        found = [PASS, DOUBLE, *bids]
    else:
        found = [PASS] if auction.contract is not None else []
        found += [bid for bid in bids if _is_goal(auction, bid, hand)]
        if look.worth_it(auction, hand, own):
            seen = look.at([(auction, hand, own)])[0]
            if seen is not None and len(seen.calls) > 1:
                found.append(seen.calls[1 + int(seen.sure[1:].argmax())])
    return [call for call in dict.fromkeys(found) if call in legal]


def _is_goal(auction: Auction, bid: Call, hand: np.ndarray) -> bool:
    """Is the bid a game or a slam?"""
    if bid.level < Call(GAME[bid.strain]).level:
        return False
    if bid.strain == "N" and bid.level == 3:
        partner = auction.actor.partner
        acted = any(c != PASS and auction.seat_of(k) == partner for k, c in enumerate(auction.calls))
        return acted or int(_HCP[hand].sum()) >= NOTRUMP
    return True
