"""What a training session is asked to do. Equal settings give equal nets, however the work is spread."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from pidm.bridge.utilities import NAMES, Form
from pidm.core.induction import Induction
from pidm.core.search import SearchOptions
from pidm.errors import PidmError
from pidm.models import is_model_file
from pidm.play.pair import JUDGEMENT, Pair
from pidm.play.seating import CAUTION, UNFINISHED
from pidm.reading.judgement import Width

FORMS = get_args(Form)
FIRST = ("cost", "gain")
"""By what auctions can be ordered."""


class TrainingError(PidmError):
    """A session that cannot be started or resumed as asked."""


@dataclass(frozen=True)
class Settings:
    """A session in numbers."""

    system: str = "two_over_one"
    """Name or file of the system to refine."""
    partner: str | None = None
    """Partner's system; None: the same, and what one learns the other takes over."""
    utility: str = "estimate"
    """What values contracts."""
    partner_utility: str | None = None
    """What partner values them by, if that differs."""
    opponents: str | None = None
    """The opponents' system, or a model of them learned from records; None: the same as ours. `silent` are
    opponents who never bid."""
    within: tuple[str, ...] = ()
    """Learn only auctions that begin with one of these."""
    deals: int = 1000
    """Random deals that are bid to find the auctions that matter."""
    nets: int = 50
    """Nets to refine, of both partners together."""
    examples: int = 100
    """Examples to tag for a net."""
    seconds: float | None = None
    """Limit for a tag in seconds."""
    instances: int | None = 2000
    """Limit for a tag in instances; only then is a session the same on every machine."""
    sample_size: int = 400
    """Worlds that a tag is based on."""
    first: str = "cost"
    """Which auctions come first: those that `cost` most search, or those where a search is expected to `gain`
    most over the rules; in both cases as often as they come up."""
    backward: bool = False
    """Learn the auctions that are chosen like this from their end, the longest first: so that what partner
    will answer is mostly settled when a call is tagged."""
    again: str | None = None
    """The directory of a session: what was learned there is known from the start, and learned once more."""
    exchange_every: int = 1
    """Rounds between exchanges; in a round each partner refines one net. 0: only at the end."""
    judgement: float = JUDGEMENT
    """Points beside a rule up to which its call is open."""
    scoring: Form = "imps"
    """What the pair plays for."""
    depth: int = 3
    """The most tests in a learned rule."""
    least: int = 3
    """Examples of a choice between the same calls that are needed to learn anything about it."""
    firm: int = 5
    """Examples that are needed to settle a choice; else it stays open to a search, the better call first."""
    tolerance: float = 0.15
    """What a learned call may lose in the mean against the tags, in IMPs; else the choice stays open."""
    caution: float = CAUTION
    """By how many standard errors another call must be better than the one that the rules prefer, in a tag
    and in what is learned from tags; 0 where rules leave calls open that stand beside each other."""
    problems: int = 100
    """Bidding problems by which progress is measured."""
    seed: int = 0
    """Of everything."""

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.instances is None):
            raise TrainingError("the limit of a tag is in seconds or in instances: give one of the two")
        if self.scoring not in FORMS:
            raise TrainingError(f"{self.scoring!r} is no form of scoring; expected {', '.join(FORMS)}")
        if self.exchange_every < 0:
            raise TrainingError(f"exchange_every is at least 0, not {self.exchange_every}")
        for name in ("deals", "nets", "examples", "sample_size", "problems", "depth", "least", "firm"):
            if getattr(self, name) < 1:
                raise TrainingError(f"{name} is at least 1, not {getattr(self, name)}")
        if self.first not in FIRST:
            raise TrainingError(f"first come the auctions of most {' or '.join(FIRST)}, not {self.first!r}")
        for player in (self.system, self.partner):
            if player is not None and is_model_file(player):
                raise TrainingError(f"{player} is learned from records, not written: only opponents can be")
        for name in (self.utility, self.partner_utility or self.utility):
            if name not in NAMES:
                raise TrainingError(f"{name!r} is no utility; expected one of {', '.join(NAMES)}")

    def pair(self, place: int) -> Pair:
        """One of the partners, as it tags."""
        ours, theirs, rivals = self.systems()
        mine, partner = (theirs, ours) if place else (ours, theirs)
        return Pair(
            mine,
            partner=partner if partner != mine else None,
            opponents=(rivals,),
            seconds=self.seconds,
            instances=self.instances,
            utility=self.utility_of(place),
            judgement=self.judgement,
            width=Width.JUDGEMENT,  # what a net settles are the calls near a rule, however well we know them
            experience="",  # and what partner and opponents do by rules
        )

    @property
    def search(self) -> SearchOptions:
        """How a tag is searched."""
        return SearchOptions(sample_size=self.sample_size, caution=self.caution, unfinished=UNFINISHED)

    @property
    def induction(self) -> Induction:
        """When trees stop growing."""
        return Induction(
            depth=self.depth,
            least=self.least,
            firm=self.firm,
            caution=self.caution,
            tolerance=self.tolerance,
        )

    @property
    def shared(self) -> bool:
        """Do the partners play the same for the same, so that what one learns is good for the other?"""
        return self.partner in (None, self.system) and self.partner_utility in (None, self.utility)

    def systems(self) -> tuple[str, str, str]:
        """Ours, partner's, the opponents'."""
        return self.system, self.partner or self.system, self.opponents or self.system

    def utility_of(self, place: int) -> str:
        """What one of the partners values contracts by."""
        return (self.partner_utility or self.utility) if place else self.utility

    def to_json(self) -> str:
        """As text."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Settings:
        """From plain data; names that are not known are a mistake."""
        unknown = set(data) - {one.name for one in fields(cls)}
        if unknown:
            raise TrainingError(f"unknown settings: {', '.join(sorted(unknown))}")
        within = data.get("within", ())
        made = {**data, "within": tuple(within) if isinstance(within, list | tuple) else within}
        for one in fields(cls):
            _check_type(one.name, str(one.type), made.get(one.name, one.default))
        return cls(**made)


_TYPES: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "Form": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
}


def _check_type(name: str, declared: str, value: Any) -> None:
    """Settings from a file are of the declared types."""
    kind = declared.removesuffix(" | None")
    if kind.startswith("tuple"):
        fits = isinstance(value, tuple) and all(isinstance(one, str) for one in value)
    elif value is None:
        fits = kind != declared
    else:
        fits = isinstance(value, _TYPES[kind]) and isinstance(value, bool) == (kind == "bool")
        fits = fits and not (isinstance(value, float) and not math.isfinite(value))
    if not fits:
        raise TrainingError(f"{name} is {declared}, not {str(value)[:50]!r}")
