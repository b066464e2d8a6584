"""Programs of others: answers by id, bad manners, floods, and what is left of them."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.cards import Hand
from pidm.play import engine_process
from pidm.play.external_engine import EngineCaller, EngineError

ENGINE = f"{shlex.quote(sys.executable)} {Path(__file__).with_name('engine_of_test.py')}"
HANDS = {
    "AKQ74.K83.952.J7": "1S",
    "Q8.AKQ952.KJ3.64": "1H",
    "KJ965.84.QT2.T53": "P",
    "K4.A3.KQJ872.985": "1D",
    "T9.84.QT2.T87532": "P",
}
QUESTIONS = [(Hand.from_str(hand), Auction.from_str("")) for hand in HANDS]


@pytest.fixture
def engine():
    made = []

    def start(options="", timeout=10.0):
        made.append(EngineCaller(f"{ENGINE} {options}", timeout))
        return made[-1]

    yield start
    for one in made:
        one.close()


def calls(caller):
    return [str(answer.call) for answer in caller.answers(QUESTIONS)]


@pytest.mark.parametrize("options", ["", "--single", "--backwards", "--greets", "--late"])
def test_answers_go_to_the_questions_they_name(engine, options):
    caller = engine(options)
    assert calls(caller) == list(HANDS.values())
    assert calls(caller) == list(HANDS.values()), "in arrays, now that its pace is known"
    assert caller.restarts == 0


def test_what_answers_nothing_is_reported(engine):
    caller = engine("--greets")
    calls(caller)
    assert caller.notices["Hello, I am an engine"] >= 2
    late = engine("--late")
    calls(late)
    assert all('"call": "7N"' in said for said in late.notices)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--brackets", "JSON that cannot be read"),
        ("--digits", "JSON that cannot be read|no number it could mean"),
        ("--infinite", '"expected" that is no number'),
        ("--nobody", "without the id of the question"),
    ],
)
def test_absurd_answers_are_faults_of_the_engine(engine, options, words):
    for answer in engine(options).answers(QUESTIONS[:2]):
        assert answer.call is None and answer.silent
        assert re.search(words, answer.fault)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--endless", "wrote more than 1 MB and no answer"),
        ("--flood", "wrote more than 1 MB and no answer"),
        ("--chatter", "wrote more than 1 MB and no answer"),
    ],
)
def test_floods_are_cut_off(engine, monkeypatch, options, words):
    monkeypatch.setattr(engine_process, "MOST", 2**20)
    with pytest.raises(EngineError, match=words):
        engine(options, timeout=60).answers(QUESTIONS[:1])


def test_an_engine_that_never_reads_is_cut_off(engine):
    long = [(Hand.from_str(next(iter(HANDS))), Auction.from_str("P P P"))] * 3
    caller = engine("--deaf", timeout=0.5)
    caller._arrays, caller._pace, caller._answered = True, 1e-6, True
    many = long * 2000  # more than a pipe holds
    assert caller._several([caller._request(question) for question in many]) == {}
    with pytest.raises(EngineError, match="did not answer within 0.5 s"):
        engine("--deaf", timeout=0.5).answers(QUESTIONS[:1])


def test_time_is_for_each_question_not_for_all_together(engine):
    caller = engine("--hang 15", timeout=2.0)
    answers = caller.answers(QUESTIONS)
    assert [answer.silent for answer in answers] == [False, True, False, False, False], "15 points"
    assert answers[1].fault == "did not answer within 2 s"


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pids, seconds=60.0):
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(alive, pids))


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@needs_proc
def test_its_children_end_with_it(engine, tmp_path):
    children = tmp_path / "children"
    caller = engine(f"--family {children}")
    calls(caller)
    pids = children.read_text().split()
    assert pids and all(map(alive, pids))
    caller.close()
    assert gone(pids)


@needs_proc
def test_nothing_is_left_when_the_match_is_killed(tmp_path):
    children = tmp_path / "children"
    command = f"{ENGINE} --family {children}"
    program = (
        "import sys, time; from pidm.play.external_engine import EngineCaller\n"
        f"caller = EngineCaller({command!r}); print(caller._process._process.pid, flush=True); time.sleep(60)"
    )
    match = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    guard = match.stdout.readline().strip()
    while not children.exists() or not children.read_text().strip():
        time.sleep(0.02)
    os.kill(match.pid, signal.SIGKILL)
    match.wait()
    match.stdout.close()
    assert gone([guard, *children.read_text().split()])


def test_ours_is_one_of_them():
    command = f"{shlex.quote(sys.executable)} -m pidm engine --no-search"
    caller = EngineCaller(command, 60)
    try:
        assert [str(one.call) for one in caller.answers(QUESTIONS[:3])] == ["1S", "1H", "P"]
        assert json.dumps(caller.notices) == "{}"
    finally:
        caller.close()
