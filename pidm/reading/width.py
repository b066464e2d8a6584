"""How wide a search looks: which calls are weighed besides those that the system leaves open.

With opponents as they are, wide candidates win; with a poor model of them they lose more than they can win.
So the width is chosen with the model.
"""

from __future__ import annotations

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, GAME, PASS, Call, Contract
from pidm.core.choices import Choices, Proposal
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp
from pidm.reading.judgement import Width
from pidm.reading.look import Look, goes_on

NOTRUMP = 15
"""Points for 3N opposite a partner who has not acted."""
_HCP = hcp(CARDS)


def widened(choices: Choices, look: Look, auction: Auction, hand: np.ndarray, width: Width) -> Choices:
    """The choices of one hand, uint16[4], with the further calls of this width behind them.

    None are added where a contract of ours was doubled: a simulation sees every way out as better than what
    was doubled, and the next one after it too.
    """
    if width is Width.JUDGEMENT or auction.last_bid is None or _we_are_doubled(auction):
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
        found += [bid for bid in bids if _is_goal(auction, own, bid, hand)]
        if look.worth_it(auction, hand, own):
            seen = look.at([(auction, hand, own)])[0]
            if seen is not None and len(seen.calls) > 1:
                found.append(seen.calls[1 + int(seen.sure[1:].argmax())])
    return [call for call in dict.fromkeys(found) if call in legal]


def _ours(auction: Auction) -> Contract | None:
    """The contract, if our side would declare it."""
    contract = auction.contract
    return contract if contract is not None and (contract.declarer ^ auction.actor) & 1 == 0 else None


def _we_are_doubled(auction: Auction) -> bool:
    contract = _ours(auction)
    return contract is not None and bool(contract.doubled)


def _in_our_game(auction: Auction) -> bool:
    contract = _ours(auction)
    return contract is not None and contract.bid >= GAME[contract.strain]


def _is_goal(auction: Auction, own: Call, bid: Call, hand: np.ndarray) -> bool:
    """Is the bid a game or a slam that somebody would bid instead of the system's own call?"""
    if bid.level < Call(GAME[bid.strain]).level or (bid > own and not goes_on(auction, own, bid)):
        return False
    if bid.level < 6 and _in_our_game(auction):
        return False
    if bid.level == 7 and not _over_our_six(auction, bid):
        return False
    if bid.strain == "N" and bid.level == 3:
        partner = auction.actor.partner
        acted = any(c != PASS and auction.seat_of(k) == partner for k, c in enumerate(auction.calls))
        return acted or int(_HCP[hand].sum()) >= NOTRUMP
    return bid.strain != "N" or bid.level >= 6  # four and five notrump ask


def _over_our_six(auction: Auction, bid: Call) -> bool:
    contract = _ours(auction)
    return contract is not None and contract.level == 6 and contract.strain == bid.strain
