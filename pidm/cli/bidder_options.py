"""From options to a bidder, from a decision to text: what `pidm bid` does, without what reads its options.

Nothing here needs typer, which takes longer to load than a rule takes to decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pidm.bridge.auction import Auction
    from pidm.play.bidder import Bidder
    from pidm.play.decision import Decision


def in_words(error: Exception) -> str:
    """The message of an error, with the file first where one could not be opened."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def is_dashes(word: str) -> bool:
    """Whether a word begins with a pass or a void, `- 1N -` or `-.AKQ`, and is no option of a command."""
    after = word.lstrip("-")
    return word.startswith("-") and word != "--" and not after[:1].isalpha()


def make_bidder(
    system: str = "two_over_one",
    partner: str | None = None,
    opponents: str | None = None,
    utility: str = "estimate",
    seconds: float | None = None,
    instances: int | None = None,
    no_search: bool = False,
    rules_only: bool = False,
    seed: int = 0,
    refinements: str | None = None,
    settle: str | None = None,
    scoring: str = "imps",
    worlds: int | None = None,
    disclosed: bool = False,
    experience: str | None = None,
) -> Bidder:
    """The bidder that the options describe; bad options are a usage error."""
    from pidm.play.calling import bidder_of
    from pidm.play.pair import Pair

    one_limit(seconds, instances, no_search, rules_only)
    pair = Pair(
        system,
        search=False if no_search or rules_only else None,
        look=not rules_only,
        seconds=seconds,
        instances=instances,
        utility=utility,
        settle=settle,
        partner=partner,
        opponents=tuple(one.strip() for one in opponents.split(",")) if opponents else (),
        refinements=refinements,
        worlds=worlds,
        disclosed=disclosed,
        experience="" if experience == "none" else experience,
    )
    form: Any = scoring
    return bidder_of(pair, seed, form)


def auction_so_far(words: Iterable[str], dealer: str, vul: str) -> Auction:
    """The auction in which a call is asked for, spelt call by call or as in system files."""
    from pidm.authoring.asked_auction import asked_auction
    from pidm.bridge.calls import Seat, Vul

    return asked_auction(" ".join(words), Seat.from_str(dealer), Vul.from_str(vul), whose=True)


def one_limit(seconds: float | None, instances: int | None, no_search: bool, rules_only: bool) -> None:
    """Options that exclude each other are a usage error."""
    from pidm.errors import PidmError

    if sum((seconds is not None, instances is not None, no_search, rules_only)) > 1:
        raise PidmError("give one of --seconds, --instances, --no-search and --rules-only")


def in_lines(decision: Decision, as_json: bool = False) -> list[str]:
    """What is printed of a decision."""
    if as_json:
        import json

        return [json.dumps(decision.to_dict())]
    return [str(decision.call), decision.why, *evidence(decision)]


def evidence(decision: Decision) -> list[str]:
    """The candidates in columns, when there was something to choose."""
    if len(decision.candidates) < 2 or decision.by.value == "default":
        return []
    lines = []
    for candidate in decision.candidates:
        value = "" if candidate.mean is None else f"{candidate.mean:+8.2f}"
        if value and candidate.call != decision.call:  # which the others are compared with
            value += f" ±{candidate.standard_error or 0:.2f}"
        rules = "; ".join([f"{title} ({place})" for place, title in candidate.places.items()][:2])
        lines.append(f"  {candidate.call!s:3} {value:16} {rules}")
    return lines
