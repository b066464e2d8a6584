"""The reader of auctions remembers what it has read, up to a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pidm.bridge.calls import Call, Vul
from pidm.reading.reader import Reader
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
