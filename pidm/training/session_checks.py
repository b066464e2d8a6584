"""Whether what the files of a session hold can be what a session wrote; damage is told with its place."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.errors import PidmError
from pidm.training.settings import TrainingError


@contextmanager
def damage(place: object) -> Iterator[None]:
    """Whatever is wrong with the content of a file is told with its place."""
    try:
        yield
    except (PidmError, ValueError, TypeError, KeyError, RecursionError, csv.Error) as error:
        words = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise TrainingError(f"{place}: {words[:300]}") from None


def read_json(path: Path) -> Any:
    """The content of a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def as_object(data: Any, *keys: str) -> dict[str, Any]:
    """The data, if it is an object that has these keys."""
    if not isinstance(data, dict):
        raise ValueError(f"expected an object, not {str(data)[:50]!r}")
    for key in keys:
        if key not in data:
            raise KeyError(key)
    return data


def check_number(value: Any) -> None:
    """A number that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"expected a number, not {str(value)[:50]!r}")


def check_whole(value: Any, most: float = math.inf) -> None:
    """A whole number up to this one; -1 is the round before the first."""
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value <= most:
        raise ValueError(f"expected a whole number, not {str(value)[:50]!r}")


def check_state(state: Any) -> None:
    """Dealer, vul, calls, hand."""
    if not isinstance(state, list) or len(state) != 4 or not all(isinstance(text, str) for text in state[2:]):
        raise ValueError(f"expected dealer, vul, calls and hand, not {str(state)[:50]!r}")
    for value in state[:2]:
        check_whole(value, 3)
    Auction.from_str(state[2], Seat(state[0]), Vul(state[1]))
    Hand.from_str(state[3])


def check_auction(one: Any) -> None:
    """An auction to learn, with states of it."""
    as_object(one, "auction", "partner", "count", "cost", "gain", "states")
    if not isinstance(one["auction"], str):
        raise ValueError(f"expected an auction, not {str(one['auction'])[:50]!r}")
    for call in one["auction"].split():
        Call.from_str(call)
    check_whole(one["partner"], 1)
    for name in ("count", "cost", "gain"):
        check_number(one[name])
    if not isinstance(one["states"], list) or not one["states"]:
        raise ValueError("expected a list of states")
    for state in one["states"]:
        check_state(state)


def check_example(one: Any) -> None:
    """A state with its tag."""
    as_object(one, "round", "auction", "number", "state", "call", "values")
    check_whole(one["round"])
    check_whole(one["number"])
    if not isinstance(one["auction"], str):
        raise ValueError(f"expected an auction, not {str(one['auction'])[:50]!r}")
    check_state(one["state"])
    values = as_object(one["values"])
    for call, value in values.items():
        Call.from_str(call)
        if value is not None:
            check_number(value)
    if one["call"] not in values:
        raise ValueError(f"the call {str(one['call'])[:20]!r} is none of {', '.join(values)}")
