"""What the workers do for reviews: one board at a time, and the files to take home."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pidm.errors import RecordError
from pidm.language.finding import short_place
from pidm.records.boards import Records, dumps, loads
from pidm.web.loaded import table
from pidm.web.requests import Progress, limit_of


@lru_cache(maxsize=4)
def _records(text: str, form: str) -> Records:
    """The boards of a file, and what is wrong with the others."""
    return loads(text, form)


def records(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """How many boards a file has, and what is wrong with it."""
    found = _records(args["text"], args["form"])
    boards, errors = found.boards, [str(error) for error in found.errors]
    if not boards:
        raise RecordError("; ".join(errors[:3]) or "no board was found in this file")
    return {"boards": len(boards), "errors": errors[:20]}


def review_board(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """One board of a file, reviewed."""
    from pidm.match.review import review_board as reviewed
    from pidm.play.solved_deals import Solver, default_store

    record = _records(args["text"], args["form"]).boards[args["at"]]
    here = table(args["ns"], args["ew"])
    found = reviewed(here, record, limit_of(args), Solver(default_store())).to_dict()
    for call in found["reviewed"]:
        for option in call["options"]:
            for rule in option["rules"]:
                rule["place"] = short_place(rule["place"])
    return found


def standings(args: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The table of the tournament."""
    from pidm.match.standings import standings as found

    return found(args["boards"])


def review_file(args: dict[str, Any], progress: Progress) -> str:
    """A review to take home: `as` is html, or pbn with everything that was in the file."""
    if args["as"] == "html":
        from pidm.match.review_page import page

        return page(args["boards"], args["name"], args["systems"])
    from pidm.match.review import annotated

    found = _records(args["text"], args["form"])
    return dumps(found.rewritten([one] for one in map(annotated, found.boards, args["boards"])), "pbn")
