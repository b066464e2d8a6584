"""Generations: bid with what is known, tag where it is open, learn, meet the one before, keep what wins.

The systems of a pool play each other, all with what has been learned so far, so that the opponents learn as
well. What is learned is a correction of the look that all of them share (`pidm.reading.correction`). A
generation that does not win its match teaches the next one by its tags, but is not played.

As with sessions of nets, the state is what the directory holds: what has been done is read instead of done,
and the result depends neither on interruptions nor on who did the work.

    plan.json          what was asked
    generation-1/      tags.jsonl        the tags, a line for each piece of work
                       correction.json   what was learned from all tags so far
                       rules.md          some of it, as rules that people can read
                       match.json        how it did against the generation before
    correction.json    what has won so far
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from pidm.core.boosting import Boosting
from pidm.files import write_atomic
from pidm.models import is_model_file
from pidm.play.pair import Pair
from pidm.play.pool import Pool
from pidm.play.systems import Systems, digest
from pidm.reading.correction import Correction
from pidm.training.planned_folder import PlannedFolder
from pidm.training.readable import page
from pidm.training.settings import TrainingError
from pidm.training.value_learning import foretold, gain, learned, lessons_of
from pidm.training.value_tags import Tagged, tags_of_deals

DEALS = 16
"""Deals of one piece of work."""
DEPTH = 5
"""Tests of a rule on the page for readers."""


@dataclass(frozen=True)
class GenerationPlan:
    """What is asked of the generations."""

    system: str = "two_over_one"
    """Who learns."""
    pool: tuple[str, ...] = ("two_over_one", "sayc", "acol", "precision")
    """Whom it plays, one after the other: systems, and pairs that were learned from records."""
    generations: int = 3
    """How many."""
    deals: int = 1600
    """That are bid and tagged for a generation."""
    threshold: float = 0.5
    """IMPs that a call must gain on the call of the rules to be made instead."""
    temperature: float = 0.0
    """IMPs: in self-play a call that is worth so much less is made e times less often; 0 makes the best."""
    pull: float = 0.0
    """IMPs that a call must gain more for every card, and every three points, that the hand differs from what
    the call shows: so that a partner who has not learned still understands it."""
    joint: bool = False
    """Whether partner's answer to a call is looked at as well when it is tagged."""
    boards: int = 1000
    """Of the match against the generation before, at most."""
    seed: int = 0
    """Of everything."""

    def __post_init__(self) -> None:
        for name in ("generations", "deals", "boards"):
            if getattr(self, name) < 1:
                raise TrainingError(f"{name} is at least 1, not {getattr(self, name)}")
        for name in ("threshold", "temperature", "pull"):
            if not 0 <= getattr(self, name) < 100:
                raise TrainingError(f"{name} is a number of IMPs from 0 up, not {getattr(self, name)}")
        if not self.pool:
            raise TrainingError("a pool has at least one system")
        if is_model_file(self.system):
            raise TrainingError(f"{self.system} is learned from records, not written: only rivals can be")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GenerationPlan:
        """From plain data; names that are not known are a mistake."""
        unknown = set(data) - {one.name for one in fields(cls)}
        if unknown:
            raise TrainingError(f"unknown settings: {', '.join(sorted(unknown))}")
        return cls(**{**data, "pool": tuple(data.get("pool", ()))})


class MatchOutcome(NamedTuple):
    """How a match went."""

    mean: float
    """IMPs a board for the new generation."""
    error: float
    """Its standard error."""
    boards: int
    """Played."""
    wins: bool
    """Whether the new one is better, beyond chance."""


Judge = Callable[[Pair, Pair, Path, int], MatchOutcome]
"""Plays a match of at most so many boards between the new generation and the one before, kept in a file."""


class Generation(NamedTuple):
    """One generation, as it came out."""

    number: int
    tags: int
    """Those of all generations so far."""
    foretold: float
    """IMPs gained a decision by what was learned from the other tags (cross-validation)."""
    verdict: MatchOutcome


@dataclass(frozen=True)
class GenerationProgress:
    """Where the work is."""

    generation: int
    phase: str
    """tags, learning, match or done."""
    done: int = 0
    total: int = 0
    tags: int = 0
    """In all."""
    seconds_left: float | None = None
    """Until the tags of this generation are done, at this pace."""


class Generations:
    """Runs generations in their directory."""

    def __init__(
        self,
        folder: str | Path,
        pool: Pool,
        judge: Judge,
        plan: GenerationPlan | None = None,
        observe: Callable[[GenerationProgress], None] | None = None,
    ) -> None:
        """`plan` starts; without it, what the directory holds goes on."""
        self.folder = Path(folder)
        self.pool = pool
        self.judge = judge
        self._observe = observe or (lambda progress: None)
        self._planned = PlannedFolder(self.folder, "plan")
        self.plan = self._resumed() if plan is None else self._started(plan)
        """What was asked."""

    # ------------------------------------------------------------------ start and end

    def _started(self, plan: GenerationPlan) -> GenerationPlan:
        digests = _digests(plan)
        self._planned.begin()
        self._planned.write(asdict(plan), digests)
        return plan

    def _resumed(self) -> GenerationPlan:
        return self._planned.resume(GenerationPlan.from_dict, _digests)

    def close(self) -> None:
        """Release the directory."""
        self._planned.release()

    # ------------------------------------------------------------------ the loop

    def run(self) -> list[Generation]:
        """All generations, those that were done before included."""
        kept: Correction | None = None
        tags: list[Tagged] = []
        found = []
        for number in range(1, self.plan.generations + 1):
            folder = self.folder / f"generation-{number}"
            folder.mkdir(exist_ok=True)
            tags += self._tags(folder, number, kept, len(tags))
            self._tell(number, "learning", tags=len(tags))
            new, worth = self._learned(folder, tags)
            self._tell(number, "match", tags=len(tags))
            verdict = self._met(folder, number)
            if verdict.wins:
                kept = new
                new.save(self.folder / "correction.json")
            found.append(Generation(number, len(tags), worth, verdict))
        self._tell(self.plan.generations, "done", tags=len(tags))
        return found

    def _tell(self, generation: int, phase: str, **where: Any) -> None:
        self._observe(GenerationProgress(generation, phase, **where))

    def _tags(self, folder: Path, number: int, kept: Correction | None, before: int) -> list[Tagged]:
        """The tags of a generation; what is on disk is read."""
        plan = self.plan
        known = "" if kept is None else json.dumps(kept.to_dict())
        pieces = []
        for k, start in enumerate(range(0, plan.deals, DEALS)):
            rival, deals = plan.pool[k % len(plan.pool)], min(DEALS, plan.deals - start)
            how = (known, plan.temperature, plan.joint, plan.seed, number, k)
            pieces.append((plan.system, rival, deals, *how))
        path = folder / "tags.jsonl"
        lines = list(_lines(path))
        read, began = len(lines), time.monotonic()
        with open(path, "ab") as file:
            for line in self.pool.do(tags_of_deals, pieces[len(lines) :]):
                file.write(json.dumps(line).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
                lines.append(line)
                done, total = len(lines), len(pieces)
                left = (time.monotonic() - began) / (done - read) * (total - done)
                tags = before + sum(map(len, lines))
                self._tell(number, "tags", done=done, total=total, tags=tags, seconds_left=round(left, 1))
        return read_tags(path)

    def _learned(self, folder: Path, tags: list[Tagged]) -> tuple[Correction, float]:
        """What all tags teach, and what it is worth in decisions that it was not learned from."""
        plan = self.plan
        if not tags:
            raise TrainingError(
                f"no decision of {plan.deals} deals is worth a tag: begin anew with more deals"
            )
        lessons, options = lessons_of(tags), Boosting()
        worth = round(gain(lessons, foretold(lessons, options, seed=plan.seed), plan.threshold)[0], 4)
        about = {"system": plan.system, "pool": list(plan.pool), "tags": len(tags), "seed": plan.seed}
        made = Correction(learned(lessons, options), plan.threshold, about, plan.pull)
        made.save(folder / "correction.json")
        write_atomic(folder / "rules.md", page(lessons, DEPTH, plan.threshold))
        return made, worth

    def _met(self, folder: Path, number: int) -> MatchOutcome:
        """How the new generation does against what has won so far."""
        path = folder / "match.json"
        if path.exists():
            try:
                return MatchOutcome(**json.loads(path.read_text(encoding="utf-8")))
            except (ValueError, TypeError) as error:
                raise TrainingError(f"{path} is damaged: {error}") from None
        best = self.folder / "correction.json"
        new = self._pair(folder / "correction.json", f"generation {number}")
        old = self._pair(best if best.exists() else None, "before")
        verdict = self.judge(new, old, folder / "boards.jsonl", self.plan.seed + number)
        write_atomic(path, json.dumps(verdict._asdict()) + "\n")
        return verdict

    def _pair(self, correction: Path | None, name: str) -> Pair:
        what = None if correction is None else str(correction)
        return Pair(self.plan.system, search=False, correction=what, experience="", name=name)


def read_tags(path: Path) -> list[Tagged]:
    """The tags of a generation, as far as they were written."""
    try:
        return [Tagged.from_dict(one) for line in _lines(path) for one in line]
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{path} is damaged: {error}") from None


def _lines(path: Path) -> Iterator[Any]:
    """The whole lines of a file; one that was cut off when the process was killed is removed."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise TrainingError(f"{path}:{number}: not JSON: {error}") from None


def _digests(plan: GenerationPlan) -> dict[str, str]:
    systems = Systems()
    return {name: digest(systems.other(name)) for name in sorted({plan.system, *plan.pool})}
