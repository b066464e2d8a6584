"""What a call asks of partner: the `forcing` of a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from pidm.bridge.calls import Call
from pidm.language.condition import bind_bid
from pidm.language.mistakes import TextError
from pidm.language.suits import SUIT_NAME, Binding


class ForcingKind(str, Enum):
    """The kinds of force, as they are written."""

    ROUND = "round"
    """Partner must not pass."""
    GAME = "game"
    """The side must not stop below game."""
    TO = "to"
    """The side must not stop below a bid."""
    TAKEOUT = "takeout"
    """Partner must not pass, unless to defend."""
    CORRECT = "correct"
    """Partner passes with length in the suit, else bids the own one."""
    INVITE = "invite"
    SIGNOFF = "signoff"
    NO = "no"


_WORDS = {
    ForcingKind.ROUND: "forcing one round",
    ForcingKind.GAME: "forcing to game",
    ForcingKind.TAKEOUT: "for takeout",
    ForcingKind.CORRECT: "pass or correct",
    ForcingKind.INVITE: "invitational",
    ForcingKind.SIGNOFF: "to play",
    ForcingKind.NO: "not forcing",
}


class Forcing(NamedTuple):
    """What a call asks of partner."""

    kind: ForcingKind
    until: Call | None = None
    """With `to`: the bid at which the force ends."""

    def __str__(self) -> str:
        return f"forcing to {self.until}" if self.kind is ForcingKind.TO else _WORDS[self.kind]


_PLAIN = {kind.value: Forcing(kind) for kind in ForcingKind if kind is not ForcingKind.TO}
_TO = re.compile(rf"to\s+([1-7](?:NT|N|{SUIT_NAME}))")


def parse_forcing(text: str) -> Callable[[Binding], Forcing]:
    """Read the `forcing:` of a line."""
    word = text.strip()
    plain = _PLAIN.get(word)
    if plain is not None:
        return lambda binding: plain
    match = _TO.fullmatch(word)
    if match:
        return lambda binding: Forcing(ForcingKind.TO, bind_bid(match.group(1), binding))
    raise TextError(
        f"{word!r} is no kind of force",
        expected="round, game, to 3M, takeout, correct, invite, signoff or no",
    )
