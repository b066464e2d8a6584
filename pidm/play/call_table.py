"""Decisions as a flat table, a call a line: for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pidm.errors import PidmError
from pidm.play.decision import BidDeal, Decision

if TYPE_CHECKING:
    import pandas

COLUMNS = (
    "board",
    "dealer",
    "vul",
    "seat",
    "number",
    "hand",
    "auction",
    "call",
    "by",
    "system_call",
    "departs",
    "shows",
    "fits",
    "outside",
    "candidates",
    "gain",
    "error",
    "worlds",
    "expected",
    "seconds",
    "why",
)
"""`auction` is what was bid before the call, `candidates` are all calls that were weighed, `gain` is by how
much the call is better than the next one, with its standard `error`."""
MEASURED = ("gain", "error", "expected")
"""Numbers that only a simulation has."""


def row_of(decision: Decision, board: object = "") -> dict[str, Any]:
    """One line of the table."""
    auction = decision.auction
    weighed = [one for one in decision.candidates if one.mean is not None]
    gain = error = None
    if len(weighed) > 1:
        gain = round((weighed[0].mean or 0.0) - (weighed[1].mean or 0.0), 3)
        error = round(weighed[1].standard_error or 0.0, 3)
    found = (
        board,
        str(auction.dealer),
        str(auction.vul),
        str(auction.actor),
        len(auction.calls) + 1,
        str(decision.hand),
        str(auction),
        str(decision.call),
        str(decision.by),
        "" if decision.system_call is None else str(decision.system_call),
        decision.departs,
        decision.fit.shows,
        decision.fit.fits,
        decision.fit.outside,
        " ".join(str(one.call) for one in decision.candidates),
        gain,
        error,
        decision.worlds,
        decision.expected,
        round(decision.seconds, 4),
        decision.why,
    )
    return dict(zip(COLUMNS, found))


def to_csv(rows: Iterable[dict[str, Any]]) -> str:
    """The table as CSV with a head."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_frame(rows: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    """The table as a data frame, where pandas is there."""
    try:
        import pandas
    except ImportError:
        raise PidmError("a data frame needs pandas: pip install pandas") from None
    table = pandas.DataFrame(rows, columns=list(COLUMNS))
    # Calls that were not simulated have no number there, which must not turn the others into objects.
    return table.astype(dict.fromkeys(MEASURED, float))


class Decisions(list[Decision]):
    """The answers to many questions."""

    def to_frame(self) -> pandas.DataFrame:
        """A line a call, where pandas is there."""
        return to_frame([row_of(one) for one in self])

    def to_csv(self) -> str:
        """A line a call."""
        return to_csv(row_of(one) for one in self)


def rows_of_deals(deals: Sequence[BidDeal], boards: Sequence[object] = ()) -> list[dict[str, Any]]:
    """All calls of some deals."""
    names = boards or range(1, len(deals) + 1)
    return [row_of(one, board) for board, deal in zip(names, deals) for one in deal.decisions]
