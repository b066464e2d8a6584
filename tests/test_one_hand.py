"""One hand without a net: the same calls, by the same rules, as the net has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import random_deals
from pidm.core.choices import Choices
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.reading.lockstep import bid_out
from pidm.reading.situation import Situation
from pidm.reading.table import Table
from systems import little_system, shipped


def alone(situation: Situation, columns: HandColumns) -> Choices | None:
    return situation.spoken.choices_of_all([situation.values(columns)], situation)


def told(choices: Choices, row: int = 0) -> list[tuple[int, object]]:
    """Who proposes what for a row, in order."""
    return [choices.proposals[k][:2] for k in np.flatnonzero(choices.mask[row])]


@pytest.mark.parametrize("name", ["two_over_one", "precision"])
def test_it_is_told_what_the_net_tells(name: str) -> None:
    table = Table.of(shipped(name))
    deals = 60
    worlds = random_deals(deals, np.random.default_rng(9))
    ends = bid_out(
        table, worlds, [Seat(k & 3) for k in range(deals)], [Vul(k >> 2 & 3) for k in range(deals)]
    )
    found = 0
    for row, end in enumerate(ends):
        for stage in range(len(end.calls)):
            before = Auction(end.dealer, end.vul, end.calls[:stage])
            situation = table.situation(before)
            # Not the hand that bid so, but the next one: it may have anything.
            columns = HandColumns(worlds[(row + 1) % deals, before.actor][None])
            one = alone(situation, columns)
            if one is not None:
                found += 1
                assert told(one) == told(situation.net.choices(situation.seen(columns))), before
    assert found > 400


@pytest.mark.parametrize("name", ["two_over_one", "acol"])
def test_a_few_hands_are_told_what_the_net_tells(name: str) -> None:
    deals = 40
    worlds = random_deals(deals, np.random.default_rng(11))
    numbers = range(1, deals + 1)
    dealers, vuls = [Seat.of_board(k) for k in numbers], [Vul.of_board(k) for k in numbers]
    ends = bid_out(Table.of(shipped(name)), worlds, dealers, vuls)
    table = Table([System.load(name)] * 2)  # on which no net was made
    few = 0
    for row, end in enumerate(ends):
        for stage in range(len(end.calls)):
            before = Auction(end.dealer, end.vul, end.calls[:stage])
            situation = table.situation(before)
            hands = HandColumns(worlds[[row, *np.arange(row, row + 3) % deals], before.actor])
            several = situation.choices(hands)
            few += "net" not in situation.__dict__
            net = situation.net.choices(situation.seen(hands))
            for hand in range(len(hands)):
                assert told(several, hand) == told(net, hand), before
            assert several.preferred().tolist() == net.preferred().tolist()
    assert few > 100


def calls(system: System, hand: str, auction: str) -> tuple[list[str], list[str]]:
    """The candidates of a hand without a net and with one."""
    situation = Table.of(system).situation(Auction.from_str(auction))
    columns = HandColumns(Hand.from_str(hand).array[None])
    one = alone(situation, columns)
    net = situation.net.choices(situation.seen(columns))
    return [] if one is None else _calls(one), _calls(net)


def _calls(choices: Choices) -> list[str]:
    return [str(Call(action)) for action in choices.candidates(0)]


LOW = """layer: natural
rules:
  - {auction: ..., bid: [ {2H: 13+ hcp}, {3C: 6+ C} ]}
  - {auction: ..., priority: -10, bid: [ {2H: any}, {P: any} ]}
"""


@pytest.mark.parametrize(
    "rules, hand, expected",
    [
        ("- {auction: 1S, bid: [ {2H: 5+ H}, {2D: 5+ D} ]}", "2.AKQ32.K43.5432", ["2H"]),
        ("- {auction: 1S, bid: [ {2H: 5+ H} ]}", "K32.AK32.KQ3.543", ["2H"]),  # only as a last resort
        ("- {auction: 1S, bid: [ {2H: no agreement}, {2D: 20+ hcp} ]}", "2.AKQ32.K43.5432", ["2H"]),
        ("- {auction: 1S, bid: [ {P: 0-5 hcp} ]}", "432.5432.432.432", ["P"]),
        (
            "- {auction: 1S, bid: [ {3C: 0-5 hcp} ]}",
            "2.432.432.AKQ432",
            ["2H"],
        ),  # nobody else may speak of 3C
        ("- {auction: 1S, bid: [ {2D: any} ], never: [2D, 2H]}", "K32.AK32.KQ3.543", ["P"]),
        ("- {auction: 1S, bid: [ {4S: combined 8+ S} ]}", "K32.K432.K32.543", ["4S"]),
        ("- {auction: 1S, bid: [ {4S: combined 9+ S} ]}", "K32.K432.432.543", ["2H"]),
        ("- {auction: 1S, bid: [ {2X: 4+ X} ]}", "2.KJ32.AK32.AQ32", ["2C", "2D", "2H"]),
        ("- {auction: 1S, bid: [ {2X: {shows: 4+ X, for: 'X in C,D'}} ]}", "2.KJ32.AK32.AQ32", ["2C", "2D"]),
        ("- {auction: 1S, bid: [ {2X: 4+ X}, {3N: '4+ D, 4+ C'} ]}", "2.KJ32.AK32.AQ32", ["2C", "2D", "2H"]),
    ],
)
def test_who_is_heard(tmp_path: Path, rules: str, hand: str, expected: list[str]) -> None:
    (tmp_path / "low.yaml").write_text(LOW)
    opening = '- {auction: P*, bid: [ {1S: "12-21 hcp, 5+ S"} ]}\n'
    system = little_system(tmp_path, opening + rules, "include: low\n")
    one, net = calls(system, hand, "1S P")
    assert one == net == expected


def test_a_net_must_tell_where_nothing_speaks_or_numbers_are_not_whole(tmp_path: Path) -> None:
    system = little_system(tmp_path, "- {auction: 1S, bid: [ {2S: 1.3+ intermediates(S)} ]}")
    one, net = calls(system, "T98.5432.432.432", "1S P")
    assert not one and net == ["2S"]
    assert not calls(system, "T98.5432.432.432", "1S 2S")[0]


def test_hands_that_come_one_by_one_need_no_net() -> None:
    situation = Table.of(System.load("sayc")).situation(Auction.from_str("1N P"))
    hands = ["AQ2.QJ854.K4.AJ3", "432.5432.432.432", "AQ2.QJ854.K4.AJ3", "KQ92.QJ85.K4.432"]
    columns = [HandColumns(Hand.from_str(hand).array[None]) for hand in hands]
    answers = [_calls(situation.choices(one)) for one in columns]
    assert "net" not in situation.__dict__
    assert answers[0] == answers[2] != answers[1]
    assert answers == [_calls(situation.net.choices(one)) for one in columns]


def test_hands_of_a_batch_are_told_what_each_is_told_alone() -> None:
    table = Table.of(shipped("two_over_one"))
    hands = random_deals(40, np.random.default_rng(3))[:, 0]
    together = HandColumns(hands)
    for auction in ("", "1S P", "1N 2H", "1H 1S 2H P"):
        situation = table.situation(Auction.from_str(auction))
        for row, hand in enumerate(hands):
            one = alone(situation, together.take(np.array([row])))
            by_itself = alone(situation, HandColumns(hand[None]))
            assert (one and told(one)) == (by_itself and told(by_itself))


def test_hands_in_one_auction_get_the_answers_that_each_gets_alone() -> None:
    hands = HandColumns(random_deals(30, np.random.default_rng(4))[:, 0])
    for auction in ("", "1S P", "1N 2H", "1H 1S 2H P"):
        situation = Table.of(System.load("acol")).situation(Auction.from_str(auction))
        for some in (hands.take(np.arange(5)), hands):  # without a net, then with one
            each = situation.choices_of_each(some)
            again = situation.choices_of_each(some)
            together = situation.choices(some)
            for row, one in enumerate(each):
                assert len(one) == 1 and told(one) == told(together, row)
                assert again[row] is one, "known by now"
