"""A document for people: sections with paragraphs and tables, printed as Markdown, HTML or PDF.

Texts are plain; calls, suits and hands in them get their symbols and colours when they are printed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
COLOURS = {"S": "#111111", "H": "#c4151c", "D": "#c4151c", "C": "#111111"}
"""As on a printed card; screens with four colours have a style sheet of their own."""
_CALL = re.compile(r"\b([1-7])([SHDC])\b")
_HAND = re.compile(
    r"(?<![\w.])(?=[AKQJT2-9.]{16}(?!\w))([AKQJT2-9]*)\.([AKQJT2-9]*)\.([AKQJT2-9]*)\.([AKQJT2-9]*)"
)
_NOTRUMP = re.compile(r"\b([1-7])N\b")


@dataclass(frozen=True)
class Grid:
    """Rows under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Grid, ...] = ()
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Document:
    """A title and sections."""

    title: str
    about: str = ""
    sections: tuple[Section, ...] = ()
    columns: int = field(default=1)
    """Side by side on a printed page."""


def suited(text: str, suit: Callable[[str], str], escape: Callable[[str], str] = str) -> str:
    """A text with `suit(letter)` for the suits of its calls and hands, and NT for notrump."""
    text = escape(text)
    text = _HAND.sub(
        lambda match: " ".join(
            suit(letter) + (cards or "–") for letter, cards in zip("SHDC", match.groups())
        ),
        text,
    )
    text = _CALL.sub(lambda match: match[1] + suit(match[2]), text)
    return _NOTRUMP.sub(r"\1NT", text)


def anchor(title: str) -> str:
    """What links to a heading."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


# ---------------------------------------------------------------------- Markdown


def to_markdown(document: Document) -> str:
    """As Markdown, with a table of contents."""
    lines = [f"# {document.title}", ""]
    if document.about:
        lines += [document.about, ""]
    for section in document.sections:
        lines.append(f"- [{_symbols(section.title)}](#{anchor(section.title)})")
    lines.append("")
    for section in document.sections:
        lines += _markdown_section(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def _markdown_section(section: Section, level: int) -> Iterator[str]:
    yield f'{"#" * level} <a id="{anchor(section.title)}"></a>{_symbols(section.title)}'
    yield ""
    for paragraph in section.paragraphs:
        yield _symbols(paragraph)
        yield ""
    for table in section.tables:
        yield "| " + " | ".join(table.head) + " |"
        yield "| " + " | ".join("---" for _ in table.head) + " |"
        for row in table.rows:
            yield "| " + " | ".join(_symbols(cell).replace("|", "\\|") for cell in row) + " |"
        yield ""
    for below in section.sections:
        yield from _markdown_section(below, level + 1)


def _symbols(text: str) -> str:
    return suited(text, SYMBOLS.__getitem__)


# ---------------------------------------------------------------------- HTML

_STYLE = """
:root { color-scheme: light dark; --s: #111; --h: #c4151c; --d: #c4151c; --c: #111; --line: #ccc; }
@media (prefers-color-scheme: dark) {
  :root { --s: #eee; --h: #ff6b6b; --d: #ff6b6b; --c: #eee; --line: #555; }
}
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; }
th, td { border-bottom: 1px solid var(--line); }
td:first-child { white-space: nowrap; font-weight: 600; }
td:nth-child(3) { white-space: nowrap; }
nav { columns: 3 14rem; } nav a { display: block; }
.S { color: var(--s); } .H { color: var(--h); } .D { color: var(--d); } .C { color: var(--c); }
.columns { columns: 2 24rem; column-gap: 2rem; } .columns section { break-inside: avoid; }
@media print {
  body { font-size: 10pt; margin: 0; max-width: none; }
  nav { display: none; }
  section { break-inside: avoid; }
}
"""


def to_html(document: Document) -> str:
    """As one page that needs nothing else, ready to print."""
    body = [f"<h1>{_coloured(document.title)}</h1>"]
    if document.about:
        body.append(f"<p>{_coloured(document.about)}</p>")
    links = (f'<a href="#{anchor(one.title)}">{_coloured(one.title)}</a>' for one in document.sections)
    body += ["<nav aria-label='Contents'>", *links, "</nav>"]
    body.append('<div class="columns">' if document.columns > 1 else "<div>")
    for section in document.sections:
        body += _html_section(section, 2)
    body.append("</div>")
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{html.escape(document.title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _html_section(section: Section, level: int) -> Iterator[str]:
    yield f'<section id="{anchor(section.title)}"><h{level}>{_coloured(section.title)}</h{level}>'
    for paragraph in section.paragraphs:
        yield f"<p>{_coloured(paragraph)}</p>"
    for table in section.tables:
        heads = "".join(f"<th>{html.escape(one)}</th>" for one in table.head)
        yield f"<table><thead><tr>{heads}</tr></thead>"
        for row in table.rows:
            yield "<tr>" + "".join(f"<td>{_coloured(cell)}</td>" for cell in row) + "</tr>"
        yield "</table>"
    for below in section.sections:
        yield from _html_section(below, min(level + 1, 4))
    yield "</section>"


def _coloured(text: str) -> str:
    return suited(text, lambda letter: f'<span class="{letter}">{SYMBOLS[letter]}</span>', html.escape)
