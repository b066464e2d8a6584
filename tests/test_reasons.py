"""What a decision says of itself: the system's own call, what was weighed, whether the hand fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pidm import Auction, Bidder, Call, Limit
from pidm.authoring.fit import fit
from pidm.bridge.cards import Hand
from pidm.core.search import SearchOptions
from pidm.language.system import System
from pidm.play.reasons import _unclear
from pidm.reading.table import Table
from systems import write_system

RULES = """
- title: Openings
  auction: P*
  bid:
    - 1S: 12-21 hcp, 5+ S
    - P: 0-11 hcp
- title: Raises
  auction: 1S
  bid:
    - 4S: 13+ points(S), 4+ S
    - 3S: 10-12 points(S), 3+ S
    - 2S: 6-9 points(S), 3+ S
    - P: any
- title: After the raise
  auction: 1S 2S
  bid:
    - 4S: 18+ hcp
    - P: 12-17 hcp
"""
GAME = "AKQ842.52.AQJ72."
"""Sixteen points, two short of four spades, and a game opposite almost any raise."""


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_system(tmp_path_factory.mktemp("reasons"), RULES)


def bidder(system: Path) -> Bidder:
    return Bidder(system, limit=Limit(instances=400), options=SearchOptions(sample_size=30))


def test_a_departure_says_so_and_by_how_much_the_hand_lies_outside(little: Path) -> None:
    decision = bidder(little).bid(GAME, "1S P 2S P")
    assert (str(decision.system_call), str(decision.call)) == ("P", "4S")
    assert decision.departs and not decision.fit.fits
    assert decision.why.startswith("The system says P (After the raise, ")
    assert "; 4S departs from it and gains " in decision.why
    shows = "4S shows 18-21 HCP; the hand does not fit: 2 HCP fewer"
    assert decision.why.endswith(f" on P in 30 simulated deals. {shows}")


def test_what_the_system_really_leaves_open_is_no_departure(little: Path) -> None:
    decision = bidder(little).bid("KQ842.A3.K72.Q85", "1S P 2S P")
    assert (str(decision.call), decision.by) == ("P", "rule")
    assert not decision.departs
    assert decision.fit.fits
    assert decision.fit.shows == "12-17 HCP"


def test_some_simulated_deals_are_told_with_how_each_candidate_ended(little: Path) -> None:
    decision = bidder(little).bid(GAME, "1S P 2S P")
    assert 1 <= len(decision.deals) <= 3
    for told in decision.deals:
        assert str(told.deal[decision.auction.actor]) == GAME
        assert [one.call for one in told.endings] == [one.call for one in decision.candidates]
        for ending in told.endings:
            start = decision.auction.after(ending.call).calls
            assert ending.auction.over and ending.auction.calls[: len(start)] == start
    told = json.loads(json.dumps(decision.to_dict()))
    assert (told["system"], told["fits"], told["outside"]) == ("P", False, "2 HCP fewer")
    assert "4S by N" in [one["endings"][0]["contract"] for one in told["deals"]]


@pytest.mark.parametrize(
    ("hand", "auction", "call", "outside"),
    [
        (GAME, "1S P 2S P", "4S", "2 HCP fewer"),
        ("K5.A7432.KQ3.A82", "", "1S", "3 spades fewer"),
        ("KJ43.A743.Q3.A82", "", "1S", "1 spade fewer"),
        ("KJ432.A74.Q3.A82", "", "1S", ""),
        ("KJ43.A74.Q32.982", "1S P", "2S", "1 point more"),
    ],
)
def test_by_how_much_a_hand_lies_outside(
    little: Path, hand: str, auction: str, call: str, outside: str
) -> None:
    situation = Table.of(System.load(little)).situation(Auction.from_str(auction))
    assert fit(situation, Call.from_str(call), Hand.from_str(hand)).outside == outside


SIX_HEARTS = "11-16 HCP, 6+ hearts, 16+ HCP with those in hearts counted twice"


@pytest.mark.parametrize(
    ("hand", "auction", "call", "outside"),
    [
        # 3H is 13-16 with five hearts and 11-16 with six; its line tells 11-16, 5+ hearts
        ("Q5.KQJ83.A94.852", "1S P 2S", "3H", f"1 heart fewer (nearest: {SIX_HEARTS})"),
        ("842.AQ83.A94.Q52", "1S", "1N", "3 HCP fewer, nothing like a stopper in spades"),
    ],
)
def test_what_a_hand_has_instead_is_told(hand: str, auction: str, call: str, outside: str) -> None:
    situation = Table.of(System.load("two_over_one")).situation(Auction.from_str(auction))
    assert fit(situation, Call.from_str(call), Hand.from_str(hand)).outside == outside


def test_a_call_that_nobody_agreed_on_is_natural(little: Path) -> None:
    situation = Table.of(System.load(little)).situation(Auction.from_str("1S P 2S P"))
    found = fit(situation, Call.from_str("5D"), Hand.from_str("AKQ84.K5.AT752.5"))
    assert found.natural and found.fits


def test_disclosed_keeps_to_calls_that_the_hand_fits(little: Path) -> None:
    options = SearchOptions(sample_size=30)
    honest = Bidder(little, limit=Limit(instances=400), options=options, disclosed=True)
    decision = honest.bid(GAME, "1S P 2S P")
    assert (str(decision.call), decision.by) == ("P", "rule")
    assert decision.fit.fits


def test_worlds_are_as_many_as_was_said(little: Path) -> None:
    decision = Bidder(little, limit=Limit(instances=2000), worlds=45).bid(GAME, "1S P 2S P")
    assert decision.worlds == 45


@pytest.mark.parametrize(
    ("difference", "error", "words"),
    [
        (0.5, 0.1, ""),
        (0.1, 0.1, "; about 800 deals would tell"),
        (0.15, 0.1, "; about 360 deals would tell"),
        (0.001, 0.1, "; more time would hardly tell them apart"),
    ],
)
def test_what_more_time_would_change(difference: float, error: float, words: str) -> None:
    assert _unclear(difference, error, 200) == words
