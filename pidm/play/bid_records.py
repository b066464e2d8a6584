"""What pidm has bid, added to the records of the boards that it was asked about.

Everything that was in a record stays. A board without an auction and a result gets pidm's auction, each call
with its alert and its reason as a note, the contract, and double-dummy results. A board that has been bid or
played already keeps all of that, and pidm's auction follows it as a record of its own, with the same number
and the same deal.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pidm import __version__
from pidm.authoring.explain import explain_call
from pidm.bridge.calls import STRAINS, Seat
from pidm.bridge.scoring import par
from pidm.play.decision import BidDeal
from pidm.play.solved_deals import ns_score
from pidm.records.boards import Note, Record

PLAYERS = ("North", "East", "South", "West")
WHO = "pidm"
"""The name of all four players where pidm's auction is a record of its own."""
_SHARED = ("Event", "Site", "Date", "Scoring")
_OUTCOME = ("Declarer", "Contract", "Result", "Score")
"""Tags that say that a board has been bid or played, also where they could not be read."""
RESULTS = "OptimumResultTable"
"""The table of PBN for tricks double dummy, by declarer and strain."""
_RESULTS_COLUMNS = "Declarer;Denomination\\2R;Result\\2R"
_PBN_STRAIN = {**{strain: strain for strain in STRAINS}, "N": "NT"}
_STRAINS = sorted(enumerate(STRAINS), key=lambda one: one[1] != "N")
"""Notrump first, as the standard has it."""


def with_auction(
    record: Record, bid: BidDeal, system: str, solved: npt.NDArray[np.int8] | None = None
) -> list[Record]:
    """The record with what pidm has bid on its deal: one record, or two.

    `solved` is the deal double dummy, tricks in strain S H D C N by declarer N E S W, int8[5, 4].
    """
    own = Record.of(bid.deal, bid.auction, board=record.board, notes=notes_of(bid))
    own = replace(own, tags={"Annotator": f"{WHO} {__version__}, {system}"})
    if solved is not None:
        own = _with_results(own, bid, solved)
    if is_open(record):
        tags, tables = {**own.tags, **record.tags}, {**own.tables, **record.tables}
        return [replace(own, tags=tags, tables=tables, comments=(*record.comments, *own.comments))]
    shared = {name: record.tags[name] for name in _SHARED if name in record.tags}
    return [record, replace(own, tags={**shared, **dict.fromkeys(PLAYERS, WHO), **own.tags})]


def _with_results(record: Record, bid: BidDeal, solved: npt.NDArray[np.int8]) -> Record:
    """The record with double-dummy results and par as PBN has them, and what the contract makes."""
    auction = bid.auction
    best = par(bid.deal, auction.vul, auction.dealer, solved).score
    rows = (
        f"{seat} {_PBN_STRAIN[strain]:>2} {solved[k, seat]:>2}" for seat in Seat for k, strain in _STRAINS
    )
    said = "passed out"
    if auction.contract is not None:
        tricks = int(solved[STRAINS.index(auction.contract.strain), auction.contract.declarer])
        said = f"{auction.contract} takes {tricks} tricks double dummy"
        said += f", {_for_a_side(ns_score(auction.contract, auction.vul, tricks))}"
    return replace(
        record,
        tags={**record.tags, "OptimumScore": _for_a_side(best)},
        tables={RESULTS: (_RESULTS_COLUMNS, *rows)},
        comments=(f"{WHO}: {said}; par is {_for_a_side(best)}",),
    )


def _for_a_side(score: int) -> str:
    """A score as PBN writes it, for the side that has it."""
    return f"EW {-score}" if score < 0 else f"NS {score}"


def is_open(record: Record) -> bool:
    """Whether nobody has bid or played the board yet, as far as the record tells."""
    told = record.auction or record.contract or record.passed_out or record.tricks is not None or record.play
    return not told and not any(name in record.tags for name in _OUTCOME)


def is_ours(record: Record) -> bool:
    """Whether pidm has written this record beside another one of the same deal."""
    return all(record.tags.get(name) == WHO for name in PLAYERS)


def notes_of(bid: BidDeal) -> list[Note]:
    """For every call its reason, and before it what the opponents are to be told."""
    notes = []
    for at, decision in enumerate(bid.decisions):
        told = explain_call(decision.situation, decision.call, bid.auction.seat_of(at)).alert
        notes.append(Note(at, f"{told}. {decision.why}" if told else decision.why, alert=bool(told)))
    return notes
