"""Suit symbols and dashes: what people paste into a hand, a call or the name of a feature, as plain text."""

from __future__ import annotations

_EMOJI = "\ufe0e\ufe0f"  # they choose how the symbol before them looks, and cannot be seen themselves
_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧❤‐‑‒–—―−×", "SHDCSHDCH-------X", _EMOJI)


def plain(text: str) -> str:
    """The text in capitals, with letters for suit symbols and plain dashes."""
    return text.upper().translate(_SYMBOLS)
