"""What the workers read for who watches: training sessions and matches, as they run or afterwards.

Nothing here writes to what it reads, and a line that is just being written is left for the next look.
"""

from __future__ import annotations

import csv
import fcntl
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.errors import PidmError
from pidm.match.statistics import Sprt, mean_of, running
from pidm.web.requests import Progress

MOST_EXAMPLES = 200
"""Examples of one auction that are shown."""
MOST_SWINGS = 40
"""Boards of a match that are shown."""
POINTS = 240
"""Points of a curve."""


def session(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A training session as it is now."""
    from pidm.reading.learned_features import key_text
    from pidm.reading.refinement_files import Refinements
    from pidm.reading.refinement_words import say

    folder = Path(args["folder"])
    settings = json.loads(_text(folder / "settings.json"))["settings"]
    nets = []
    if (folder / "nets").is_dir():
        for partner in (False, True):
            for one in Refinements.load(folder, partner) or ():
                changed = say(one.trimmed()) if any(one.changes()) else []
                nets.append(
                    {
                        "auction": key_text(one.key),
                        "partner": partner,
                        "examples": one.examples,
                        "says": say(one),
                        "changes": changed,
                    }
                )
    return {
        "settings": settings,
        "running": _held(folder / "lock"),
        "curve": _curve(folder / "curve.csv"),
        "nets": nets,
        "examples": sum(1 for _ in _lines(folder / "examples.jsonl")),
        "log": _text(folder / "log.txt").splitlines()[-12:],
    }


def examples(args: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    """The hands behind what was learned for an auction, those first that matter most."""
    found = []
    for one in _lines(Path(args["folder"]) / "examples.jsonl"):
        if one["auction"].split(" ", 1)[-1] != args["auction"]:
            continue
        dealer, vul, calls, hand = one["state"]
        values = {call: round(value, 2) for call, value in one["values"].items()}
        found.append(
            {
                "dealer": str(Seat(dealer)),
                "vul": str(Vul(vul)),
                "calls": calls.split(),
                "hand": hand,
                "call": one["call"],
                "values": values,
                "worlds": one["worlds"],
                "stake": round(max(values.values()) - min(values.values()), 2),
            }
        )
    return sorted(found, key=lambda one: -one["stake"])[:MOST_EXAMPLES]


def match(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A match as it is now: from its file when it is over, before that from the results kept so far."""
    path = Path(args["file"])
    part = path.with_name(f"{path.name}.part")
    found = _running(part) if part.exists() else _finished(path)
    points = found.pop("points")
    mean = mean_of(points)
    means, errors = running(points)
    step = max(1, len(points) // POINTS)
    kept = sorted({*range(0, len(points), step), len(points) - 1} - {-1})
    results = found.pop("results")
    swings = sorted(range(len(points)), key=lambda at: -abs(points[at]))[:MOST_SWINGS]
    return {
        **found,
        "boards": len(points),
        "mean": mean.mean,
        "error": mean.error if len(points) > 1 else None,
        "won": sum(one > 0 for one in points),
        "lost": sum(one < 0 for one in points),
        "curve": [
            [at + 1, round(float(means[at]), 4), round(float(errors[at]), 4) if at else None] for at in kept
        ],
        "swings": [results[at] for at in swings if points[at]],
    }


def _finished(path: Path) -> dict[str, Any]:
    data = json.loads(_text(path))
    if data.get("kind") != "match":
        raise PidmError(f"{path} is not the result of a match")
    results = [
        {
            "board": one["board"],
            "dealer": one["dealer"],
            "vul": one["vul"],
            "deal": one["deal"],
            "imps": one["imps"],
            "tables": [
                {
                    "ns": table["ns"],
                    "calls": table["auction"],
                    "contract": table["contract"],
                    "tricks": table["tricks"],
                    "score": table["ns_score"],
                }
                for table in one["tables"]
            ],
        }
        for one in data["results"]
    ]
    form = data["scoring"]
    return {
        "a": data["a"],
        "b": data["b"],
        "scoring": form,
        "running": False,
        "sprt": data.get("sprt"),
        "points": [float(one["matchpoints" if form == "matchpoints" else "imps"]) for one in data["results"]],
        "results": results,
    }


def _running(part: Path) -> dict[str, Any]:
    lines = list(_lines(part))
    about = lines[0]["about"] if lines else {"pairs": ["A", "B"], "scoring": "imps"}
    form = about["scoring"]
    kept = [one for line in lines[1:] for one in line["results"]]
    pairs = about["pairs"]
    results = []
    for one in kept:
        dealer, vul = Seat.of_board(one["board"]), Vul.of_board(one["board"])
        results.append(
            {
                "board": one["board"],
                "dealer": str(dealer),
                "vul": str(vul),
                "deal": None,
                "imps": one["imps"],
                "tables": [
                    {**_table(table, dealer, vul), "ns": pairs[table["seats"][0] or 0]}
                    for table in one["tables"][:2]
                ],
            }
        )
    points = [float(one["matchpoints" if form == "matchpoints" else "imps"]) for one in kept]
    test = about.get("sprt")
    sprt: dict[str, Any] | None = None
    if test:
        asked = Sprt(*test)
        sprt = {"low": asked.low, "high": asked.high, "log_likelihood_ratio": asked.ratio(points)}
        sprt["bounds"] = list(asked.bounds)
        sprt["accepted"] = asked.decision(points) or None
    return {
        "a": pairs[0],
        "b": pairs[1],
        "scoring": form,
        "running": _held(part),
        "sprt": sprt,
        "points": points,
        "results": results,
    }


def _table(table: dict[str, Any], dealer: Seat, vul: Vul) -> dict[str, Any]:
    auction = Auction(dealer, vul).after_all(Call.from_str(call) for call in table["calls"].split())
    contract = auction.contract if auction.over else None
    return {
        "calls": [str(call) for call in auction.calls],
        "contract": str(contract) if contract else None,
        "tricks": table["tricks"],
        "score": None,
    }


def _curve(path: Path) -> list[dict[str, float]]:
    """The rows of the curve, as far as they are whole."""
    rows = []
    for row in csv.DictReader(_text(path).splitlines()):
        try:
            rows.append({name: float(value) for name, value in row.items()})
        except (TypeError, ValueError):  # a line that is being written
            break
    return rows


def _lines(path: Path) -> Iterator[Any]:
    """The whole lines of a file of JSON lines."""
    if not path.exists():
        return
    with open(path, "rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                return
            yield json.loads(line)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _held(path: Path) -> bool:
    """Whether somebody is at work there."""
    if not path.exists():
        return False
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
