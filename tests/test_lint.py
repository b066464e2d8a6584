"""The linter: what it finds in small systems with known faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.authoring.lint import Finding, Report, lint
from pidm.authoring.named_system import loaded, named
from pidm.authoring.watch import watched
from pidm.cli.app import app
from pidm.language.system import System
from systems import write_system

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
def store_of_the_tests(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    monkeypatch.setenv("PIDM_CACHE", str(store))


def report(tmp_path: Path, text: str, deals: int = 300) -> Report:
    path = tmp_path / "club.yaml"
    path.write_text(text)
    return lint(path, deals, 7)


def only(found: Report, kind: str) -> list[Finding]:
    return [finding for finding in found.findings if finding.kind == kind]


def test_a_system_in_order(tmp_path: Path) -> None:
    found = report(tmp_path, BASE)
    assert found.in_order
    assert not [one for one in found.findings if one.kind != "absurd"]
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
    (never,) = only(found, "illegal")
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


def test_whose_the_calls_are_and_what_to_do_next(tmp_path: Path) -> None:
    text = BASE.split("  - title: Everything")[0].replace("rules:", "include: [natural]\nrules:")
    path = tmp_path / "club.yaml"
    path.write_text(text)
    found = lint(path, 250, 0)
    assert sum(found.owners.values()) == found.decisions
    assert set(found.owners) <= {"yours", "staying out", "natural", "nobody's"}
    assert found.owners["staying out"] > 100
    assert 0.2 < found.not_yours < 0.9
    assert found.solved == 250
    after = next(one for one in found.to_do if one.where == "1S" or one.where == "1M")
    assert "a block `auction: 1M`" in after.what and after.times > 20
    assert after.error > 0
    least = [one.cost - one.error for one in found.to_do]
    assert least == sorted(least, reverse=True)
    run = CliRunner().invoke(app, ["lint", str(path), "--deals", "250"])
    lines = [line for line in run.output.splitlines() if line]  # some terminals leave a line for the progress
    first, second = lines[:2]
    at = next(number for number, line in enumerate(lines) if line.startswith("To do next"))
    third, dearest = lines[at : at + 2]
    assert first == f"Little club system: 250 deals, {found.decisions} calls"
    assert second.startswith("Whose calls: ") and "% yours" in second
    assert third.startswith("To do next; IMPs lost on 100 boards")
    assert dearest.startswith(f"  1. {found.to_do[0].cost:5.1f}")
    assert "of the calls are not yours" in run.output and "\nin order" not in run.output
    other = CliRunner().invoke(app, ["lint", str(path), "--deals", "20", "--seed", "3"])
    assert "What things cost is told with the deals of --seed 0" in other.output


def test_passes_in_an_auction_that_a_file_speaks_of_are_the_author_s(tmp_path: Path) -> None:
    natural = tmp_path / "sense.yaml"
    natural.write_text("layer: natural\nrules:\n  - {auction: ..., bid: [P: any]}\n")
    head = BASE.split("  - title: Everything")[0].replace("rules:", "include: sense\nrules:")
    before = report(tmp_path, head, 100)
    after = report(tmp_path, head + "  - {auction: (1S), bid: [2S: '20+ hcp, 6+ H']}\n", 100)
    assert after.owners["yours"] > before.owners["yours"]
    assert after.owners["staying out"] < before.owners["staying out"]
    assert after.layers["natural"] == before.layers["natural"]


def test_two_suits_of_a_line_that_may_be_one(tmp_path: Path) -> None:
    line = "  - auction: (1C)\n    bid:\n      - 2S: 5+ S, 5+ X\n"
    (found,) = only(report(tmp_path, BASE + line, 0), "variable")
    assert "write `for: X != S`" in found.what and found.place.endswith("club.yaml:15")
    told = line.replace("5+ S, 5+ X", "{shows: '5+ S, 5+ X', for: X != S}")
    assert not only(report(tmp_path, BASE + told, 0), "variable")
    shorter = line.replace("5+ S, 5+ X", "5+ S, 0-3 X")
    assert not only(report(tmp_path, BASE + shorter, 0), "variable")


def test_artificial_calls_that_nothing_answers(tmp_path: Path) -> None:
    line = "  - auction: 1N\n    bid:\n      - 2D: {shows: 5+ H, forcing: round, alert: 'yes'}\n"
    found = only(report(tmp_path, BASE + line, 0), "unanswered")
    assert [one.where for one in found] == ["1N (P) 2D (P)", "1N (P) 2D (X)"]
    assert "`auction: 1N 2D`" in found[0].what and "`auction: 1N 2D (X)`" in found[1].what
    answered = line + "  - {auction: [1N 2D, 1N 2D (X)], bid: [2H: any]}\n"
    assert not only(report(tmp_path, BASE + answered, 0), "unanswered")
    natural = line.replace("5+ H", "5+ D")
    assert not only(report(tmp_path, BASE + natural, 0), "unanswered")


def test_what_no_player_would_do_is_told(tmp_path: Path) -> None:
    found = {one.where: one for one in only(report(tmp_path, BASE), "absurd")}
    assert found["missed game"].count > 5
    assert " and " in found["missed game"].samples[0]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("  - {auction: 1S, bid: [1H: any]}\n", "not legal"),
        ("  - {auction: 1N, bid: [2C: 8+ hcp], never: [2C]}\n", "`never:`"),
    ],
)
def test_lines_that_are_illegal_or_excluded(tmp_path: Path, more: str, problem: str) -> None:
    text = BASE.replace("  - title: Everything", f"{more}  - title: Everything")
    (found,) = only(report(tmp_path, text, 250), "illegal")
    assert problem in found.what


def test_examples_of_shipped_parts_that_the_author_s_blocks_change(tmp_path: Path) -> None:
    text = (
        "system: Ours\nextends: two_over_one\nrules:\n"
        "  - {auction: 1S, priority: 50, bid: [2C: 12+ hcp], examples: ['K2.KQ853.A62.J83 -> 2H']}\n"
    )
    found = report(tmp_path, text, 0)
    (own,) = only(found, "example")
    assert own.place.endswith("club.yaml:4")
    changed = only(found, "changed")
    assert changed and all("systems/" in one.place and one.where.startswith("1S (P)") for one in changed)
    assert not found.in_order


def test_what_did_not_change_is_not_bid_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "cache"))
    first = report(tmp_path, BASE, 50)
    monkeypatch.setattr("pidm.authoring.lint.watched", None)
    assert report(tmp_path, BASE, 50) == first
    with pytest.raises(TypeError):
        report(tmp_path, BASE.replace("12+ hcp", "13+ hcp"), 50)


def test_pieces_of_work_add_up(tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(BASE.replace("- 1S: 12+ hcp", "- 1S: 12+ hcp, 5+ S"))
    told: list[tuple[str, int, int]] = []
    whole = lint(path, 300, 0, progress=lambda *how: told.append(how))
    assert [how for how in told if how[0] == "bidding deals"] == [
        ("bidding deals", 0, 300),
        ("bidding deals", 250, 300),
        ("bidding deals", 300, 300),
    ]
    assert all(told.count((what, total, total)) for what, _, total in told)
    here = lint(path, 300, 0, spread=lambda work, pieces: [work(*piece) for piece in pieces])
    assert here == whole
    assert lint(path, 250, 0).decisions < whole.decisions


OPENINGS = """\
system: Openings alone
include: [natural]
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - 1M: 11-21 hcp, 5+ M
      - 1m: 11-21 hcp, 3+ m
"""


def test_shipped_parts_are_offered_and_taken_over_by_a_word_each(tmp_path: Path) -> None:
    found = report(tmp_path, OPENINGS, 150)
    assert set(found.offered) == {
        "standard/they_open",
        "standard/they_interfere",
        "two_over_one/one_of_a_major",
    }
    taken = report(tmp_path, OPENINGS.replace("[natural]", f"[{', '.join(found.offered)}, natural]"), 150)
    assert not taken.offered
    foretold = sum(found.offered.values()) / found.decisions
    # Both are bid otherwise, so the share comes close to what was foretold and need not be the same.
    assert found.not_yours - taken.not_yours > 0.75 * foretold
    (tmp_path / "club.yaml").write_text(OPENINGS)
    first = CliRunner().invoke(app, ["lint", str(tmp_path / "club.yaml"), "--deals", "150"]).output
    assert "To take over in one line" in first and "% natural  standard/they_open\n" in first


def test_a_shipped_system_is_offered_nothing() -> None:
    seen = watched(System.load("acol"), 0, 0, 30)
    assert seen.layers["natural"] and not seen.offered


def test_lint_on_every_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(BASE)
    saves = iter([BASE.replace("12+ hcp", "13+ hcp # ours"), BASE.replace("rules:", "ruls:"), None])

    def save(seconds: float) -> None:
        text = next(saves)
        if text is None:
            raise KeyboardInterrupt
        path.write_text(text)

    monkeypatch.setattr("pidm.cli.lint.time.sleep", save)
    run = CliRunner().invoke(app, ["lint", str(path), "--deals", "0", "--watch"])
    assert run.output.count("in order\n") == 3
    assert run.output.count("not in order") == 1
    assert "unknown key `ruls`" in run.output


def test_a_worker_finds_a_file_wherever_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers outlive a command; the next one may be given in another folder."""
    path = write_system(tmp_path, "- auction: P*\n  bid: [ {1C: 12+ hcp}, {P: any} ]")
    monkeypatch.chdir(tmp_path)
    which = named(path.name, None, System.load(path.name))
    monkeypatch.chdir("/")
    assert loaded(which).spec.files == System.load(path).spec.files
