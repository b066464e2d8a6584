"""Systems that leave calls open beside each other: what training does with them."""

import csv
import json
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from pidm.authoring.examples import failures, read_examples
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.bridge.cards import Hand
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.models.learned_seats import LearnedSeats
from pidm.play.pool import Pool
from pidm.reading.judgement import Judgement
from pidm.reading.learned_features import key_text
from pidm.reading.refinement_files import Refinements
from pidm.reading.table import Table
from pidm.training import session
from pidm.training.session_files import SessionFolder
from pidm.training.settings import Settings, TrainingError
from pidm.training.tagging import NOTHING, AnyOpen, Learner, auction_of
from systems import write_system

TOP = Path(__file__).parent.parent
OPEN_CLUB = TOP / "docs" / "examples" / "open_club.yaml"
RULES = """
- auction: P*
  bid: [ {1S: "12-21 hcp, 5+ S"}, {P: any} ]
- auction: 1S
  bid:
    - either: [ {2S: "5-16 hcp, 3+ S"}, {3S: "5-16 hcp, 3+ S"}, {4S: "5-16 hcp, 3+ S"} ]
    - P: any
- auction: [1S 2S, 1S 3S]
  bid:
    - either: [ {P: 12-21 hcp}, {4S: 12-21 hcp} ]
- auction: ...
  bid: [ {P: any} ]
"""
LEARNED_FIRST = ("1S P 2S P", "1S P 3S P")
OPTIONS = {
    "opponents": "silent",
    "utility": "ltc",
    "deals": 300,
    "nets": 3,
    "examples": 40,
    "instances": 100,
    "sample_size": 10,
    "problems": 20,
    "judgement": 0.0,
    "tolerance": 99.0,
    "firm": 1,
    "caution": 0.0,
    "backward": True,
}


@pytest.fixture(scope="module")
def levels(tmp_path_factory):
    """A pair that has agreed on spades, not on how many."""
    return str(write_system(tmp_path_factory.mktemp("levels"), RULES))


@pytest.fixture(scope="module")
def learned(levels, tmp_path_factory):
    """A session from the end of the auctions on."""
    return run(tmp_path_factory.mktemp("sessions") / "first", Settings(system=levels, **OPTIONS))


def run(folder, settings):
    with Pool() as pool:
        running = session.start(folder, settings, pool)
        running.run()
        running.store.close()
    return folder


def rounds(folder):
    """The auctions in the order in which they were learned."""
    nets = sorted(Refinements.load(folder), key=lambda one: (one.about["round"], one.about["partner"]))
    return [key_text(one.key) for one in nets]


# ---------------------------------------------------------------------- the system of the documents


def test_the_open_club_bids_its_examples():
    mistakes = []
    system = System.load(OPEN_CLUB)
    examples = read_examples(system, mistakes)
    assert not mistakes
    ours = [one for one in examples if Path(one.text.mark.path).name == OPEN_CLUB.name]
    assert len(ours) > 10 and not list(failures(system, ours))


@pytest.mark.parametrize(
    "auction, hand, calls",
    [
        ("", "AQ2.QJ854.K4.AJ3", {"1N", "1H"}),
        ("", "AQ2.QJ85.K4.AJ32", {"1N"}),
        ("1S P", "KJ4.A5.J9732.T82", {"2S", "3S", "4S"}),
        ("1S P", "84.A54.KQ73.T932", {"1N", "2N", "3N"}),
        ("1S P 2S P", "AQ973.K5.AJ42.82", {"P", "3S", "4S"}),
        ("1S P 3S P", "AQ973.K52.AJ4.82", {"P", "4S", "3N"}),
        ("1N P 2N P", "AQ2.QJ85.K4.AJ32", {"P", "3N"}),
        ("1H P 1S P 2S P", "KJ84.5.KQ73.T832", {"P", "3S", "4S"}),
    ],
)
def test_what_the_open_club_leaves_open(auction, hand, calls):
    table = Table.of(System.load(OPEN_CLUB))
    columns = HandColumns(np.array([Hand.from_str(hand).masks], dtype=np.uint16))
    found = table.choices(Auction.from_str(auction), columns).candidates(0)
    assert {str(Call(call)) for call in found} == calls


# ---------------------------------------------------------------------- learning from the end


def test_the_longest_auctions_are_learned_first(learned):
    assert set(rounds(learned)[:2]) == set(LEARNED_FIRST) and rounds(learned)[2] == "1S P"
    queue = SessionFolder(learned).read_states()
    assert len(queue) == 3, "nothing else is open"


def test_without_caution_no_call_is_preferred(learned):
    """Of calls that stand beside each other the first is no better than the others."""
    made = {json.loads(line)["call"] for line in (learned / "examples.jsonl").read_text().splitlines()}
    assert {"P", "2S", "4S"} <= made
    raised = next(one for one in Refinements.load(learned) if key_text(one.key) == "1S P")
    taken = {str(Call(call)) for node in raised.net.root.walk() for call in node.actions[:1]}
    assert {"2S", "4S"} <= taken


def test_any_call_that_is_open_is_made_when_deals_are_surveyed(levels):
    """Auctions after each of them are found, not only after the first."""
    learner = Learner(Settings(system=levels, **OPTIONS), 0, NOTHING)
    states = learner.survey(0, 300)
    after = {" ".join(map(str, auction_of(state).calls)).replace("P ", "", 3) for state in states}
    assert any("2S" in one for one in after) and any("3S" in one for one in after)
    assert states == learner.survey(0, 300)


def test_what_is_drawn_does_not_depend_on_how_the_rules_were_asked(levels):
    """Few hands are answered without a net, and with one once there is one: the same calls are open."""
    auction = Auction.from_str("1S P")
    hands = [Hand.from_str(text) for text in ("KJ4.A5.J9732.T82", "K82.Q93.K943.J62", "K8.Q932.K943.J62")]
    columns = HandColumns(np.array([hand.masks for hand in hands], dtype=np.uint16))
    found = []
    for read_before in (False, True):
        table = Table((System.load(levels), System.load("silent")))
        if read_before:
            assert table.situation(auction).net
        anybody = AnyOpen(LearnedSeats(table, {}), np.random.default_rng(3))
        found.append([anybody.choices(auction, columns).preferred().tolist() for _ in range(20)])
    assert found[0] == found[1] and len({calls[0] for calls in found[0]}) == 3
    assert {calls[2] for calls in found[0]} == {int(Call.from_str("P"))}


# ---------------------------------------------------------------------- learning again


@pytest.fixture(scope="module")
def again(levels, learned, tmp_path_factory):
    settings = Settings(system=levels, **{**OPTIONS, "again": str(learned)})
    return run(tmp_path_factory.mktemp("sessions") / "second", settings)


def test_what_was_learned_is_known_and_learned_again(learned, again):
    assert "1S P" in rounds(again), "settled calls are open to learning"
    assert set(rounds(again)) <= set(rounds(learned)), "and what nobody bids any more is not learned"
    first, second = SessionFolder(learned).read_curve(), SessionFolder(again).read_curve()
    assert second[0]["lookahead_ratio"] == first[-1]["lookahead_ratio"] != first[0]["lookahead_ratio"]
    assert {one.name for one in (again / "before" / "nets").iterdir()} == {
        one.name for one in (learned / "nets").iterdir()
    }
    tags = [
        {json.dumps(one["state"]): one["values"] for one in map(json.loads, path.read_text().splitlines())}
        for path in (learned / "examples.jsonl", again / "examples.jsonl")
    ]
    assert tags[0] != tags[1], "opener is raised by what was learned"


def test_there_must_be_something_to_learn_again(learned, levels, tmp_path):
    """What a start that was refused, or killed, has left behind is no part of the next one."""
    settings = Settings(system=levels, **OPTIONS)
    store = SessionFolder(tmp_path / "empty")
    store.create(settings)
    store.close()
    asked = replace(settings, again=str(tmp_path / "empty"))
    with pytest.raises(TrainingError, match="has learned no nets yet"):
        SessionFolder(tmp_path / "new").create(asked)
    left = tmp_path / "other" / "before" / "nets"
    left.mkdir(parents=True)
    (left / "1S-P.yaml").write_text((learned / "nets" / "1S-P.yaml").read_text())
    store = SessionFolder(tmp_path / "other")
    store.create(settings)
    assert store.before(0) is None
    store.close()


def test_a_session_that_learns_again_is_resumed(learned, again, levels, tmp_path):
    settings = Settings(system=levels, **{**OPTIONS, "again": str(learned)})
    with Pool() as pool:
        begun = session.start(tmp_path / "cut", settings, pool)
        begun.store.close()  # killed before anything was done
        resumed = session.resume(tmp_path / "cut", pool)
        resumed.run()
        resumed.store.close()
    for name in ("states.json", "curve.csv", "examples.jsonl"):
        assert (tmp_path / "cut" / name).read_text() == (again / name).read_text()


def test_learned_anew_is_without_what_was_learned(learned, levels):
    table = Table((System.load(levels), System.load("silent")), refinements=[Refinements.load(learned)] * 4)
    auction = Auction.from_str("1S P", Seat.N)
    columns = HandColumns(np.array([Hand.from_str("KJ4.A5.J9732.T82").masks], dtype=np.uint16))
    settled = table.choices(auction, columns).candidates(0)
    anew = Judgement(table, auction, 0.0, anew=True).choices(auction, columns).candidates(0)
    assert len(settled) == 1 and len(anew) == 3


def test_a_switch_is_on_or_off(levels):
    settings = Settings(system=levels, **OPTIONS)
    assert Settings.from_dict(json.loads(settings.to_json())) == settings
    assert replace(settings, backward=False) != settings
    for wrong in (1, "yes", None):
        with pytest.raises(TrainingError, match="backward is bool"):
            Settings.from_dict({"backward": wrong})


# ---------------------------------------------------------------------- the experiments


def experiments(*arguments):
    words = [str(TOP / "scripts" / "experiments"), *map(str, arguments)]
    with patch.object(sys, "argv", words):
        return runpy.run_path(words[0], run_name="__main__")


SMALL = (
    "--judgement 0 --caution 0 --tolerance 99 --firm 1 --backward --passes 2 --nets 4 --step 2 --deals 200 "
    "--examples 20 --instances 80 --worlds 8 --problems 4 --repetitions 1"
).split()


def test_a_figure_of_two_passes_and_what_its_levels_mean(levels, tmp_path, capsys):
    experiments("learning", "levels", "--system", levels, "--out", tmp_path, *SMALL)
    told = capsys.readouterr().out
    assert "imps_ltc_whoever" in told and "3NT:" in told and "4 nets, searching:" in told
    lines = (tmp_path / "learning.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["0", "0", "2", "2", "4", "4", "0", "4"]
    assert (tmp_path / "session-ltc-2" / "before").is_dir() and (tmp_path / "learning.png").exists()
    with open(tmp_path / "levels.csv", encoding="utf-8", newline="") as file:
        found = {row["pair"]: float(row["imps_ltc_whoever"]) for row in csv.DictReader(file)}
    assert max(found.values()) <= 0, "nobody is better than the best contract"
    assert set(found) > {"3NT", "two_over_one", "0 nets", "4 nets"}
