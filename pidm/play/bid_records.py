"""What pidm has bid, added to the records of the boards that it was asked about.

Everything that was in a record stays. A board without an auction and a result gets pidm's auction, each call
with its alert and its reason as a note, and the contract. A board that has been bid or played already keeps
all of that, and pidm's auction follows it as a record of its own, with the same number and the same deal.
"""

from __future__ import annotations

from dataclasses import replace

from pidm import __version__
from pidm.authoring.explain import explain_call
from pidm.play.decision import BidDeal
from pidm.records.boards import Note, Record

PLAYERS = ("North", "East", "South", "West")
WHO = "pidm"
"""The name of all four players where pidm's auction is a record of its own."""
_SHARED = ("Event", "Site", "Date", "Scoring")
_OUTCOME = ("Declarer", "Contract", "Result", "Score")
"""Tags that say that a board has been bid or played, also where they could not be read."""


def with_auction(record: Record, bid: BidDeal, system: str) -> list[Record]:
    """The record with what pidm has bid on its deal: one record, or two."""
    own = Record.of(bid.deal, bid.auction, board=record.board, notes=notes_of(bid))
    annotator = {"Annotator": f"{WHO} {__version__}, {system}"}
    if is_open(record):
        kept = replace(own, tags={**annotator, **record.tags}, tables=record.tables, comments=record.comments)
        return [kept]
    shared = {name: record.tags[name] for name in _SHARED if name in record.tags}
    return [record, replace(own, tags={**shared, **dict.fromkeys(PLAYERS, WHO), **annotator})]


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
