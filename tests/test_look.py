"""The shallow look: what contracts are worth as they stand, and what is made of it."""

from dataclasses import replace

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.core.limit import Limit
from pidm.core.search import SearchOptions, SearchResult
from pidm.play.bidder import Bidder
from pidm.reading.look import Look
from pidm.reading.table import Table
from systems import shipped


@pytest.fixture(scope="module")
def bidder():
    return Bidder(shipped("two_over_one"), limit=None, experience="")


@pytest.fixture(scope="module")
def look():
    return Look(Table.of(shipped("two_over_one")))


def masks(hand):
    return Hand.from_str(hand).array


SOLD_OUT = "5.AQT86.65.AQ865", Auction.from_str("1H 2S 3H 3S")
"""Opener with five good clubs beside the hearts that partner has raised; the rules let them play 3S."""


def test_the_rules_pass_and_the_look_bids(bidder):
    assert Bidder(shipped("two_over_one"), limit=None, look=False).bid(*SOLD_OUT).call == PASS
    decision = bidder.bid(*SOLD_OUT)
    assert (str(decision.call), decision.by) == ("4H", "look")
    assert "pass would leave them in 3S" in decision.why and "even if doubled" in decision.why
    assert [str(candidate.call) for candidate in decision.candidates] == ["4H", "P"]
    assert decision.candidates[0].mean >= 1 and decision.candidates[1].mean == 0


@pytest.mark.parametrize(
    ("hand", "auction"),
    [
        ("KQJ84.A3.K72.985", ""),  # nothing to look at before somebody bids
        ("T4.J32.97652.985", "1S"),  # nobody has acted on our side, and with one point nobody will
        ("Q4.J32.K7652.Q85", "1H 1S 2H 2S P P X"),  # a doubled contract of our own is not run from
    ],
)
def test_nothing_to_look_at(look, hand, auction):
    assert not look.worth_it(Auction.from_str(auction), masks(hand))


def test_a_hand_is_looked_at_the_same_alone_and_in_company(look):
    asked = [
        (SOLD_OUT[1], masks(SOLD_OUT[0]), PASS),
        (Auction.from_str("P 1S P P", Seat.W, Vul.Both), masks("Q3.T72.AT653.A76"), PASS),
        (Auction.from_str("1H X 3H"), masks("K964.83.AQ75.T82"), PASS),
    ]
    together = look.at(asked)
    for one, seen in zip(asked, together):
        alone = Look(look.table).at([one])[0]
        assert alone.calls == seen.calls
        assert np.array_equal(alone.points, seen.points) and np.array_equal(alone.doubled, seen.doubled)


def test_gains_are_measured_against_the_call_of_the_rules(look):
    seen = look.at([(SOLD_OUT[1], masks(SOLD_OUT[0]), PASS)])[0]
    assert seen.calls[0] == PASS and seen.gains[0] == seen.sure[0] == 0
    assert (seen.sure <= seen.gains).all() and (seen.sure <= seen.gains_doubled).all()
    best, *others = seen.gaining
    assert seen.gain_of(best)[0] == pytest.approx(seen.sure[best])
    assert all(1 <= seen.sure[place] <= seen.sure[best] for place in others)
    assert replace(seen, margin=50).gaining == []
    contract = seen.contracts[best]
    assert (contract.level, contract.strain, contract.declarer) == (4, "H", Seat.N)


def test_worlds_fit_partner_and_only_loosely_the_opponents(look):
    hand, auction = SOLD_OUT
    worlds = look.deal(auction, masks(hand))
    assert len(worlds) == 48 and (worlds[:, Seat.N] == masks(hand)).all()
    raised = look.table.choices(auction.__class__.from_str("1H 2S"), _columns(worlds[:, Seat.S]))
    assert raised.allows(Call.from_str("3H")).all()
    jumped = look.table.choices(auction.__class__.from_str("1H"), _columns(worlds[:, Seat.E]))
    assert not jumped.allows(Call.from_str("2S")).all()


def _columns(hands):
    from pidm.features import HandColumns

    return HandColumns(hands)


def test_a_game_that_the_rules_bid_is_raised_to_slam(bidder):
    """Opener has shown a strong hand with two suits; partner's hearts are what it needs."""
    decision = bidder.bid("AKJ983.AT3..AQ42", "1S P 1N P 3C P 3H P")
    assert (str(decision.call), decision.by) == ("6H", "look")  # with a void nobody asks for key cards
    assert "4H is making easily; 6H is making" in decision.why


def test_key_cards_are_asked_for_before_a_slam_in_a_major(bidder):
    hand, auction = "A87.852.AQ95.AJ7", "1H 2D 3D P 4H P"
    decision = bidder.bid(hand, auction)
    assert (str(decision.call), decision.by) == ("4N", "look")
    assert "4N asks, and 6H is making" in decision.why
    answer = bidder.bid("KJ3.KQ974.2.KQ65", f"{auction} 4N P").call
    assert str(answer) == "5D"  # the king of trumps


def test_a_slam_is_looked_for_in_the_strain_of_the_game_or_instead_of_notrump(look):
    strong = masks("AQ4.KQ2.AKJ74.K2")
    over_notrump = look.at([(Auction.from_str("1C P 1D P 3D P"), strong, Call.from_str("3N"))])[0]
    assert {str(call) for call in over_notrump.calls[1:]} == {"6D", "6N"}
    in_hearts = look.at([(Auction.from_str("1H P 3H P"), masks("AK4.AKQ72.KQJ4.2"), Call.from_str("4H"))])[0]
    assert {str(call) for call in in_hearts.calls[1:]} == {"4N", "6H"}
    answered = Auction.from_str("1H P 3H P 4N P 5D P")
    small = look.at([(answered, masks("AK4.AKQ72.KQJ4.2"), Call.from_str("6H"))])[0]
    assert {str(call) for call in small.calls[1:]} == {"7H"}
    assert not look.worth_it(Auction.from_str("1H P 3H P"), masks("Q4.KQJ72.KJ42.42"), Call.from_str("4H"))


SEARCHED = Limit(instances=200)


def test_the_look_proposes_to_the_search():
    slam = "AKJ983.AT3..AQ42", "1S P 1N P 3C P 3H P"
    plain = Bidder(shipped("two_over_one"), limit=SEARCHED, look=False).bid(*slam)
    assert "6H" not in {str(candidate.call) for candidate in plain.candidates}
    decision = Bidder(shipped("two_over_one"), limit=SEARCHED, experience="").bid(*slam)
    assert "6H" in {str(candidate.call) for candidate in decision.candidates}
    assert str(Bidder(shipped("two_over_one"), limit=SEARCHED, experience="").bid(*SOLD_OUT).call) == "4H"


def test_where_no_deal_fits_the_look_has_the_last_word():
    never = SearchOptions(tolerance=-1)
    decision = Bidder(shipped("two_over_one"), limit=SEARCHED, options=never, experience="").bid(*SOLD_OUT)
    assert (str(decision.call), str(decision.by)) == ("4H", "look")
    assert "pass would leave them in 3S" in decision.why


def test_a_simulation_that_finds_the_bid_losing_is_heard(monkeypatch):
    monkeypatch.setattr(SearchResult, "difference", lambda result, one, other: (-0.5, 0.1))
    caution = SearchOptions(caution=99)
    plain = Bidder(shipped("two_over_one"), limit=SEARCHED, options=caution, experience="")
    decision = plain.bid(*SOLD_OUT)
    assert (decision.call, str(decision.by)) == (PASS, "simulation")


def test_a_bid_below_game_is_raised_and_the_words_say_so(bidder):
    hand, auction = "A95.AKT763..KJ97", Auction.from_str("P 1H 2D X 3D")
    assert str(Bidder(shipped("two_over_one"), limit=None, look=False).bid(hand, auction).call) == "3H"
    decision = bidder.bid(hand, auction)
    assert (str(decision.call), str(decision.by)) == ("4H", "look")
    assert "The system says 3H" in decision.why and "3H is making" in decision.why
    assert "4H shows " in decision.why and "; the hand " in decision.why


@pytest.mark.parametrize(("auction", "own"), [("1S P", "2H"), ("2D 2H P 3H P", "4H"), ("1S 2D", "X")])
def test_forcing_bids_games_and_doubles_of_the_rules_are_left_alone(look, auction, own):
    hand = masks("K7.KJ9642.A4.K63")
    assert not look.worth_it(Auction.from_str(auction), hand, Call.from_str(own))


def test_without_a_natural_layer_passes_stand(bidder):
    assert Bidder("silent", opponents="two_over_one", limit=None).bid(*SOLD_OUT).call == PASS
