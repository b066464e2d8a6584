"""A convention card: two pages with the boxes that players know, filled in from what the rules say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pidm.authoring.document import Document, Grid, Section
from pidm.authoring.explain import Explained, explain, remarked
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS
from pidm.language.system import System
from pidm.language.words import SUITS, written_name

MOST_ROWS = 14
"""Of one list; the booklet has them all."""

_BOXES: dict[str, dict[str, str]] = {
    "Notrump": {"After 1N": "1N P", "They double 1N": "1N X", "They bid 2H over 1N": "1N 2H"},
    "Majors": {"After 1S": "1S P"},
    "Minors": {"After 1D": "1D P"},
    "Two clubs and weak twos": {"After 2C": "2C P", "After 2H": "2H P"},
    "They interfere": {"They double 1S": "1S X", "They overcall 1S with 2D": "1S 2D"},
    "They open": {
        "Over 1D": "1D",
        "Over 1N": "1N",
        "Over 2H": "2H",
        "Fourth seat over 1H": "1H P P",
        "Partner has overcalled 1D with 1S": "1D 1S P",
        "Partner has doubled 1D": "1D X P",
    },
    "Slams": {"After 1S P 3S P": "1S P 3S P", "After 1N P": "1N P"},
}
_OPENINGS = {
    "Notrump": ("1N", "2N", "3N"),
    "Majors": ("1H", "1S"),
    "Minors": ("1C", "1D"),
    "Two clubs and weak twos": ("2C", "2D", "2H", "2S"),
}


def convention_card(system: System) -> Document:
    """The card of a system."""
    boxes = [_box(system, title) for title in _BOXES]
    sections = [box for box in boxes if box.tables or box.sections]
    spec = system.spec
    played = [spec.all_conventions[name] for name in sorted(spec.conventions)]
    if played:
        names = ", ".join(written_name(one.name) for one in played)
        sections.append(Section("Conventions", (names,)))
    return Document(
        f"{written_name(system.name)}: convention card",
        first_sentence(spec.about),
        tuple(sections),
        columns=2,
    )


def _box(system: System, title: str) -> Section:
    openings = explain(system, Auction.from_str("")).possible
    rows = [_row(one) for one in openings if str(one.call) in _OPENINGS.get(title, ()) and not one.natural]
    tables = [Grid(("opening", "shows"), tuple(rows))] if rows else []
    below = [
        Section(label, tables=(Grid(("call", "shows"), found),))
        for label, auction in _boxes_of(title, openings).items()
        if (found := tuple(_agreed(system, auction, title == "Slams")))
    ]
    return Section(title, tables=tuple(tables), sections=tuple(below))


def _boxes_of(title: str, openings: Sequence[Explained]) -> dict[str, str]:
    """The lists of a box: of a strong 1C the answers are what partners look up first."""
    strong = any(str(one.call) == "1C" and one.forcing.startswith("forcing") for one in openings)
    if title == "Minors" and strong:
        return {"After 1C": "1C P", **_BOXES[title]}
    return _BOXES[title]


def _agreed(system: System, text: str, slams: bool) -> Iterator[tuple[str, str]]:
    """What the pair has agreed in an auction; in the box about slams, the calls from four notrump or four
    clubs on that ask."""
    found = [one for one in explain(system, Auction.from_str(text)).possible if not one.natural]
    found = [one for one in found if not one.forbidden and one.call != PASS]
    if slams:
        found = [one for one in found if one.call.is_bid and one.call.level >= 4 and one.alert]
    rows = list(_rows(found))
    yield from rows[:MOST_ROWS]
    if len(rows) > MOST_ROWS:
        yield "more", f"{rows[MOST_ROWS][0]} and higher stand in the booklet"


def _rows(found: Sequence[Explained]) -> Iterator[tuple[str, str]]:
    """A row for each call; neighbours on one level that show the same of the suit that they name share it."""
    for text, several in groupby(
        found, key=lambda one: (one.call.is_bid and one.call.level, _of_its_suit(one))
    ):
        calls = list(several)
        if len(calls) == 1:
            yield _row(calls[0])
        else:
            yield " ".join(str(one.call) for one in calls), text[1]


def _of_its_suit(one: Explained) -> str:
    """What a bid shows with `the suit` for the suit that it names."""
    words = remarked(one)
    if not one.call.is_bid or one.call.strain == "N":
        return words
    suit = SUITS[one.call.strain]
    words = re.sub(rf"([\d+-]+) {suit}\b", r"\1 in the suit", words)
    words = re.sub(rf"\b(poor|fair|good|very good) {suit}\b", r"a \1 suit", words)
    return re.sub(rf"\bin {suit}\b", "in the suit", words)


def _row(one: Explained) -> tuple[str, str]:
    return str(one.call), remarked(one)


def first_sentence(text: str | None) -> str:
    """Of what a file says about itself: the rest is for those who read files."""
    return " ".join((text or "").split()).partition(". ")[0].rstrip(".")
