"""The auction as the laws see it: seats, who has called, and what is legal."""

from __future__ import annotations

import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, Call, Seat, Vul
from pidm.reading.laws import Laws


def laws(auction: str, vul: Vul = Vul.None_) -> Laws:
    return Laws(Auction.from_str(auction, Seat.N, vul))


def test_seats_count_from_the_dealer() -> None:
    third = laws("P 1H")
    assert (third.me, third.side, third.lho, third.partner, third.rho) == (2, 0, 3, 0, 1)
    fourth = laws("P 1H P")
    assert (fourth.me, fourth.side, fourth.lho, fourth.partner, fourth.rho) == (3, 1, 0, 1, 2)


def test_vulnerability_is_of_the_dealers_side_and_the_other() -> None:
    assert laws("P", Vul.NS).vul == (True, False)


@pytest.mark.parametrize(
    "auction, opener, last_bidder, active",
    [
        ("", None, None, (False, False)),
        ("P P", None, None, (False, False)),
        ("P 1H", 1, 1, (False, True)),
        ("1C X P 1S", 0, 3, (True, True)),
        ("1C P 1H P 2H P", 0, 0, (True, False)),
    ],
)
def test_who_has_opened_bid_and_acted(auction, opener, last_bidder, active) -> None:
    found = laws(auction)
    assert (found.opener, found.last_bidder, found.active) == (opener, last_bidder, active)


@pytest.mark.parametrize(
    "auction, doubled", [("1S", 0), ("1S X", 1), ("1S X XX", 2), ("1S X 2S", 0), ("", 0)]
)
def test_how_the_last_bid_stands_doubled(auction, doubled) -> None:
    assert laws(auction).doubled == doubled


@pytest.mark.parametrize("auction, balancing", [("1S P P", True), ("1S P", False), ("P P P", False)])
def test_balancing(auction, balancing) -> None:
    assert laws(auction).balancing is balancing


@pytest.mark.parametrize(
    "auction, strain, bid",
    [
        ("", "C", "1C"),
        ("1S", "S", "2S"),
        ("1S", "N", "1N"),
        ("1S", "H", "2H"),
        ("6N", "S", "7S"),
        ("7S", "S", None),
    ],
)
def test_the_cheapest_bid_of_a_strain(auction, strain, bid) -> None:
    found = laws(auction).cheapest(strain)
    assert (None if found is None else str(found)) == bid


@pytest.mark.parametrize("auction", ["", "P", "1C", "1C X", "3N P P X", "6N X XX"])
@pytest.mark.parametrize("strain", "CDHSN")
def test_the_cheapest_bid_is_the_lowest_legal_one(auction, strain) -> None:
    found = laws(auction)
    legal = sorted(call for call in found.legal if call.strain == strain)
    assert found.cheapest(strain) == (legal[0] if legal else None)


def test_legal_calls() -> None:
    found = laws("1S")
    assert found.is_legal(DOUBLE) and found.is_legal(Call.from_str("1N"))
    assert not found.is_legal(Call.from_str("1H"))


def test_a_passed_hand_passed_before_anybody_bid() -> None:
    found = laws("P 1H P P")
    assert [found.passed_hand(seat) for seat in range(4)] == [True, False, False, False]


def test_what_a_seat_has_called() -> None:
    found = laws("1H X P 2C")
    assert [found.has_bid(seat) for seat in range(4)] == [True, False, False, True]
    assert found.has_called(1, DOUBLE) and not found.has_called(3, DOUBLE)
