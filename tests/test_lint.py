"""The linter: what it finds in small systems with known faults."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pidm.authoring.lint import Finding, Report, lint
from pidm.cli.app import app

BASE = """\
system: Little club system
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - 1S: 12+ hcp
      - P: 0-11 hcp
  - title: Everything else
    auction: ...
    bid:
      - P: any
"""


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIDM_CACHE", "off")


def report(tmp_path: Path, text: str, deals: int = 300) -> Report:
    path = tmp_path / "club.yaml"
    path.write_text(text)
    return lint(path, deals, np.random.default_rng(7))


def only(found: Report, kind: str) -> list[Finding]:
    return [finding for finding in found.findings if finding.kind == kind]


def test_a_system_in_order(tmp_path: Path) -> None:
    found = report(tmp_path, BASE)
    assert found.in_order
    assert found.findings == ()
    assert found.decisions >= 4 * 300
    assert found.layers == {"system": found.decisions}


def test_all_mistakes_of_form_and_of_meaning_are_listed(tmp_path: Path) -> None:
    text = BASE.replace("15-17 hcp, balanced", "15-17 hpc, balanced").replace("title: Every", "titel: Every")
    found = report(tmp_path, text)
    places = {finding.place.split("club.yaml:")[1]: finding.what for finding in only(found, "error")}
    assert "unknown key `titel`; did you mean `title`?" in places["9:5"]
    assert "hpc" in places["6:19"]
    assert "hcp" in places["6:19"]
    assert (found.in_order, found.decisions) == (False, 0)
    assert list(places) == ["6:19", "9:5"]  # from the top down


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        ("AQ2.QJ85.K4.AJ32 -> 1N", None),
        ("AQ2.QJ85.K4.AJ32 -> 1S or 1N", None),
        ("AQ2.QJ85.K4.AJ32 -> not P", None),
        ("1S (2H), vul: AQ2.QJ85.K4.AJ32 -> P", None),
        ("AQ2.QJ85.K4.AJ32 -> 1S", "expected 1S, found 1N by Opening bids"),
        ("AQ2.QJ85.K4.AJ32 -> not 1N", "expected not 1N, found 1N by Opening bids"),
    ],
)
def test_examples_are_checked(tmp_path: Path, example: str, problem: str | None) -> None:
    text = BASE.replace("  - title: Everything", f'    examples: ["{example}"]\n  - title: Everything')
    found = only(report(tmp_path, text, 0), "example")
    if problem is None:
        assert not found
    else:
        assert problem in found[0].what
        assert found[0].place.endswith("club.yaml:9")


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        ("AQ2.QJ85.K4.AJ3 -> 1N", "card"),
        ("AQ2.QJ85.K4.AJ32", "expects no call"),
        ("AQ2.QJ85.K4.AJ32 -> 8N", "8N"),
        ("1M: AQ2.QJ85.K4.AJ32 -> P", "stands for several auctions"),
        ("1S (1H): AQ2.QJ85.K4.AJ32 -> P", "1H"),
        ("1S, vulnerable: AQ2.QJ85.K4.AJ32 -> P", "cannot read 'vulnerable'"),
    ],
)
def test_examples_that_cannot_be_read_are_mistakes(tmp_path: Path, example: str, problem: str) -> None:
    text = BASE.replace("  - title: Everything", f'    examples: ["{example}"]\n  - title: Everything')
    (found,) = only(report(tmp_path, text, 0), "error")
    assert problem in found.what
    assert "club.yaml:9:" in found.place


def test_an_example_of_a_line_must_be_bid_by_that_line(tmp_path: Path) -> None:
    text = BASE.replace("1S: 12+ hcp", "1S: {shows: 12+ hcp, examples: [AQ2.QJ85.K4.AJ32, AQ2.QJ85.K4.AQJ2]}")
    (found,) = only(report(tmp_path, text, 0), "example")
    assert "AQ2.QJ85.K4.AJ32: expected 1S by this line, found 1N" in found.what


def test_an_example_without_auction_in_a_block_about_many(tmp_path: Path) -> None:
    text = BASE + '    examples: ["AQ2.QJ85.K4.AJ32 -> P"]\n'
    (found,) = only(report(tmp_path, text, 0), "error")
    assert "the block is about several auctions" in found.what


def test_holes_are_hands_that_find_no_rule(tmp_path: Path) -> None:
    found = report(tmp_path, BASE.replace("- 1S: 12+ hcp", "- 1S: 12+ hcp, 5+ S"))
    (hole,) = only(found, "hole")
    assert hole.where == "P*"
    assert hole.count > 50
    assert hole.per_mille == pytest.approx(hole.count / 0.3)
    assert len(hole.samples) == 3
    # They pass because everybody may, but a pass shows at most eleven points.
    (violation,) = only(found, "violation")
    assert violation.count == hole.count
    assert violation.place.endswith("club.yaml:8")
    assert violation.samples == hole.samples
    counts = {count.place.split(":")[-1]: count for count in found.rules}
    assert (counts["8"].made, counts["8"].violated) == (counts["8"].won + hole.count, hole.count)
    assert counts["7"].violated == 0
    assert counts["7"].won == counts["7"].made > 0


def test_without_any_rule_the_default_actions_are_holes(tmp_path: Path) -> None:
    text = BASE.split("  - title: Everything")[0]
    found = report(tmp_path, text)
    assert "none" in found.layers
    assert only(found, "hole")[0].where in ("1S (P)", "(1S)", "(1S) P (P)", "1S (P) P (P)")


def test_ambiguity_is_counted_by_auction_with_the_calls(tmp_path: Path) -> None:
    text = BASE.replace(
        "      - 1N: 15-17 hcp, balanced\n      - 1S: 12+ hcp\n",
        "      - either:\n          - 1N: 15-17 hcp, balanced\n          - 1S: 12+ hcp, 4+ S\n"
        "      - 1D: 12+ hcp\n",
    )
    (found,) = only(report(tmp_path, text), "ambiguity")
    assert found.where == "P*"
    assert found.what == f"several calls fit: 1N/1S {found.count}"
    assert found.samples[0].endswith("(1N/1S)")


def test_passes_of_forcing_calls(tmp_path: Path) -> None:
    forcing = BASE.replace("- 1S: 12+ hcp", "- 1S: {shows: 12+ hcp, forcing: round}")
    (found,) = only(report(tmp_path, forcing), "forced")
    assert found.where == "1S (P)"
    never = forcing + "  - {auction: ..., when: forced, never: [P]}\n"
    assert not only(report(tmp_path, never, 50), "forced")


def test_rules_that_never_win_never_match_or_did_not_come_up(tmp_path: Path) -> None:
    text = BASE + (
        "  - auction: P*\n    bid:\n      - 2S: 13+ hcp, 5+ S\n"  # after the openings above
        "  - auction: 2H (1S)\n    bid:\n      - P: any\n"  # no such auction
        "  - auction: 1N (2C) 2D\n    bid:\n      - 2S: any\n"  # nobody bids that
    )
    found = report(tmp_path, text)
    (loser,) = only(found, "never wins")
    assert (loser.where, loser.place.endswith("club.yaml:15")) == ("2S", True)
    assert "all taken by Opening bids" in loser.what
    (never,) = only(found, "never matches")
    assert never.place.endswith("club.yaml:18")
    assert [finding.place.split(":")[-1] for finding in only(found, "not reached")] == ["21"]


def test_names_that_nothing_declares(tmp_path: Path) -> None:
    text = BASE + (
        "  - {auction: P*, when: in asking, bid: [2C: {shows: 20+ hcp, starts: asking_2c}]}\n"
        "  - {auction: 2C, when: in asking_2c, bid: [2D: any]}\n"
        "  - {auction: 2C, when: plays no_such_thing, bid: [2D: any]}\n"
    )
    found = only(report(tmp_path, text, 0), "name")
    assert [finding.where for finding in found] == ["in asking", "plays no_such_thing"]
    assert "did you mean `asking_2c`?" in found[0].what


def test_a_seed_gives_the_same_report(tmp_path: Path) -> None:
    text = BASE.replace("- 1S: 12+ hcp", "- 1S: 12+ hcp, 5+ S")
    assert report(tmp_path, text) == report(tmp_path, text)


def test_the_natural_layer_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "sense.yaml").write_text("layer: natural\nrules:\n  - {auction: ..., bid: [P: any]}\n")
    text = BASE.split("  - title: Everything")[0].replace("rules:", "include: sense\nrules:")
    found = report(tmp_path, text)
    assert found.layers.keys() == {"system", "natural"}
    assert not only(found, "hole")
    assert only(found, "natural")[0].where in ("(1S)", "1S (P)", "(1S) P (P)")


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(BASE.replace("- 1S: 12+ hcp", "- 1S: 12+ hcp, 5+ S"))
    run = CliRunner().invoke(app, ["lint", str(path), "--deals", "100"])
    assert run.exit_code == 0
    assert "hole" in run.output
    assert "in order" in run.output
    assert CliRunner().invoke(app, ["lint", str(path), "--deals", "100", "--strict"]).exit_code == 1
    data = json.loads(CliRunner().invoke(app, ["lint", str(path), "--deals", "100", "--json"]).output)
    assert data["totals"]["hole"] == data["findings"][-1]["count"]
    path.write_text(BASE.replace("rules:", "ruls:"))
    broken = CliRunner().invoke(app, ["lint", str(path), "--json"])
    assert broken.exit_code == 1
    assert json.loads(broken.output)["findings"][0]["place"] == f"{path}:2:1"


def test_a_rule_that_another_one_hides(tmp_path: Path) -> None:
    text = BASE + (
        "  - {title: Raise, auction: 1S, bid: [2S: any]}\n"
        "  - {title: Better raise, convention: raising, auction: 1S, bid: [2S: 10+ hcp]}\n"
    )
    text = text.replace("rules:", "card: [raising]\nrules:", 1)
    (found,) = only(report(tmp_path, text), "not reached")
    assert "another rule speaks of the call in its auctions: Better raise" in found.what
    less_exact = BASE + (
        "  - {title: Raise, auction: 1M, for: M = S, bid: [2S: any]}\n"
        "  - {title: Better raise, auction: 1S, bid: [2S: 10+ hcp]}\n"
    )
    (found,) = only(report(tmp_path, less_exact), "never matches")
    assert "Better raise" in found.what
