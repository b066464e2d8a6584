"""The natural layer of the shipped systems: sane calls in auctions that no other rule covers."""

import pytest

from pidm import Bidder, System
from pidm.bridge.calls import Seat
from pidm.play.decision import question

SYSTEMS = ("two_over_one", "sayc")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("2C P P X XX 2D P", "AQJ854.A92.53.AK", "2S"),  # 18 points and a suit, opposite any answer
        ("2C P P X XX 2D P", "AQJ8.A92.KJ53.54", "P"),  # a takeout double and no more
        ("2D X P 2H 3C", "AKQT9874.KQ..A76", "3S"),
        ("2D X P 2H 3C", "AK98.KQ74.2.QJ76", "P"),
    ],
)
def test_a_doubler_who_holds_much_more_than_shown_bids_on(system, auction, hand, call):
    decision = Bidder(system, limit=None, look=False).bid(hand, auction)
    assert str(decision.call) == call, decision.why


OPENINGS = """
system: Openings and nothing else
include: [natural]
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 2C: {shows: 22+ hcp, forcing: round}
      - 1N: 15-17 hcp, balanced
      - 1S: 12-21 hcp, 5+ S, S >= H
      - 1H: 12-21 hcp, 5+ H
      - 1D: 12-21 hcp, 4+ D, D >= C
      - 1C: 12-21 hcp, 3+ C
      - 2M: 6-10 hcp, 6 M
      - P: any
"""


@pytest.fixture(scope="module")
def openings(tmp_path_factory):
    path = tmp_path_factory.mktemp("club") / "openings.yaml"
    path.write_text(OPENINGS)
    return Bidder(System.load(path), limit=None, look=False)


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("1D P", "KQ843.A52.43.Q87", "1S"),  # a new suit at the one level
        ("1C P", "AKQJ74.5.83.A972", "1S"),
        ("1S P", "K84.72.AJ93.9642", "2S"),  # a raise
        ("1S P", "84.AQJ72.K93.Q42", "2H"),  # a new suit at the two level, and it is forcing
        ("1S P 2H P", "AQJ842.5.A72.Q53", "2S"),
        ("1D P 1S P", "KJ93.A5.KQJ84.72", "2S"),
        ("1N P", "KQ84.A5.Q743.J72", "3N"),
        ("2H P", "AK7.K52.AQ843.Q7", "4H"),
        ("1D", "KQJ84.A52.43.Q87", "1S"),  # an overcall
        ("1D", "KJ84.AQ52.4.K873", "X"),  # a takeout double
        ("1D X P", "Q9753.52.J43.K87", "1S"),  # and its answer
        ("1D 1H", "KJ84.953.72.AQ42", "X"),  # nobody has discussed it, and everybody knows what it is
    ],
)
def test_openings_are_enough_to_bid_sensibly(openings, auction, hand, call):
    decision = openings.bid(hand, auction)
    assert str(decision.call) == call, decision.why


@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_that_have_discussed_it_keep_to_it(system):
    situation = Bidder(system, limit=None).table(Seat.N).situation(question("KQ843.A52.43.Q87", "1D P")[1])
    assert not situation.undiscussed
    assert all(one.rule.block.spec.layer != "standard" for one in situation.applied)
