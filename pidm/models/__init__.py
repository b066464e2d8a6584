"""Models of the others: how a pair really bids, learned from its records."""

from __future__ import annotations

import os

SUFFIX = ".pair"
"""How the names of model files end."""


def is_model_file(what: object) -> bool:
    """Does this name the file of a model, rather than a system?"""
    return isinstance(what, str | os.PathLike) and str(os.fspath(what)).endswith(SUFFIX)
