"""Gathering experience: from a system to what its pair has learned on millions of deals, in one directory.

First the system plays itself and its rivals by rules and the look. From these auctions networks learn how
each of them bids. Then come rounds: calls are tried on new deals (`outcomes`), and the network of gains
learns from what came of them, while all experienced players bid by what it says so far. It plays itself, as
it is and as it was some rounds ago, and everybody as they bid by rules and look. At last the pair with
experience meets the one without in a match.

    plan.json            what was asked
    start.npz            the experience to go on from, if one was given
    auctions.jsonl       the auctions by rules and look, a line for each piece of work
    habit-0.pair ...     how the system bids, and each rival
    state.npz            the network of gains after the last rounds, as it learns
    past-100.npz ...     the experience after so many rounds, to play against
    curve.csv            how many IMPs it is ahead of the habit, by the estimate, after so many rounds
    experience.npz       what was learned, ready to be played
    match.json           how it did against the pair without it

The state is what the directory holds: what has been done is read instead of done, and the result depends
neither on interruptions nor on who did the work.
"""

from __future__ import annotations

import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.scoring import imps
from pidm.bridge.worlds import random_deals, to_deals
from pidm.draws import generator_of
from pidm.files import write_atomic
from pidm.models.auctions import Auctions
from pidm.models.experience import WIDEST, Experience, beside_each_other
from pidm.models.layers import HIDDEN, Adam, Weights, hidden_of, shapes, widened
from pidm.models.learned_pair import LearnedPair
from pidm.models.learning import learned_pair, material, split
from pidm.models.many_tables import ManyTables
from pidm.models.network import Course, Network
from pidm.models.sources import BidBoard
from pidm.play.bidder import Bidder
from pidm.play.calling import BidderCaller
from pidm.play.match_boards import Board
from pidm.play.pair import Pair
from pidm.play.pool import Pool
from pidm.play.systems import Systems, digest
from pidm.play.tables import Sitting, bid_tables
from pidm.threads import one_thread
from pidm.training.generations import Judge, MatchOutcome
from pidm.training.outcomes import FADE, GainsLearner, Outcomes, Trials, outcomes, without_gains
from pidm.training.planned_folder import PlannedFolder
from pidm.training.settings import TrainingError

DEALS_AT_ONCE = 200
"""Deals of one piece of work by rules and look."""
PIECES = 8
"""Pieces of a round, all with the same experience; what came of one is learned while others are at work."""
ROUND = 750
"""Deals of each of them."""
KEPT = 12
"""Rounds between two states on disk; what came of their calls is seen again until then."""
AGAIN = 2
"""How often it is, on average."""
BEGUN = 1000
"""Rounds that experience is taken to stand for with which a run begins."""
PAST = 120
"""Rounds between two of its past selves."""
SELVES = 4
"""So many of them are met at most: the first, the last, and some between."""
TEST = 4000
"""Deals that tell how far the experience is."""
COURSE = Course(epochs=8, rate=2e-3, drop=0.02, decay=1e-5)
"""How habits are learned: from many calls of a player without moods."""


@dataclass(frozen=True)
class GatheringPlan:
    """What is asked."""

    system: str = "two_over_one"
    """Who learns."""
    rivals: tuple[str, ...] = ("sayc", "acol", "precision")
    """Whom it plays besides itself."""
    deals: int = 120_000
    """That are bid by rules and look, half of them by the system alone."""
    rounds: int = 1000
    """Of trials, each on some thousand deals."""
    rate: float = 1e-3
    """How fast the network of gains learns, at first."""
    pull: float = 0.3
    """IMPs that a call must gain for every factor of e by which it is less likely by the system."""
    boards: int = 2000
    """Of the match, at most."""
    seed: int = 0
    """Of everything."""
    joint: bool = True
    """Whether both partners bid by what was learned so far; else one of them stays as by rules and look."""
    start: tuple[str, ...] = ()
    """Files of experience to go on from. Of another system they tell only what calls gain; of several the
    mean of that is taken, and all else is the first's."""
    units: int | None = None
    """Of the first hidden layer of the network of gains, the second has half as many; None: as at the start,
    or 256."""

    def __post_init__(self) -> None:
        for name in ("deals", "rounds", "boards"):
            if getattr(self, name) < 1:
                raise TrainingError(f"{name} is at least 1, not {getattr(self, name)}")
        if self.units is not None and (not HIDDEN[0] <= self.units <= WIDEST[0] or self.units % 2):
            raise TrainingError(f"units is an even number from {HIDDEN[0]} to {WIDEST[0]}, not {self.units}")
        if not 0.001 <= self.pull < 100:
            raise TrainingError(f"pull is a number of IMPs above 0, not {self.pull}")
        if not 0 < self.rate < 1:
            raise TrainingError(f"rate is a number between 0 and 1, not {self.rate}")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GatheringPlan:
        """From plain data; names that are not known are a mistake."""
        unknown = set(data) - {one.name for one in fields(cls)}
        if unknown:
            raise TrainingError(f"unknown settings: {', '.join(sorted(unknown))}")
        start = data.get("start") or ()
        start = (start,) if isinstance(start, str) else tuple(start)  # there was one, or none, at first
        return cls(**{**data, "rivals": tuple(data.get("rivals", ())), "start": start})

    def rate_at(self, number: int) -> float:
        """Full in the first half of the rounds, then it falls to a twentieth; half as fast from a start."""
        full = self.rate / 2 if self.start else self.rate
        return full * min(1.0, max(0.05, 2 * (1 - number / self.rounds)))


@dataclass(frozen=True)
class GatheringProgress:
    """Where the work is."""

    phase: str
    """auctions, habits, rounds, match or done."""
    done: int = 0
    total: int = 0
    ahead: float | None = None
    """IMPs a board that the experience gains on the habit, by the estimate."""
    seconds_left: float | None = None
    """Until the phase is done, at this pace."""


@dataclass(frozen=True)
class Gathered:
    """What came out."""

    path: Path
    """The experience."""
    ahead: float
    """IMPs a board that it gains on the habit, by the estimate and in arrays."""
    verdict: MatchOutcome
    """How the pair does with it against the same pair without, by rules and look."""


class Gathering:
    """Gathers experience in a directory."""

    def __init__(
        self,
        folder: str | Path,
        pool: Pool,
        judge: Judge,
        plan: GatheringPlan | None = None,
        observe: Callable[[GatheringProgress], None] | None = None,
    ) -> None:
        """`plan` starts; without it, what the directory holds goes on."""
        self.folder = Path(folder)
        self.pool = pool
        self.judge = judge
        self._observe = observe or (lambda progress: None)
        self._planned = PlannedFolder(self.folder, "gathering")
        self.plan = self._resumed() if plan is None else self._started(plan)
        """What was asked."""

    # ------------------------------------------------------------------ start and end

    def _started(self, plan: GatheringPlan) -> GatheringPlan:
        digests, start = _digests(plan), self._start_of(plan)
        self._planned.begin()
        if start is not None:
            start.save(self.folder / "start.npz")
        self._planned.write(asdict(plan), digests)
        return plan

    def _start_of(self, plan: GatheringPlan) -> Experience | None:
        """The experience to go on from."""
        if not plan.start:
            return None
        start, *others = map(Experience.load, plan.start)
        if others:
            start = beside_each_other((start, *others))
        assert start.gains is not None
        units, _ = hidden_of(start.gains.weights)
        if plan.units is not None and plan.units < units:
            raise TrainingError(
                f"{' and '.join(plan.start)} has {units} units, expected at most {plan.units}"
            )
        return start

    def _resumed(self) -> GatheringPlan:
        return self._planned.resume(GatheringPlan.from_dict, _digests)

    def close(self) -> None:
        """Release the directory."""
        self._planned.release()

    # ------------------------------------------------------------------ the work

    def run(self) -> Gathered:
        """All of it; what was done before is read."""
        plan = self.plan
        begun = self._begun
        names = (*self._to_learn, *plan.rivals)
        if names:
            self._auctions()
        found = [self._habit(number, name).plain for number, name in enumerate(names)]
        habits = found if self._to_learn or begun is None else [begun.habit, *found]
        path = self.folder / "experience.npz"
        gains, ahead = self._rounds(habits, begun)
        if not path.exists():
            self._experience(habits[0], gains, plan.rounds, begun).save(path)
        verdict = self._met(path)
        self._tell("done", plan.rounds, plan.rounds, ahead)
        return Gathered(path, ahead, verdict)

    @cached_property
    def _begun(self) -> Experience | None:
        """The experience that the rounds go on from."""
        return Experience.load(self.folder / "start.npz") if self.plan.start else None

    @cached_property
    def _to_learn(self) -> tuple[str, ...]:
        """The system, if experience that is given does not know its habit."""
        about = {} if self._begun is None else self._begun.about
        known = (about.get("system"), about.get("card")) == (self.plan.system, _card(self.plan.system))
        return () if known else (self.plan.system,)

    def _experience(
        self, habit: Network, gains: Weights, rounds: int, begun: Experience | None
    ) -> Experience:
        """The experience after so many rounds."""
        plan = self.plan
        before = 0 if begun is None else begun.decisions
        about = {
            "system": plan.system,
            "card": _card(plan.system),
            "rivals": list(plan.rivals),
            "decisions": before + Trials.decisions * ROUND * PIECES * rounds,
        }
        if begun is not None and self._to_learn:
            about["from"] = begun.about.get("system")
        return Experience(habit, Network(gains), plan.pull, about)

    def _tell(
        self, phase: str, done: int = 0, total: int = 0, ahead: float | None = None, left: float | None = None
    ) -> None:
        self._observe(GatheringProgress(phase, done, total, ahead, None if left is None else round(left, 1)))

    def _auctions(self) -> None:
        """What the systems bid by rules and look; every second piece the system bids alone."""
        plan = self.plan
        path = self.folder / "auctions.jsonl"
        pieces = []
        for number, start in enumerate(range(0, plan.deals, DEALS_AT_ONCE)):
            rivals = plan.rivals or (plan.system,)
            rival = rivals[number // 2 % len(rivals)] if number % 2 else plan.system
            pieces.append((plan.system, rival, min(DEALS_AT_ONCE, plan.deals - start), plan.seed, number))
        done = read = len(whole_lines(path))
        began = time.monotonic()
        with open(path, "ab") as file:
            for line in self.pool.do(bid_by_rules, pieces[done:]):
                file.write(json.dumps(line).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
                done += 1
                left = (time.monotonic() - began) / (done - read) * (len(pieces) - done)
                self._tell("auctions", done, len(pieces), left=left)

    def _habit(self, number: int, name: str) -> LearnedPair:
        """How one of the systems bids."""
        path = self.folder / f"habit-{number}.pair"
        if not path.exists():
            found = material(list(_boards(self.folder / "auctions.jsonl")), [name])
            train, held = split(found, generator_of("habit", name, self.plan.seed))

            def tell(done: int, total: int) -> None:
                if done % 100 == 0:
                    self._tell(f"habit of {name}", done, total)

            learned_pair(train, held, [name], self.plan.seed, tell, COURSE).save(path)
        return LearnedPair.load(path)

    def _rounds(self, habits: Sequence[Network], begun: Experience | None) -> tuple[Weights, float]:
        """The network of gains after all rounds, and how many IMPs it is ahead of the habit."""
        plan = self.plan
        state = RoundState.load(self.folder / "state.npz") or RoundState.first(habits[0].weights, begun, plan)
        learner = GainsLearner(state.adam)
        kept: list[Outcomes] = []
        read, began = state.rounds, time.monotonic()
        ahead = self._ahead(habits[0], state)
        while state.rounds < plan.rounds:
            number = state.rounds
            gains = {name: one.copy() for name, one in state.mean.items()}
            known = self._met_in(number)
            how = plan.pull, plan.joint, plan.seed
            pieces = [(known, gains, *how, number, piece) for piece in range(PIECES)]
            rng = generator_of("learning", plan.seed, number)
            for new in self.pool.do(tried, pieces):
                kept.append(new)
                with one_thread():
                    for one in (new, *(kept[k] for k in rng.integers(0, len(kept), AGAIN))):
                        learner.learn(one, plan.rate_at(number), rng)
            state.went_on()
            if state.rounds % PAST == 0:
                past = self._experience(habits[0], state.mean, state.rounds, begun)
                past.save(self.folder / f"past-{state.rounds}.npz")
            if state.rounds % KEPT == 0 or state.rounds == plan.rounds:
                kept.clear()
                state.save(self.folder / "state.npz")
                ahead = self._ahead(habits[0], state)
            left = (time.monotonic() - began) / (state.rounds - read) * (plan.rounds - state.rounds)
            self._tell("rounds", state.rounds, plan.rounds, ahead, left)
        return state.mean, ahead

    def _met_in(self, number: int) -> tuple[str, ...]:
        """The files of those who are met in a round; first the system as it bids by rules and look."""
        names = [f"habit-{place}.pair" for place in range(len(self._to_learn + self.plan.rivals))]
        if self.plan.start:
            names.insert(len(self._to_learn), "start.npz")
        past = range(PAST, number + 1, PAST)
        some = sorted({past[k] for k in np.linspace(0, len(past) - 1, SELVES).astype(int)}) if past else []
        names += [f"past-{rounds}.npz" for rounds in some]
        return tuple(str(self.folder / name) for name in names)

    def _ahead(self, habit: Network, state: RoundState) -> float:
        """IMPs a board that the experience so far gains on the habit; kept as a curve."""
        path = self.folder / "curve.csv"
        rows = _curve(path)
        if state.rounds not in rows:
            players = Experience(habit, Network(state.mean), self.plan.pull), Experience(habit)
            mean, error = duplicate(players, TEST, generator_of("ahead", self.plan.seed))
            rows[state.rounds] = round(mean, 4), round(error, 4)
            text = io.StringIO()
            table = csv.writer(text, lineterminator="\n")
            table.writerow(("rounds", "ahead", "error"))
            table.writerows((number, *row) for number, row in sorted(rows.items()))
            write_atomic(path, text.getvalue())
        return rows[state.rounds][0]

    def _met(self, experience: Path) -> MatchOutcome:
        """How the pair does with its experience against the same pair without."""
        path = self.folder / "match.json"
        if path.exists():
            try:
                return MatchOutcome(**json.loads(path.read_text(encoding="utf-8")))
            except (ValueError, TypeError) as error:
                raise TrainingError(f"{path} is damaged: {error}") from None
        self._tell("match")
        new = Pair(self.plan.system, search=False, experience=str(experience), name="with experience")
        old = Pair(self.plan.system, search=False, experience="", name="without")
        verdict = self.judge(new, old, self.folder / "boards.jsonl", self.plan.seed)
        write_atomic(path, json.dumps(verdict._asdict()) + "\n")
        return verdict


@dataclass(eq=False)
class RoundState:
    """The network of gains as it learns."""

    adam: Adam
    mean: dict[str, npt.NDArray[np.float32]]
    """The mean of its weights over the last rounds: steadier than the weights themselves."""
    rounds: int = 0
    """Done so far."""
    before: int = 0
    """For how many rounds of work the weights stand with which it began."""

    @classmethod
    def first(cls, habit: Weights, begun: Experience | None, plan: GatheringPlan) -> RoundState:
        """Before the first round: what is known already, or nothing."""
        known, before = without_gains(habit), 0
        if begun is not None and begun.gains is not None:
            known, before = {name: one.copy() for name, one in begun.gains.weights.items()}, BEGUN
        front, back = hidden_of(known)
        if plan.units is not None and plan.units > front:
            hidden = plan.units, max(back, plan.units // 2)
            known = widened(known, hidden, generator_of("units", plan.seed))
        return cls(Adam(known, FADE), {name: one.copy() for name, one in known.items()}, before=before)

    def went_on(self) -> None:
        """A round has been learned."""
        self.rounds += 1
        done = self.before + self.rounds
        share = np.float32(min(0.995, done / (done + 10)))
        for name, weight in self.adam.weights.items():
            self.mean[name] = share * self.mean[name] + (1 - share) * weight

    def save(self, path: Path) -> None:
        """Write it, whole."""
        parts = {
            "weight": self.adam.weights,
            "slope": self.adam.mean,
            "square": self.adam.square,
            "mean": self.mean,
        }
        arrays = {f"{part}.{name}": one for part, known in parts.items() for name, one in known.items()}
        buffer = io.BytesIO()
        counts = {"rounds": self.rounds, "before": self.before, "steps": self.adam.steps}
        np.savez(buffer, **counts, **arrays)  # type: ignore[arg-type]
        write_atomic(path, buffer.getvalue())

    @classmethod
    def load(cls, path: Path) -> RoundState | None:
        """Read it, if there is one."""
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as arrays:

                def part(name: str) -> dict[str, npt.NDArray[np.float32]]:
                    wanted = shapes((arrays["mean.first"].size, arrays["mean.second"].size))
                    found = {one: arrays[f"{name}.{one}"] for one in wanted}
                    for one, array in found.items():
                        if array.shape != wanted[one] or array.dtype != np.float32:
                            raise ValueError(f"{name}.{one} is {array.dtype}{list(array.shape)}")
                    return found

                adam = Adam(part("weight"), FADE)
                adam.mean, adam.square, adam.steps = part("slope"), part("square"), int(arrays["steps"])
                return cls(adam, part("mean"), int(arrays["rounds"]), int(arrays["before"]))
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise TrainingError(f"{path} is damaged: {error}; without it the rounds begin anew") from None


# ---------------------------------------------------------------------- pieces of work


@lru_cache(maxsize=1)
def _systems() -> Systems:
    return Systems()


@lru_cache(maxsize=16)
def _caller(system: str, rival: str) -> BidderCaller:
    known = _systems()
    return BidderCaller(Bidder(known.of(system), opponents=known.of(rival), limit=None, experience=""))


def bid_by_rules(system: str, rival: str, deals: int, seed: int, number: int) -> list[dict[str, Any]]:
    """Some random deals, bid by rules and look; who sits north and south takes turns."""
    rng = generator_of("auctions", seed, number)
    dealt = to_deals(random_deals(deals, rng))
    starts = zip(rng.integers(0, 4, deals).tolist(), rng.integers(0, 4, deals).tolist())
    boards = [Board(k, deal, Seat(one), Vul(two)) for k, (deal, (one, two)) in enumerate(zip(dealt, starts))]
    names, callers = (system, rival), (_caller(system, rival), _caller(rival, system))
    sittings = [Sitting(one, ((0, 1, 0, 1), (1, 0, 1, 0))[one.number & 1]) for one in boards]
    return [
        {
            "deal": str(one.sitting.board.deal),
            "dealer": str(one.auction.dealer),
            "vul": str(one.auction.vul),
            "calls": [int(call) for call in one.auction.calls],
            "north": names[one.sitting.seats[0] or 0],
            "east": names[one.sitting.seats[1] or 0],
        }
        for one in bid_tables(sittings, callers)
    ]


def tried(
    known: tuple[str, ...], gains: Weights, pull: float, joint: bool, seed: int, number: int, piece: int
) -> Outcomes:
    """What came of calls on the deals of one piece of a round, against these players."""
    rivals: list[Experience] = []
    for path in known:
        one = _player_of(path)
        # Who has experience is met with it, and as he was without.
        rivals += [Experience(one.habit, pull=pull)] if one.gains is None or not rivals else []
        rivals += [one] if one.gains is not None else []
    rng = generator_of("outcomes", seed, number, piece)
    with one_thread():
        learner = Experience(rivals[0].habit, Network(gains), pull)
        return outcomes(learner, rivals, ROUND, Trials(joint=joint), rng)


@lru_cache(maxsize=16)
def _player_of(path: str) -> Experience:
    """Read once a process."""
    return Experience.load(path) if path.endswith(".npz") else Experience(LearnedPair.load(path).plain)


def duplicate(
    players: tuple[Experience, Experience], deals: int, rng: np.random.Generator
) -> tuple[float, float]:
    """IMPs a board of the first against the second at two tables, by the estimate, with the error."""
    found = []
    for start in range(0, deals, ROUND):
        count = min(ROUND, deals - start)
        tables = ManyTables.of(random_deals(count, rng), players)
        deal = np.tile(np.arange(count), 2)
        auctions = Auctions.begun(rng.integers(0, 4, count)[deal], rng.integers(0, 4, count)[deal])
        seats = np.array([[0, 1, 0, 1], [1, 0, 1, 0]])[(np.arange(2 * count) >= count).astype(np.intp)]
        tables.bid_out(auctions, deal, seats)
        scores = tables.scores(auctions, deal)
        found.append(imps(np.rint(scores[:count] - scores[count:]).astype(np.int64)).mean(axis=1))
    every = np.concatenate(found)
    return float(every.mean()), float(every.std() / len(every) ** 0.5)


# ---------------------------------------------------------------------- files


def whole_lines(path: Path) -> list[bytes]:
    """The whole lines of a file; one that was cut off when the process was killed is removed."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    return whole.splitlines()


def _boards(path: Path) -> Iterator[BidBoard]:
    for number, line in enumerate(whole_lines(path), 1):
        try:
            for one in json.loads(line):
                auction = Auction(
                    Seat.from_str(one["dealer"]),
                    Vul.from_str(one["vul"]),
                    tuple(Call(call) for call in one["calls"]),
                )
                players = (one["north"], one["east"], one["north"], one["east"])
                yield BidBoard(Deal.from_str(one["deal"]).hands, auction, players)
        except (ValueError, KeyError, TypeError) as error:
            raise TrainingError(f"{path}:{number} is damaged: {error}") from None


def _curve(path: Path) -> dict[int, tuple[float, float]]:
    if not path.exists():
        return {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return {
                int(row["rounds"]): (float(row["ahead"]), float(row["error"])) for row in csv.DictReader(file)
            }
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{path} is damaged: {error}") from None


def _card(system: str) -> list[str]:
    """The conventions that a system has switched on."""
    return sorted(Systems().of(system).conventions)


def _digests(plan: GatheringPlan) -> dict[str, str]:
    systems = Systems()
    return {name: digest(systems.of(name)) for name in sorted({plan.system, *plan.rivals})}
