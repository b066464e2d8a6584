"""Every sentence of a reason is held against the rules, the hand and the numbers of the decision."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from pidm import Bidder, Limit
from pidm.authoring.card_line import kinds_of_hand_alone, line_of
from pidm.bridge.calls import Call
from pidm.core.choices import DecidedBy
from pidm.core.search import SearchOptions
from pidm.features import HandColumns
from pidm.play.decision import Decision
from pidm.play.match_boards import random_boards
from pidm.play.reasons import _shows
from pidm.reading.inference import bounds_of

BOARDS = 12
SAID = re.compile(
    r"^The system says (?P<call>\S+)(?: with (?P<kind>.+?))? \((?P<title>.+?), (?P<place>\S+?:\d+)"
)
LEFT_OPEN = re.compile(r"^The system leaves (?P<calls>.+?) open \(")
WORTH = re.compile(
    r"(?P<call>\S+) (?P<how>gains|loses) (?P<by>[\d.]+) IMPs \(±(?P<error>[\d.]+)"
    r"(?:, (?P<credit>[\d.]+) of them to be believed)?\)(?: on (?P<on>\S+))?"
)
SHOWN = re.compile(
    r"\. (?P<call>\S+) (?:shows|would be natural,) (?P<shows>.+); the hand (?P<fits>fits|does not fit)"
)


@pytest.fixture(scope="module", params=["two_over_one", "sayc"])
def decisions(request: pytest.FixtureRequest) -> list[Decision]:
    """All calls of some deals, a few of them simulated."""
    ruled = Bidder(request.param, limit=None)
    searched = Bidder(request.param, limit=Limit(instances=300), options=SearchOptions(sample_size=20))
    found = []
    for number, board in enumerate(random_boards(BOARDS, 2026)):
        bidder = ruled if number >= BOARDS // 2 else searched
        found += bidder.bid_deal(board.deal, board.dealer, board.vul).decisions
    return found


def test_there_is_something_to_hold_the_words_against(decisions: list[Decision]) -> None:
    by = Counter(one.by for one in decisions)
    assert by[DecidedBy.RULE] > 50 and by[DecidedBy.SIMULATION] > 5


def test_the_call_and_the_line_that_are_named_are_those_of_the_rules(decisions: list[Decision]) -> None:
    for one in decisions:
        choices = one.situation.choices(HandColumns(one.hand.array[None]))
        own = [Call(call) for call in choices.candidates(0)]
        if said := SAID.match(one.why):
            assert own == [Call.from_str(said["call"])] == [one.system_call], one.why
            rule = one.system[0].rules[0]
            assert rule.place.endswith(said["place"].removeprefix("systems")), one.why
        elif left := LEFT_OPEN.match(one.why):
            assert [str(call) for call in own] == left["calls"].split(" and "), one.why
        else:
            assert one.why.startswith("No rule ") and one.system_call is None, one.why


def test_the_kind_of_hand_that_is_named_is_that_of_the_hand(decisions: list[Decision]) -> None:
    named = 0
    for one in decisions:
        said = SAID.match(one.why)
        if said is None or said["kind"] is None:
            continue
        named += 1
        rule = one.system[0].rules[0]
        kinds = [bounds_of(box) for at in one.situation.applied if at.rule is rule for box, _, _ in at.boxes]
        columns = one.situation.beside_partner(HandColumns(one.hand.array[None]))
        fitting = [
            line_of([kind])
            for kind in kinds
            if all(low <= columns.column(what)[0] <= high for what, (low, high) in kind.items())
        ]
        assert said["kind"] in fitting or "; counted by tricks the hand has" in one.why, one.why
    assert named > 50


def test_numbers_in_words_are_those_of_the_decision(decisions: list[Decision]) -> None:
    compared = 0
    for one in decisions:
        if one.by is not DecidedBy.SIMULATION:
            continue
        told = WORTH.search(one.why)
        if told is None:
            assert " does as well (±" in one.why, one.why
            continue
        compared += 1
        means = {str(candidate.call): candidate.mean for candidate in one.candidates}
        errors = {str(candidate.call): candidate.standard_error for candidate in one.candidates}
        other = told["on"] or told["call"]
        ahead = means[str(one.call)] - means[other]
        sign = 1 if told["on"] or told["how"] == "loses" else -1
        assert float(told["by"]) == pytest.approx(sign * ahead, abs=0.006), one.why
        assert float(told["error"]) == pytest.approx(errors[other], abs=0.006), one.why
        assert f" {one.worlds} simulated deals" in one.why
        if told["on"]:
            assert float(told["credit"]) == pytest.approx(one.believed, abs=0.006), one.why
    assert compared > 3


def test_whether_the_hand_fits_is_told_truly(decisions: list[Decision]) -> None:
    for one in decisions:
        shown = SHOWN.search(one.why)
        if one.departs:
            assert shown is not None or one.why.endswith(f". Nothing is agreed about {one.call}"), one.why
        if shown is not None:
            assert (shown["call"], shown["shows"]) == (str(one.call), one.fit.shows), one.why
            assert (shown["fits"] == "fits") is one.fit.fits, one.why
            assert one.why.endswith(one.fit.outside), one.why


def test_a_call_that_shows_what_the_hand_has_not_is_never_made_in_silence(decisions: list[Decision]) -> None:
    for one in decisions:
        speaking = [at for at in one.situation.applied if at.call == one.call and at.speaks]
        columns = one.situation.beside_partner(HandColumns(one.hand.array[None]))
        shown = not speaking or any(
            all(low <= columns.column(what)[0] <= high for what, (low, high) in kind.items())
            for kind in kinds_of_hand_alone(speaking)
        )
        assert shown or "the hand does not fit: " in one.why or "; counted by tricks" in one.why, one.why


def test_where_the_count_decides_it_is_told() -> None:
    bidder = Bidder("two_over_one", limit=None)
    # 3D is 17-18 points with spades as trumps; by tricks the hand has 16
    assert bidder.bid("AQJ84.K5.KQ72.85", "1S P 2S P").why.endswith(
        "; counted by tricks the hand has 16 points with spades as trumps, not 17"
    )
    plain = Bidder("two_over_one", limit=None, card={"count_by_tricks": False}, experience="")
    assert str(plain.bid("AQJ84.K5.KQ72.85", "1S P 2S P").call) == "3D"


def test_a_hand_that_is_of_a_kind_only_as_it_is_counted_says_so() -> None:
    # eighteen points that were opened 1N; a pass shows 15-17
    why = Bidder("two_over_one", limit=None).bid("QJ.KQJ5.AT43.KQ6", "1N 2C P 2D").why
    assert why.startswith("The system says P with 15-17 HCP (")
    assert why.endswith("; counted by tricks the hand has 17 HCP, not 18")


def test_a_call_without_a_meaning_is_not_called_natural() -> None:
    decision = Bidder("two_over_one", limit=None).bid("QT42.QJ8.J4.KQT9", "2D P P X P 2S P 3N P")
    words = _shows(decision.situation, Call.from_str("5N"), decision.columns)
    assert words == "Nothing is agreed about 5N"


def test_what_is_weighed_is_what_the_candidates_are() -> None:
    bidder = Bidder("two_over_one", limit=Limit(instances=300), options=SearchOptions(sample_size=20))
    weighed = 0
    for board in random_boards(4, 11):
        for one in bidder.bid_deal(board.deal, board.dealer, board.vul).decisions:
            calls = {candidate.call for candidate in bidder.candidates(one.hand, one.auction)}
            if one.by is DecidedBy.EXPERIENCE:
                assert one.call in calls, one.auction
                continue
            assert calls == {candidate.call for candidate in one.candidates}, one.auction
            weighed += len(calls) > 1
            assert not calls & (one.situation.excluded - {one.system_call}) or all(
                call.is_bid and call.level >= 6 for call in calls & one.situation.excluded
            )
    assert weighed > 3
