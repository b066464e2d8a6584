"""System notes: the card, the booklet, every rule; as Markdown, HTML and PDF."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase.ttfonts import TTFont
from typer.testing import CliRunner

from pidm.authoring.booklet import booklet
from pidm.authoring.convention_card import convention_card
from pidm.authoring.document import Document, Grid, Section, to_html, to_markdown
from pidm.authoring.notes import _ASKED, _SHOWN, _in_words, full_notes
from pidm.authoring.pdf import FONT, to_pdf
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.cli.app import app
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.reading.table import Table

CLUB = """\
system: Little club system
about: Five-card majors.
card: [texas_transfers]
include: [general]
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - either:
          - 1M: 12-21 hcp, 5+ M
          - 1D: any
  - auction: [1M, 1m]
    when: not passed hand
    for: M = S
    bid:
      - 2N: {shows: [4+ M, "5+ hcp(M)"], forcing: game, agrees: M, alert: big, note: Slam is near.}
      - 3M: {shows: 4+ M, forcing: to 4M, alert: yes, when: vul}
  - title: Overcalls
    auction: (1X)
    bid:
      - 1Y: 5+ Y
"""
TEXAS = """\
convention: texas_transfers
about: >
  Four of a red suit shows
  the suit above.
rules:
  - title: Texas
    auction: 1N
    bid:
      - 4D: {shows: 6+ H, alert: yes}
"""
GENERAL = """\
rules:
  - title: Never in doubt
    auction: ...
    never: [X, P: forced]
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Path) -> Path:
    monkeypatch.setenv("PIDM_CACHE", str(store))
    (tmp_path / "conventions").mkdir()
    (tmp_path / "conventions" / "texas_transfers.yaml").write_text(TEXAS)
    (tmp_path / "general.yaml").write_text(GENERAL)
    (tmp_path / "club.yaml").write_text(CLUB)
    return tmp_path / "club.yaml"


def test_full_notes_hold_every_line_of_every_file(path: Path) -> None:
    text = to_markdown(full_notes(System.load(path)))
    assert text.startswith(
        "# Little club system: every rule\n\nFive-card majors.\n\n- [Conventions on the card]"
    )
    for line in (
        "| Texas transfers | Four of a red suit shows the suit above. |",
        "| 1NT | 15-17 HCP, balanced |  |",
        "| 1M | 12-21 HCP, 5+ M | or another call that fits, by judgement |",
        "Auction: 1M or 1m; when not passed hand, suits: M = S.",
        "| 2NT | 4+ M or 5+ HCP in M | forcing to game; agrees M; alert: big; Slam is near. |",
        "| 3M | 4+ M | forcing to 4M; alert; when vul |",
        "| 4♦ | 6+ H | alert |",
        "Never X.",
        "Never P when forced.",
    ):
        assert line in text.splitlines(), line
    chapters = [line.partition("</a>")[2] for line in text.splitlines() if line.startswith("## ")]
    assert chapters == [
        "Conventions on the card",
        "Opening bids",
        "After our opening",
        "After their opening",
        "Convention: Texas transfers",
        "In any auction",
    ]


def test_the_card_has_the_boxes_that_players_know(path: Path) -> None:
    card = convention_card(System.load("two_over_one"))
    titles = "Notrump, Majors, Minors, Two clubs and weak twos, They interfere, They open, Slams, Conventions"
    assert ", ".join(one.title for one in card.sections) == titles
    notrump = card.sections[0]
    assert notrump.tables[0].rows[0] == ("1N", "15-17 HCP, balanced or semi-balanced; not forcing")
    stayman = dict(notrump.sections[0].tables[0].rows)["2C"]
    assert stayman.startswith("7+ HCP") and "asks for a four-card major" in stayman
    little = convention_card(System.load(path))
    assert "Two clubs and weak twos" not in {one.title for one in little.sections}, (
        "what is not agreed has no box"
    )


def test_the_card_is_short_and_true_of_every_hand() -> None:
    card = {one.title: one for one in convention_card(System.load("two_over_one")).sections}
    over_a_spade = dict(card["Majors"].sections[0].tables[0].rows)
    assert over_a_spade["3C 3D 3H"].startswith("10-12 HCP, 0-2 spades, 6+ in the suit; invitational")
    assert "4S" in over_a_spade, "nothing is cut off"
    double = dict(card["They open"].sections[0].tables[0].rows)["X"]
    assert double == "10+ HCP; takeout or too strong for an overcall"
    assert "Jacoby 2NT" in card["Conventions"].paragraphs[0]


def test_a_strong_club_has_its_answers_on_the_card() -> None:
    card = convention_card(System.load("precision"))
    assert card.title == "Precision: convention card"
    minors = next(one for one in card.sections if one.title == "Minors")
    assert [one.title for one in minors.sections] == ["After 1C", "After 1D"]


def test_a_pdf_carries_the_suit_symbols_along() -> None:
    symbols = TTFont("suits", str(FONT)).face.charToGlyph
    assert {0x2660, 0x2663, 0x2665, 0x2666} <= set(symbols)
    written = to_pdf(Document("1S", sections=(Section("2H"),)))
    assert b"PidmSuits" in written and b"FontFile2" in written and b"ZapfDingbats" not in written


def test_a_long_pdf_has_contents_with_links_and_bookmarks() -> None:
    rows = Grid(("call", "shows"), (("1N", "15-17 HCP"),) * 40)
    chapters = tuple(Section(title, sections=(Section("1S P", tables=(rows,)),)) for title in ("One", "Two"))
    written = to_pdf(Document("Long", sections=chapters))
    assert written.count(b"/Subtype /Link") == 4, "two chapters, their names and pages"
    assert written.count(b"/Title") >= 5, "the document, chapters and auctions"
    assert to_pdf(Document("Card", sections=chapters, columns=2)).count(b"/Subtype /Link") == 0


def test_hands_of_the_booklet_make_the_calls_that_they_stand_beside(path: Path) -> None:
    system = System.load("two_over_one")
    found = booklet(system)
    titles = "Opening bids, Responses, Opener's rebids, When they interfere, When they open, Conventions"
    assert ", ".join(one.title for one in found.sections) == titles
    table = Table.of(system)
    shown = 0
    for auction, section in [
        ("", found.sections[0].sections[0]),
        *((s.title, s) for s in found.sections[1].sections),
    ]:
        for call, _, hand in section.tables[0].rows:
            if hand:
                choices = table.choices(
                    Auction.from_str(auction), HandColumns(Hand.from_str(hand).array[None])
                )
                assert call == str(Call(int(choices.preferred()[0])))
                shown += 1
    assert shown > 60
    hands = {row[0]: Hand.from_str(row[2]) for row in found.sections[0].sections[0].tables[0].rows if row[2]}
    assert hands["1N"].hcp == 16 and max(hands["1N"].lengths) <= 4, "a typical notrump"
    assert max(hands["2D"].lengths[:2]) <= 3, "no weak two beside a five-card major"


def test_suits_have_their_symbols_and_colours() -> None:
    document = Document(
        "2H & more",
        sections=(Section("1S P", tables=(Grid(("call", "for <example>"), (("1N", "AQ2.K5.J9876.T32"),)),)),),
    )
    page = to_html(document)
    assert '2<span class="H">♥</span> &amp; more' in page
    assert '<a href="#1s-p">1<span class="S">♠</span> P</a>' in page
    assert '<span class="D">♦</span>J9876' in page
    assert "<th>for &lt;example&gt;</th>" in page and "<td>1NT</td>" in page
    assert "| 1NT | ♠AQ2 ♥K5 ♦J9876 ♣T32 |" in to_markdown(document)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".QT9843.QT5.KJ97", "♠– ♥QT9843 ♦QT5 ♣KJ97"),
        ("AQ2.K5432.J9876.", "♠AQ2 ♥K5432 ♦J9876 ♣–"),
        ("with AQ2.K5.J9876.T32, say", "with ♠AQ2 ♥K5 ♦J9876 ♣T32, say"),
    ],
)
def test_hands_with_a_void_have_their_symbols_too(text: str, words: str) -> None:
    assert words in to_markdown(Document("x", sections=(Section("y", (text,)),)))


@pytest.mark.parametrize("extent", ["card", "booklet", "full"])
def test_every_extent_is_printed_as_pdf(path: Path, tmp_path: Path, extent: str) -> None:
    pytest.importorskip("reportlab")
    out = tmp_path / "notes.pdf"
    ran = CliRunner().invoke(app, ["notes", str(path), f"--{extent}", "--format", "pdf", "--out", str(out)])
    assert ran.exit_code == 0, ran.output
    assert out.read_bytes().startswith(b"%PDF-") and out.stat().st_size > 1500


def test_the_command_writes_a_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "notes.md"
    assert CliRunner().invoke(app, ["notes", str(path), "--full", "-o", str(out)]).exit_code == 0
    assert out.read_text() == to_markdown(full_notes(System.load(path)))
    without = CliRunner().invoke(app, ["notes", str(path), "--full", "--off", "texas_transfers"]).output
    assert "Texas" not in without


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--card", "--full"], "give one of"), (["--format", "pdf"], "a PDF needs a file")],
)
def test_what_cannot_be_printed_is_said(path: Path, options: list[str], message: str) -> None:
    ran = CliRunner().invoke(app, ["notes", str(path), *options])
    assert ran.exit_code == 2
    assert message in ran.output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5+ D, 6+ quality(D), D >= C", "5+ D, very good D, at least as many D as C"),
        ("4+ M, 10-12 points(M), 3+ hcp(M)", "4+ M, 10-12 points with M as trumps, 3+ HCP in M"),
        ("2 keycards(X), 1 queens(X), oM > M", "2 key cards for X, 1 queens in X, more oM than M"),
        ("15-17 HCP, balanced", "15-17 HCP, balanced"),
    ],
)
def test_full_notes_say_what_a_hand_has_as_players_do(text: str, words: str) -> None:
    assert _in_words(text, _SHOWN) == words


def test_full_notes_compare_suits_by_rank_where_the_auction_is_asked_about() -> None:
    assert _in_words("when X < M, call <= 3S", _ASKED) == "when X is lower than M, at most 3S"
