"""A bidding system: its files read, its rules indexed, ready to bid and to read auctions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.core.choices import Choices
from pidm.core.net import Columns, DecisionNet
from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language import bundle
from pidm.language.files import find_system, read_system
from pidm.language.pattern import PatternIndex, Start
from pidm.language.reading import Reader, Situation
from pidm.language.rules import Block, BlockInstance, Rule
from pidm.language.source import Text
from pidm.language.specs import SystemSpec
from pidm.language.suits import Binding, expand
from pidm.language.texts import TextError

if TYPE_CHECKING:
    from pidm.language.refinement import Refinement, Refinements


class System:
    """What a partnership has agreed on.

    >>> system = System.load("two_over_one")                            # doctest: +SKIP
    >>> print(system.net(Auction.from_str("1N P")))                     # doctest: +SKIP
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
        self._table: Table | None = None

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
        kept = bundle.load(path, changes)
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
        bundle.store(path, changes, spec, system.starts, search)
        return system

    @property
    def table(self) -> Table:
        """A table where everybody plays this system."""
        if self._table is None:
            self._table = Table((self, self))
        return self._table

    def net(self, auction: Auction) -> DecisionNet:
        """The decision net of the player to call, when everybody plays this system."""
        return self.table.situation(auction).net

    def situation(self, auction: Auction) -> Situation:
        """What the auction has shown, when everybody plays this system."""
        return self.table.situation(auction)

    def rules(self) -> Iterator[tuple[str, Rule]]:
        """All rules after expansion over suits, each with the auction pattern that it belongs to."""
        for block in self.blocks:
            for pattern in block.patterns:
                for binding in expand(pattern.variables, {}, block.restrictions, distinct=True):
                    for case in BlockInstance(block, binding, pattern.specificity).cases:
                        for rule in case.rules:
                            yield pattern.text, rule

    def __repr__(self) -> str:
        return f"System({self.name})"


_readers: WeakValueDictionary[tuple[str | int, ...], Reader] = WeakValueDictionary()
"""The readers in use: where the same systems follow each other from the dealer on, auctions are read once."""


class Table:
    """The systems of the four players. Everyone knows everyone's system."""

    def __init__(
        self,
        systems: Sequence[System],
        scoring: str = "imps",
        refinements: Sequence[Refinements | None] = (),
    ):
        """`systems` of N E S W; those of two are taken as NS and EW. `refinements`: what each has learned."""
        self.systems = tuple(systems) if len(systems) == 4 else (*systems, *systems)
        self.scoring = scoring
        self.refinements = tuple(refinements) if any(refinements) else ()
        """What the players N E S W have learned; empty when nobody has."""
        self._readers: list[Reader] = []
        for dealer in Seat:
            seated = [self.systems[(dealer + turn) & 3] for turn in range(4)]
            key: tuple[str | int, ...] = (scoring, *map(id, seated))
            reader = _readers.get(key)
            if reader is None:
                reader = _readers[key] = Reader(seated, scoring)
            self._readers.append(reader)

    def situation(self, auction: Auction) -> Situation:
        """What the auction has shown, and the rules that apply now; seats there count from the dealer."""
        vul = auction.vul
        if auction.dealer & 1:  # as if the dealer sat north
            vul = Vul((vul & 1) << 1 | vul >> 1)
        return self._readers[auction.dealer].situation(vul, auction.calls)

    def net(self, auction: Auction) -> DecisionNet:
        """The decision net of the player to call."""
        return self.situation(auction).net

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """What the system of the player to call proposes for a batch of hands: phi of section 3.3.

        Where that player has learned, what training has settled takes the place of what the rules say.
        """
        situation = self.situation(history)
        learned = self.refinement(history) if self.refinements else None
        return situation.choices(columns) if learned is None else learned.settled(situation, columns)

    def refinement(self, auction: Auction) -> Refinement | None:
        """What the player to call has learned for this auction."""
        learned = self.refinements[auction.actor] if self.refinements else None
        return None if learned is None else learned.find(auction, self)
