"""System notes as partners print them: a convention card, a booklet, or every rule of every file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pidm.authoring.booklet import booklet
from pidm.authoring.convention_card import convention_card
from pidm.authoring.document import Document, Grid, Section, to_html, to_markdown
from pidm.authoring.pdf import to_pdf
from pidm.language.pattern import Pattern
from pidm.language.rules import LAYERS, Block, Line
from pidm.language.system import System
from pidm.language.words import written_name

_FORCING = {
    "round": "forcing one round",
    "game": "forcing to game",
    "invite": "invitational",
    "signoff": "to play",
    "no": "not forcing",
    "takeout": "for takeout",
    "correct": "pass or correct",
}


def printed(system: System, extent: str, form: str) -> bytes:
    """The notes of a system as a file: a `card`, a `booklet` or the `full` text, as md, html or pdf."""
    document = {"card": convention_card, "booklet": booklet, "full": full_notes}[extent](system)
    if form == "pdf":
        return to_pdf(document)
    return (to_html if form == "html" else to_markdown)(document).encode()


def full_notes(system: System) -> Document:
    """Every rule of the system, in the order of its files."""
    spec = system.spec
    played = [spec.all_conventions[name] for name in sorted(spec.conventions)]
    conventions = tuple((written_name(one.name), _one_line(one.about or "")) for one in played)
    sections = (
        [Section("Conventions on the card", tables=(Grid(("convention", ""), conventions),))]
        if played
        else []
    )
    sections += [
        Section(heading, sections=tuple(_section(block) for block in blocks))
        for heading, blocks in _chapters(system)
    ]
    return Document(f"{written_name(system.name)}: every rule", _one_line(spec.about or ""), tuple(sections))


def notes_data(system: System) -> dict[str, Any]:
    """What the notes say, as plain data."""
    spec = system.spec
    played = [spec.all_conventions[name] for name in sorted(spec.conventions)]
    return {
        "system": system.name,
        "about": spec.about,
        "conventions": [{"name": one.name, "about": one.about} for one in played],
        "chapters": [
            {"title": heading, "blocks": [_block_data(block) for block in blocks]}
            for heading, blocks in _chapters(system)
        ],
    }


def _block_data(block: Block) -> dict[str, Any]:
    spec = block.spec
    return {
        "title": spec.title,
        "auctions": list(spec.auction),
        "when": list(spec.when),
        "suits": list(spec.for_),
        "convention": spec.convention,
        "place": f"{spec.mark.path}:{spec.mark.line}",
        "calls": [
            {
                "call": line.spec.call,
                "shows": _shows(line),
                "forcing": line.spec.forcing,
                "agrees": line.spec.agrees,
                "alert": line.spec.alert,
                "when": list(line.spec.when),
                "note": line.spec.note,
                "remarks": _remarks(line),
            }
            for line in block.lines
        ],
        "never": [{"call": never.call, "when": list(never.when)} for never in spec.never],
    }


def _chapters(system: System) -> Iterator[tuple[str, list[Block]]]:
    """The blocks under their headings, each once, in the order of the files."""
    chapters: dict[str, list[Block]] = {
        "Opening bids": [],
        "After our opening": [],
        "After their opening": [],
    }
    last: dict[str, list[Block]] = {"In any auction": [], "Natural calls": []}
    for block in system.blocks:
        if not block.patterns:
            continue
        convention = block.spec.convention
        if block.layer <= LAYERS["standard"]:
            last["Natural calls"].append(block)
        elif convention is not None:
            chapters.setdefault(f"Convention: {written_name(convention)}", []).append(block)
        else:
            heading = _heading(block.patterns[0])
            (last if heading in last else chapters)[heading].append(block)
    for heading, blocks in (chapters | last).items():
        if blocks:
            yield heading, blocks


def _heading(pattern: Pattern) -> str:
    first = next((element for element in pattern.elements if element.text != "P"), None)
    if first is None:
        return "Opening bids"
    if first.text == "...":
        return "In any auction"
    return "After our opening" if first.ours else "After their opening"


def _section(block: Block) -> Section:
    spec = block.spec
    auctions = " or ".join(spec.auction)
    conditions = [*spec.when, *(f"suits: {text}" for text in spec.for_)]
    paragraphs = [f"Auction: {auctions}" + (f"; when {', '.join(conditions)}" if conditions else "") + "."]
    for never in spec.never:
        paragraphs.append(
            f"Never {never.call}" + (f" when {', '.join(never.when)}" if never.when else "") + "."
        )
    rows = tuple(
        (
            _one_line(line.spec.call),
            _in_words(_one_line(_shows(line)), _SHOWN),
            _in_words(_remarks(line), _ASKED),
        )
        for line in block.lines
    )
    return Section(
        spec.title or auctions, tuple(paragraphs), (Grid(("call", "shows", ""), rows),) if rows else ()
    )


def _shows(line: Line) -> str:
    shown = " or ".join(alternative.shows.strip() for alternative in line.spec.alternatives)
    return re.sub(r"\bhcp\b(?!\()", "HCP", shown)


def _remarks(line: Line) -> str:
    spec = line.spec
    remarks: list[str] = []
    if spec.forcing is not None:
        remarks.append(_FORCING.get(spec.forcing, f"forcing {spec.forcing}"))
    if spec.agrees is not None:
        remarks.append(f"agrees {spec.agrees}")
    if spec.alert is not None and spec.alert != "no":
        remarks.append("alert" if spec.alert == "yes" else f"alert: {spec.alert}")
    if spec.when:
        remarks.append(f"when {', '.join(spec.when)}")
    if any(other.rank == spec.rank and other is not spec for other in line.block.spec.lines):
        remarks.append("or another call that fits, by judgement")
    if spec.note is not None:
        remarks.append(spec.note.strip())
    return "; ".join(remarks)


_SUIT = r"(o?[Mm]|[SHDCXYZ])"
_SHOWN = (
    (r"\b[6-9]\+ quality\({suit}\)", r"very good \1"),
    (r"\b[45]\+ quality\({suit}\)", r"good \1"),
    (r"\b[23]\+ quality\({suit}\)", r"fair \1"),
    (r"\bpoints\({suit}\)", r"points with \1 as trumps"),
    (r"\blosers\({suit}\)", r"losers with \1 as trumps"),
    (r"\bkeycards\({suit}\)", r"key cards for \1"),
    (r"\bhcp\({suit}\)", r"HCP in \1"),
    (r"\b(aces|kings|queens|jacks|tens|controls|honors)\({suit}\)", r"\1 in \2"),
    (r"\b{suit} >= {suit}(?!\w)", r"at least as many \1 as \2"),
    (r"\b{suit} > {suit}(?!\w)", r"more \1 than \2"),
    (r"\b{suit} < {suit}(?!\w)", r"fewer \1 than \2"),
)
"""The short forms of files for what a hand has, and what players say; the suits may be variables."""
_ASKED = (
    (r"\b{suit} > {suit}(?!\w)", r"\1 is higher than \2"),
    (r"\b{suit} < {suit}(?!\w)", r"\1 is lower than \2"),
    (r"\bcall <= ", "at most "),
    (r"\bcall < ", "below "),
)
"""The same for what is asked of the auction: there suits are compared by rank."""


def _in_words(text: str, forms: Sequence[tuple[str, str]]) -> str:
    """A text of a file as players say it."""
    for pattern, words in forms:
        text = re.sub(pattern.replace("{suit}", _SUIT), words, text)
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())
