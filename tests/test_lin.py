"""LIN files: what Bridge Base writes, and what endplay loses."""

import pytest
from written_boards import DEAL, LIN, PBN, by_endplay, one

from pidm import Auction, Contract, Seat, Vul
from pidm.records.boards import Note, Record, dumps, loads


def test_lin_remarks_claims_and_open_auctions():
    unclaimed = LIN.replace("mc|10|", "")
    theirs = by_endplay(unclaimed, "lin")
    assert theirs.auction[-1].announcement == "nice"  # a remark on the board
    assert theirs.contract.result == -10  # one trick was played, and declarer won it
    record = one(unclaimed, "lin")
    assert record.comments == ("nice",)
    assert record.tricks is None
    open_auction = LIN.split("mb|p|mb|p|mb|p|")[0]
    assert by_endplay(open_auction, "lin").contract is not None
    assert one(open_auction, "lin").contract is None
    twice = LIN.replace("an|six to nine !S|", "an|six|an|to nine !S|")
    assert by_endplay(twice, "lin").auction[2].announcement == "to nine ♠"
    assert one(twice, "lin").notes[0].text == "six to nine ♠"


def test_a_lin_board_with_all_it_tells():
    record = one(LIN, "lin")
    assert record.board == 1
    assert record.deal == DEAL
    assert (record.dealer, record.vul) == (Seat.N, Vul.NS)
    assert str(record.auction) == "1S P 2S P 4S X P P P"
    assert record.notes == (Note(2, "six to nine ♠", alert=True), Note(5, "", alert=True))
    assert record.contract == Contract.from_str("4SX by N")
    assert record.tricks == 10
    assert record.play == ("D4", "D7", "D2", "D5")
    assert record.tags == {"South": "Sue", "West": "Will", "North": "Ann", "East": "Ed"}
    assert record.comments == ("nice",)
    assert one(dumps([record], "lin"), "lin") == record
    assert one(dumps([record], "pbn"), "pbn") == record


def test_a_lin_match_with_two_rooms():
    hands = LIN.split("md|3")[1].split("|")[0]
    text = (
        "vg|Final,1,IMPs,P,1,2,Reds,0,Blues,0|\nrs|4SN=,4SN-1|\npn|a,b,c,d,e,f,g,h|pg||\n"
        f"qx|o1|st||md|3{hands}|sv|0|mb|1S|mb|p|mb|p|mb|p|pg||\n"
        f"qx|c1|st||md|3{hands}|sv|0|\nmb|p|mb|p|mb|p|\nmb|p|pg||\n"
    )
    opened, closed = loads(text, "lin").boards
    assert (opened.board, closed.board) == (1, 1)
    assert opened.tags["North"] == "c"
    assert closed.tags["North"] == "g"
    assert opened.vul is closed.vul is Vul.None_
    assert closed.passed_out
    opened, closed = loads(text.replace("qx|o1|", "qx|o1,BOARD 17|pn|A,B,C,D|"), "lin").boards
    assert (opened.board, opened.tags["North"], closed.tags["North"]) == (17, "C", "g")
    assert loads(text.replace("qx|c1|", "qx|c1|pn|A,B,C,D|"), "lin").boards[1].tags["North"] == "C"
    assert loads(text.replace(",e,f,g,h", ""), "lin").boards[1].tags == {"Lin_qx": "c1"}


def test_items_without_a_field_are_kept():
    text = "qx|o5|md|1|sv|o|bt|2|bt|3|mc|9|mb|p|"
    record = one(text, "lin")
    assert record.tags == {"Lin_qx": "o5", "Lin_bt": "2", "Lin_bt_2": "3", "Lin_mc": "9"}
    assert one(dumps([record], "lin"), "lin") == record == one(dumps([record], "pbn"), "pbn")


def test_what_lin_has_no_place_for():
    passed = Record(board=2, dealer=Seat.E, vul=Vul.NS, passed_out=True)
    assert str(one(dumps([passed], "lin"), "lin").auction) == "P P P P"
    played = Record(dealer=Seat.E, contract=Contract.from_str("4S by N"), tricks=10, play=("HA",))
    read_back = one(dumps([played], "lin"), "lin")
    assert (read_back.auction, read_back.contract, read_back.play) == (None, None, ("HA",))
    assert read_back.comments == ("Contract: 4S by N, 10 tricks",)
    assert one(dumps([read_back], "pbn")).comments == (*read_back.comments, "Play: HA")
    names = {"South": "Hamman, Bob", "West": "", "North": "Wolff,B", "East": "Sue"}
    record = one(dumps([Record(dealer=Seat.N, tags=names)], "lin"), "lin")
    assert record.tags == {"South": "Hamman Bob", "North": "Wolff B", "East": "Sue"}


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("mb|2S!|", "mb|1H|", "board 1: 1H after 1S is not higher"),
        ("mb|2S!|", "mb|2Z|", "board 1: '2Z' is no call"),
        ("ST76H987", "ST6H987", "board 1: 12 cards in hand: ST6H987DKT87CA98"),
        ("ST76H987", "SA76H987", "board 1: SA is in two hands, N and S"),
        ("sv|n|", "sv|q|", "board 1: 'q' is no vulnerability"),
        ("pc|D4|", "pc|D1|", "board 1: 'D1' is no card"),
        ("pc|D4|", "pc|D7|", "board 1: D7 is played twice"),
        ("CA98,", "CA98,,", "board 1: more than four hands"),
        ("Sue,", "Sue,Bill,", "board 1: 5 names; expected four or eight"),
        ("mb|2S!|", "mb|2S!||", "board 1: expected an item such as mb|1S|, found |an|six to nine"),
        ("mb|2S!|", "mb|2S!", "board 1: expected an item such as mb|1S|, found six to nine"),
        ("mb|2S!|", "mb2S!|", "board 1: expected an item"),
        ("st||md", "st|md", "expected an item such as mb|1S|, found st|md|3ST76"),
        ("pn|", "pn", "expected an item such as mb|1S|, found pnSue"),
        ("pn|", "n|", "expected an item such as mb|1S|, found n|Sue"),
        ("pn|", "|pn|", "expected an item such as mb|1S|, found |pn|Sue"),
        ("mc|10|", "mc|10", "board 1: expected an item such as mb|1S|, found mc|10"),
        ("mc|10|", "mc|10|pg", "board 1: expected an item such as mb|1S|, found pg"),
        ("mc|10|", "mc|many|", "board 1: 'many' is no number of tricks"),
    ],
)
def test_a_bad_lin_board_costs_only_itself(good, bad, message):
    text = LIN + LIN.replace(good, bad, 1) + LIN
    found = loads(text, "lin", "club.lin")
    assert found.boards == [one(LIN, "lin")] * 2
    (error,) = found.errors
    assert (error.path, error.line) == ("club.lin", 2)
    assert message in str(error)


def test_lin_boards_in_one_line_and_in_many():
    whole = one(LIN, "lin")
    for text in (LIN.strip() * 3, (LIN * 3).replace("|mb|", "|\nmb|").replace("||pc", "||\npc")):
        assert loads(text, "lin") == ([whole] * 3, [])
    lines = LIN.replace("|mb|", "|\nmb|")
    damaged = (LIN + lines.replace("mb|p|", "mb|p", 1) + LIN).replace("nt|nice|", "nt|very\nnice|")
    boards, errors = loads(damaged, "lin")
    assert [record.comments for record in boards] == [("very nice",)] * 2
    assert [error.line for error in errors] == [5]


def test_lin_items_of_several_calls_or_cards():
    text = LIN.replace("mb|4s|mb|d!|mb|p|mb|p|mb|p|", "mb|4Sd!ppp|").replace("pc|D4|pc|D7|", "pc|D4d7|")
    assert one(text, "lin") == one(LIN, "lin")
    assert str(one("md|1|mb|1NTdXX|", "lin").auction) == "1N X XX"


@pytest.mark.parametrize("text", ["garbage", "a|b|c|", "vg|a match|pn|a,b,c,d|pg||", PBN])
def test_what_is_no_lin_is_an_error(text):
    boards, errors = loads(text, "lin")
    assert not boards
    assert [error.line for error in errors] == [1]
    assert loads("\n", "lin") == ([], [])


def test_a_lin_board_without_names_number_or_dealer():
    record = one("md|1|mb|p|mb|1N|", "lin")
    assert record == Record(dealer=Seat.S, auction=Auction.from_str("P 1N", Seat.S))
    found = loads("md||mb|p|", "lin")
    assert "no dealer" in str(found.errors[0])
