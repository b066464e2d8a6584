import copy
import json

import numpy as np
import pytest

from pidm import Call, CallError, Contract, Seat, Vul
from pidm.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE


@pytest.mark.parametrize(
    ("call", "texts"),
    [
        ("P", "P p pass Pass PASS - –"),
        ("X", "X x dbl Dbl double D ×"),
        ("XX", "XX xx rdbl redouble R"),
        ("1N", "1N 1n 1NT 1nt 1Nt"),
        ("2H", "2H 2h 2♥ 2♡ 2❤ 2♥\ufe0f 2❤\ufe0f 2♥\ufe0e 2hearts"),
        ("7C", "7C 7c 7♣ 7♣\ufe0f"),
    ],
)
def test_a_call_is_read_as_people_write_it(call, texts):
    for text in texts.split():
        assert str(Call.from_str(text)) == call
        assert str(Call.from_str(f" {text} ")) == call


@pytest.mark.parametrize("text", ["", "8C", "0N", "1", "N", "1NTT", "1X", "XXX", "pas!", "11S", "1 0"])
def test_what_is_no_call_is_named(text):
    with pytest.raises(CallError, match="is no call") as error:
        Call.from_str(text)
    assert text in str(error.value)


def test_calls_are_numbers_by_rank():
    assert [str(call) for call in CALLS[:5]] == ["P", "X", "XX", "1C", "1D"]
    assert (PASS, DOUBLE, REDOUBLE, Call.from_str("1C"), Call.from_str("7N")) == (0, 1, 2, 3, 37)
    assert sorted(map(Call.from_str, ["2C", "1N", "1S", "P"])) == list(
        map(Call.from_str, ["P", "1S", "1N", "2C"])
    )


@pytest.mark.parametrize("call", CALLS)
def test_calls_are_single_objects_that_round_trip(call):
    assert Call.from_str(str(call)) is call
    assert Call(int(call)) is call
    assert copy.deepcopy(call) is call
    assert call.is_bid == (call.level > 0) == bool(call.strain)
    if call.is_bid:
        assert Call.bid(call.level, call.strain) is call
        assert str(call) == f"{call.level}{call.strain}"
    assert f"{call:>3}|" == f"{call!s:>3}|"
    assert json.loads(json.dumps(call)) == int(call)


@pytest.mark.parametrize("number", [-1, 38, 3.5, None, "1N"])
def test_there_are_38_calls(number):
    with pytest.raises(CallError, match=f"{number!r} is no call"):
        Call(number)


@pytest.mark.parametrize("value", [*CALLS[::9], *Seat, *Vul, Contract(4, "H", 1, Seat.S)])
def test_what_is_shown_of_a_value_is_how_to_make_it(value):
    assert eval(repr(value)) == value
    assert eval(repr([value])) == [value]
    assert type(eval(repr(value))) is type(value)


def test_seats_go_clockwise():
    assert [str(seat) for seat in Seat] == ["N", "E", "S", "W"]
    assert (Seat.W.lho, Seat.W.partner, Seat.W.rho) == (Seat.N, Seat.E, Seat.S)
    assert (Seat.N.side, Seat.E.side) == ("NS", "EW")
    for text in ("s", "South", " S "):
        assert Seat.from_str(text) is Seat.S
    for text in ("", "X", "NS"):
        with pytest.raises(CallError, match="no seat"):
            Seat.from_str(text)


def test_vulnerability():
    assert [str(vul) for vul in Vul] == ["None", "NS", "EW", "Both"]
    assert [Vul.EW.of(seat) for seat in Seat] == [False, True, False, True]
    assert all(Vul.Both.of(seat) and not Vul.None_.of(seat) for seat in Seat)
    for vul, texts in {
        Vul.None_: "None none - o 0 love",
        Vul.NS: "NS ns N-S n",
        Vul.EW: "EW E/W e",
        Vul.Both: "Both All b both",
    }.items():
        for text in texts.split():
            assert Vul.from_str(text) is vul
    with pytest.raises(CallError, match="no vulnerability"):
        Vul.from_str("perhaps")


def test_dealer_and_vulnerability_of_the_sixteen_boards():
    dealers = [str(Seat.of_board(number)) for number in range(1, 18)]
    vuls = [str(Vul.of_board(number)) for number in range(1, 18)]
    assert dealers == list("NESWNESWNESWNESWN")
    cycle = "None NS EW Both NS EW Both None EW Both None NS Both None NS EW None"
    assert vuls == cycle.split()


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("4HX by S", Contract(4, "H", 1, Seat.S)),
        ("4♥xs", Contract(4, "H", 1, Seat.S)),
        ("3NT W", Contract(3, "N", 0, Seat.W)),
        ("3nn", Contract(3, "N", 0, Seat.N)),
        ("7CXX by North", Contract(7, "C", 2, Seat.N)),
        ("1SE", Contract(1, "S", 0, Seat.E)),
    ],
)
def test_contracts_parse_and_round_trip(text, contract):
    assert Contract.from_str(text) == contract
    assert Contract.from_str(str(contract)) == contract
    assert contract.bid.level == contract.level


@pytest.mark.parametrize("text", ["", "4H", "8NT by N", "4HXXX by N", "pass", "4H by Q"])
def test_what_is_no_contract_is_named(text):
    with pytest.raises(CallError, match="is no contract"):
        Contract.from_str(text)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((0, "H", 0, Seat.N), "0H is no contract"),
        ((4, "HS", 0, Seat.N), "4HS is no contract"),
        ((4.5, "H", 0, Seat.N), "level is a whole number, not 4.5"),
        ((4, "H", 3, Seat.N), "doubled is 0, 1 or 2, not 3"),
        ((4, "H", "X", Seat.N), "doubled is a whole number, not 'X'"),
        ((4, "H", 0, 7), "7 is no seat"),
        ((4, "H", 0, "S"), "'S' is no seat.*Seat.from_str"),
    ],
)
def test_contracts_are_checked(parts, message):
    with pytest.raises(CallError, match=message):
        Contract(*parts)


def test_a_contract_of_plain_numbers_prints_like_any_other():
    contract = Contract(np.int64(4), "S", True, 2)
    assert str(contract) == "4SX by S"
    assert Contract.from_str(str(contract)) == contract
