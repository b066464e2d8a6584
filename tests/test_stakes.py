"""What is at stake in the calls of a decision, on hands that a player can check."""

from __future__ import annotations

import numpy as np
import pytest

from pidm import Auction, Hand
from pidm.bridge.calls import PASS, Call, Vul
from pidm.reading.stakes import KINDS, NAMES, STAKES, Dilemma, contenders, kind_of
from pidm.reading.table import Table
from pidm.reading.wide_look import WideLook
from systems import shipped

TABLE = Table.of(shipped("two_over_one"))
LOOK = WideLook(TABLE)


def case_of(hand: str, calls: str, own: str = "P", vul: Vul = Vul.None_) -> Dilemma:
    auction = Auction.from_str(calls, vul=vul)
    held = Hand.from_str(hand).array
    seen = LOOK.at([(auction, held, Call.from_str(own))])[0]
    assert seen is not None
    return Dilemma(TABLE.situation(auction), auction, held, contenders(seen))


def stake(case: Dilemma, name: str, call: str) -> float:
    return float(case.rows[case.calls.index(Call.from_str(call)), NAMES.index(name)])


@pytest.fixture(scope="module")
def competing() -> Dilemma:
    """1H (1S) 2H (2S) to a hand with four-card support in a sound minimum."""
    return case_of("K3.KJ854.A95.Q72", "1H 1S 2H 2S", vul=Vul.NS)


def test_a_raise_of_our_suit(competing):
    assert kind_of(competing.situation, Call.from_str("3H")) == "raise"
    assert stake(competing, "kind", "3H") == KINDS.index("raise")
    assert stake(competing, "trumps", "3H") == 8
    assert stake(competing, "law", "3H") == -1
    assert stake(competing, "level", "3H") == 3
    assert stake(competing, "points", "3H") == 13
    assert stake(competing, "we_vul", "3H") == 1 and stake(competing, "they_vul", "3H") == 0
    assert stake(competing, "game", "3H") == 0
    assert stake(competing, "acted", "3H") == 1
    assert stake(competing, "theirs", "3H") == 1


def test_the_call_of_the_rules_stands_first_and_gains_nothing(competing):
    assert competing.calls[0] == PASS
    assert stake(competing, "gain", "P") == 0 == stake(competing, "gain_doubled", "P")
    assert (competing.rows[:, NAMES.index("own_kind")] == KINDS.index("pass")).all()


def test_a_doubled_bid_never_gains_more_when_it_is_down(competing):
    gain, doubled, chance = (competing.rows[:, NAMES.index(n)] for n in ("gain", "gain_doubled", "chance"))
    assert (doubled[chance < 0.3] <= gain[chance < 0.3]).all()


@pytest.mark.parametrize(
    ("hand", "calls", "call", "kind"),
    [
        ("K3.KJ854.A95.Q72", "1H 1S 2H 2S", "2N", "notrump"),
        ("AQJ954.K3.A95.72", "1S 2C P P", "2S", "rebid"),
        ("AQJ95.K3.AK52.72", "1S 2C P P", "2D", "new suit"),
        ("AQJ95.K3.AK52.72", "1S 2C P P", "3C", "cue bid"),
        ("AQJ95.K3.AK52.72", "1S 2C P P", "X", "double"),
        ("AQJ95.K3.AK52.72", "1S 2C P P", "P", "pass"),
    ],
)
def test_kinds_of_calls(hand, calls, call, kind):
    assert kind_of(TABLE.situation(Auction.from_str(calls)), Call.from_str(call)) == kind


def test_points_and_cards_beside_what_a_call_shows():
    weak = case_of("8542.KJ854.95.72", "1H 1S 2H 2S")
    shown = TABLE.situation(weak.auction).meaning_of(Call.from_str("3H")).shown
    assert shown
    assert stake(weak, "points_off", "3H") > 0


def test_doubles_do_not_come_into_question():
    case = case_of("K3.KJ854.A95.Q72", "1H 1S 2H 2S")
    assert Call.from_str("X") not in case.calls[1:]
    assert len(case.calls) <= 6


def test_every_stake_has_a_name_of_its_own_and_words(competing):
    assert len(set(NAMES)) == len(STAKES)
    assert all(one.about for one in STAKES)
    assert competing.rows.shape == (len(competing.calls), len(STAKES))
    assert np.isfinite(competing.rows).all()
