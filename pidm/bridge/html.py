"""Hands, deals and auctions as small pieces of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pidm.bridge.auction import Auction
    from pidm.bridge.calls import Call
    from pidm.bridge.cards import Deal, Hand

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RED = "HD"


def suit(letter: str) -> str:
    """The symbol of a suit in its colour."""
    colour = "#c4151c" if letter in _RED else "inherit"
    return f'<span style="color:{colour}">{_SYMBOLS[letter]}</span>'


def hand(held: Hand, between: str = " ") -> str:
    """The four suits of a hand."""
    suits = str(held).split(".")
    return between.join(f"{suit(letter)}{cards or '–'}" for letter, cards in zip("SHDC", suits))


def call(made: Call) -> str:
    """A call with its symbol."""
    if not made.is_bid:
        return {"P": "pass", "X": "X", "XX": "XX"}[str(made)]
    return f"{made.level}{'NT' if made.strain == 'N' else suit(made.strain)}"


def deal(dealt: Deal) -> str:
    """A hand diagram: north on top, west and east beside the table."""
    north, east, south, west = (hand(held, "<br>") for held in dealt.hands)
    cell = '<td style="text-align:left;padding:.3em 1em">'
    compass = '<td style="text-align:center">N<br>W&nbsp;&nbsp;E<br>S</td>'
    return (
        '<table style="border:1px solid #999">'
        f"<tr><td></td>{cell}{north}</td><td></td></tr>"
        f"<tr>{cell}{west}</td>{compass}{cell}{east}</td></tr>"
        f"<tr><td></td>{cell}{south}</td><td></td></tr></table>"
    )


def auction(bid: Auction) -> str:
    """An auction in four columns, west first, as it is printed."""
    cells = [""] * ((bid.dealer + 1) % 4) + [call(one) for one in bid.calls]
    rows = [cells[start : start + 4] for start in range(0, len(cells), 4)]
    return table(("W", "N", "E", "S"), rows)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; the cells of the rows are HTML already."""
    top = "".join(f"<th>{escape(one)}</th>" for one in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"
