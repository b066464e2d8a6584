"""Examples beside the rules: hands with the call that is expected of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.errors import PidmError, SystemFileError
from pidm.language.mistakes import TextError
from pidm.language.pattern import parse_pattern
from pidm.language.rules import Block, Line, Rule
from pidm.language.source import Text
from pidm.language.system import System
from pidm.reading.table import Table

_VULNERABLE = {"vul": 1, "unfavourable": 1, "they vul": 2, "favourable": 2, "both vul": 3, "not vul": 0}
"""1: our side, 2: theirs."""


@dataclass(frozen=True, slots=True)
class Example:
    """A hand in an auction, with what is expected of it."""

    text: Text
    """As written."""
    auction: Auction
    hand: Hand
    calls: frozenset[Call]
    """One of these is expected; none in particular for an example of a line."""
    denied: bool
    """`not CALL`: any call but these is expected."""
    line: Line | None
    """For an example of a line: it must be this line that makes the call."""

    @property
    def expected(self) -> str:
        """What is expected, in words."""
        if self.line is not None:
            return f"{self.line.spec.call} by this line"
        return ("not " if self.denied else "") + " or ".join(str(call) for call in sorted(self.calls))


@dataclass(frozen=True, slots=True)
class Failure:
    """An example that the system does not bid as expected."""

    example: Example
    found: Call
    """The call that the system prefers."""
    reason: Rule | None
    """The rule behind it; None when no rule speaks."""

    def __str__(self) -> str:
        reason = f"by {self.reason}" if self.reason else "for want of a rule"
        return f"{self.example.hand}: expected {self.example.expected}, found {self.found} {reason}"


def read_auction(text: str) -> Auction:
    """An auction as examples write it: `1S (2H)`, `1S (2H), vul`; the first to call deals."""
    written, *conditions = (part.strip() for part in text.split(","))
    vul = 0
    for condition in conditions:
        if condition not in _VULNERABLE:
            expected = ", ".join(f"`{known}`" for known in _VULNERABLE)
            raise TextError(f"cannot read {condition!r}", text.index(condition), f"one of {expected}")
        vul |= _VULNERABLE[condition]
    pattern = parse_pattern(written)
    if not pattern.concrete:
        raise TextError(f"{written!r} stands for several auctions", expected="an auction without variables")
    if (
        len(pattern.elements) & 1
    ):  # the player to call is of the side that deals when an even number has called
        vul = (vul & 1) << 1 | vul >> 1
    auction = Auction(Seat.N, Vul(vul))
    for element in pattern.elements:
        auction = auction.after(Call.from_str(element.text))
    if auction.over:
        raise TextError("the auction is over: there is no call to make")
    return auction


def read_examples(system: System, errors: list[SystemFileError]) -> list[Example]:
    """All examples of a system's files; mistakes are added to `errors`."""
    return [example for block in system.blocks for example in _of_block(block, errors)]


def _of_block(block: Block, errors: list[SystemFileError]) -> Iterator[Example]:
    listed = [(text, None) for text in block.spec.examples]
    listed += [(text, line) for line in block.lines for text in line.spec.examples]  # type: ignore[misc]
    for text, line in listed:
        try:
            yield _read(text, block, line)
        except TextError as error:
            mark = text.at(error.offset)
            errors.append(SystemFileError(str(error), mark.path, mark.line, mark.column))
        except PidmError as error:
            errors.append(SystemFileError(str(error), text.mark.path, text.mark.line, text.mark.column))


def _read(text: Text, block: Block, line: Line | None) -> Example:
    where, colon, rest = text.rpartition(":")
    hand, arrow, expected = (part.strip() for part in rest.partition("->"))
    if line is None and not arrow:
        raise TextError(
            f"the example {text!r} expects no call", expected="`HAND -> CALL` or `AUCTION: HAND -> CALL`"
        )
    if not colon and not (block.patterns and block.patterns[0].concrete):
        raise TextError("the block is about several auctions", expected="an example `AUCTION: HAND -> CALL`")
    auction = read_auction(where if colon else block.patterns[0].text)
    denied = expected.startswith("not ")
    names = re.split(r"\s+or\s+|\|", expected.removeprefix("not ")) if arrow else []
    calls = frozenset(Call.from_str(name) for name in names)
    return Example(text, auction, Hand.from_str(hand), calls, denied, None if arrow else line)


def failures(system: System, examples: list[Example]) -> list[Failure]:
    """The examples that fail, in the order of the files."""
    from pidm.features import HandColumns

    groups: dict[Auction, list[Example]] = defaultdict(list)
    for example in examples:
        groups[example.auction].append(example)
    failed: list[Failure] = []
    for auction, group in groups.items():
        columns = HandColumns(np.array([example.hand.array for example in group]))
        choices = Table.of(system).choices(auction, columns)
        preferred = choices.preferred()
        for row, example in enumerate(group):
            found = Call(int(preferred[row]))
            rules = [source for source in choices.sources(row, found) if isinstance(source, Rule)]
            if not _as_expected(example, found, rules):
                failed.append(Failure(example, found, rules[0] if rules else None))
    order = {id(example): position for position, example in enumerate(examples)}
    return sorted(failed, key=lambda failure: order[id(failure.example)])


def _as_expected(example: Example, found: Call, rules: list[Rule]) -> bool:
    if example.line is not None:
        return any(rule.line.spec.mark == example.line.spec.mark for rule in rules)
    return (found in example.calls) != example.denied
