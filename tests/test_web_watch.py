"""Watching a training session and matches, as they run and afterwards."""

import fcntl
import json

import pytest
from typer.testing import CliRunner
from web_client import client_of, tiny_session

from pidm.bridge.scoring import imps
from pidm.cli.app import app
from pidm.cli.playing import Playing
from pidm.errors import PidmError
from pidm.match.duplicate import run_match
from pidm.match.kept_results import about, kept_boards
from pidm.match.statistics import Sprt
from pidm.play.match_boards import random_boards
from pidm.play.pool import Pool
from pidm.web.offers import Catalogue


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny session and a tiny match."""
    folder = tmp_path_factory.mktemp("watch")
    tiny_session(folder / "mine")
    common = ["--no-search", "-q", "-j", "1", "--out"]
    learned = f"two_over_one,refinements={folder / 'mine'}"
    for asked in (
        ["sayc", "-n", "12", *common, str(folder / "m.json")],
        [learned, "-n", "4", *common, str(folder / "mine" / "match.json")],
    ):
        done = CliRunner().invoke(app, ["match", "two_over_one", *asked])
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def client(folder):
    with client_of(folder / "data", [folder / "mine", folder / "m.json"]) as client:
        yield client


def test_what_there_is_to_watch(client):
    assert client.get("/api/watch").json() == {
        "sessions": ["mine"],
        "matches": ["m", "mine/match"],
    }
    for kind in ("session", "match", "examples", "events"):
        assert client.get(f"/api/watch/{kind}?name=other").status_code == 404
        assert client.get(f"/api/watch/{kind}?name=../mine").status_code == 404


def test_a_session_in_words(client, folder):
    found = client.get("/api/watch/session?name=mine").json()
    assert not found["running"] and found["settings"]["system"] == "two_over_one"
    assert len(found["nets"]) == 2 and any(net["says"] for net in found["nets"])
    assert found["curve"][0]["round"] == -1 and len(found["curve"]) >= 2
    assert found["examples"] > 0 and "round 0" in found["log"][-1]
    asked = {"name": "mine", "auction": found["nets"][0]["auction"]}
    examples = client.get("/api/watch/examples", params=asked).json()["examples"]
    assert examples and examples[0]["stake"] >= examples[-1]["stake"]
    assert examples[0]["call"] in examples[0]["values"] and examples[0]["hand"].count(".") == 3


def test_a_session_while_it_runs(client, folder):
    examples = folder / "mine" / "examples.jsonl"
    whole = examples.read_bytes()
    with open(folder / "mine" / "lock", "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        examples.write_bytes(whole + b'{"round": 1, "auct')
        found = client.get("/api/watch/session?name=mine").json()
    assert found["running"] and found["examples"] == whole.count(b"\n")
    assert examples.read_bytes().endswith(b'"auct'), "who watches writes nothing"
    examples.write_bytes(whole)


def test_a_match_that_is_over(client, folder):
    found = client.get("/api/watch/match?name=m").json()
    told = json.loads((folder / "m.json").read_text(encoding="utf-8"))
    assert (found["a"], found["boards"], found["running"]) == (told["a"], 12, False)
    assert found["mean"] == pytest.approx(told["imps_per_board"], abs=1e-3)
    assert found["curve"][-1][0] == 12 and found["curve"][0][2] is None
    sizes = [abs(one["imps"]) for one in found["swings"]]
    assert sizes == sorted(sizes, reverse=True) and all(sizes)
    assert all(len(one["tables"]) == 2 and one["deal"] for one in found["swings"])


def test_a_session_names_the_matches_of_its_nets(client):
    found = client.get("/api/watch/session?name=mine").json()["matches"]
    assert [(one["name"], one["boards"], one["over"]) for one in found] == [("mine/match", 4, True)]
    assert client.get("/api/watch/match?name=mine/match").json()["boards"] == 4
    assert client.get("/api/watch/match?name=mine/settings").status_code == 404


def test_a_match_while_it_runs(tmp_path):
    done = []

    def look(results):
        """Plays in the place of the live display: a visitor looks after the first boards."""
        if not done and len(results) >= 4:
            done.append(client.get("/api/watch/match?name=now").json())

    setup = Playing(no_search=True, jobs=1).setup(["two_over_one,name=Us", "sayc"])
    played = random_boards(8, 1)
    header = about("match", [setup], played, metrics=False, sprt=[-0.5, 0.5])
    part = tmp_path / "now.json.part"
    kept = kept_boards(part, False, header)
    with client_of(tmp_path / "data", [tmp_path / "now.json"]) as client:
        assert client.get("/api/watch/match?name=now").json()["boards"] == 0
        run_match(setup, played, Sprt(-0.5, 0.5), look, pool=Pool(1), kept=kept)
        kept.journal.close()
        stopped = client.get("/api/watch/match?name=now").json()
    found = done[0]
    assert found["running"] and not stopped["running"] and not found["over"]
    assert found["a"] == "Us" and 0 < found["boards"] <= stopped["boards"] == 8
    test = stopped["sprt"]
    assert (test["low"], test["high"], test["accepted"]) == (-0.5, 0.5, None)
    assert test["ratio"] == pytest.approx(test["curve"][-1][1]) and test["decisive"] < test["fewest"]
    first = stopped["swings"][0]
    board = next(one for one in played if one.number == first["board"])
    assert (first["deal"], first["dealer"], first["vul"]) == (
        str(board.deal),
        str(board.dealer),
        str(board.vul),
    )
    assert first["imps"] == imps(first["tables"][0]["score"] - first["tables"][1]["score"])


def test_kept_results_that_are_something_else(tmp_path):
    (tmp_path / "now.json.part").write_text('{"about": {"scoring": "imps"}}\n', encoding="utf-8")
    (tmp_path / "old.json").write_text('{"kind": "match"}', encoding="utf-8")
    with client_of(tmp_path / "data", [tmp_path / "now.json", tmp_path / "old.json"]) as client:
        for name, file in (("now", "now.json.part"), ("old", "old.json")):
            answer = client.get(f"/api/watch/match?name={name}")
            assert answer.status_code == 400 and f"{file} cannot be read" in answer.json()["error"]


def test_a_json_file_of_something_else(tmp_path):
    (tmp_path / "x.json").write_text('{"kind": "soup"}', encoding="utf-8")
    with pytest.raises(PidmError, match="expected a system"):
        Catalogue.of([tmp_path / "x.json"])
