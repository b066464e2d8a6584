"""Benchmarks of nets, sampling and decisions, on auctions that the shipped system bids itself."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pidm import Auction, Bidder, Limit, Seat, System, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.worlds import random_deals
from pidm.core.garbage import collect_seldom
from pidm.core.limit import Meter
from pidm.core.player import Player
from pidm.core.sampling import rbmbmc
from pidm.engine import serve
from pidm.features import HandColumns
from pidm.reading.bridge_game import Bridge
from pidm.reading.lockstep import bid_out
from pidm.reading.table import Table

Row = Callable[..., str]
SYSTEM = "two_over_one"


def bid_deals(system: System, count: int, seed: int) -> tuple[np.ndarray, list[Auction]]:
    """Random deals, and the auctions that the rules make of them."""
    worlds = random_deals(count, np.random.default_rng(seed))
    boards = range(1, count + 1)
    dealers, vuls = [Seat.of_board(b) for b in boards], [Vul.of_board(b) for b in boards]
    return worlds, bid_out(Table.of(system), worlds, dealers, vuls)


def prefix(auction: Auction, calls: int) -> Auction:
    """The auction after its first calls."""
    return Auction(auction.dealer, auction.vul, auction.calls[:calls])


def nets(row: Row, quick: bool) -> Iterator[str]:
    """Loading a system, building the net of an unseen auction, looking hands up in it."""
    start = time.perf_counter()
    system = System.load(SYSTEM)
    yield row("system loaded", 1000 * (time.perf_counter() - start), "ms")
    rules = sum(1 for _ in system.rules())
    yield row("rules after expansion over suits", rules, "rules")
    _, auctions = bid_deals(system, 50 if quick else 200, 1)
    fresh = System.load(SYSTEM)
    times = []
    for auction in auctions:
        for calls in range(len(auction.calls)):
            before = prefix(auction, calls)
            start = time.perf_counter()
            Table.of(fresh).net(before).flat  # noqa: B018
            times.append(time.perf_counter() - start)
    new = [t for t in times if t > 20e-6]  # the others were built before
    yield row("net of an unseen auction, median", 1e6 * statistics.median(new), "us", f"of {len(new)}")
    yield row("net of an unseen auction, mean", 1e6 * statistics.mean(new), "us")
    hands = HandColumns(random_deals(10_000, np.random.default_rng(2))[:, 0])
    for text in ("", "1S P", "1N P 2C P 2H P"):
        net = Table.of(fresh).net(Auction.from_str(text))
        best = min(_timed(lambda net=net: net.choices(HandColumns(hands.masks))) for _ in range(5))
        yield row(f"10,000 hands looked up, after {text or 'nothing'!r}", 1000 * best, "ms")


def sampling(row: Row, quick: bool) -> Iterator[str]:
    """Time to 200 worlds that agree with every call, in auctions of the system itself."""
    system = System.load(SYSTEM)
    worlds, auctions = bid_deals(system, 200 if quick else 600, 3)
    game, player = Bridge(Table.of(system)), Player(Table.of(system), None)  # type: ignore[arg-type]
    for calls in (2, 6, 10):
        taken = []
        perfect = asked = 0
        for number, auction in enumerate(auctions):
            if len(auction.calls) <= calls or not any(auction.calls[:calls]):
                continue
            before = prefix(auction, calls)
            private = tuple(int(mask) for mask in worlds[number, before.actor])

            def sample(before: Auction = before, private: tuple[int, ...] = private) -> object:
                meter = Meter(Limit(seconds=2))
                return rbmbmc(
                    game, before, before.actor, private, player, meter, 200, np.random.default_rng(1)
                )

            found = sample()  # the nets are built now
            taken.append(_timed(sample))
            asked += 1
            perfect += int((found.inconsistency == 0).sum()) == 200  # type: ignore[attr-defined]
            if asked == (15 if quick else 60):
                break
        note = f"90% within {1000 * float(np.percentile(taken, 90)):.0f} ms; {perfect} of {asked} found all"
        yield row(f"200 worlds after {calls} calls, median", 1000 * statistics.median(taken), "ms", note)


def decisions(row: Row, quick: bool) -> Iterator[str]:
    """Decisions per second, how limits are kept, and where the time goes."""
    system = System.load(SYSTEM)
    worlds, auctions = bid_deals(system, 30 if quick else 100, 5)
    questions = []
    for number, auction in enumerate(auctions):
        for calls in range(len(auction.calls)):
            before = prefix(auction, calls)
            questions.append((Hand(tuple(int(m) for m in worlds[number, before.actor])), before))  # type: ignore[arg-type]
    collect_seldom()  # as the commands of pidm do
    yield from _by_rules(row, system, questions)
    limit = 0.25
    searching = Bidder(system, limit=Limit(seconds=limit), experience="")
    searching.prepare()
    searching.bid_many(questions[:40])  # what is learned once about this machine
    times, searched = [], []
    for asked in questions:
        start = time.perf_counter()
        decision = searching.bid_many([asked])[0]
        took = time.perf_counter() - start
        times.append(took)
        if decision.by == "simulation":
            searched.append(took)
    yield row("with search", len(questions) / sum(times), "calls/s", f"limit {limit} s")
    yield row("decisions that are simulated", 100 * len(searched) / len(times), "%")
    if searched:
        yield row("a simulated decision, median", 1000 * statistics.median(searched), "ms")
        late = sum(t > 1.1 * limit for t in searched)
        note = f"{late} of {len(searched)} more than a tenth over the limit"
        yield row("a simulated decision, slowest", 1000 * max(searched), "ms", note)
    yield from _where_time_goes(row, searching, questions)


def _by_rules(row: Row, system: System, questions: list[tuple[Hand, Auction]]) -> Iterator[str]:
    """Decisions by rules alone, as a batch of hands and as lines of the engine, and by what a pair has beside
    them; the auctions new, then read.

    Rates are by processor time, and beside each stands how many times one decision takes what it takes to
    count the points of a hand card by card: on a busy machine both are slower.
    """
    hands = [str(hand) for hand, _ in questions]
    line = json.dumps(
        [
            {
                "hand": str(hand),
                "auction": [str(call) for call in auction.calls],
                "dealer": str(auction.dealer),
                "vul": str(auction.vul),
            }
            for hand, auction in questions
        ]
    )

    def batch(bidder: Bidder) -> object:
        return bidder.bid_many(questions)

    def engine(bidder: Bidder) -> object:
        return list(serve(bidder, [line]))

    rules: dict[str, Any] = {"look": False}
    ways = (
        ("by rules, a batch", rules, batch),
        ("by rules, through the engine", rules, engine),
        ("by rules and look, a batch", {"experience": ""}, batch),
        ("with experience, a batch", {}, batch),
    )
    for what, options, ask in ways:
        fresh = Bidder(System.load(SYSTEM), limit=None, **options)
        fresh.prepare()
        known = Bidder(system, limit=None, **options)
        ask(known)
        for state, bidder, runs in (("new", fresh, 1), ("read", known, 5)):
            spent, beside = [], []
            for _ in range(runs):
                beside.append(_processor_time(lambda: [_points(hand) for hand in hands * 50]) / 50)
                spent.append(_processor_time(lambda ask=ask, bidder=bidder: ask(bidder)))
            note = f"{min(spent) / min(beside):.0f} times counting its points; {len(hands)} questions"
            yield row(f"{what}, auctions {state}", len(hands) / min(spent), "calls/s", note)


_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def _points(hand: str) -> int:
    """The high-card points of a hand, card by card."""
    total = 0
    for card in hand:
        total += _POINTS.get(card, 0)
    return total


LIMITS = [("estimate", 0.1), ("estimate", 0.25), ("dds", 0.3), ("dds", 0.6), ("dds", 1.0)]


def limits(row: Row, quick: bool) -> Iterator[str]:
    """How limits in seconds are kept if Python is left as it is: no preparation, garbage collected as usual.

    Half of the questions come from contested auctions of eight calls and more. Each utility and limit starts
    with a system of its own, so that most nets are built within the limits.
    """
    asked = 30 if quick else 240
    questions = _open_questions(asked)
    for name, seconds in LIMITS:
        bidder = Bidder(System.load(SYSTEM), limit=Limit(seconds=seconds), utility=name, experience="")
        times, between, worlds, weighed = [], [], [], 0
        for hand, auction in questions:
            start = time.perf_counter()
            decision = bidder.bid(hand, auction)
            times.append((time.perf_counter() - start) / seconds)
            worlds.append(decision.worlds)
            weighed += decision.by == "simulation"
            between.append(_timed(lambda: [[] for _ in range(5000)]))  # what the program does meanwhile
        late = sum(t > 1.1 for t in times)
        note = f"{late} of {len(times)} over 1.1; 99% within {np.percentile(times, 99):.2f}"
        note += f"; {weighed} decided by simulation, median {statistics.median(worlds):.0f} deals"
        yield row(f"{name}, limit {seconds} s: slowest", 100 * max(times), "% of it", note)
        yield row("longest garbage collection after one", 1000 * max(between), "ms")


def _open_questions(count: int) -> list[tuple[Hand, Auction]]:
    """Questions that rules leave open, half of them late in contested auctions."""
    system = System.load(SYSTEM)
    glance = Bidder(system, limit=Limit(instances=1), experience="")
    found: dict[bool, list[tuple[Hand, Auction]]] = {True: [], False: []}
    for seed in range(100):
        worlds, auctions = bid_deals(system, 50, 700 + seed)
        for number, auction in enumerate(auctions):
            for calls in range(2, len(auction.calls)):
                before = prefix(auction, calls)
                sides = {before.seat_of(k) & 1 for k, call in enumerate(before.calls) if call.is_bid}
                long = len(sides) == 2 and calls >= 8
                if len(found[long]) < count // 2:
                    hand = Hand(tuple(int(m) for m in worlds[number, before.actor]))  # type: ignore[arg-type]
                    if len(glance.bid(hand, before).candidates) > 1:
                        found[long].append((hand, before))
        if all(len(some) >= count // 2 for some in found.values()):
            break
    mixed = [*found[True], *found[False]]
    np.random.default_rng(1).shuffle(mixed)  # type: ignore[arg-type]
    return mixed


STARTS = {
    "opening": ("AKQ2.K32.Q32.432", ""),
    "response": ("KJ84.QT73.A5.982", "1N P"),
    "rebid": ("K2.AQJ32.Q32.432", "1H P 1S P"),
    "later": ("AJ87.A2.A972.AJ6", "1H P 1S P 2C P"),
    "contested": ("A2.AKJ632.87.KQ3", "1H 1S 2H 2S"),
    "long": ("QT974.KJ6.8762.4", "1S 2H 2S 3H P P"),
}


def starts(row: Row, quick: bool) -> Iterator[str]:
    """`pidm bid` as a process of its own, from return to the end, when a rule decides."""
    runs = 3 if quick else 10
    bare = _processes([sys.executable, "-c", "import numpy"], runs)
    yield row("python -c 'import numpy', median", 1000 * statistics.median(bare), "ms")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PIDM_CACHE": folder}
        for system in ("two_over_one", "sayc"):
            base = [sys.executable, "-m", "pidm", "bid", "--system", system]
            (first,) = _processes([*base, *STARTS["opening"]], 1, environment)
            yield row(
                f"{system}, the very first time", 1000 * first, "ms", "reads the files, writes the cache"
            )
            for name, question in STARTS.items():
                times = _processes([*base, *question], runs, environment)
                said = json.loads(_output([*base, *question, "--json"], environment))
                median = statistics.median(times)
                note = (
                    f"at most {1000 * max(times):.0f} in {runs} runs; {median / statistics.median(bare):.1f} "
                )
                note += f"times importing numpy; {said['call']} by {said['by']}"
                yield row(f"{system}, {name}, median", 1000 * median, "ms", note)


def _processes(command: list[str], runs: int, environment: dict[str, str] | None = None) -> list[float]:
    return [_timed(lambda: _output(command, environment)) for _ in range(runs)]


def _output(command: list[str], environment: dict[str, str] | None) -> str:
    # Not from the checkout: `python -m pidm` would find its sources there, whatever is installed.
    with tempfile.TemporaryDirectory() as elsewhere:
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True, cwd=elsewhere
        ).stdout


def _where_time_goes(row: Row, bidder: Bidder, questions: list) -> Iterator[str]:
    """The shares of sampling, rules, nets and utility in simulated decisions."""
    import cProfile
    import pstats

    profile = cProfile.Profile()
    bidder = Bidder(bidder.system, limit=Limit(instances=20_000), experience="")
    profile.enable()
    bidder.bid_many(questions[: len(questions) // 3])
    profile.disable()
    total: dict[str, float] = {}
    parts = {
        "dealing.py": "dealing",
        "tricks.py": "trick estimate",
        "reading.py": "reading auctions",
        "condition.py": "reading auctions",
        "rules.py": "reading auctions",
        "net.py": "nets",
        "flat.py": "nets",
        "box.py": "nets",
        "columns.py": "features",
        "lookahead.py": "lookahead",
    }
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (path, _, _), (_, _, own, _, _) in stats.items():
        part = parts.get(path.rsplit("/", 1)[-1], "other")
        total[part] = total.get(part, 0.0) + own
    whole = sum(total.values())
    for part, spent in sorted(total.items(), key=lambda item: -item[1]):
        yield row(f"share of {part}", 100 * spent / whole, "%")


def _timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _processor_time(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start
