"""Why a call was made, in plain words: what the system says, what was weighed, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pidm.authoring.card_line import kinds_of_hand_alone, line_of_box
from pidm.authoring.explain import title_of
from pidm.authoring.fit import fit
from pidm.bridge.calls import PASS, Call
from pidm.features import HandColumns
from pidm.language.finding import short_place
from pidm.language.rules import Rule
from pidm.language.words import ANY_HAND
from pidm.play.count_words import CountedHand, counted, kind_of
from pidm.play.decision import Candidate
from pidm.reading.situation import Situation

if TYPE_CHECKING:
    from pidm.core.search import SearchResult
    from pidm.models.learned_pair import LearnedPair
    from pidm.reading.look import Seen


def because(situation: Situation, columns: HandColumns, candidate: Candidate) -> str:
    """The rule in words: the part of it that this hand fits."""
    rule = candidate.rules[0]
    hand = CountedHand.of(situation, columns)
    kind = kind_of(situation, hand, rule)
    meaning = f" with {line_of_box(kind)}" if kind is not None else ""
    said = f"The system says {candidate.call}{meaning} ({_named(rule)})"
    count = counted(situation, hand, candidate.call, rule)
    # What the count explains need not be told twice.
    return f"{said}; {count}" if count else f"{said}{_aside(situation, hand, candidate.call)}"


def preferred(situation: Situation, columns: HandColumns, system: Sequence[Candidate]) -> str:
    """The system leaves several calls open, and nothing was simulated."""
    hand = CountedHand.of(situation, columns)
    said = f"{_system_says(situation, hand, system)} and prefers {system[0].call}"
    return f"{said}{_aside(situation, hand, system[0].call)}"


def weighed(
    situation: Situation,
    columns: HandColumns,
    system: Sequence[Candidate],
    ranked: Sequence[Candidate],
    result: SearchResult,
    unit: str,
    credit: float | None = None,
    learned: LearnedPair | None = None,
) -> str:
    """What the system says, what the simulation found, `credit` of which is to be believed, and how the hand
    lies to what the call shows; with experience, what it shows by what was `learned`."""
    call = ranked[0].call
    hand = CountedHand.of(situation, columns)
    worth = _worth(ranked[0], ranked[1], system, result, unit, credit)
    said = f"{_system_says(situation, hand, system)}{worth}"
    if call in {one.call for one in system}:
        return f"{said}{_aside(situation, hand, call)}"
    return f"{said}{_by_experience(situation, call, learned)}. {_shows(situation, call, columns)}"


def _by_experience(situation: Situation, call: Call, learned: LearnedPair | None) -> str:
    """What a call shows by what was learned: what the hands have that make it."""
    if learned is None:
        return ""
    from pidm.models.call_meanings import told

    for one in told(learned, situation.auction, call):
        if one.meaning.hands >= ENOUGH_HANDS:
            return f". By experience {call} shows {one.meaning.shows} in nine hands of ten"
    return ""


def _aside(situation: Situation, hand: CountedHand, call: Call) -> str:
    """What is to be told of the system's own call: nothing, unless the hand is none of those that it shows,
    as when no better call was left. What earlier calls have told too much was told with them."""
    speaking = situation.speaking(call)
    if not speaking or any(hand.plain.within(kind.items()) for kind in kinds_of_hand_alone(speaking)):
        return ""
    return f". {_shows(situation, call, hand.columns)}"


def _shows(situation: Situation, call: Call, columns: HandColumns) -> str:
    """What a call shows that departs from the system, so that partner and opponents can be told."""
    found = fit(situation, call, columns)
    if found.natural and found.shows == ANY_HAND:
        return f"Nothing is agreed about {call}"
    shows = f"{call} {'would be natural, ' if found.natural else 'shows '}{found.shows}"
    return f"{shows}; the hand {'fits' if found.fits else f'does not fit: {found.outside}'}"


CREDIT = 0.25
"""What is to be believed of a gain by experience: in matches so much of what was promised has come."""
ENOUGH_HANDS = 12
"""Of the crowd, for something to be told of a call by experience."""
ENOUGH = 2.0
"""Standard errors that make a difference clear."""


def _unclear(difference: float, error: float, deals: int) -> str:
    """What more time would change, where the difference is not clear."""
    if not error or abs(difference) >= ENOUGH * error:
        return ""
    if abs(difference) < 0.05 * error:
        return "; more time would hardly tell them apart"
    return f"; about {_rounded(deals * (ENOUGH * error / difference) ** 2)} deals would tell"


def _rounded(number: float) -> int:
    """With two digits that count."""
    digits = max(len(str(int(number))) - 2, 0)
    return int(round(number, -digits))


def _system_says(situation: Situation, hand: CountedHand, system: Sequence[Candidate]) -> str:
    if not system or not system[0].rules:
        return "No rule of the system speaks of this hand"
    count = counted(situation, hand, system[0].call, system[0].rules[0])
    why = f"{_named(system[0].rules[0])}{'; ' if count else ''}{count}"
    if len(system) == 1:
        return f"The system says {system[0].call} ({why})"
    calls = " and ".join(str(one.call) for one in system)
    return f"The system leaves {calls} open ({why})"


@lru_cache(maxsize=8192)
def _named(rule: Rule) -> str:
    return f"{title_of(rule)}, {short_place(rule.place)}"


def _deals(result: SearchResult) -> str:
    solved = f", {result.solved} of them double dummy" if result.solved else ""
    return f"{result.worlds} simulated deals{solved}"


def _worth(
    best: Candidate,
    second: Candidate,
    system: Sequence[Candidate],
    result: SearchResult,
    unit: str,
    credit: float | None,
) -> str:
    """What the simulation makes of it, with the error."""
    assert best.mean is not None and second.mean is not None
    deals = _deals(result)
    ahead, error = best.mean - second.mean, second.standard_error or 0.0
    if best.call in {one.call for one in system}:
        unclear = _unclear(ahead, error, result.worlds)
        if ahead < 0:
            enough = f"too little to depart from it{unclear}"
            return f"; in {deals} {second.call} gains {-ahead:.2f} {unit} (±{error:.2f}), {enough}"
        if round(ahead, 2) == 0:
            return f"; in {deals} {second.call} does as well (±{error:.2f} {unit}){unclear}"
        return f"; in {deals} {second.call} loses {ahead:.2f} {unit} (±{error:.2f}){unclear}"
    own = next((one for one in result.candidates if Call(one) == system[0].call), None) if system else None
    if own is not None:
        ahead, error = result.difference(int(best.call), own)
        second = system[0]
    trust = "" if credit is None else f", {credit:.2f} of them to be believed"
    gain = f"gains {ahead:.2f} {unit} (±{error:.2f}{trust}) on {second.call} in {deals}"
    return f"; {best.call} departs from it and {gain}{_unclear(ahead, error, result.worlds)}"


def undecided(
    situation: Situation, columns: HandColumns, best: Call, system: Sequence[Candidate], result: SearchResult
) -> str:
    """Why the simulation has nothing to say."""
    sample = result.sample
    fitting = sample is not None and len(sample) > 0 and sample.inconsistency.min() == 0
    reason = (
        "the limit is too small to bid simulated deals out; more time would weigh the calls"
        if fitting
        else "no deal was found that fits the auction, so nothing was simulated"
    )
    prefers = f" and prefers {best}" if len(system) > 1 else ""
    hand = CountedHand.of(situation, columns)
    return f"{_system_says(situation, hand, system)}{prefers}; {reason}{_aside(situation, hand, best)}"


def found_by_simulation(best: Call, own: Call, result: SearchResult, unit: str) -> str:
    """What the simulation makes of the look's call beside the system's own."""
    ahead, error = result.difference(int(best), int(own))
    found = f"in {_deals(result)} it gains {ahead:.2f} {unit} (±{error:.2f}) on {own}"
    return f"{found}{_unclear(ahead, error, result.worlds)}"


def looked(
    situation: Situation,
    columns: HandColumns,
    system: Sequence[Candidate],
    seen: Seen,
    best: int,
    seat: int,
    simulated: str = "",
) -> str:
    """What the look found, in words: where the call of the rules leads, and what the bid does instead; and
    what a simulation made of it, if there was one."""
    own, call, bid = seen.calls[0], seen.calls[best], seen.contracts[best]
    if own.is_bid:
        before = f"{own} is {_made(seen, 0)}"
    else:
        before = f"{'pass' if own == PASS else 'a double'} would leave {_left(seen, 0, seat)}"
    assert bid is not None
    played = f"{bid.level}{bid.strain}"
    asks = "" if str(call) == played else f"{call} asks, and "
    after = f"{asks}{played} is {_made(seen, best)} on average" if call.is_bid else _left(seen, best, seat)
    better = f"{seen.values[best]:.1f} IMPs better"
    better += " even if doubled" if seen.learned is None else " by what was learned from such calls"
    says = _system_says(situation, CountedHand.of(situation, columns), system)
    return (
        f"{says}; {call} by a look at {seen.worlds} deals: {before}"
        f"; {after}, {better}{'; ' if simulated else ''}{simulated}. {_shows(situation, call, columns)}"
    )


def experienced(
    situation: Situation,
    columns: HandColumns,
    system: Sequence[Candidate],
    before: Call,
    call: Call,
    gain: float,
    learned: LearnedPair,
) -> str:
    """What experience makes of a call, in words, beside the call that would be made without it."""
    says = _system_says(situation, CountedHand.of(situation, columns), system)
    own = system[0].call if system else None
    looks = "" if own == before else f", {before} by a look at contracts as they stand"
    if gain >= 0.05:
        credit = f"{CREDIT * gain:.1f} of them to be believed"
        worth = f"it gains {gain:.1f} IMPs on {before} where such hands were bid to the end, {credit}"
    else:
        worth = f"it is as good as {before} there, and such hands mostly make it"
    meaning = _by_experience(situation, call, learned)
    return f"{says}{looks}; {call} by experience: {worth}{meaning}. {_shows(situation, call, columns)}"


def _left(seen: Seen, place: int, seat: int) -> str:
    """Who plays what after a call that is no bid."""
    contract = seen.contracts[place]
    assert contract is not None
    whom = "us" if (contract.declarer ^ seat) & 1 == 0 else "them"
    doubled = {0: "", 1: " doubled", 2: " redoubled"}[contract.doubled]
    return f"{whom} in {contract.level}{contract.strain}{doubled}, {_made(seen, place)}"


def _made(seen: Seen, place: int) -> str:
    """How the contract of a call comes out on average."""
    contract = seen.contracts[place]
    assert contract is not None
    over = round(float(seen.tricks[place])) - contract.level - 6
    down = ("making", "one down", "two down", "three down", "four down")
    return down[-over] if -5 < over <= 0 else "making easily" if over > 0 else "far down"
