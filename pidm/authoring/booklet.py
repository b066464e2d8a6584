"""A booklet of a system as a teacher would order it: openings, responses, rebids, competition, conventions.

Every table lists what the pair has agreed in one auction, with a hand for each call that would make it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pidm.authoring import document
from pidm.authoring.convention_card import first_sentence
from pidm.authoring.document import Document, Section
from pidm.authoring.explain import explain, remarked
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import Worlds, random_deals
from pidm.features import HandColumns
from pidm.language.meaning import HCP, LENGTH
from pidm.language.system import System
from pidm.language.words import written_name
from pidm.reading.table import Table

DEALS = 20_000
"""Random deals in which example hands are looked for."""
SEED = 1
POINTS_FOR_A_CARD = 2
"""So many points make two hands as unlike as a card more in a suit."""
OVERCALLS = ("X", "1S", "2C", "2D", "2H", "3D")
"""What they may do over our opening of one of a suit; those that are illegal are left out."""
THEIR_OPENINGS = ("1C", "1D", "1H", "1S", "1N", "2H", "2S", "3C", "3H")


def booklet(system: System) -> Document:
    """The booklet of a system."""
    writer = _Writer(system)
    openings = [one.call for one in explain(system, Auction.from_str("")).possible if one.call != PASS]
    low = [call for call in openings if call <= Call.from_str("2N")]
    spec = system.spec
    conventions = tuple(
        Section(written_name(one.name), (" ".join((one.about or "").split()),))
        for one in (spec.all_conventions[name] for name in sorted(spec.conventions))
    )
    chapters = (
        Section("Opening bids", sections=tuple(writer.tables([""], "The first bid"))),
        Section("Responses", sections=tuple(writer.tables([f"{call} P" for call in low]))),
        Section(
            "Opener's rebids", sections=tuple(writer.tables(writer.continued(f"{call} P" for call in low)))
        ),
        Section(
            "When they interfere",
            sections=tuple(writer.tables([f"{call} {theirs}" for call in low for theirs in OVERCALLS])),
        ),
        Section(
            "When they open",
            sections=tuple(
                writer.tables([*THEIR_OPENINGS, *(f"1D {call} P" for call in ("X", "1S", "2C")), "1H P P"])
            ),
        ),
        Section("Conventions", sections=conventions),
    )
    about = first_sentence(spec.about)
    return Document(
        f"{written_name(system.name)}: the system", about, tuple(one for one in chapters if one.sections)
    )


class _Writer:
    """Makes the tables, with hands dealt once."""

    def __init__(self, system: System) -> None:
        self._table = Table.of(system)
        self._deals = random_deals(DEALS, np.random.default_rng(SEED))

    def continued(self, auctions: Iterable[str]) -> Iterator[str]:
        """The auctions with each agreed response and a pass."""
        for text in auctions:
            for one in explain(self._table, Auction.from_str(text)).possible:
                if not one.natural and not one.forbidden and one.call.is_bid:
                    yield f"{text} {one.call} P"

    def tables(self, auctions: Iterable[str], title: str = "") -> Iterator[Section]:
        """A section for each auction in which something is agreed."""
        for text in auctions:
            auction = _lawful(text)
            if auction is None:
                continue
            agreed = [
                one for one in explain(self._table, auction).possible if not one.natural and not one.forbidden
            ]
            if len(agreed) < 2:
                continue
            hands = self._examples(auction)
            rows = tuple(
                (
                    str(one.call),
                    remarked(one),
                    str(hands.get(one.call, "")),
                )
                for one in agreed
            )
            yield Section(title or text, tables=(document.Grid(("call", "shows", "for example"), rows),))

    def _examples(self, auction: Auction) -> dict[Call, Hand]:
        """For each call a hand that makes it, and that made the player's earlier calls."""
        hands = self._hands(auction)
        if not len(hands):
            return {}
        calls = self._table.choices(auction, HandColumns(hands)).preferred()
        return {
            Call(int(call)): Hand(tuple(_typical(hands[calls == call]).tolist()))
            for call in np.unique(calls)
            if call >= 0
        }

    def _hands(self, auction: Auction) -> Worlds:
        """Hands of the player to call that have bid like this so far."""
        hands = self._deals[:, Seat.N]
        for number, call in enumerate(auction.calls):
            if auction.seat_of(number) == auction.actor:
                before = Auction(auction.dealer, auction.vul, auction.calls[:number])
                hands = hands[self._table.choices(before, HandColumns(hands)).preferred() == call]
        return hands


def _typical(hands: Worlds) -> Worlds:
    """Of hands that make the same call, the one nearest to their mean in points and lengths: what a teacher
    would show."""
    columns = HandColumns(hands)
    points = np.asarray(columns.column(HCP), dtype=float) / POINTS_FOR_A_CARD
    lengths = [np.asarray(columns.column(LENGTH[suit]), dtype=float) for suit in "SHDC"]
    told = np.column_stack([points, *lengths])
    return np.asarray(hands[((told - told.mean(axis=0)) ** 2).sum(axis=1).argmin()])


def _lawful(text: str) -> Auction | None:
    """The auction, or None if a call of it is too low: lists of overcalls do not look at the opening."""
    auction = Auction(Seat.N)
    for word in text.split():
        call = Call.from_str(word)
        if not auction.is_legal(call):
            return None
        auction = auction.after(call)
    return auction
