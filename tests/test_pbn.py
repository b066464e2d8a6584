"""PBN files: what the standard allows, what programs write, and what endplay loses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_boards import DEAL, EAST, LIN, NORTH, PBN, SOUTH, WEST, by_endplay, one

from pidm import Auction, Contract, Deal, Hand, Seat, Vul
from pidm.records.boards import Note, Record, dumps, loads


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
    assert record.comments == ("a remark that goes over two lines", "On the play: a note of the play")


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


def test_debris_that_is_copied_leaves_the_board_before_it_alone():
    text = '[Contract "2S"]\n[Board "1"]\n\n[Auction "N"]\nover two lines }\n[Event "x"]\nH4 HK\n{ oops\n'
    found = loads(text, "pbn")
    assert found.boards and found.errors
    copy = dumps(found.pieces, "pbn")
    assert loads(copy, "pbn").boards == found.boards and "over two lines }" in copy


def test_what_is_no_pbn_is_an_error():
    boards, errors = loads(LIN * 2, "pbn")
    assert not boards
    assert [error.line for error in errors] == [1]
    assert loads(dumps([], "pbn") + "; nothing yet\n", "pbn") == ([], [])


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
