"""Experience with another card, or in a file that goes on from a shipped system: where calls say the same."""

from __future__ import annotations

import pytest

from pidm import Bidder
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Hand
from pidm.core.choices import DecidedBy
from pidm.core.limit import Limit
from pidm.language.system import System
from pidm.play.alike import Alike
from pidm.play.experienced import nearest
from pidm.play.in_play import in_play_of
from pidm.play.others import LEFT, RIGHT
from pidm.reading.table import Table
from systems import shipped

MULTI = {"multi_2d": True}
LIGHT = "T9.A653.KJ83.KT4"  # by experience 1D, by rules a pass


@pytest.fixture(scope="module")
def multi() -> System:
    return System.load("two_over_one", MULTI)


@pytest.mark.parametrize(
    ("auction", "alike"),
    [
        ("", True),
        ("1N P 2C P", True),
        ("2D", True),  # theirs: how they mean it is another matter
        ("P 2D", True),
        ("2D P", False),
        ("2D X P", True),
        ("2D X P 2H", False),
    ],
)
def test_auctions_are_alike_in_which_our_calls_say_the_same(multi, auction, alike):
    situation = Table.of(multi).situation(Auction.from_str(auction))
    assert Alike(shipped("two_over_one")).so_far(situation) is alike


def test_calls_are_alike_that_say_the_same(multi):
    alike, opening = Alike(shipped("two_over_one")), Table.of(multi).situation(Auction.from_str(""))
    says = {text: alike.says(opening, Call.from_str(text)) for text in ("1N", "1S", "2D", "3D")}
    assert says == {"1N": True, "1S": True, "2D": False, "3D": True}


def test_experience_holds_with_another_card(multi):
    usual, other = Bidder(limit=None), Bidder(multi, limit=None)
    one, same = usual.bid(LIGHT), other.bid(LIGHT)
    assert (str(one.call), one.by) == ("1D", DecidedBy.EXPERIENCE) == (str(same.call), same.by)
    assert one.why == same.why


def test_what_says_something_else_is_left_to_the_rules(multi):
    """Weak with diamonds, and 2D shows a major: experience with weak twos would have opened it."""
    hand = "Q6.AT976.QJT842."
    assert str(Bidder(limit=None).bid(hand).call) == "2D"
    assert str(Bidder(multi, limit=None).bid(hand).call) != "2D"
    answer = Bidder(multi, limit=None).bid("KJ84.QT73.A5.982", "2D P")
    assert answer.by is not DecidedBy.EXPERIENCE


def test_a_search_keeps_to_what_holds(multi):
    bidder = Bidder(multi, limit=Limit(instances=600))
    questions = [
        (Hand.from_str("KJ84.QT73.A5.982"), Auction.from_str("2D P")),
        (Hand.from_str(LIGHT), Auction.from_str("")),
    ]
    without = Bidder(multi, limit=Limit(instances=600), experience="")
    together = bidder.bid_many(questions)
    assert [one.call for one in together] == [bidder.bid(*one).call for one in questions]
    assert together[0].candidates == without.bid(*questions[0]).candidates
    assert {str(one.call) for one in together[1].candidates} == {"1D", "P"}
    assert bidder.candidates(*questions[0]) == without.candidates(*questions[0])


def test_a_multi_is_believed_to_be_one_whoever_opens_it(multi):
    """The networks know weak twos in diamonds only."""
    bidder, hand = Bidder(multi, limit=Limit(instances=400)), Hand.from_str("KJ84.QT73.A5.982")
    for auction, opener in (("2D P", Seat.N), ("2D", Seat.N)):
        seen = bidder.belief(hand, Auction.from_str(auction), 100).seats[opener]
        majors = [sum(row[6:]) for row in seen.lengths[:2]]
        assert sum(majors) > 0.9, auction


def test_an_undescribed_opponent_is_read_by_my_card(multi):
    usual, other = (Bidder(system, limit=Limit(instances=100)) for system in (shipped("two_over_one"), multi))
    assert usual.seating.experienced.by_rules == set()
    assert other.seating.experienced.by_rules == {LEFT, RIGHT}


def test_a_file_that_goes_on_from_a_system_has_its_experience(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("system: mine\nextends: two_over_one\n", encoding="utf-8")
    decision = Bidder(path, limit=None).bid(LIGHT)
    assert (str(decision.call), decision.by) == ("1D", DecidedBy.EXPERIENCE)
    assert nearest(shipped("silent")) is None


def test_what_is_told_of_hands_in_play_holds_with_another_card_too(multi):
    for auction, call, same in (("", "3C", True), ("2D P", "3D", False)):
        usual, other = (
            in_play_of(table)[0].words(table.situation(Auction.from_str(auction)), Call.from_str(call))
            for table in (Table.of(shipped("two_over_one")), Table.of(multi))
        )
        assert usual and other == (usual if same else "")
