"""Decisions as they come up between our own systems: what there is to learn from.

Systems of a pool play each other by rules and the look, with what has been learned so far, on deals of their
own. Every decision that a look could have changed is one to learn from, whatever was called there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import Worlds, random_deals
from pidm.draws import generator_of
from pidm.models import is_model_file
from pidm.models.blend import beside
from pidm.models.learned_seats import LearnedSeats
from pidm.play.systems import Systems
from pidm.reading.correction import Correction
from pidm.reading.learned_look import LearnedLook
from pidm.reading.lockstep import preferred_calls
from pidm.reading.look import Look
from pidm.reading.stakes import Dilemma, contenders
from pidm.reading.table import Table
from pidm.reading.wide_look import WideLook


@dataclass(frozen=True)
class Turn:
    """A decision in self-play."""

    ours: str
    """What the player to call plays."""
    theirs: str
    """What the opponents play."""
    auction: Auction
    hand: Hand

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "ours": self.ours,
            "theirs": self.theirs,
            "dealer": str(self.auction.dealer),
            "vul": str(self.auction.vul),
            "auction": " ".join(map(str, self.auction.calls)),
            "hand": str(self.hand),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Turn:
        """From plain data."""
        start = Seat.from_str(data["dealer"]), Vul.from_str(data["vul"])
        auction = Auction.from_str(data["auction"], *start)
        return cls(data["ours"], data["theirs"], auction, Hand.from_str(data["hand"]))


@lru_cache(maxsize=1)
def _systems() -> Systems:
    return Systems()


@lru_cache(maxsize=16)
def table_of(first: str, second: str) -> Table:
    """The table where the first sit north and south; kept with all that was read there.

    The second may be a pair that was learned from records. Its calls are then read as those of the system
    that it was learned beside, or else of ours.
    """
    if is_model_file(second):
        second = _systems().model(second).origin.system or first
    return Table((_systems().of(first), _systems().of(second)))


@lru_cache(maxsize=16)
def everybody_at(first: str, second: str) -> LearnedSeats:
    """What the players of that table do."""
    table = table_of(first, second)
    if not is_model_file(second):
        return LearnedSeats(table, {})
    model = beside(_systems().model(second), table)
    return LearnedSeats(table, {Seat.E: model, Seat.W: model})


def drawn_as(name: str) -> str:
    """What a system or model counts as where deals are drawn: a file is the same in every folder."""
    return Path(name).name


class SelfPlay:
    """Two systems at one table, with what has been learned so far."""

    def __init__(
        self, first: str, second: str, correction: Correction | None = None, temperature: float = 0.0
    ) -> None:
        self.names = first, second
        self.table = table_of(first, second)
        self.everybody = everybody_at(first, second)
        """What the four do without a look. A learned pair never looks, and nothing is learned from it."""
        self.look = WideLook(self.table) if correction is None else LearnedLook(self.table, correction)
        """What sees all that comes into question."""
        self.player = Look(self.table) if correction is None else self.look
        """What decides."""
        self.temperature = temperature
        """IMPs: calls that are worth so much less are made e times less often; 0 makes the best one."""

    def decisions(self, deals: int, *seed: object) -> list[tuple[Turn, Dilemma]]:
        """All decisions that a look could change, on some random deals."""
        rng = generator_of("self-play", *map(drawn_as, self.names), *seed)
        worlds = random_deals(deals, rng)
        auctions = [Auction(Seat(k & 3), Vul(k >> 2 & 3)) for k in range(deals)]
        found = []
        live = list(range(deals))
        while live:
            hands = worlds[live, [auctions[k].actor for k in live]]
            own = preferred_calls(self.everybody, hands, [auctions[k] for k in live])
            calls = dict(zip(live, own))
            for k, case in self._cases(live, auctions, worlds, calls):
                side = int(auctions[k].actor) & 1
                ours, theirs = self.names[side], self.names[1 - side]
                found.append((Turn(ours, theirs, auctions[k], Hand(tuple(case.hand.tolist()))), case))
                calls[k] = self._call(case, rng)
            for k in live:
                auctions[k] = auctions[k].after(calls[k])
            live = [k for k in live if not auctions[k].over]
        return found

    def _cases(
        self, rows: Sequence[int], auctions: Sequence[Auction], worlds: Worlds, own: dict[int, Call]
    ) -> list[tuple[int, Dilemma]]:
        """Where something else than the call of the rules comes into question."""
        asked = {k: (auctions[k], worlds[k, auctions[k].actor], own[k]) for k in rows}
        asked = {
            k: one
            for k, one in asked.items()
            if one[0].actor not in self.everybody.models and self.look.worth_it(*one)
        }
        cases = []
        for (k, (auction, hand, _)), seen in zip(asked.items(), self.look.at(list(asked.values()))):
            if seen is not None:
                seen = seen if seen.learned is not None else contenders(seen)
                if len(seen.calls) > 1:
                    cases.append((k, Dilemma(self.table.situation(auction), auction, hand, seen)))
        return cases

    def _call(self, case: Dilemma, rng: np.random.Generator) -> Call:
        """The call that is made with what is known so far."""
        if self.temperature:
            odds = np.exp((case.seen.values - case.seen.values.max()) / self.temperature)
            return case.calls[int(rng.choice(len(odds), p=odds / odds.sum()))]
        if case.seen.learned is not None:
            best = self.look.choose(case.auction, case.hand, case.seen)
            return case.calls[best or 0]
        return self._as_it_stands(case)

    def _as_it_stands(self, case: Dilemma) -> Call:
        """What a look without any correction does."""
        asked = case.auction, case.hand, case.calls[0]
        if not self.player.worth_it(*asked):
            return case.calls[0]
        seen = self.player.at([asked])[0]
        best = self.player.choose(case.auction, case.hand, seen)
        return case.calls[0] if seen is None or best is None else seen.calls[best]
