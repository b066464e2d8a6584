"""The forcing state: what lasts, what ends it, and when a pass would break it."""

from __future__ import annotations

import pytest

from pidm.bridge.auction import Auction
from pidm.language.force import Forcing, parse_forcing
from pidm.reading.forcing import ForcingState
from pidm.reading.laws import Laws

NOTHING = ForcingState()


def force(text: str) -> Forcing:
    return parse_forcing(text)({})


def after(auction: str, *forces: str, suits: str = "") -> tuple[ForcingState, Laws]:
    """The state after an auction whose calls ask these things, and the laws there; `suits` are those that the
    opponents of the dealer have shown."""
    state, laws = NOTHING, Laws(Auction())
    calls = Auction.from_str(auction).calls
    for number, call in enumerate(calls):
        asks = forces[number] if number < len(forces) else ""
        shown = frozenset(suits if laws.side else "")
        state = state.after(laws, call, force(asks) if asks else None, shown)
        laws = Laws(laws.auction.after(call))
    return state, laws


def test_nothing_is_forcing_at_first() -> None:
    assert not NOTHING.forced(Laws(Auction()))


@pytest.mark.parametrize(
    "auction, forced",
    [("1S P", True), ("1S 2C", False), ("1S X", False), ("1S P 2S P", False), ("1S P P", False)],
)
def test_a_force_for_one_round_ends_with_the_answer_or_their_bid(auction, forced) -> None:
    state, laws = after(auction, "round")
    assert state.forced(laws) is forced


@pytest.mark.parametrize("suits, forced", [("S", True), ("H", False)])
def test_nobody_plays_a_doubled_cue_bid(suits, forced) -> None:
    """Dealer bids their suit, and they double: that still asks for an answer; a suit of our own does not."""
    state, laws = after("2S X", "round", suits=suits)
    assert state.forced(laws) is forced


@pytest.mark.parametrize("auction, forced", [("4S P", True), ("7N P", True)])
def test_an_ask_must_be_answered_also_above_game(auction, forced) -> None:
    state, laws = after(auction, "round")
    assert state.forced(laws) is forced and not state.forced_to_game(laws)


@pytest.mark.parametrize(
    "auction, forced, committed",
    [
        ("2C P", True, True),
        ("2C P 2D P", True, True),
        ("2C P 2D P 3N P", False, False),
        ("2C P 2D P 4H P", False, False),
        ("2C P 2D P 4C P", True, True),
        ("2C 2S", False, True),  # a pass leaves it to partner
        ("2C 2S P P", True, True),
        ("2C 2S X P", False, True),  # their doubled contract may be played
        ("2C X", True, True),
    ],
)
def test_a_force_to_game_lasts_until_game(auction, forced, committed) -> None:
    state, laws = after(auction, "game")
    assert (state.forced_to_game(laws), state.game_forcing(laws)) == (forced, committed)
    assert state.forced(laws) is forced


def test_the_other_side_is_free() -> None:
    state, laws = after("2C", "game")
    assert not state.forced(laws) and not state.game_forcing(laws)


@pytest.mark.parametrize("auction, forced", [("1S P 2N P", True), ("1S P 3S P", False), ("1S P 3H P", True)])
def test_a_force_to_a_bid_ends_there(auction, forced) -> None:
    state, laws = after(auction, "", "", "to 3S")
    assert state.forced(laws) is forced
    assert not state.forced_to_game(laws) and not state.game_forcing(laws)


@pytest.mark.parametrize(
    "first, then, lasting",
    [
        ("to 2S", "to 3S", "to 3S"),
        ("to 3S", "to 2S", "to 3S"),
        ("game", "to 3S", "game"),
        ("to 3S", "game", "game"),
        ("game", "invite", "game"),
        ("game", "round", "game"),
    ],
)
def test_the_stronger_force_lasts(first, then, lasting) -> None:
    state, _ = after("1H P 1S P", first, "", then)
    assert state.lasting == (force(lasting), None)
