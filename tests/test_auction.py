import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pidm import Auction, Call, CallError, IllegalCallError, Seat, Vul
from pidm.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE


def auction(text, dealer="N", vul="None"):
    return Auction.from_str(text, Seat.from_str(dealer), Vul.from_str(vul))


@st.composite
def auctions(draw):
    current = Auction(draw(st.sampled_from(Seat)), draw(st.sampled_from(Vul)))
    for _ in range(draw(st.integers(0, 30))):
        if current.over:
            break
        legal = current.legal()  # low calls more often, or auctions would soon be at the seven level
        current = current.after(legal[min(draw(st.integers(0, 37)), draw(st.integers(0, len(legal) - 1)))])
    return current


def legal_by_the_book(auction):
    """Laws 18, 19 and 22, word by word."""
    calls = auction.calls
    if len(calls) >= 4 and all(call == PASS for call in calls[-3:]):
        return set()
    bids = [(at, call) for at, call in enumerate(calls) if call.is_bid]
    legal = {PASS}
    if not bids:
        return legal | set(CALLS[3:])
    at, last = bids[-1]
    legal |= {call for call in CALLS if call.is_bid and call > last}
    since = [(i, call) for i, call in enumerate(calls) if i > at and call != PASS]
    if not since and (len(calls) - at) % 2 == 1:
        legal.add(DOUBLE)
    if len(since) == 1 and since[0][1] == DOUBLE and (len(calls) - since[0][0]) % 2 == 1:
        legal.add(REDOUBLE)
    return legal


@pytest.mark.parametrize(
    "text",
    [
        "1N P 2C P 2H",
        "1NT pass 2C pass 2H",
        "1N-P-2C-P-2H",
        "1N, P, 2C, P, 2H",
        "1n,p,2♣,p,2♥",
        "1N - 2C - 2H",
        "1N – P – 2C – P – 2H",
        "1N P\n2C P\n2H",
        "1N (P) 2C (P) 2H",
        "1N(P)2C(pass)2H",
        " 1N P 2C P 2H ",
        "1N-(P)-2C-(P)-2H",
        "1N (-) 2C (-) 2H",
        "1N - P - 2C - P - 2H",
        "1N -- P -- 2C -- P -- 2H",
        "1N- P- 2C- P- 2H",
        "1N - P -\n2C - P -\n2H",
        "1N−P−2C−P−2H",
        "1N--2C--2H",
        "1N,,2C,,2H",
        "1N, P, 2C, -, 2H,",
        "1 NT P 2 C P 2 ♥",
        "1 no trump, no bid, 2 clubs, no bid, 2 hearts",
        "1N P 2C! P 2H?",
        "1N P 2C P 2H ?",
        "1N-P-2C-P-2H-?",
        "1N - P - 2C - P - 2H - ?",
        "1N P 2♣\ufe0f P 2♥\ufe0f",
        "1N P 2♣\ufe0e P 2❤\ufe0f",
    ],
)
def test_an_auction_is_read_as_people_write_it(text):
    assert auction(text).calls == tuple(map(Call.from_str, "1N P 2C P 2H".split()))


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("1S AP", "1S P P P"),
        ("1S P 2S all pass", "1S P 2S P P P"),
        ("1S P ap", "1S P P P"),
        ("AP", "P P P P"),
        ("1S P 4S ppp", "1S P 4S P P P"),
        ("", ""),
    ],
)
def test_passes_to_the_end(text, calls):
    assert str(auction(text)) == calls


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("1N - 2C", "1N P 2C"),  # apart from the calls: a pass
        ("- 1N -", "P 1N P"),
        ("- - 1N", "P P 1N"),
        ("1N P - 2C", "1N P P 2C"),
        ("1N, -, P", "1N P P"),  # the commas separate
        ("1N - P", "1N P"),  # written passes: between all calls it separates
        ("P - 1S - P", "P 1S P"),
        ("P - P", "P P"),
        ("1S - X", "1S X"),  # after a pass the double would not be legal
        ("1S--2S", "1S P 2S"),  # an empty place
        ("1C,,1H", "1C P 1H"),
        ("-1S", "P 1S"),  # nothing to separate at the ends
        ("--1S", "P P 1S"),
        ("1N--", "1N P P"),
        ("1N-P-", "1N P P"),
        ("---", "P P P"),
    ],
)
def test_what_a_dash_stands_for(text, calls):
    assert str(auction(text)) == calls


@pytest.mark.parametrize(
    ("text", "dashes"),
    [
        ("1S---2S", "---"),  # a pass between separators, or two empty places
        ("1♠-—-2♠", "---"),
        ("1S -- 2S", "--"),  # a long dash, or two passes
        ("-- 1S", "--"),
        ("1S- 2S", "-"),  # a separator written carelessly, or a pass
        ("1S -2S", "-"),
        ("1S-2C - 2S", "-"),
        ("P - P -", "-"),
        ("- 1N - P", "-"),
    ],
)
def test_a_dash_that_could_be_two_things_is_refused(text, dashes):
    with pytest.raises(CallError) as error:
        auction(text)
    assert f"'{dashes}' can be read in two ways in auction: {text}" in str(error.value)


@pytest.mark.parametrize(("text", "which"), [(",1S", "first"), ("1S,,", "last"), (",", "first")])
def test_an_empty_place_at_the_ends_is_refused(text, which):
    with pytest.raises(CallError, match=f"the {which} place is empty in auction: {text}"):
        auction(text)


@pytest.mark.parametrize("text", ["1N () 2C", "1N (P 2C", "1N P 2C? P", "1 2C", "1N ! 2C"])
def test_what_is_written_between_calls_is_not_dropped(text):
    with pytest.raises(CallError, match="is no call.* in auction: "):
        auction(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2H 2D", "2D after 2H is not higher"),
        ("1N P 1N", "1N after 1N is not higher"),
        ("X", "X before any bid"),
        ("P XX", "XX before any bid"),
        ("1S P X", "X after 1S, which is the own side's"),
        ("1S X X", "X after 1SX"),
        ("1S XX", "XX after 1S"),
        ("1S X P XX", "XX after 1SX"),
        ("1S P P P 2C", "2C after the auction is over: 1S P P P"),
        ("P P P P P", "P after the auction is over: P P P P"),
        ("1S AP AP", "the auction is over"),
    ],
)
def test_an_illegal_call_is_named(text, message):
    with pytest.raises(IllegalCallError) as error:
        auction(text)
    assert message in str(error.value)


def test_what_is_no_call_is_named_with_its_auction():
    with pytest.raises(CallError, match="'2Q' is no call.* in auction: 1S 2Q P"):
        auction("1S 2Q P")


@pytest.mark.parametrize(
    ("text", "dealer", "contract"),
    [
        ("1S P 2S AP", "N", "2S by N"),
        ("1S P 2S AP", "W", "2S by W"),
        ("P 1H P 2H AP", "N", "2H by E"),
        ("1C P 1H P 4H AP", "N", "4H by S"),  # responder named hearts first
        ("1C 1H X 2H AP", "N", "2H by E"),  # each side by itself
        ("1H 2H P 3H AP", "N", "3H by E"),
        ("1N X AP", "S", "1NX by S"),
        ("1N X XX AP", "S", "1NXX by S"),
        ("1N X 2C AP", "S", "2C by N"),  # a new bid takes the double away
        ("1N P 2C X 2N P 3N X AP", "S", "3NX by S"),
    ],
)
def test_contract_and_declarer(text, dealer, contract):
    ended = auction(text, dealer)
    assert ended.over
    assert str(ended.contract) == contract


def test_passed_out():
    ended = auction("P P P P")
    assert ended.over
    assert ended.contract is None
    assert ended.legal() == ()
    assert not auction("P P P").over
    assert not auction("P P P 1C P P").over


def test_turns():
    current = auction("1S P", "E", "EW")
    assert current.actor is Seat.W
    assert [current.seat_of(i) for i in range(2)] == [Seat.E, Seat.S]
    assert current.last_bid is Call.from_str("1S")
    assert Auction().last_bid is None


@given(auctions())
def test_legal_calls_are_those_of_the_laws(current):
    assert set(current.legal()) == legal_by_the_book(current)
    assert list(current.legal()) == sorted(current.legal())
    for call in CALLS:
        assert current.is_legal(call) == (call in current.legal())
        if not current.is_legal(call):
            with pytest.raises(IllegalCallError):
                current.after(call)


@given(auctions())
def test_auctions_read_back_however_they_are_separated(current):
    calls = [str(call) for call in current.calls]
    separators = [" ", "-", ",", ", ", "; ", "\n"] + [" - ", "- "] * ("P" in calls)
    for separator in separators:
        assert Auction.from_str(separator.join(calls), current.dealer, current.vul) == current


@given(auctions())
def test_auctions_are_values_that_round_trip(current):
    again = Auction.from_str(str(current), current.dealer, current.vul)
    assert again == current
    assert hash(again) == hash(current)
    assert Auction(current.dealer, current.vul, current.calls) == current
    assert copy.deepcopy(current) == current
    assert eval(repr(current)) == current


def test_dealer_and_vulnerability_tell_auctions_apart():
    same = {auction("1S", dealer, vul) for dealer in "NESW" for vul in ("None", "NS", "EW", "Both")}
    assert len(same) == 16
    assert auction("1S") != "1S"
    assert auction("1S P") != auction("1S X")


def test_an_auction_cannot_be_changed():
    with pytest.raises(AttributeError):
        auction("1S").calls = ()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Auction(5), "5 is no seat"),
        (lambda: Auction(-1), "-1 is no seat"),
        (lambda: Auction("W"), "'W' is no seat.*Seat.from_str"),
        (lambda: Auction(vul=4), "4 is no vulnerability"),
        (lambda: Auction(calls=(99,)), "99 is no call"),
        (lambda: Auction().after(99), "99 is no call"),
        (lambda: Auction().after(-1), "-1 is no call"),
        (lambda: Auction().after("1S"), "'1S' is no call.*Call.from_str"),
        (lambda: Auction().after(99, check=False), "99 is no call"),
    ],
)
def test_what_an_auction_cannot_be_made_of_is_named(make, message):
    with pytest.raises(CallError, match=message):
        make()
    assert not Auction().is_legal(99)


def test_calls_may_be_plain_numbers():
    assert Auction().after(3).calls[0] is Call.from_str("1C")
    assert Auction(0, 1, (3,)) == Auction(Seat.N, Vul.NS, (Call.from_str("1C"),))


@pytest.mark.parametrize(
    "calls, text",
    [
        ([], ""),
        (["1N", "P", "2C", "P"], "1N P 2C P"),
        (["1N", "-", "2C", Call.from_str("P")], "1N P 2C P"),  # a dash is a pass
        (["1nt", "dbl", "pass"], "1N X P"),
        (["P"] * 3 + ["7C", "X", "XX"], "P P P 7C X XX"),
    ],
)
def test_an_auction_is_read_from_a_list(calls: list[Call | str], text: str) -> None:
    found = Auction.from_calls(calls, Seat.E, Vul.EW)
    assert found == Auction.from_str(text, Seat.E, Vul.EW) and found.actor == Seat(len(calls) + 1 & 3)


@pytest.mark.parametrize("calls", [["1N", "1S"], ["P"] * 5, ["1N", "P", "P", "P", "2C"], ["X"]])
def test_a_list_of_calls_that_are_not_legal_is_refused_as_a_text_is(calls: list[str]) -> None:
    with pytest.raises(IllegalCallError) as as_list:
        Auction.from_calls(calls)
    with pytest.raises(IllegalCallError) as as_text:
        Auction.from_str(" ".join(calls))
    assert str(as_list.value) == str(as_text.value)
