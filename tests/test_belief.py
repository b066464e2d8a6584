"""What a player may believe of the hidden hands, and what hands really make a call."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from pidm import Auction, Bidder, Call, Hand, Seat
from pidm.bridge.worlds import from_deals, random_deals, to_deals
from pidm.cli.app import app
from pidm.play.belief import believed, real_hands
from pidm.reading.table import Table
from systems import shipped

HAND = "KJ84.QT7.A5.9842"


@pytest.fixture(scope="module")
def bidder() -> Bidder:
    return Bidder(shipped("two_over_one"), limit=None)


def test_partner_has_what_the_calls_show(bidder: Bidder) -> None:
    found = bidder.belief(Hand.from_str(HAND), Auction.from_str("1N P 2C P 2H P"), worlds=200)
    assert list(found.seats) == [Seat.N, Seat.E, Seat.W]
    opener = found.seats[Seat.N]
    assert opener.points[15:18].sum() == pytest.approx(1)
    assert opener.lengths[1, 4:].sum() == pytest.approx(1), "four hearts"
    assert opener.mean_lengths[1] >= 4
    assert found.consistent == 1


def test_what_i_hold_nobody_else_has(bidder: Bidder) -> None:
    found = bidder.belief(Hand.from_str(HAND), Auction.from_str("1N P"), worlds=100)
    for seat in found.seats.values():
        assert seat.card("SK") == 0
        assert seat.cards.sum() == pytest.approx(13)
    assert sum(seat.card("SA") for seat in found.seats.values()) == pytest.approx(1)


def test_chances_are_counted() -> None:
    worlds = random_deals(50, np.random.default_rng(3))
    found = believed(worlds, [Seat.E]).seats[Seat.E]
    hands = [deal[Seat.E] for deal in to_deals(worlds)]
    assert found.mean_points == pytest.approx(np.mean([hand.hcp for hand in hands]))
    assert found.lengths[2, 5] == np.mean([hand.lengths[2] == 5 for hand in hands])
    again = believed(from_deals(to_deals(worlds)), [Seat.E]).seats[Seat.E]
    assert again.to_dict() == found.to_dict()


def test_hands_really_have_what_the_system_says() -> None:
    found = real_hands(
        Table.of(shipped("two_over_one")), Auction.from_str("1S P"), 400, np.random.default_rng(1)
    )
    raised = found[Call.from_str("2S")]
    mean, low, high = raised.points
    assert 5 <= low <= mean <= high <= 10
    assert raised.lengths[0][1] >= 3
    assert sum(one.share for one in found.values()) == pytest.approx(1)
    assert raised.bits == pytest.approx(-np.log2(raised.share))


def test_the_command_shows_both() -> None:
    real = CliRunner().invoke(app, ["explain", "two_over_one", "", "--real", "--json"])
    assert {one["call"] for one in json.loads(real.stdout)["real"]} >= {"P", "1C", "1S", "1N"}
    belief = CliRunner().invoke(app, ["explain", "two_over_one", "1N P", "--belief", HAND])
    assert belief.exit_code == 0 and "█" in belief.stdout and "HCP" in belief.stdout
    assert any(
        line.split()[0] == "honours" and " SA " in f" {line} " for line in belief.stdout.splitlines()[1:]
    )
    wrong = CliRunner().invoke(app, ["explain", "two_over_one", "1N P", "--belief", "AK"])
    assert wrong.exit_code == 2


def test_a_belief_stands_below_what_else_was_asked_for() -> None:
    words = ["explain", "two_over_one", "1N P 2C P", "--belief", "AQ5.K72.KJ83.A94"]
    both = CliRunner().invoke(app, [*words, "--all", "--real"]).stdout
    explained, believed = both.split("\n\n")
    assert explained.startswith("Calls made") and "Answers to Stayman  " in explained
    # 2N is natural here, and no hand that opened 1N bids it
    natural = explained[explained.index("  N 2N  no agreement") :]
    assert "really: none of the hands dealt" in natural
    assert "deals, 100% of them fit every call" in believed.splitlines()[0]
    data = json.loads(CliRunner().invoke(app, [*words, "--real", "--json"]).stdout)
    assert {"possible", "real", "belief"} <= set(data)
