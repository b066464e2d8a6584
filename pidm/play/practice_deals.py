"""Deals for practice: random ones, and those in which something in particular comes up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.worlds import Worlds, random_deals
from pidm.errors import PidmError
from pidm.features import HandColumns
from pidm.language.meaning import HCP
from pidm.language.rules import Rule
from pidm.play.match_boards import Board
from pidm.play.onlooker import worlds_after
from pidm.play.practice_kinds import KINDS
from pidm.reading.lockstep import preferred_calls
from pidm.reading.table import Table

BATCH = 256
BATCHES = 20
"""How many batches of deals are looked through before it is given up."""
ROUNDS = 6
"""Calls after which a deal that both sides bid on must have become one."""


def practice_board(table: Table, side: Sequence[Seat], kind: str, seed: int, number: int) -> Board:
    """The board of a number: the same for the same table, kind and seed.

    `side`: the two seats to whom it should happen. `kind`: one of `KINDS`, or a convention that they play.
    """
    rng = np.random.default_rng([seed, number])
    dealer, vul = Seat.of_board(number), Vul.of_board(number)
    for _ in range(1 if kind == "random" else BATCHES):
        worlds = _deals(table, side, kind, dealer, vul, rng)
        if len(worlds):
            return Board(number, Deal.from_array(worlds[0]), dealer, vul)
    name = KINDS[kind].title if kind in KINDS else kind
    raise PidmError(f"no deal was found for {name!r}; try another board or another kind")


def conventions_of(table: Table, seat: Seat) -> list[str]:
    """The conventions that a seat plays, for which deals can be asked."""
    return sorted(table.systems[seat].conventions)


def _deals(
    table: Table, side: Sequence[Seat], kind: str, dealer: Seat, vul: Vul, rng: np.random.Generator
) -> Worlds:
    """Some deals of a kind, perhaps none."""
    if kind == "random":
        return random_deals(1, rng)
    if kind == "notrump":
        return _opened(table, side, dealer, vul, rng)
    if kind == "slam":
        return _slams(side, rng)
    if kind == "contested":
        return _contested(table, dealer, vul, rng)
    if kind not in table.systems[side[0]].conventions:
        known = ", ".join([*KINDS, *conventions_of(table, side[0])])
        raise PidmError(f"{kind!r} is no kind of deals; expected {known}")
    return _convention(table, side, kind, dealer, vul, rng)


def _opened(table: Table, side: Sequence[Seat], dealer: Seat, vul: Vul, rng: np.random.Generator) -> Worlds:
    """Deals in which our side opens 1NT."""
    worlds = random_deals(BATCH, rng)
    auction = Auction(dealer, vul)
    notrump = Call.bid(1, "N")
    found: list[Worlds] = []
    for _ in range(4):
        calls = np.array(preferred_calls(table, worlds[:, auction.actor], [auction] * len(worlds)))
        if auction.actor in side:
            found.append(worlds[calls == notrump])
        worlds = worlds[calls == PASS]
        auction = auction.after(PASS)
        if not len(worlds):
            break
    return np.concatenate(found) if found else worlds


def _slams(side: Sequence[Seat], rng: np.random.Generator) -> Worlds:
    """Deals in which our side probably takes twelve tricks."""
    from pidm.bridge.utilities import utility

    worlds = random_deals(4 * BATCH, rng)
    first, second = (HandColumns(worlds[:, seat]).column(HCP) for seat in side)
    worlds = worlds[np.flatnonzero(first + second >= 25)]
    judge = utility("estimate")
    best = np.zeros(len(worlds))
    for strain in "SHDCN":
        best = np.maximum(best, judge.tricks(worlds, strain, int(side[0])))
    return worlds[np.flatnonzero(best >= 11.6)]


def _contested(table: Table, dealer: Seat, vul: Vul, rng: np.random.Generator) -> Worlds:
    """Deals in which both sides bid early on."""
    worlds = random_deals(12, rng)
    auctions = [Auction(dealer, vul)] * len(worlds)
    for _ in range(ROUNDS):
        open_rows = [row for row, auction in enumerate(auctions) if not auction.over]
        asked = [auctions[row] for row in open_rows]
        hands = worlds[open_rows, [auction.actor for auction in asked]]
        for row, call in zip(open_rows, preferred_calls(table, hands, asked)):
            auctions[row] = auctions[row].after(call)
        for row, auction in enumerate(auctions):
            if len({auction.seat_of(at).side for at, call in enumerate(auction.calls) if call.is_bid}) == 2:
                return worlds[[row]]
    return worlds[:0]


def _convention(
    table: Table, side: Sequence[Seat], name: str, dealer: Seat, vul: Vul, rng: np.random.Generator
) -> Worlds:
    """Deals in which a rule of the convention makes a call of our side.

    An auction in which it applies is looked for in the patterns of its rules, hands are dealt that fit.
    """
    for auction in _auctions_for(table, side, name, dealer, vul, rng):
        worlds = worlds_after(table, auction, BATCH // 2, rng, batches=3)
        if not len(worlds):
            continue
        choices = table.choices(auction, HandColumns(worlds[:, auction.actor]))
        first = choices.preferred()
        for row in range(len(worlds)):
            sources = choices.sources(row, int(first[row]))
            if any(isinstance(one, Rule) and one.block.spec.convention == name for one in sources):
                return worlds[[row]]
    return np.empty((0, 4, 4), dtype=np.uint16)


def _auctions_for(
    table: Table, side: Sequence[Seat], name: str, dealer: Seat, vul: Vul, rng: np.random.Generator
) -> list[Auction]:
    """A few auctions, at random, in which a rule of the convention may apply for our side."""
    from pidm.authoring.reachable import auctions_of

    blocks = [block for block in table.systems[side[0]].blocks if block.spec.convention == name]
    found: list[Auction] = []
    for number in rng.permutation(len(blocks))[:8]:
        for auction in auctions_of(blocks[number], dealer, vul):
            if auction.actor in side and any(
                applied.rule.block.spec.convention == name for applied in table.situation(auction).applied
            ):
                found.append(auction)
    return [found[number] for number in rng.permutation(len(found))[:6]]
