import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.doubledummy import tables
from pidm.bridge.par_auction import within_reach
from pidm.bridge.scoring import par
from pidm.bridge.worlds import random_deals, to_deals
from pidm.cli.app import app
from pidm.match.review import annotated, in_words, kind_of, remark, review
from pidm.match.review_page import page
from pidm.match.standings import standings
from pidm.records.boards import Note, Record, read, write

DEAL = Deal.from_str("N:KJ84.QT73.A5.982 Q72.AJ4.QJ94.T76 A95.K85.K72.AQJ3 T63.962.T863.K54")
"""South opens 1NT, north has eleven points: 3NT makes."""


def record_of(auction, **more):
    record = Record.of(DEAL, Auction.from_str(auction, Seat.S, Vul.None_), board=3)
    return Record(**{**vars(record), "tags": {"North": "Ann <N>", "Event": "Club"}, **more})


@pytest.fixture(scope="module")
def timid():
    """North passes partner's notrump."""
    return next(review([record_of("1N P P P")], "two_over_one", "sayc", 10.0)).to_dict()


# ---------------------------------------------------------------------- par after every call


def test_at_the_start_par_is_within_reach():
    worlds = random_deals(10, np.random.default_rng(5))
    solved = tables(worlds)
    for number, deal in enumerate(to_deals(worlds)):
        dealer, vul = Seat(number % 4), Vul(number % 3)
        assert within_reach(Auction(dealer, vul), solved[number]) == [
            par(deal, vul, dealer, solved[number]).score
        ]


def test_calls_only_lose_for_their_own_side():
    worlds = random_deals(4, np.random.default_rng(6))
    rng = np.random.default_rng(7)
    for solved in tables(worlds):
        auction = Auction(Seat.E, Vul.NS)
        while not auction.over:
            legal = auction.legal()
            auction = auction.after(
                legal[0] if rng.random() < 0.5 else legal[rng.integers(min(len(legal), 6))]
            )
        reach = within_reach(auction, solved)
        assert len(reach) == len(auction.calls) + 1
        for at in range(len(auction.calls)):
            better = 1 if auction.seat_of(at).side == "NS" else -1
            assert better * (reach[at + 1] - reach[at]) <= 0


# ---------------------------------------------------------------------- reviews


def test_a_timid_pass_is_found_and_its_cost(timid):
    calls = {call["at"]: call for call in timid["reviewed"]}
    assert calls[0]["fits"] == "system" and not calls[0]["mistake"]
    assert calls[2]["fits"] == "outside" and calls[2]["preferred"] == "2C"
    assert calls[2]["mistake"] and calls[2]["lost"] > 1
    assert calls[2]["kind"] == "response"
    assert timid["par"]["score"] == 450 and timid["lost_at"] in (2, 3)
    assert "par NS +450" in in_words(timid) and remark(calls[2]).startswith("pidm: 2C, this loses")
    assert remark(calls[0]) == ""
    json.dumps(timid)


def test_the_file_keeps_what_it_had(timid, tmp_path):
    record = record_of("1N P P P", notes=(Note(0, "15-17", True),), comments=("late play",))
    marked = annotated(record, timid)
    assert marked.notes[0] == Note(0, "15-17", True)
    assert marked.notes[1].at == 2 and "this loses" in marked.notes[1].text
    assert marked.comments[0] == "late play" and "par NS +450" in marked.comments[1]
    write(tmp_path / "marked.pbn", [marked])
    again = read(tmp_path / "marked.pbn").boards[0]
    assert again.notes == marked.notes and again.tags["Event"] == "Club" and again.deal == DEAL


def test_standings_and_page(timid):
    found = standings([timid])
    assert found["pairs"][0]["name"] == "Ann <N> – S" and found["pairs"][0]["mistakes"] == 1
    assert found["dearest"][0]["best"] == "2C" and found["dearest"][0]["auction"] == ["1N", "P"]
    text = page([timid], "Tuesday & friends", {"NS": "two_over_one", "EW": "sayc"})
    assert "Tuesday &amp; friends" in text and "Ann &lt;N&gt;" in text and "<N>" not in text
    assert "<script" not in text and "src=" not in text
    assert text.count("<article") == 1 and "loses" in text
    sentence = text[text.index(". Par NS") : text.index("</p></div>")]
    assert "par was lost by Pass of " in sentence and re.search(r"<b>\d<span class=\"[SHDCN]\">", sentence)


@pytest.mark.parametrize(
    ("auction", "call", "kind"),
    [
        ("P", "1S", "opening"),
        ("1S P", "2S", "response"),
        ("1S", "2H", "defence"),
        ("1S P P", "X", "defence"),
        ("1S 2H", "2S", "competing"),
        ("1S P 2S P", "4S", "rebid"),
        ("1S P 2S P 3S P", "4S", "later"),
        ("1S P 3S P", "6S", "slam"),
    ],
)
def test_kinds_of_decisions(auction, call, kind):
    assert kind_of(Auction.from_str(auction), Call.from_str(call)) == kind


def test_boards_of_which_not_all_is_known():
    north, _, south, _ = DEAL.hands
    half = Record(board=1, hands=(north, None, south, None), auction=Auction.from_str("1N P P P", Seat.S))
    bare = Record(board=2, hands=DEAL.hands)
    first, second = (one.to_dict() for one in review([half, bare], "sayc", "sayc", None))
    assert [call["seat"] for call in first["reviewed"]] == ["S", "N"]
    assert first["par"] is None and first["lost_at"] is None and first["score"] is None
    assert second["trouble"] == "no auction is recorded" and not second["reviewed"]
    assert "no auction" in page([first, second], "x", {"NS": "sayc", "EW": "sayc"})
    assert annotated(bare, second) == bare


# ---------------------------------------------------------------------- the command


def test_the_command_writes_page_and_notes(tmp_path):
    write(tmp_path / "club.pbn", [record_of("1N P P P"), record_of("1N P 3N P P P")])
    done = CliRunner().invoke(
        app,
        [
            *(
                "review",
                str(tmp_path / "club.pbn"),
                "--systems",
                "NS=two_over_one,EW=sayc",
                "--seconds",
                "5",
            ),
            *("--html", str(tmp_path / "r.html"), "--out", str(tmp_path / "r.pbn"), "--jobs", "1"),
        ],
    )
    assert done.exit_code == 0, done.output
    assert "2 boards" in done.stdout and "The most expensive calls" in done.stdout
    assert len(read(tmp_path / "r.pbn").boards) == 2
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("systems", "words"),
    [
        ("NS=sayc", "both sides"),
        ("XY=sayc,EW=sayc", "no side with its system"),
        ("nowhere_club", "nowhere_club"),
    ],
)
def test_systems_that_cannot_be(tmp_path, systems, words):
    write(tmp_path / "club.pbn", [record_of("1N P P P")])
    done = CliRunner().invoke(app, ["review", str(tmp_path / "club.pbn"), "--systems", systems])
    assert done.exit_code == 2 and words in done.output
