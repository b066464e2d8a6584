"""Seats, vulnerabilities, calls and contracts, and how people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from operator import index

from pidm.errors import CallError, check_length
from pidm.symbols import plain

STRAINS = "SHDCN"
"""The strains in the order of every array."""
RANKED_STRAINS = "CDHSN"
"""The strains as bids rank them, clubs lowest."""
LONGEST = 100
"""Characters of a text for one call or contract."""


def no_call(what: object) -> CallError:
    """The error for something that is neither a call nor the number of one."""
    return CallError(f"{what!r} is no call; calls are numbered 0 to 37{_hint(what, 'Call')}")


def _hint(what: object, kind: str) -> str:
    return f"; {kind}.from_str reads texts" if isinstance(what, str) else ""


class Seat(IntEnum):
    """A seat at the table; the numbers go clockwise."""

    N = 0
    E = 1
    S = 2
    W = 3

    @classmethod
    def from_str(cls, text: str) -> Seat:
        """Read `N`, `n` or `North`."""
        check_length(text, LONGEST, "a seat", CallError)
        word = text.strip().upper()
        for seat, name in zip(cls, ("NORTH", "EAST", "SOUTH", "WEST")):
            if word and word in (seat.name, name):
                return seat
        raise CallError(f"{text!r} is no seat; expected N, E, S or W")

    @classmethod
    def of_board(cls, number: int) -> Seat:
        """The dealer of a board: N deals board 1, E board 2, and so on."""
        return SEATS[(number - 1) % 4]

    @classmethod
    def _missing_(cls, value: object) -> Seat:
        raise CallError(f"{value!r} is no seat; expected 0 to 3 for N E S W{_hint(value, 'Seat')}")

    @property
    def lho(self) -> Seat:
        """The seat to the left."""
        return SEATS[(self + 1) & 3]

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return SEATS[(self + 2) & 3]

    @property
    def rho(self) -> Seat:
        """The seat to the right."""
        return SEATS[(self + 3) & 3]

    @property
    def side(self) -> str:
        """The partnership, `NS` or `EW`."""
        return "EW" if self & 1 else "NS"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Seat.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


SEATS = tuple(Seat)
"""N E S W."""


class Vul(IntEnum):
    """Who is vulnerable; bit 0 is NS, bit 1 is EW."""

    None_ = 0
    NS = 1
    EW = 2
    Both = 3

    @classmethod
    def from_str(cls, text: str) -> Vul:
        """Read `None`, `NS`, `EW`, `Both` or one of the ways other programs write them."""
        check_length(text, LONGEST, "a vulnerability", CallError)
        word = re.sub(r"[\s/-]", "", text.strip()).upper() or text.strip()
        for vul, words in _VUL_WORDS.items():
            if word in words:
                return vul
        raise CallError(f"{text!r} is no vulnerability; expected None, NS, EW or Both")

    @classmethod
    def of_board(cls, number: int) -> Vul:
        """The vulnerability of a board in the cycle of sixteen."""
        turn, cycle = (number - 1) % 4, (number - 1) // 4 % 4
        return _VUL_CYCLE[(turn + cycle) % 4]

    @classmethod
    def _missing_(cls, value: object) -> Vul:
        raise CallError(
            f"{value!r} is no vulnerability; expected 0 to 3 for None NS EW Both{_hint(value, 'Vul')}"
        )

    def of(self, seat: int) -> bool:
        """Whether this seat is vulnerable."""
        return bool(self.value >> (seat & 1) & 1)

    def __str__(self) -> str:
        return self.name.rstrip("_")

    def __repr__(self) -> str:
        return f"Vul.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


_VUL_CYCLE = (Vul.None_, Vul.NS, Vul.EW, Vul.Both)
_VUL_WORDS = {  # PBN: None Love - NS EW All Both; LIN: o n e b 0
    Vul.None_: ("NONE", "LOVE", "-", "O", "0", "NEITHER", "NIL"),
    Vul.NS: ("NS", "N"),
    Vul.EW: ("EW", "E"),
    Vul.Both: ("BOTH", "ALL", "B"),
}


class Call(int):
    """One of the 38 calls: P=0, X=1, XX=2, then the bids by rank, 1C=3 to 7N=37; one object of each."""

    def __new__(cls, number: int) -> Call:
        """Return the call of this number."""
        try:
            if 0 <= number < 38:
                return _CALLS[number]
        except TypeError:
            pass
        raise no_call(number)

    @classmethod
    def bid(cls, level: int, strain: str) -> Call:
        """The bid of this level, 1 to 7, in this strain, one of C D H S N."""
        if not 1 <= level <= 7 or len(strain) != 1 or strain not in RANKED_STRAINS:
            raise CallError(f"{level}{strain} is no bid")
        return _CALLS[5 * level - 2 + RANKED_STRAINS.index(strain)]

    @classmethod
    def from_str(cls, text: str) -> Call:
        """Read a call: `1N` `1nt` `1♠` `P` `pass` `-` `X` `dbl` `XX` `rdbl`."""
        call = _SPELLINGS.get(text)
        if call is not None:
            return call
        check_length(text, LONGEST, "a call", CallError)
        call = _SPELLINGS.get(re.sub(r"\s+", "", plain(text)))
        if call is None:
            raise CallError(f"{text.strip()!r} is no call; expected P, X, XX or a bid from 1C to 7N")
        return call

    @property
    def is_bid(self) -> bool:
        """Whether this is a bid, neither pass nor double nor redouble."""
        return self > 2

    @property
    def level(self) -> int:
        """The level of a bid, 1 to 7; 0 for other calls."""
        return (self + 2) // 5 if self > 2 else 0

    @property
    def strain(self) -> str:
        """The strain of a bid, one of C D H S N; empty for other calls."""
        return RANKED_STRAINS[(self - 3) % 5] if self > 2 else ""

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Call.from_str({_NAMES[self]!r})"

    def __format__(self, spec: str) -> str:
        return format(_NAMES[self], spec)


_NAMES = ("P", "X", "XX", *(f"{level}{strain}" for level in range(1, 8) for strain in RANKED_STRAINS))
_CALLS = tuple(int.__new__(Call, number) for number in range(38))
CALLS = _CALLS
"""All 38 calls in the order of their numbers."""
PASS, DOUBLE, REDOUBLE = _CALLS[:3]
FIRST_BID, LAST_BID = _CALLS[3], _CALLS[-1]
GAME = {
    "C": Call.bid(5, "C"),
    "D": Call.bid(5, "D"),
    "H": Call.bid(4, "H"),
    "S": Call.bid(4, "S"),
    "N": Call.bid(3, "N"),
}
"""The lowest bid of game in each strain."""

STRAIN_WORDS = {
    "C": ("C", "CLUB", "CLUBS"),
    "D": ("D", "DIAMOND", "DIAMONDS"),
    "H": ("H", "HEART", "HEARTS"),
    "S": ("S", "SPADE", "SPADES"),
    "N": ("N", "NT", "SA", "NOTRUMP", "NOTRUMPS"),
}
"""The words for each strain."""
PASSES = ("P", "PASS", "PASSES", "NOBID", "PAS")
"""The words for a pass; a dash is one too, but may also separate."""
_SPELLINGS: dict[str, Call] = {
    **dict.fromkeys((*PASSES, "-", "--"), PASS),
    **dict.fromkeys(("X", "DBL", "D", "DBLE", "DOUBLE", "DOUBLES"), DOUBLE),
    **dict.fromkeys(("XX", "RDBL", "R", "RDBLE", "REDBL", "REDOUBLE", "REDOUBLES"), REDOUBLE),
    **{
        f"{level}{word}": Call.bid(level, strain)
        for level in range(1, 8)
        for strain, words in STRAIN_WORDS.items()
        for word in words
    },
}


@dataclass(frozen=True)
class Contract:
    """What an auction ended in. A passed-out board has no contract: `None`."""

    level: int
    """1 to 7."""
    strain: str
    """One of C D H S N."""
    doubled: int
    """0 undoubled, 1 doubled, 2 redoubled."""
    declarer: Seat
    """The seat that plays it."""

    def __post_init__(self) -> None:
        if type(self.level) is not int or type(self.doubled) is not int or type(self.declarer) is not Seat:
            self._settle()
        if not 1 <= self.level <= 7 or self.strain not in tuple(RANKED_STRAINS):
            raise CallError(f"{self.level}{self.strain} is no contract")
        if self.doubled not in (0, 1, 2):
            raise CallError(f"doubled is 0, 1 or 2, not {self.doubled!r}")

    def _settle(self) -> None:
        """Make plain numbers and a seat of what equals them, numpy's numbers for example."""
        for name in ("level", "doubled"):
            try:
                object.__setattr__(self, name, index(getattr(self, name)))
            except TypeError:
                raise CallError(f"{name} is a whole number, not {getattr(self, name)!r}") from None
        object.__setattr__(self, "declarer", Seat(self.declarer))

    @classmethod
    def from_str(cls, text: str) -> Contract:
        """Read `4HX by S`, `4♥XS`, `3NT W`."""
        check_length(text, LONGEST, "a contract", CallError)
        match = re.fullmatch(
            r"\s*([1-7]\s*(?:NT|[CDHSN]))\s*(X{0,2})\s*(?:\bBY\b|-)?\s*(N|E|S|W|NORTH|EAST|SOUTH|WEST)\s*",
            plain(text),
        )
        if match is None:
            raise CallError(f"{text.strip()!r} is no contract; expected one like 4HX by S")
        bid = Call.from_str(match[1])
        return cls(bid.level, bid.strain, len(match[2]), Seat.from_str(match[3]))

    @property
    def bid(self) -> Call:
        """The bid that named it."""
        return Call.bid(self.level, self.strain)

    def __str__(self) -> str:
        return f"{self.level}{self.strain}{'X' * self.doubled} by {self.declarer}"
