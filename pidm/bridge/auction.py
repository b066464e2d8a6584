"""The auction and its laws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pidm.bridge.auction_text import readings
from pidm.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE, SEATS, Call, Contract, Seat, Vul, no_call
from pidm.errors import CallError, IllegalCallError

_set = object.__setattr__


@dataclass(frozen=True, eq=False)
class Auction:
    """The calls made so far. The search makes these by the thousand, so they carry the state of the laws."""

    dealer: Seat = Seat.N
    """Who calls first."""
    vul: Vul = Vul.None_
    """Who is vulnerable."""
    calls: tuple[Call, ...] = ()
    """The calls, oldest first."""
    _bid_at: int = field(default=-1, init=False, repr=False)
    """Where in `calls` the last bid stands; -1 if there is none."""
    _doubled: int = field(default=0, init=False, repr=False)
    """0, 1 or 2: how the last bid is doubled now."""
    _passes: int = field(default=0, init=False, repr=False)
    """How many passes in a row end the calls."""
    _hash: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        auction = _bare(Seat(self.dealer), Vul(self.vul))
        for call in self.calls:
            auction = auction.after(call)
        _set(self, "__dict__", auction.__dict__)

    @classmethod
    def from_str(cls, text: str, dealer: Seat = Seat.N, vul: Vul = Vul.None_) -> Auction:
        """Read an auction written with spaces, dashes or commas: `1N P 2C P`, `1NT-pass-2♣`, `1N, -, 2C`.

        Parentheses around calls, as books write those of the opponents, tell nothing more. `AP` stands for
        passes to the end, and a question mark at the end for the next call. What a dash stands for is said
        in `pidm.bridge.auction_text`. The text has no dealer and no vulnerability.
        """
        start = cls(dealer, vul)
        first, *others = readings(text)
        try:
            return _with_words(start, first, text)
        except IllegalCallError:
            for words in others:
                try:
                    return _with_words(start, words, text)
                except IllegalCallError:
                    pass  # no reading is legal: the error of the first tells the most
            raise

    @classmethod
    def from_calls(cls, calls: Sequence[Call | str], dealer: Seat = Seat.N, vul: Vul = Vul.None_) -> Auction:
        """Read an auction from a list: each is a call as `from_str` reads it, and a dash a pass."""
        names = tuple(map(str, calls))
        if len(names) <= USUAL_CALLS and _BY_NAME.keys() >= set(names):
            return _of_names(names, dealer, vul)
        return cls.from_str(", ".join(names), dealer, vul)

    @property
    def actor(self) -> Seat:
        """Whose turn it is (would be, when the auction is over)."""
        return SEATS[(self.dealer + len(self.calls)) & 3]

    @property
    def over(self) -> bool:
        """Whether three passes after a bid, or four at the start, have ended it."""
        return self._passes >= 3 and (self._bid_at >= 0 or self._passes == 4)

    @property
    def last_bid(self) -> Call | None:
        """The highest bid so far."""
        return self.calls[self._bid_at] if self._bid_at >= 0 else None

    @property
    def doubled(self) -> int:
        """0, 1 or 2: how the last bid stands doubled."""
        return self._doubled

    @property
    def contract(self) -> Contract | None:
        """The contract, if all pass from here; None while nobody has bid and when the board is passed out."""
        at = self._bid_at
        if at < 0:
            return None
        bid = self.calls[at]
        strain = bid.strain
        first = at  # declarer is who of this side named the strain first
        for i in range(at & 1, at, 2):
            if self.calls[i].strain == strain:
                first = i
                break
        return Contract(bid.level, strain, self._doubled, self.seat_of(first))

    def seat_of(self, i: int) -> Seat:
        """Who made call number `i`, counted from 0."""
        return SEATS[(self.dealer + i) & 3]

    def legal(self) -> tuple[Call, ...]:
        """The calls that the laws allow now, by number; none when the auction is over."""
        if self.over:
            return ()
        at = self._bid_at
        if at < 0:
            return _LEGAL[2][_NO_DOUBLE]
        return _LEGAL[self.calls[at]][self._doubles()]

    def is_legal(self, call: int) -> bool:
        """Whether the laws allow this call now."""
        if call > 2:
            at = self._bid_at
            return call < 38 and (self._passes < 4 if at < 0 else call > self.calls[at] and self._passes < 3)
        if call == PASS:
            return not self.over
        return not self.over and self._bid_at >= 0 and self._doubles() == call

    def after(self, call: Call, *, check: bool = True) -> Auction:
        """The auction with one call more; `check=False` trusts that it is legal."""
        try:
            if check and not self.is_legal(call):
                raise IllegalCallError(self._why_illegal(Call(call)))
            made = CALLS[call]
        except (IndexError, TypeError):
            raise no_call(call) from None
        state = self.__dict__
        calls = state["calls"]
        new = _new(Auction)
        _set(
            new,
            "__dict__",
            {
                "dealer": state["dealer"],
                "vul": state["vul"],
                "calls": (*calls, made),
                "_bid_at": len(calls) if call > 2 else state["_bid_at"],
                "_doubled": 0 if call > 2 else call or state["_doubled"],
                "_passes": 0 if call else state["_passes"] + 1,
                "_hash": hash((state["_hash"], call)),
            },
        )
        return new

    def after_all(self, calls: Iterable[Call]) -> Auction:
        """The auction with these calls more."""
        auction = self
        for call in calls:
            auction = auction.after(call)
        return auction

    def _doubles(self) -> int:
        """What the actor may do to the last bid: DOUBLE, REDOUBLE or neither. Call it only after a bid."""
        theirs = (len(self.calls) - self._bid_at) & 1
        if self._doubled == 0 and theirs:
            return DOUBLE
        if self._doubled == 1 and not theirs:
            return REDOUBLE
        return _NO_DOUBLE

    def _why_illegal(self, call: Call) -> str:
        bid = self.last_bid
        if self.over:
            return f"{call} after the auction is over: {self}"
        if call.is_bid:
            return f"{call} after {bid} is not higher"
        if bid is None:
            return f"{call} before any bid"
        doubled = f"{bid}{'X' * self._doubled}"
        whose = "the opponents'" if (len(self.calls) - self._bid_at) & 1 else "the own side's"
        return f"{call} after {doubled}, which is {whose}: only an opponent's " + (
            "undoubled bid can be doubled" if call == DOUBLE else "double can be redoubled"
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Auction):
            return NotImplemented
        return (
            self._hash == other._hash
            and self.calls == other.calls
            and self.dealer == other.dealer
            and self.vul == other.vul
        )

    def __hash__(self) -> int:
        return self._hash

    def _repr_html_(self) -> str:
        """For notebooks."""
        from pidm.bridge import html

        return html.auction(self)

    def __str__(self) -> str:
        return " ".join(map(str, self.calls))

    def __repr__(self) -> str:
        return f"Auction.from_str({str(self)!r}, Seat.{self.dealer.name}, Vul.{self.vul.name})"


_new = object.__new__
_NO_DOUBLE = 0
_LEGAL = tuple(  # by the last bid and by what may be done to it
    tuple((PASS, *extra, *CALLS[max(bid, 2) + 1 :]) for extra in ((), (DOUBLE,), (REDOUBLE,)))
    for bid in range(38)
)


def _bare(dealer: Seat, vul: Vul) -> Auction:
    """An auction before its first call."""
    auction = _new(Auction)
    state = {"dealer": dealer, "vul": vul, "calls": (), "_bid_at": -1, "_doubled": 0, "_passes": 0}
    _set(auction, "__dict__", {**state, "_hash": hash((int(dealer), int(vul)))})
    return auction


@lru_cache(maxsize=1 << 14)
def _of_names(names: tuple[str, ...], dealer: Seat, vul: Vul) -> Auction:
    # Programs ask call by call and by the thousand: the auction before the last call is mostly known.
    return _of_names(names[:-1], dealer, vul).after(_BY_NAME[names[-1]]) if names else Auction(dealer, vul)


_BY_NAME = {str(call): call for call in CALLS}
USUAL_CALLS = 60
"""Longer auctions are read as texts are."""


def _with_words(auction: Auction, words: list[str], text: str) -> Auction:
    for word in words:
        if word == "AP":
            auction = auction.after(PASS)
            while not auction.over:
                auction = auction.after(PASS)
            continue
        try:
            call = Call.from_str(word)
        except CallError as error:
            raise CallError(f"{error}, in auction: {text.strip()}") from None
        auction = auction.after(call)
    return auction
