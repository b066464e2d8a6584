"""What a call asks of partner, as it is written."""

from __future__ import annotations

import pytest

from pidm.bridge.calls import Call
from pidm.language.force import ForcingKind, parse_forcing
from pidm.language.mistakes import TextError

WORDS = {
    "round": "forcing one round",
    "game": "forcing to game",
    "to 3M": "forcing to 3S",
    "takeout": "for takeout",
    "correct": "pass or correct",
    "invite": "invitational",
    "signoff": "to play",
    "no": "not forcing",
}


@pytest.mark.parametrize("text", WORDS)
def test_a_force_reads_and_says_what_it_is(text: str) -> None:
    force = parse_forcing(f" {text} ")({"M": "S"})
    assert force.kind == text.split()[0]
    assert str(force) == WORDS[text]
    assert force.until == (Call.from_str("3S") if text == "to 3M" else None)


def test_every_kind_has_a_case() -> None:
    assert {text.split()[0] for text in WORDS} == {kind.value for kind in ForcingKind}


@pytest.mark.parametrize("text", ["", "yes", "to", "to 8S", "to game", "rounds"])
def test_what_is_no_force(text: str) -> None:
    with pytest.raises(TextError, match="no kind of force; expected round, game, to 3M"):
        parse_forcing(text)
