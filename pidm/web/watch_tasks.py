"""What the workers read for who watches a training session, as it runs or afterwards."""

from __future__ import annotations

import csv
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from pidm.bridge.calls import Seat, Vul
from pidm.errors import PidmError
from pidm.web.match_tasks import read_match, summary
from pidm.web.requests import Progress
from pidm.web.stamps import Stamp, stamp_of
from pidm.web.watch_files import held, lines_of, of_its_kind, part_of, text_of

MOST_EXAMPLES = 200
"""Examples of one auction that are shown."""


def session(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """A training session as it is now, with those of the matches in `matches` that its nets play."""
    from pidm.reading.learned_features import key_text
    from pidm.reading.refinement_files import Refinements
    from pidm.reading.refinement_words import say

    folder = Path(args["folder"])
    with of_its_kind(folder / "settings.json", "the settings of a session"):
        settings = json.loads(text_of(folder / "settings.json"))["settings"]
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
        "folder": str(folder),
        "settings": settings,
        "running": held(folder / "lock"),
        "curve": _curve(folder / "curve.csv"),
        "nets": nets,
        "examples": sum(1 for _ in lines_of(folder / "examples.jsonl")),
        "log": text_of(folder / "log.txt").splitlines()[-12:],
        "matches": [
            {"name": name, **told}
            for name, file in args["matches"].items()
            if (told := _played_by(folder, Path(file))) is not None
        ],
    }


def examples(args: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    """The hands behind what was learned for an auction, those first that matter most."""
    found = []
    for one in lines_of(Path(args["folder"]) / "examples.jsonl"):
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


def _played_by(folder: Path, file: Path) -> dict[str, Any] | None:
    """A match in a line, if a pair in it plays the nets of a session; None for any other match."""
    return _in_a_line(folder, file, stamp_of([file, part_of(file)]))


@lru_cache(maxsize=64)
def _in_a_line(folder: Path, file: Path, stamp: Stamp) -> dict[str, Any] | None:
    from pidm.play.pair import Pair

    try:
        found = read_match(file)
    except PidmError:  # who opens the match itself is told what is wrong with it
        return None
    nets = [Pair.from_str(text).refinements for text in found["pairs"] if text not in ("A", "B")]
    # A path on the command line was one from where the match was started: most likely from here, or from
    # the folder of its results.
    places = {(base / one).resolve() for one in nets if one for base in (Path.cwd(), file.parent)}
    if folder.resolve() not in places:
        return None
    told = {name: found[name] for name in ("a", "b", "scoring", "running", "over")}
    return {**told, **summary(found["points"])}


def _curve(path: Path) -> list[dict[str, float]]:
    """The rows of the curve, as far as they are whole."""
    rows = []
    for row in csv.DictReader(text_of(path).splitlines()):
        try:
            rows.append({name: float(value) for name, value in row.items()})
        except (TypeError, ValueError):  # a line that is being written
            break
    return rows
