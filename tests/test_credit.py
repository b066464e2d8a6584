"""How much of what a simulation sees is to be believed."""

from __future__ import annotations

import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.utilities import Form
from pidm.core.choices import DecidedBy
from pidm.core.limit import Limit
from pidm.play.bidder import Bidder
from pidm.play.calling import BidderCaller
from pidm.play.credit import AN_IMP, believed

ALONE, CONTESTED = Auction.from_str("1S P 2S P"), Auction.from_str("1S X 2S 3H")


def test_what_many_deals_say_of_an_auction_without_opponents_is_believed():
    assert believed(2.0, 0.0, ALONE, "imps", by_rules=True) == 2.0


def test_with_few_deals_the_best_call_was_lucky():
    errors = (0.1, 0.5, 1.0, 2.0, float("inf"))
    gains = [believed(2.0, error, ALONE, "imps", by_rules=True) for error in errors]
    assert gains == sorted(gains, reverse=True) and gains[-1] == 0.0
    assert believed(-2.0, 1.0, ALONE, "imps", by_rules=True) == -gains[2] == -1.0


def test_more_deals_do_not_tell_how_opponents_really_bid():
    assert believed(2.0, 0.0, CONTESTED, "imps", by_rules=True) == 1.0


def test_where_all_go_on_as_they_do_at_the_table_only_luck_is_left():
    assert believed(2.0, 0.0, CONTESTED, "imps", by_rules=False) == 2.0
    assert believed(2.0, 1.0, CONTESTED, "imps", by_rules=False) == 1.0
    decision = Bidder("two_over_one", limit=Limit(instances=2000)).bid("AJT5.83.KQ72.852", "1H 2D")
    assert (str(decision.system_call), str(decision.call)) == (
        "X",
        "P",
    )  # KQ72 are behind them
    means = {str(one.call): one.mean for one in decision.candidates}
    assert decision.believed > (means["P"] - means["X"]) / 2


@pytest.mark.parametrize("form", AN_IMP)
def test_the_share_is_the_same_in_every_form_of_scoring(form: Form):
    unit = AN_IMP[form]
    share = believed(3.0 * unit, 0.7 * unit, CONTESTED, form, by_rules=True) / unit
    assert share == pytest.approx(believed(3.0, 0.7, CONTESTED, "imps", by_rules=True))


def test_a_departure_tells_what_is_believed():
    """What a match compares with what came, the words and the data say the same."""
    bidder = Bidder("two_over_one", limit=Limit(instances=300), width="wide", worlds=60, look=False)
    decision = bidder.bid("Q4.A762.JT72.JT5", "2D 3S P")
    assert (str(decision.system_call), str(decision.call)) == ("P", "4S")
    taken, own = (next(one for one in decision.candidates if str(one.call) == call) for call in ("4S", "P"))
    assert decision.believed is not None and 0 < decision.believed < (taken.mean - own.mean) / 2
    [answer] = BidderCaller(bidder).answers([(decision.hand, decision.auction)])
    assert answer.departure is not None and answer.departure.gain == decision.believed
    assert f"{decision.believed:.2f} of them to be believed" in decision.why
    assert decision.to_dict()["believed"] == decision.believed


def test_who_stays_with_the_system_claims_no_gain():
    bidder = Bidder("two_over_one", limit=Limit(instances=300), worlds=60, look=False)
    decision = bidder.bid("KT53.98542.8.AQJ", "P P P 1N P")
    assert decision.by is DecidedBy.SIMULATION and decision.call == decision.system_call
    assert decision.believed is None
