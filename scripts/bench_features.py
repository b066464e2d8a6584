"""The speed of feature columns, for scripts/benchmark: against plain Python and against bare gathers."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path


def seconds(run: Callable[[], object], repeats: int) -> float:
    """The time of one run, the best of several."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def lines(row: Callable[..., str], quick: bool) -> Iterator[str]:
    """Hands a second for one column, for all of them, and for what a decision net asks."""
    import numpy as np

    from pidm.bridge.worlds import random_deals
    from pidm.features import Feature, HandColumns, catalogue

    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from plain_features import all_features

    repeats = 3 if quick else 15
    n = 100_000
    hands = np.ascontiguousarray(random_deals(n, np.random.default_rng(1))[:, 0])
    features = catalogue()

    few = hands[: 300 if quick else 2000].tolist()
    plain = len(few) / seconds(lambda: [all_features(tuple(hand)) for hand in few], 3)
    yield row("all 247, plain Python, hand by hand", plain, "hands/s")

    def all_columns() -> None:
        columns = HandColumns(hands)
        for feature in features:
            columns.column(feature)

    all_columns()  # the tables are built once
    whole = seconds(all_columns, repeats)
    yield row(
        "all 247, columns of 100,000", n / whole, "hands/s", f"{n / whole / plain:,.0f} times plain Python"
    )

    table = np.zeros(8192, dtype=np.int8)
    bare, alone = float("inf"), dict.fromkeys(features, float("inf"))
    for _ in range(
        3
    ):  # side by side and at different times, because the machine has better and worse moments
        for feature in features:
            bare = min(bare, seconds(lambda: table[hands[:, 0]], 5))
            took = seconds(lambda feature=feature: HandColumns(hands).column(feature), repeats // 3)  # type: ignore[misc]
            alone[feature] = min(alone[feature], took)
    yield row("a bare gather, table[hands[:, 0]]", n / bare, "hands/s")
    yield row(
        "a column, mean of all 247", n * len(features) / whole, "hands/s", _in(whole / len(features), bare)
    )
    for name in ("hcp(S)", "hcp", "losers(H)", "balance", "points(S)", "fast(N)", "ratio", "cover(H)"):
        took = alone[Feature.parse(name)]
        yield row(f"{name} alone", n / took, "hands/s", _in(took, bare))
    worst = max(alone, key=lambda feature: alone[feature])
    yield row(f"{worst} alone, the slowest of all", n / alone[worst], "hands/s", _in(alone[worst], bare))
    over = sum(took > 3 * bare for took in alone.values())
    yield f"  {len(alone) - over} of {len(alone)} columns alone take no longer than three bare gathers"

    asked = tuple(feature for feature in features if feature.declaration.whole_numbers)[::9]
    for size in (10, 200, 2000, n):
        batch = hands[:size]
        took = seconds(
            lambda batch=batch: HandColumns(batch).matrix(asked), repeats * (1 if size == n else 20)
        )  # type: ignore[misc]
        yield row(
            f"{len(asked)} features of {size:,} new hands", size / took, "hands/s", f"{took * 1e6:,.0f} µs"
        )
    columns = HandColumns(hands[:200])
    columns.matrix(asked)
    half = np.arange(0, 200, 2)
    took = seconds(lambda: columns.take(half).matrix(asked), repeats * 20)
    yield row(
        f"{len(asked)} features of 100 of 200 known hands", 100 / took, "hands/s", f"{took * 1e6:,.0f} µs"
    )


def _in(took: float, bare: float) -> str:
    return f"{took * 1e6:,.0f} µs, {took / bare:.2f} bare gathers"
