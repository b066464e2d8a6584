"""System notes in Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.authoring.notes import notes
from pidm.cli.app import app
from pidm.language.system import System

CLUB = """\
system: Little club system
about: Five-card majors.
card: [texas_transfers]
include: [general]
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - either:
          - 1M: 12-21 hcp, 5+ M
          - 1D: any
  - auction: [1M, 1m]
    when: not passed hand
    for: M = S
    bid:
      - 2N: {shows: [4+ M, "5+ hcp(M)"], forcing: game, agrees: M, alert: big, note: Slam is near.}
      - 3M: {shows: 4+ M, forcing: to 4M, alert: yes, when: vul}
  - title: Overcalls
    auction: (1X)
    bid:
      - 1Y: 5+ Y
"""
TEXAS = """\
convention: texas_transfers
about: >
  Four of a red suit shows
  the suit above.
rules:
  - title: Texas
    auction: 1N
    bid:
      - 4D: {shows: 6+ H, alert: yes}
"""
GENERAL = """\
rules:
  - title: Never in doubt
    auction: ...
    never: [X, P: forced]
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIDM_CACHE", "off")
    (tmp_path / "conventions").mkdir()
    (tmp_path / "conventions" / "texas_transfers.yaml").write_text(TEXAS)
    (tmp_path / "general.yaml").write_text(GENERAL)
    (tmp_path / "club.yaml").write_text(CLUB)
    return tmp_path / "club.yaml"


def test_notes(path: Path) -> None:
    assert (
        notes(System.load(path))
        == """\
# Little club system

Five-card majors.

Conventions on the card:

- **texas transfers**: Four of a red suit shows the suit above.

## Opening bids

### Opening bids

Auction: `P*`.

| call | shows | |
| --- | --- | --- |
| 1N | 15-17 HCP, balanced |  |
| 1M | 12-21 HCP, 5+ M | or another call that fits, by judgement |
| 1D | any | or another call that fits, by judgement |

## After our opening

### `1M` or `1m`

Auction: `1M` or `1m`; when not passed hand, suits: M = S.

| call | shows | |
| --- | --- | --- |
| 2N | 4+ M or 5+ hcp(M) | forcing to game; agrees M; alert: big; Slam is near. |
| 3M | 4+ M | forcing to 4M; alert; when vul |

## After their opening

### Overcalls

Auction: `(1X)`.

| call | shows | |
| --- | --- | --- |
| 1Y | 5+ Y |  |

## Convention: texas transfers

### Texas

Auction: `1N`.

| call | shows | |
| --- | --- | --- |
| 4D | 6+ H | alert |

## In any auction

### Never in doubt

Auction: `...`.

Never X.

Never P when forced.
"""
    )


def test_the_command_writes_a_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "notes.md"
    assert CliRunner().invoke(app, ["notes", str(path), "-o", str(out)]).exit_code == 0
    assert out.read_text() == notes(System.load(path))
    without = CliRunner().invoke(app, ["notes", str(path), "--off", "texas_transfers"]).output
    assert "Texas" not in without
