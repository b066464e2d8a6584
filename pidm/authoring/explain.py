"""What the calls of an auction show, in words, with the rules that say so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Protocol

from pidm.authoring.card_line import card_line, is_natural
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat
from pidm.core.box import Box
from pidm.language.force import ForcingKind
from pidm.language.rules import Block, Rule
from pidm.language.suits import Binding, resolve
from pidm.language.system import System
from pidm.language.words import ANY_HAND, SUITS, words_of, written_name
from pidm.reading.forcing import reaches
from pidm.reading.inference import bounds_of
from pidm.reading.matching import Applied
from pidm.reading.situation import Situation
from pidm.reading.table import Table


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of a file that speaks of a call."""

    place: str
    """File and line."""
    title: str
    """The heading of its block, suits filled in."""
    shows: tuple[str, ...]
    """The kinds of hands that make the call by this line, one by one."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A call and what is to be told about it."""

    call: Call
    seat: Seat
    shows: str
    """In one line, as on a convention card: true of every hand that makes the call by the rules."""
    reasons: tuple[Reason, ...]
    """The lines behind it, those that go first first; none when no rule speaks of the call."""
    forcing: str
    """`forcing to game`, `invitational`, ...; empty when the rules do not say."""
    alert: str
    """What to tell the opponents; empty when the call is not alertable."""
    note: str
    forbidden: bool = False
    """A negative rule takes the call away."""
    natural: bool = False
    """Nobody has agreed on it: it is read as natural."""
    in_play: str = ""
    """What hands have that make it, as far as a player with experience goes beyond what it shows."""

    @property
    def alertable(self) -> bool:
        """Must the opponents be told?"""
        return bool(self.alert)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "call": str(self.call),
            "seat": str(self.seat),
            "shows": self.shows,
            "rules": [
                {"place": one.place, "title": one.title, "shows": list(one.shows)} for one in self.reasons
            ],
            "forcing": self.forcing,
            "alert": self.alert,
            "note": self.note,
            "forbidden": self.forbidden,
            "natural": self.natural,
            "in_play": self.in_play,
        }


class InPlay(Protocol):
    """What is known of how a player really calls (`pidm.play.in_play`)."""

    def words(self, situation: Situation, call: Call) -> str:
        """What hands have that make the call, as far as that goes beyond what it shows; else empty."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """An auction explained."""

    auction: Auction
    made: tuple[Explained, ...]
    """The calls of the auction."""
    possible: tuple[Explained, ...]
    """The calls that rules speak of now and that the player can still hold a hand for; those that negative
    rules take away are marked."""
    shown: tuple[str, str, str, str]
    """What each seat N E S W has shown by all its calls."""
    agreed: str
    """The suit that the side to call has agreed, empty if none."""
    forced: str
    """What the side to call may not pass: `forced to game`, `forced` or empty."""
    in_force: tuple[str, ...]
    """Conventions of the side to call that are in force."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "auction": str(self.auction),
            "dealer": str(self.auction.dealer),
            "vul": str(self.auction.vul),
            "made": [one.to_dict() for one in self.made],
            "possible": [one.to_dict() for one in self.possible],
            "shown": {str(seat): words for seat, words in zip(Seat, self.shown)},
            "agreed": self.agreed,
            "forced": self.forced,
            "in_force": list(self.in_force),
        }


def explain(
    system: System | Table, auction: Auction, in_play: Mapping[Seat, InPlay] | None = None
) -> Explanation:
    """Explain the calls made and the calls possible now; everybody plays the system, or that of a table.

    `in_play` knows of those who bid with experience how they really call.
    """
    table = Table.of(system) if isinstance(system, System) else system
    known = in_play or {}

    def told(situation: Situation, call: Call, seat: Seat) -> Explained:
        return explain_call(situation, call, seat, known.get(seat))

    situation = table.situation(auction)
    made = [
        told(
            table.situation(Auction(auction.dealer, auction.vul, auction.calls[:i])), call, auction.seat_of(i)
        )
        for i, call in enumerate(auction.calls)
    ]
    spoken = {applied.call for applied in situation.applied if applied.speaks} | situation.forbidden
    possible = [
        told(situation, call, auction.actor)
        for call in ([] if auction.over else sorted(spoken & situation.legal))
        if call in situation.forbidden or call not in situation.excluded
    ]
    shown = [words_of(situation.bounds[(seat - auction.dealer) & 3]) for seat in Seat]
    agreed = situation.agreed[situation.side]
    return Explanation(
        auction=auction,
        made=tuple(made),
        possible=tuple(possible),
        shown=(shown[0], shown[1], shown[2], shown[3]),
        agreed=SUITS[agreed] if agreed else "",
        forced="forced to game" if situation.forced_to_game else "forced" if situation.forced else "",
        in_force=tuple(sorted(situation.in_force[situation.side])),
    )


def explain_call(situation: Situation, call: Call, seat: Seat, in_play: InPlay | None = None) -> Explained:
    """What a call shows in a situation, and how far a player with experience goes beyond that."""
    speaking = situation.speaking(call)
    shows = card_line(situation, call)
    never = situation.forbidding.get(call)
    return Explained(
        call=call,
        seat=seat,
        shows=shows,
        reasons=_reasons(speaking) if never is None else (Reason(never.place, block_title(never.block), ()),),
        forcing=_forcing(speaking[0].rule, call) if speaking else "",
        alert=" or ".join(dict.fromkeys(text for one in speaking if (text := _alert(one.rule, shows)))),
        note=_note(speaking),
        forbidden=never is not None,
        natural=is_natural([applied.rule for applied in speaking]),
        in_play="" if in_play is None or never is not None else in_play.words(situation, call),
    )


def _forcing(rule: Rule, call: Call) -> str:
    """What the call asks of partner; a game that forces to game asks nothing."""
    force = rule.forcing
    if force is None or (force.kind in (ForcingKind.GAME, ForcingKind.TO) and reaches(force, call)):
        return ""
    return str(force)


def _reasons(speaking: Sequence[Applied]) -> tuple[Reason, ...]:
    """The lines that speak of a call: a line that suits of several names expand to counts once."""
    lines: dict[str, list[Applied]] = {}
    for applied in speaking:
        lines.setdefault(applied.rule.place, []).append(applied)
    return tuple(
        Reason(
            place,
            title_of(several[0].rule),
            tuple(dict.fromkeys(in_kinds([box for one in several for box, _, _ in one.boxes]))),
        )
        for place, several in lines.items()
    )


def title_of(rule: Rule) -> str:
    """What a rule is about, with the suits that it speaks of."""
    return spoken(rule.block.title, rule.binding) if rule.block.title else block_title(rule.block)


def block_title(block: Block) -> str:
    """What a block is about: its heading, or else its convention or the name of its file."""
    return block.title or written_name(block.spec.convention or PurePath(block.spec.mark.path).stem)


def in_words(boxes: Sequence[Box]) -> str:
    """Alternatives in words, joined by `or`."""
    return " or ".join(in_kinds(boxes))


def in_kinds(boxes: Sequence[Box]) -> list[str]:
    """Alternatives in words, without those that another one includes."""
    kept = [
        box
        for i, box in enumerate(boxes)
        if not any(box < other or (box == other and j < i) for j, other in enumerate(boxes))
    ]
    return list(dict.fromkeys(words_of(bounds_of(box)) for box in kept))


def _note(speaking: Sequence[Applied]) -> str:
    """What is noted of a call, what most of its lines say first; what only some of them say is not true of
    all hands that make it."""
    notes = Counter(spoken(one.rule.line.spec.note or "", one.rule.binding) for one in speaking)
    return " or ".join(text for text, _ in notes.most_common()) if "" not in notes else ""


def _alert(rule: Rule, shows: str) -> str:
    text = rule.line.spec.alert
    if text is None or text == "no":
        return ""
    return shows if text == "yes" else spoken(text, rule.binding)


_SUIT_VARIABLE = re.compile(r"(?<![A-Za-z0-9'])([1-7*]?)(o?M|o?m|[XYZ])(?![A-Za-z0-9'])")


def spoken(text: str, binding: Binding) -> str:
    """A text of a file with its suit variables filled in: `transfer to M` is `transfer to hearts`."""

    def fill(match: re.Match[str]) -> str:
        level, name = match.groups()
        if (name[1:] if name.startswith("o") else name) not in binding:
            return match.group()
        suit = resolve(name, binding)
        return f"{level}{suit}" if level else SUITS[suit]

    return _SUIT_VARIABLE.sub(fill, text)


def bound(text: str, binding: Binding) -> str:
    """A pattern or call with its suit variables replaced by letters: `1M (2X) X` is `1S (2D) X`."""

    def fill(match: re.Match[str]) -> str:
        level, name = match.groups()
        base = name[1:] if name.startswith("o") else name
        after_word = re.search(r"[a-z] $", text[: match.start()])
        if base not in binding or (name == "X" and not level and not after_word):  # a double
            return match.group()
        return level + resolve(name, binding)

    return _SUIT_VARIABLE.sub(fill, text)


def lines_of(
    explanation: Explanation, everything: bool = False, below: Mapping[Call, str] | None = None
) -> Iterator[str]:
    """The explanation as lines of text, one a call; with `everything` the kinds of hands below each.

    What is given as `below` stands below the calls that are possible now.
    """
    if explanation.made:
        yield "Calls made"
        for one in explanation.made:
            yield from _call_lines(one, everything)
    if explanation.possible:
        mood = ", ".join(
            part
            for part in (
                explanation.forced,
                f"{explanation.agreed} agreed" if explanation.agreed else "",
                *(f"in {name.replace('_', ' ')}" for name in explanation.in_force),
            )
            if part
        )
        yield f"Calls possible for {explanation.auction.actor}" + (f" ({mood})" if mood else "")
        for natural in (False, True):
            for one in explanation.possible:
                if one.natural == natural:
                    yield from _call_lines(one, everything)
                    if below and one.call in below:
                        yield f"        {below[one.call]}"


def remarked(one: Explained) -> str:
    """What a call shows and what is to be said of it, once each, as in system notes."""
    said: list[str] = []
    for text in (one.shows, one.alert, one.note, one.forcing):
        # An announced range, 15 to 17, is in what the call shows.
        if text and not any(text in other or text.replace(" to ", "-") in other for other in said):
            said.append(text)
    return "; ".join(said)


def _undiscussed(one: Explained) -> str:
    """What is made of a call that nobody has agreed on."""
    if one.shows != ANY_HAND:
        return f"read as natural: {one.shows}"
    return f"a last resort, {ANY_HAND}" if one.call.is_bid and one.reasons else ANY_HAND


def _call_lines(one: Explained, everything: bool) -> Iterator[str]:
    remarks = [f"in play {one.in_play}"] if one.in_play else []
    if one.forcing:
        remarks.append(one.forcing)
    if one.alert:
        remarks.append("alert" if one.alert == one.shows else f"alert: {one.alert}")
    if one.note:
        remarks.append(one.note)
    shows = f"no agreement; {_undiscussed(one)}" if one.natural else one.shows
    if one.forbidden:
        shows, remarks = "not here: a rule takes it away", []
    place = f"  {one.reasons[0].place}" if one.reasons and not everything else ""
    yield f"  {one.seat} {one.call!s:<3} {'; '.join([shows, *remarks])}{place}"
    if everything:
        for reason in one.reasons:
            yield f"        {reason.title}  {reason.place}"
            for kind in reason.shows:
                yield f"          {kind}"
