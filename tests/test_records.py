import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pidm import Auction, Contract, Deal, Hand, RecordError, Seat, Vul
from pidm.bridge.records import (
    Note,
    Record,
    call_of,
    dumps,
    loads,
    read,
    start_of,
    tricks_taken,
    write,
)

NORTH, EAST, SOUTH, WEST = "AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 T76.987.KT87.A98 54.542.932.QT543".split()
DEAL = Deal.from_str(f"N:{NORTH} {EAST} {SOUTH} {WEST}")

PBN = f"""% PBN 2.1
% EXPORT
[Event "Club \\"Four Aces\\""]
[North "Ann"]
[Board "1"]
[Dealer "N"]
[Vulnerable "NS"]
[Deal "N:{NORTH} {EAST} {SOUTH} {WEST}"]
[Declarer "N"]
[Contract "2S"]
[Result "9"]
{{ a remark that goes
over two lines }}
[Auction "N"]
1S =1= Pass 2S ! =2= AP
[Note "1:five cards"]
[Note "2:six to nine"]
[Play "E"]
D4 D7 D2 D5 =1=
H3 H8 H5 HA
-  -  H4 HK
*
[Note "1:a note of the play"]
[OptimumResultTable "Declarer;Denomination\\\\2R;Result\\\\2R"]
N NT 7
N  S 10
"""


def one(text, form="pbn"):
    found = loads(text, form)
    assert not found.errors
    assert len(found.boards) == 1
    return found.boards[0]


def test_a_pbn_board_with_all_it_tells():
    record = one(PBN)
    assert record.board == 1
    assert record.deal == DEAL
    assert (record.dealer, record.vul) == (Seat.N, Vul.NS)
    assert str(record.auction) == "1S P 2S P P P"
    assert record.auction.vul is Vul.NS
    assert record.notes == (Note(0, "five cards"), Note(2, "six to nine", alert=True))
    assert record.contract == Contract.from_str("2S by N")
    assert record.tricks == 9
    assert record.play == ("D4", "D7", "D2", "D5", "H8", "H5", "HA", "H3", "HK")
    assert record.tags == {"Event": 'Club "Four Aces"', "North": "Ann"}
    assert record.tables["OptimumResultTable"][1:] == ("N NT 7", "N  S 10")
    assert record.comments == ("a remark that goes over two lines",)


def test_endplay_reads_what_is_written():
    from endplay.parsers import lin, pbn

    plain = Record.of(
        DEAL, Auction.from_str("1S P 2S P 4S X AP", Seat.W, Vul.EW), board=7, notes=[Note(2, "raise", True)]
    )
    for form, parser in (("pbn", pbn), ("lin", lin)):
        (theirs,) = parser.load(io.StringIO(dumps([plain], form)))
        assert Deal.from_str(theirs.deal.to_pbn()) == DEAL
        assert [call_of(bid) for bid in theirs.auction] == list(plain.auction.calls)
        assert theirs.auction[2].announcement.lstrip("!") == "raise"
        assert start_of(theirs) == (Seat.W, Vul.EW)
        assert theirs.board_num == 7
        assert int(theirs.contract.declarer) == Seat.W


def by_endplay(text, form="pbn"):
    from endplay.parsers import lin, pbn

    (theirs,) = {"pbn": pbn, "lin": lin}[form].load(io.StringIO(text))
    return theirs


def test_a_dealer_without_a_contract_is_not_lost():
    text = '[Board "1"]\n[Dealer "W"]\n'
    assert by_endplay(text).dealer.abbr == "N"  # by the number
    assert one(text).dealer is Seat.W


@pytest.mark.parametrize(
    ("calls", "theirs", "ours"),
    [
        ("AP", 3, "P P P P"),
        ("1S P AP", 5, "1S P P P"),
        ("- - 1S AP", 0, "1S P P P"),
        ("1S! P 2S $2 AP", None, "1S P 2S P P P"),
        ("1S {five} AP", None, "1S P P P"),
    ],
)
def test_auctions_that_endplay_misreads(calls, theirs, ours):
    text = f'[Board "1"]\n[Auction "N"]\n{calls}\n'
    if theirs is None:
        with pytest.raises(ValueError, match="invalid literal"):
            by_endplay(text)
    else:
        assert len(by_endplay(text).auction) == theirs
    assert str(one(text).auction) == ours


def test_a_contract_without_declarer_is_not_played_by_north():
    text = '[Board "1"]\n[Contract "4S"]\n[Auction "N"]\nP 4S AP\n'
    assert by_endplay(text).contract.declarer.abbr == "N"
    assert one(text).contract.declarer is Seat.E


def test_notes_are_no_alerts_and_the_play_has_its_own():
    text = PBN.replace(" ! ", " ")
    assert [(bid.alertable, bid.announcement) for bid in by_endplay(text).auction[:3:2]] == [
        (True, "a note of the play"),
        (True, "six to nine"),
    ]
    assert one(text).notes == (Note(0, "five cards"), Note(2, "six to nine"))
    moved = text.replace('[Note "1:five cards"]\n', "")
    assert one(moved).notes == (Note(0, "", alert=True), Note(2, "six to nine"))
    assert one(moved.replace("D5 =1=", "D5")).notes[0] == Note(0, "a note of the play")


def test_a_value_with_the_end_of_a_tag_in_it():
    text = '[Board "1"]\n[North "Queen \\"[of hearts]\\"]"]\n'
    assert by_endplay(text).info.north == 'Queen \\"[of hearts]\\'
    assert one(text).tags == {"North": 'Queen "[of hearts]"]'}


@pytest.mark.parametrize("deal", [f"N:A{NORTH} {EAST} {SOUTH} {WEST}", f"{NORTH} {EAST} {SOUTH} {WEST}"])
def test_a_card_twice_and_a_deal_without_seat_are_errors(deal):
    text = f'[Board "1"]\n[Deal "{deal}"]\n'
    assert Deal.from_str(by_endplay(text).deal.to_pbn()) == DEAL
    (error,) = loads(text, "pbn").errors
    assert error.line == 2


def test_spellings_that_endplay_does_not_know():
    record = one(
        '[Board "Table 3"]\n[Vulnerable "Love"]\n[Declarer "^s"]\n[Contract "4H X"]\n'
        f'[Deal "N:{NORTH} {EAST.replace("T", "10")} {SOUTH} -"]\n'
    )
    assert (record.board, record.vul, str(record.contract)) == (3, Vul.None_, "4HX by S")
    assert record.deal == DEAL


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


def test_endplay_is_imported_only_to_read():
    code = (
        "import sys; from pidm.bridge import lin, pbn, records; from pidm import Auction, Bidder\n"
        "text = records.dumps([records.Record(board=1)], 'pbn'); assert 'endplay' not in sys.modules\n"
        "records.loads(text, 'pbn'); assert 'endplay' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("form", ["pbn", "lin"])
def test_notes_and_alerts_round_trip(form):
    notes = [
        Note(0, "15-17", False),
        Note(2, "", True),
        Note(4, 'no 4-card ♥ "maybe"', True),
        Note(6, "♠ and ♦", True),
    ]
    auction = Auction.from_str("1N P 2C P 2D P 2H AP", Seat.E, Vul.Both)
    record = Record.of(DEAL, auction, board=12, notes=notes)
    assert one(dumps([record], form), form) == record


@pytest.mark.parametrize("form", ["pbn", "lin"])
def test_a_passed_out_board_round_trips(form):
    record = Record.of(DEAL, Auction.from_str("P P P P", Seat.S), board=3)
    assert record.passed_out
    assert record.contract is None
    assert one(dumps([record], form), form) == record


@pytest.mark.parametrize(
    "text",
    [
        '[Board "2"]\n[Auction "E"]\nPass Pass Pass Pass\n',
        '[Board "2"]\n[Dealer "E"]\n[Contract "Pass"]\n[Declarer ""]\n[Result ""]\n[Auction "E"]\nAP\n',
        '[Board "2"]\n[Contract "Pass"]\n',
    ],
)
def test_a_board_is_passed_out_in_several_ways(text):
    record = one(text)
    assert record.passed_out
    assert record.contract is None
    assert record.tricks is None


def test_missing_fields_are_none_or_follow_from_the_number():
    record = one('[Event "?"]\n[Deal "N:' + f'{NORTH} - {SOUTH} -"]\n')
    assert record == Record(hands=(Hand.from_str(NORTH), None, Hand.from_str(SOUTH), None))
    assert record.deal is None
    numbered = one('[Board "7"]\n[Dealer "?"]\n[Vulnerable ""]\n[Contract "?"]\n[Result "?"]\n')
    assert (numbered.dealer, numbered.vul, numbered.contract, numbered.tricks) == (
        Seat.S,
        Vul.Both,
        None,
        None,
    )
    started = one('[Auction "W"]\n1C Pass\n')
    assert (started.dealer, str(started.auction)) == (Seat.W, "1C P")
    assert not started.auction.over


def test_an_unknown_result_is_not_no_trick():
    record = one(PBN.replace('[Result "9"]', '[Result "?"]'))
    assert record.contract is not None
    assert record.tricks is None


@pytest.mark.parametrize("result", ["9", "NS 9", "EW 4", "^9", "EW 4 NS 9"])
def test_results_as_the_standard_allows_them(result):
    assert one(PBN.replace('[Result "9"]', f'[Result "{result}"]')).tricks == 9


def test_calls_and_cards_may_stand_behind_their_tag():
    text = '[Board "3"] [Dealer "S"]\n[Auction "S"] 1C Pass 1S Pass\n2S AP\n[Play "E"] H3 H7\nH2 HA\n'
    record = one(text)
    assert str(record.auction) == "1C P 1S P 2S P P P"
    assert record.play == ("H3", "H7", "H2", "HA")
    assert str(one('[Auction "S"] 1S Pass 2S Pass\nAP\n').auction) == "1S P 2S P P P"


def test_tricks_need_not_be_rows():
    cards = "H3 H7 ! H2 HA =1= S2 S6 S4 SA"
    text = '[Contract "4S"]\n[Declarer "N"]\n[Play "E"]\n'
    whole = ("H3", "H7", "H2", "HA", "SA", "S2", "S6", "S4")
    assert one(f"{text}{cards}\n").play == whole
    assert one(text + cards.replace("S2 S6", "\nS2 ^R S6\n")).play == whole
    turned = "H2 HA H3 H7\nS4 SA S2 S6\n"
    assert one(text.replace('Play "E"', 'Play "W"') + turned).play == whole
    assert one(f"{text}H3 H7 H2 HA\n+ - - SA\n").play == whole[:5]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("H3 H7 H2\nS2 S6 S4 SA", "not four cards in the trick before S2 S6 S4 SA"),
        ("H3 H7 H2 HA\nS2 S6 H7 SA", "H7 is played twice"),
        ("H3 H7 * HA", "cards after the end of the play"),
    ],
)
def test_a_play_out_of_step_is_an_error(rows, message):
    found = loads(f'[Contract "4S"]\n[Declarer "N"]\n[Play "E"]\n{rows}\n', "pbn")
    assert [error.line for error in found.errors] == [3]
    assert message in str(found.errors[0])


@pytest.mark.parametrize(
    "text",
    [
        '[Board "1"]\n[Contract "Pass"]\n[Auction "N"]\nAP\n[Play "?"]\n*\n',
        '[Board "1"]\n[Contract "Pass"]\n[Play ""]\n-  -  -  -\n',
        '[Board "1"]\n[Contract "?"]\n[Play "?"]\n*\n',
    ],
)
def test_an_empty_play_needs_no_contract(text):
    record = one(text)
    assert record.passed_out == ("Pass" in text)
    assert record.play == ()


def test_a_contract_without_declarer_costs_nothing_else():
    text = f'[Board "1"]\n[Deal "N:{NORTH} {EAST} {SOUTH} {WEST}"]\n[Contract "4SX"]\n[Result "10"]\n'
    record = one(text)
    assert (record.deal, record.contract, record.tricks) == (DEAL, None, None)
    assert record.tags == {"Contract": "4SX", "Result": "10"}
    assert one(dumps([record], "pbn")) == record
    assert one(text + '[Auction "N"]\n1H Pass 1S *\n').contract is None
    assert one(text + '[Auction "N"]\n1S Pass 4S X *\n').contract == Contract.from_str("4SX by N")


def test_several_notes_on_a_call_are_joined():
    text = '[Auction "N"]\n1S Pass 2NT =1= $1 =2= AP\n[Note "1:Jacoby"]\n[Note "2:four trumps"]\n'
    assert one(text).notes == (Note(2, "Jacoby; four trumps"),)
    assert one(text.replace("$1", "!")).notes == (Note(2, "Jacoby; four trumps", alert=True),)


def test_irregular_calls():
    assert str(one('[Board "1"]\n[Auction "N"]\n1S ^I 2C Pass\n').auction) == "1S 2C P"
    skipped = one('[Board "1"]\n[Auction "N"]\n1D ^S 2D AP\n')
    assert str(skipped.auction) == "1D P 2D P P P"  # S bids 2D
    assert skipped.notes == (Note(1, "skipped"),)
    (error,) = loads('[Board "1"]\n[Auction "N"]\n1D ^I 1C\n', "pbn").errors
    assert "1C after 1D is not higher" in str(error)


def test_dashes_stand_for_the_players_before_the_dealer():
    text = '[Dealer "S"]\n[Auction "W"]\n-  -  -  1S\nAP\n'
    assert (one(text).dealer, str(one(text).auction)) == (Seat.S, "1S P P P")
    assert one('[Board "1"]\n[Auction "W"]\n- - 1S AP\n').dealer is Seat.E
    (error,) = loads(text.replace('"W"', '"S"'), "pbn").errors
    assert "starts with E, but the dealer is S" in str(error)


@pytest.mark.parametrize("calls", ["1S AP 2S", "1S * 2S", "1S + 2S"])
def test_nothing_follows_the_end_of_an_auction(calls):
    (error,) = loads(f'[Board "1"]\n[Auction "N"]\n{calls}\n', "pbn").errors
    assert "2S after the end of the auction" in str(error)


BOARDS = [
    f'[Event "Cup"]\n[Board "{number}"]\n[Dealer "N"]\n[Deal "N:{NORTH} {EAST} {SOUTH} {WEST}"]\n'
    '[Auction "N"]\n1S =1= Pass\n2S AP\n[Note "1:five"]\n'
    for number in (1, 2, 3)
]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(BOARDS),
        "".join(BOARDS),
        "\n \n".join(BOARDS).replace('"]\n[', '"]\n\n['),
        "\n".join(BOARDS).replace("Pass\n", "Pass\n\n"),
        "\n".join(BOARDS).replace("\n[Deal ", " [Deal\n"),
        "{ of the first board }\n\n" + "\n".join(BOARDS) + "\n{ of the last }\n",
    ],
)
def test_boards_whatever_the_blank_lines(text):
    boards, errors = loads(text, "pbn")
    assert not errors
    assert [record.board for record in boards] == [1, 2, 3]
    for record in boards:
        assert record.deal == DEAL
        assert str(record.auction) == "1S P 2S P P P"
        assert record.notes == (Note(0, "five"),)
        assert record.tags == {"Event": "Cup"}
    if "{" in text:
        assert [record.comments for record in boards] == [("of the first board",), (), ("of the last",)]


def test_tags_without_a_board_are_an_error():
    boards, errors = loads('[Event "Cup"]\n[Site "here"]\n\n' + "\n".join(BOARDS), "pbn")
    assert len(boards) == 3
    assert [str(error) for error in errors] == [
        "line 1: no board: neither Board, Deal nor Auction, only Event, Site"
    ]


@pytest.mark.parametrize(
    "damage", ["{ oops\n", "{ oops\n[Site ?]\n", "prose {\n\nmore\n", '[Dealer "E"]\n', '[Site "\n']
)
@pytest.mark.parametrize("blank", ["\n", ""])
def test_damage_ends_with_its_board(damage, blank):
    first, second, third = BOARDS
    head, auction = second.split("[Auction")
    text = blank.join([first, f"{head}{damage}[Auction{auction}", third])
    boards, errors = loads(text, "pbn")
    assert [record.board for record in boards if record.deal] == [1, 3]
    assert all(record.comments == () for record in boards)
    assert errors[0].line == 13 + len(blank)
    assert errors[0].message.startswith("board 2: ")


def test_an_open_comment_does_not_reach_into_the_next():
    first, second, third = BOARDS
    boards, errors = loads(f"{first}{{ open\n\n{second}{{ closed }}\n\n{third}", "pbn")
    assert [record.board for record in boards] == [2, 3]
    assert boards[0].comments == ("closed",)
    assert [(error.line, error.message) for error in errors] == [
        (9, "board 1: a comment without its end: { open")
    ]
    long = '{ a comment\n\nof two paragraphs,\n[Event "not a tag"] }\n'
    assert one(first + long).comments == ('a comment of two paragraphs, [Event "not a tag"]',)


def test_values_of_the_board_before():
    text = '[Event "Cup"]\n[Dealer "N"]\n[Board "1"]\n\n[Event "#"]\n[Board "2"]\n[Dealer "#"]\n'
    second = loads(text, "pbn").boards[1]
    assert second.tags == {"Event": "Cup"}
    assert second.dealer is Seat.N
    lasting = '[Event "##Cup"]\n[Date "##2001"]\n\n[Board "1"]\n\n[Board "2"]\n[Date "2002"]\n\n[Board "3"]\n'
    assert [record.tags["Date"] for record in loads(lasting, "pbn").boards] == ["2001", "2002", "2002"]
    assert [record.tags["Event"] for record in loads(lasting, "pbn").boards] == ["Cup"] * 3


def test_notes_belong_to_their_board():
    text = '[Board "1"]\n[Auction "N"]\n1S =1= AP\n[Note "1:five"]\n\n[Board "2"]\n[Auction "E"]\n1N =1= AP\n'
    first, second = loads(text, "pbn").boards
    assert first.notes == (Note(0, "five"),)
    assert second.notes == (Note(0, "", alert=True),)


def test_comments_do_not_disturb():
    text = '; a file\n[Board "1"] ; the first\n[Auction "N"]\n1S {strong; [really]} P ; dull\n{\n} AP\n'
    assert str(one(text).auction) == "1S P P P"


@pytest.mark.parametrize(
    ("bad", "line", "message"),
    [
        ('[Deal "N:AKQ.JT9.876.543 - - -"]', 4, "board 2: Deal: 12 cards in hand: AKQ.JT9.876.543"),
        ('[Dealer "N"]\n[Auction "N"]\n2H 2D', 5, "board 2: Auction: 2D after 2H is not higher"),
        ('[Auction "E"]\n1S Pess', 4, "board 2: Auction: 'Pess' is no call"),
        ('[Vulnerable "maybe"]', 4, "board 2: Vulnerable: 'maybe' is no vulnerability"),
        ('[Dealer "Q"]', 4, "board 2: Dealer: 'Q' is no seat"),
        ('[Dealer "N"]\n[Auction "E"]\n1S', 5, "board 2: Auction: starts with E, but the dealer is N"),
        ("what is this", 4, "board 2: expected a tag"),
        ('[Contract "9H"]\n[Declarer "N"]', 4, "board 2: Contract: '9H' is no contract"),
        (
            '[Contract "4S"]\n[Auction "E"]\n1S AP',
            4,
            "Contract: contract 4S by E, but the auction ends in 1S by E",
        ),
        ('[Contract "4S"]\n[Declarer "N"]\n[Result "14"]', 6, "Result: '14' is no number of tricks"),
        ('[Contract "4S"]\n[Declarer "N"]\n[Play "E"]\nZ4', 6, "Play: 'Z4' is no card"),
        ('[Contract "?"]\n[Play "E"]\nS4', 5, "Play: play without a contract"),
        ('[Contract "4SW"]\n[Declarer "N"]', 4, "Contract: '4SW' is no contract"),
        ('[Contract "4S"]\n[Auction "E"]\nAP', 4, "Contract: contract 4S, but all passed"),
        ('[Dealer "S"] [Dealer "W"]', 4, "a second tag Dealer"),
        ('[Dealer "S"] of the board', 4, "expected a tag"),
    ],
)
def test_a_bad_board_costs_only_itself(bad, line, message):
    text = f'[Board "1"]\n\n[Board "2"]\n{bad}\n\n[Board "3"]\n'
    found = loads(text, "pbn", "club.pbn")
    assert [record.board for record in found.boards] == [1, 3]
    (error,) = found.errors
    assert (error.path, error.line) == ("club.pbn", line)
    assert message in str(error)
    assert str(error).startswith(f"club.pbn:{line}: ")


LIN = (
    "pn|Sue,Will,Ann,Ed|st||md|3ST76H987DKT87CA98,S54H542D932CQT543,SAQJ93HAKJ6DJ65C2,|rh||ah|Board 1|sv|n|"
    "mb|1S|mb|p|mb|2S!|an|six to nine !S|mb|p|mb|4s|mb|d!|mb|p|mb|p|mb|p|nt|nice|pg||"
    "pc|D4|pc|D7|pc|D2|pc|D5|pg||mc|10|\n"
)


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
    assert loads(text.replace(",e,f,g,h", ""), "lin").boards[1].tags == {}


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


def test_what_is_no_pbn_is_an_error():
    boards, errors = loads(LIN * 2, "pbn")
    assert not boards
    assert [error.line for error in errors] == [1]
    assert loads(dumps([], "pbn") + "; nothing yet\n", "pbn") == ([], [])


def test_a_lin_board_without_names_number_or_dealer():
    record = one("md|1|mb|p|mb|1N|", "lin")
    assert record == Record(dealer=Seat.S, auction=Auction.from_str("P 1N", Seat.S))
    found = loads("md||mb|p|", "lin")
    assert "no dealer" in str(found.errors[0])


def test_tricks_are_counted_when_all_cards_are_played():
    contract = Contract.from_str("7S by N")
    play = ["HA", "DA", "CA", "SA"]  # E leads, N ruffs and leads the other spades
    play += [suit + rank for rank in "KQJT98765432" for suit in "SHDC"]
    assert tricks_taken(play, contract) == 13
    assert tricks_taken(play, Contract.from_str("7N by N")) == 0
    assert tricks_taken(play[:48], contract) is None
    record = Record(contract=contract, dealer=Seat.N, vul=Vul.None_, tricks=13, play=tuple(play))
    assert one(dumps([record], "pbn")) == record


def test_files(tmp_path):
    records = [
        Record.of(DEAL, Auction.from_str("1S AP", Seat.N, Vul.None_), board=1),
        Record.of(DEAL, Auction.from_str("P P P P", Seat.E, Vul.NS), board=2),
    ]
    for name in ("club.pbn", "club.LIN"):
        write(tmp_path / name, records)
        assert read(tmp_path / name) == (records, [])
    (tmp_path / "old.pbn").write_bytes('[North "Jürgen"]\n[Board "1"]\n'.encode("latin-1"))
    assert read(tmp_path / "old.pbn").boards[0].tags["North"] == "Jürgen"
    (tmp_path / "windows.pbn").write_bytes(
        b"\xef\xbb\xbf" + dumps(records, "pbn").replace("\n", "\r\n").encode()
    )
    assert read(tmp_path / "windows.pbn") == (records, [])
    (tmp_path / "cut.pbn").write_bytes(dumps(records, "pbn").encode("utf-16")[:-1])
    assert read(tmp_path / "cut.pbn").boards == records[:1]
    with pytest.raises(RecordError, match="'txt' is no format of records"):
        write(tmp_path / "club.txt", records)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.pbn")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("O’Brien … x", '"O’Brien … x"'.encode("cp1252")),
        ("O’Brien\x81", b'"O\x92Brien\x81"'),
        ("a\x0cb", b'"a\x0cb"'),
        ("a\u2028b", '"a\u2028b"'.encode()),
        ("Zoë", '"Zoë"'.encode("latin-1")),
    ],
)
def test_characters_of_other_systems(tmp_path, name, data):
    path = tmp_path / "club.pbn"
    path.write_bytes(b'[Board "1"]\r\n[North ' + data + '"]\r\n[South "Zoë"]\r\n\x1a'.encode()[1:])
    (record,) = read(path).boards
    assert record.tags == {"North": name, "South": "Zoë"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("name", "text"), [("club.pbn", PBN), ("club.lin", LIN)])
def test_encodings_and_line_ends(tmp_path, name, text, encoding, end):
    (tmp_path / name).write_bytes((text.replace("\n", end) + "\x1a").encode(encoding))
    assert read(tmp_path / name) == loads(text, name[-3:])


TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20).map(str.strip)


@given(st.lists(TEXT, min_size=1, max_size=3), TEXT)
def test_any_note_and_name_survive_pbn(texts, name):
    auction = Auction.from_str("1N P 2C P 2D P 2H AP")
    notes = [Note(at, " ".join(text.split()), alert=at != 1) for at, text in enumerate(texts)]
    tags = {"North": " ".join(name.split())} if name not in ("", "?", "#") and name[:2] != "##" else {}
    record = Record(
        auction=auction,
        dealer=Seat.N,
        vul=Vul.None_,
        contract=auction.contract,
        notes=tuple(notes),
        tags=tags,
    )
    assert one(dumps([record], "pbn")) == record


@given(st.text(max_size=200), st.sampled_from(["pbn", "lin"]))
def test_no_text_breaks_the_reader(text, form):
    found = loads(text, form)
    assert all(isinstance(error, RecordError) for error in found.errors)


@given(st.data(), st.sampled_from(["pbn", "lin"]))
def test_damage_to_one_board_leaves_the_others(data, form):
    one_of, blank = (PBN, "\n") if form == "pbn" else (LIN, "")
    at = data.draw(st.integers(2, len(one_of) - 2))
    new = data.draw(st.text('[]"|={}\\;%#9AZ-\n', max_size=3))
    damaged = one_of[:at] + new + one_of[min(at + data.draw(st.integers(0, 3)), len(one_of) - 1) :]
    boards, errors = loads(blank.join([one_of, damaged, one_of]), form)
    whole = one(one_of, form)
    assert (boards[0], boards[-1]) == (whole, whole)
    assert len(boards) > 2 or errors
    first = one_of.count("\n") + len(blank) + 1
    assert all(first <= error.line <= first + damaged.count("\n") for error in errors)
