"""The calls of lines: fixed ones, and every kind of relative one."""

from __future__ import annotations

import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import CALLS
from pidm.language import relative_call
from pidm.language.mistakes import TextError
from pidm.language.relative_call import parse_call, possible_calls
from pidm.language.system import System
from pidm.reading.table import Table
from systems import little_system

SUITS = {"M": "S", "m": "C", "X": "H"}

CASES: list[tuple[str, str, str | None]] = [
    ("P", "1S", "P"),
    ("X", "1S", "X"),
    ("X", "", None),
    ("XX", "1S X", "XX"),
    ("2M", "1S P", "2S"),
    ("2oM", "1S P", "2H"),
    ("2NT", "1S P", "2N"),
    ("1S", "1S P", None),
    ("cheapest D", "1S", "2D"),
    ("cheapest N", "1S", "1N"),
    ("cheapest m", "", "1C"),
    ("cheapest S", "7S", None),
    ("jump D", "1S", "3D"),
    ("jump NT", "1S", "2N"),
    ("double jump D", "1S", "4D"),
    ("jump S", "6N", None),
    ("raise M", "1S P", "2S"),
    ("raise X", "1S P", None),
    ("jump raise M", "1S P", "3S"),
    ("double jump raise M", "1S P", "4S"),
    ("rebid S", "1S P 2C P", "2S"),
    ("jump rebid S", "1S P 2C P", "3S"),
    ("rebid H", "1S P 2C P", None),
    ("new X", "1S P", "2H"),
    ("jump new X", "1S P", "3H"),
    ("new S", "1S P", None),
    ("new S", "1S", None),
    ("cue S", "1S", "2S"),
    ("cue S", "1S P 2C", "2S"),
    ("jump cue S", "1S", "3S"),
    ("cue H", "1S", None),
    ("fourth C", "1S P 2H P 3D P", "4C"),
    ("fourth D", "1S P 2H P 3D P", None),
    ("fourth C", "1S P 2H P", None),
    ("game N", "1S P", "3N"),
    ("game M", "1S P", "4S"),
    ("game H", "1S P", "4H"),
    ("game m", "1S P", "5C"),
    ("game D", "1S P", "5D"),
    ("game S", "4N P", None),
    ("step 1", "2D P 2N P", "3C"),
    ("step 4", "2D P 2N P", "3S"),
    ("step 1", "1S X", "1N"),
    ("step 2", "7S P", None),
    ("step 1", "", None),
]


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    rules = '- {auction: P*, bid: [ {1M: "12-21 hcp, 5+ M"} ]}'
    return little_system(tmp_path_factory.mktemp("systems"), rules)


@pytest.mark.parametrize("text, auction, call", CASES)
def test_a_call(system: System, text: str, auction: str, call: str | None) -> None:
    situation = Table.of(system).situation(Auction.from_str(auction))
    found = parse_call(text)(SUITS).resolve(situation)
    assert (None if found is None else str(found)) == call
    assert found is None or situation.is_legal(found)
    assert found is None or possible_calls(text) >> found & 1


def test_every_kind_has_a_case() -> None:
    words = {word for text, _, _ in CASES for word in text.split()}
    assert words >= {*relative_call._OWNED, "cheapest", "game", "jump", "double", *relative_call._PLAIN}


@pytest.mark.parametrize(
    "text, calls",
    [("P", "P"), ("X", "X"), ("2M", "2H 2S"), ("3om", "3C 3D"), ("1N", "1N"), ("3X", "3C 3D 3H 3S")],
)
def test_the_calls_that_a_fixed_call_may_be(text: str, calls: str) -> None:
    bits = possible_calls(text)
    assert [str(call) for call in CALLS if bits >> call & 1] == calls.split()


def test_a_relative_call_may_be_any_bid() -> None:
    assert [call for call in CALLS if possible_calls("jump raise M") >> call & 1] == list(CALLS[3:])


@pytest.mark.parametrize("text", ["", "8C", "3Q", "raise", "leap S", "jump game S", "jump", "triple jump S"])
def test_what_is_no_call(text: str) -> None:
    with pytest.raises(TextError, match="cannot read the call"):
        parse_call(text)


def test_spaces_do_not_matter() -> None:
    assert parse_call("  jump   raise S ")(SUITS).jumps == 1
