"""From the rules that apply to the net of the player to call."""

from __future__ import annotations

from pathlib import Path

import pytest
from figure_5 import state_actions

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.core.box import EVERYTHING
from pidm.reading.rule_net import net_of_rules
from pidm.reading.table import Table
from systems import calls_of, little_system

RULES = """
- auction: P*
  bid:
    - 1N: 15-17 hcp, balanced
    - 1M: ["12-21 hcp, 5+ M", {shows: "10-11 hcp, 6+ M", priority: -5}]
    - 2M: 10-11 hcp, 6+ M
    - P: 0-11 hcp
"""


def test_an_alternative_with_a_lower_priority_comes_after_the_lines_below(tmp_path: Path) -> None:
    system = little_system(tmp_path, RULES)
    assert calls_of(system, "KQ9872.K2.K32.32") == ["2S"]  # by priority before the weak meaning of 1S


def test_without_rules_the_default_is_pass_then_the_lowest_bid_and_doubles_last() -> None:
    legal = Auction.from_str("1S").legal()
    net = net_of_rules([], legal, ())
    order = [str(Call(proposal.action)) for proposal in state_actions(net, EVERYTHING)]
    assert order[:3] == ["P", "1N", "2C"] and order[-1] == "X"
    assert len(order) == len(legal)


def test_a_forbidden_default_is_no_default() -> None:
    net = net_of_rules([], Auction.from_str("1S").legal(), {Call.from_str("P")})
    assert str(Call(state_actions(net, EVERYTHING)[0].action)) == "1N"


@pytest.mark.parametrize("text", ["", "P", "1S", "1S X"])
def test_the_net_names_the_rule_behind_each_call(tmp_path: Path, text: str) -> None:
    situation = Table.of(little_system(tmp_path, RULES)).situation(Auction.from_str(text))
    sources = {p.source for node in situation.net.root.walk() for p in node.proposals}
    assert sources - {None} == {one.rule for one in situation.applied}
