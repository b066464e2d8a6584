"""How much of what a simulation sees in a departure from the system is to be believed.

A simulation departs where another call looks better, so what it sees is too good for three reasons. The call
that looks best has been lucky in the deals that were drawn. The others do not bid quite as they are modelled,
and partner, who is taken to follow the system in the simulation, looks and searches at the table. More deals
take away the first part, not the others, which matter where opponents bid. With experience all four go on in
the simulation about as they do at the table, and only luck is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pidm.bridge.auction import Auction

if TYPE_CHECKING:
    from pidm.bridge.utilities import Form

SPREAD = 1.0
"""IMPs: how much the worth of calls that come into question differs."""
BLIND = 1.0
"""IMPs: how far a simulation of a contested auction is off in which the rules go on, however many deals."""
AN_IMP: dict[Form, float] = {"imps": 1.0, "matchpoints": 0.07, "points": 58.0}
"""About what an IMP is in each form of scoring: what two calls differ by from deal to deal, divided by what
they differ by in IMPs."""


def believed(gain: float, error: float, auction: Auction, form: Form, *, by_rules: bool) -> float:
    """What a departure that looks better by `gain`, with this standard error, is to be taken to gain: the
    mean of what it may really gain, if that is spread as usual around none. `by_rules` says whether the
    auctions went on by the rules."""
    from pidm.reading.look import contested

    unit = AN_IMP[form]
    doubt = (error / unit) ** 2 + (BLIND**2 if by_rules and contested(auction) else 0.0)
    return gain * SPREAD**2 / (SPREAD**2 + doubt)
