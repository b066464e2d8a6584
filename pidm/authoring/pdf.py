"""Documents as PDF, through reportlab (an extra): `pip install 'pidm[pdf]'`."""

from __future__ import annotations

import html
import io
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from pidm.authoring.document import COLOURS, SYMBOLS, Document, Section, suited
from pidm.errors import PidmError

FONT = Path(__file__).with_name("suits.ttf")
"""The suit symbols (`scripts/suit_font` draws them); a PDF carries them along."""
_FONT_NAME = "PidmSuits"

BOOKMARK_LEVELS = 2
"""How deep bookmarks go; contents have the chapters."""
_SHARES = {2: (0.2, 0.8), 3: (0.1, 0.58, 0.32)}
"""Of the width, what the columns of a table get: calls are short."""


def to_pdf(document: Document) -> bytes:
    """As a PDF on A4 paper, with bookmarks and page numbers; what is longer than a card has contents first,
    with links."""
    try:
        from reportlab.lib.pagesizes import A4
        from reportlab.lib.units import mm
        from reportlab.pdfbase.pdfmetrics import registerFont
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate
    except ImportError:
        raise PidmError("PDF needs the extra: pip install 'pidm[pdf]'") from None

    registerFont(TTFont(_FONT_NAME, str(FONT)))
    width, height = A4
    margin, gap = 14 * mm, 6 * mm
    each = (width - 2 * margin - gap * (document.columns - 1)) / document.columns
    frames = [
        Frame(margin + number * (each + gap), margin, each, height - 2 * margin, 0, 0, 0, 0)
        for number in range(document.columns)
    ]

    def number_page(canvas: Any, template: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawRightString(width - margin, margin / 2, f"{document.title}  {canvas.getPageNumber()}")

    buffer = io.BytesIO()
    template = BaseDocTemplate(buffer, pagesize=A4, title=document.title, author="pidm", invariant=True)
    template.addPageTemplates([PageTemplate("page", frames, onPage=number_page)])
    template.afterFlowable = partial(_after, template)
    # Pages are known when all is set: contents take a second round.
    template.multiBuild(list(_flow(document, each)))
    return buffer.getvalue()


def _after(template: Any, flowable: Any) -> None:
    """A heading that was set becomes a bookmark and a line of the contents."""
    key = getattr(flowable, "key", None)
    if key is None:
        return
    template.canv.bookmarkPage(key)
    template.canv.addOutlineEntry(flowable.plain, key, flowable.level - 1, closed=True)
    if flowable.level == 1:
        template.notify("TOCEntry", (0, flowable.text, template.page, key))


def _flow(document: Document, width: float) -> Iterator[Any]:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, Spacer
    from reportlab.platypus.tableofcontents import TableOfContents

    small = document.columns > 1
    body = ParagraphStyle(
        "body", fontName="Helvetica", fontSize=7 if small else 9, leading=8.2 if small else 11
    )
    heads = [
        ParagraphStyle(
            f"h{level}",
            body,
            fontName="Helvetica-Bold",
            fontSize=size,
            leading=size * 1.25,
            spaceBefore=size * 0.6,
            keepWithNext=1,
        )
        for level, size in enumerate((15, 11 if small else 13, 9 if small else 11, 8.5 if small else 10))
    ]
    yield Paragraph(_marked(document.title), heads[0])
    if document.about:
        yield Paragraph(_marked(document.about), body)
    yield Spacer(1, 4)
    if not small:
        contents = TableOfContents(dotsMinLevel=0)
        contents.levelStyles = [ParagraphStyle("contents", body, rightIndent=24)]
        yield contents
    number = count(1)
    for section in document.sections:
        yield from _section(section, 1, heads, body, width, number)


def _section(
    section: Section,
    level: int,
    heads: list[Any],
    body: Any,
    width: float,
    number: Iterator[int],
    above: Sequence[Any] = (),
) -> Iterator[Any]:
    """A section with what stands below it; `above` are headings that must not be left alone on a page."""
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import KeepTogether, LongTable, Paragraph, TableStyle

    head = Paragraph(_marked(section.title), heads[min(level, 3)])
    if level <= BOOKMARK_LEVELS:
        head.key, head.level = f"section{next(number)}", level
        head.text, head.plain = _marked(section.title), suited(section.title, SYMBOLS.__getitem__)
    flow: list[Any] = [*above, head, *(Paragraph(_marked(text), body) for text in section.paragraphs)]
    for table in section.tables:
        rows = [[Paragraph(_marked(cell), body) for cell in row] for row in table.rows]
        if not rows:
            continue
        shares = _SHARES.get(len(table.head), (1 / len(table.head),) * len(table.head))
        made = LongTable(rows, colWidths=[width * share for share in shares])
        made.setStyle(
            TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor("#bbbbbb")),
                    ("TOPPADDING", (0, 0), (-1, -1), 1),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
                    ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ]
            )
        )
        flow.append(made)
    short = sum(len(table.rows) for table in section.tables) <= 12
    alone = flow[-1] is head and bool(section.sections)
    if not alone:
        yield from [KeepTogether(flow)] if short else flow
    for place, below in enumerate(section.sections):
        yield from _section(below, level + 1, heads, body, width, number, flow if alone and not place else ())


def _marked(text: str) -> str:
    # reportlab drops a space that follows a change of font
    return suited(text, _suit, html.escape).replace("</font> ", "</font>&nbsp;")


def _suit(letter: str) -> str:
    return f'<font name="{_FONT_NAME}" color="{COLOURS[letter]}">{SYMBOLS[letter]}</font>'
