"""Commands about bidding systems: what their files say, what calls mean, what lint finds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pidm.cli.options import Dealer, Json, Vulnerable, reporting
from pidm.files import write_atomic

if TYPE_CHECKING:
    from pidm.language.system import System
    from pidm.play.belief import Belief
from pidm.reading.table import Table

Name = Annotated[str, typer.Argument(metavar="SYSTEM", help="The name of a shipped system, or a file.")]
AuctionText = Annotated[
    list[str], typer.Argument(metavar="AUCTION", help="The calls so far: 1N P 2C P; '' for none.")
]
On = Annotated[list[str] | None, typer.Option("--on", help="Put a convention on the card.")]
Off = Annotated[list[str] | None, typer.Option("--off", help="Take a convention off the card.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file.")]


def card_of(on: Iterable[str] | None, off: Iterable[str] | None) -> dict[str, bool]:
    """The changes of a card that `--on` and `--off` ask for."""
    return dict.fromkeys(on or (), True) | dict.fromkeys(off or (), False)


def _load(name: str, on: Iterable[str] | None, off: Iterable[str] | None) -> System:
    from pidm.language.system import System

    with reporting():
        return System.load(name, card_of(on, off))


def _auction(words: Iterable[str], dealer: str, vul: str) -> Any:
    from pidm.authoring.asked_auction import asked_auction
    from pidm.bridge.calls import Seat, Vul

    with reporting():
        return asked_auction(" ".join(words), Seat.from_str(dealer), Vul.from_str(vul))


def shortened(text: str) -> str:
    """The paths of shipped systems, shortened for people."""
    from pidm.language.finding import shipped

    return text.replace(f"{shipped()}/", "systems/")


def _put(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text.rstrip("\n"))
    else:
        from pidm.files import write_atomic

        with reporting():
            write_atomic(out, text)


def schema(out: Out = None) -> None:
    """Write the JSON schema of system files, for completion in editors."""
    from pidm.language.editor_schema import json_schema

    _put(json.dumps(json_schema(), indent=2) + "\n", out)


def rules(
    name: Name,
    find: Annotated[str, typer.Option(help="Only rules whose line holds this text.")] = "",
    on: On = None,
    off: Off = None,
    as_json: Json = False,
) -> None:
    """List what the rules of a system expand to."""
    from pidm.authoring.explain import bound, in_words

    found = []
    for pattern, rule in _load(name, on, off).rules():
        combined = [
            f"combined {term.feature}" for alternative in rule.alternatives for term in alternative.combined
        ]
        row = {
            "auction": bound(pattern, rule.binding),
            "call": bound(rule.line.spec.call, rule.binding),
            "shows": ", ".join(
                [in_words([one.settled.box for one in rule.alternatives]), *dict.fromkeys(combined)]
            ),
            "forcing": str(rule.forcing) if rule.forcing else "",
            "place": rule.place,
        }
        if find in " ".join(row.values()):
            found.append(row)
    if as_json:
        typer.echo(json.dumps(found, indent=1))
        return
    for row in found:
        forcing = f" [{row['forcing']}]" if row["forcing"] else ""
        line = f"{row['place']}  {row['auction']} - {row['call']}: {row['shows']}{forcing}"
        typer.echo(shortened(line))


def explain(
    name: Name,
    auction: AuctionText,
    dealer: Dealer = "N",
    vul: Vulnerable = "None",
    on: On = None,
    off: Off = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Below each call, all kinds of hands that make it.")
    ] = False,
    real: Annotated[
        bool,
        typer.Option("--real", help="Below each call, what hands that make it really have, by simulation."),
    ] = False,
    belief: Annotated[
        str | None,
        typer.Option("--belief", metavar="HAND", help="What this hand may believe of the hidden hands."),
    ] = None,
    experience: Annotated[
        str | None,
        typer.Option(
            "--experience",
            metavar="FILE",
            help="Only what hands have that make the calls by experience: that of a file, or `shipped`; "
            "`none` tells what was agreed and nothing else.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the simulations.")] = 0,
    as_json: Json = False,
) -> None:
    """Say what the calls of an auction show, and what the calls possible now would show."""
    from pidm.authoring.explain import explain as explained
    from pidm.authoring.explain import lines_of
    from pidm.models import is_model_file
    from pidm.play.in_play import in_play_of

    if is_model_file(name):
        if on or off or everything or real or belief is not None or experience is not None:
            raise typer.BadParameter("a model of a pair has no card, and no rules to tell of")
        _explain_model(name, _auction(auction, dealer, vul), as_json)
        return
    system, asked = _load(name, on, off), _auction(auction, dealer, vul)
    if experience is not None and experience != "none":
        if everything or real or belief is not None:
            raise typer.BadParameter("experience knows no rules: leave --all, --real and --belief out")
        _explain_experience(system, experience, asked, as_json)
        return
    believed = None if belief is None else _belief(system, asked, belief, seed)
    if believed is not None and not (everything or real):
        typer.echo(json.dumps(believed.to_dict(), indent=1) if as_json else "\n".join(believed.lines()))
        return
    in_play = {} if experience == "none" else in_play_of(Table.of(system))
    found = explained(system, asked, in_play)
    counted = _real(system, asked, seed) if real else {}
    if as_json:
        data = found.to_dict()
        if real:
            data["real"] = [one.to_dict() for one in counted.values()]
        if believed is not None:
            data["belief"] = believed.to_dict()
        typer.echo(json.dumps(data, indent=1))
        return
    below = {
        one.call: f"really: {counted.get(one.call, 'none of the hands dealt')}"
        for one in found.possible
        if not one.forbidden
    }
    lines = [*lines_of(found, everything, below if counted else {})]
    if real and found.possible and not counted:
        lines.append("No deals were found that fit the auction, so nothing was counted.")
    if believed is not None:
        lines += ["", *believed.lines()]
    typer.echo(shortened("\n".join(lines)))


def _explain_model(name: str, auction: Any, as_json: bool) -> None:
    from pidm.language.system import System
    from pidm.models.blend import beside
    from pidm.models.call_meanings import explain as learned
    from pidm.models.learned_pair import LearnedPair

    with reporting():
        model = LearnedPair.load(name)
        system = model.origin.system
        # Told of as it bids: where its records say little, by the system that it is taken to play.
        found = learned(beside(model, Table.of(System.load(system))) if system else model, auction)
    if as_json:
        typer.echo(json.dumps({"model": str(model.origin), **found.to_dict()}, indent=1))
        return
    typer.echo("\n".join([str(model.origin), "", *found.lines()]))


def _explain_experience(system: System, experience: str, auction: Any, as_json: bool) -> None:
    from pidm.errors import PidmError
    from pidm.models.call_meanings import explain as learned
    from pidm.play.experienced import experience_of

    with reporting():
        found = experience_of(None if experience == "shipped" else experience, system)
        if found is None:
            raise PidmError(f"no experience ships with {system.name} and this card; give a file")
        told = learned(found.pair, auction)
    if as_json:
        typer.echo(json.dumps({"model": str(found), **told.to_dict()}, indent=1))
        return
    typer.echo("\n".join([str(found), "", *told.lines()]))


DEALS_OF_A_COUNT = 2000
"""Deals in which hands are counted."""


def _real(system: System, auction: Any, seed: int) -> dict[Any, Any]:
    import numpy as np

    from pidm.play.belief import real_hands

    return real_hands(Table.of(system), auction, DEALS_OF_A_COUNT, np.random.default_rng(seed))


def _belief(system: System, auction: Any, hand: str, seed: int) -> Belief:
    from pidm.bridge.cards import Hand
    from pidm.play.bidder import Bidder

    with reporting():
        return Bidder(system, seed=seed).belief(Hand.from_str(hand), auction)


class Form(str, Enum):
    """How notes are printed."""

    md = "md"
    html = "html"
    pdf = "pdf"


def notes(
    name: Name,
    card: Annotated[bool, typer.Option("--card", help="A convention card of two pages.")] = False,
    booklet: Annotated[
        bool, typer.Option("--booklet", help="A booklet as a teacher would order it, with example hands.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Every rule of every file.")] = False,
    form: Annotated[
        Form, typer.Option("--format", help="Markdown, a page for the browser, or for printing.")
    ] = Form.md,
    out: Out = None,
    on: On = None,
    off: Off = None,
    as_json: Json = False,
) -> None:
    """Print the system as a convention card, a booklet or full notes."""
    from pidm.authoring.notes import notes_data, printed

    if sum((card, booklet, full)) > 1:
        raise typer.BadParameter("give one of --card, --booklet and --full")
    if form is Form.pdf and out is None:
        raise typer.BadParameter("a PDF needs a file: --out notes.pdf")
    system = _load(name, on, off)
    with reporting():
        if as_json:
            _put(json.dumps(notes_data(system), indent=1) + "\n", out)
            return
        extent = "card" if card else "full" if full else "booklet"
        data = printed(system, extent, form.value)
        if out is None:
            typer.echo(data.decode().rstrip("\n"))
        else:
            write_atomic(out, data)


def net(
    name: Name,
    auction: AuctionText,
    out: Out = None,
    dealer: Dealer = "N",
    vul: Vulnerable = "None",
    on: On = None,
    off: Off = None,
    as_json: Json = False,
) -> None:
    """Print the decision net of the player to call, or draw it to a file (svg, png, pdf or dot)."""
    from pidm.errors import IllegalCallError

    asked = _auction(auction, dealer, vul)
    with reporting():
        if asked.over:
            raise IllegalCallError(f"the auction {asked} is over; nobody is to call")
        found = Table.of(_load(name, on, off)).net(asked)
        if out is not None:
            from pidm.core.drawing import save

            save(found, out)
    if as_json:
        from pidm.bridge.calls import Call

        data = found.to_dict(action=lambda action: str(Call(action)))
        typer.echo(json.dumps(data, indent=1))
    elif out is None:
        typer.echo(shortened(str(found)))
