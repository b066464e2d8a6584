"""What hands really have that make a call, where a player with experience goes beyond what it shows.

The rules say what was agreed. With experience a call is also made with other hands, where that has gained,
and who is told only what was agreed is told too little. So a crowd of random hands is asked for its calls,
and a range is told anew where one hand in twenty lies below, or one in twenty above, what the call shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pidm.bridge.calls import PASS, Call, Seat
from pidm.features import Bounds, Feature, HandColumns
from pidm.language.meaning import HCP, LENGTH
from pidm.language.rules import Rule
from pidm.language.system import System
from pidm.language.words import words_of
from pidm.play.alike import Alike
from pidm.play.experienced import conventional, experience_of, nearest, ruled_out
from pidm.reading.inference import updated
from pidm.reading.situation import Situation
from pidm.reading.table import Table

if TYPE_CHECKING:  # what only experience needs is imported there: a rule decision should not wait for it
    from pidm.models.experience import Experience

BEYOND = 0.05
"""The share of the hands that must lie below, or above, what a call shows."""
FEWEST = 12.0
"""With fewer hands of the crowd than this, effectively, there is nothing to tell."""

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CallsInPlay:
    """How one player with experience really calls, where nothing is simulated."""

    experience: Experience
    alike: Alike | None = None
    """Where it holds, if it was gathered with another card than is played."""

    def words(self, situation: Situation, call: Call) -> str:
        """What hands have that make the call, as far as that goes beyond what it shows; else empty."""
        found = self.beyond(situation, call)
        return words_of(found) if found else ""

    def beyond(self, situation: Situation, call: Call) -> Bounds:
        """The points and lengths where hands that make the call go beyond what it shows; the ranges hold for
        what was agreed, too."""
        meant = situation.meaning_of(call)
        agreed = {what: meant.shown[what] for what in _held() if what in meant.shown}
        if not meant.rules or not agreed or not self._holds(situation, call):
            return {}
        if HCP in agreed:  # what earlier calls have shown counts, as on the card
            agreed[HCP] = updated(situation.bounds[situation.me], {HCP: agreed[HCP]})[HCP]
        made = self._ranges(situation).get(call, {})
        found: Bounds = {}
        for what, (low, high) in agreed.items():
            least, most = made.get(what, (low, high))
            if least < low or most > high:
                found[what] = min(low, least), max(high, most)
        return found

    def _holds(self, situation: Situation, call: Call) -> bool:
        """Is the call one that experience may speak of?"""
        return self.alike is None or (self.alike.so_far(situation) and self.alike.says(situation, call))

    def _ranges(self, situation: Situation) -> dict[Call, Bounds]:
        """What the hands of the crowd have that make each call here, without the least and the most."""
        found: dict[Call, Bounds] | None = situation.derived.get(self)
        if found is None:
            found = situation.derived[self] = self._asked(situation)
        return found

    def _asked(self, situation: Situation) -> dict[Call, Bounds]:
        """Every hand of the crowd that may sit here makes its call, by rules and experience."""
        from pidm.models.scout import crowd_hands

        auction = situation.auction
        rows, weights = self.experience.pair.crowd(auction, auction.actor)
        if _effective(weights) < FEWEST:
            return {}
        masks = crowd_hands()[rows]
        choices = situation.choices(HandColumns(masks)).or_else(PASS)
        first = choices.mask.argmax(axis=1)
        own = np.array([proposal.action for proposal in choices.proposals], np.intp)[first]
        stands = np.array([_of_convention(proposal.source) for proposal in choices.proposals], bool)[first]
        values = self.experience.in_auction(auction, masks, own)
        each = np.arange(len(own))
        kept = values[each, own]
        foreign = [call for call in situation.legal if not self._holds(situation, call)]
        values[:, [*foreign, *(call for call in situation.legal if ruled_out(situation, call))]] = -np.inf
        values[each, own] = kept
        stands |= np.isin(own, foreign)
        made = np.where(stands, own, values.argmax(axis=1))
        found = {}
        for number in np.unique(made):
            mine = np.flatnonzero(made == number)
            if _effective(weights[mine]) >= FEWEST:
                found[Call(int(number))] = {
                    what: _range(held[rows[mine]], weights[mine]) for what, held in _held().items()
                }
        return found


def in_play_of(table: Table, known: Mapping[System, CallsInPlay] | None = None) -> dict[Seat, CallsInPlay]:
    """How those at a table really call who bid with experience: what is known of whoever plays a system; if
    nothing is said, what ships with the systems."""
    found = {}
    for seat, system in zip(Seat, table.systems):
        held = _shipped(system) if known is None else known.get(system)
        if held is not None:
            found[seat] = held
    return found


def _shipped(system: System) -> CallsInPlay | None:
    """How a pair with the experience that ships calls."""
    exact = experience_of(None, system)
    held = nearest(system) if exact is None else (exact, None)
    return None if held is None else CallsInPlay(*held)


@lru_cache(maxsize=1)
def _held() -> dict[Feature, npt.NDArray[np.int64]]:
    """What the hands of the crowd have."""
    from pidm.features.cards import CARDS
    from pidm.models.inputs import HCP as POINTS
    from pidm.models.scout import crowd_hands

    hands = crowd_hands()
    lengths = {LENGTH[suit]: CARDS.length[hands[:, k]].astype(np.int64) for k, suit in enumerate("SHDC")}
    return {HCP: POINTS[hands].sum(axis=1, dtype=np.int64), **lengths}


def _of_convention(source: object) -> bool:
    return isinstance(source, Rule) and conventional(source)


def _effective(weights: Weights) -> float:
    """As how many hands of the same weight these count."""
    return float(weights.sum() ** 2 / max((weights**2).sum(), 1e-300))


def _range(held: npt.NDArray[np.int64], weights: Weights) -> tuple[float, float]:
    """Without the least and the most of them."""
    order = np.argsort(held, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    low, high = np.minimum(np.searchsorted(reached, (BEYOND, 1 - BEYOND)), len(order) - 1)
    return float(held[order[low]]), float(held[order[high]])
