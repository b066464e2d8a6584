"""A training session: the loop of section 4.3 for two partners at the bridge table, kept in a directory.

The state of a session is what its directory holds. Resuming runs the same loop again: what has been done is
read instead of done, so the result does not depend on where the session was interrupted.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.core.cotraining import Step, cotrain, refine
from pidm.draws import generator_of
from pidm.features import HandColumns
from pidm.play.pool import Pool
from pidm.reading.judgement import judged
from pidm.reading.learned_features import JudgedColumns, Key, PooledColumns, inducible, key_of, key_text
from pidm.reading.refinement import Refinement, fingerprints, fresh_net
from pidm.training import tagging as work
from pidm.training.session_files import SessionFolder
from pidm.training.settings import Settings
from pidm.training.tagging import NOTHING, Learner, Situated, View, auction_of

CHUNK = 100
"""Deals that are surveyed in one piece of work."""
BATCH = 5
"""States that are tagged in one piece of work."""
PROBED = 3
"""Auctions whose cost and gain are probed, for each net to refine."""
PROBES = 12
"""States by which an auction is probed, at most."""
DOUBT = 3
"""Probes that what is usual counts for."""


@dataclass(frozen=True)
class Progress:
    """Where a session is."""

    phase: str
    """survey, costs, learning or done."""
    net: int = 0
    """Nets refined."""
    learning: str = ""
    """The auctions that are being learned."""
    done: int = 0
    """Pieces done of those in this phase, or states tagged in this round."""
    total: int = 0
    """Pieces in all."""
    tagged: int = 0
    """Examples tagged in all."""
    ratio: float | None = None
    """The share of decisions that need a search."""
    score: float | None = None
    """IMPs per problem, without searching."""
    seconds_left: float | None = None
    """How long it will still take, at this pace."""


ProgressObserver = Callable[[Progress], None]


class Pupil:
    """One of the partners (`Partner` of the core's loop): its queue of auctions, and what it has learned."""

    def __init__(self, session: Session, place: int) -> None:
        self.session = session
        self.place = place
        self.mine: dict[Key, Refinement] = session.known_before(place)
        """What it plays."""
        self.partner: dict[Key, Refinement] = session.known_before(1 - place)
        """What it knows that partner plays."""
        self.anew: set[Key] = set()
        """What it has learned or heard in this session."""
        self._view: View | None = None

    @property
    def view(self) -> View:
        """What it knows, for those who work for it."""
        if self._view is None:
            self._view = json.dumps(
                {
                    "mine": [_bare(one) for one in self.mine.values()],
                    "partner": [_bare(one) for one in self.partner.values()],
                }
            )
        return self._view

    def next_key(self) -> Key | None:
        """The most rewarding auction that nobody has taken."""
        return self.session.take(self.place)

    def cases(self, key: Key) -> Sequence[Situated]:
        """The states to tag; none if the net is there already."""
        return self.session.cases(self, key)

    def refine(self, key: Key, examples: Sequence[dict[str, Any]]) -> Refinement:
        """The net refined by the examples, or as it was kept."""
        return self.session.refine(self, key, examples)

    def learn(self, key: Key, refinement: Refinement) -> None:
        """Play it from now on."""
        self.mine[key] = refinement
        self.anew.add(key)
        self._view = None

    def hear(self, refinements: Mapping[Key, Refinement]) -> None:
        """Know that partner plays these; take them over if we play the same."""
        self.partner.update(refinements)
        if self.session.settings.shared:
            for key, refinement in refinements.items():
                if key not in self.anew:
                    self.mine[key] = refinement
                    self.anew.add(key)
            self.partner.update(self.mine)  # partner has heard of mine at the same time
        self._view = None


class Session:
    """Runs a session in its directory."""

    def __init__(
        self, store: SessionFolder, settings: Settings, pool: Pool, observe: ProgressObserver | None = None
    ) -> None:
        self.store = store
        self.settings = settings
        self.pool = pool
        self.pupils = [Pupil(self, place) for place in (0, 1)]
        self._text = settings.to_json()
        self._observe = observe or (lambda progress: None)
        self._at = Progress("survey")
        self._examples: dict[tuple[int, str, int], dict[str, Any]] = {}
        self._queue: list[dict[str, Any]] = []
        self._round = 0
        self._taken: set[tuple[int, Key]] = set()
        self._began = time.monotonic()
        self._worked = 0

    def known_before(self, place: int) -> dict[Key, Refinement]:
        """What one of the partners knew at the start of the session."""
        found = self.store.before(self._owner(place))
        return {} if found is None else {one.key: one for one in found}

    def run(self) -> None:
        """Learn until all nets are refined, or nothing is left to learn."""
        settings, store = self.settings, self.store
        self._examples = store.read_examples()
        self._queue = self._survey()
        curve = store.read_curve()
        self._tell(phase="learning", tagged=len(self._examples))
        if not curve:
            curve = [self._measured(-1, 0)]
            store.write_curve(curve)
        done = 0
        for step in cotrain(self.pupils, self._tag, settings.nets, settings.exchange_every):
            self._round = step.number + 1
            done += len(step.refined)
            if len(curve) <= step.number + 1:
                curve.append(self._measured(step.number, done))
                store.write_curve(curve)
                store.log(_words(step, curve[-1]))
            self._tell(
                net=done,
                learning="",
                ratio=float(curve[step.number + 1]["lookahead_ratio"]),
                score=float(curve[step.number + 1]["score"]),
            )
        self._tell(phase="done")
        if self.pool.lost:
            store.log(f"workers were lost {self.pool.lost} times; their work was done again")

    def _tell(self, **news: Any) -> None:
        self._at = replace(self._at, **news)
        self._observe(self._at)

    # ------------------------------------------------------------------ which auctions (section 4.2.1)

    def _survey(self) -> list[dict[str, Any]]:
        """The auctions with open states, first those that come up often and cost or gain much to search."""
        kept = self.store.read_states()
        if kept is not None:
            return kept
        settings = self.settings
        groups = self._open_states()
        order = sorted(groups, key=lambda one: (-len(groups[one]), one))[: PROBED * settings.nets]
        probed = self._probed([(place, groups[place, key][:PROBES]) for place, key in order])
        usual = float(np.mean([_gain(tag) for tags in probed for tag in tags])) if probed else 0.0
        queue: list[dict[str, Any]] = [
            {
                "auction": key_text(key),
                "partner": place,
                "count": len(groups[place, key]),
                "cost": round(float(np.mean([tag["instances"] + tag["nodes"] for tag in tags]))),
                # Few probes say little: they are mixed with what is usual.
                "gain": round((sum(map(_gain, tags)) + DOUBT * usual) / (len(tags) + DOUBT), 3),
                "states": groups[place, key][: settings.examples],
            }
            for (place, key), tags in zip(order, probed)
        ]
        queue.sort(key=lambda one: (-one["count"] * one[settings.first], one["auction"], one["partner"]))
        if settings.backward:
            chosen = sorted(queue[: settings.nets], key=lambda one: -len(one["auction"].split()))
            queue[: settings.nets] = chosen
        self.store.write_states(queue)
        self.store.log(f"{settings.deals} deals: {len(groups)} auctions with open states")
        return queue

    def _open_states(self) -> dict[tuple[int, Key], list[Situated]]:
        """The open states of random deals bid by the rules, by owner and auction."""
        deals = self.settings.deals
        pieces = [
            (self._text, self.pupils[0].view, chunk, min(CHUNK, deals - chunk * CHUNK))
            for chunk in range(-(-deals // CHUNK))
        ]
        groups: dict[tuple[int, Key], list[Situated]] = defaultdict(list)
        for number, states in enumerate(self.pool.do(work.survey, pieces), 1):
            for state in states:
                auction = auction_of(state)
                groups[self._owner(auction.actor >> 1), key_of(auction.calls)].append(state)
            self._tell(done=number, total=len(pieces))
        return groups

    def _probed(self, groups: Sequence[tuple[int, list[Situated]]]) -> list[list[dict[str, Any]]]:
        """The tags of some states of each auction, by a short search."""
        probe = replace(self.settings, instances=200, seconds=None, sample_size=40).to_json()
        pieces = [(probe, self.pupils[place].view, place, states) for place, states in groups]
        probed = []
        for number, tags in enumerate(self.pool.do(work.tag, pieces), 1):
            probed.append(tags)
            self._tell(phase="costs", done=number, total=len(pieces))
        return probed

    def take(self, place: int) -> Key | None:
        """The next auction for one of the partners."""
        mine = self._owner(place)
        for one in self._queue:
            key = _key(one["auction"])
            if one["partner"] == mine and (mine, key) not in self._taken:
                self._taken.add((mine, key))
                return key
        return None

    # ------------------------------------------------------------------ one net

    def _owner(self, place: int) -> int:
        """Whose nets those of a partner are: partners who share theirs are one."""
        return 0 if self.settings.shared else place

    def _entry(self, pupil: Pupil, key: Key) -> dict[str, Any]:
        text, owner = key_text(key), self._owner(pupil.place)
        return next(one for one in self._queue if one["auction"] == text and one["partner"] == owner)

    def cases(self, pupil: Pupil, key: Key) -> list[Situated]:
        """The states to tag."""
        if self.store.net(self._owner(pupil.place), key) is not None:
            return []
        states = [_state(one) for one in self._entry(pupil, key)["states"]]
        piece = (self._text, pupil.view, pupil.place, states)
        [found] = self.pool.do(work.cases, [piece])
        return [_state(one) for one in found]

    def _tag(self, number: int, jobs: Sequence[tuple[int, Key, Any]]) -> list[dict[str, Any]]:
        """Tag the states of a round: what is on disk is taken from there."""
        slots: list[tuple[int, str, int]] = []
        counts: Counter[tuple[int, Key]] = Counter()
        for place, key, _ in jobs:
            slots.append((number, f"{place} {key_text(key)}", counts[place, key]))
            counts[place, key] += 1
        waiting = [k for k, slot in enumerate(slots) if slot not in self._examples]
        batches = _batches(waiting, jobs)
        pieces = []
        for batch in batches:
            place, _, _ = jobs[batch[0]]
            pieces.append((self._text, self.pupils[place].view, place, [jobs[k][2] for k in batch]))
        self._tell(
            learning=", ".join(key_text(key) for _, key in counts),
            done=len(jobs) - len(waiting),
            total=len(jobs),
        )
        for tags, batch in zip(self.pool.do(work.tag, pieces), batches):
            lines = []
            for k, tag in zip(batch, tags):
                of_round, auction, place_in_net = slots[k]
                line = {"round": of_round, "auction": auction, "number": place_in_net, **tag}
                self._examples[slots[k]] = line
                lines.append(line)
            self.store.add_examples(lines)
            self._worked += len(lines)
            self._tell(
                done=self._at.done + len(lines),
                tagged=self._at.tagged + len(lines),
                seconds_left=self._seconds_left(),
            )
        return [self._examples[slot] for slot in slots]

    def _seconds_left(self) -> float:
        """How long the rest takes at the pace so far."""
        pace = (time.monotonic() - self._began) / max(self._worked, 1)
        left = (self.settings.nets - self._at.net) * self.settings.examples - self._at.done
        return pace * max(left, 0)

    def refine(self, pupil: Pupil, key: Key, examples: Sequence[dict[str, Any]]) -> Refinement:
        """Learn one net from its examples and keep it."""
        owner = self._owner(pupil.place)
        kept = self.store.net(owner, key)
        if kept is None:
            made = refined(self.settings, pupil.place, key, examples, self._round)
            self.store.write_net(owner, made)
            kept = self.store.net(owner, key)
            assert kept is not None
        return kept

    def _measured(self, number: int, nets: int) -> dict[str, Any]:
        """How the partners bid without searching, after a round."""
        [found] = self.pool.do(work.measure, [(self._text, self.pupils[0].view)])
        tagged = sum(of_round <= number for of_round, _, _ in self._examples)
        return {"round": number, "nets": nets, "examples": tagged, **found}


def _batches(waiting: Iterable[int], jobs: Sequence[tuple[int, Key, Any]]) -> list[list[int]]:
    """Jobs in pieces of work: neighbours of the same partner and auction, a few at a time."""
    batches: list[list[int]] = []
    for k in waiting:
        if batches and len(batches[-1]) < BATCH and jobs[batches[-1][0]][:2] == jobs[k][:2]:
            batches[-1].append(k)
        else:
            batches.append([k])
    return batches


def refined(
    settings: Settings, place: int, key: Key, examples: Sequence[Mapping[str, Any]], number: int = 0
) -> Refinement:
    """The refinement of an auction that these examples teach."""
    at = Learner(settings, place, NOTHING)
    known = [one for one in examples if None not in one["values"].values()]
    groups: dict[Auction, list[Mapping[str, Any]]] = defaultdict(list)
    for one in known:
        groups[auction_of(one["state"])].append(one)
    known = [one for group in groups.values() for one in group]
    values = [{int(Call.from_str(call)): worth for call, worth in one["values"].items()} for one in known]
    net = fresh_net(Call(call) for one in values for call in one)
    prints: frozenset[str] = frozenset()
    if known:
        parts = []
        for auction, group in groups.items():
            situation = at.table(auction.actor).situation(auction)
            hands = np.array([Hand.from_str(one["state"][3]).masks for one in group], dtype=np.uint16)
            columns = HandColumns(hands)
            parts.append(JudgedColumns(situation, columns, judged(situation, columns, settings.judgement)))
        refine(
            net,
            PooledColumns(parts),
            [int(Call.from_str(one["call"])) for one in known],
            inducible(),
            settings.induction,
            values,
            generator_of("induction", settings.seed, key_text(key)),
        )
        actor = next(iter(groups)).actor
        prints = fingerprints(at.table(actor), key, actor)
    about = {"system": settings.systems()[place], "partner": place, "round": number}
    return Refinement(key, net, settings.judgement, prints, len(known), about)


def _gain(tag: Mapping[str, Any]) -> float:
    """By how much the call of a tag was better than that of the rules, which stands first."""
    values = list(tag["values"].values())
    return 0.0 if None in values else float(tag["values"][tag["call"]] - values[0])


def _bare(refinement: Refinement) -> dict[str, Any]:
    """A refinement as data, without the words for readers."""
    data = refinement.to_dict()
    data["says"] = []
    return data


def _key(text: str) -> Key:
    return tuple(Call.from_str(call) for call in text.split())


def _state(data: Sequence[Any]) -> Situated:
    dealer, vul, calls, hand = data
    return int(dealer), int(vul), str(calls), str(hand)


def _words(step: Step[Key, Refinement], row: Mapping[str, Any]) -> str:
    learned = ", ".join(key_text(key) for _, key, _ in step.refined)
    return f"round {step.number}: {learned}; {row['score']} IMPs/problem, {row['lookahead_ratio']} open"


def start(
    folder: str | Path, settings: Settings, pool: Pool, observe: ProgressObserver | None = None
) -> Session:
    """A new session in a directory of its own."""
    store = SessionFolder(folder)
    store.create(settings)
    return Session(store, settings, pool, observe)


def resume(folder: str | Path, pool: Pool, observe: ProgressObserver | None = None) -> Session:
    """The session of a directory, where it was left."""
    store = SessionFolder(folder)
    return Session(store, store.resume(), pool, observe)
