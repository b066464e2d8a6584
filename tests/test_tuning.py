"""Tuning: what is proposed, what a change touches, what is accepted, and the command."""

import json

import numpy as np
import pytest
from tuned_club import BOARDS, HEAVIER, LIGHTER, RULES, by_title
from typer.testing import CliRunner

from pidm.cli.app import app
from pidm.language.system import System
from pidm.match.statistics import Mean
from pidm.play.bidder import Bidder
from pidm.play.journal import Journal, JournalError
from pidm.play.match_boards import random_boards
from pidm.play.pool import Pool
from pidm.tuning import trials, tuner
from pidm.tuning.changes import (
    Change,
    ChangeError,
    Drop,
    Reword,
    Switch,
    changed_system,
    lines_touched,
    touched_blocks,
    with_changes,
)
from pidm.tuning.ground import OURSELVES, Attempt, GainEstimate, Ground, Setting
from pidm.tuning.operators import OPERATORS
from pidm.tuning.proposals import Proposer, by_use, proposals
from pidm.tuning.trials import Plan, Trial
from pidm.tuning.tuner import Outcome, tune
from pidm.tuning.wording import border_moved, shifted
from systems import write_system


@pytest.fixture
def club(tmp_path):
    return write_system(tmp_path, RULES)


@pytest.fixture
def plan(club, tmp_path, monkeypatch):
    monkeypatch.setattr(trials, "ACCEPTED", 2.0)
    monkeypatch.setattr(trials, "CONFIRMED", 0.5)
    trials.laboratory.cache_clear()
    return Plan(
        str(club),
        boards=BOARDS,
        confirming=BOARDS,
        measuring=100,
        judges=("silent,rules-only",),
        seed=4,
        store=str(tmp_path / "solved.sqlite"),
    )


@pytest.mark.parametrize(
    "text, by, least, result",
    [
        ("12-14 hcp, 4+ S", -1, True, "11-14 hcp, 4+ S"),
        ("12+ hcp or 10-11 hcp, 6+ S", 1, True, "13+ hcp or 11 hcp, 6+ S"),
        ("11 hcp", 1, True, "11 hcp"),
        ("0-9 points(M), 3+ M", 1, False, "0-10 points(M), 3+ M"),
        ("0-9 hcp", -1, True, "0-9 hcp"),
        ("combined 25+ hcp", -1, True, "combined 24+ hcp"),
        ("4+ hcp(S), 20+ hcp + S + H", -1, True, "4+ hcp(S), 20+ hcp + S + H"),
    ],
)
def test_points_of_the_hand_are_moved_and_nothing_else(text, by, least, result):
    assert shifted(text, by, least) == result


def test_every_kind_is_proposed_in_its_order_and_nothing_twice(club):
    found = list(proposals(System.load(club)))
    kinds = list(dict.fromkeys(change.kind for change in found))
    assert kinds == list(OPERATORS)
    assert len({change.id for change in found}) == len(found)
    titles = [change.title for change in found]
    for words in ("2S: vulnerable, too", "2S: a card fewer", "2S: any suit", "without `10-11 hcp, 7+ S`"):
        assert any(words in title for title in titles), words


def test_every_proposal_can_be_made(club):
    system = System.load(club)
    for change in proposals(system):
        if change.kind != "conventions":
            assert changed_system(system, change.edits).spec != system.spec


def test_a_limit_moves_for_both_lines(club):
    system = System.load(club)
    below, above = (
        next(one for one in proposals(system, ["limits"]) if f"above 9 hcp {by}" in one.title)
        for by in ("-1", "+1")
    )
    assert [(one.old, one.new) for one in below.edits] == [
        ("5-9 hcp, 6 S, 3+ hcp(S)", "5-8 hcp, 6 S, 3+ hcp(S)"),
        ("10-11 hcp, 7+ S", "9-11 hcp, 7+ S"),
    ]
    assert [one.new for one in above.edits] == ["5-10 hcp, 6 S, 3+ hcp(S)", "11 hcp, 7+ S"]


@pytest.mark.parametrize(
    "text, unit, points, by, result",
    [
        ("10-12 points(M), 11-12 hcp", "points", 12, -1, "10-11 points(M), 11-12 hcp"),
        ("combined 25+ hcp or 12+ hcp", "combined hcp", 24, 1, "combined 26+ hcp or 12+ hcp"),
        ("13+ hcp", "hcp", 12, -1, "12+ hcp"),
        ("12 hcp", "hcp", 12, -1, "12 hcp"),
    ],
)
def test_points_of_another_sort_have_other_limits(text, unit, points, by, result):
    assert border_moved(text, unit, points, by) == result


def test_a_whole_range_moves(club):
    system = System.load(club)
    found = [edit.new for one in proposals(system, ["ranges"]) for edit in one.edits]
    assert {"7-13 hcp, 6+ H", "9-15 hcp, 6+ H", "9-10 hcp, 7+ S"} <= set(found)
    assert not any(edit.old.startswith("13+") for one in proposals(system, ["ranges"]) for edit in one.edits)


def test_a_card_more_or_fewer(club):
    system = System.load(club)
    found = {one.edits[0].new for one in proposals(system, ["lengths"])}
    assert {"0-11 hcp, 5+ S", "0-11 hcp, 7+ S", "8-14 hcp, 5+ H", "8-14 hcp, 7+ H"} <= found
    assert not any("14 S" in text or "1+" in text.split() for text in found)


def test_lines_that_are_used_most_are_tried_first(club):
    system = System.load(club)
    notrump, spades = (line.mark for line in system.spec.blocks[0].lines[:2])
    found = by_use(system, list(proposals(system)), {spades: 30, notrump: 20})
    assert all(one.kind in ("count", "conventions") for one in found[:5])
    lines = [one for one in found if any(isinstance(edit, Drop) for edit in one.edits)]
    assert [one.edits[0].mark for one in lines[:2]] == [spades, notrump]


def test_changes_may_be_kept_to_some_files(club):
    system = System.load(club)
    place = system.spec.blocks[0].mark.path
    everywhere = [one.id for one in proposals(system)]
    assert [one.id for one in proposals(system, within=[place])] == everywhere
    elsewhere = list(proposals(system, within=["systems/acol"]))
    assert {one.kind for one in elsewhere} == {"count", "conventions"}


def test_a_change_in_memory(club):
    system = System.load(club)
    lighter = changed_system(system, by_title(system, LIGHTER).edits)
    hands = "K432.KQ32.KQ3.32"  # 13 points
    calls = [str(Bidder(one, limit=None).bid(hands, "1N P").call) for one in (system, lighter)]
    assert calls == ["P", "3N"]
    assert lighter.blocks[0] is system.blocks[0] and lighter.blocks[1] is not system.blocks[1]


def test_changes_are_made_one_after_the_other(club):
    system = System.load(club)
    first = by_title(system, LIGHTER)
    again = next(one for one in Proposer(system, ["games"]).after([first]) if one.title.endswith(LIGHTER))
    twice = with_changes(system, [first, again])
    assert twice.spec.blocks[1].lines[0].alternatives[0].shows == "12+ hcp"
    assert again.finds == first.makes
    with pytest.raises(ChangeError, match="does not have all the texts"):
        with_changes(system, [again])


def test_after_a_change_its_lines_are_tried_again_and_no_others(club):
    system = System.load(club)
    change = by_title(system, LIGHTER)
    now = with_changes(system, [change])
    after = Proposer(system).after([change])
    mine = lines_touched(system, [change])[change.id]
    assert {"games", "lines"} <= {one.kind for one in after}
    assert all(lines <= mine for lines in lines_touched(now, after).values())
    assert not Proposer(system).after([Change("conventions", "", (Switch("stayman", True),))])


def test_what_is_not_there_cannot_be_changed(club):
    system = System.load(club)
    mark = system.spec.blocks[0].mark
    with pytest.raises(ChangeError, match="does not have all the texts"):
        changed_system(system, [Reword(mark, "12+ hcp", "13+ hcp")])


@pytest.mark.parametrize("member", [OURSELVES, "silent,rules-only"])
def test_what_a_change_does_not_touch_need_not_be_bid(club, member):
    """The tables that are bid anew are all that come out otherwise."""
    system = System.load(club)
    ground = Ground(system, Setting(tuple(random_boards(24, 9)), (member,)), member)
    differing = 0
    for change in list(proposals(system))[::2]:
        if any(isinstance(edit, Switch) for edit in change.edits):
            continue
        other = changed_system(system, change.edits)
        everything = ground.rebid(other, ground.touched(other, None))
        some = ground.rebid(other, ground.touched(other, touched_blocks(system, change)))
        bid_otherwise = {k: v for k, v in everything.items() if v != ground.auctions[k]}
        assert {k: v for k, v in some.items() if v != ground.auctions[k]} == bid_otherwise, change.title
        differing += len(bid_otherwise)
    assert differing > 5


@pytest.mark.parametrize("member", [OURSELVES, "silent,rules-only"])
def test_the_ground_follows_the_system(club, member):
    """What a change leaves alone is taken over, and all is as if bid by the new system from the start."""
    system = System.load(club)
    ground = Ground(system, Setting(tuple(random_boards(200, 9)), (member,)), member)
    change = by_title(system, LIGHTER)
    other = changed_system(system, change.edits)
    moved = ground.with_system(other, touched_blocks(system, change))
    anew = Ground(other, ground.setting, member)
    assert moved.auctions == anew.auctions != ground.auctions
    assert moved.uses == anew.uses != ground.uses
    same = [new is old for new, old in zip(moved._groups, ground._groups)]
    assert any(same) and not all(same)
    for change in list(proposals(other, ["thresholds", "lines"])):
        third, blocks = changed_system(other, change.edits), touched_blocks(other, change)
        assert moved.touched(third, blocks) == anew.touched(third, blocks), change.title


def test_both_sides_know_what_the_others_play(club):
    system = System.load(club)
    ground = Ground(system, Setting(tuple(random_boards(2, 9)), ("sayc,rules-only",)), "sayc,rules-only")
    us, them = Attempt(ground, system, ())._callers
    assert (us.bidder.left.name, them.bidder.left, them.bidder.system.name) == ("sayc", system, "sayc")


def test_gains_are_those_of_the_boards_whose_contract_changes(club):
    system = System.load(club)
    ground = Ground(system, Setting(tuple(random_boards(200, 9)), (OURSELVES,)), OURSELVES)
    other = changed_system(system, by_title(system, LIGHTER).edits)
    auctions = ground.rebid(other, ground.touched(other, None))
    gains = ground.gains(auctions, GainEstimate())
    changed = {
        place // 2 for place in auctions if auctions[place].contract != ground.auctions[place].contract
    }
    assert changed and set(np.flatnonzero(gains)) <= changed


def run(plan, words=(LIGHTER, HEAVIER, "2H: without"), **options):
    system = System.load(plan.system)
    return tune(plan, [by_title(system, one) for one in words], **options)


def test_a_change_that_wins_is_found_confirmed_and_stays(plan):
    outcome = run(plan)
    ((change, trial, answer),) = outcome.accepted
    assert change.title.endswith(LIGHTER)
    assert trial.stage == "solved" and trial.sigmas >= 2 and trial.gain.n == BOARDS
    assert answer.stage == "confirmed" and answer.gain.mean > 0 and set(answer.members) == {OURSELVES}
    assert outcome.left == 0 and len(outcome.tried) == 3
    assert set(outcome.together) == {OURSELVES, "silent,rules-only"}
    assert outcome.together[OURSELVES].gain.mean > 0


def test_a_threshold_that_is_far_off_is_moved_until_it_is_right(plan, monkeypatch):
    monkeypatch.setattr(trials, "Solver", lambda store: GainEstimate())  # what is right does not matter here
    outcome = run(plan, (LIGHTER,), proposer=Proposer(System.load(plan.system), ["games"]))
    points = [edit.new for change in outcome.changes for edit in change.edits]
    assert points[:2] == ["13+ hcp", "12+ hcp"]


def test_what_looked_good_is_tried_at_once(club):
    system = System.load(club)
    spades, hearts, notrump, games = (
        by_title(system, words)
        for words in ("2S: a card fewer", "2H: without", "1N: the least points -1", LIGHTER)
    )
    other = by_title(system, "2S: two points fewer")  # than the first, in the same line
    proposer = Proposer(system)
    whole, half = proposer.together([spades, hearts, other, notrump, games], [])
    assert whole.parts == (spades.title, hearts.title, notrump.title, games.title)
    assert half.edits == spades.edits + hearts.edits
    assert with_changes(system, [whole]).spec == with_changes(system, [spades, hearts, notrump, games]).spec
    (left,) = proposer.together([spades, hearts, notrump], [spades])
    assert left.parts == (hearts.title, notrump.title)
    assert whole.to_data()["parts"] == list(whole.parts) and "parts" not in spades.to_data()


def test_what_is_hopeful():
    def one(name, stage, gain, error):
        edit = Switch(name, True)
        return Change("conventions", name, (edit,)), Trial(name, stage, False, Mean(gain, error, 99))

    first, solved, poor, good, done = (
        one("a", "first", 2.0, 1.0),
        one("b", "solved", 2.0, 1.0),
        one("c", "estimate", 1.0, 1.0),
        one("d", "estimate", 2.5, 1.0),
        one("e", "solved", 4.0, 1.0),
    )
    outcome = Outcome(tried=[first, solved, poor, good, done], refused=[(*done, done[1])])
    assert [change.title for change in outcome.hopeful()] == ["d", "b"]
    again = (good[0], Trial("d", "first", False, Mean(-1.0, 1.0, 99)))  # after something was accepted
    outcome.tried.append(again)
    assert [change.title for change in outcome.hopeful()] == ["b"]


def test_in_the_end_what_looked_good_is_confirmed_at_once(plan, monkeypatch):
    monkeypatch.setattr(tuner, "HOPEFUL", -10.0)
    monkeypatch.setattr(trials, "LUCK", 20.0)
    monkeypatch.setattr(trials, "ACCEPTED", 5.0)
    monkeypatch.setattr(trials, "Solver", lambda store: GainEstimate())
    outcome = run(plan, (LIGHTER, "2H: without"), proposer=Proposer(System.load(plan.system), ["games"]))
    assert [change.kind for change, _ in outcome.tried] == ["games", "lines", "together"]
    assert outcome.tried[-1][0].parts == tuple(
        change.title for change, _ in sorted(outcome.tried[:2], key=lambda one: -one[1].sigmas)
    )


def test_what_cannot_be_and_what_touches_few_boards_is_not_tried_further(club):
    lab = trials.Laboratory(Plan(str(club), boards=64, confirming=8, measuring=8, look=False))
    system = lab.system
    needs = Change("conventions", "", (Switch("key_card_ask_last", True),))
    assert lab.try_out(needs).stage == "impossible"
    assert lab.try_out(by_title(system, "2S: vulnerable, too")).stage == "rare"


def test_a_change_that_loses_much_is_dropped_on_a_few_boards(club):
    lab = trials.Laboratory(Plan(str(club), boards=640, confirming=8, measuring=8, look=False))
    trial = lab.try_out(by_title(lab.system, "1N: without"))
    assert trial.stage == "first" and not trial.accepted and trial.gain.n < 640


def test_a_run_that_was_killed_goes_on_to_the_same_result(plan, tmp_path):
    def same(outcome):
        return [(c.id, t.gain, a.gain) for c, t, a in outcome.accepted], [
            (c.id, t.stage, t.gain) for c, t in outcome.tried
        ]

    path = tmp_path / "run.part"
    whole = run(plan, journal=Journal(path, {"run": 1}))
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 5  # what it is about, three trials, a confirmation
    for kept in (2, 4):
        path.write_bytes(b"".join(lines[:kept]) + lines[-1][:10])
        trials.laboratory.cache_clear()
        again = run(plan, journal=Journal(path, {"run": 1}, resume=True))
        assert same(again) == same(whole)
        assert len(path.read_bytes().splitlines()) == 5


def test_what_was_kept_of_other_changes_is_not_taken_for_these(plan, tmp_path):
    path = tmp_path / "run.part"
    run(plan, (LIGHTER,), journal=Journal(path, {"run": 1}))
    with pytest.raises(JournalError, match="tried another change than `.*the games 1 point heavier` here"):
        run(plan, (HEAVIER,), journal=Journal(path, {"run": 1}, resume=True))


def test_enough_is_enough(plan):
    outcome = run(plan, until=lambda: True)
    assert outcome.left == 3 and not outcome.tried


def test_nobody_may_be_harmed(plan, monkeypatch):
    lab = trials.Laboratory(Plan(plan.system, pool=("one", "two"), boards=8, confirming=8))
    gains = {"one": np.array([9.0, 7, 9, 8]), "two": np.array([-2.0, -1, -2, -1])}

    class Fixed:
        def __init__(self, member):
            self.member = member

        def gains(self, auctions, judge):
            return gains[self.member]

    monkeypatch.setattr(lab, "ground", lambda which, member: Fixed(member))
    change = Change("doubles", "", ())
    solved = lab._judged(change, "solved", [{}, {}], GainEstimate(), 4, 3.0)
    assert solved.sigmas > 3 and not solved.accepted
    gains["two"] = np.array([2.0, 1, 2, 1])
    assert lab._judged(change, "solved", [{}, {}], GainEstimate(), 4, 3.0).accepted


def test_what_is_tried_at_once_is_confirmed_by_more(club, monkeypatch):
    lab = trials.Laboratory(Plan(str(club), boards=8, confirming=64, measuring=8, look=False))
    one = by_title(lab.system, LIGHTER)
    several = Change("together", "", one.edits, (one.title, "another"))
    asked = []
    monkeypatch.setattr(
        lab, "_judged", lambda *words: asked.append(words[-1]) or Trial("", "", True, words[0])
    )
    monkeypatch.setattr(trials, "_with", lambda trial, touched, began: trial)
    lab.confirm(one)
    lab.confirm(several)
    assert asked == [trials.CONFIRMED, trials.ACCEPTED]


@pytest.mark.parametrize(
    "gains, holds", [([0.05, 0.02], True), ([0.05, 0.01], False), ([0.05, -0.02], False), ([], False)]
)
def test_what_does_not_gain_against_everybody_does_not_hold(gains, holds):
    members = {
        str(number): Trial("", "measured", True, Mean(gain, 0.015, 4000)) for number, gain in enumerate(gains)
    }
    assert Outcome(together=members).holds is holds


def test_what_does_not_hold_is_not_written(club, tmp_path, monkeypatch):
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "cache"))
    text, change = club.read_text(), by_title(System.load(club), LIGHTER)
    trial = Trial(change.id, "solved", True, Mean(0.05, 0.01, 400))
    loses = {OURSELVES: Trial("", "measured", True, Mean(-0.007, 0.011, 4000))}
    outcome = Outcome(accepted=[(change, trial, trial)], together=loses)
    monkeypatch.setattr(tuner, "tune", lambda *words: outcome)
    printed = command(club, "--only", "games", "--write", "-n", 8, "--confirm", 8, "--measure", 8)
    assert "not written: together it does not gain" in printed.stdout and club.read_text() == text
    gains = {OURSELVES: Trial("", "measured", True, Mean(0.07, 0.011, 4000))}
    monkeypatch.setattr(tuner, "tune", lambda *words: Outcome(outcome.accepted, together=gains))
    printed = command(club, "--only", "games", "--write", "-n", 8, "--confirm", 8, "--measure", 8)
    assert f"written: {club}" in printed.stdout and "13+ hcp" in club.read_text()


def test_trials_survive_the_journal():
    trial = Trial("abc", "solved", True, Mean(0.25, 0.05, 400), {"ourselves": Mean(0.25, 0.05, 400)}, 12, 0.5)
    assert Trial.from_data(json.loads(json.dumps(trial.to_data()))) == trial


# ---------------------------------------------------------------------- the command


def command(*words):
    return CliRunner().invoke(app, ["tune", *map(str, words)])


def test_the_command_tells_what_it_tried(club, tmp_path, monkeypatch):
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(trials, "ACCEPTED", 2.0)
    monkeypatch.setattr(trials, "CONFIRMED", 0.5)
    monkeypatch.setattr(trials, "Solver", lambda store: GainEstimate())
    monkeypatch.setattr(Pool, "here", property(lambda self: True))
    out = tmp_path / "run.json"
    words = [
        club,
        "--only",
        "games",
        "-n",
        BOARDS,
        "--confirm",
        BOARDS,
        "--measure",
        100,
        "--judge",
        "silent,rules-only",
        "--seed",
        4,
        "--report",
    ]
    printed = command(*words, "--write", "--out", out)
    assert printed.exit_code == 0, printed.output
    kept = json.loads(out.read_text())
    tried, accepted = kept["tried"], kept["accepted"]
    assert len(tried) > len(accepted) >= 2 and set(kept["together"]) == {OURSELVES, "silent,rules-only"}
    spent = sum(one["seconds"] for one in tried)
    rate = f"{len(tried)} changes tried, {60 * len(tried) / spent:.1f} a minute of a process"
    assert rate in printed.stdout and f"{len(accepted)} accepted" in printed.stdout
    assert "without gain:" in printed.stdout and "the games 1 point heavier" in printed.stdout
    assert "together, on 100 boards on which nothing was chosen:" in printed.stdout
    assert "shows: 14+ hcp" not in club.read_text() and f"written: {club}" in printed.stdout


@pytest.mark.parametrize(
    "words, message",
    [
        (["--only", "games", "--within", "systems/acol"], "has no file there"),
        (["--only", "luck"], "'luck' is no kind of change; expected one of count, doubles"),
        (["--against", "engine:"], "names no command"),
    ],
)
def test_mistakes_are_told(club, words, message):
    assert message in str(command(club, *words).output)
