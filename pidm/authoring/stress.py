"""A system off the beaten path: what no player would do against opponents who disturb, with a partner who
stretches.

On every deal one side plays the system; at times one of its players counts two points more than the hand has.
The other side overcalls, doubles, preempts and raises on whatever is legal and not mad, else calls by the
system. Their calls are read as the system has them: opponents do not tell when they have less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np

from pidm.authoring.absurd import ABSURD, DealtHands, absurdities
from pidm.authoring.named_system import Named, loaded, named
from pidm.bridge.auction import Auction
from pidm.bridge.calls import DOUBLE, FIRST_BID, PASS, RANKED_STRAINS, STRAINS, Call, Seat, Vul
from pidm.bridge.worlds import Worlds, random_deals, to_deals
from pidm.features import HandColumns
from pidm.language.meaning import LENGTH
from pidm.language.system import System
from pidm.reading.strength_shift import StrengthShifted
from pidm.reading.table import Table

STRETCH = 2
"""Points that a player who stretches adds to the hand."""
STRETCHING = 0.5
"""On how many deals one of the two players stretches."""
DISTURBING = 0.6
"""How often an opponent who has something to disturb with does so."""
OFTEN_ENOUGH = 3
"""Calls of one opponent that disturb, before that player keeps to the system."""
REAL = 3
"""Cards that a suit bid shows, unless it is artificial."""
CHUNK = 250
"""Deals that are bid together: a piece of work."""


@dataclass(frozen=True, slots=True)
class StressCase:
    """A deal on which something absurd happened."""

    kind: str
    """One of `ABSURD`."""
    deal: str
    auction: str
    dealer: str
    vul: str
    side: str
    """`NS` or `EW`: who plays the system."""
    stretched: str
    """The seat that counted two points more; empty when nobody did."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class StressReport:
    """What a system does under stress."""

    system: str
    deals: int
    cases: tuple[StressCase, ...]
    """By kind, worst first."""

    def kinds(self) -> dict[str, list[StressCase]]:
        """The cases of each kind that came up, the most frequent first."""
        found: dict[str, list[StressCase]] = defaultdict(list)
        for case in self.cases:
            found[case.kind].append(case)
        order = list(ABSURD)
        return dict(sorted(found.items(), key=lambda item: (-len(item[1]), order.index(item[0]))))

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        kinds = {
            kind: {"means": ABSURD[kind], "deals": len(cases), "cases": [case.to_dict() for case in cases]}
            for kind, cases in self.kinds().items()
        }
        return {"system": self.system, "deals": self.deals, "kinds": kinds}


Spread = Callable[[Callable[..., list[StressCase]], Sequence[tuple[Any, ...]]], Iterable[list[StressCase]]]
"""Does `work(*piece)` for every piece of work, in order: here, or by other processes."""


def stress(
    name: str | Path,
    deals: int,
    seed: int,
    card: Mapping[str, bool] | None = None,
    spread: Spread = starmap,
    progress: Callable[[int], object] | None = None,
) -> StressReport:
    """Bid `deals` random deals under stress; `progress` is told how many have been bid."""
    system = System.load(name, card)
    which = named(name, card, system)
    sizes = [min(CHUNK, deals - start) for start in range(0, deals, CHUNK)]
    cases: list[StressCase] = []
    done = 0
    for size, found in zip(sizes, spread(_piece, [(which, size, seed, n) for n, size in enumerate(sizes)])):
        cases += found
        done += size
        if progress is not None:
            progress(done)
    order = list(ABSURD)
    return StressReport(system.name, deals, tuple(sorted(cases, key=lambda case: order.index(case.kind))))


def _piece(which: Named, deals: int, seed: int, number: int) -> list[StressCase]:
    """One piece of the work, in whatever process."""
    return cases_of(loaded(which), deals, np.random.default_rng([seed, number]))


def cases_of(system: System, deals: int, rng: np.random.Generator) -> list[StressCase]:
    """Bid random deals under stress, and return what no player would do."""
    worlds = random_deals(deals, rng)
    sides = rng.integers(0, 2, size=deals)
    stretched = np.where(rng.random(deals) < STRETCHING, sides + 2 * rng.integers(0, 2, size=deals), -1)
    starts = [
        Auction(Seat(int(dealer)), Vul(int(vul)))
        for dealer, vul in zip(rng.integers(0, 4, size=deals), rng.integers(0, 4, size=deals))
    ]
    table, hands = Table.of(system), DealtHands(worlds)
    ends = _bid(table, hands, starts, sides, stretched, rng)
    dealt = to_deals(worlds)
    return [
        StressCase(
            kind,
            str(dealt[row]),
            str(auction),
            str(auction.dealer),
            str(auction.vul),
            "EW" if sides[row] else "NS",
            str(Seat(int(stretched[row]))) if stretched[row] >= 0 else "",
        )
        for row, auction in enumerate(ends)
        for kind in absurdities(
            table, auction, hands, row, int(sides[row]), STRETCH if stretched[row] >= 0 else 0
        )
    ]


def _bid(
    table: Table,
    hands: DealtHands,
    starts: Sequence[Auction],
    sides: np.ndarray,
    stretched: np.ndarray,
    rng: np.random.Generator,
) -> list[Auction]:
    """The deals bid to the end, in step."""
    auctions = list(starts)
    waiting = list(range(len(starts)))
    while waiting:
        groups: dict[Auction, list[int]] = defaultdict(list)
        for row in waiting:
            groups[auctions[row]].append(row)
        for auction, listed in groups.items():
            rows, seat = np.array(listed), int(auction.actor)
            calls = _by_system(table, auction, hands.worlds[rows, seat], stretched[rows] == seat)
            for row, call in zip(listed, calls):
                if sides[row] != seat & 1:
                    call = _disturbed(table, auction, call, hands, row, rng)
                auctions[row] = auction.after(call)
        waiting = [row for row in waiting if not auctions[row].over]
    return auctions


def _by_system(table: Table, auction: Auction, masks: Worlds, stretching: np.ndarray) -> list[Call]:
    """The calls that the rules prefer, for those who stretch with a few points more."""
    columns = HandColumns(masks)
    calls = table.choices(auction, columns).preferred()
    if stretching.any():
        more = table.choices(auction, StrengthShifted(columns, STRETCH)).preferred()
        calls = np.where(stretching, more, calls)
    return [Call(int(call)) for call in calls]


def _disturbed(
    table: Table, auction: Auction, call: Call, hands: DealtHands, row: int, rng: np.random.Generator
) -> Call:
    """The call of an opponent who likes to disturb and would call this by the system."""
    seat = auction.actor
    mine = [made for number, made in enumerate(auction.calls) if auction.seat_of(number) == seat]
    if sum(made != PASS for made in mine) >= OFTEN_ENOUGH or rng.random() > DISTURBING:
        return call
    situation = table.situation(auction)
    # Who bids a suit that the call does not show would have to say so.
    found = [
        made
        for made in _disturbing(auction, hands.hcp[row, seat], hands.lengths[row, seat])
        if not made.is_bid or situation.meaning_of(made).shown.get(LENGTH[made.strain], (0, 0))[0] >= REAL
    ]
    return found[int(rng.integers(len(found)))] if found else call


def _disturbing(auction: Auction, points: int, lengths: np.ndarray) -> Iterator[Call]:
    """What somebody with these lengths (S H D C) might disturb with: plausible, not sensible."""
    seat = auction.actor
    last = auction.last_bid
    bidder = None if last is None else auction.seat_of(auction.calls.index(last))
    if bidder is not None and (bidder - seat) & 1 and auction.is_legal(DOUBLE):
        assert last is not None
        theirs = 3 if last.strain == "N" else int(lengths[STRAINS.index(last.strain)])
        if (theirs <= 2 and points >= 8) or (theirs >= 4 and points >= 6):
            yield DOUBLE
    partner = {
        call.strain
        for number, call in enumerate(auction.calls)
        if call.is_bid and auction.seat_of(number) == seat.partner
    }
    own = {call.strain for n, call in enumerate(auction.calls) if call.is_bid and auction.seat_of(n) == seat}
    for number, suit in enumerate("SHDC"):
        length = int(lengths[number])
        cheapest = next(
            (c for c in range((last or FIRST_BID - 1) + 1, 38) if RANKED_STRAINS[(c - 3) % 5] == suit), None
        )
        if cheapest is None or suit in own:
            continue
        for jump in range(1 if last is None else 0, 3):  # an opening is a preempt
            bid = cheapest + 5 * jump
            if bid > 37:
                continue
            level = Call(bid).level
            together = length + 3 if suit in partner else length
            # Five cards for an overcall at the one or two level, one more for every level above.
            if level <= 4 and together >= max(5, 3 + level) and (jump == 0 or together >= 6):
                yield Call(bid)
