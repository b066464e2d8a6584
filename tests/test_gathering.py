"""Gathering experience: what a directory holds, runs that are killed and go on, and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from records_of_ours import club_evening, told
from typer.testing import CliRunner

from pidm.bridge.auction import Auction
from pidm.bridge.worlds import random_deals
from pidm.cli.app import app
from pidm.models.experience import Experience, ExperienceError, beside_each_other
from pidm.models.layers import SHAPES, hidden_of, widened
from pidm.models.learned_pair import LearnedPair
from pidm.models.network import Network
from pidm.play.pair import Pair
from pidm.play.pool import Pool
from pidm.training import gathering
from pidm.training.gathering import Gathering, GatheringPlan
from pidm.training.generations import MatchOutcome
from pidm.training.outcomes import Trials
from pidm.training.settings import TrainingError


@pytest.fixture(scope="module")
def habit() -> Network:
    return club_evening()[0].plain


PLAN = GatheringPlan(rivals=("sayc",), deals=120, rounds=3, boards=4)


@pytest.fixture
def small(monkeypatch):
    """Rounds of a few deals."""
    for name, value in {"DEALS_AT_ONCE": 20, "PIECES": 2, "ROUND": 12, "KEPT": 2, "TEST": 12}.items():
        monkeypatch.setattr(gathering, name, value)


def judged(new: Pair, old: Pair, path: Path, seed: int) -> MatchOutcome:
    assert new.experience and old.experience == ""
    return MatchOutcome(0.2, 0.1, 4, True)


class KilledError(Exception):
    pass


def test_a_killed_run_goes_on_to_the_same_result(small, tmp_path):
    whole = Gathering(tmp_path / "whole", Pool(), judged, PLAN)
    expected = whole.run()
    whole.close()
    cut = tmp_path / "cut"
    for phase in ("auctions", "habit of sayc", "rounds"):

        def kill(progress, phase=phase):
            if progress.phase == phase and (phase != "rounds" or progress.done == 2):
                raise KilledError

        work = Gathering(cut, Pool(), judged, None if cut.exists() else PLAN, kill)
        if phase == "habit of sayc":  # it tells rarely: killed after it, by hand
            work._auctions()
            work.close()
            with open(cut / "auctions.jsonl", "ab") as file:
                file.write(b'[{"deal": "N:AK')  # a line was being written
            continue
        with pytest.raises(KilledError):
            work.run()
        work.close()
    again = Gathering(cut, Pool(), judged)
    found = again.run()
    again.close()
    assert (found.ahead, found.verdict) == (expected.ahead, expected.verdict)
    for name in ("auctions.jsonl", "curve.csv"):
        assert (cut / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    mine, theirs = (Experience.load(one / "experience.npz") for one in (cut, tmp_path / "whole"))
    assert all(
        np.array_equal(one.weights[name], other.weights[name])
        for one, other in zip(mine.networks, theirs.networks)
        for name in one.weights
    )
    assert mine.about["decisions"] == 3 * 2 * 12 * Trials.decisions


def test_experience_goes_on_from_experience(small, monkeypatch, tmp_path):
    monkeypatch.setattr(gathering, "PAST", 2)
    first = Gathering(tmp_path / "first", Pool(), judged, replace(PLAN, rounds=2))
    begun = first.run().path
    first.close()
    plan = replace(PLAN, rivals=(), start=(str(begun),), rounds=4)
    further = Gathering(tmp_path / "further", Pool(), judged, plan)
    found = Experience.load(further.run().path)
    further.close()
    assert found.about["decisions"] == 6 * 2 * 12 * Trials.decisions
    files = {path.name for path in further.folder.iterdir()}
    assert {"start.npz", "past-2.npz", "past-4.npz"} <= files and "auctions.jsonl" not in files
    assert [Path(one).name for one in further._met_in(3)] == ["start.npz", "past-2.npz"]
    old = Experience.load(begun)
    habits, gains = ([getattr(one, part).weights for one in (old, found)] for part in ("habit", "gains"))
    assert all(np.array_equal(habits[0][name], habits[1][name]) for name in SHAPES)
    assert any(np.any(gains[0][name] != gains[1][name]) for name in SHAPES)


def test_experience_of_another_system_tells_what_calls_gain(small, monkeypatch, tmp_path, habit):
    """Its own habit a system learns by itself; the other pair is one to play against."""
    monkeypatch.setattr(gathering, "PAST", 1)
    begun = tmp_path / "begun.npz"
    known = told(habit, _1S=0.5)
    replace(known, about={**known.about, "system": "sayc"}).save(begun)
    plan = replace(PLAN, rivals=(), start=(str(begun),), rounds=2, rate=1e-9)
    work = Gathering(tmp_path / "work", Pool(), judged, plan)
    found = Experience.load(work.run().path)
    work.close()
    met = [Path(one).name for one in work._met_in(1)]
    assert met == ["habit-0.pair", "start.npz", "past-1.npz"]
    own = LearnedPair.load(tmp_path / "work" / "habit-0.pair").plain
    for name, one in Experience.load(begun).gains.weights.items():
        assert np.allclose(found.gains.weights[name], one, atol=1e-3)
        assert np.allclose(found.habit.weights[name], own.weights[name], atol=1e-3)
    assert (found.about["system"], found.about["from"]) == ("two_over_one", "sayc")


def test_of_several_starts_the_mean_is_gone_on_from(small, tmp_path, habit):
    one, other, wide = told(habit, _1S=0.5), told(habit, _1H=1.5), told(habit, _1S=1.0)
    wide = replace(wide, gains=Network(widened(wide.gains.weights, (320, 160), np.random.default_rng(1))))
    both = beside_each_other((one, other, wide))
    assert hidden_of(both.gains.weights) == (256 + 256 + 320, 128 + 128 + 160)
    deals, own = random_deals(40, np.random.default_rng(2))[:, 0], np.zeros(40, np.intp)
    for text in ("", "1D 1H", "1N P 2C P"):
        auctions = [Auction.from_str(text)] * 40
        gains = [each.beside(auctions, deals, own)[1] for each in (one, other, wide, both)]
        assert np.allclose(np.mean(gains[:3], axis=0), gains[3], atol=1e-5)
    with pytest.raises(ExperienceError, match="together they have a layer of 1280 units, expected at most"):
        beside_each_other((wide,) * 4)
    paths = []
    for number, each in enumerate((one, wide)):
        each.save(tmp_path / f"{number}.npz")
        paths.append(str(tmp_path / f"{number}.npz"))
    work = Gathering(
        tmp_path / "work", Pool(), judged, replace(PLAN, rivals=(), start=tuple(paths), rounds=1)
    )
    found = Experience.load(work.run().path)
    work.close()
    assert hidden_of(found.gains.weights) == (576, 288)
    assert (
        GatheringPlan.from_dict(json.loads((work.folder / "plan.json").read_text())["gathering"]) == work.plan
    )


def test_a_wider_network_goes_on_from_experience(small, monkeypatch, tmp_path, habit):
    """Its new units depend on the seed alone, so that an interrupted run comes to the same result."""
    monkeypatch.setattr(gathering, "KEPT", 1)
    monkeypatch.setattr(gathering, "PAST", 1)
    begun = tmp_path / "begun.npz"
    told(habit, _1S=0.5).save(begun)
    plan = replace(PLAN, rivals=(), start=(str(begun),), rounds=2, units=320)
    whole = Gathering(tmp_path / "whole", Pool(), judged, plan)
    expected = Experience.load(whole.run().path)
    whole.close()
    assert hidden_of(expected.gains.weights) == (320, 160)
    assert hidden_of(Experience.load(tmp_path / "whole" / "past-1.npz").gains.weights) == (320, 160)

    def kill(progress):
        if progress.phase == "rounds":
            raise KilledError

    cut = Gathering(tmp_path / "cut", Pool(), judged, plan, kill)
    with pytest.raises(KilledError):
        cut.run()
    cut.close()
    again = Gathering(tmp_path / "cut", Pool(), judged)
    assert again.plan == plan
    found = Experience.load(again.run().path)
    again.close()
    for name, one in expected.gains.weights.items():
        assert np.array_equal(found.gains.weights[name], one)
    further = replace(plan, start=(str(tmp_path / "cut" / "experience.npz"),), rounds=1)
    with pytest.raises(TrainingError, match=r"experience\.npz has 320 units, expected at most 256"):
        Gathering(tmp_path / "less", Pool(), judged, replace(further, units=256))
    as_wide = Gathering(tmp_path / "as wide", Pool(), judged, replace(further, units=None))
    assert hidden_of(Experience.load(as_wide.run().path).gains.weights) == (320, 160)
    as_wide.close()


@pytest.mark.parametrize(
    ("written", "start"),
    [("", ()), ("one.npz", ("one.npz",)), (["one.npz", "two.npz"], ("one.npz", "two.npz"))],
)
def test_a_plan_of_old_knows_its_start(written, start):
    assert GatheringPlan.from_dict({"start": written}).start == start
    assert GatheringPlan.from_dict({}).start == ()


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"units": 128}, "units is an even number from 256 to 1024, not 128"),
        ({"units": 2048}, "units is an even number"),
        ({"units": 301}, "units is an even number"),
        ({"rounds": 0}, "rounds is at least 1"),
        ({"deals": -1}, "deals is at least 1"),
        ({"pull": 0.0}, "pull is a number of IMPs above 0"),
        ({"rate": 2.0}, "between 0 and 1"),
    ],
)
def test_plans_that_make_no_sense_are_refused(what, says):
    with pytest.raises(TrainingError, match=says):
        GatheringPlan(**what)


def test_a_directory_is_started_once_held_by_one_and_checked(small, tmp_path):
    first = Gathering(tmp_path, Pool(), judged, PLAN)
    with pytest.raises(TrainingError, match="go on with --resume"):
        Gathering(tmp_path, Pool(), judged, PLAN)
    with pytest.raises(TrainingError, match="somebody is at work"):
        Gathering(tmp_path, Pool(), judged)
    first.close()
    plan = json.loads((tmp_path / "plan.json").read_text())
    (tmp_path / "plan.json").write_text(json.dumps({**plan, "systems": {}}))
    with pytest.raises(TrainingError, match="have changed since it was started"):
        Gathering(tmp_path, Pool(), judged)
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(TrainingError, match=r"plan\.json is damaged"):
        Gathering(tmp_path, Pool(), judged)


@pytest.mark.parametrize(
    ("name", "text"), [("state.npz", b"tea"), ("auctions.jsonl", b"[{}]\n"), ("curve.csv", b"a\n1\n")]
)
def test_damage_in_the_directory_is_told(small, tmp_path, name, text):
    work = Gathering(tmp_path, Pool(), judged, replace(PLAN, rounds=1))
    work.run()
    (tmp_path / name).write_bytes(text)
    for made in ("match.json", *(["habit-0.pair"] if name == "auctions.jsonl" else [])):
        (tmp_path / made).unlink()
    with pytest.raises(TrainingError, match=rf"{name}.* is damaged"):
        work.run()
    work.close()


def test_the_command_gathers_and_is_resumed(small, tmp_path):
    folder = tmp_path / "mine"
    asked = ["--experience", "1", "--deals", "120", "--boards", "2", "--rival", "sayc"]
    done = CliRunner().invoke(app, ["cotrain", "two_over_one", *asked, "--out", str(folder), "--quiet"])
    assert done.exit_code == 0, done.output
    assert "IMPs a board ahead of the habit" in done.output and "on 2 boards" in done.output
    again = CliRunner().invoke(app, ["cotrain", "--resume", str(folder), "--quiet"])
    assert again.output == done.output
    both = CliRunner().invoke(
        app, ["cotrain", *asked, "--generations", "1", "--out", str(tmp_path / "other")]
    )
    assert both.exit_code == 2 and "--generations and --experience" in both.output


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--units", "512"], "--units goes with --experience"),
        (["--generations", "1", "--units", "512"], "--units goes with --experience"),
        (["--start", "mine.npz"], "--start goes with --experience"),
        (["--rate", "0.01"], "--rate goes with --experience"),
        (["--pull", "0.2"], "--pull goes with --generations or --experience"),
        (["--experience", "1", "--units", "100"], "units is an even number from 256 to 1024, not 100"),
        (["--experience", "1", "--pull", "0"], "pull is a number of IMPs above 0, not 0.0"),
    ],
)
def test_options_that_make_no_sense_together_are_refused(tmp_path, asked, says):
    folder = tmp_path / "mine"
    found = CliRunner().invoke(app, ["cotrain", "two_over_one", *asked, "--out", str(folder)])
    assert found.exit_code != 0 and says in " ".join(found.output.replace("│", "").split())
    assert not folder.exists()
    resumed = CliRunner().invoke(app, ["cotrain", "--resume", str(folder), *asked])
    assert resumed.exit_code == 2 and "knows what was asked: leave" in resumed.output


def test_the_command_knows_how_wide_and_how_strong_the_pull(small, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("pidm.cli.gathering.run", lambda folder, plan, *others: asked.append(plan))
    for more in ([], ["--units", "512", "--pull", "0.2"]):
        done = CliRunner().invoke(app, ["cotrain", "--experience", "1", "--out", str(tmp_path), *more])
        assert done.exit_code == 0, done.output
    assert [(plan.units, plan.pull) for plan in asked] == [(None, 0.3), (512, 0.2)]
