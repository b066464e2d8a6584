"""What a pair tells each other when the opponents are silent: tables 2 to 4 of P-BIT, and bits.

North deals; east and west pass throughout. Tian and others, "Learning to communicate implicitly by actions".
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.cards import SUITS, Hand
from pidm.bridge.dealing import shown_dealer
from pidm.features import HandColumns
from pidm.match.duplicate import BOARDS_TOGETHER
from pidm.match.report import number
from pidm.play.bidder import Bidder
from pidm.play.calling import BidderCaller
from pidm.play.match_boards import Board
from pidm.play.pool import Pool
from pidm.play.room import Room, Setup, results_of
from pidm.play.tables import Sitting, bid_tables
from pidm.reading.bridge_game import Bridge, as_shown

Floats = npt.NDArray[np.float64]

BELIEF = 50
"""Hands of the opener that a belief is the mean of."""
_DRAWN = 200
_ROUNDS = 10
FEWEST = 50
"""Hands that must reach an auction before the bits of the calls there are counted."""
FEW = 10
"""Hands that must make a call before its bits are counted: the entropy of fewer is hardly known."""
ROUNDS = ("opening", "response", "opener's rebid", "responder's rebid")


@dataclass(frozen=True)
class Talk:
    """How a pair bid a deal on its own."""

    north: Hand
    south: Hand
    calls: tuple[Call, ...]
    """Those of the pair, north's first."""
    belief: tuple[float, ...] | None
    """The high-card points S H D C that south expects of north after the first call, if known."""


def uncontested(setup: Setup, boards: Sequence[Board], pool: Pool | None = None) -> dict[str, Any]:
    """What the pairs tell each other on the hands that north and south hold, for A and for B."""
    alone = [Board(board.number, board.deal, Seat.N, Vul.None_) for board in boards]
    found: dict[str, Any] = {}
    for place, name in enumerate("AB"):
        if place and setup.pairs[1].unnamed == setup.pairs[0].unnamed:
            found["B"] = found["A"]
            continue
        size = 1 if setup.pairs[place].simulates else BOARDS_TOGETHER
        done = results_of(partial(talk, place=place), setup, alone, size, pool or Pool())
        found[name] = uncontested_data([one for piece in done for one in piece.result])
    return found


def talk(room: Room, boards: Sequence[Board], place: int) -> list[Talk]:
    """Let the pair in this place bid the boards without opponents."""
    biddings = bid_tables(
        [Sitting(board, (place, None, place, None)) for board in boards], room.callers, room.seconds
    )
    caller = room.callers[place]
    talks = []
    for board, bidding in zip(boards, biddings):
        calls = bidding.auction.calls[::2]
        belief = None
        if isinstance(caller, BidderCaller) and calls:
            words = f"{room.setup.seed} {board.deal[Seat.S]} {calls[0]}".encode()
            rng = np.random.default_rng([room.setup.seed, zlib.crc32(words)])
            belief = _belief(caller.bidder, board.deal[Seat.S], calls[0], rng)
        talks.append(Talk(board.deal[Seat.N], board.deal[Seat.S], calls, belief))
    return talks


def _belief(bidder: Bidder, south: Hand, opening: Call, rng: np.random.Generator) -> tuple[float, ...] | None:
    """The mean high-card points by suit of the hands that north may hold, given south's hand and the call."""
    table = bidder.table(Seat.S)
    start = Auction(Seat.N, Vul.None_)
    shown = as_shown(Bridge(table).covering(start.after(opening), Seat.N))
    known = np.zeros((4, 4), dtype=np.uint16)
    known[Seat.S] = south.masks
    dealer = shown_dealer(known, [shown, None, None, None])
    kept: list[Floats] = []
    for _ in range(_ROUNDS):
        north = dealer.deal(_DRAWN, rng)[:, Seat.N]
        if not len(north):
            break
        choices = table.choices(start, HandColumns(north))
        fits = choices.preferred() == opening if bidder.limit is None else choices.allows(opening)
        kept.append(suit_points(north[fits]))
        if sum(map(len, kept)) >= BELIEF:
            break
    points = np.concatenate(kept)[:BELIEF] if kept else np.empty((0, 4))
    return tuple(points.mean(axis=0).tolist()) if len(points) else None


def suit_points(masks: npt.NDArray[np.uint16]) -> Floats:
    """High-card points by suit, float64[n, 4]."""
    return np.asarray(
        sum(
            worth * (masks >> bit & 1).astype(np.float64)
            for worth, bit in ((4, 12), (3, 11), (2, 10), (1, 9))
        )
    )


def uncontested_data(talks: Sequence[Talk]) -> dict[str, Any]:
    """The tables of what was said."""
    north = suit_points(_masks(one.north for one in talks))
    south = suit_points(_masks(one.south for one in talks))
    nothing = (np.nan,) * 4
    belief = np.array([nothing if one.belief is None else one.belief for one in talks]).reshape(-1, 4)
    openings = [one.calls[0] if one.calls else None for one in talks]
    responses = [one.calls[1] if len(one.calls) > 1 else None for one in talks]
    return {
        "deals": len(talks),
        "opening_own": _by_call(openings, north),
        "opening_belief": _by_call(openings, belief),
        "response_own_and_belief": _by_call(responses, south + belief),
        "passed_out": number(float(np.mean([set(one.calls) == {PASS} for one in talks]))) if talks else None,
        "bits": bits(talks),
    }


def _masks(hands: Iterable[Hand]) -> npt.NDArray[np.uint16]:
    return np.array([hand.masks for hand in hands], dtype=np.uint16).reshape(-1, 4)


def _by_call(calls: Sequence[Call | None], points: Floats) -> dict[str, Any]:
    """Mean points by suit of the rows of each call."""
    rows: dict[Call, list[int]] = defaultdict(list)
    for row, call in enumerate(calls):
        if call is not None and not np.isnan(points[row]).any():
            rows[call].append(row)
    found = {}
    for call in sorted(rows):
        mean = points[rows[call]].mean(axis=0)
        by_suit = {suit: round(float(value), 2) for suit, value in zip(SUITS, mean)}
        found[str(call)] = {"deals": len(rows[call]), **by_suit, "total": round(float(mean.sum()), 2)}
    return found


def bits(talks: Sequence[Talk]) -> dict[str, Any]:
    """How much each call tells, in bits: by how much the uncertainty about points and lengths falls.

    The uncertainty is the sum of the entropies of the high-card points and of the four lengths, over the
    hands that reach the auction before the call, and over those that make the call.
    """
    reached: dict[tuple[Call, ...], list[tuple[Hand, Call]]] = defaultdict(list)
    for one in talks:
        for at, call in enumerate(one.calls):
            reached[one.calls[:at]].append(((one.north, one.south)[at % 2], call))
    by_opening: dict[str, Any] = {}
    by_round: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for before in sorted(reached):
        hands = reached[before]
        if len(hands) < FEWEST:
            continue
        uncertain = _entropy([hand for hand, _ in hands])
        by_call: dict[Call, list[Hand]] = defaultdict(list)
        for hand, call in hands:
            by_call[call].append(hand)
        told = {call: uncertain - _entropy(some) for call, some in by_call.items() if len(some) >= FEW}
        if not told:
            continue
        weights = [len(by_call[call]) for call in told]
        by_round[len(before)].append((len(hands), float(np.average(list(told.values()), weights=weights))))
        if not before:
            by_opening = {str(call): round(told[call], 2) for call in sorted(told)}
    return {
        "opening": by_opening,
        "by_round": {
            ROUNDS[at] if at < len(ROUNDS) else f"call {at + 1}": {
                "hands": sum(n for n, _ in found),
                "bits": round(float(np.average([b for _, b in found], weights=[n for n, _ in found])), 2),
            }
            for at, found in sorted(by_round.items())
        },
    }


def _entropy(hands: Sequence[Hand]) -> float:
    """Of points and lengths, in bits; corrected for the number of hands (Miller and Madow)."""
    columns = [[hand.hcp for hand in hands], *zip(*(hand.lengths for hand in hands))]
    total = 0.0
    for column in columns:
        counts = np.array(list(Counter(column).values()))
        shares = counts / counts.sum()
        total -= float((shares * np.log2(shares)).sum())
        total += (len(counts) - 1) / (2 * len(hands) * np.log(2))
    return total


def uncontested_lines(data: dict[str, Any]) -> list[str]:
    """The tables in words."""
    lines: list[str] = []
    titles = {
        "opening_own": "opener's high-card points by suit, per opening call",
        "opening_belief": "what responder expects opener to hold",
        "response_own_and_belief": "responder's own and expected points, per response",
    }
    for key, title in titles.items():
        if not data[key]:
            continue
        lines.append(f"  {title}")
        lines.append(
            f"    {'call':5}{'deals':>6}" + "".join(f"{suit:>6}" for suit in SUITS) + f"{'total':>7}"
        )
        for call, row in data[key].items():
            suits = "".join(f"{row[suit]:6.1f}" for suit in SUITS)
            lines.append(f"    {call:5}{row['deals']:6}{suits}{row['total']:7.1f}")
    if data["passed_out"] is not None:
        lines.append(f"  passed out: {data['passed_out']:.1%}")
    told = data["bits"]
    if told["opening"]:
        lines.append(
            "  bits per opening call: " + ", ".join(f"{c} {b:.1f}" for c, b in told["opening"].items())
        )
    for name, one in told["by_round"].items():
        lines.append(f"  bits per {name}: {one['bits']:.2f} (over {one['hands']} hands)")
    return lines
