"""The kinds of deals that one can ask for to practise with."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of deals, as it is offered to people."""

    title: str
    about: str


KINDS = {
    "random": Kind("Random deals", "As they come at the club"),
    "notrump": Kind("We open 1NT", "Transfers, Stayman, invitations"),
    "slam": Kind("Slam hands", "Twelve tricks are likely"),
    "contested": Kind("Both sides bid", "Overcalls, doubles, raises"),
}
"""What can be asked for, besides a convention by its name."""
