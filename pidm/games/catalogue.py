"""The games of the JPS paper (section 6, definitions 1 to 3, and Mini-Hanabi), by name.

The number of states of each is that of its table 1, which a test checks.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path

import numpy as np

from pidm.errors import PidmError
from pidm.games.small import History, SmallGame

__all__ = ["GAMES", "Communication", "MiniHanabi", "SimpleBidding", "TwoSuit", "load"]

PASS = 0


class Communication(SmallGame):
    """Definition 1: the first player says `length` bits, the second guesses the number of the first."""

    rules = (
        "Player 1 sees a number and says bits; player 2 hears them and names the number. Right is worth 1."
    )
    optimum = 1.0

    def __init__(self, length: int) -> None:
        self.length = length
        """Bits to say."""
        self.numbers = 2**length
        """How many numbers there are."""
        self.name = f"communication_{length}"
        self.deals = np.stack([np.arange(self.numbers), np.zeros(self.numbers, dtype=int)], axis=1)

    def actor(self, history: History) -> int | None:
        """The first player while there are bits to say, then the second once."""
        return 0 if len(history) < self.length else 1 if len(history) == self.length else None

    def legal(self, history: History) -> Sequence[int]:
        """A bit, then any number."""
        return range(2) if len(history) < self.length else range(self.numbers)

    def worth(self, history: History, deals: np.ndarray) -> np.ndarray:
        """1 if the guess is right."""
        return np.asarray(deals[:, 0] == history[-1], dtype=float)

    def features(self, held: np.ndarray) -> dict[str, np.ndarray]:
        """The number and each of its bits, the lowest first."""
        return {"number": held, **{f"bit {k + 1}": held >> k & 1 for k in range(self.length)}}

    def say_held(self, seat: int, held: int) -> str:
        """The second player sees nothing."""
        return f"the number {held}" if seat == 0 else "nothing"


class MiniHanabi(SmallGame):
    """The two-step matrix game of the Bayesian action decoder, "Mini-Hanabi" in the paper's table.

    Each player has one of two cards and takes one of three actions, the first player first. The middle action
    of the first player is safe and tells nothing.
    """

    name = "mini_hanabi"
    rules = (
        "Both have card 0 or 1 and take an action of 0, 1 and 2, player 1 first. The result is in a table."
    )
    optimum = 10.0
    payoff = np.array(
        [
            [[[10, 0, 0], [4, 8, 4], [10, 0, 0]], [[0, 0, 10], [4, 8, 4], [0, 0, 10]]],
            [[[0, 0, 10], [4, 8, 4], [0, 0, 0]], [[10, 0, 0], [4, 8, 4], [10, 0, 0]]],
        ],
        dtype=float,
    )
    """By card of the first player, card of the second, action of the first, action of the second."""

    def __init__(self) -> None:
        self.deals = np.array(list(product(range(2), repeat=2)))

    def actor(self, history: History) -> int | None:
        """Each acts once."""
        return len(history) if len(history) < 2 else None

    def legal(self, history: History) -> Sequence[int]:
        """Three actions."""
        return range(3)

    def worth(self, history: History, deals: np.ndarray) -> np.ndarray:
        """What the table says."""
        return np.asarray(self.payoff[deals[:, 0], deals[:, 1], history[0], history[1]])

    def features(self, held: np.ndarray) -> dict[str, np.ndarray]:
        """The card."""
        return {"card": held}

    def say_held(self, seat: int, held: int) -> str:
        """A card."""
        return f"card {held}"


class SimpleBidding(SmallGame):
    """Definition 2: two numbers from 0 to `size` - 1; bids are powers of two, always higher, until a pass.

    The last bid is worth itself if it is not above the sum. The first player must bid.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        """How many numbers there are."""
        self.bids = (size - 1).bit_length() + 1
        """How many bids there are: 1, 2, 4 and so on, the highest that the largest sum can reach."""
        self.name = f"simple_bidding_{size}"
        self.rules = (
            f"Both see a number from 0 to {size - 1} and bid 1, 2, 4 ... in turn, always higher, until one "
            "passes. The last bid is worth itself if the numbers add up to it."
        )
        self.optimum = {4: 2.25, 8: 5.0625}.get(size)
        self.best_known = {16: 10.75}.get(size)
        self.deals = np.array(list(product(range(size), repeat=2)))

    def actor(self, history: History) -> int | None:
        """In turn, until one passes."""
        return None if history and history[-1] == PASS else len(history) % 2

    def legal(self, history: History) -> Sequence[int]:
        """Pass, but not at once, or a higher bid."""
        if not history:
            return range(1, self.bids + 1)
        return [PASS, *range(history[-1] + 1, self.bids + 1)]

    def worth(self, history: History, deals: np.ndarray) -> np.ndarray:
        """The last bid, if it is made."""
        bid = 2 ** (history[-2] - 1)
        return np.where(deals.sum(axis=1) >= bid, float(bid), 0.0)

    def say_action(self, action: int) -> str:
        """The bid as the number it stands for."""
        return "P" if action == PASS else str(2 ** (action - 1))


class TwoSuit(SmallGame):
    """Definition 3, two-suited mini-bridge: `size` cards each in hearts and spades; the number is the hearts.

    Bids are 1H 1S 2H and so on. A bid of k needs `size` + k cards in the suit together and is then worth
    2^(k-1), else it costs 1. A pass ends the bidding, but for one at the very start.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        """How many cards each player has, and the highest level."""
        self.name = f"two_suit_{size}"
        self.rules = (
            f"Both have {size} cards, hearts and spades. You bid 1H 1S ... {size}S in turn, always higher, "
            f"until one passes. A level of k needs {size} + k cards in the suit, then it is worth 2^(k-1); "
            "else it costs 1. Passed out is worth nothing."
        )
        self.optimum = {3: 1.125, 4: 1.84, 5: 26 / 9, 6: 226 / 49, 7: 7.4375}.get(size)
        self.deals = np.array(list(product(range(size + 1), repeat=2)))

    def actor(self, history: History) -> int | None:
        """In turn, until one passes; the first pass of all ends nothing."""
        return None if len(history) > 1 and history[-1] == PASS else len(history) % 2

    def legal(self, history: History) -> Sequence[int]:
        """Pass or a higher bid."""
        return [PASS, *range(max(history, default=PASS) + 1, 2 * self.size + 1)]

    def worth(self, history: History, deals: np.ndarray) -> np.ndarray:
        """The last bid, made or failed."""
        bid = max(history)
        if bid == PASS:
            return np.zeros(len(deals))
        level, hearts = (bid + 1) // 2, deals.sum(axis=1)
        cards = hearts if bid % 2 else 2 * self.size - hearts
        return np.where(cards >= self.size + level, float(2 ** (level - 1)), -1.0)

    def features(self, held: np.ndarray) -> dict[str, np.ndarray]:
        """The length of hearts; spades are the rest."""
        return {"hearts": held, "spades": self.size - held}

    def say_action(self, action: int) -> str:
        """A bid as bridge players write it."""
        return "P" if action == PASS else f"{(action + 1) // 2}{'SH'[action % 2]}"

    def say_held(self, seat: int, held: int) -> str:
        """Both suits."""
        return f"{held} hearts and {self.size - held} spades"


GAMES: dict[str, Callable[[], SmallGame]] = {
    **{f"communication_{n}": lambda n=n: Communication(n) for n in (3, 5, 6, 7)},  # type: ignore[misc]
    "mini_hanabi": MiniHanabi,
    **{f"simple_bidding_{n}": lambda n=n: SimpleBidding(n) for n in (4, 8, 16)},  # type: ignore[misc]
    **{f"two_suit_{n}": lambda n=n: TwoSuit(n) for n in (3, 4, 5, 6, 7)},  # type: ignore[misc]
}
"""The games by name."""


def load(name: str) -> SmallGame:
    """A game by its name, or the one that a Python file defines: FILE.py, or FILE.py:CLASS."""
    if name in GAMES:
        return GAMES[name]()
    file = re.fullmatch(r"(.+\.py)(?::(\w+))?", name)
    if file is None:
        raise PidmError(f"no game {name!r}; there are {', '.join(GAMES)}, and files: my_game.py")
    return _from_file(Path(file[1]), file[2] or "")


def _from_file(path: Path, wanted: str) -> SmallGame:
    if not path.is_file():
        raise PidmError(f"no file {path}")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    own = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, SmallGame) and value.__module__ == module.__name__
    }
    if wanted and wanted not in own:
        raise PidmError(f"{path} has no game {wanted}, found {', '.join(own) or 'none'}")
    if not wanted and len(own) != 1:
        raise PidmError(
            f"{path} defines {len(own)} subclasses of SmallGame, expected one; say which: {path}:CLASS"
        )
    game = own[wanted or next(iter(own))]()
    if game.name == SmallGame.name:
        game.name = path.stem
    return game
