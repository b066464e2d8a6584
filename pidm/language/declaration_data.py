"""What a system file declares as plain values, and back: how the store keeps it.

Places are kept without the path: the same text may stand elsewhere.
"""

from __future__ import annotations

from typing import Any

from pidm.language.declarations import (
    AlternativeSpec,
    BlockSpec,
    CardEntry,
    FileSpec,
    LaterLines,
    LineSpec,
    NeverSpec,
)
from pidm.language.source import Mark, Text


def _put(text: Text | None) -> Any:
    return None if text is None else [str(text), text.mark.line, text.mark.column]


def _puts(texts: tuple[Text, ...]) -> list[Any]:
    return [_put(text) for text in texts]


def file_data(file: FileSpec) -> list[Any]:
    """The values of a file in the order of their declaration; places without the path."""
    return [
        file.kind,
        _put(file.name),
        _put(file.about),
        _put(file.extends),
        _puts(file.include),
        None if file.card is None else [[_put(entry.name), entry.on] for entry in file.card],
        file.whole_card,
        file.layer,
        _puts(file.replaces),
        _puts(file.needs),
        _puts(file.drop),
        [[_put(rule), _put(asked)] for rule, asked in file.counts],
        [block_data(block) for block in file.blocks],
    ]


def block_data(block: BlockSpec) -> list[Any]:
    """The values of a block."""
    return [
        _put(block.title),
        _put(block.id),
        _puts(block.auction),
        _puts(block.when),
        _puts(block.for_),
        block.convention,
        block.layer,
        block.priority,
        [_line_data(line) for line in block.lines],
        [[_put(never.call), _puts(never.when)] for never in block.never],
        _puts(block.examples),
        block.mark[1:],
    ]


def _line_data(line: LineSpec) -> list[Any]:
    return [
        _put(line.call),
        [[_put(one.shows), one.priority] for one in line.alternatives],
        _puts(line.when),
        _puts(line.for_),
        line.priority,
        _put(line.forcing),
        _put(line.agrees),
        _puts(line.starts),
        _puts(line.ends),
        _put(line.alert),
        _put(line.note),
        _put(line.tells),
        _puts(line.examples),
        line.rank,
        line.mark[1:],
    ]


class Decoder:
    """From plain values to declarations, with places in the file at `path`."""

    def __init__(self, path: str):
        self.path = path

    def text(self, value: list[Any] | None) -> Any:
        """A text or None."""
        return None if value is None else Text(value[0], Mark(self.path, value[1], value[2]))

    def texts(self, items: list[list[Any]]) -> tuple[Text, ...]:
        """Several texts."""
        path = self.path
        return tuple([Text(value, Mark(path, line, column)) for value, line, column in items])

    def line(self, item: list[Any]) -> LineSpec:
        """A line of a block."""
        text, texts = self.text, self.texts
        call, shows, when, for_, priority, forcing, agrees, starts, ends, alert, note, *rest = item
        tells, examples, rank, mark = rest
        return LineSpec(
            text(call),
            tuple([AlternativeSpec(text(one), number) for one, number in shows]),
            texts(when),
            texts(for_),
            priority,
            text(forcing),
            text(agrees),
            texts(starts),
            texts(ends),
            text(alert),
            text(note),
            text(tells),
            texts(examples),
            rank,
            Mark(self.path, *mark),
        )

    def block(self, item: list[Any]) -> BlockSpec:
        """A block; its lines are made when they are needed."""
        text, texts = self.text, self.texts
        title, id_, auction, when, for_, convention, layer, priority, lines, never, examples, mark = item
        return BlockSpec(
            text(title),
            text(id_),
            texts(auction),
            texts(when),
            texts(for_),
            convention,
            layer,
            priority,
            LaterLines(lines, self.line, [line[0][0] for line in lines]),
            tuple([NeverSpec(text(call), texts(conditions)) for call, conditions in never]),
            texts(examples),
            Mark(self.path, *mark),
        )

    def file(self, values: list[Any]) -> FileSpec:
        """A whole file."""
        text, texts = self.text, self.texts
        kind, name, about, extends, include, card, whole_card, layer, replaces, needs, drop, *rest = values
        counts, blocks = rest
        return FileSpec(
            self.path,
            kind,
            text(name),
            text(about),
            text(extends),
            texts(include),
            None if card is None else tuple(CardEntry(text(entry), on) for entry, on in card),
            whole_card,
            layer,
            texts(replaces),
            texts(needs),
            texts(drop),
            tuple((text(rule), text(asked)) for rule, asked in counts),
            tuple(self.block(one) for one in blocks),
        )
