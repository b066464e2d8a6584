"""Experience: how a pair bids by its system, and what it has learned that calls gain.

Two small networks. The *habit* says how likely each call is for a pair that bids by the rules and the look:
it was learned from such a pair's own auctions. The *gains* say by how many IMPs a call is better than
others in what came of it: they were tried on millions of deals, and all four bid on
(`pidm.training.outcomes`). A call's value is both: what it gains, less what it is worth to be understood, a
share of an IMP for every factor of e by which the habit makes it less often. So what hardly anybody of this
system would call must gain much, and partner, who bids by the same values, still knows what is meant.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pidm.bridge.auction import Auction
from pidm.errors import PidmError
from pidm.files import write_atomic
from pidm.models.context import Context, context
from pidm.models.inputs import Floats, Masks, hand_inputs, suit_inputs
from pidm.models.layers import HIDDEN, SHAPES, Layers, Weights, hidden_of, shapes, side_by_side
from pidm.models.learned_pair import LearnedPair, Origin
from pidm.models.network import NEVER, Network, log_chances, softmax
from pidm.threads import few_threads

FORMAT = "pidm experience"
VERSION = 1
OWN = 0.5
"""How likely the system's own call is at least, where it is known."""
LARGEST_FILE = 16 << 20
"""Bytes of a file, packed and unpacked; two networks take one or two megabytes."""
WIDEST = 1024, 512
"""Units of the hidden layers of a network of gains, at most."""

Values = npt.NDArray[np.float64]


class ExperienceError(PidmError, ValueError):
    """A file that holds no experience, or one of another version."""


@dataclass(frozen=True, eq=False)
class Experience:
    """What a pair has learned from outcomes."""

    habit: Network
    """How likely each call is by the system."""
    gains: Network | None = None
    """IMPs that a call gains, beside others of the same hand; None for a pair without experience."""
    pull: float = 0.3
    """IMPs that a call must gain for every factor of e by which it is less likely by the system; above 0."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What it was learned from."""

    def __str__(self) -> str:
        return f"{self.about.get('system', 'a pair')} with experience of {self.decisions:,} decisions"

    @property
    def decisions(self) -> int:
        """In how many decisions calls were tried."""
        found = self.about.get("decisions")
        return found if isinstance(found, int) else 0

    @property
    def networks(self) -> tuple[Network, ...]:
        """Those that are there."""
        return (self.habit,) if self.gains is None else (self.habit, self.gains)

    def beside(
        self, auctions: Sequence[Auction], masks: Masks, own: npt.NDArray[np.intp]
    ) -> tuple[Values, Values]:
        """float64[n, 38] twice, a hand uint16[n, 4] and an auction a row: what calls are worth beside the
        system's own, which is given, and what they gain; only differences in a row mean something."""
        known = self.known(auctions, masks)
        return known.beside(own), known.gains

    def known(self, auctions: Sequence[Auction], masks: Masks) -> Known:
        """What the networks say of all calls, a hand uint16[n, 4] and an auction a row."""
        contexts = [context(one) for one in auctions]
        kinds, legal = np.stack([one.kinds for one in contexts]), np.stack([one.legal for one in contexts])
        suits = np.stack([one.suits for one in contexts])
        inputs = hand_inputs(masks), suit_inputs(masks, suits), np.stack([one.inputs for one in contexts])
        with few_threads(len(masks)):
            scores = [Layers.of(one.exact, inputs, kinds).scores for one in self.networks]
        habit, *gains = (one.astype(np.float64) for one in scores)
        gained = gains[0] if gains else np.zeros_like(habit)
        return Known(self, np.where(legal, habit / self.habit.temperature, -np.inf), gained, legal)

    def in_auction(self, auction: Auction, masks: Masks, own: npt.NDArray[np.intp]) -> Values:
        """float64[n, 38], the first of `beside`, for many hands in one auction and in single precision."""
        here = context(auction)
        with few_threads(len(masks)):
            habit, *gains = (one.scores(here, masks).astype(np.float64) for one in self.networks)
        gained = gains[0] if gains else np.zeros_like(habit)
        return np.where(here.legal, self._beside(habit, gained, own), -np.inf)

    def _beside(self, scores: Values, gained: Values, own: npt.NDArray[np.intp]) -> Values:
        """What calls are worth that gain so much and come up by habit as these scores say, where the system's
        own call is known: the habit does not bid by the rules in every case, so half of what is likely is it.
        """
        chances = softmax(scores)
        rows = np.arange(len(own))
        chances *= 1 - OWN
        chances[rows, own] += OWN
        return np.asarray(self.pull * np.log(np.maximum(chances, 1e-12)) + gained)

    def values(self, scores: Sequence[Floats], legal: npt.NDArray[np.bool_]) -> Floats:
        """float32[n, 38], what calls are worth by the scores of `networks`, in IMPs."""
        habit, *gains = scores
        found = np.float32(self.pull) * log_chances(habit / np.float32(self.habit.temperature), legal)
        for more in gains:
            found += more
        return found

    @cached_property
    def pair(self) -> LearnedPair:
        """The pair that bids by it, as any learned pair: how likely its calls are, what they show."""
        return LearnedPair(Habitual(self), Origin(who=(str(self),), calls=self.decisions))

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it: plain arrays of half precision, and JSON about them."""
        assert self.gains is not None
        about = {
            "format": FORMAT,
            "version": VERSION,
            "pull": self.pull,
            "temperature": self.habit.temperature,
            "about": dict(self.about),
        }
        arrays: dict[str, Any] = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for part, network in (("habit", self.habit), ("gains", self.gains)):
            arrays |= {f"{part}.{name}": network.weights[name].astype(np.float16) for name in SHAPES}
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        write_atomic(path, buffer.getvalue())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Experience:
        """Read it; whatever is wrong with the file is an `ExperienceError`."""
        name = os.fspath(path)
        try:
            size = Path(path).stat().st_size
            if size > LARGEST_FILE:
                raise ExperienceError(f"{name}: {size:,} bytes, expected at most {LARGEST_FILE:,}")
            with zipfile.ZipFile(path) as packed:
                _check_entries(packed, name)
            with np.load(path, allow_pickle=False) as arrays:
                about = _about(arrays["about"], name)
                habit, gains = (_weights(arrays, part, name) for part in ("habit", "gains"))
        except (zipfile.BadZipFile, EOFError, KeyError, ValueError, OSError, MemoryError) as error:
            if isinstance(error, ExperienceError):
                raise
            if isinstance(error, OSError) and error.errno is not None:
                raise ExperienceError(f"{name} cannot be read: {error.strerror}") from None
            raise ExperienceError(f"{name} holds no experience: {error}") from None
        return cls(Network(habit, about["temperature"]), Network(gains), about["pull"], about["about"])


def beside_each_other(several: Sequence[Experience]) -> Experience:
    """Experience that tells the mean of what several tell that calls gain; else it is the first of them."""
    gains = side_by_side([one.gains.weights for one in several if one.gains is not None])
    for units, most in zip(hidden_of(gains), WIDEST):
        if units > most:
            raise ExperienceError(f"together they have a layer of {units} units, expected at most {most}")
    first = several[0]
    about = {**first.about, "decisions": max(one.decisions for one in several)}
    return Experience(first.habit, Network(gains), first.pull, about)


@dataclass(frozen=True, eq=False)
class Known:
    """What experience says of the calls of some hands, whatever the system says."""

    experience: Experience
    scores: Values
    """float64[n, 38], of which the softmax tells how likely calls are by habit."""
    gained: Values
    legal: npt.NDArray[np.bool_]

    # Rounded, because the last bits depend on the size of the batch.

    @property
    def gains(self) -> Values:
        """float64[n, 38], the IMPs that calls gain; only differences in a row mean something."""
        return np.round(self.gained, 6)

    def beside(self, own: npt.NDArray[np.intp]) -> Values:
        """float64[n, 38], what calls are worth beside the system's own."""
        values = self.experience._beside(self.scores, self.gained, own)
        return np.where(self.legal, np.round(values, 6), -np.inf)

    def take(self, rows: npt.NDArray[np.intp]) -> Known:
        """That of some of the hands."""
        return Known(self.experience, self.scores[rows], self.gained[rows], self.legal[rows])


@dataclass(frozen=True, eq=False)
class Habitual:
    """An experienced player as one network: how likely it makes each call.

    A call is as likely as by the habit, times e for every `pull` IMPs that it gains: the soft policy of which
    the values are the logarithms. The likeliest call is the one of the greatest value.
    """

    experience: Experience

    def hand_part(self, masks: Masks) -> Floats:
        """float32[n, hidden of all networks], the hand's own part of the first layers."""
        return np.concatenate([one.hand_part(masks) for one in self.experience.networks], axis=1)

    def _split(self, part: Floats) -> list[Floats]:
        """What of `hand_part` belongs to each network."""
        ends = np.cumsum([hidden_of(one.weights)[0] for one in self.experience.networks])
        return np.split(part, ends[:-1], axis=1)

    def scores(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], what the softmax is taken of; `part` is `hand_part(masks)` where it is known."""
        networks = self.experience.networks
        parts = [None] * len(networks) if part is None else self._split(part)
        habit, *gains = (one.scores(context, masks, mine) for one, mine in zip(networks, parts))
        for more in gains:
            habit += more / np.float32(self.experience.pull)
        return np.where(context.legal, habit, NEVER)

    def probabilities(self, context: Context, masks: Masks, part: Floats | None = None) -> Floats:
        """float32[n, 38], how likely each call is; 0 for what is not legal."""
        return softmax(self.scores(context, masks, part))


def _check_entries(packed: zipfile.ZipFile, name: str) -> None:
    """Nothing is unpacked before its size is known."""
    sizes = {entry.filename.removesuffix(".npy"): entry.file_size for entry in packed.infolist()}
    wanted = {"about", *(f"{part}.{one}" for part in ("habit", "gains") for one in SHAPES)}
    if set(sizes) != wanted:
        odd = ", ".join(sorted(set(sizes) ^ wanted))
        raise ExperienceError(f"{name} holds no experience: {odd} is missing or too much")
    if sum(sizes.values()) > LARGEST_FILE:
        raise ExperienceError(f"{name} unpacks to more than {LARGEST_FILE:,} bytes")


def _about(data: npt.NDArray[Any], name: str) -> dict[str, Any]:
    """What the file says about itself, checked."""
    if data.dtype != np.uint8 or data.ndim != 1:
        raise ExperienceError(f"{name} holds no experience: what it says about itself is not JSON")
    about = json.loads(data.tobytes())
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ExperienceError(f"{name} holds no experience")
    if about.get("version") != VERSION:
        raise ExperienceError(
            f"{name} is of version {about.get('version')}, expected {VERSION}; learn it again"
        )
    checks = {"pull": (0.001, 100.0), "temperature": (0.05, 20.0)}
    for key, (low, high) in checks.items():
        value = about.get(key)
        if not isinstance(value, float) or not low <= value <= high:
            raise ExperienceError(f"{name}: {key} is {value!r}, expected a number from {low:g} to {high:g}")
    if not isinstance(about.get("about"), dict):
        raise ExperienceError(f"{name} does not say what it was learned from")
    return about


def _hidden(arrays: Mapping[str, npt.NDArray[Any]], name: str) -> tuple[int, int]:
    """The units of the network of gains, which may be wider than that of the habit."""
    front, back = (arrays[f"gains.{one}"].size for one in ("first", "second"))
    for one, units, least, most in zip(("first", "second"), (front, back), HIDDEN, WIDEST):
        if not least <= units <= most:
            raise ExperienceError(f"{name}: gains.{one} has {units} units, expected {least} to {most}")
    return front, back


def _weights(arrays: Mapping[str, npt.NDArray[Any]], part: str, name: str) -> Weights:
    found = {}
    # A habit is the network of a learned pair, and these have one size.
    wanted = shapes(_hidden(arrays, name)) if part == "gains" else SHAPES
    for one, shape in wanted.items():
        array = arrays[f"{part}.{one}"]
        if array.shape != shape or array.dtype != np.float16:
            raise ExperienceError(
                f"{name}: {part}.{one} is {array.dtype}{list(array.shape)}, expected float16{list(shape)}"
            )
        found[one] = array.astype(np.float32)
        if not np.isfinite(found[one]).all():
            raise ExperienceError(f"{name}: {part}.{one} holds what is no number")
    return found
