"""`pidm bid` and `pidm deal` as a user types them."""

import inspect
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.scoring import par
from pidm.cli import main, quick
from pidm.cli.app import app
from pidm.cli.bid import bid
from pidm.cli.bidder_options import make_bidder
from pidm.records.boards import read
from systems import write_system

RULES = """
- title: Openings
  auction: P*
  bid:
    - either:
        - 1N: 15-17 hcp, balanced
        - 1H: 12-21 hcp, 5+ H
    - 1M: 12-21 hcp, 5+ M
    - 1m: 12-21 hcp, 3+ m
    - P: 0-11 hcp
- title: Otherwise
  auction: ...
  bid:
    - P: any
"""
HAND, OPEN = "KQ842.A3.K72.Q85", "AQ2.QJ854.K4.AJ3"
DEAL_LIN = "md|4ST98HJ98DJ98CT987,S76HT765DT765CA65,SAKQ32HQ32DK32C32,SJ54HAK4DAQ4CKQJ4"
DEAL = "N:AKQ32.Q32.K32.32 J54.AK4.AQ4.KQJ4 T98.J98.J98.T987 76.T765.T765.A65"


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_system(tmp_path_factory.mktemp("system"), RULES)


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_call_and_why(little: Path) -> None:
    shown = run("bid", HAND, "--system", little)
    assert shown.exit_code == 0
    call, why = shown.stdout.splitlines()
    assert call == "1S"
    assert why.startswith("The system says 1S with 12-21 HCP, 5+ spades (Openings, ")


@pytest.mark.parametrize("more", [(), ("--seed", 1)])  # read without typer, and with it
@pytest.mark.parametrize(
    ("auction", "same"),
    [
        ("1N (P)", "1N P"),
        ("1N (P) 2C", "1N P 2C P"),
        ("(1H) P (2H)", "1H P 2H"),
        ("1N (2C) 2D", "1N 2C 2D P"),
    ],
)
def test_an_auction_is_spelt_as_in_system_files(
    auction: str, same: str, more: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(text: str) -> str:
        with pytest.raises(SystemExit):
            main(["bid", HAND, *text.split(), "--rules-only", *map(str, more)])
        return capsys.readouterr().out

    asked = answer(auction)
    assert asked.splitlines()[1].startswith("The system says")
    assert asked == answer(same)


@pytest.mark.parametrize("command", ["bid", "net", "explain"])
def test_who_writes_bids_alone_is_asked_whose_they_are(command: str) -> None:
    shown = run(command, HAND if command == "bid" else "two_over_one", "1S", "2N")
    assert shown.exit_code == 2
    assert "write 1S P 2N P if the opponents passed, or 1S (2N) if they bid" in shown.output


def test_who_wants_a_call_is_asked_whose_one_bid_is() -> None:
    shown = run("bid", HAND, "1S", "--seed", 1)
    assert shown.exit_code == 2
    assert "write 1S P if the opponents passed, or (1S) if they bid" in shown.output


def test_a_choice_shows_its_candidates(little: Path) -> None:
    shown = run("bid", OPEN, "--system", little, "--instances", 300, "--scoring", "matchpoints")
    call, why, *candidates = shown.stdout.splitlines()
    assert "matchpoints" in why
    assert {line.split()[0] for line in candidates} == {"1N", "1H"}
    assert candidates[0].split()[0] == call


def test_a_decision_as_json(little: Path) -> None:
    data = json.loads(run("bid", OPEN, "P P", "--system", little, "--no-search", "--json").stdout)
    assert (data["call"], data["by"]) == ("1N", "preference")
    assert [candidate["call"] for candidate in data["candidates"]] == ["1N", "1H"]


def test_each_opponent_may_have_a_system(little: Path) -> None:
    opponents = f"silent,{little}"
    assert run("bid", HAND, "P", "--system", little, "--opponents", opponents).stdout.startswith("1S")
    refused = run("bid", HAND, "P", "--system", little, "--opponents", f"silent,{little},{little}")
    assert "not 3" in refused.output


def test_random_deals_are_the_same_again(little: Path) -> None:
    one, two = (run("deal", "--count", 3, "--seed", 4, "--system", little, "--no-search") for _ in range(2))
    assert one.stdout == two.stdout
    assert one.stdout.count("Board ") == 3
    data = json.loads(
        run("deal", "--count", 3, "--seed", 4, "--system", little, "--no-search", "--json").stdout
    )
    assert [len(board["decisions"]) for board in data] == [len(board["auction"]) for board in data]


def test_a_file_of_deals_is_bid_and_written_back(little: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "in.pbn", tmp_path / "out.pbn"
    boards = [
        f'[Board "{number}"]\n[Deal "{deal}"]\n\n' for number, deal in ((1, DEAL), (2, "N:AKQ"), (3, DEAL))
    ]
    path.write_text("".join(boards))
    shown = run("deal", path, "--system", little, "--no-search", "--out", out)
    assert shown.exit_code == 1  # for the bad board; the others are bid
    assert "in.pbn:5: " in shown.stderr
    assert f"2 deals written to {out}" in shown.stderr
    written = read(out)
    assert [error.message[:8] for error in written.errors] == ["board 2:"]  # copied as it stood
    assert [board.board for board in written.boards] == [1, 3]
    assert [str(board.auction) for board in written.boards] == ["1S P P P", "P P 1S P P P"]


PLAYED = f"""[Event "Club night"]
[Site "Haifa"]
[Date "2006.01.31"]
[Board "1"]
[North "Ann"]
[South "Bob"]
[Dealer "E"]
[Vulnerable "Both"]
[Deal "{DEAL}"]
[Scoring "IMP"]
[Declarer "S"]
[Contract "2S"]
[Result "9"]
[Auction "E"]
Pass 2S =1= Pass Pass
Pass
[Note "1:!weak"]
[Room "Open"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 7
{{a remark}}

[Event "Club night"]
[Board "2"]
[West "Eve"]
[Deal "{DEAL}"]
{{to be bid}}

[Event "Club night"]
[Board "3"]
[Deal "N:AKQ32.Q32.K32.32 - - -"]
"""


def test_everything_that_was_in_a_file_stays(little: Path, tmp_path: Path) -> None:
    path, out, again = tmp_path / "in.pbn", tmp_path / "out.pbn", tmp_path / "again.pbn"
    path.write_text(PLAYED)
    before = read(path).boards
    assert run("deal", path, "--system", little, "--no-search", "--out", out).exit_code == 1
    first, added, second, third = read(out).boards
    assert first == before[0] and first.tags["Site"] == "Haifa" and str(first.contract) == "2S by S"
    assert (added.board, added.deal, added.dealer, added.vul) == (1, first.deal, first.dealer, first.vul)
    assert added.tags["Event"] == "Club night" and added.tags["North"] == "pidm"
    assert added.auction and added.auction.over and str(added.auction) != str(first.auction)
    assert str(second.auction) == "1C P P P"
    assert {**second.tags, **before[1].tags} == second.tags and second.comments[0] == "to be bid"
    assert "little" in second.tags["Annotator"]
    assert len(second.notes) == 4 and second.notes[0].text
    assert third == before[2]
    # What pidm has added is neither bid again nor added again.
    run("deal", out, "--system", little, "--no-search", "--out", again)
    assert [board.board for board in read(again).boards] == [1, 1, 1, 2, 2, 3]


DAMAGED_PBN = f"""% PBN 2.1
%Creator: a club's program

[Event "Club night"]
[Board "1"]
[Deal "N:AKQ32.Q32.K32"]
{{twelve cards are missing}}
[Room "Open"]

[Event "Club night"]
[Board "2"]
[Deal "{DEAL}"]
%Colour: on

[Event "Club night"]
[Board "3"]
[Deal "{DEAL}"]
[Contract "9Z"]
"""
DAMAGED_LIN = f"""vg|Final,Segment 1,IMPs,1,3,Us,0,Them,0|
rs|4SN=,3NE-1,|
qx|o1|md|1SAKQ,H2,D3|sv|o|mb|9Z|pg||
qx|c1|pn|a,b,c,d|{DEAL_LIN}|sv|o|bt|12|pg||
"""


@pytest.mark.parametrize(
    ("name", "text", "stays"),
    [
        (
            "club.pbn",
            DAMAGED_PBN,
            (
                DAMAGED_PBN[DAMAGED_PBN.index("[Event") : DAMAGED_PBN.index("\n\n[Event")],
                DAMAGED_PBN[DAMAGED_PBN.rindex("[Event") :],
                "%Creator: a club's program",
                "%Colour: on",
            ),
        ),
        ("match.lin", DAMAGED_LIN, (*DAMAGED_LIN.split("\n")[:3], "qx|c1|pn|a,b,c,d|", "|bt|12|")),
    ],
)
def test_what_cannot_be_read_is_copied_as_it_stood(
    little: Path, tmp_path: Path, name: str, text: str, stays: tuple[str, ...]
) -> None:
    path, out = tmp_path / name, tmp_path / f"out_{name}"
    path.write_text(text)
    assert run("deal", path, "--system", little, "--no-search", "--out", out).exit_code == 1
    written = out.read_text()
    assert [part for part in stays if part not in written] == []
    before, after = read(path), read(out)
    assert [str(one.message) for one in after.errors] == [str(one.message) for one in before.errors]
    assert [one.deal for one in after.boards] == [one.deal for one in before.boards]
    assert [str(one.auction) for one in after.boards] == ["1C P P P"]


def test_what_cannot_be_read_is_no_text_of_another_format(little: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "club.pbn", tmp_path / "club.lin"
    path.write_text(DAMAGED_PBN)
    shown = run("deal", path, "--system", little, "--no-search", "--out", out)
    assert shown.exit_code == 1 and "board 1" in shown.stderr and "board 3" in shown.stderr
    assert [board.board for board in read(out).boards] == [2] and not read(out).errors


def test_alerts_are_told_with_what_they_mean(tmp_path: Path) -> None:
    path, out = tmp_path / "in.pbn", tmp_path / "out.pbn"
    deal = "N:AQ2.KQ4.A843.QT5 J98.A32.J65.9872 K7543.J75.K2.A43 T6.T986.QT97.KJ6"
    path.write_text(f'[Board "1"]\n[Deal "{deal}"]\n')
    assert run("deal", path, "--no-search", "--out", out).exit_code == 0
    (record,) = read(out).boards
    assert str(record.auction).startswith("1N P 2H P 2S")
    transfer = record.note(2)
    assert transfer is not None and transfer.alert and "spades" in transfer.text.lower()
    assert record.contract is not None


def test_double_dummy_results_stand_beside_the_auction(little: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "in.pbn", tmp_path / "out.pbn"
    path.write_text(f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "All"]\n[Deal "{DEAL}"]\n')
    assert run("deal", path, "--system", little, "--no-search", "--out", out).exit_code == 0
    assert '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]' in out.read_text()
    (record,) = read(out).boards
    best = par(Deal.from_str(DEAL), Vul.Both, Seat.N).score
    assert record.contract is not None and record.tricks is None  # nobody has played it
    assert record.tags["OptimumScore"] == (f"NS {best}" if best >= 0 else f"EW {-best}")
    _, *rows = record.tables["OptimumResultTable"]
    found = {tuple(row.split()[:2]): int(row.split()[2]) for row in rows}
    assert len(found) == 20
    made = found[str(record.contract.declarer), record.contract.strain]
    assert f"{record.contract} takes {made} tricks double dummy" in record.comments[0]


def test_double_dummy_results_of_the_file_stay(little: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "in.pbn", tmp_path / "out.pbn"
    table = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 7\n[OptimumScore "NS 90"]'
    path.write_text(f'[Board "1"]\n[Deal "{DEAL}"]\n{table}\n')
    assert run("deal", path, "--system", little, "--no-search", "--out", out).exit_code == 0
    (record,) = read(out).boards
    assert record.tables["OptimumResultTable"][1:] == ("N NT 7",) and record.tags["OptimumScore"] == "NS 90"


@pytest.mark.parametrize(("deal", "code"), [(DEAL, 0), ("N:AKQ32.Q32.K32.32 - - -", 1)])
def test_the_exit_status_tells_whether_every_board_was_bid(
    little: Path, tmp_path: Path, deal: str, code: int
) -> None:
    path, out = tmp_path / "in.pbn", tmp_path / "out.pbn"
    path.write_text(f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "{deal}"]\n')
    asked = ("deal", path, "--system", little, "--no-search")
    assert run(*asked).exit_code == run(*asked, "--json").exit_code == code
    written = run(*asked, "--out", out).stderr
    assert ("1 deal written" if code else "2 deals written") in written


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("bid", "AKQ.JT9.876.543"), "12 cards"),
        (("bid", HAND, "1N 1S"), "not higher"),
        (("bid", HAND, "P P P P"), "is over"),
        (("bid", HAND, "--utility", "ddz"), "'ddz' is no utility"),
        (("bid", HAND, "--settle", "ddz"), "'ddz' is no utility"),
        (("bid", HAND, "--scoring", "pounds"), "no form of scoring"),
        (("bid", HAND, "--seconds", "-1"), "from 0 up"),
        (("bid", HAND, "--seconds", "inf"), "from 0 up"),
        (("bid", HAND, "--seconds", "1", "--instances", "9"), "give one of"),
        (("bid", HAND, "--instances", "9", "--no-search"), "give one of"),
        (("bid", HAND, "--seed", "-1"), "--seed"),
        (("deal", "--count", "0"), "--count"),
        (("deal", "nowhere.pbn"), "nowhere.pbn: No such file"),
        (("deal", "{folder}/empty.pbn"), "no board with all four hands"),
        (("deal", "--no-search", "--out", "{folder}/no/deals.pbn"), "no/deals.pbn: No such file"),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    little: Path, tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    (tmp_path / "empty.pbn").write_text("")
    asked = run(*(word.format(folder=tmp_path) for word in words), "--system", little)
    assert asked.exit_code == 2
    assert problem in asked.output
    assert "Traceback" not in asked.output


# ---------------------------------------------------------------------- without typer


@pytest.mark.parametrize(
    "words",
    [
        (HAND,),
        (OPEN, "--json"),
        (OPEN, "P P", "--no-search", "--dealer", "E", "--vul", "Both"),
        ("--scoring", "matchpoints", "--json", HAND, "1H X"),
        ("--utility", "ltc", HAND, ""),
        (OPEN, "P", "P", "--no-search"),
        (OPEN, "- -", "--no-search"),
        (OPEN, "-", "-", "--no-search"),
        (OPEN, "-1H-", "--no-search"),
        (OPEN, "---"),
        ("--no-search", "-.AQJT3.KQ765.A32"),
    ],
)
def test_the_quick_way_says_the_same(little: Path, words: tuple[str, ...], capsys) -> None:
    plain = quick.understood([*words, "--system", str(little)])
    assert plain is not None
    quick.bid(**plain)
    quickly, slowly = capsys.readouterr().out, run("bid", *words, "--system", little).stdout
    if "--json" in words:
        quickly, slowly = ({**json.loads(text), "seconds": 0} for text in (quickly, slowly))
    assert quickly == slowly


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--help",),
        (HAND, "--help"),
        (HAND, "-x"),
        (HAND, "--system"),
        (HAND, "--seconds", "2"),
        (HAND, "--sytem", "sayc"),
        (HAND, "--", "P"),
    ],
)
def test_what_is_not_plain_is_left_to_typer(words: tuple[str, ...]) -> None:
    assert quick.understood(words) is None


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ((OPEN, "- -", "--seed", 1), "1N"),
        ((OPEN, "-", "-", "--vul", "-", "--seed", 1), "1N"),
        (("--seed", 1, "-.AQJT3.KQ765.A32", "- -"), "1H"),
        ((OPEN, "--seed", 1, "--", "- -"), "1N"),
    ],
)
def test_passes_and_voids_may_come_first(little: Path, words: tuple[object, ...], call: str) -> None:
    shown = run("bid", "--no-search", "--system", little, *words)
    assert shown.stdout.split()[:1] == [call]


def test_a_mistake_beside_a_dash_is_still_one(little: Path) -> None:
    for words in ((OPEN, "- -", "--sytem", "sayc"), (OPEN, "- -", "-x"), (OPEN, "- -", "--system")):
        assert run("bid", *words).exit_code == 2


def test_both_ways_have_the_same_options_and_defaults() -> None:
    declared = {name: p.default for name, p in inspect.signature(bid).parameters.items()}
    plain = inspect.signature(quick.bid).parameters | inspect.signature(make_bidder).parameters
    for name, parameter in plain.items():
        if name != "options":
            assert declared[name] == parameter.default
    assert declared.keys() >= {*quick.VALUES, *quick.FLAGS.values()}


def test_the_quick_way_reports_mistakes(capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bid", "AKQ.JT9.876.543"])
    assert stop.value.code == 2
    assert capsys.readouterr() == ("", "pidm: 12 cards in hand: AKQ.JT9.876.543\n")
