"""Generations: what is tagged, what is learned, and that a killed run goes on to the same result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from records_of_ours import club_evening

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat
from pidm.bridge.cards import Hand
from pidm.core.boosting import Boosting
from pidm.models.learned_seats import LearnedSeats
from pidm.play.pair import Pair
from pidm.play.pool import Pool
from pidm.reading.look import Look
from pidm.reading.stakes import NAMES
from pidm.training.generations import GenerationPlan, Generations, MatchOutcome
from pidm.training.rollouts import tag
from pidm.training.self_play import table_of
from pidm.training.settings import TrainingError
from pidm.training.value_learning import Lessons, foretold, gain, learned, lessons_of
from pidm.training.value_tags import Tagged, tags_of_deals

PLAN = GenerationPlan("two_over_one", ("two_over_one",), generations=2, deals=3, boards=4)


@pytest.fixture(scope="module")
def tags() -> list[Tagged]:
    return [Tagged.from_dict(one) for one in tags_of_three_deals()]


def tags_of_three_deals(temperature: float = 0.0, joint: bool = False) -> list[dict[str, Any]]:
    return tags_of_deals("two_over_one", "two_over_one", 3, "", temperature, joint, 3)


def test_tags_compare_with_the_call_of_the_rules(tags):
    assert len(tags) > 3
    for one in tags:
        assert len(one.calls) == len(one.rows) == len(one.standing) == len(one.plain) > 1
        assert not one.plain[0].any() and not one.guarded[0].any()
        assert (one.guarded <= one.plain + 24).all()
        assert one.rows.shape[1] == len(NAMES)
        assert Call.from_str("X") not in one.calls[1:]


def test_tags_survive_being_written(tags):
    for one in tags:
        assert Tagged.from_dict(json.loads(json.dumps(one.to_dict()))).to_dict() == one.to_dict()


def test_the_same_deals_give_the_same_tags(tags):
    assert tags_of_three_deals() == [one.to_dict() for one in tags]


def test_with_partners_answer_the_tags_are_of_the_same_decisions(tags):
    joint = tags_of_three_deals(joint=True)
    assert [one["auction"] for one in joint[:1]] == [tags[0].to_dict()["auction"]]
    assert [one["guarded"] for one in joint] != [one.to_dict()["guarded"] for one in tags]


def test_with_a_temperature_other_calls_are_made(tags):
    warm = tags_of_three_deals(temperature=3.0)
    assert [one["auction"] for one in warm] != [one.to_dict()["auction"] for one in tags]


def made_up(n: int = 250) -> Lessons:
    """Decisions with one call each beside that of the rules, which gains if the first number is positive."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(n, len(NAMES)))
    values = np.where(rows[:, 0] > 0, 2.0, -2.0)
    halves = values[:, None] + rng.normal(size=(n, 2))
    return Lessons(rows, np.zeros(n), halves, np.arange(n), np.ones(n))


def test_what_is_learned_tells_what_gains():
    lessons = made_up()
    values = foretold(lessons, Boosting(rounds=25, rate=0.2))
    mean, error, share = gain(lessons, values, 0.5)
    assert mean == pytest.approx(1.0, abs=4 * error)
    assert 0.4 < share < 0.6
    trees = learned(lessons, Boosting(rounds=25, rate=0.2))
    assert trees.predict(np.eye(1, len(NAMES)) * 2)[0] > 1 > -1 > trees.predict(-2 * np.eye(1, len(NAMES)))[0]


def test_nothing_is_gained_by_what_was_learned_from_noise():
    lessons = made_up()
    shuffled = Lessons(
        np.random.default_rng(2).normal(size=lessons.rows.shape),
        lessons.standing,
        lessons.halves - 0.5,
        lessons.decision,
        lessons.weight,
    )
    assert gain(shuffled, foretold(shuffled, Boosting(rounds=25, rate=0.2)), 1.0)[0] < 0.3


def test_lessons_leave_the_call_of_the_rules_out(tags):
    lessons = lessons_of(tags)
    assert len(lessons.rows) == sum(len(one.calls) - 1 for one in tags)


class Judge:
    """Lets the generations win that it is told to, and notes who met."""

    def __init__(self, winners: set[int]) -> None:
        self.winners = winners
        self.met: list[tuple[str, str | None]] = []

    def __call__(self, new: Pair, old: Pair, path: Path, seed: int) -> MatchOutcome:
        self.met.append((str(new.correction), old.correction))
        return MatchOutcome(0.2, 0.1, 4, int(new.name.split()[-1]) in self.winners)


def test_what_wins_is_played_by_the_next_generation(tmp_path):
    judge = Judge({1})
    found = Generations(tmp_path / "mine", Pool(), judge, PLAN).run()
    assert [one.verdict.wins for one in found] == [True, False]
    first, best = (
        tmp_path / "mine" / "generation-1" / "correction.json",
        tmp_path / "mine" / "correction.json",
    )
    assert judge.met[0] == (str(first), None)
    assert judge.met[1][1] == str(best)
    assert best.read_text() == first.read_text()
    assert found[1].tags > found[0].tags


def test_a_killed_run_goes_on_to_the_same_result(tmp_path):
    whole = Generations(tmp_path / "whole", Pool(), Judge({1, 2}), PLAN)
    expected = whole.run()
    whole.close()
    cut = tmp_path / "cut"

    class KilledError(Exception):
        pass

    def killed(new: Pair, old: Pair, path: Path, seed: int) -> MatchOutcome:
        raise KilledError

    work = Generations(cut, Pool(), killed, PLAN)
    with pytest.raises(KilledError):
        work.run()
    work.close()
    tags = cut / "generation-1" / "tags.jsonl"
    tags.write_bytes(tags.read_bytes()[:-20])  # the last line was being written
    again = Generations(cut, Pool(), Judge({1, 2}))
    assert again.run() == expected
    again.close()
    for name in ("correction.json", "generation-1/tags.jsonl", "generation-2/tags.jsonl"):
        assert (cut / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_directory_is_started_once_and_held_by_one(tmp_path):
    first = Generations(tmp_path, Pool(), Judge(set()), PLAN)
    with pytest.raises(TrainingError, match="go on with --resume"):
        Generations(tmp_path, Pool(), Judge(set()), PLAN)
    with pytest.raises(TrainingError, match="somebody is at work"):
        Generations(tmp_path, Pool(), Judge(set()))
    first.close()
    with pytest.raises(TrainingError, match=r"no plan\.json"):
        Generations(tmp_path / "elsewhere", Pool(), Judge(set()))


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"generations": 0}, "at least 1"),
        ({"pull": -1.0}, "from 0 up"),
        ({"pool": ()}, "at least one system"),
    ],
)
def test_plans_that_make_no_sense_are_refused(what, says):
    with pytest.raises(TrainingError, match=says):
        GenerationPlan(**what)


def test_the_command_learns_plays_its_match_and_is_resumed(tmp_path):
    from typer.testing import CliRunner

    from pidm.cli.app import app

    folder = tmp_path / "situations"
    asked = ["--generations", "1", "--deals", "3", "--boards", "2", "--rival", "two_over_one"]
    done = CliRunner().invoke(app, ["cotrain", "two_over_one", *asked, "--out", str(folder), "--quiet"])
    assert done.exit_code == 0, done.output
    assert "generation 1:" in done.output and "2 boards" in done.output
    assert (folder / "generation-1" / "rules.md").read_text().startswith("# What the tags teach")
    again = CliRunner().invoke(app, ["cotrain", "--resume", str(folder), "--quiet"])
    assert again.output == done.output


def test_a_rival_may_be_learned_from_records(tmp_path):
    """It bids as it does, weighs the deals of tags and answers in them; what is learned is ours alone."""
    path = tmp_path / "club.pair"
    club_evening()[0].save(path)
    found = [Tagged.from_dict(one) for one in tags_of_deals("two_over_one", str(path), 4, "", 0.0, False, 3)]
    assert found and {one.decision.ours for one in found} == {"two_over_one"}
    assert {one.light for one in found} == {0.0}
    plan = GenerationPlan("two_over_one", (str(path),), generations=1, deals=4, boards=4)
    [one] = Generations(tmp_path / "mine", Pool(), Judge({1}), plan).run()
    assert one.tags >= 1


def test_deals_are_the_same_wherever_a_model_lies(tmp_path):
    found = []
    for folder in (tmp_path / "one", tmp_path / "other"):
        folder.mkdir()
        club_evening()[0].save(folder / "club.pair")
        found.append(tags_of_deals("two_over_one", str(folder / "club.pair"), 2, "", 0.0, False, 3))
    for one, other in zip(*found, strict=True):
        assert {**one, "theirs": ""} == {**other, "theirs": ""}


def test_without_a_tag_there_is_nothing_to_learn(tmp_path, monkeypatch):
    monkeypatch.setattr("pidm.training.generations.read_tags", lambda path: [])
    plan = GenerationPlan("two_over_one", ("sayc",), generations=1, deals=1, boards=2)
    with pytest.raises(TrainingError, match="no decision of 1 deals is worth a tag"):
        Generations(tmp_path / "mine", Pool(), Judge({1}), plan).run()


def test_tags_against_a_learned_rival_depend_on_how_it_bids(tmp_path):
    look = Look(table_of("two_over_one", "two_over_one"))
    model = club_evening()[0]
    seats = LearnedSeats(look.table, {Seat.E: model, Seat.W: model})
    auction, hand = Auction.from_str("1S 3H"), Hand.from_str("K72.83.AQ964.J52")
    calls = [PASS, Call.from_str("3S"), Call.from_str("4S")]
    made = [tag(look, auction, hand, calls, np.random.default_rng(1), seats=one) for one in (None, seats)]
    assert all(one is not None and one.worlds == 32 for one in made)
    assert (made[0].plain != made[1].plain).any()
