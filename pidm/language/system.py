"""A bidding system: its files read, its rules indexed, ready for reading auctions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language import store
from pidm.language.counts import Counts
from pidm.language.declarations import BlockSpec, SystemSpec
from pidm.language.finding import find_system
from pidm.language.loading import read_system
from pidm.language.mistakes import TextError
from pidm.language.pattern import Start
from pidm.language.pattern_index import PatternIndex
from pidm.language.rules import Block, BlockInstance, Rule
from pidm.language.source import Text
from pidm.language.suits import Binding


class System:
    """What a partnership has agreed on.

    >>> System.load("two_over_one")
    System(two_over_one)
    """

    def __init__(self, spec: SystemSpec, starts: Sequence[Sequence[Start]] | None = None):
        """Reads the texts of the rules; all mistakes are raised together as `SystemFileErrors`.

        A system that was read before without mistakes, of which it is known where its patterns can start, is
        read where and when it is needed.
        """
        self.spec = spec
        self.name = spec.name
        self.conventions = spec.conventions
        """The conventions on the card."""
        self.counts = Counts(dict(spec.counts))
        """What is asked of a hand where the rules speak of points."""
        mistakes: list[SystemFileError] = []

        def report(text: Text, error: TextError) -> None:
            mark = text.at(error.offset)
            found = SystemFileError(str(error), mark.path, mark.line, mark.column)
            if not checking:
                raise found
            mistakes.append(found)

        checking = True
        self._made: dict[int, Block] = {}
        self._report = report
        if starts is None:
            for block in self.blocks:
                block.check()
            starts = [block.starts() for block in self.blocks]
        self.starts = starts
        """For each block, where its patterns can begin."""
        self.index = PatternIndex()
        for position, begins in enumerate(starts):
            for start in begins:
                self.index.add(start, partial(self._instance, position, start.specificity))
        if mistakes:
            raise SystemFileErrors(mistakes)
        checking = False
        self.derived: dict[type, object] = {}
        """What others have worked out from the system, by kind; it lives as long as the system."""

    @cached_property
    def blocks(self) -> list[Block]:
        """All blocks, in the order of their files."""
        return [self._block(position) for position in range(len(self.spec.blocks))]

    def _block(self, position: int) -> Block:
        block = self._made.get(position)
        if block is None:
            block = self._made[position] = Block(self.spec.blocks[position], position, self._report)
        return block

    def _instance(self, position: int, specificity: int, binding: Binding) -> BlockInstance:
        """A block at the end of one of its patterns; before an auction gets there, it is not even read."""
        return self._block(position).instance(binding, specificity)

    @classmethod
    def load(cls, name: str | Path, card: Mapping[str, bool] | None = None) -> System:
        """Load a shipped system by name or a file by path; `card` switches conventions on or off."""
        path, changes = find_system(name), card or {}
        kept = store.load_system(path, changes)
        if kept is not None:
            return cls(kept.spec, kept.starts)
        errors: list[SystemFileError] = []
        spec, search = read_system(path, changes, errors)
        try:
            system = cls(spec)
        except SystemFileErrors as found:  # mistakes of form and of meaning are reported in one run
            raise SystemFileErrors([*errors, *found.errors]) from None
        if errors:
            raise SystemFileErrors(errors)
        store.keep_system(path, changes, spec, system.starts, search)
        return system

    def with_blocks(self, blocks: Mapping[int, BlockSpec]) -> System:
        """The same system with other blocks at some positions, for the same auctions; the rest is shared."""
        specs = [blocks.get(position, block) for position, block in enumerate(self.spec.blocks)]
        system = System(replace(self.spec, blocks=tuple(specs)), self.starts)
        system._made = {position: block for position, block in self._made.items() if position not in blocks}
        for position in blocks:
            system._block(position).check()
        return system

    def rules(self) -> Iterator[tuple[str, Rule]]:
        """All rules after expansion over suits, each with the auction pattern that it belongs to."""
        for block in self.blocks:
            yield from block.rules()

    def __repr__(self) -> str:
        return f"System({self.name})"
