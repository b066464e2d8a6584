"""What hands have in play that make a call, told where a pair with experience goes beyond what it shows."""

from __future__ import annotations

import re

import pytest
from records_of_ours import club_evening, told
from typer.testing import CliRunner

from pidm.authoring.explain import Explained, explain
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat
from pidm.cli.app import app
from pidm.language.meaning import HCP
from pidm.language.system import System
from pidm.play import in_play
from pidm.play.in_play import CallsInPlay, in_play_of
from pidm.reading.table import Table


@pytest.fixture(scope="module")
def two_over_one() -> System:
    return System.load("two_over_one")


def possible(system: System, auction: str, **gains: float) -> dict[str, Explained]:
    """The calls that are possible for a pair that has learned what these calls gain, whatever the hand."""
    table = Table.of(system)
    known = {system: CallsInPlay(told(club_evening()[0].plain, **gains))}
    found = explain(table, Auction.from_str(auction), in_play_of(table, known)).possible
    return {str(one.call): one for one in found}


def test_a_call_by_experience_tells_more(two_over_one: System) -> None:
    """Nearly every hand that opens opens one notrump; those of the rules are among them."""
    calls = possible(two_over_one, "", _1N=6.0)
    notrump = calls["1N"]
    assert notrump.shows.startswith("15-17 HCP, balanced")
    least, most = notrump.in_play.split(" HCP")[0].split("-")
    assert int(least) < 12 and int(most) >= 17
    assert "spades" in notrump.in_play  # hands with a void, too
    assert notrump.to_dict()["in_play"] == notrump.in_play


def test_what_gains_nothing_is_made_as_by_the_rules(two_over_one: System) -> None:
    calls = possible(two_over_one, "", _1N=0.0)
    assert {name: calls[name].in_play for name in ("P", "1C", "1D", "1H", "1S", "1N", "2C")} == dict.fromkeys(
        ("P", "1C", "1D", "1H", "1S", "1N", "2C"), ""
    )


def test_the_words_hold_for_what_was_agreed_too(two_over_one: System) -> None:
    situation = Table.of(two_over_one).situation(Auction())
    player = CallsInPlay(told(club_evening()[0].plain, _1S=3.0, _2H=2.0))
    for call in (Call.from_str(text) for text in ("P", "1S", "2H", "1N")):
        shown = situation.meaning_of(call).shown
        for what, (low, high) in player.beyond(situation, call).items():
            assert low <= shown[what][0] and high >= shown[what][1] and (low, high) != shown[what]


def test_conventions_are_left_alone(two_over_one: System) -> None:
    """A transfer is answered as agreed, whatever was gained by passing it."""
    assert not any(one.in_play for one in possible(two_over_one, "1N P 2H P", _2S=30.0).values())


def test_what_is_forcing_is_not_passed(two_over_one: System) -> None:
    """A raise may be passed with any hand; a strong two clubs with none."""
    raised = possible(two_over_one, "1S P 2S P", _P=30.0)["P"]
    assert raised.shows == "10-16 HCP" and int(raised.in_play.removeprefix("10-").split()[0]) > 17
    keen, calm = (possible(two_over_one, "2C P", _P=gain) for gain in (30.0, 0.0))
    assert keen == calm


def test_with_few_hands_nothing_is_told(two_over_one: System, monkeypatch: pytest.MonkeyPatch) -> None:
    assert possible(two_over_one, "P", _1N=6.0)["1N"].in_play
    monkeypatch.setattr(in_play, "FEWEST", 5000)
    assert not possible(two_over_one, "P", _1N=6.0)["1N"].in_play


def test_calls_that_nobody_has_agreed_on_are_not_told(two_over_one: System) -> None:
    situation = Table.of(two_over_one).situation(Auction.from_str("1S P 2S P"))
    player = CallsInPlay(told(club_evening()[0].plain, _7N=30.0))
    assert player.beyond(situation, Call.from_str("7N")) == {}


def test_every_table_is_asked_by_itself(two_over_one: System) -> None:
    """The same calls of opponents mean something else at another table, and other hands may sit here."""
    player = CallsInPlay(told(club_evening()[0].plain, _1S=1.0))
    tables = Table.of(two_over_one), Table((two_over_one, System.load("precision")))
    situations = [table.situation(Auction.from_str("P 1D")) for table in tables]
    found = [{call: player.beyond(here, call) for call in here.legal} for here in situations]
    assert found[0] != found[1]
    assert found[0] == {call: player.beyond(situations[0], call) for call in situations[0].legal}


def test_who_has_experience_at_a_table(two_over_one: System) -> None:
    """What ships belongs to the system, and holds with another card where that says the same."""
    sayc = System.load("sayc")
    assert set(in_play_of(Table((two_over_one, sayc)))) == {Seat.N, Seat.S}
    assert in_play_of(Table.of(sayc)) == {}
    assert in_play_of(Table.of(two_over_one), {}) == {}
    other = System.load("two_over_one", {"michaels": False})
    [player] = set(in_play_of(Table.of(other)).values())
    assert player.alike is not None and player.alike.learned.conventions == two_over_one.conventions


def test_what_ships_goes_beyond_in_competition(two_over_one: System) -> None:
    table = Table.of(two_over_one)
    [player] = set(in_play_of(table).values())
    situation = table.situation(Auction.from_str("1H X 2H"))
    told = player.beyond(situation, PASS)
    assert told[HCP][1] > situation.meaning_of(PASS).shown[HCP][1]
    assert player.words(situation, PASS) == f"0-{told[HCP][1]:g} HCP"


def test_the_command_tells_it_and_is_asked_not_to() -> None:
    asked = ["explain", "two_over_one", "1H X 2H P"]
    played, agreed = (CliRunner().invoke(app, [*asked, *more]) for more in ([], ["--experience", "none"]))
    assert played.exit_code == agreed.exit_code == 0
    assert "; in play 0-" in played.output and "in play" not in agreed.output
    assert re.sub(r"; in play [^;]*?(?=;|  )", "", played.output) == agreed.output
    everything = CliRunner().invoke(app, [*asked, "--experience", "none", "--all"])
    assert everything.exit_code == 0 and "in play" not in everything.output
    sayc = CliRunner().invoke(app, ["explain", "sayc", "1H X 2H P"])
    assert sayc.exit_code == 0 and "in play" not in sayc.output
