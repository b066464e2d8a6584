"""Little systems written in a test, and shipped ones that tests share."""

from __future__ import annotations

import textwrap
from functools import cache
from pathlib import Path

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.reading.table import Table


@cache
def shipped(name: str) -> System:
    """A shipped system, loaded once: whoever asks it about an auction has read it for all tests."""
    return System.load(name)


def write_system(folder: Path, rules: str, head: str = "") -> Path:
    """A system file with these blocks."""
    path = folder / "little.yaml"
    blocks = textwrap.indent(textwrap.dedent(rules).lstrip(), "  ")
    path.write_text(f"system: little\n{textwrap.dedent(head)}rules:\n{blocks}")
    return path


def little_system(folder: Path, rules: str, head: str = "") -> System:
    """A system with these blocks, loaded."""
    return System.load(write_system(folder, rules, head))


def calls_of(system: System, hand: str, auction: str = "") -> list[str]:
    """The candidate calls of a hand, best first."""
    columns = HandColumns(Hand.from_str(hand).array[None])
    choices = Table.of(system).net(Auction.from_str(auction)).choices(columns)
    return [str(Call(action)) for action in choices.candidates(0)]
