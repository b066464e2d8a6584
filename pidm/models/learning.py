"""From records to a model of a pair: examples, deals set aside, the network and how sure it may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.errors import PidmError
from pidm.features import HandColumns
from pidm.language.system import System
from pidm.models.blend import rule_chances
from pidm.models.context import Context, context
from pidm.models.inputs import Floats
from pidm.models.learned_pair import LearnedPair, Origin
from pidm.models.network import Course, Examples, Network, learn
from pidm.models.sources import BidBoard, names_in
from pidm.reading.table import Table

TRUSTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
STRAYS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
"""What is tried: how much the records count, and how often a pair does something else than a system."""
FEWEST = 200
"""Calls that are needed to learn anything at all."""
HELD = 0.1
"""The share of the deals that is set aside, to find out how sure the model may be and how good it is."""
MOST_HELD = 3_000
"""Deals set aside, at most."""


@dataclass(frozen=True, eq=False)
class Material:
    """The calls of a pair, ready to learn from."""

    examples: Examples
    """Hands, auctions and calls."""
    auctions: tuple[Auction, ...]
    """An auction for each of the examples' contexts."""
    deals: npt.NDArray[np.intp]
    """intp[n], the deal that each call belongs to."""

    @property
    def count(self) -> int:
        """How many different deals there are."""
        return len(np.unique(self.deals))

    def take(self, rows: npt.NDArray[np.intp]) -> Material:
        """Some of the calls."""
        return Material(self.examples.take(rows), self.auctions, self.deals[rows])


def material(biddings: Sequence[BidBoard], who: Sequence[str]) -> Material:
    """The calls of those who are meant, where their hands are known."""
    masks: list[tuple[int, ...]] = []
    which: list[int] = []
    calls: list[int] = []
    deals: list[int] = []
    contexts: list[Context] = []
    auctions: list[Auction] = []
    places: dict[tuple[object, ...], int] = {}
    numbers: dict[object, int] = {}
    for bidding in biddings:
        seats = bidding.seats_of(who)
        if not seats:
            continue
        auction = Auction(bidding.auction.dealer, bidding.auction.vul)
        for call in bidding.auction.calls:
            actor = auction.actor
            hand = bidding.hands[actor]
            if actor in seats and hand is not None:
                key = (auction.calls, auction.vul.of(actor), auction.vul.of(actor.lho))
                place = places.get(key)
                if place is None:
                    place = places[key] = len(contexts)
                    contexts.append(context(auction))
                    auctions.append(auction)
                masks.append(hand.masks)
                which.append(place)
                calls.append(int(call))
                deals.append(numbers.setdefault(bidding.hands, len(numbers)))
            auction = auction.after(call)
    if len(calls) < FEWEST:
        raise PidmError(_too_few(len(calls), biddings, who))
    examples = Examples(
        np.array(masks, np.uint16), np.array(which, np.intp), tuple(contexts), np.array(calls, np.intp)
    )
    return Material(examples, tuple(auctions), np.array(deals, np.intp))


def _too_few(found: int, biddings: Sequence[BidBoard], who: Sequence[str]) -> str:
    names = names_in(biddings)
    known = f"; the records name {', '.join(names[:8])}" if names else "; the records name no players"
    return (
        f"{found} calls of {', '.join(who)} with known hands in {len(biddings)} auctions: "
        f"expected at least {FEWEST}{known}"
    )


def split(found: Material, rng: np.random.Generator) -> tuple[Material, Material]:
    """Deals to learn from and deals set aside: all calls on a deal go together."""
    numbers = np.unique(found.deals)
    held = min(max(int(HELD * len(numbers)), 1), MOST_HELD)
    rows = np.isin(found.deals, rng.permutation(numbers)[:held])
    return found.take(np.flatnonzero(~rows)), found.take(np.flatnonzero(rows))


def course_for(calls: int) -> Course:
    """Few examples are seen more often."""
    return Course(epochs=int(np.clip(round(24 * (36_000 / max(calls, 1)) ** 0.3), 10, 40)))


def learned_pair(
    train: Material,
    held: Material,
    who: Sequence[str],
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
    course: Course | None = None,
    system: str = "",
) -> LearnedPair:
    """Learn a model from one part of the deals; the other tells how sure it may be.

    With a `system` it also tells how much the records count beside the rules of that system.
    """
    course = course or course_for(len(train.examples))
    network = learn(train.examples, course, np.random.default_rng(seed), progress)
    chances = network.of(held.examples)
    calls = held.examples.calls
    temperature = best_temperature(chances, calls)
    network = Network(network.weights, temperature)
    chances = sharpened(chances, temperature)
    trust, stray = 1.0, 0.0
    if system:
        trust, stray, chances = _blended(chances, system, held)
    origin = Origin(
        who=tuple(who),
        deals=train.count,
        calls=len(train.examples),
        held_calls=len(calls),
        accuracy=accuracy(chances, calls),
        log_loss=log_loss(chances, calls),
        system=system if trust < 1 else "",
        trust=trust,
        stray=stray,
        seen=_frequent(train),
    )
    return LearnedPair(network, origin)


def _blended(chances: Floats, system: str, held: Material) -> tuple[float, float, Floats]:
    """How much of the network, and how often the rules are left, foretell the calls set aside best."""
    calls = held.examples.calls
    stray, rules = rules_as_model(Table.of(System.load(system)), held)
    trust = min(TRUSTS, key=lambda one: log_loss(one * chances + (1 - one) * rules, calls))
    return trust, stray if trust < 1 else 0.0, np.asarray(trust * chances + (1 - trust) * rules)


def rules_as_model(table: Table, held: Material) -> tuple[float, Floats]:
    """float32[n, 38], the calls of a system as chances, and how often the pair does something else: whatever
    foretells its calls best."""
    examples = held.examples
    found = {stray: np.zeros((len(examples), 38), np.float32) for stray in STRAYS}
    for rows, auction in by_auction(held):
        choices = table.choices(auction, HandColumns(examples.masks[rows]))
        legal = examples.contexts[examples.which[rows[0]]].legal
        for stray, chances in found.items():
            chances[rows] = rule_chances(choices, legal, stray)
    best = min(STRAYS, key=lambda stray: log_loss(found[stray], examples.calls))
    return best, found[best]


def by_auction(found: Material) -> Iterator[tuple[npt.NDArray[np.intp], Auction]]:
    """The rows of the calls in each auction."""
    order = np.argsort(found.examples.which, kind="stable")
    ends = np.flatnonzero(np.diff(found.examples.which[order])) + 1
    for rows in np.split(order, ends):
        yield rows, found.auctions[found.examples.which[rows[0]]]


def _frequent(found: Material, most: int = 1_500, least: int = 3) -> dict[str, int]:
    """How often the most frequent auctions came up, without their passes at the start."""
    counts: dict[str, int] = {}
    sizes = np.bincount(found.examples.which, minlength=len(found.auctions))
    for auction, size in zip(found.auctions, sizes.tolist()):
        text = auction_text(auction)
        counts[text] = counts.get(text, 0) + size
    ranked = sorted(
        (item for item in counts.items() if item[1] >= least), key=lambda item: (-item[1], item[0])
    )
    return dict(ranked[:most])


def auction_text(auction: Auction) -> str:
    """The calls from the first that is no pass."""
    calls = list(auction.calls)
    while calls and calls[0] == 0:
        del calls[0]
    return " ".join(map(str, calls))


def sharpened(chances: Floats, temperature: float) -> Floats:
    """The chances that the same scores give at another temperature."""
    powers = np.maximum(chances, 1e-30) ** (1 / temperature) * (chances > 0)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def best_temperature(chances: Floats, calls: npt.NDArray[np.intp]) -> float:
    """How sure the model may be: the temperature with the least log-loss."""
    choices = np.round(np.arange(0.8, 2.55, 0.05), 2)
    return float(min(choices, key=lambda one: log_loss(sharpened(chances, float(one)), calls)))


def accuracy(chances: Floats, calls: npt.NDArray[np.intp]) -> float:
    """The share of calls that are the likeliest."""
    return float((chances.argmax(axis=1) == calls).mean())


def log_loss(chances: Floats, calls: npt.NDArray[np.intp]) -> float:
    """The mean of minus the logarithm of the chance of the call that was made."""
    made = chances[np.arange(len(calls)), calls]
    return float(-np.log(np.maximum(made, 1e-6)).mean())
