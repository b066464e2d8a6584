"""The reader of auctions remembers what it has read, up to a limit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.worlds import random_deals
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.reading.lockstep import bid_out
from pidm.reading.reader import Reader
from pidm.reading.situation import Situation
from pidm.reading.table import Table
from systems import little_system

RULES = """
- {auction: P*, bid: [ {1M: "12-21 hcp, 5+ M"}, {P: 0-11 hcp} ]}
- {auction: (1X), bid: [ {cheapest Y: "8-16 hcp, 5+ Y"} ]}
"""


def test_auctions_not_asked_for_are_forgotten_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "LIMIT", 20)
    reader = Reader([little_system(tmp_path, RULES)] * 4)
    opening = (Call.from_str("1S"),)
    kept = reader.situation(Vul.None_, opening)
    old = reader.situation(Vul.None_, (Call.from_str("1H"),))
    for number in range(8, 36):
        reader.situation(Vul.None_, (*opening, Call(number)))
        assert reader.situation(Vul.None_, opening) is kept
    assert len(reader._known) <= 20
    again = reader.situation(Vul.None_, (Call.from_str("1H"),))
    assert again is not old
    assert again.bounds == old.bounds


BY_VULNERABILITY = """
- auction: P*
  bid:
    - 1S: 12-21 hcp, 5+ S
    - 2H: {shows: "5-8 hcp, 6+ H", when: vul}
    - 2H: {shows: "5-8 hcp, 5+ H", when: not vul}
- {auction: 1S (*), bid: [ {2S: 3+ S}, {P: 0-5 hcp} ]}
- {auction: 2H (*), when: they vul, bid: [ {3H: 3+ H} ]}
"""


def after(reader: Reader, vul: Vul, *calls: str) -> Situation:
    return reader.situation(vul, tuple(Call.from_str(call) for call in calls))


def test_what_does_not_ask_for_vulnerability_is_found_out_once(tmp_path: Path) -> None:
    reader = Reader([little_system(tmp_path, BY_VULNERABILITY)] * 4)
    elder = after(reader, Vul.None_, "1S", "P")
    assert [str(one.call) for one in elder.applied] == ["2S", "P"]
    twin = after(reader, Vul.Both, "1S", "P")
    assert twin is not elder and twin.vul == (True, True) and elder.vul == (False, False)
    assert twin.bounds is elder.bounds and twin.applied is elder.applied


def test_what_asks_for_vulnerability_is_found_out_for_each(tmp_path: Path) -> None:
    reader = Reader([little_system(tmp_path, BY_VULNERABILITY)] * 4)
    hearts = {}
    for vul in Vul:
        opening = after(reader, vul)
        hearts[vul] = [box.box for one in opening.applied if str(one.call) == "2H" for box in one.boxes]
        answer = after(reader, vul, "2H", "P")
        least = answer.least_length(0, "H")
        assert least == (6 if vul in (Vul.NS, Vul.Both) else 5)
        assert [str(one.call) for one in answer.applied] == (["3H"] if vul in (Vul.EW, Vul.Both) else [])
    assert hearts[Vul.None_] == hearts[Vul.EW] != hearts[Vul.NS] == hearts[Vul.Both]


@pytest.mark.parametrize("name", ["two_over_one", "precision"])
def test_an_auction_says_what_it_says_if_it_is_read_for_one_vulnerability_alone(name: str) -> None:
    deals = 24
    rng = np.random.default_rng(21)
    worlds = random_deals(deals, rng)
    system = System.load(name).with_blocks({})
    dealers, vuls = [Seat(k & 3) for k in range(deals)], [Vul(k >> 2 & 3) for k in range(deals)]
    together = Table([system] * 2)
    alone = {vul: Table([system.with_blocks({})] * 2) for vul in Vul}  # readers know tables by their systems
    shared = 0
    for row, end in enumerate(bid_out(together, worlds, dealers, vuls)):
        hands = HandColumns(worlds[rng.permutation(deals)[:3], end.dealer])
        for stage in range(len(end.calls)):
            for vul in rng.permutation(4):
                before = Auction(Seat.N, Vul(vul), end.calls[:stage])
                one, other = together.situation(before), alone[Vul(vul)].situation(before)
                assert _shown(one) == _shown(other), before
                if row & 1:  # every other one by the rules settled
                    assert [_told(rule) for rule in one.applied] == [_told(rule) for rule in other.applied]
                got = [_proposed(choices) for choices in one.choices_of_each(hands)]
                assert got == [_proposed(choices) for choices in other.choices_of_each(hands)], before
                shared += stage > 0 and one.parent is not None and one.bounds is not other.bounds
    assert shared


def _shown(at: Situation) -> tuple[object, ...]:
    meant = at.meant and (at.meant.call, at.meant.shown, [rule.place for rule in at.meant.rules])
    held = (at.bounds, at.suits, at.agreed, at.in_force, str(at.forcing), at.mood, meant)
    return (
        *held,
        at.vul,
        at.undiscussed,
        at.forbidden,
        [(case.block.position, case.binding) for case in at.cases],
    )


def _told(one):  # type: ignore[no-untyped-def]
    return one.call, one.rule.place, one.rule.binding, [box.box for box in one.boxes], one.speaks


def _proposed(choices):  # type: ignore[no-untyped-def]
    return [(proposal.action, getattr(proposal.source, "place", None)) for proposal in choices.standing(0)]
