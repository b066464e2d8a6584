"""What simulations think that they gain on the system, and what they gain."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.match.duplicate import DUPLICATE, Match, play, run_match
from pidm.match.gains import Gain, by_pair, gain_data, gain_lines
from pidm.match.kept_results import plain_result, read_result
from pidm.match.plots import gain_calibration
from pidm.match.report import match_data
from pidm.play.calling import Answer, Departure
from pidm.play.match_boards import Board, random_boards
from pidm.play.pair import Pair
from pidm.play.room import Effort, Room, Setup
from pidm.play.tables import Sitting, bid_tables

FOUR_SPADES = Deal.from_str("N:AKQJT98.A32.32.2 432.KQJ.AKQ.KQJT 765.654.654.9876 .T987.JT987.A543")
"""North takes eight tricks in spades, whatever they lead."""
ONE, FOUR = Call.from_str("1S"), Call.from_str("4S")


class Jumper:
    """North bids four spades at once, where its system opens with one, and is sure of winning five IMPs."""

    def __init__(self) -> None:
        self.notices: Counter[str] = Counter()

    def answers(self, questions):
        return [self._answer(*one) for one in questions]

    def _answer(self, hand, auction):
        if hand == FOUR_SPADES[Seat.N] and not auction.calls:
            return Answer(FOUR, departure=Departure(ONE, 5.0, added=True))
        return Answer(PASS)

    def close(self):
        pass


@pytest.fixture
def room(tmp_path):
    pairs = (Pair.from_str("two_over_one,no-search"), Pair.from_str("sayc,no-search"))
    made = Room(Setup(pairs, store=tmp_path / "solved"))
    made.callers = [Jumper(), Jumper()]
    return made


def test_the_systems_call_is_made_in_its_place(room):
    """Four spades doubled by nobody goes down, one spade makes: the jump loses what the scores differ by."""
    board = Board(1, FOUR_SPADES, Seat.N, Vul.None_)
    [result] = play(room, [board], gains=True)
    for table in result.tables:
        assert str(table.auction) == "4S P P P"
        tricks = table.tricks
        assert tricks == 8, "two down: -100, where one spade scores 110"
        assert table.gains == (Gain(0, ONE, True, 5.0, -5),)
    assert play(room, [board])[0].tables[0].gains == (), "only if it is asked for"


def test_what_came_is_told_beside_what_was_predicted(room):
    board = Board(1, FOUR_SPADES, Seat.N, Vul.None_)
    results = tuple(play(room, [board] * 2, gains=True))
    match = Match(room.setup, results, Effort(), 0.0)
    assert [len(by_pair(match, pair)) for pair in (0, 1)] == [2, 2], "each sat north at one table of a board"
    line = gain_lines(match, "IMPs")[0]
    assert line.startswith("A departed from its system 2 times by calls that no rule near the hand makes")
    assert "predicted +5.00 IMPs a call, gained -5.00" in line
    assert gain_data(match)[0]["difference"] == -10.0
    told = match_data(match)["results"][0]["tables"][0]["gains"]
    assert told == [{"at": 0, "own": "1S", "added": True, "predicted": 5.0, "realised": -5}]
    again = [read_result(json.loads(json.dumps(plain_result(one))), board) for one in results]
    assert again == list(results), "kept while a match goes on"


def test_gains_are_drawn(room):
    pytest.importorskip("matplotlib")
    board = Board(1, FOUR_SPADES, Seat.N, Vul.None_)
    match = Match(room.setup, tuple(play(room, [board], gains=True)), Effort(), 0.0)
    assert gain_calibration(match) is not None
    assert gain_calibration(Match(room.setup, tuple(play(room, [board])), Effort(), 0.0)) is None


def test_a_table_whose_auction_is_over_asks_nobody():
    board = Board(1, FOUR_SPADES, Seat.N, Vul.None_)
    sitting = Sitting(board, DUPLICATE[0], before=(PASS,) * 4)
    [bidding] = bid_tables([sitting], [Jumper(), Jumper()])
    assert bidding.complete and bidding.auction.over


def test_simulations_tell_how_they_depart():
    """A searching pair beside the same without search: only simulations depart from their system."""
    searching = Pair.from_str("two_over_one,instances=120,width=wide,no-experience")
    setup = Setup((searching, Pair.from_str("two_over_one,no-search")))
    match = run_match(setup, random_boards(4, 5), gains=True)
    gains = by_pair(match, 0)
    assert gains and not by_pair(match, 1), "who does not search departs from nothing"
    assert all(one.predicted > 0 for one in gains)
