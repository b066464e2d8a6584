"""Watching a training session and matches, as they run and afterwards."""

import fcntl
import json

import pytest
from typer.testing import CliRunner
from web_client import client_of, tiny_session

from pidm.cli.app import app
from pidm.errors import PidmError
from pidm.play.journal import Journal
from pidm.web.offers import Catalogue


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny session and a tiny match."""
    folder = tmp_path_factory.mktemp("watch")
    tiny_session(folder / "mine")
    asked = ["match", "two_over_one", "sayc", "-n", "30", "--no-search", "-q", "-j", "1"]
    done = CliRunner().invoke(app, [*asked, "--out", str(folder / "m.json")])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def client(folder):
    with client_of(folder / "data", [folder / "mine", folder / "m.json"]) as client:
        yield client


def test_what_there_is_to_watch(client):
    assert client.get("/api/watch").json() == {"sessions": ["mine"], "matches": ["m"]}
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
    assert (found["a"], found["boards"], found["running"]) == (told["a"], 30, False)
    assert found["mean"] == pytest.approx(told["imps_per_board"], abs=1e-3)
    assert found["curve"][-1][0] == 30 and found["curve"][0][2] is None
    sizes = [abs(one["imps"]) for one in found["swings"]]
    assert sizes == sorted(sizes, reverse=True) and all(sizes)
    assert all(len(one["tables"]) == 2 and one["deal"] for one in found["swings"])


def test_a_match_while_it_runs(tmp_path):
    about = {"kind": "match", "pairs": ["two_over_one", "sayc"], "scoring": "imps"}
    journal = Journal(tmp_path / "now.json.part", about)
    table = {"calls": "1N P P P", "tricks": 8, "faults": [], "expected": [], "counters": []}
    rooms = [{**table, "seats": [0, 1, 0, 1]}, {**table, "seats": [1, 0, 1, 0], "calls": "1N P 3N P P P"}]
    result = {"board": 1, "tables": rooms, "imps": -6, "matchpoints": -0.5, "solved": None}
    with client_of(tmp_path / "data", [tmp_path / "now.json"]) as client:
        assert client.get("/api/watch/match?name=now").json()["boards"] == 0
        journal.add([result, {**result, "board": 2, "imps": 0}], {})
        found = client.get("/api/watch/match?name=now").json()
        journal.close()
        assert found["running"] and found["boards"] == 2 and found["mean"] == -3
        assert not client.get("/api/watch/match?name=now").json()["running"]
    assert [table["contract"] for table in found["swings"][0]["tables"]] == ["1N by N", "3N by N"]
    assert [table["ns"] for table in found["swings"][0]["tables"]] == ["two_over_one", "sayc"]


def test_a_json_file_of_something_else(tmp_path):
    (tmp_path / "x.json").write_text('{"kind": "soup"}', encoding="utf-8")
    with pytest.raises(PidmError, match="expected a system"):
        Catalogue.of([tmp_path / "x.json"])
