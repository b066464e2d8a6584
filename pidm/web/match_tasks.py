"""What the workers read for who watches a match, as it runs or afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.errors import PidmError
from pidm.match.statistics import FEWEST, Sprt, mean_of, running
from pidm.play.solved_deals import ns_score
from pidm.web.requests import Progress
from pidm.web.watch_files import held, lines_of, of_its_kind, part_of, text_of

MOST_SWINGS = 40
"""Boards that are shown."""
POINTS = 240
"""Points of a curve."""


def match(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A match as it is now, with its mean and its sequential test after each board."""
    found = read_match(Path(args["file"]))
    points, results = found.pop("points"), found.pop("results")
    del found["pairs"]
    means, errors = running(points)
    step = max(1, len(points) // POINTS)
    kept = sorted({*range(0, len(points), step), len(points) - 1} - {-1})
    swings = sorted(range(len(points)), key=lambda at: -abs(points[at]))[:MOST_SWINGS]
    return {
        **found,
        **summary(points),
        "curve": [
            [at + 1, round(float(means[at]), 4), round(float(errors[at]), 4) if at else None] for at in kept
        ],
        "sprt": _test(found["sprt"], points, kept),
        "swings": [{**results[at], "points": points[at]} for at in swings if points[at]],
    }


def read_match(path: Path) -> dict[str, Any]:
    """A match: from its file when it is over, before that from the results kept so far."""
    part = part_of(path)
    with of_its_kind(part if part.exists() else path, "the results of a match"):
        return _running(part) if part.exists() else _finished(path)


def summary(points: list[float]) -> dict[str, Any]:
    """A match in a line."""
    mean = mean_of(points)
    return {
        "boards": len(points),
        "mean": mean.mean,
        "error": mean.error if len(points) > 1 else None,
        "won": sum(one > 0 for one in points),
        "lost": sum(one < 0 for one in points),
    }


def _test(asked: Sprt | None, points: list[float], kept: list[int]) -> dict[str, Any] | None:
    """The sequential test: where it stands, and how it came there."""
    if asked is None:
        return None
    ratios = asked.ratios(points)
    return {
        "low": asked.low,
        "high": asked.high,
        "bounds": [round(bound, 3) for bound in asked.bounds],
        "ratio": round(asked.ratio(points), 3),
        "accepted": asked.decision(points) or None,
        "fewest": FEWEST,
        "decisive": sum(one != 0 for one in points),
        "curve": [[at + 1, round(float(ratios[at]), 3)] for at in kept],
    }


def _finished(path: Path) -> dict[str, Any]:
    data = json.loads(text_of(path))
    if data.get("kind") != "match":
        raise PidmError(f"{path} is not the result of a match")
    form, test = data["scoring"], data.get("sprt")
    return {
        "a": data["a"],
        "b": data["b"],
        "pairs": data["settings"]["pairs"],
        "scoring": form,
        "running": False,
        "over": True,
        "sprt": Sprt(test["low"], test["high"], test["alpha"], test["beta"]) if test else None,
        "points": [_points(one, form) for one in data["results"]],
        "results": [
            {
                **{name: one[name] for name in ("board", "dealer", "vul", "deal", "imps")},
                "tables": [
                    {
                        "ns": table["ns"],
                        "calls": table["auction"],
                        "contract": table["contract"],
                        "tricks": table["tricks"],
                        "score": table["ns_score"],
                    }
                    for table in one["tables"][:2]
                ],
            }
            for one in data["results"]
        ],
    }


def _running(part: Path) -> dict[str, Any]:
    from pidm.play.pair import Pair

    lines = list(lines_of(part))
    about: dict[str, Any] = lines[0]["about"] if lines else {"pairs": ["A", "B"], "scoring": "imps"}
    form, test = about["scoring"], about.get("sprt")
    kept = [one for line in lines[1:] for one in line["results"]]
    names = [Pair.from_str(text).label for text in about["pairs"]] if lines else about["pairs"]
    return {
        "a": names[0],
        "b": names[1],
        "pairs": about["pairs"],
        "scoring": form,
        "running": held(part),
        "over": False,
        "sprt": Sprt(*test) if test else None,
        "points": [_points(one, form) for one in kept],
        "results": [
            {
                **{name: one[name] for name in ("board", "dealer", "vul", "deal", "imps")},
                "tables": [_table(table, one, names) for table in one["tables"][:2]],
            }
            for one in kept
        ],
    }


def _points(result: dict[str, Any], form: str) -> float:
    return float(result["matchpoints" if form == "matchpoints" else "imps"])


def _table(table: dict[str, Any], result: dict[str, Any], names: list[str]) -> dict[str, Any]:
    auction = Auction(Seat.from_str(result["dealer"]), Vul.from_str(result["vul"]))
    auction = auction.after_all(Call.from_str(call) for call in table["calls"].split())
    contract = auction.contract if auction.over else None
    known = auction.over and (contract is None or table["tricks"] is not None)
    return {
        "ns": names[table["seats"][Seat.N] or 0],
        "calls": [str(call) for call in auction.calls],
        "contract": str(contract) if contract else None,
        "tricks": table["tricks"],
        "score": ns_score(contract, auction.vul, table["tricks"]) if known else None,
    }
