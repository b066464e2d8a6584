"""A pair as it really bids: a strategy learned from records, with the chance of every call."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.bridge.dealing import Shown
from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.errors import PidmError
from pidm.features import HandColumns
from pidm.files import write_atomic
from pidm.models.context import context
from pidm.models.inputs import Floats, Masks
from pidm.models.layers import SHAPES
from pidm.models.network import Network, Predictor
from pidm.models.scout import Crowd, Scout
from pidm.threads import few_threads

FORMAT = "pidm pair model"
VERSION = 2
LARGEST_FILE = 8 << 20
"""Bytes of a model file, packed and unpacked; a model takes less than half a megabyte."""
LARGEST_ABOUT = 1 << 20
"""Bytes of what a model file says about itself."""


class ModelError(PidmError, ValueError):
    """A file that is no model of a pair, or of another version."""


@dataclass(frozen=True)
class Origin:
    """What a model was learned from, and how good it is."""

    who: tuple[str, ...] = ()
    """Whose calls: names, NS, EW or all."""
    deals: int = 0
    """Deals that it learned from."""
    calls: int = 0
    """Calls that it learned from."""
    held_calls: int = 0
    """Calls on deals that were set aside."""
    accuracy: float = 0.0
    """The share of those that it found the likeliest."""
    log_loss: float = 0.0
    """Minus the mean logarithm of the chance that it gave them."""
    system: str = ""
    """The system that the pair is taken to play where its records say little; none if they say enough."""
    trust: float = 1.0
    """How much the records count, beside that system: a share between 0 and 1."""
    stray: float = 0.0
    """How often the pair does something else than the system."""
    seen: Mapping[str, int] = field(default_factory=dict, hash=False)
    """How often the most frequent auctions came up, without passes at the start."""

    def __str__(self) -> str:
        beside = f", counting for {self.trust:.0%} beside {self.system}" if self.trust < 1 else ""
        return (
            f"{', '.join(self.who)}: learned from {self.calls:,} calls on {self.deals:,} deals{beside}; "
            f"foretells {self.accuracy:.1%} of {self.held_calls:,} calls that were set aside "
            f"(log-loss {self.log_loss:.3f})"
        )


class LearnedPair:
    """How a pair bids. As a strategy it proposes the likeliest call of each hand."""

    def __init__(self, network: Predictor, origin: Origin) -> None:
        self.network = network
        self.origin = origin
        """Where it comes from."""

    def __repr__(self) -> str:
        return f"LearnedPair({self.origin})"

    def probabilities(self, auction: Auction, masks: Masks) -> Floats:
        """float32[n, 38], how likely each call is for hands uint16[n, 4] that are to call here."""
        with few_threads(len(masks)):
            return self.network.probabilities(context(auction), masks)

    def likelihood(self, history: Auction, columns: Columns, action: int) -> npt.NDArray[np.float64]:
        """float[n], how likely the pair makes this call with each hand."""
        assert isinstance(columns, HandColumns)
        return self.probabilities(history, columns.masks)[:, action].astype(float)

    def choices(self, history: Auction, columns: Columns) -> Choices:
        """The likeliest call of each hand."""
        assert isinstance(columns, HandColumns)
        with few_threads(len(columns)):
            best = self.network.scores(context(history), columns.masks).argmax(axis=1)
        calls = np.unique(best)
        proposals = tuple(Proposal(int(call), self, place) for place, call in enumerate(calls))
        return Choices(proposals, best[:, None] == calls)

    def shown(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> Shown:
        """Ranges that hold for nearly all hands with which the pair calls like this: what to deal from."""
        return self._scout.shown(history, seat, ignore)

    def crowd(self, history: Auction, seat: int) -> Crowd:
        """The random hands of `crowd_hands` with which the seat would have called like this, by number, and
        how likely each does."""
        return self._scout.crowd(history, seat)

    def share(self, history: Auction, seat: int, ignore: Collection[int] = ()) -> float:
        """How likely a hand of which nothing is known calls like this."""
        return self._scout.share(history, seat, ignore)

    @property
    def plain(self) -> Network:
        """The network, of a pair that is a single one."""
        if not isinstance(self.network, Network):
            raise ModelError(f"{self.origin.who[0]} is no single network, which a model file holds")
        return self.network

    @cached_property
    def _scout(self) -> Scout:
        return Scout(self.network)

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model: plain arrays of half precision, and JSON about them."""
        network = self.plain
        about = {
            "format": FORMAT,
            "version": VERSION,
            "temperature": network.temperature,
            **asdict(self.origin),
        }
        arrays: dict[str, Any] = {name: network.weights[name].astype(np.float16) for name in SHAPES}
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        write_atomic(path, buffer.getvalue())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LearnedPair:
        """Read a model; whatever is wrong with the file is a `ModelError`."""
        name = os.fspath(path)
        size = Path(path).stat().st_size
        if size > LARGEST_FILE:
            raise ModelError(f"{name}: {size:,} bytes, but a model has at most {LARGEST_FILE:,}")
        try:
            with zipfile.ZipFile(path) as packed:
                _check_entries(packed, name)
            with np.load(path, allow_pickle=False) as arrays:
                about = _about(arrays["about"], name)
                weights = {one: _weights(arrays[one], one, name) for one in SHAPES}
        except (zipfile.BadZipFile, EOFError, KeyError, ValueError, OSError) as error:
            if isinstance(error, ModelError) or (isinstance(error, OSError) and error.errno is not None):
                raise
            raise ModelError(f"{name}: not a model of a pair: {error}") from None
        temperature = about.pop("temperature")
        return cls(Network(weights, temperature), Origin(**about))


def _check_entries(packed: zipfile.ZipFile, name: str) -> None:
    """Nothing is unpacked before its size is known."""
    sizes = {entry.filename.removesuffix(".npy"): entry.file_size for entry in packed.infolist()}
    wanted = {*SHAPES, "about"}
    if set(sizes) != wanted:
        odd = ", ".join(sorted(set(sizes) ^ wanted))
        raise ModelError(f"{name}: not a model of a pair: {odd} is missing or too much")
    if sum(sizes.values()) > LARGEST_FILE or sizes["about"] > LARGEST_ABOUT:
        raise ModelError(f"{name}: unpacks to more than {LARGEST_FILE:,} bytes")


def _about(data: npt.NDArray[Any], name: str) -> dict[str, Any]:
    """What the file says about itself, checked."""
    if data.dtype != np.uint8 or data.ndim != 1:
        raise ModelError(f"{name}: what the model says about itself is not JSON")
    try:
        about = json.loads(data.tobytes())
    except ValueError:
        raise ModelError(f"{name}: what the model says about itself is not JSON") from None
    if not isinstance(about, dict) or about.pop("format", None) != FORMAT:
        raise ModelError(f"{name}: not a model of a pair")
    version = about.pop("version", None)
    if version != VERSION:
        raise ModelError(f"{name}: a model of version {version}, expected {VERSION}; learn it again")
    checks: dict[str, Callable[[Any], bool]] = {
        "temperature": lambda x: isinstance(x, float) and 0.05 <= x <= 20,
        "who": lambda x: isinstance(x, list) and all(isinstance(one, str) for one in x),
        "deals": _count,
        "calls": _count,
        "held_calls": _count,
        "accuracy": lambda x: isinstance(x, float) and 0 <= x <= 1,
        "log_loss": lambda x: isinstance(x, float) and 0 <= x < 100,
        "system": lambda x: isinstance(x, str) and len(x) < 1000,
        "trust": lambda x: isinstance(x, float) and 0 <= x <= 1,
        "stray": lambda x: isinstance(x, float) and 0 <= x <= 1,
        "seen": lambda x: isinstance(x, dict) and all(map(_count, x.values())),
    }
    for key, good in checks.items():
        if key not in about or not good(about[key]):
            raise ModelError(f"{name}: {key} of the model is {about.get(key)!r}")
    if set(about) != set(checks):
        raise ModelError(f"{name}: {', '.join(sorted(set(about) - set(checks)))} is not known here")
    about["who"] = tuple(about["who"])
    return about


def _count(value: object) -> bool:
    return type(value) is int and value >= 0


def _weights(array: npt.NDArray[Any], one: str, name: str) -> Floats:
    if array.shape != SHAPES[one] or array.dtype != np.float16:
        raise ModelError(
            f"{name}: {one} is {array.dtype}{list(array.shape)}, expected float16{list(SHAPES[one])}; "
            "perhaps of another version"
        )
    found = array.astype(np.float32)
    if not np.isfinite(found).all():
        raise ModelError(f"{name}: {one} holds what is no number")
    return found
