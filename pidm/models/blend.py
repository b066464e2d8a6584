"""A learned pair beside a system: what few records do not tell, the rules of a system may.

From a club evening a network learns little, and most pairs bid much like a system that is known. So the
chances of a call are a mixture of what was learned and what the rules say; how much of each is found on deals
that were set aside.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.dealing import Shown
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.features import HandColumns
from pidm.models.context import context
from pidm.models.inputs import Floats, Masks
from pidm.models.learned_pair import LearnedPair
from pidm.models.scout import CROWD, FAINT, Crowd, crowd_hands
from pidm.reading.bridge_game import Bridge, as_shown
from pidm.reading.table import Table


def rule_chances(choices: Choices, legal: npt.NDArray[np.bool_], stray: float) -> Floats:
    """float32[n, 38], what a system proposes as chances: open calls share, the preferred one most; with a
    chance of `stray` a player does something else."""
    chances = np.zeros((len(choices), 38), np.float32)
    for place, action in enumerate(choices.actions):
        if action >= 0 and legal[action]:
            chances[:, action] += choices.table[:, place]
    best = choices.preferred()
    rows = np.flatnonzero((best >= 0) & legal[np.maximum(best, 0)])
    chances[rows, best[rows]] += 1
    chances[chances.sum(axis=1) == 0, 0] = 1
    chances /= chances.sum(axis=1, keepdims=True)
    return np.asarray((1 - stray) * chances + stray * legal / legal.sum(), dtype=np.float32)


class BlendedPair:
    """A learned pair that is taken to bid by a system where its records say little."""

    def __init__(self, pair: LearnedPair, table: Table) -> None:
        """The system is the one that the seats of the pair have at this table."""
        self.pair = pair
        self.table = table
        self.origin = pair.origin
        """Where it comes from."""
        self._game = Bridge(table)

    def probabilities(self, auction: Auction, masks: Masks) -> Floats:
        """float32[n, 38], how likely each call is for hands uint16[n, 4] that are to call here."""
        trust = self.origin.trust
        rules = rule_chances(
            self.table.choices(auction, HandColumns(masks)), context(auction).legal, self.origin.stray
        )
        return np.asarray(trust * self.pair.probabilities(auction, masks) + (1 - trust) * rules)

    def likelihood(self, history: Auction, columns: Columns, action: int) -> npt.NDArray[np.float64]:
        """float[n], how likely the pair makes this call with each hand."""
        assert isinstance(columns, HandColumns)
        return self.probabilities(history, columns.masks)[:, action].astype(float)

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """The likeliest call of each hand."""
        assert isinstance(columns, HandColumns)
        best = self.probabilities(history, columns.masks).argmax(axis=1)
        calls = np.unique(best)
        proposals = tuple(Proposal(int(call), self, place) for place, call in enumerate(calls))
        return Choices(proposals, best[:, None] == calls)

    def shown(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> Shown:
        """Ranges that hold for nearly all hands with which the pair calls like this, by either account."""
        one = self.pair.shown(history, seat, ignore)
        other = as_shown(self._game.covering(history, seat, ignore))
        lengths = tuple((min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(one.lengths, other.lengths))
        hcp = min(one.hcp[0], other.hcp[0]), max(one.hcp[1], other.hcp[1])
        return Shown(hcp, lengths)  # type: ignore[arg-type]

    def crowd(self, history: Auction, seat: int) -> Crowd:
        """The random hands of `crowd_hands` with which the seat would have called like this, by number, and
        how likely each does."""
        weights = np.ones(CROWD)
        for place, call in enumerate(history.calls):
            if history.seat_of(place) == seat:
                before = Auction(history.dealer, history.vul, history.calls[:place])
                weights *= self.probabilities(before, crowd_hands())[:, call]
        rows = np.flatnonzero(weights >= FAINT * weights.max())
        return rows, weights[rows]

    def share(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> float:
        """How likely a hand of which nothing is known calls like this."""
        return self.pair.share(history, seat, ignore)


def beside(pair: LearnedPair, table: Table) -> LearnedPair | BlendedPair:
    """The pair, with the system of its seats where its records say little."""
    return pair if pair.origin.trust >= 1 else BlendedPair(pair, table)
