"""Who plays: a pair as people write it.

two_over_one                              a system by name, or a file
two_over_one,no-search                    bidding by rules and a look at contracts as they stand
two_over_one,rules-only                   by rules and nothing else
two_over_one,no-experience                without what was learned in self-play
sayc,seconds=0.5,utility=dds              half a second for a call, double dummy in the simulation
two_over_one,+smolen,-michaels            with one convention more and one less
club.pair                                 a pair as it was learned from records (pidm learn)
two_over_one,opponents=club.pair          a system that knows how its opponents bid
engine:COMMAND                            a program that speaks JSON lines
engine,timeout=10,name=Rival:COMMAND      with ten seconds for a call, and a name for reports
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pidm.core.limit import Limit
from pidm.errors import PidmError
from pidm.models import is_model_file
from pidm.reading.judgement import Width

SECONDS = 1.0
"""Time for a call when nobody says otherwise."""
JUDGEMENT = 2.0
"""Points beside the system's limits that a call may lie, when nobody says otherwise."""
TIMEOUT = 60.0
"""Seconds that an engine has for a call."""


_FLAGS = ("system", "command", "card", "search", "look", "disclosed", "experience")
"""What a description says in another way than by `name=value`."""


class PairError(PidmError, ValueError):
    """A text that describes no pair."""


@dataclass(frozen=True)
class Pair:
    """Two partners who play the same."""

    system: str = ""
    """Name or file of their system, or of a model learned from records; empty for an engine."""
    command: str = ""
    """The program that bids, if they are an engine."""
    card: tuple[tuple[str, bool], ...] = ()
    """Conventions switched on or off."""
    search: bool | None = None
    """Whether they simulate where the system leaves a choice; None: as the match says."""
    look: bool = True
    """Whether they look again before they pass in a contested auction."""
    seconds: float | None = None
    """Time for a call."""
    instances: int | None = None
    """Deals to generate for a call, instead of a time."""
    utility: str | None = None
    """What values contracts in their simulations."""
    settle: str | None = None
    """What values those that come out close."""
    judgement: float = JUDGEMENT
    """How many points beside the system's limits a call may lie to be open to their simulations."""
    width: Width | None = None
    """Which calls their simulations weigh; None: as far as the opponents are known."""
    worlds: int | None = None
    """Deals that a simulation is based on; None: 200 and, by the clock, as many as it takes."""
    disclosed: bool = False
    """Whether they make only calls whose stated meaning the hand fits."""
    correction: str | None = None
    """File of what was learned about the look (`pidm cotrain --generations`)."""
    experience: str | None = None
    """File of what they have learned on many deals (`pidm cotrain --experience`); empty: nothing; None: what
    ships with their system, if there is something."""
    partner: str | None = None
    """What the first takes the second to play, a system or a model learned from records, if that differs."""
    opponents: tuple[str, ...] = ()
    """What they take the opponents to play, systems or models of these learned from records: one for both, or
    left and right; none: what these really play."""
    refinements: str | None = None
    """Directory of learned nets."""
    timeout: float = TIMEOUT
    """Seconds that an engine has for a call."""
    name: str = ""
    """What reports call them, if not by their description."""

    @classmethod
    def from_str(cls, text: str) -> Pair:
        """Read a description such as `two_over_one,seconds=1` or `engine:COMMAND`."""
        written = text.strip()
        if re.match(r"engine\s*[:,]", written):
            head, _, command = written.partition(":")
            if not command.strip():
                raise PairError(f"{text!r} names no command; expected engine:COMMAND")
            return cls._with_options(text, head.split(",")[1:], _ENGINE, command=command.strip())
        system, *options = written.split(",")
        if not system.strip():
            raise PairError(f"{text!r} is no pair; expected a system such as two_over_one, or engine:COMMAND")
        known = _MODEL if is_model_file(system.strip()) else _SYSTEM
        return cls._with_options(text, options, known, system=system.strip())

    @classmethod
    def _with_options(
        cls, text: str, options: list[str], known: dict[str, Callable[[str], Any]], **values: Any
    ) -> Pair:
        card: list[tuple[str, bool]] = []
        for option in (one.strip() for one in options):
            key, equals, value = (part.strip() for part in option.partition("="))
            if option[:1] in ("+", "-") and "card" in known and not equals:
                card.append((option[1:].strip(), option[0] == "+"))
            elif key == "no-search" and "seconds" in known and not equals:
                values["search"] = False
            elif key == "rules-only" and "seconds" in known and not equals:
                values.update(search=False, look=False)
            elif key == "no-look" and "seconds" in known and not equals:
                values["look"] = False
            elif key == "no-experience" and "seconds" in known and not equals:
                values["experience"] = ""
            elif key == "disclosed" and "seconds" in known and not equals:
                values["disclosed"] = True
            elif key == "opponents" and key in known and value:
                values[key] = (*values.get(key, ()), value)
            elif key in known and key != "card" and value:
                try:
                    values[key] = known[key](value)
                except ValueError:
                    raise PairError(f"{option!r} in {text!r}: {value!r} is no value of {key}") from None
            else:
                names = [name if name != "card" else "+CONVENTION, -CONVENTION" for name in known]
                allowed = ", ".join([f"{name}=..." if name.isalpha() else name for name in names])
                raise PairError(f"{option!r} in {text!r} is no option of a pair; expected {allowed}")
        return cls(card=tuple(card), **values)

    def __post_init__(self) -> None:
        limits = [self.search is False, self.seconds is not None, self.instances is not None]
        if sum(limits) > 1:
            raise PairError(f"{self}: give one of no-search, rules-only, seconds and instances")
        if self.worlds is not None and self.worlds < 1:
            raise PairError(f"a simulation needs at least one deal, not {self.worlds}")
        if len(self.opponents) > 2:
            raise PairError(f"opponents are one, or two: left and right, not {len(self.opponents)}")
        for name in (self.utility, self.settle):
            if name not in (None, "estimate") and name not in utility_names():
                raise PairError(f"{name!r} is no utility; expected one of {', '.join(utility_names())}")

    def __str__(self) -> str:
        options = [f"{'+' if on else '-'}{name}" for name, on in self.card]
        if self.search is False:
            options.append("no-search" if self.look else "rules-only")
        elif not self.look:
            options.append("no-look")
        options += ["disclosed"] if self.disclosed else []
        if self.experience is not None:
            options.append(f"experience={self.experience}" if self.experience else "no-experience")
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in _FLAGS or value in (None, one.default):
                continue
            for said in value if isinstance(value, tuple) else (value,):
                options.append(f"{one.name}={said:g}" if isinstance(said, float) else f"{one.name}={said}")
        described = ",".join([self.system or "engine", *options])
        return f"{described}:{self.command}" if self.command else described

    @property
    def label(self) -> str:
        """A short name for reports."""
        return self.name or (f"engine:{self.command}" if self.command else str(self))

    @property
    def short(self) -> str:
        """A name that fits on a seat of a hand viewer."""
        if self.name:
            return self.name[:24]
        path = Path(shlex.split(self.command)[0] if self.command else self.system)
        return (path.parent.name if path.stem == "system" and path.parent.name else path.stem)[:24]

    @property
    def learned(self) -> bool:
        """Whether they bid by a model that was learned from records."""
        return is_model_file(self.system)

    @property
    def limit(self) -> Limit | None:
        """What a call may cost; None where nothing is simulated."""
        if self.search is False or self.learned:
            return None
        if self.instances is not None:
            return Limit(instances=self.instances)
        return Limit(seconds=SECONDS if self.seconds is None else self.seconds)

    @property
    def simulates(self) -> bool:
        """Whether calls may take long."""
        return bool(self.system) and self.limit is not None

    def settled(
        self,
        seconds: float | None = None,
        instances: int | None = None,
        no_search: bool = False,
        utility: str | None = None,
        rules_only: bool = False,
    ) -> Pair:
        """The same pair, with these options where its description says nothing of its own."""
        if self.command or self.learned:
            return self
        pair = replace(self, utility=self.utility or utility)
        if self.search is None and self.seconds is None and self.instances is None:
            search = False if no_search or rules_only else None
            look = self.look and not rules_only
            pair = replace(pair, search=search, look=look, seconds=seconds, instances=instances)
        return pair

    @property
    def unnamed(self) -> Pair:
        """The same for comparisons: pairs that differ only by name bid alike."""
        return replace(self, name="")


def utility_names() -> tuple[str, ...]:
    """What can value contracts; to load it takes time that a rule decision need not wait for."""
    from pidm.bridge.utilities import NAMES

    return tuple(NAMES)


_MODEL: dict[str, Callable[[str], Any]] = {"name": str}
_ENGINE: dict[str, Callable[[str], Any]] = {"timeout": float, "name": str}
_SYSTEM: dict[str, Callable[[str], Any]] = {
    "no-search": str,
    "rules-only": str,
    "no-look": str,
    "seconds": float,
    "instances": int,
    "utility": str,
    "settle": str,
    "judgement": float,
    "width": Width,
    "worlds": int,
    "disclosed": str,
    "correction": str,
    "experience": str,
    "no-experience": str,
    "partner": str,
    "opponents": str,
    "refinements": str,
    "name": str,
    "card": str,
}
