"""What auctions have in common is worked out once, and comes out as if it were worked out for each."""

from __future__ import annotations

import numpy as np
import pytest

from pidm.bridge.calls import Seat, Vul
from pidm.bridge.worlds import random_deals
from pidm.core.box import Box
from pidm.features import HandColumns
from pidm.language.rules import LAYERS
from pidm.language.system import System
from pidm.reading.lockstep import bid_out
from pidm.reading.one_hand import HandValues
from pidm.reading.rule_order import OFTEN, RuleOrder
from pidm.reading.situation import Situation
from pidm.reading.table import Table


def situations(name: str, deals: int = 40) -> list[Situation]:
    """Those of some deals that a system has bid."""
    worlds = random_deals(deals, np.random.default_rng(7))
    numbers = range(1, deals + 1)
    # One of its own: what other tests have asked of the shared one may be half forgotten.
    table = Table.of(System.load(name).with_blocks({}))
    auctions = bid_out(table, worlds, [Seat.of_board(k) for k in numbers], [Vul.of_board(k) for k in numbers])
    found = []
    for auction in auctions:
        at: Situation | None = table.situation(auction)
        while at is not None:
            found.append(at)
            at = at.parent
    return found


@pytest.mark.parametrize("name", ["two_over_one", "precision"])
def test_the_open_cases_are_those_whose_conditions_hold(name: str) -> None:
    for at in situations(name):
        assert list(at.cases) == [case for block in at.blocks for case in block.cases_at(at)], at.auction
        agreed = [one for one in at.blocks if one.specificity and one.block.layer > LAYERS["standard"]]
        said = any(one.cases_at(at) for one in agreed if one.block.spec.lines)
        assert at.undiscussed != said, at.auction


def test_auctions_with_the_same_patterns_share_their_blocks() -> None:
    known = {}
    for at in situations("two_over_one"):
        assert known.setdefault(at.states[at.me], at.blocks) is at.blocks


def test_rules_that_are_parted_by_values_are_the_same_rules() -> None:
    hands = HandColumns(random_deals(60, np.random.default_rng(3))[:, 0]).each()
    parted = together = 0
    for at in situations("sayc", 6):
        order = RuleOrder(at.cases)
        settled = [one.alternative.beside(at.added) for one in order.readings]
        together += sum(bool(one.alternative.combined) for one in order.readings)
        for number, hand in enumerate(hands):
            values = at.values(hand)
            left = order.for_hand(values)
            assert len(left) == len(settled) or number >= OFTEN - 1, "not worth it yet"
            parted += len(left) < len(settled)
            fitting = [
                number
                for number, ranges in left
                if not any(values[what] < low or values[what] > high for what, low, high in ranges)
            ]
            expected = [k for k, one in enumerate(settled) if one is not None and inside(values, one.box)]
            assert fitting == expected, at.auction
    assert parted and together


def inside(values: HandValues, box: Box) -> bool:
    return all(low <= values[what] <= high for what, (low, high) in box.items())  # type: ignore[index]
