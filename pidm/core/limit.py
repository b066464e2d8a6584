"""How much a decision may cost, and what it has cost so far (section 3.3)."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from pidm.errors import PidmError

Clock = Callable[[], float]

_TEXT = re.compile(r"(?P<number>\d+(\.\d*)?|\.\d+) *(?P<unit>ms|s|instances?)?")


@dataclass(frozen=True)
class Limit:
    """Seconds or generated instances, never both.

    With instances a decision is the same on every machine; with seconds it ends in time on every machine.

    >>> Limit.from_str("0.5s"), str(Limit(instances=2000))
    (Limit(seconds=0.5, instances=None), '2000 instances')
    """

    seconds: float | None = None
    """Time by the clock, from the moment a decision is asked for."""
    instances: int | None = None
    """Worlds that sampling generates, those that it rejects included (section 5.1.1)."""

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.instances is None):
            raise PidmError("a limit is either in seconds or in instances")
        amount = self.seconds if self.seconds is not None else self.instances
        if not 0 <= (amount or 0) < math.inf:
            raise PidmError(f"a limit is a number from 0 up, not {self}")

    @classmethod
    def from_str(cls, text: str) -> Limit:
        """Read "0.5s", "200ms", "2000 instances" or, for instances, a plain whole number."""
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise PidmError(f"{text!r} is no limit; expected for example 0.5s, 200ms or 2000 instances")
        number, unit = match["number"], match["unit"]
        if unit in ("s", "ms"):
            return cls(seconds=float(number) / (1000 if unit == "ms" else 1))
        if not number.isdigit():
            raise PidmError(f"{text!r} is no limit; instances are whole numbers, seconds end in s")
        return cls(instances=int(number))

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.seconds is not None else f"{self.instances} instances"

    def share(self, portion: float) -> Limit:
        """A portion of this limit."""
        if self.seconds is not None:
            return Limit(seconds=self.seconds * portion)
        assert self.instances is not None
        return Limit(instances=int(self.instances * portion))


class Meter:
    """Measures what is spent of a limit. What a part of the work spends, the whole has spent too."""

    def __init__(self, limit: Limit, parent: Meter | None = None, clock: Clock = time.perf_counter) -> None:
        self.limit = limit
        """What may be spent."""
        self.instances = 0
        """Instances generated so far."""
        self._parent = parent
        self._clock: Clock = parent._clock if parent is not None else clock
        self._start = self._clock()

    @property
    def timed(self) -> bool:
        """Is the clock what counts? If not, nothing may depend on the clock."""
        return self.limit.seconds is not None

    @property
    def seconds(self) -> float:
        """Seconds since the meter was started."""
        return self._clock() - self._start

    @property
    def left(self) -> float:
        """What remains, in the unit of the limit: never below zero, never more than the whole has left."""
        if self.limit.seconds is not None:
            mine = self.limit.seconds - self.seconds
        else:
            assert self.limit.instances is not None
            mine = self.limit.instances - self.instances
        if self._parent is not None:
            mine = min(mine, self._parent.left)
        return max(mine, 0)

    @property
    def over(self) -> bool:
        """Is everything spent?"""
        return self.left <= 0

    def charge(self, instances: int) -> None:
        """Record generated instances."""
        self.instances += instances
        if self._parent is not None:
            self._parent.charge(instances)

    def part(self, amount: float) -> Meter:
        """A meter for a part of the work that may cost this much, in the unit of the limit."""
        amount = min(amount, self.left)
        limit = Limit(seconds=amount) if self.timed else Limit(instances=int(amount))
        return Meter(limit, self)

    def grace(self, portion: float) -> Meter:
        """A meter for what must be done in any case: what is left, at least this portion of the limit."""
        if self.limit.seconds is None:
            return self
        seconds = max(self.left, portion * self.limit.seconds)
        return Meter(Limit(seconds=seconds), self._parent, self._clock)
