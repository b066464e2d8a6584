"""Files of deals that were bid: one deal a line, as JSON, perhaps gzipped."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any


def read_deals(path: Path, first: int, count: int | None) -> list[dict[str, Any]]:
    """The deals of the file from number `first` on."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as lines:
        chosen = []
        for number, line in enumerate(lines):
            if number < first:
                continue
            if count is not None and len(chosen) >= count:
                break
            chosen.append(json.loads(line))
    return chosen
