"""Experience's part in a decision: where a call has gained on that of the rules on millions of deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pidm.authoring.fit import fit
from pidm.bridge.calls import PASS, Call
from pidm.core.choices import Choices, DecidedBy, Proposal
from pidm.errors import PidmError
from pidm.language.finding import shipped
from pidm.language.rules import LAYERS, Rule
from pidm.language.system import System
from pidm.play.alike import Alike
from pidm.play.asked import Asked, candidates_of
from pidm.play.decision import Candidate, Decision
from pidm.play.others import LEFT, PARTNER, RIGHT, Others
from pidm.play.reasons import experienced
from pidm.reading.judgement import Width
from pidm.reading.situation import Situation

if TYPE_CHECKING:  # what only experience needs is imported there: a rule decision should not wait for it
    from pidm.models.experience import Experience, Known
    from pidm.models.learned_pair import LearnedPair
    from pidm.models.mixture import Mixture

Look = Callable[[Sequence[Decision]], Sequence[Decision]]
"""Looks again at decisions of the rules."""

SETTLED = DecidedBy.REFINEMENT, DecidedBy.MODEL
"""Decisions that stand."""


SLAM = 6
"""A slam is where we play, whatever was shown."""
REACH = {Width.JUDGEMENT: 1.5, Width.GAMES: 2.5, Width.WIDE: 4.0}
"""IMPs that a call may be worth less than the best and still be weighed."""
SURE = 1.0
"""IMPs that the system's call is worth more than all others if no look is needed beside it."""
OPEN = {Width.JUDGEMENT: 4, Width.GAMES: 6, Width.WIDE: 8}
"""So many calls are weighed at most, besides the system's own."""


@dataclass(frozen=True, eq=False)
class Experienced:
    """A player with experience, who otherwise bids by rules and the look."""

    experience: Experience
    disclosed: bool = False
    """Whether only calls are made whose stated meaning the hand fits."""
    width: Width = Width.JUDGEMENT
    """How many calls are weighed."""
    tries: bool = False
    """Whether calls are simulated before they are made; if not, what a convention says is left alone."""
    alike: Alike | None = None
    """Where it holds, if it was gathered with another card than is played."""

    def revised(self, decisions: Sequence[Decision], look: Look) -> list[Decision]:
        """The decisions, with another call where experience or `look` speaks for it, all asked together."""
        return [one for one, _ in self.weighed(decisions, look)]

    def weighed(self, decisions: Sequence[Decision], look: Look) -> list[tuple[Decision, dict[Call, float]]]:
        """The decisions of the rules, with another call where experience or `look` speaks for it; and with
        each, the calls that a simulation should weigh, the best first, with what they are worth in IMPs. All
        are asked together."""
        start = time.perf_counter()
        asked = [k for k, one in enumerate(decisions) if one.by not in SETTLED]
        result: list[tuple[Decision, dict[Call, float]]] = [(one, {}) for one in decisions]
        if self.alike is not None:
            foreign = [k for k in asked if not self.alike.so_far(decisions[k].situation)]
            for k, after in zip(foreign, look([decisions[k] for k in foreign]) if foreign else ()):
                result[k] = after, {}
            asked = sorted({*asked}.difference(foreign))
        if not asked:
            return result
        known = self.experience.known(
            [decisions[k].auction for k in asked], np.stack([decisions[k].hand.array for k in asked])
        )
        found, values = self._looked([decisions[k] for k in asked], known, look)
        gains = known.gains
        each = (time.perf_counter() - start) / len(asked)
        for place, k in enumerate(asked):
            before = replace(found[place], seconds=decisions[k].seconds + each)
            worth = self._open(before, values[place])
            best = next(iter(worth))
            after = before
            if best != before.call:
                gain = float(gains[place, best] - gains[place, before.call])
                after = _changed(before, best, gain, self.experience)
            result[k] = after, worth
        return result

    def _looked(
        self, decisions: Sequence[Decision], known: Known, look: Look
    ) -> tuple[list[Decision], npt.NDArray[np.float64]]:
        """The decisions with what the look finds, and what calls are worth beside those. A look takes longer
        than all the rest, and where experience is sure of the system's call nothing comes of it."""
        found, own = list(decisions), np.array([int(one.call) for one in decisions])
        values = known.beside(own)
        rows = np.arange(len(own))
        unsure = rows.tolist()
        if not self.tries:
            others = values.copy()
            others[rows, own] = -np.inf
            unsure = np.flatnonzero(values[rows, own] < others.max(axis=1) + SURE).tolist()
        if unsure:
            for row, after in zip(unsure, look([decisions[row] for row in unsure])):
                found[row] = after
            now = np.array([int(one.call) for one in found])
            other = np.flatnonzero(now != own)
            values[other] = known.take(other).beside(now[other])
        return found, values

    def _open(self, decision: Decision, values: npt.NDArray[np.float64]) -> dict[Call, float]:
        """What calls are worth that are about as good as the best, the best first; always the
        system's own, if another one is the best."""
        found: dict[Call, float] = {}
        if self.alike is not None and not self.alike.says(decision.situation, decision.call):
            return {decision.call: float(values[decision.call])}
        for number in np.argsort(-values, kind="stable"):
            call, value = Call(int(number)), float(values[number])
            near = not found or value >= next(iter(found.values())) - REACH[self.width]
            if len(found) == OPEN[self.width] or not near or value == -np.inf:
                break
            if call == decision.call or self._may(decision, call):
                found[call] = value
        own = decision.system_call
        if own is not None and values[own] > -np.inf and next(iter(found)) != own:
            found.setdefault(own, float(values[own]))
        return found

    def _may(self, decision: Decision, call: Call) -> bool:
        """May a call be made instead of that of rules and look? Agreements come first: no pass of what is
        forcing, and nothing that the system forbids or that what we have shown excludes."""
        if not self.tries and decision.by is DecidedBy.RULE:
            rules = decision.system[0].rules if decision.system else ()
            if rules and conventional(rules[0]):
                return False
        if ruled_out(decision.situation, call):
            return False
        if self.alike is not None and not self.alike.says(decision.situation, call):
            return False
        return not self.disclosed or fit(decision.situation, call, decision.hand).fits


def conventional(rule: Rule) -> bool:
    """Is it a rule of a convention? Its answers come up too rarely for networks to know them."""
    return rule.block.layer == LAYERS["convention"]


def ruled_out(situation: Situation, call: Call) -> bool:
    """Is it a pass of what is forcing, or what the system forbids, or what our own calls exclude?"""
    if call in situation.forbidden or (call == PASS and situation.forced):
        return True
    return situation.excludes(call) and not (call.is_bid and call.level >= SLAM)


def _changed(before: Decision, call: Call, gain: float, experience: Experience) -> Decision:
    """Another call than before, because it gains that much."""
    kept = next((one for one in before.candidates if one.call == before.call), before.candidates[0])
    return replace(
        before,
        call=call,
        by=DecidedBy.EXPERIENCE,
        candidates=(Candidate(call, (), round(gain, 3)), replace(kept, mean=0.0, standard_error=None)),
        reason=partial(
            experienced,
            before.situation,
            before.columns,
            before.system,
            before.call,
            call,
            gain,
            experience.pair,
        ),
    )


def valued(decision: Decision, worth: Mapping[Call, float]) -> Asked:
    """What a decision has answered as a question, with the calls open that experience has valued, the
    system's own first."""
    own = decision.system_call
    worth = dict(sorted(worth.items(), key=lambda one: one[0] != own))
    rules = {one.call: one.rules for one in (*decision.candidates, *decision.system)}
    proposals = tuple(
        Proposal(int(call), source, place)
        for place, call in enumerate(worth)
        for source in rules.get(call) or (None,)
    )
    choices = Choices(proposals, np.ones((1, len(proposals)), dtype=bool))
    return Asked(
        decision.hand,
        decision.auction,
        decision.situation,
        decision.columns,
        choices,
        candidates_of(choices),
        decision.system,
        decision.seconds,
    )


@dataclass(frozen=True, eq=False)
class Everybody:
    """Whom simulations take the four for."""

    players: Mapping[int, Experience | Mixture]
    """How they go on, by how many seats to my left they sit; I am 0."""
    by_rules: frozenset[int] = frozenset()
    """Those whose calls so far are read as what their system says."""

    @property
    def likely(self) -> dict[int, LearnedPair]:
        """Those whose calls so far are as likely as their networks say."""
        return {turn: one.pair for turn, one in self.players.items() if turn and turn not in self.by_rules}


def everybody(
    mine: Experience, system: System, others: Others, alike: Alike | None = None
) -> Everybody | None:
    """Whom simulations take the four for: players with experience, or learned from records; None if partner
    is known by rules only, for he answers by these, or somebody by a model that is no network.

    Of whom nothing is known, he is taken to have my experience: a strong player, who doubles what goes down.
    So is an opponent whose system is known and nothing else, but what he has called is read by his rules; so
    are opponents who play my card, if my experience was gathered with another.
    """
    found: dict[int, Experience | Mixture] = {0: mine}
    by_rules = set()
    for turn, other in ((LEFT, others.left), (PARTNER, others.partner), (RIGHT, others.right)):
        model = others.models.get(turn)
        known: Experience | Mixture | None
        if model is not None:
            known = _known(model, experience_of(None, other) or mine)
        else:
            known = mine if other is system else experience_of(None, other)
        if known is None and (model is not None or turn == PARTNER):
            return None
        if known is None:
            by_rules.add(turn)
        if known is mine and alike is not None and turn != PARTNER:
            by_rules.add(turn)
        found[turn] = known or mine
    return Everybody(found, frozenset(by_rules))


def _known(model: LearnedPair, beside: Experience) -> Experience | Mixture | None:
    """A learned pair; what few records do not tell, the habit of these players tells, who play its system or
    at least bid naturally."""
    from pidm.models.experience import Experience, Habitual
    from pidm.models.mixture import Mixture
    from pidm.models.network import Network

    if isinstance(model.network, Habitual):
        return model.network.experience
    if not isinstance(model.network, Network):
        return None
    learned, trust = Experience(model.network), model.origin.trust
    if trust >= 1:
        return learned
    return Mixture((learned, Experience(beside.habit)), (trust, 1 - trust), model.origin)


def experience_of(what: Experience | str | Path | None, system: System) -> Experience | None:
    """The experience that is meant: that of a file, none for an empty text, and without a word what ships
    with the system, if it is played by the card with which it was learned."""
    if what == "":
        return None
    if what is None:
        place = shipped() / "experience" / f"{system.name}.npz"
        files = system.spec.files
        if not (place.exists() and files and all(file.is_relative_to(shipped()) for file in files)):
            return None
        found = loaded(place)
        return found if found.about.get("card") == sorted(system.conventions) else None
    if not isinstance(what, str | Path):
        return what
    found = loaded(Path(what))
    learned = found.about.get("system", system.name)
    if learned != system.name:
        raise PidmError(f"{what} is experience with {learned}, expected one with {system.name}")
    return found


def nearest(system: System) -> tuple[Experience, Alike] | None:
    """What ships with the system from which this one was made, by another card or in a file that goes on from
    it, and where it holds."""
    for place in sorted((shipped() / "experience").glob("*.npz")):
        if shipped() / place.stem / "system.yaml" in system.spec.files:
            return loaded(place), _alike(place.stem)
    return None


@lru_cache(maxsize=4)
def _alike(name: str) -> Alike:
    """What others may have in common with a shipped system by its usual card."""
    return Alike(System.load(name))


@lru_cache(maxsize=4)
def loaded(path: Path) -> Experience:
    """The experience of a file, read once."""
    from pidm.models.experience import Experience

    return Experience.load(path)
