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
    yield row("all 250, plain Python, hand by hand", plain, "hands/s")

    def all_columns() -> None:
        columns = HandColumns(hands)
        for feature in features:
            columns.column(feature)

    all_columns()  # the tables are built once
    whole = seconds(all_columns, repeats)
    yield row(
        "all 250, columns of 100,000", n / whole, "hands/s", f"{n / whole / plain:,.0f} times plain Python"
    )

    # A bare gather of the same size: as many values, of the type that the column has.
    tables = {dtype: np.zeros(8192, dtype=dtype) for dtype in (np.dtype(np.int8), np.dtype(np.float32))}
    bare = dict.fromkeys(tables, float("inf"))
    alone = dict.fromkeys(features, float("inf"))
    kinds = {feature: HandColumns(hands[:10]).column(feature).dtype for feature in features}
    for dtype in set(kinds.values()) - set(tables):
        tables[dtype], bare[dtype] = np.zeros(8192, dtype=dtype), float("inf")
    for _ in range(3):  # side by side, and again later: the machine has better and worse moments
        for feature, dtype in kinds.items():
            bare[dtype] = min(bare[dtype], seconds(lambda dtype=dtype: tables[dtype][hands[:, 0]], 5))  # type: ignore[misc]
            took = seconds(lambda feature=feature: HandColumns(hands).column(feature), repeats)  # type: ignore[misc]
            alone[feature] = min(alone[feature], took)
    for dtype, took in bare.items():
        yield row(
            f"a bare gather of {dtype}, table[hands[:, 0]]", n / took, "hands/s", f"{took * 1e6:,.0f} µs"
        )
    yield row(
        "a column, mean of all 250",
        n * len(features) / whole,
        "hands/s",
        _in(whole / len(features), min(bare.values())),
    )
    ratios = {feature: took / bare[kinds[feature]] for feature, took in alone.items()}
    for name in ("hcp(S)", "hcp", "losers(H)", "balance", "points(S)", "fast(N)", "ratio", "cover(H)"):
        feature = Feature.parse(name)
        yield row(f"{name} alone", n / alone[feature], "hands/s", _in(alone[feature], bare[kinds[feature]]))
    worst = max(ratios, key=lambda feature: ratios[feature])
    yield row(
        f"{worst} alone, the slowest of all",
        n / alone[worst],
        "hands/s",
        _in(alone[worst], bare[kinds[worst]]),
    )
    over = sum(ratio > 3 for ratio in ratios.values())
    yield f"  {len(ratios) - over} of {len(ratios)} columns alone take no longer than three bare gathers"

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
