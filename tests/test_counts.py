"""What a system counts: another feature is asked where its rules speak of points; what is shown stays."""

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import random_deals
from pidm.errors import SystemFileErrors
from pidm.features import Feature, HandColumns
from pidm.language.counts import Counts
from pidm.language.system import System
from pidm.play.bidder import Bidder
from pidm.reading.judgement import judged
from pidm.reading.table import Table

CLUB = """
system: club
rules:
  - auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - 1C: 12+ hcp
      - P: 0-11 hcp
"""
BY_TRICKS = """
convention: by_tricks
counts:
  hcp: hcp_by_tricks
  points: points_by_tricks
"""
QUEENS = "QJ3.QJ4.KJ52.KQ3"
"""15 points, and 14 by tricks."""
ACES = "AT4.AT93.AT5.T98"
"""12 points, and 13 by tricks."""


@pytest.fixture
def club(tmp_path):
    (tmp_path / "club.yaml").write_text(CLUB)
    (tmp_path / "by_tricks.yaml").write_text(BY_TRICKS)
    return tmp_path / "club.yaml"


def count(feature, hand):
    return HandColumns(Hand.from_str(hand).array[None]).column(Feature.parse(feature))[0]


@pytest.mark.parametrize(
    "hand, plain, by_tricks",
    [(QUEENS, 15, 14), (ACES, 12, 13), ("QJ32.QJ32.QJ2.32", 9, 8), ("Q.A8432.A432.A32", 14, 14)],
)
def test_aces_and_tens_count_for_more_and_queens_and_honors_alone_for_less(hand, plain, by_tricks):
    assert (count("hcp", hand), count("hcp_by_tricks", hand)) == (plain, by_tricks)


def test_a_deck_has_about_forty_points_by_tricks():
    hands = random_deals(5000, np.random.default_rng(3)).reshape(-1, 4)
    plain, by_tricks = (HandColumns(hands).column(Feature.parse(name)) for name in ("hcp", "hcp_by_tricks"))
    assert abs(by_tricks.mean() - plain.mean()) < 0.15
    assert np.abs(by_tricks.astype(int) - plain).max() <= 3


def test_the_card_says_what_calls_are_chosen_by(club):
    plain, counting = Bidder(club, limit=None), Bidder(club, limit=None, card={"by_tricks": True})
    assert str(plain.bid(QUEENS).call) == "1N" and str(counting.bid(QUEENS).call) == "1C"


def test_what_a_call_shows_stays_in_plain_points(club):
    systems = [System.load(club, {"by_tricks": on}) for on in (False, True)]
    shown = [Table.of(system).situation(Auction.from_str("1N")).bounds[0] for system in systems]
    assert shown[0] == shown[1] and shown[0][Feature.parse("hcp")] == (15, 17)


def test_judgement_looks_beside_the_count_of_the_system(club):
    situation = Table.of(System.load(club, {"by_tricks": True})).situation(Auction.from_str(""))
    columns = HandColumns(Hand.from_str(QUEENS).array[None])
    assert set(judged(situation, columns, 1).candidates(0)) == {Call.from_str("1C"), Call.from_str("1N")}


def test_the_count_survives_the_store(club, monkeypatch, tmp_path):
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "store"))
    first, again = (System.load(club, {"by_tricks": True}) for _ in range(2))
    assert first.counts.classes == again.counts.classes == dict(again.spec.counts) != {}


def test_sums_and_single_suits():
    counts = Counts({"hcp": "hcp_by_tricks", "points": "points_by_tricks"})

    def asked(text):
        return str(counts.of(Feature.parse(text)))

    assert asked("hcp + length(S)") == "length(S) + hcp_by_tricks"
    assert (asked("points(H)"), asked("hcp(S)"), asked("losers(H)")) == (
        "points_by_tricks(H)",
        "hcp(S)",
        "losers(H)",
    )


@pytest.mark.parametrize(
    "text, message",
    [
        ("hcp: hcp_by_trick", "no feature `hcp_by_trick`; did you mean `hcp_by_tricks`"),
        ("hpc: hcp_by_tricks", "no feature `hpc`"),
        ("[hcp]", "expected features such as `hcp: hcp_by_tricks`, found a list"),
    ],
)
def test_mistakes(club, text, message):
    body = f"counts: {text}" if text.startswith("[") else f"counts:\n  {text}"
    (club.parent / "by_tricks.yaml").write_text(f"convention: by_tricks\n{body}\n")
    with pytest.raises(SystemFileErrors, match=message):
        System.load(club, {"by_tricks": True})


def test_counts_belong_to_a_convention(club):
    club.write_text(CLUB + "counts:\n  hcp: hcp_by_tricks\n")
    with pytest.raises(SystemFileErrors, match="`counts:` belongs in a file that starts with `convention:`"):
        System.load(club)
