"""What a final contract is worth in each world.

Four ways to guess the tricks, from the paper's rules of thumb to double dummy, behind one interface; and the
layer that turns the scores of several candidates into IMPs or matchpoints, for choosing between them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import STRAINS, Contract, Vul
from pidm.bridge.doubledummy import DoubleDummy, warm_up
from pidm.bridge.scoring import imps, score_table
from pidm.bridge.tricks import TrickEstimator, trick_estimator
from pidm.bridge.worlds import Worlds
from pidm.errors import PidmError
from pidm.features.cards import CARDS
from pidm.features.high_cards import hcp

Scores = npt.NDArray[np.float64]
Form = Literal["points", "imps", "matchpoints"]
"""How candidates are compared."""

_TIE = 5.0
"""Scores nearer than this are equal: real ones differ by ten, expected ones by noise."""


class Utility(ABC):
    """Scores contracts over batches of worlds."""

    name: ClassVar[str]
    """How options call it."""

    @property
    @abstractmethod
    def cost(self) -> float:
        """About how many seconds one contract in one world takes."""

    @abstractmethod
    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Scores:
        """The tricks that declarer is expected to take, float64[n]."""

    def scores(self, contract: Contract | None, vul: Vul, worlds: Worlds) -> Scores:
        """What declarer's side scores in each world, float64[n]; nothing when all have passed."""
        if contract is None:
            return np.zeros(len(worlds))
        tricks = self.tricks(worlds, contract.strain, contract.declarer)
        return _row(contract, vul)[tricks.astype(np.intp)]

    def evaluate(self, history: Auction, worlds: Worlds, seat: int) -> Scores:
        """What the side of `seat` scores in each world if everybody passes from here, float64[n]."""
        contract = history.contract
        scores = self.scores(contract, history.vul, worlds)
        return scores if _declares(contract, seat) else -scores

    def key(self, history: Auction) -> tuple[Contract | None, Vul]:
        """What the scores depend on besides the cards: auctions with equal keys are worth the same."""
        return history.contract, history.vul


class LosingTricks(Utility):
    """The losing-trick count of section 5.1.2.

    Declarer's A K Q and cards past the third of a suit are winners, the rest losers; dummy's A K Q in the
    same suit each cover one of them. The strain plays no part.
    """

    name = "ltc"
    cost = 1e-7

    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Scores:
        """The cards that are not losers, or are covered."""
        losers = _LOSERS[worlds[:, declarer]].astype(np.int64)
        covers = _COVERS[worlds[:, (declarer + 2) & 3]]
        return cast("Scores", (13 - np.maximum(losers - covers, 0).sum(axis=1)).astype(np.float64))


class TotalTricks(Utility):
    """The simplified total tricks of footnote 11: three points are a trick, and so is every trump.

    A side with half of the points takes as many tricks as it has trumps, and one more or less for every three
    points; without trumps, one for every three points.
    """

    name = "total_tricks"
    cost = 1e-7

    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Scores:
        """Trumps and points of both hands, to the nearest trick."""
        points = _POINTS[worlds[:, [declarer, (declarer + 2) & 3]]].sum(axis=(1, 2), dtype=np.int64)
        if strain == "N":
            tricks = points / 3
        else:
            suit = STRAINS.index(strain)
            ours = worlds[:, declarer, suit] | worlds[:, (declarer + 2) & 3, suit]
            tricks = CARDS.length[ours] + (points - 20) / 3
        return cast("Scores", np.rint(tricks).clip(0, 13))


class Estimate(Utility):
    """The fitted estimate: the mean score over all numbers of tricks that may come."""

    name = "estimate"
    cost = 1e-6

    def __init__(self, estimator: TrickEstimator | None = None) -> None:
        self.estimator = estimator or trick_estimator()
        """What guesses the tricks."""

    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Scores:
        """The mean number of tricks."""
        return self.estimator.expected(worlds, strain, declarer).astype(np.float64)

    def scores(self, contract: Contract | None, vul: Vul, worlds: Worlds) -> Scores:
        """The mean score, which is not the score of the mean number of tricks."""
        if contract is None:
            return np.zeros(len(worlds))
        chances = self.estimator.distribution(worlds, contract.strain, contract.declarer)
        # Rounded, because the last bits of the sum depend on the size of the batch.
        return cast("Scores", np.round(chances @ _row(contract, vul), 6))


class Dds(Utility):
    """Double dummy: what perfect play by all would bring."""

    name = "dds"

    def __init__(self, threads: int | None = None) -> None:
        """Solve on this many threads, by default on all processors."""
        warm_up()
        self.solver = DoubleDummy(threads)
        """What solves, and remembers."""

    @property
    def cost(self) -> float:
        """About how many seconds one new contract takes, as measured so far."""
        return self.solver.cost

    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Scores:
        """The double-dummy tricks."""
        return self.solver.tricks(worlds, strain, declarer).astype(np.float64)

    def within(self, history: Auction, worlds: Worlds, seat: int, seconds: float) -> Scores:
        """What `evaluate` says, as far as it is found out in this time; NaN elsewhere."""
        contract = history.contract
        if contract is None:
            return np.zeros(len(worlds))
        tricks = self.solver.tricks_within(worlds, contract.strain, contract.declarer, seconds)
        known = ~np.isnan(tricks)
        scores = np.full(len(worlds), np.nan)
        scores[known] = _row(contract, history.vul)[tricks[known].astype(np.intp)]
        return scores if _declares(contract, seat) else -scores


class Guarded(Utility):
    """Another utility, for wide candidates: opponents double what goes down.

    Our undoubled contracts count as doubled in the worlds where they are well down. A simulation whose
    opponents are too kind to double would otherwise bid whatever sounds good; models learned from records are
    too kind as well, where we jump to games and slams that their records have not seen.
    """

    name = "guarded"

    def __init__(self, base: Utility) -> None:
        self.base = base
        """What values contracts as they are."""

    @property
    def cost(self) -> float:
        """About how many seconds one contract in one world takes."""
        return 2 * self.base.cost

    def tricks(self, worlds: Worlds, strain: str, declarer: int) -> Scores:
        """The tricks that declarer is expected to take."""
        return self.base.tricks(worlds, strain, declarer)

    def evaluate(self, history: Auction, worlds: Worlds, seat: int) -> Scores:
        """What the side of `seat` scores if everybody passes, or somebody doubles what is well down."""
        scores, contract = self.base.evaluate(history, worlds, seat), history.contract
        if contract is None or contract.doubled or not _declares(contract, seat):
            return scores
        short = contract.level + 6 - self.tricks(worlds, contract.strain, contract.declarer)
        down = np.flatnonzero(short >= WELL_DOWN)
        if len(down):
            doubled = replace(contract, doubled=1)
            scores = scores.copy()
            scores[down] = self.base.scores(doubled, history.vul, worlds[down])
        return scores


WELL_DOWN = 1.5
"""Tricks short, on average, from which on a contract counts as doubled."""
_UTILITIES: dict[str, type[Utility]] = {
    kind.name: kind for kind in (LosingTricks, TotalTricks, Estimate, Dds)
}
NAMES = tuple(_UTILITIES)
"""The names of all utilities."""


def utility(name: str) -> Utility:
    """The utility of this name: `ltc`, `total_tricks`, `estimate` or `dds`."""
    kind = _UTILITIES.get(name)
    if kind is None:
        raise PidmError(f"{name!r} is no utility; expected one of {', '.join(NAMES)}")
    return kind()


def compare(scores: Scores, form: Form = "points") -> Scores:
    """What each candidate is worth in each world, [candidates, worlds], for choosing the best mean.

    In points these are the scores themselves. IMPs and matchpoints are won against somebody, and the one to
    beat is who makes the best call on the same cards: so each candidate is compared with the one that none of
    the others beats on average. Its own row is zero, and the others tell what they would lose against it, in
    IMPs or in fractions of a matchpoint. Should they beat each other in a circle, the last one reached is the
    measure.
    """
    if form == "points":
        return scores
    against = versus(form)
    assert against is not None
    values = against(scores, scores[int(np.argmax(scores.mean(axis=1)))])
    for _ in scores:
        best = int(np.argmax(values.mean(axis=1)))
        if values[best].mean() <= 0:
            break
        values = against(scores, scores[best])
    return values


def versus(form: Form) -> Callable[[Scores, Scores], Scores] | None:
    """What scores [candidates, worlds] win against those of a rival, [worlds]; None for points as such."""
    forms = {"points": None, "imps": _imps_against, "matchpoints": _matchpoints_against}
    if form not in forms:
        raise PidmError(f"{form!r} is no form of scoring; expected {', '.join(forms)}")
    return forms[form]


def _imps_against(scores: Scores, rival: Scores) -> Scores:
    difference = scores - rival
    unknown = np.isnan(difference)
    won: Scores = imps(np.where(unknown, 0.0, difference)).astype(np.float64)
    won[unknown] = np.nan
    return won


def _matchpoints_against(scores: Scores, rival: Scores) -> Scores:
    difference = scores - rival
    return cast("Scores", np.where(np.abs(difference) < _TIE, 0.0, np.sign(difference) / 2))


def _declares(contract: Contract | None, seat: int) -> bool:
    """Does this side score what the contract brings?"""
    return contract is None or (contract.declarer ^ seat) & 1 == 0


def _row(contract: Contract, vul: Vul) -> Scores:
    """What declarer's side scores by number of tricks, float64[14]."""
    vulnerable = int(vul.of(contract.declarer))
    return cast("Scores", score_table()[contract.bid, contract.doubled, vulnerable].astype(np.float64))


_COVERS = CARDS.count("AKQ")
_LOSERS = np.maximum(np.minimum(CARDS.length, 3) - _COVERS, 0)
_POINTS = hcp(CARDS)
