"""Auctions that people ask about, spelt as in system files or call by call."""

from __future__ import annotations

import re

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.errors import CallError, PidmError
from pidm.language.mistakes import TextError
from pidm.language.pattern import parse_pattern


def asked_auction(text: str, dealer: Seat = Seat.N, vul: Vul = Vul.None_, whose: bool = False) -> Auction:
    """Read an auction: with calls of theirs in parentheses as patterns are read, else call by call.

    Between two calls of ours and after the last one a pass of theirs need not be written then. Bids alone can
    be meant in both ways: who writes them is asked which. Of one bid that matters to those who ask for a call
    (`whose`), not to those who ask what it shows.

    >>> str(asked_auction("1S (2H) 3S"))
    '1S 2H 3S P'
    >>> str(asked_auction("1N P 2C P"))
    '1N P 2C P'
    """
    words = text.split()
    if any(word.startswith("(") for word in words) and all(map(_PATTERN.fullmatch, words)):
        try:
            return Auction.from_str(_spelt_out(text), dealer, vul)
        except TextError as error:
            raise CallError(f"{error}, in auction: {text.strip()}") from None
    literal = Auction.from_str(text, dealer, vul)
    if len(literal.calls) > (0 if whose else 1) and all(map(_BID.fullmatch, words)):
        _ask(text, dealer, vul)
    return literal


_PATTERN = re.compile(r"\(?(?:[1-7](?:NT?|[SHDC])|P|XX?)\)?", re.IGNORECASE)
_BID = re.compile(r"[1-7](?:NT?|[SHDC])", re.IGNORECASE)


def _spelt_out(text: str) -> str:
    """The calls of both sides, implied passes included."""
    return " ".join(element.text for element in parse_pattern(text.upper().replace("NT", "N")).elements)


def _ask(text: str, dealer: Seat, vul: Vul) -> None:
    """Ask which is meant, if bids alone may be all of one side."""
    ours = _spelt_out(text)
    try:
        Auction.from_str(ours, dealer, vul)
    except PidmError:
        return
    words = text.split()
    # Call by call the last one is of the opponents of the player to call, and so is every other one before.
    last = len(words) - 1 & 1
    theirs = " ".join(f"({word})" if number & 1 == last else word for number, word in enumerate(words))
    raise CallError(
        f"{text.strip()} can be read in two ways: "
        f"write {ours} if the opponents passed, or {theirs} if they bid"
    )
