"""Records of boards, whatever the format: files, characters, round trips, damage."""

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_boards import DEAL, LIN, PBN, one

from pidm import Auction, Contract, Deal, RecordError, Seat, Vul
from pidm.records.boards import Note, Record, call_of, dumps, loads, read, start_of, tricks_taken, write


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


def test_endplay_is_imported_only_to_read():
    code = (
        "import sys; from pidm.records import boards as records, lin, pbn\n"
        "from pidm import Auction, Bidder\n"
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
