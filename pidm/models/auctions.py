"""Many auctions at once, in arrays: what the laws allow in each, and what the player to call sees.

Most auctions are rare, so a model must see what they have in common: who bid which strain how high, whose
the last bid is, what would be a raise, a new suit, a cue bid. The raw bids stand beside that for the auctions
that are frequent. Players are counted from the one to call: me, left, partner, right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import CALLS

ME, LEFT, PARTNER, RIGHT = range(4)
BIDS = 35
"""Bids are numbered 0 to 34 here: calls less three."""
ROLES = 13
"""What a strain is to the player: notrump; the last suit of partner, me, right, left; the unbid suits, the
cheapest first; an earlier suit of partner, me, right, left."""
STEPS = 7
"""Jumps: the cheapest level of a strain, one above, and so on."""
KINDS = 3 + ROLES * STEPS
"""Relative kinds of calls: pass, double, redouble, then a strain's role and the jump in it."""
LAST = (PARTNER, ME, RIGHT, LEFT)
_LEVELS = np.arange(BIDS) // 5 + 1
_STRAINS = np.arange(BIDS) % 5

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int8]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class View:
    """What the players to call see, an auction a row."""

    inputs: Floats
    """float32[n, INPUTS], the auction and the vulnerability."""
    legal: npt.NDArray[np.bool_]
    """bool[n, 38], the calls that the laws allow."""
    kinds: npt.NDArray[np.intp]
    """intp[n, 38], the relative kind of each call."""
    suits: npt.NDArray[np.intp]
    """intp[n, 4], the last suits of partner, me, right and left as columns S H D C; -1: none."""

    def take(self, rows: npt.NDArray[np.intp]) -> View:
        """Some of them."""
        return View(self.inputs[rows], self.legal[rows], self.kinds[rows], self.suits[rows])


@dataclass(eq=False)
class Auctions:
    """Auctions that go on, a row each; seats are those of the table, strains count from clubs.

    Where nothing was bid, doubled or called, there is -1.
    """

    dealer: Ints
    vul: Ints
    """As `Vul`: 1 north and south, 2 east and west."""
    count: Ints
    """Calls so far."""
    trailing: Ints
    """Passes since the last other call."""
    bid: Ints
    """The last bid."""
    bidder: Ints
    doubled: Ints
    """0, 1 or 2: redoubled."""
    doubler: Ints
    """Who doubled or redoubled last."""
    opener: Ints
    opening: Ints
    named: Ints
    """int8[n, 2, 5], who of a side was the first to bid a strain."""
    highest: Ints
    """int8[n, 4, 5], the highest level at which a seat has bid a strain; 0 if it has not."""
    first: Ints
    """int8[n, 4], the first bid of each seat, and so on."""
    last: Ints
    last_suit: Ints
    last_call: Ints
    bids: Ints
    passes: Ints
    doubles: Ints
    doubled_level: Ints
    passed_first: Ints
    raw: Ints
    """int8[n, 5, 35], the bids that each seat has made, and last those that were doubled."""

    @classmethod
    def begun(cls, dealers: npt.ArrayLike, vuls: npt.ArrayLike) -> Auctions:
        """Auctions in which nobody has called."""
        dealer, vul = np.asarray(dealers, np.int8), np.asarray(vuls, np.int8)
        n = len(dealer)

        def none(*shape: int) -> Ints:
            return np.full((n, *shape), -1, np.int8)

        def zero(*shape: int) -> Ints:
            return np.zeros((n, *shape), np.int8)

        return cls(
            dealer=dealer,
            vul=vul,
            count=zero(),
            trailing=zero(),
            bid=none(),
            bidder=none(),
            doubled=zero(),
            doubler=none(),
            opener=none(),
            opening=none(),
            named=none(2, 5),
            highest=zero(4, 5),
            first=none(4),
            last=none(4),
            last_suit=none(4),
            last_call=none(4),
            bids=zero(4),
            passes=zero(4),
            doubles=zero(4),
            doubled_level=zero(4),
            passed_first=zero(4),
            raw=zero(5, BIDS),
        )

    @classmethod
    def of(cls, auction: Auction) -> Auctions:
        """One auction as it stands."""
        found = cls.begun([auction.dealer], [auction.vul])
        for call in auction.calls:
            found.call(np.zeros(1, np.intp), np.array([int(call)]))
        return found

    def __len__(self) -> int:
        return len(self.dealer)

    def take(self, rows: Rows) -> Auctions:
        """Some of them, each to go on by itself."""
        return Auctions(*(getattr(self, one.name)[rows] for one in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Auctions]) -> Auctions:
        """All of them together."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    @property
    def actor(self) -> Rows:
        """intp[n], the seats to call."""
        return (self.dealer.astype(np.intp) + self.count) & 3

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """bool[n], which have ended."""
        return np.asarray((self.count >= 4) & (self.trailing >= 3))

    def call(self, rows: Rows, calls: npt.NDArray[np.integer]) -> None:
        """Go on in these rows with these calls, which must be legal."""
        seats = self.actor[rows]
        self.passed_first[rows, seats] |= (self.last_call[rows, seats] < 0) & (calls == 0)
        self.last_call[rows, seats] = calls
        self.count[rows] += 1
        self.trailing[rows] = np.where(calls == 0, self.trailing[rows] + 1, 0)
        passed = calls == 0
        self.passes[rows[passed], seats[passed]] += 1
        self._double(*_those(calls, (calls > 0) & (calls < 3), rows, seats))
        self._bid(*_those(calls, calls >= 3, rows, seats))

    def _double(self, calls: Rows, rows: Rows, seats: Rows) -> None:
        self.doubles[rows, seats] += 1
        self.doubled_level[rows, seats] = self.bid[rows] // 5 + 1
        self.doubled[rows], self.doubler[rows] = calls, seats
        self.raw[rows, 4, self.bid[rows]] = 1

    def _bid(self, calls: Rows, rows: Rows, seats: Rows) -> None:
        bids = calls - 3
        strains = bids % 5
        self.bid[rows], self.bidder[rows], self.doubled[rows] = bids, seats, 0
        self.raw[rows, seats, bids] = 1
        self.bids[rows, seats] += 1
        self.highest[rows, seats, strains] = bids // 5 + 1
        self.last[rows, seats] = bids
        for known, values in ((self.first, bids), (self.last_suit, np.where(strains < 4, strains, -1))):
            old = known[rows, seats]
            keep = old >= 0 if known is self.first else values < 0
            known[rows, seats] = np.where(keep, old, values)
        begins = self.opener[rows] < 0
        self.opener[rows[begins]], self.opening[rows[begins]] = seats[begins], bids[begins]
        sides = seats & 1
        new = self.named[rows, sides, strains] < 0
        self.named[rows[new], sides[new], strains[new]] = seats[new]

    def contracts(self) -> tuple[Rows, Rows, Rows]:
        """Bid (-1 where all have passed), doubling and declarer if everybody passes now, intp[n] each."""
        declarers = self.named[
            np.arange(len(self)), np.maximum(self.bidder, 0) & 1, np.maximum(self.bid, 0) % 5
        ]
        return self.bid.astype(np.intp), self.doubled.astype(np.intp), declarers.astype(np.intp)

    # ------------------------------------------------------------------ as the player to call sees it

    def view(self) -> View:
        """What the players to call see."""
        n, actor = len(self), self.actor
        order = (actor[:, None] + np.arange(4)) & 3
        bid = self.bid.astype(np.intp)
        bidder = _from(self.bidder, actor)
        highest = np.take_along_axis(self.highest, order[:, :, None], axis=1)
        last_suit = np.take_along_axis(self.last_suit, order, axis=1).astype(np.intp)
        levels = np.where(bid[:, None] < 0, 1, (bid[:, None] + 5 - np.arange(5)) // 5 + 1)
        roles = _roles(bid, last_suit, highest)
        legal = np.zeros((n, len(CALLS)), bool)
        legal[:, 0] = True
        legal[:, 1] = ((bidder == LEFT) | (bidder == RIGHT)) & (self.doubled == 0)
        legal[:, 2] = ((bidder == ME) | (bidder == PARTNER)) & (self.doubled == 1)
        higher = legal[:, 3:] = np.arange(BIDS) > bid[:, None]
        kinds = np.zeros((n, len(CALLS)), np.intp)
        kinds[:, 1:3] = 1, 2
        jumps = np.minimum(_LEVELS - levels[:, _STRAINS], STEPS - 1)
        kinds[:, 3:] = np.where(higher, 3 + roles[:, _STRAINS] * STEPS + jumps, 0)
        suits = np.where(last_suit >= 0, 3 - last_suit, -1)[:, list(LAST)]
        raw = np.take_along_axis(self.raw[:, :4], order[:, :, None], axis=1)
        summary = self._summary(order, actor, bid, bidder, highest, levels, roles)
        inputs = np.empty((n, INPUTS), np.float32)
        at = 0
        for part in (*summary, raw, self.raw[:, 4]):
            columns = part.reshape(n, -1)
            inputs[:, at : at + columns.shape[1]] = columns
            at += columns.shape[1]
        return View(inputs, legal, kinds, suits)

    def _summary(
        self,
        order: Rows,
        actor: Rows,
        bid: Rows,
        bidder: Rows,
        highest: Ints,
        levels: Rows,
        roles: Rows,
    ) -> list[npt.NDArray[np.generic]]:
        """The auction in numbers of the order of one, some columns a part."""

        def seen(values: Ints) -> Ints:
            return np.take_along_axis(values, order, axis=1)

        def here(values: Ints) -> npt.NDArray[np.bool_]:
            return np.asarray(_from(values, actor)[:, None] == np.arange(4))

        first, last, last_call = seen(self.first), seen(self.last), seen(self.last_call)
        bids, doubles = seen(self.bids), seen(self.doubles)
        each = [_one_of(last), _level(last), _one_of(first), _level(first)]
        each += [bids / 2, np.minimum(seen(self.passes), 3) / 2, doubles > 0, doubles / 2]
        each += [seen(self.doubled_level) / 4, seen(self.passed_first)]
        each += [last_call[:, :, None] == np.arange(3), bidder[:, None] == np.arange(4), here(self.opener)]
        players = np.concatenate([one.reshape(len(self), 4, -1) for one in each], axis=2)
        acted = bids + doubles > 0
        we, they = acted[:, ME] | acted[:, PARTNER], acted[:, LEFT] | acted[:, RIGHT]
        ours, theirs = self.vul >> (actor & 1) & 1, self.vul >> (1 - (actor & 1)) & 1
        return [
            np.stack([ours, theirs], axis=1),
            np.stack([np.minimum(self.count, 12) / 6, self.trailing / 3, self.count == 0], axis=1),
            highest / 4,
            highest > 0,
            players,
            _one_of(self.opening),
            _level(self.opening),
            np.stack([self.doubled == 1, self.doubled == 2, bid >= 0], axis=1),
            bid[:, None] // 5 == np.arange(7),
            _one_of(bid),
            levels / 4,
            np.stack([we, they, we & they, ~acted[:, ME], ~acted[:, PARTNER]], axis=1),
            here(self.doubler)[:, [PARTNER, RIGHT, ME]],
            roles[:, :4, None] == np.arange(1, 6),
        ]


def _those(
    calls: npt.NDArray[np.integer], which: npt.NDArray[np.bool_], rows: Rows, seats: Rows
) -> tuple[Rows, Rows, Rows]:
    return calls[which].astype(np.intp), rows[which], seats[which]


def _from(seats: Ints, actor: Rows) -> Rows:
    """Seats counted from the actor."""
    return np.where(seats >= 0, (seats - actor) & 3, -1)


def _one_of(bids: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Which strain a bid has, clubs first."""
    return np.asarray((bids[..., None] >= 0) & (bids[..., None] % 5 == np.arange(5)))


def _level(bids: Ints) -> npt.NDArray[np.float64]:
    return np.where(bids >= 0, (bids // 5 + 1) / 4, 0.0)


def _roles(bid: Rows, last_suit: Rows, highest: Ints) -> Rows:
    """intp[n, 5], what each strain, clubs first, is to the player to call."""
    rows = np.arange(len(bid))
    roles = np.full((len(bid), 5), -1, np.intp)
    roles[:, 4] = 0
    for number, player in enumerate(LAST, 1):
        suit = last_suit[:, player]
        new = (suit >= 0) & (roles[rows, suit] < 0)
        roles[rows[new], suit[new]] = number
    suits = roles[:, :4]
    for number, player in enumerate(LAST, 9):
        suits[(highest[:, player, :4] > 0) & (suits < 0)] = number
    unbid = suits < 0
    height = np.where(bid[:, None] < 0, np.arange(4), (np.arange(4) - bid[:, None] - 1) % 5)
    cheaper = (unbid[:, None, :] & (height[:, None, :] < height[:, :, None])).sum(axis=2)
    suits[unbid] = 5 + cheaper[unbid]
    return roles


INPUTS = 2 + 3 + 20 + 20 + 4 * 23 + 6 + 3 + 7 + 5 + 5 + 5 + 3 + 20 + 5 * BIDS
"""Numbers that describe an auction."""
