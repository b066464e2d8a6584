"""Texts that were made to hang a parser, or to come back whole in an error."""

import pytest
from patience import patience

from pidm import Auction, Call, Deal, Hand, Seat, Vul
from pidm.bridge.calls import Contract
from pidm.errors import PidmError, PlacedError, SystemFileError, SystemFileErrors, shortened
from pidm.language.condition import parse_condition
from pidm.language.mistakes import TextError
from pidm.language.pattern import parse_pattern
from pidm.language.schema import read
from pidm.language.source import MAX_MISTAKES, parse
from pidm.records.boards import loads

MANY = 30_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("md|1,,,|mb|" + "X" * 200 + "y|", "no call|characters for a call", id="calls of X"),
        pytest.param("md|" * MANY, "expected an item such as", id="items without a value"),
        pytest.param("md|\n" * MANY, "expected an item such as", id="lines of them"),
    ],
)
def test_lin_that_is_damaged_all_over(text, problem):
    with patience():
        found = loads(text, "lin")
    assert not found.boards
    with pytest.raises(PidmError, match=problem):
        raise found.errors[0]


def test_a_result_of_thousands_of_digits_costs_its_board():
    found = loads('[Board "1"]\n[Result "' + "9" * 4301 + '"]\n\n[Board "2"]\n', "pbn")
    assert [record.board for record in found.boards] == [2]
    assert "is no number of tricks" in str(found.errors[0]) and found.errors[0].line == 2


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("board" * MANY, None),
        ("board 3 " + "board" * MANY, 3),
        ("7 board 3 board 12", 12),
        ("o1,BOARD 17", 17),
        ("5", 5),
        ("no number", None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_the_number_of_a_lin_board(label, number):
    with patience():
        (record,) = loads(f"md|1,,,|ah|{label}|", "lin").boards
    assert record.board == number


@pytest.mark.parametrize(
    "text",
    [
        "(" + " " * 2000 + "a" + " " * 2000,
        "(" + " " * 200_000 + "a",
        "?" * 4000 + "a",
        "( -" * 1500,
        "-" * 3000 + "7N",
    ],
    ids=lambda text: f"{text[:3]}, {len(text)} characters",
)
def test_an_auction_text_is_refused_soon(text):
    with patience(), pytest.raises(PidmError):
        Auction.from_str(text)


def test_brackets_around_calls_are_read_as_before():
    assert str(Auction.from_str("1N ( 2C ) 3N (p)( - ) p")) == "1N 2C 3N P P P"
    with pytest.raises(PidmError):
        Auction.from_str("1N ( ) 3N")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Call, "1" + " " * 10**6 + "Q"),
        (Contract, "4H" + " " * 10**6 + "Q"),
        (Hand, "AKQ " * 10**6),
        (Deal, "N:" + " x" * 10**6),
        (Seat, "N" * 10**6),
        (Vul, "-" * 10**6 + "Q"),
        (Auction, "1N " * 10**6),
    ],
)
def test_a_long_text_is_not_echoed_back(kind, text):
    with patience(), pytest.raises(PidmError) as caught:
        kind.from_str(text)
    assert len(str(caught.value)) < 300 and "characters for a" in str(caught.value)


def test_every_message_is_cut():
    assert len(str(PidmError("x" * 10**6))) < 1100
    placed = PlacedError("x" * 10**6, "club.pbn", 3)
    assert str(placed).startswith("club.pbn:3: xxx") and len(str(placed)) < 1100
    assert shortened("a" * 600 + "b" * 600, 1000) == "a" * 600 + "b" * 200 + (
        " ... (200 characters more) ... " + "b" * 200
    )


def test_a_thousand_mistakes_are_not_all_told():
    many = SystemFileErrors([SystemFileError("x" * 5000, "club.yaml", line, 1) for line in range(1000)])
    assert len(many.errors) == 1000
    assert len(str(many)) < 110_000 and str(many).endswith("\n... and 900 more mistakes")


# ---------------------------------------------------------------------- system files


@pytest.mark.parametrize(
    "text",
    [
        "- !a b\n" * MANY,
        "- &a b\n" * MANY,
        "- *a\n" * MANY,
        "".join(f"a{i}: b\n" for i in range(MANY)) * 2,
        "<<: a\n" * MANY,
    ],
    ids=lambda text: text[:8].strip(),
)
def test_a_file_full_of_mistakes_is_not_read_to_the_end(text):
    errors: list[SystemFileError] = []
    with patience():
        assert parse(text, "club.yaml", errors) is None
    assert len(errors) == MAX_MISTAKES + 1
    assert errors[-1].message == f"{MAX_MISTAKES} mistakes up to here: the rest of the file is not read"


def test_unknown_words_are_looked_up_for_the_first_hundred_only():
    block = "- auction: 1N\n  bid:\n  - 1N: {shows: any, forcing: gaem}\n"
    for text in (
        "rules: []\n" + "".join(f"systm{i}: b\n" for i in range(MANY)),
        "system: a\nrules:\n" + block * 20_000,
    ):
        errors: list[SystemFileError] = []
        with patience():
            read(text, "club.yaml", errors)
        assert MAX_MISTAKES < len(errors) < MAX_MISTAKES + 5


def test_a_text_has_an_end():
    errors: list[SystemFileError] = []
    parse("system: a\nabout: " + "x" * 30_000, "club.yaml", errors)
    (error,) = errors
    assert (error.line, error.column) == (2, 8) and "at most 20,000" in error.message


def test_any_calls_and_then_any_calls_are_any_calls():
    with patience():
        pattern = parse_pattern("... " * 2000 + "1N")
    assert [element.text for element in pattern.elements] == ["...", "1N", "P"]
    with pytest.raises(TextError, match="more than 60 calls"):
        parse_pattern("... 1C " * 50)


@pytest.mark.parametrize(("times", "holds"), [(1, False), (2, True), (1001, False), (400_000, True)])
def test_not_may_be_said_again_and_again(times, holds):
    class Vulnerable:
        side, vul = 0, (True, False)

    with patience():
        (test,) = parse_condition("not " * times + "vul").bind({})
    assert test(Vulnerable(), None) is holds
