"""What no parser sees: bids random deals by a system and measures where its rules fail.

Holes (hands that find no rule), ambiguity (hands that find several calls), passes of forcing calls, hands
that are not what their call showed, rules that never match or never win, examples that fail; whose the calls
are, and what to do next. All deals are bid in lockstep, grouped by auction, so that every net is built once
and asked for many hands at a time; pieces of the work may go to other processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any

from pidm.authoring.absurd import ABSURD
from pidm.authoring.auction_as_seen import as_seen
from pidm.authoring.examples import failures, read_examples
from pidm.authoring.findings import FAILING, KINDS, REMARKS, Finding, Report, RuleCount
from pidm.authoring.named_system import Named, kept, loaded, named
from pidm.authoring.priorities import Losses, to_do
from pidm.authoring.reachable import Reach, reach
from pidm.authoring.slips import (
    asking_blocks,
    changed_examples,
    equal_variables,
    own_blocks,
    place_of,
    unanswered,
)
from pidm.authoring.watch import PIECE, LineTally, Sightings, is_shipped, line_key, watched
from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language.declarations import SystemSpec
from pidm.language.loading import load_system
from pidm.language.rules import LAYERS, Block, Line
from pidm.language.source import suggest
from pidm.language.system import System

__all__ = ["FAILING", "KINDS", "REMARKS", "Finding", "Report", "RuleCount", "lint"]

ENOUGH = 10
"""Hands that fit a rule and go elsewhere, before the rule is said never to win."""
EXCLUDED = "a negative rule (`never:`) takes the call away wherever the line applies"
BLOCKS = 40
"""Blocks whose unseen lines are looked for in one piece of work."""

Tell = Callable[[str, int, int], object]
"""Told what is being done, how much of it is done, and how much there is."""
Spread = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], Iterable[Any]]
"""Does `work(*piece)` for every piece of work, in order: here, or by other processes."""


def lint(
    name: str | Path,
    deals: int,
    seed: int = 0,
    card: Mapping[str, bool] | None = None,
    progress: Tell = lambda what, done, total: None,
    spread: Spread = starmap,
) -> Report:
    """Check the files of a system, then bid `deals` random deals with four players who all play it.

    Without deals only the files and their examples are checked.
    `progress` is told how far the work is; `spread` gives it to other processes.
    """
    errors: list[SystemFileError] = []
    spec = load_system(name, card, errors)
    system: System | None = None
    try:
        system = System(spec)
    except SystemFileErrors as found:
        errors += found.errors
    findings = [] if system is None else _examples(system, errors)
    ordered = SystemFileErrors(errors).errors if errors else ()
    findings += [Finding("error", "", error.message, 1, place=_place(error)) for error in ordered]
    findings += _unknown_names(spec)
    if system is None or errors:
        return _report(spec.name, 0, findings)
    which = named(name, card, system)
    findings += [*equal_variables(system), *_unanswered(system, which, progress, spread)]
    if not deals:
        return _report(spec.name, 0, findings)
    seen = _seen(which, deals, seed, progress, spread)
    findings += [*_by_auction(seen, deals), *_by_line(seen, system, deals)]
    findings += _never_won(seen, system, which, progress, spread)
    losses = Losses(seed, seen.contracts)
    places = {line_key(one): f"{one.spec.call} ({place_of(one)})" for one in _own_lines(system)}
    counts = tuple(_counts(seen, system))
    return _report(
        spec.name,
        deals,
        findings,
        seen,
        rules=counts,
        to_do=tuple(to_do(seen, losses, places)),
        solved=losses.boards,
    )


def _place(error: SystemFileError) -> str:
    return ":".join(str(part) for part in (error.path, error.line, error.column) if part is not None)


def _report(
    name: str, deals: int, findings: Iterable[Finding], seen: Sightings | None = None, **more: Any
) -> Report:
    order = list(KINDS)
    findings = sorted(findings, key=lambda finding: (order.index(finding.kind), -finding.count))
    seen = seen or Sightings()
    return Report(
        name,
        deals,
        seen.decisions,
        dict(seen.layers),
        tuple(findings),
        owners=dict(seen.owners),
        offered=dict(seen.offered),
        **more,
    )


def _examples(system: System, errors: list[SystemFileError]) -> list[Finding]:
    """Examples that fail: the author's own, and those of shipped parts that the author's blocks change."""
    examples = read_examples(system, errors)
    foreign = not is_shipped(system.spec.path)
    own = [one for one in examples if not (foreign and is_shipped(one.text.mark.path))]
    found = []
    for failure in failures(system, own):
        mark = failure.example.text.mark
        where = as_seen(failure.example.auction)
        found.append(Finding("example", where, str(failure), 1, place=f"{mark.path}:{mark.line}"))
    # What a shipped part shows holds in the systems that it was written for, and is tested there.
    return [*found, *(changed_examples(system, examples) if foreign and not errors else ())]


def _unknown_names(spec: SystemSpec) -> list[Finding]:
    """`plays NAME` and `in NAME` of names that no convention and no `starts:` declares."""
    started = {str(name) for block in spec.blocks for line in block.lines for name in line.starts}
    known = {"plays": set(spec.all_conventions), "in": started}
    found = []
    for block in spec.blocks:
        texts = [*block.when, *(text for line in block.lines for text in line.when)]
        texts += [text for never in block.never for text in never.when]
        for text in texts:
            for match in re.finditer(r"\b(plays|in)\s+([a-z0-9_]{2,})\b", text):
                word, name = match.groups()
                if name not in known[word] | set(spec.all_conventions):
                    what = f"`{word} {name}`: nothing has this name; {suggest(name, known[word])}"
                    found.append(Finding("name", text, what, 1, place=f"{text.mark.path}:{text.mark.line}"))
    return found


# ---------------------------------------------------------------------- deals


def _seen(which: Named, deals: int, seed: int, progress: Tell, spread: Spread) -> Sightings:
    """What was seen in all deals; what was bid before by the same files is not bid again."""
    sizes = [min(PIECE, deals - start) for start in range(0, deals, PIECE)]
    seen = Sightings()
    progress("bidding deals", 0, deals)
    for data in spread(_piece, [(which, seed, number, size) for number, size in enumerate(sizes)]):
        seen.add(Sightings.from_data(data))
        progress("bidding deals", len(seen.contracts), deals)
    return seen


def _piece(which: Named, seed: int, number: int, size: int) -> dict[str, Any]:
    """One piece of the work, in whatever process."""
    found: dict[str, Any] = kept(
        which, ("deals", seed, number, size), lambda: watched(loaded(which), seed, number, size).to_data()
    )
    return found


def _often(count: int, deals: int) -> float:
    return 1000 * count / max(deals, 1)


def _by_auction(seen: Sightings, deals: int) -> Iterable[Finding]:
    """What was seen, by auction."""
    kinds = {
        "forced": (seen.forced, "a forcing call is passed"),
        "hole": (seen.holes, "no rule fits; they called"),
        "ambiguity": (seen.open, "several calls fit:"),
        "natural": (seen.natural, "only the natural layer speaks; they called"),
    }
    for kind, (tallies, words) in kinds.items():
        for where, tally in tallies.items():
            calls = ", ".join(f"{calls} {count}" for calls, count in tally.calls.most_common(4))
            what = f"{words} {calls}".strip()
            often = _often(tally.count, deals)
            yield Finding(kind, where, what, tally.count, often, "", tuple(tally.samples))
    for kind, tally in seen.absurd.items():
        often = _often(tally.count, deals)
        yield Finding("absurd", kind, ABSURD[kind], tally.count, often, "", tuple(tally.samples))


def _by_line(seen: Sightings, system: System, deals: int) -> Iterable[Finding]:
    """Hands that are not what their call shows, by the line that says so."""
    lines = {line_key(line): line for line in _own_lines(system)}
    for key, tally in seen.violations.items():
        line, call = key.split(" ")
        if line not in lines:
            continue  # of a shipped part: not the author's to mend
        what = f"{tally.count} of {seen.lines[line].made} hands that made the call are not what it shows"
        often, place = _often(tally.count, deals), place_of(lines[line])
        yield Finding("violation", call, what, tally.count, often, place, tuple(tally.samples))


def _counts(seen: Sightings, system: System) -> Iterable[RuleCount]:
    """What became of every line."""
    violated: dict[str, int] = {}
    for key, tally in seen.violations.items():
        line = key.split(" ")[0]
        violated[line] = violated.get(line, 0) + tally.count
    for one in (line for block in system.blocks for line in block.lines):
        key, call = line_key(one), str(one.spec.call)
        became = seen.lines.get(key, LineTally())
        yield RuleCount(place_of(one), call, became.reached, became.won, became.made, violated.get(key, 0))


# ---------------------------------------------------------------------- lines that made no call


def _own_lines(system: System) -> list[Line]:
    return [line for block in own_blocks(system) for line in block.lines]


def _never_won(
    seen: Sightings, system: System, which: Named, progress: Tell, spread: Spread
) -> Iterable[Finding]:
    unseen = []
    for line in _own_lines(system):
        tally = seen.lines.get(line_key(line))
        if tally is None or not tally.reached:
            unseen.append(line)
        elif not tally.won:
            yield _loser(line, tally)
    wanted = {line_key(line) for line in unseen}
    blocks = [line.block for line in unseen]
    for found in _by_blocks(_reach_piece, which, blocks, "rules not needed in them", progress, spread):
        for key, what in found.items():
            if key in wanted:
                yield Finding(**what)


def _by_blocks(
    work: Callable[..., Any], which: Named, blocks: Iterable[Block], what: str, progress: Tell, spread: Spread
) -> Iterator[Any]:
    """The results of some work on blocks, a piece of them at a time."""
    positions = list(dict.fromkeys(block.position for block in blocks))
    pieces = [tuple(positions[start : start + BLOCKS]) for start in range(0, len(positions), BLOCKS)]
    if len(pieces) == 1:  # not worth another process
        spread = starmap
    progress(what, 0, len(positions))
    done = 0
    for piece, found in zip(pieces, spread(work, [(which, piece) for piece in pieces])):
        done += len(piece)
        progress(what, done, len(positions))
        yield found


def _unanswered(system: System, which: Named, progress: Tell, spread: Spread) -> Iterable[Finding]:
    blocks = asking_blocks(system)
    for found in _by_blocks(_answers_piece, which, blocks, "artificial calls", progress, spread):
        yield from (Finding(**what) for what in found)


def _answers_piece(which: Named, blocks: tuple[int, ...]) -> list[dict[str, Any]]:
    """What is to be said of the answers to artificial calls of some blocks, as plain data."""

    def find() -> list[dict[str, Any]]:
        system = loaded(which)
        return [one.to_dict() for one in unanswered(system, [system.blocks[place] for place in blocks])]

    found: list[dict[str, Any]] = kept(which, ("answers", *blocks), find)
    return found


def _loser(line: Line, tally: LineTally) -> Finding:
    """A line that applied and never made the call."""
    call, place = str(line.spec.call), place_of(line)
    if tally.excluded == tally.reached:
        return Finding("illegal", call, EXCLUDED, 0, 0.0, place)
    if line.block.layer <= LAYERS["standard"]:
        what = f"{tally.fitted} of {tally.reached} hands fit, all taken by other rules"
        return Finding("not reached", call, what, 0, 0.0, place)
    if tally.fitted >= ENOUGH:
        taken = ", ".join(f"{rule} {count}" for rule, count in tally.winners.most_common(2))
        what = f"{tally.fitted} of {tally.reached} hands fit, all taken by {taken}"
        return Finding("never wins", call, what, tally.fitted, 0.0, place)
    if tally.reached >= 500:
        what = f"none of the {tally.reached} hands in its auctions fits"
        return Finding("never wins", call, what, 0, 0.0, place)
    what = f"only {tally.reached} hands were in its auctions, {tally.fitted} fit"
    return Finding("not reached", call, what, 0, 0.0, place)


def _reach_piece(which: Named, blocks: tuple[int, ...]) -> dict[str, dict[str, Any]]:
    """What is to be said of lines that applied in none of the deals, as plain data by line."""
    found: dict[str, dict[str, Any]] = kept(
        which, ("reach", *blocks), lambda: _reached(loaded(which), blocks)
    )
    return found


def _reached(system: System, blocks: Iterable[int]) -> dict[str, dict[str, Any]]:
    found = {}
    for position in blocks:
        block: Block = system.blocks[position]
        for line, one in reach(system, block, block.lines).items():
            found[line_key(line)] = _unseen(line, one).to_dict()
    return found


def _unseen(line: Line, reached: Reach) -> Finding:
    """A line that applied in none of the auctions."""
    call, place = str(line.spec.call), place_of(line)
    if reached.found and reached.excluded:
        return Finding("illegal", call, EXCLUDED, 0, 0.0, place)
    if not reached.found and reached.complete and not reached.legal and reached.hidden_by is None:
        what = "the call is not legal in any auction of its block, or no such auction is"
        return Finding("illegal", call, what, 0, 0.0, place)
    if reached.hidden_by is not None and not reached.found:
        # A convention may well replace what the system says: that is what the card is for.
        kind = "not reached" if reached.hidden_by.block.layer > line.block.layer else "never matches"
        what = f"another rule speaks of the call in its auctions: {reached.hidden_by}"
        return Finding(kind, call, what, 0, 0.0, place)
    if not reached.found and reached.complete:
        what = "no auction was found that its pattern and conditions allow"
        return Finding("never matches", call, what, 0, 0.0, place)
    unsure = "" if reached.found else "; it may never match"
    return Finding("not reached", call, f"the auction did not come up{unsure}", 0, 0.0, place)
