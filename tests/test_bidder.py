"""The front door: decisions with their evidence, the same answer to the same question, whole deals."""

import gc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from patience import patience

from pidm import Auction, Bidder, Deal, Hand, IllegalCallError, Limit, PidmError, Seat, Vul
from pidm.bridge.calls import Call
from pidm.bridge.worlds import random_deals, to_deals
from pidm.core.search import SearchOptions
from pidm.language.loading import load_system
from pidm.language.system import System
from pidm.play.decision import question
from systems import shipped, write_system

RULES = """
- title: Openings
  auction: P*
  bid:
    - either:
        - 1N: 15-17 hcp, balanced
        - 1H: 12-21 hcp, 5+ H
    - 1M: 12-21 hcp, 5+ M
    - 1m: 12-21 hcp, 3+ m
    - P: 0-11 hcp
- title: Raises
  auction: 1M
  bid:
    - 4M: {shows: "3+ M, 12+ points(M)", agrees: M}
    - 2M: {shows: "3+ M, 6-11 points(M)", agrees: M}
    - 1N: 6-12 hcp
    - P: 0-5 hcp
- title: After a raise
  auction: 1M 2M
  bid:
    - 4M: combined 25+ points(M)
    - P: any
- title: Otherwise
  auction: ...
  bid:
    - P: any
"""
EVERYBODY_PASSES = """
- auction: ...
  bid: [ {P: any} ]
"""
OPEN = "AQ2.QJ854.K4.AJ3"
FAST = {"limit": Limit(instances=400), "options": SearchOptions(sample_size=30, nested_size=4)}


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_system(tmp_path_factory.mktemp("system"), RULES)


def test_a_rule_decides_and_is_named(little: Path) -> None:
    decision = Bidder(little, limit=None).bid("KQ842.A3.K72.Q85")
    assert str(decision.call) == "1S"
    assert decision.by == "rule"
    (candidate,) = decision.candidates
    assert candidate.rules[0].block.title == "Openings"
    assert "little.yaml" in decision.why


def test_without_search_the_order_decides_what_is_open(little: Path) -> None:
    decision = Bidder(little, limit=None).bid(OPEN)
    assert decision.by == "preference"
    assert [str(c.call) for c in decision.candidates] == ["1N", "1H"]
    assert str(decision.call) == "1N"


def test_simulation_decides_what_is_open_and_shows_its_evidence(little: Path) -> None:
    decision = Bidder(little, **FAST).bid(OPEN)
    assert decision.by == "simulation"
    assert decision.worlds == 30
    assert decision.instances >= 30
    best, other = decision.candidates
    assert best.call == decision.call
    assert best.mean is not None and other.mean is not None
    assert best.mean >= other.mean
    assert f"{other.call} loses" in decision.why
    assert decision.to_dict()["candidates"][0]["call"] == str(decision.call)


def test_the_same_question_has_the_same_answer_in_any_company(little: Path) -> None:
    questions = [question(hand) for hand in (OPEN, "KQ842.A3.K72.Q85", "AKJ.QT984.K3.KJ2")]
    alone = [Bidder(little, **FAST).bid_many([q])[0] for q in questions]
    together = Bidder(little, **FAST).bid_many(questions)
    backwards = Bidder(little, **FAST).bid_many(questions[::-1])[::-1]
    for one, other, third in zip(alone, together, backwards):
        assert [c.mean for c in one.candidates] == [c.mean for c in other.candidates]
        assert [c.mean for c in one.candidates] == [c.mean for c in third.candidates]


def test_another_seed_samples_other_deals(little: Path) -> None:
    means = {Bidder(little, seed=seed, **FAST).bid(OPEN).candidates[1].mean for seed in range(4)}
    assert len(means) > 1


def test_a_hand_without_points_has_no_weaker_neighbour() -> None:
    """One point is in the range "0-10 hcp", and so is what is left of it with two points less."""
    decision = Bidder(shipped("two_over_one"), judgement=2, **FAST).bid("98652.T3.J85.T32", "1D X XX")
    assert (str(decision.call), decision.by) == ("1S", "rule")


def test_judgement_has_its_say_in_overcalls_but_not_in_openings() -> None:
    """What lies a point beside a rule is left to the simulation once somebody has opened."""
    bidder = Bidder(shipped("two_over_one"), judgement=2, experience="", **FAST)
    overcall = bidder.bid("KJ965.84.QT2.T53", "1D")
    assert {str(candidate.call) for candidate in overcall.candidates} == {"P", "1S"}
    assert bidder.bid("KJ965.84.QT2.T53").by == "rule"
    assert bidder.bid("KQ74.Q83.KJ52.97").by == "rule", "eleven points, one short of 1D"


def test_judgement_opens_the_neighbouring_call_at_the_edge_of_a_rule(little: Path) -> None:
    # 18 points with spades as trumps; with partner's six they make 24, one short of game
    hand, auction = "AKJ84.KQ3.K72.82", "1S P 2S P"
    strict = Bidder(little, judgement=0, **FAST).bid(hand, auction)
    open_ = Bidder(little, judgement=2, **FAST).bid(hand, auction)
    assert strict.by == "rule"
    assert {str(c.call) for c in open_.candidates} == {"P", "4S"}


def test_opponents_have_their_own_system(little: Path, tmp_path: Path) -> None:
    silent = write_system(tmp_path, EVERYBODY_PASSES)
    deal = Deal.from_str("N:AKQ32.Q32.K32.32 J54.AK4.AQ4.KQJ4 T98.J98.J98.T987 76.T765.T765.A65")
    result = Bidder(little, opponents=silent, limit=None).bid_deal(deal)
    assert str(result.auction) == "1S P P P"
    assert len(result.decisions) == 4


def test_dealer_and_vulnerability_are_taken_from_what_is_given() -> None:
    assert question(OPEN, ["1N", "-", "P"])[1] == Auction.from_str("1N P P"), "each is a call, dashes too"
    hand, auction = question("AQ2.QJ854.K4.AJ3", ["P", "1c"], "W", "both")
    assert hand == Hand.from_str(OPEN)
    assert auction == Auction.from_str("P 1C", Seat.W, Vul.Both)
    assert question(OPEN, auction, "N")[1].dealer == Seat.N


def test_an_auction_that_is_over_is_refused(little: Path) -> None:
    with pytest.raises(IllegalCallError, match="over"):
        Bidder(little, limit=None).bid(OPEN, "1S P P P")


def test_what_is_close_can_be_settled_double_dummy(little: Path) -> None:
    everything = replace(FAST["options"], close=100.0)
    plain, settled = (
        Bidder(little, settle=settle, limit=FAST["limit"], options=everything).bid(OPEN)
        for settle in (None, "dds")
    )
    assert "double dummy" not in plain.why
    assert settled.by == "simulation"
    means = [{str(c.call): c.mean for c in decision.candidates} for decision in (plain, settled)]
    assert means[0] != means[1]
    assert "30 of them double dummy" in settled.why


def test_the_reason_does_not_claim_what_the_simulation_did_not_find(little: Path, tmp_path: Path) -> None:
    never_passes = write_system(tmp_path, "- auction: P*\n  bid: [ {1C: any} ]")
    strict = replace(FAST["options"], tolerance=0)
    stranger = Bidder(little, partner=never_passes, limit=FAST["limit"], options=strict).bid(OPEN, "P P")
    assert stranger.by == "preference"
    assert stranger.why.startswith("The system leaves 1N and 1H open (Openings, ")
    assert stranger.why.endswith(
        "and prefers 1N; no deal was found that fits the auction, so nothing was simulated"
    )
    assert all(c.mean is None for c in stranger.candidates)
    few = replace(FAST["options"], nodes=1, unfinished=0.25)
    cut = Bidder(little, limit=FAST["limit"], options=few).bid(OPEN)
    assert cut.by == "preference"
    assert "and prefers 1N; the limit is too small to bid simulated deals out; more time would" in cut.why


def test_a_small_gain_does_not_replace_the_call_of_the_system(little: Path) -> None:
    careful = replace(FAST["options"], caution=100.0)
    for hand in (OPEN, "AKJ.QT984.K3.KJ2", "K3.AJ983.QJ5.AJ2"):
        decision = Bidder(little, limit=FAST["limit"], options=careful).bid(hand)
        assert str(decision.call) == "1N"
        assert "would lose -" not in decision.why


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"utility": "ddz"}, "'ddz' is no utility"),
        ({"settle": "ddz"}, "'ddz' is no utility"),
        ({"scoring": "pounds"}, "'pounds' is no form of scoring"),
        ({"opponents": ["silent"] * 3}, "not 3"),
    ],
)
def test_bad_options_are_named_at_once(little: Path, options: dict, problem: str) -> None:
    with pytest.raises(PidmError, match=problem):
        Bidder(little, **options)


def test_a_system_that_is_not_there_is_named() -> None:
    with pytest.raises(PidmError, match="no_such_system"):
        Bidder("no_such_system")


# ---------------------------------------------------------------------- time


LONG = "1H 1S 2H 2S 3C P 3H P P 3S P P"


@pytest.mark.parametrize("utility", ["estimate", "dds"])
def test_a_decision_under_a_limit_in_seconds_comes_to_an_end(utility: str) -> None:
    """How well limits are kept is for `scripts/benchmark limits`; this catches a solver that nobody stops."""
    bidder = Bidder(shipped("two_over_one"), limit=Limit(seconds=0.2), utility=utility)
    deals = to_deals(random_deals(6, np.random.default_rng(4)))
    with patience():
        decisions = [bidder.bid(deal[0], text) for deal in deals for text in ("1H P 1S P 2C P", LONG)]
    assert sum(len(decision.candidates) > 1 for decision in decisions) > 2


@pytest.mark.parametrize("limit", [Limit(seconds=0.2), Limit(instances=500), None])
def test_garbage_is_not_collected_within_a_decision(little: Path, limit: Limit | None) -> None:
    generations: list[int] = []
    bidder = Bidder(little, limit=limit)
    bidder.bid(OPEN)

    def watch(phase: str, info: dict[str, int]) -> None:
        generations.append(info["generation"])

    gc.collect()
    gc.callbacks.append(watch)
    try:
        bidder.bid(OPEN)
        assert not generations
        assert gc.isenabled()
        gc.disable()
        bidder.bid(OPEN)
        assert not gc.isenabled()  # whoever has switched it off has a reason
    finally:
        gc.callbacks.remove(watch)
        gc.enable()


def test_what_was_read_is_out_of_the_sight_of_garbage_collection() -> None:
    unread = System(load_system("two_over_one"))
    bidder = Bidder(unread, limit=Limit(seconds=0.3))
    frozen = gc.get_freeze_count()
    bidder.bid("AQJ84.K5.KQ72.85", "1S P 2S P")
    assert gc.get_freeze_count() > frozen


@pytest.mark.parametrize(
    ("hand", "auction", "out"),
    [
        ("AK3.Q64.J4.KQJ84", "1N P 2C P", "3N"),  # 18+, and the opening has shown 15-17
        ("QJ4.KJ983.T6.KT5", "1S 2D 2S 3H 3S P", "4S"),  # the look likes it, but 2S has shown less
    ],
)
@pytest.mark.parametrize("width", ["judgement", "wide"])
def test_what_earlier_calls_exclude_is_not_weighed(hand, auction, out, width):
    bidder = Bidder(shipped("two_over_one"), limit=Limit(instances=20), width=width)
    assert Call.from_str(out) in bidder.table(Seat.N).situation(Auction.from_str(auction)).excluded
    assert out not in {str(one.call) for one in bidder.bid(hand, auction).candidates}
