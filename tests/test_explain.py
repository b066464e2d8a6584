"""Auctions explained in words, with the rules that say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.authoring.auction_as_seen import as_seen
from pidm.authoring.explain import bound, explain, lines_of, spoken
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.cli.app import app
from pidm.core.box import INF
from pidm.features import Feature, catalogue
from pidm.language.meaning import HCP
from pidm.language.system import System
from pidm.language.words import say, written_name
from pidm.reading.situation import Situation
from pidm.reading.table import Table

CLUB = """\
system: Little club system
card: [asking_2c]
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - 1M: 12-21 hcp, 5+ M
      - P: 0-11 hcp
  - title: Raises of 1M
    auction: 1M
    bid:
      - 2N:
          shows: 4+ M, 13+ points(M)
          forcing: game
          agrees: M
          alert: game-forcing raise of M
          note: The strongest raise.
      - 3M:
          shows: 4+ M, 10-12 points(M)
          forcing: invite
      - 2M: [3+ M, "4+ M, 6+ hcp"]
      - P: any
  - title: No passing in game-forcing situations
    auction: ...
    when: forced to game
    never: [P]
  - title: Stayman
    convention: asking_2c
    auction: 1N
    bid:
      - 2C:
          shows: 8+ hcp, 4+ M
          forcing: round
          starts: asking_2c
          alert: yes
  - title: After the raise
    auction: 1M 2N
    bid:
      - 4M: any
      - P: any
"""


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Path) -> Path:
    monkeypatch.setenv("PIDM_CACHE", str(store))
    path = tmp_path / "club.yaml"
    path.write_text(CLUB)
    return path


def test_calls_made_and_possible(path: Path) -> None:
    found = explain(System.load(path), Auction.from_str("1S P"))
    opening, _ = found.made
    assert (str(opening.call), opening.seat, opening.shows) == ("1S", Seat.N, "12-21 HCP, 5+ spades")
    assert opening.reasons[0].place == f"{path}:8"
    assert not opening.alertable
    calls = {str(one.call): one for one in found.possible}
    assert list(calls) == ["P", "2S", "2N", "3S"]
    jacoby = calls["2N"]
    assert jacoby.shows == "13+ points with spades as trumps, 4+ spades"
    assert (jacoby.forcing, jacoby.alert) == ("forcing to game", "game-forcing raise of spades")
    assert jacoby.note == "The strongest raise."
    assert jacoby.reasons[0].title == "Raises of 1S"
    assert calls["3S"].forcing == "invitational"
    assert calls["P"].shows == "any hand"


def test_alternatives_that_others_include_are_left_out(path: Path) -> None:
    found = explain(System.load(path), Auction.from_str("1H P"))
    assert next(one.shows for one in found.possible if str(one.call) == "2H") == "3+ hearts"


def test_what_the_auction_has_settled(path: Path) -> None:
    found = explain(System.load(path), Auction.from_str("P 1H P 2N P"))
    assert (found.agreed, found.forced) == ("hearts", "forced to game")
    assert found.shown[Seat.E].startswith("12-21 HCP")
    assert {str(one.call): one.forbidden for one in found.possible} == {"P": True, "4H": False}


class Lighter:
    """Who makes every call with a point less."""

    def words(self, situation: Situation, call: Call) -> str:
        return f"a point less than for {call}"


def test_how_somebody_really_calls_is_told_of_him_alone(path: Path) -> None:
    found = explain(System.load(path), Auction.from_str("P 1H P 2N P"), {Seat.E: Lighter()})
    assert [one.in_play for one in found.made] == ["", "a point less than for 1H", "", "", ""]
    passing, game = found.possible
    assert passing.forbidden and not passing.in_play  # nobody makes it
    assert game.in_play == game.to_dict()["in_play"] == "a point less than for 4H"
    told = [line for line in lines_of(found) if "in play" in line]
    assert len(told) == 2 and told[0].startswith(
        "  E 1H  12-21 HCP, 5+ hearts; in play a point less than for 1H  "
    )


def test_an_alert_that_tells_what_is_shown(path: Path) -> None:
    stayman = explain(System.load(path), Auction.from_str("1N P 2C P")).made[2]
    assert stayman.alert == stayman.shows == "8+ HCP, 4+ spades or 4+ hearts"
    assert explain(System.load(path), Auction.from_str("1N P 2C P")).in_force == ("asking_2c",)


def test_calls_without_a_rule_are_natural(path: Path) -> None:
    overcall = explain(System.load(path), Auction.from_str("1N 2D")).made[1]
    assert (overcall.shows, overcall.reasons) == ("4+ diamonds", ())


def test_the_end_of_an_auction(path: Path) -> None:
    found = explain(System.load(path), Auction.from_str("1N P P P"))
    assert len(found.made) == 4
    assert not found.possible


def test_as_text(path: Path) -> None:
    lines = list(lines_of(explain(System.load(path), Auction.from_str("1S P 2N P"))))
    assert lines[:3] == [
        "Calls made",
        f"  N 1S  12-21 HCP, 5+ spades  {path}:8",
        "  E P   no agreement; any hand",
    ]
    assert "Calls possible for N (forced to game, spades agreed)" in lines
    raised = "  S 2N  13+ points with spades as trumps, 4+ spades"
    remarks = "forcing to game; alert: game-forcing raise of spades; The strongest raise."
    assert f"{raised}; {remarks}  {path}:13" in lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("transfer to M", "transfer to spades"),
        ("3M or 4oM", "3S or 4H"),
        ("My Major's M", "My Major's spades"),
        ("asks X", "asks X"),
    ],
)
def test_variables_in_texts_for_people(text: str, expected: str) -> None:
    assert spoken(text, {"M": "S"}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1M (2X) X", "1S (2D) X"),
        ("jump raise M", "jump raise S"),
        ("cue X", "cue D"),
        ("X", "X"),
        ("*M", "*S"),
    ],
)
def test_variables_in_auctions_and_calls(text: str, expected: str) -> None:
    assert bound(text, {"M": "S", "X": "D"}) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [("", "P*"), ("P P", "P*"), ("P 1S P", "1S (P)"), ("1S", "(1S)"), ("1S 2H P P", "1S (2H) P (P)")],
)
def test_auctions_as_the_player_to_call_sees_them(calls: str, expected: str) -> None:
    assert as_seen(Auction.from_str(calls)) == expected


def test_the_command(path: Path) -> None:
    plain = CliRunner().invoke(app, ["explain", str(path), "1S (P) 2N (P)", "--dealer", "E", "--vul", "NS"])
    assert plain.exit_code == 0
    assert "  W 2N  13+ points with spades as trumps, 4+ spades" in plain.output
    for words in (["1N", "P"], ["1N -"], ["1N", "-"]):
        asked = CliRunner().invoke(app, ["explain", str(path), *words])
        assert asked.output == CliRunner().invoke(app, ["explain", str(path), "1N P"]).output
    data = json.loads(CliRunner().invoke(app, ["explain", str(path), "1N P", "--json"]).output)
    assert data["possible"][0]["call"] == "2C"
    off = CliRunner().invoke(app, ["explain", str(path), "1N P", "--off", "asking_2c", "--json"])
    assert json.loads(off.output)["possible"] == []


def test_rules_are_listed_with_what_they_expand_to(path: Path) -> None:
    listed = CliRunner().invoke(app, ["rules", str(path), "--find", "3H"]).output
    assert listed == (f"{path}:19  1H - 3H: 10-12 points with hearts as trumps, 4+ hearts [invitational]\n")
    data = json.loads(CliRunner().invoke(app, ["rules", str(path), "--json"]).output)
    assert [row["call"] for row in data if row["auction"] == "P*"] == ["1N", "1H", "1S", "P"]


def test_the_net_of_an_auction_is_printed(path: Path) -> None:
    printed = CliRunner().invoke(app, ["net", str(path), ""]).output
    assert "hcp 15-17" in printed
    assert "1N" in printed
    nodes = json.loads(CliRunner().invoke(app, ["net", str(path), "", "--json"]).output)["nodes"]
    (opening,) = [node for node in nodes if node.get("box", {}).get("hcp") == [15, 17]]
    assert [proposal["action"] for proposal in opening["propose"]] == ["1N"]


def test_the_schema_is_written(tmp_path: Path) -> None:
    out = tmp_path / "schema.json"
    assert CliRunner().invoke(app, ["schema", "--out", str(out)]).exit_code == 0
    assert json.loads(out.read_text())["title"] == "Bidding system of pidm"
    assert json.loads(CliRunner().invoke(app, ["schema"]).output)["$schema"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explain", "no_such_system", "1N"], "no system `no_such_system`"),
        (["explain", "{path}", "1N 1S"], "1S"),
        (["explain", "{path}", "1N", "--vul", "some"], "some"),
        (["net", "{path}", "1N", "--out", "net.xyz"], "xyz"),
        (["net", "{path}", "P P P P"], "the auction P P P P is over"),
        (["notes", "{path}", "--on", "nothing"], "no convention `nothing`"),
        (["lint", "no_such_system"], "no system"),
    ],
)
def test_what_the_user_can_put_right_is_told_without_a_traceback(
    path: Path, arguments: list[str], words: str
) -> None:
    run = CliRunner().invoke(app, [argument.format(path=path) for argument in arguments])
    assert run.exit_code == 2
    assert run.output.startswith("pidm: ")
    assert words in run.output


def test_all_kinds_of_hands_on_request(path: Path) -> None:
    lines = list(lines_of(explain(System.load(path), Auction.from_str("1N P 2C P")), everything=True))
    place = next(number for number, line in enumerate(lines) if line.startswith("        Stayman  "))
    assert lines[place + 1 : place + 3] == ["          8+ HCP, 4+ hearts", "          8+ HCP, 4+ spades"]


@pytest.mark.parametrize(
    ("auction", "excluded"), [("1N P 2C P", {"3N", "6N"}), ("2H P 2N P", {"6N"}), ("1S P 2S P", {"6S"})]
)
def test_what_earlier_calls_exclude_is_not_offered(auction: str, excluded: set[str]) -> None:
    found = explain(System.load("two_over_one"), Auction.from_str(auction))
    assert found.possible
    assert not excluded & {str(one.call) for one in found.possible}


SITUATIONS = ["", "1S P", "1N P 2C P", "1D 1H P", "2C P 2D P", "1H X P", "1S P 2S P", "1C 1S X P", "3H"]


@pytest.mark.parametrize("auction", SITUATIONS)
def test_the_line_is_true_of_every_kind_of_hand_and_short(auction: str) -> None:
    table = Table.of(System.load("two_over_one"))
    situation = table.situation(Auction.from_str(auction))
    for one in explain(table, Auction.from_str(auction)).possible:
        assert len(one.shows) < 130
        assert "(" not in one.shows and "_" not in one.shows, "a player does not write like this"
        kinds = situation.kinds_of_hand(one.call)
        low = min((kind[HCP][0] for kind in kinds if HCP in kind), default=None)
        if low and all(HCP in kind for kind in kinds) and low == max(low, 0) > 0:
            assert one.shows.startswith(f"{low:g}"), one.shows


@pytest.mark.parametrize("feature", catalogue(), ids=str)
def test_every_feature_has_words(feature: Feature) -> None:
    low, high = feature.range
    for bounds in ((low, low), (high, high), (low + 1, high), (low, high - 1)):
        words = say(feature, *bounds)
        assert "(" not in words and "_" not in words
        assert not words or not words.endswith(" ")
    assert say(feature, high, high)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("controls + points(S)", "34+ points with spades as trumps and controls together"),
        ("hcp + hcp + tens", "17+ HCP with half a point for a ten"),
        ("hcp(D) + 4*aces(D)", "34+ HCP in diamonds with the ace counted twice"),
        ("hcp(S) + hcp(H)", "34+ HCP in spades and hearts"),
        ("hcp + hcp(H)", "34+ HCP with those in hearts counted twice"),
        ("length(S) + length(H)", "34+ cards in spades and hearts"),
        ("hcp + length(S) - 2*length(H)", "34+ for HCP plus spades minus 2 times hearts"),
    ],
)
def test_every_sum_has_words(text: str, words: str) -> None:
    assert say(Feature.parse(text), 34, INF) == words


@pytest.mark.parametrize(
    ("text", "low", "high", "words"),
    [
        ("queens(S)", 1, 1, "the queen of spades"),
        ("kings(H)", 0, 0, "not the king of hearts"),
        ("aces", 1, 2, "1-2 aces"),
        ("hcp", 10, 37, "10+ HCP"),
        ("points(S)", 24, 46, "24+ points with spades as trumps"),
    ],
)
def test_ranges_are_said_as_players_do(text: str, low: float, high: float, words: str) -> None:
    assert say(Feature.parse(text), low, high) == words


def test_a_rule_without_a_title_has_the_name_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "weak_twos.yaml"
    path.write_text("system: x\nrules:\n  - auction: P*\n    bid:\n      - 2S: 5-10 hcp, 6 S\n")
    (found,) = explain(System.load(path), Auction.from_str("2S")).made
    assert found.reasons[0].title == "Weak twos"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("jacoby_2nt", "Jacoby 2NT"),
        ("count_by_tricks", "Count by tricks"),
        ("extended_stayman", "Extended Stayman"),
        ("two_over_one", "Two over one"),
    ],
)
def test_names_are_written_as_players_do(name: str, written: str) -> None:
    assert written_name(name) == written


def possible(auction: str) -> dict[str, str]:
    """The line of each call that is possible in two over one."""
    lines = list(lines_of(explain(System.load("two_over_one"), Auction.from_str(auction))))
    told = lines[next(k for k, line in enumerate(lines) if line.startswith("Calls possible")) + 1 :]
    return {line.split()[1]: line.split(maxsplit=2)[2] for line in told}


def test_a_call_that_is_taken_away_names_the_rule_that_takes_it_away() -> None:
    system, auction = System.load("two_over_one"), Auction.from_str("1N P 2C P")
    told = next(one for one in explain(system, auction).possible if one.forbidden)
    never = next(block for block in system.blocks if block.spec.id == "natural_forced").nevers[0]
    assert [(one.title, one.place) for one in told.reasons] == [
        ("No passing while partner waits for an answer", never.place)
    ]
    path, line = never.place.rsplit(":", 1)
    assert Path(path).read_text().splitlines()[int(line) - 1].strip() == "never: [P]"


def test_long_suits_of_which_a_hand_has_one_or_the_other_are_told() -> None:
    # 5-4 and 4-5 are 4 and 4 too
    assert possible("1N P")["2C"].startswith("7+ HCP, 4+ spades or 4+ hearts; forcing one round")


def test_a_game_does_not_force_to_game() -> None:
    told = possible("1S P 2D P 3D P")
    assert "; forcing to game" in told["4D"]
    assert "forcing" not in told["5D"]


def test_a_call_for_want_of_another_is_no_natural_one() -> None:
    assert possible("1S P 2D P 3D P")["4C"].startswith("no agreement; a last resort, any hand")
