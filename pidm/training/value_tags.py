"""Tags of decisions in self-play: which are worth one, and tags as plain data with what is at stake."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pidm.bridge.calls import Call
from pidm.draws import generator_of
from pidm.reading.correction import Correction, standing
from pidm.training.rollouts import tag
from pidm.training.self_play import SelfPlay, Turn, drawn_as

NEAR = -0.5
"""IMPs that some call must gain as it stands for a decision to be worth a tag."""
OTHERS = 0.1
"""The share of the other decisions that are tagged too, so that what is learned knows them."""
LIGHT, LIGHTER = 2.0, 0.5
"""Points with less than which some opponents bid, and the share of tags against such opponents."""


@dataclass(frozen=True, eq=False)
class Tagged:
    """A decision with the values of its calls, in IMPs over the call of the rules."""

    decision: Turn
    calls: tuple[Call, ...]
    """The call of the rules, then the others."""
    rows: np.ndarray
    """float[calls, stakes], what is at stake in them."""
    standing: np.ndarray
    """float[calls], what they gain as they stand."""
    plain: np.ndarray
    """float[calls, 2], what they gain by playing on, by half of the worlds."""
    guarded: np.ndarray
    """The same with our contracts doubled where they are well down."""
    worlds: int
    """Of the tag."""
    light: float
    """Points with less than which the opponents bid."""
    weight: float
    """How many decisions of self-play it stands for."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        numbers = ("rows", "standing", "plain", "guarded")
        return {
            **self.decision.to_dict(),
            "calls": [str(call) for call in self.calls],
            **{name: np.round(getattr(self, name), 4).tolist() for name in numbers},
            "worlds": self.worlds,
            "light": self.light,
            "weight": self.weight,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tagged:
        """From plain data."""
        return cls(
            Turn.from_dict(data),
            tuple(Call.from_str(call) for call in data["calls"]),
            np.array(data["rows"]),
            np.array(data["standing"]),
            np.array(data["plain"]),
            np.array(data["guarded"]),
            data["worlds"],
            data["light"],
            data["weight"],
        )


def tags_of_deals(
    first: str,
    second: str,
    deals: int,
    correction: str = "",
    temperature: float = 0.0,
    joint: bool = False,
    *seed: object,
) -> list[dict[str, Any]]:
    """The tags of the decisions of some deals that one system plays against another, as plain data.

    `correction` is what has been learned so far, as text; so that the work can be done anywhere.
    """
    rng = generator_of("tags", drawn_as(first), drawn_as(second), *seed)
    players = _players(first, second, correction, temperature)
    found = []
    for decision, case in players.decisions(deals, *seed):
        near = float(case.seen.gains[1:].max()) >= NEAR
        if not near and rng.random() >= OTHERS:
            continue
        light = LIGHT if rng.random() < LIGHTER and not players.everybody.models else 0.0
        asked = players.player, decision.auction, decision.hand, case.calls
        made = tag(*asked, rng, light, joint, players.everybody)
        if made is not None:
            values = made.plain, made.guarded, made.worlds, light, 1.0 if near else 1 / OTHERS
            found.append(Tagged(decision, case.calls, case.rows, standing(case), *values).to_dict())
    return found


@lru_cache(maxsize=8)
def _players(first: str, second: str, correction: str, temperature: float) -> SelfPlay:
    known = Correction.from_dict(json.loads(correction)) if correction else None
    return SelfPlay(first, second, known, temperature)
