"""The engine process speaks JSON lines, answers bad requests with errors and goes on."""

import io
import json
from pathlib import Path

import pytest
from records_of_ours import club_evening, told

from pidm.cli.engine import engine
from pidm.engine import serve
from pidm.play.bidder import Bidder
from systems import write_system

RULES = """
- auction: P*
  bid: [ {1C: 12+ hcp}, {P: any} ]
- auction: ...
  bid: [ {P: any} ]
"""
STRONG, WEAK = "AKQ.AK32.432.432", "432.5432.432.432"


@pytest.fixture(scope="module")
def bidder(tmp_path_factory: pytest.TempPathFactory) -> Bidder:
    path: Path = write_system(tmp_path_factory.mktemp("system"), RULES)
    return Bidder(path, limit=None)


def ask(bidder: Bidder, *messages: object) -> list:
    lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
    return [json.loads(line) for line in serve(bidder, lines)]


def test_one_request_a_line(bidder: Bidder) -> None:
    answers = ask(
        bidder,
        {"id": 7, "hand": STRONG, "dealer": "N", "vul": "None", "auction": []},
        {"id": 8, "hand": WEAK, "dealer": "W", "vul": "Both", "auction": ["P"]},
    )
    assert [(a["id"], a["call"]) for a in answers] == [(7, "1C"), (8, "P")]


def test_a_dash_in_a_list_of_calls_is_a_pass(bidder: Bidder) -> None:
    listed, text = ask(
        bidder,
        {"hand": STRONG, "auction": ["P", "-", "P"]},
        {"hand": STRONG, "auction": "P - P -"},
    )
    assert listed["call"] == "1C"
    assert "can be read in two ways" in text["error"]["message"]
    (over,) = ask(bidder, {"hand": STRONG, "auction": ["P", "-", "P", "-"]})
    assert over["error"]["message"] == "the auction is over"


def test_an_array_of_requests_is_answered_by_one_array_in_order(bidder: Bidder) -> None:
    (answers,) = ask(bidder, [{"id": 1, "hand": WEAK}, {"id": 2, "hand": "AK"}, {"id": 3, "hand": STRONG}])
    assert [a["id"] for a in answers] == [1, 2, 3]
    assert answers[0]["call"] == "P"
    assert answers[1]["error"]["type"] == "HandError"
    assert answers[2]["call"] == "1C"


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ("{nonsense", "not JSON"),
        ('"a text"', "an object"),
        ("[" * 100_000, "recursion"),
        ('{"id": ' + "9" * 5000 + "}", "digits"),
        ('{"id": NaN}', "NaN is no number"),
        ('{"id": 1e999}', "1e999 is no number"),
        ("[" + "[" * 900 + "]" * 900 + "]", "a request is an object, not ["),
        ({"id": {"a": 1}, "hand": WEAK}, 'an "id" is a number or a text'),
        ({"id": "x" * 10**6, "hand": WEAK}, "at most 200 characters"),
        ({"id": 1, "hand": "x" * 10**6}, "1,000,000 characters for a hand"),
        ({"id": 1, "hand": WEAK, "dealer": ["N" * 10**6]}, '"dealer" is a text, not ['),
        ({"id": 1}, '"hand"'),
        ({"id": 1, "hand": WEAK, "auction": [1]}, '"auction"'),
        ({"id": 1, "hand": WEAK, "vul": "maybe"}, "maybe"),
        ({"id": 1, "hand": WEAK, "dealer": 3}, '"dealer"'),
        ({"id": 1, "hand": WEAK, "auction": ["2H", "2D"]}, "not higher"),
        ({"id": 1, "hand": WEAK, "auction": ["1H", "P", "P", "P"]}, "over"),
    ],
)
def test_bad_requests_get_an_error_and_the_engine_goes_on(
    bidder: Bidder, request_: object, problem: str
) -> None:
    bad, good = ask(bidder, request_, {"id": 9, "hand": STRONG})
    assert problem in (bad[0] if isinstance(bad, list) else bad)["error"]["message"]
    assert len(json.dumps(bad)) < 1500
    assert good["call"] == "1C"


def test_bytes_that_are_no_text_are_a_bad_request(
    bidder: Bidder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = b'\xff\xfe\n{"id": 1, "hand": "' + WEAK.encode() + b'"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), "utf-8"))
    engine(system=str(bidder.system.spec.files[0]), no_search=True)
    bad, good = map(json.loads, capsys.readouterr().out.splitlines())
    assert "not JSON" in bad["error"]["message"]
    assert good["call"] == "P"


def test_blank_lines_are_passed_over(bidder: Bidder) -> None:
    assert len(ask(bidder, "", "  ", {"id": 1, "hand": WEAK})) == 1


def test_a_key_that_nobody_knows_is_an_error(bidder: Bidder) -> None:
    slip, wrong, hand = ask(
        bidder,
        {"id": 1, "hand": STRONG, "vulnerable": "NS"},
        {"id": 2, "ask": "explian"},
        {"id": 3, "ask": "explain", "hand": STRONG},
    )
    assert slip["error"]["message"] == (
        "unknown key 'vulnerable'; a request to bid has id, ask, hand, auction, dealer, vul"
    )
    assert wrong["error"]["message"] == "\"ask\" is one of bid, candidates, explain, system, not 'explian'"
    assert "unknown key 'hand'" in hand["error"]["message"]


def test_what_is_asked_besides_calls(bidder: Bidder) -> None:
    explained, candidates, system = ask(
        bidder,
        {"id": 1, "ask": "explain", "auction": ["1C", "P"], "dealer": "E"},
        {"id": 2, "ask": "candidates", "hand": STRONG},
        {"id": 3, "ask": "system"},
    )
    assert explained["made"][0] | {"rules": []} == {
        "call": "1C",
        "seat": "E",
        "shows": "12+ HCP",
        "rules": [],
        "forcing": "",
        "alert": "",
        "note": "",
        "forbidden": False,
        "natural": False,
        "in_play": "",
    }
    assert [(one["call"], one["fits"]) for one in candidates["candidates"]] == [("1C", True)]
    assert (system["system"], system["protocol"], len(system["calls"])) == ("little", 1, 38)


def test_calls_in_play_are_told_of_who_has_experience() -> None:
    asked = {"ask": "explain", "auction": ["P"]}
    experience = told(club_evening()[0].plain, _1N=6.0)
    (found,) = ask(Bidder(limit=None, experience=experience), asked)
    notrump = next(one for one in found["possible"] if one["call"] == "1N")
    assert notrump["shows"].startswith("15-17 HCP") and notrump["in_play"].startswith("4-17 HCP")
    for bidder in (
        Bidder(limit=None, experience=""),
        Bidder(limit=None, experience=experience, disclosed=True),
        Bidder("sayc", limit=None),
    ):
        (found,) = ask(bidder, asked)
        assert not any(one["in_play"] for one in (*found["made"], *found["possible"]))


def test_a_finished_auction_is_explained_too(bidder: Bidder) -> None:
    (found,) = ask(bidder, {"ask": "explain", "auction": ["1C", "P", "P", "P"]})
    assert [one["call"] for one in found["made"]] == ["1C", "P", "P", "P"]
    assert found["possible"] == []
