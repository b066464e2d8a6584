import os
import signal
import subprocess
import sys

import pytest
from web_client import client_of, wait_for

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.errors import PidmError
from pidm.web.history import History
from pidm.web.offers import Catalogue


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with client_of(tmp_path_factory.mktemp("history")) as client:
        yield client


def deal(client, **more):
    asked = {"us": "two_over_one", "them": "sayc", "seats": ["S"], "seed": 5, "seconds": 0, **more}
    answer = client.post("/api/tables", json=asked)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def turn_of(client, table, seat):
    def ready():
        state = client.get(f"/api/tables/{table}?seat={seat}").json()
        return state if state["over"] or (state["turn"] == seat and state["legal"]) else None

    return wait_for(ready)


def test_the_page_and_what_it_needs(client):
    page = client.get("/")
    assert page.status_code == 200 and "/static/main.js" in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for name in ("main.js", "practise.js", "style.css", "icon.svg"):
        assert client.get(f"/static/{name}").status_code == 200
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/api/nothing").json() == {"error": "Not Found"}


def test_systems_with_their_conventions(client):
    found = client.get("/api/systems").json()
    assert [one["name"] for one in found["systems"]][:2] == ["two_over_one", "sayc"]
    assert "smolen" in [one["name"] for one in found["systems"][0]["conventions"]]
    assert not found["broken"]


def test_what_there_is_by_name_needs_no_system_to_be_read(client):
    found = client.get("/api/catalogue").json()
    assert found["systems"][:2] == ["two_over_one", "sayc"]
    assert {one["name"]: one["title"] for one in found["kinds"]}["notrump"] == "We open 1NT"


def test_the_server_itself_starts_without_the_engine(tmp_path):
    """The first page waits for every import; what calculates is imported by the workers."""
    code = (
        "import sys, pathlib, pidm.web.server; from pidm.web.app import make_app;"
        "make_app((), (), pathlib.Path(sys.argv[1]));"
        "print([name for name in ('numpy', 'yaml', 'endplay', 'rich', 'sklearn') if name in sys.modules])"
    )
    asked = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1:80"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://testserver"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_other_pages_are_refused(client, headers, status):
    assert client.get("/api/history", headers=headers).status_code == status


def test_only_json_changes_something(client):
    plain = {"Content-Type": "text/plain"}
    assert client.post("/api/tables", content=b"{}", headers=plain).status_code == 403


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"{", 400, "not JSON"),
        (b"[1]", 400, "expected a JSON object"),
        (b'{"us": 3}', 400, '"us" is a text'),
        (b'{"us": "sayc", "them": "/etc/passwd"}', 404, "no system '/etc/passwd' here"),
        (b'{"us": "sayc", "them": "../sayc"}', 404, "no system"),
        (b'{"us": "sayc", "them": "sayc", "seats": ["N", "E"]}', 400, "opposite each other"),
        (b'{"us": "sayc", "them": "sayc", "seats": ["Q"]}', 400, "Q"),
        (b'{"us": "sayc", "them": "sayc", "seconds": 1000}', 400, "number from 0 to 3"),
        (b'{"us": "sayc", "them": "sayc", "seed": 1.5}', 400, "whole number"),
        (b'{"us": "sayc", "them": "sayc", "kind": "goulash"}', 400, "no kind of deals"),
        (b" " * 70_000, 413, "64 KB"),
    ],
)
def test_wrong_requests_are_told_what_is_wrong(client, content, status, words):
    answer = client.post("/api/tables", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_a_board_from_deal_to_verdict(client):
    table = deal(client, kind="notrump", number=3, session="mine")["id"]
    state = turn_of(client, table, "S")
    assert state["deals"] == "We open 1NT"
    assert set(state["hands"]) == {"S"}, "no other hand is shown before the auction is over"
    assert state["turn"] == "S" and "1N" in state["legal"]
    notrump = next(one for one in state["possible"] if one["call"] == "1N")
    assert "15-17 HCP" in notrump["shows"] and "systems/" in notrump["rules"][0]["place"]
    wrong = client.post(f"/api/tables/{table}/call?seat=S", json={"call": "XX"})
    assert wrong.status_code == 400 and "XX before any bid" in wrong.json()["error"]
    calls = ["2N"]  # an ace too many
    while not state["over"]:
        answer = client.post(f"/api/tables/{table}/call?seat=S", json={"call": calls.pop() if calls else "P"})
        assert answer.status_code == 200
        state = turn_of(client, table, "S")
    assert client.post(f"/api/tables/{table}/call?seat=S", json={"call": "P"}).status_code == 400

    def judged():
        state = client.get(f"/api/tables/{table}").json()
        return state if state["judged"] else None

    state = wait_for(judged)
    assert set(state["hands"]) == set("NESW") and not state["trouble"]
    auction = Auction(Seat.from_str(state["dealer"]), Vul.from_str(state["vul"]))
    assert auction.after_all(Call.from_str(call) for call in state["calls"]).over
    first = state["verdicts"][0]
    assert (first["made"], first["preferred"], first["fits"]) == ("2N", "1N", "outside")
    assert first["cost"] > 0 and first["worlds"] > 50
    assert len(first["glimpses"]) == 6 and len(first["glimpses"][0]["scores"]) == len(first["options"])
    assert len(state["outcome"]["table"]) == 5
    kept = client.get("/api/history?session=mine").json()
    assert kept["session"]["boards"] == 1 and kept["boards"][0]["calls"] == state["calls"]
    assert client.get("/api/history?session=yours").json()["session"]["boards"] == 0


def test_a_deal_is_repeatable(client):
    hands = [turn_of(client, deal(client, kind="slam", seed=9)["id"], "S")["hands"] for _ in range(2)]
    other = turn_of(client, deal(client, kind="slam", seed=10)["id"], "S")["hands"]
    assert hands[0] == hands[1] != other


def test_the_next_board_and_the_same_again(client):
    first = deal(client, kind="slam", seed=9, number=4, seats=["E", "W"])
    hands = turn_of_anyone(client, first)["hands"]
    again = client.post(f"/api/tables/{first['id']}/next?seat=E", json={"again": True}).json()
    assert again["asked"] == first["asked"] and turn_of_anyone(client, again)["hands"] == hands
    both = [client.post(f"/api/tables/{again['id']}/next?seat={seat}", json={}).json() for seat in "EW"]
    assert both[0] == both[1], "partners go on at the same table"
    assert both[0]["asked"]["number"] == 5 and both[0]["asked"]["kind"] == "slam"
    state = client.get(f"/api/tables/{again['id']}?seat=W").json()
    assert state["following"] == both[0]["id"] and state["people"] == ["E", "W"]


def turn_of_anyone(client, table):
    return client.get(f"/api/tables/{table['id']}?seat=E").json()


def test_two_partners_at_one_table(client):
    table = deal(client, seats=["S", "N"])["id"]
    north = turn_of(client, table, "N")
    assert set(north["hands"]) == {"N"}
    refused = client.post(f"/api/tables/{table}/call?seat=S", json={"call": "P"})
    assert refused.status_code == 400 and "turn" in refused.json()["error"]
    assert client.get(f"/api/tables/{table}?seat=E").status_code == 400
    client.post(f"/api/tables/{table}/call?seat=N", json={"call": "P"})
    south = turn_of(client, table, "S")
    assert set(south["hands"]) == {"S"} and len(south["calls"]) >= 2


def test_what_went_wrong_at_a_table_can_be_tried_again(client):
    table = deal(client, seed=5, number=1)["id"]
    turn_of(client, table, "S")
    here = client.app.state.desk.club.find(table)
    here.trouble, here.meaning = "the process that worked on this died, twice", {}
    assert client.get(f"/api/tables/{table}").json()["legal"] == []
    assert client.post(f"/api/tables/{table}/go_on", json={}).status_code == 200
    assert turn_of(client, table, "S")["trouble"] == ""


def test_a_closed_table(client):
    answer = client.get("/api/tables/nothing")
    assert answer.status_code == 404 and "closed" in answer.json()["error"]


def test_killed_workers_are_replaced(client):
    pool = client.app.state.desk.pool
    client.get("/api/systems")
    deal(client)
    for pid in pool.pids:
        os.kill(pid, signal.SIGKILL)
    assert client.get("/api/systems").status_code == 200
    assert deal(client)["id"]


def test_history_lasts(tmp_path):
    first = History(tmp_path)
    first.add_practice("a", "s", 1.5, -3, {"calls": ["P"]})
    first.add_practice("b", "t", None, 2, {"calls": []})
    again = History(tmp_path)
    assert again.totals() == {"boards": 2, "lost": 1.5, "imps_par": -1}
    assert [one["id"] for one in again.practice("s")] == ["a"]
    (tmp_path / "history.sqlite").write_bytes(b"no database at all, only text" * 50)
    with pytest.raises(PidmError, match="cannot be used"):
        History(tmp_path)


def test_what_the_command_line_names(tmp_path):
    system = tmp_path / "club.yaml"
    system.write_text("system: Club\nextends: sayc\n", encoding="utf-8")
    (tmp_path / "part.yaml").write_text("rules: []\n", encoding="utf-8")
    (tmp_path / "evening.pbn").write_text("", encoding="utf-8")
    found = Catalogue.of([tmp_path])
    assert found.system("club") == str(system.resolve())
    assert list(found.records) == ["evening.pbn"] and "part" not in found.systems
    with pytest.raises(PidmError, match="no such file"):
        Catalogue.of([tmp_path / "nowhere"])
    (tmp_path / "x.txt").write_text("", encoding="utf-8")
    with pytest.raises(PidmError, match="expected a system"):
        Catalogue.of([tmp_path / "x.txt"])


def explained(client, calls, **more):
    answer = client.get("/api/explain", params={"system": "two_over_one", "calls": calls, **more})
    assert answer.status_code == 200, answer.json()
    return answer.json()


def test_what_calls_mean_with_ranges(client):
    found = explained(client, "1N-P")
    stayman = next(one for one in found["possible"] if one["call"] == "2C")
    assert stayman["alert"] == "asks for a four-card major"
    assert "systems/conventions/stayman.yaml:" in stayman["rules"][0]["place"]
    assert found["ranges"]["N"]["hcp"] == [15, 17] and found["ranges"]["S"]["S"] == [0, 13]
    assert found["actor"] == "S" and "1C" not in found["legal"]
    assert explained(client, "", dealer="E")["actor"] == "E"
    assert explained(client, "1C-1S", against="sayc") != explained(client, "1C-2S", against="sayc")


def test_what_hands_have_in_play_is_told_of_who_has_experience(client):
    """It ships with two over one, and in competition it goes beyond what calls show."""
    calls = "1H-X-2H-P"
    assert explained(client, calls)["made"][3]["in_play"].startswith("0-1")
    against, for_both = explained(client, calls, against="sayc"), explained(client, calls, system="sayc")
    assert against["made"][3]["in_play"] == ""
    assert not any(one["in_play"] for one in (*for_both["made"], *for_both["possible"]))


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"system": "two_over_one", "calls": "2H-2D"}, 400, "not higher"),
        ({"system": "two_over_one", "calls": "8H"}, 400, "8H"),
        ({"system": "two_over_one", "calls": "-".join(["P"] * 400)}, 400, "320"),
        ({"system": "two_over_one", "vul": "Maybe"}, 400, "Maybe"),
        ({"system": "nowhere_club"}, 404, "no system 'nowhere_club' here"),
        ({}, 404, "no system"),
    ],
)
def test_auctions_that_cannot_be_explained(client, asked, status, words):
    answer = client.get("/api/explain", params=asked)
    assert answer.status_code == status and words in answer.json()["error"]


def test_how_often_calls_come_up_and_by_which_hands(client):
    asked = {"system": "two_over_one", "calls": "1N-P"}
    found = client.get("/api/frequency", params=asked).json()
    assert found["hands"] == 400 and sum(found["shares"].values()) == pytest.approx(100, abs=0.5)
    assert found["shares"]["2C"] > 10
    hands = client.get("/api/hands", params={**asked, "calls": "1N-P-2D"}).json()["hands"]
    assert len(hands) == 10
    assert all(len(hand.split(".")[1]) >= 5 for hand in hands), "transfers to hearts"
    assert client.get("/api/hands", params={**asked, "calls": ""}).status_code == 400


def test_search_for_rules_and_conventions(client):
    asked = {"system": "two_over_one", "words": "stayman"}
    found = client.get("/api/search", params=asked).json()
    stayman = next(one for one in found["conventions"] if one["name"] == "stayman")
    assert stayman["on"] and "P" in stayman["example"]
    assert any(rule["call"] == "2C" for rule in found["rules"])
    assert not client.get("/api/search", params={**asked, "words": "xyzzy"}).json()["rules"]
    assert client.get("/api/search", params={**asked, "words": "x"}).status_code == 400


@pytest.mark.parametrize("file", ["/etc/passwd", "setup.cfg", "systems/../setup.cfg", ""])
def test_only_files_of_the_system_are_shown(client, file):
    asked = {"system": "two_over_one", "file": "systems/conventions/stayman.yaml"}
    assert "convention: stayman" in client.get("/api/source", params=asked).json()["text"]
    assert client.get("/api/source", params={**asked, "file": file}).status_code == 404


def test_a_file_that_is_edited(tmp_path):
    path = tmp_path / "club.yaml"
    text = (
        "system: Club\nrules:\n  - title: Openings\n    auction: P*\n    bid:\n      - 1N: {} hcp, balanced\n"
    )
    path.write_text(text.format("15-17"), encoding="utf-8")
    with client_of(tmp_path / "history", [path]) as client:
        asked = {"system": "club", "calls": ""}

        def shows():
            found = client.get("/api/explain", params=asked).json()
            return [one["shows"] for one in found["possible"] if one["call"] == "1N"]

        assert shows() == ["15-17 HCP, balanced"]
        path.write_text(text.format("12-14"), encoding="utf-8")
        assert shows() == ["12-14 HCP, balanced"]
        assert client.get("/api/lint", params=asked).json()["in_order"]
        report = client.get("/api/lint", params={**asked, "deals": "yes"}).json()
        assert report["deals"] == 300 and report["in_order"]
        path.write_text(text.format("12-14 hpc"), encoding="utf-8")
        answer = client.get("/api/explain", params=asked)
        assert answer.status_code == 400 and "club.yaml:6" in answer.json()["error"]
        broken = client.get("/api/systems").json()["broken"]
        assert [one["name"] for one in broken] == ["club"]


# ---------------------------------------------------------------------- reviews

FILE = """[Board "3"]
[Dealer "S"]
[Vulnerable "EW"]
[North "Ann"]
[Deal "N:KJ84.QT73.A5.982 Q72.AJ4.QJ94.T76 A95.K85.K72.AQJ3 T63.962.T863.K54"]
[Auction "S"]
1NT Pass Pass Pass
"""


def send(client, **more):
    asked = {"name": "club.pbn", "text": FILE, "NS": "two_over_one", "EW": "sayc", "seconds": 5, **more}
    return client.post("/api/reviews", json=asked)


def reviewed(client, name):
    found = client.get(f"/api/reviews/{name}").json()
    return found if found["over"] else None


def test_a_file_is_reviewed_and_kept(client):
    begun = send(client).json()
    found = wait_for(lambda: reviewed(client, begun["id"]))
    assert not found["trouble"] and found["count"] == 1
    assert found["standings"]["players"][0]["name"] == "Ann"
    passed = found["boards"][0]["reviewed"][2]
    assert passed["preferred"] == "2C" and passed["mistake"]
    page = client.get(f"/api/reviews/{begun['id']}/file.html")
    assert page.text.startswith("<!doctype html>") and "attachment" in page.headers["content-disposition"]
    assert (
        "club-review.pbn" in client.get(f"/api/reviews/{begun['id']}/file.pbn").headers["content-disposition"]
    )
    assert "pidm: 2C, this loses" in client.get(f"/api/reviews/{begun['id']}/file.pbn").text
    assert client.get(f"/api/reviews/{begun['id']}/file.exe").status_code == 404
    listed = client.get("/api/reviews").json()["reviews"]
    assert [one["id"] for one in listed] == [begun["id"]]
    again = History(client.app.state.desk.history.path.parent).review(begun["id"])
    assert again["boards"] == found["boards"]
    events = client.get(f"/api/reviews/{begun['id']}/events").text
    assert events.count("event: board") == 1 and "event: review" in events


def test_a_review_can_be_stopped(client):
    begun = send(client, text=FILE * 60, seconds=2).json()
    assert begun["count"] == 60
    client.post(f"/api/reviews/{begun['id']}/stop", json={})
    found = wait_for(lambda: reviewed(client, begun["id"]))
    assert found["stopped"] and found["done"] < 60


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        ({"name": "club.doc"}, 400, "expected .pbn or .lin"),
        ({"text": "no boards here"}, 400, "board"),
        ({"text": 7}, 400, "content of the file"),
        ({"text": FILE * 500}, 413, "at most 400"),
        ({"text": "x" * 5_000_000}, 413, "4096 KB"),
        ({"EW": "/etc/passwd"}, 404, "no system"),
        ({"file": "/etc/passwd"}, 404, "no file"),
    ],
)
def test_files_that_cannot_be_reviewed(client, more, status, words):
    answer = send(client, **more)
    assert answer.status_code == status and words in answer.json()["error"]


def test_a_review_that_is_not_there(client):
    assert client.get("/api/reviews/nothing").status_code == 404
