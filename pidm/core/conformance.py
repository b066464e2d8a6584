"""Is this a game that the method can play? Random games through every member of the interface.

A game that breaks a promise of `Game` makes the search wrong in ways that are hard to trace back, so whoever
writes one holds it against `check` first. It raises `GameError`, with the history at which the promise was
broken, what was found and what was expected.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns, has_matrix
from pidm.core.game import Game, Private, Worlds, is_finite
from pidm.core.player import Player, Utility, can_stop, cost_of, has_key
from pidm.errors import PidmError

__all__ = ["GameError", "check"]

LONGEST = 1000
"""Actions after which a game is taken to go on for ever."""
DRAWN = 16
"""Worlds that are drawn to see whether they fit what a seat holds."""


class GameError(PidmError):
    """A game that breaks a promise of the interface."""


def check(
    game: Game,
    utility: Utility | None = None,
    *,
    start: Any = None,
    worlds: Worlds | None = None,
    features: tuple[Hashable, ...] = (),
    games: int = 20,
    rng: np.random.Generator | None = None,
) -> int:
    """Play random games and look at everything that `Game` promises; the number of histories looked at.

    A finite game says itself where it starts and which worlds there are; of any other, `start` and some
    `worlds` are needed. `features` are columns to look at besides their number of rows; with a `utility`, its
    promises are checked too. A game that does not conform raises a `GameError`.
    """
    if is_finite(game):
        start = game.start if start is None else start
        worlds = game.worlds() if worlds is None else worlds
    elif worlds is None:
        raise GameError(
            f"{type(game).__name__} does not list its worlds: give `start` and some `worlds`, or add the "
            "members of FiniteGame (seats, start, worlds)"
        )
    if not len(worlds):
        raise GameError(f"{type(game).__name__} has no worlds, expected one at least")
    checker = _Checker(game, utility, worlds, features, rng or np.random.default_rng(0))
    for _ in range(games):
        checker.play(start)
    return len(checker.seen)


@dataclass
class _Checker:
    game: Game
    utility: Utility | None
    worlds: Worlds
    features: tuple[Hashable, ...]
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.seen: dict[Any, int | None] = {}
        """Histories and who acts there."""
        self.worths: dict[Hashable, np.ndarray] = {}
        """What was said about the ends with a key."""

    def fail(self, history: Any, message: str) -> GameError:
        return GameError(f"{type(self.game).__name__}, after {_text(history)}: {message}")

    def play(self, start: Any) -> None:
        """One random game."""
        history, path = start, [start]
        moves = list(self.game.moves(history))
        while (actor := self.actor(history)) is not None:
            if len(path) > LONGEST:
                raise self.fail(history, f"the game has not ended after {LONGEST} actions")
            legal = self.legal(history)
            first = history not in self.seen
            self.seen[history] = actor
            if first:
                self.private(history, actor)
                for action in legal:
                    self.step(history, action, moves)
            action = legal[int(self.rng.integers(len(legal)))]
            moves = [*moves, (history, action)]
            history = self.game.after(history, action)
            if history in path:
                raise self.fail(
                    history, f"a cycle: the same history as {len(path) - path.index(history)} actions before"
                )
            path.append(history)
        if history not in self.seen:
            self.seen[history] = None
            self.worth(history)

    # ------------------------------------------------------------------ what is public

    def actor(self, history: Any) -> int | None:
        """Who acts, and always the same one."""
        try:
            hash(history)
        except TypeError:
            raise self.fail(
                history, f"a history must be hashable, a {type(history).__name__} is not"
            ) from None
        actor, again = self.game.actor(history), self.game.actor(history)
        for found in (actor, again):
            if found is not None and (isinstance(found, bool) or not isinstance(found, (int, np.integer))):
                raise self.fail(
                    history, f"one seat acts, found {found!r}; expected its number, or None at the end"
                )
        if actor != again or self.seen.get(history, actor) != actor:
            raise self.fail(
                history, f"two actors, {actor} and {again if actor != again else self.seen[history]}"
            )
        seats = self.game.seats if is_finite(self.game) else None
        if actor is not None and not 0 <= actor < (seats if seats is not None else actor + 1):
            raise self.fail(history, f"no seat {actor} among {seats}")
        return actor

    def legal(self, history: Any) -> list[int]:
        """Some action, none twice."""
        legal = list(self.game.legal(history))
        if not legal:
            raise self.fail(history, "no legal action, but the game is not over (actor says who acts)")
        for action in legal:
            if isinstance(action, bool) or not isinstance(action, (int, np.integer)) or action < 0:
                raise self.fail(history, f"an action is a whole number from 0, found {action!r}")
        if len(set(legal)) < len(legal):
            raise self.fail(history, f"an action is legal twice: {legal}")
        if list(self.game.legal(history)) != legal:
            raise self.fail(
                history, f"the legal actions change: {legal}, then {list(self.game.legal(history))}"
            )
        return legal

    def step(self, history: Any, action: int, moves: list[Any]) -> None:
        """A legal action can be taken, and is remembered."""
        try:
            later = self.game.after(history, action)
        except Exception as error:
            raise self.fail(history, f"action {action} is legal, but cannot be taken: {error}") from error
        if later == history:
            raise self.fail(history, f"a cycle: action {action} leads back to the same history")
        found = list(self.game.moves(later))
        if found != [*moves, (history, action)]:
            raise self.fail(
                history,
                f"the moves after action {action} are {found}, expected those before and {(history, action)}",
            )

    # ------------------------------------------------------------------ what is hidden

    def private(self, history: Any, seat: int) -> None:
        """What a seat holds is the same in all the worlds that complete it, and in all it is told."""
        row = int(self.rng.integers(len(self.worlds)))
        held = self.game.private(self.worlds, row, seat)
        try:
            hash(held)
        except TypeError:
            raise self.fail(
                history, f"what a seat holds must be hashable, {type(held).__name__} is not"
            ) from None
        drawn = self.game.complete(seat, held, DRAWN, self.rng)
        if len(drawn) != DRAWN:
            raise self.fail(history, f"complete makes {len(drawn)} worlds, expected {DRAWN}")
        self.fits(history, seat, held, drawn, "complete")
        everyone = Player(_Anything(self.game), _Nothing())
        others = {
            other for before, _ in self.game.moves(history) if (other := self.game.actor(before)) != seat
        }
        models = {other: everyone for other in others if other is not None}
        if models:
            draft = self.game.propose(history, seat, held, DRAWN, self.rng, models)
            if draft is not None:
                self.fits(history, seat, held, draft.worlds, "propose")
                if not len(draft.worlds) <= draft.generated <= DRAWN:
                    found = f"{len(draft.worlds)} worlds from {draft.generated} instances"
                    raise self.fail(history, f"propose makes {found}, expected at most {DRAWN} instances")
                if draft.weights is not None and (
                    len(draft.weights) != len(draft.worlds) or not (np.asarray(draft.weights) > 0).all()
                ):
                    raise self.fail(history, "a draft has one positive weight for each world")
        self.columns(history, seat, drawn, self.game.columns(drawn, seat))

    def fits(self, history: Any, seat: int, held: Private, worlds: Worlds, who: str) -> None:
        """All worlds leave the seat what it holds."""
        for row in range(len(worlds)):
            found = self.game.private(worlds, row, seat)
            if found != held:
                raise self.fail(
                    history, f"{who} gives seat {seat} {found!r}, expected the {held!r} that it holds"
                )

    def columns(self, history: Any, seat: int, worlds: Worlds, columns: Columns) -> None:
        """The features of a seat depend on nothing but what it holds."""
        if len(columns) != len(worlds):
            raise self.fail(history, f"columns have {len(columns)} rows for {len(worlds)} worlds")
        rows = np.arange(len(worlds) // 2)
        if len(columns.take(rows)) != len(rows):
            raise self.fail(history, f"columns.take of {len(rows)} rows has {len(columns.take(rows))}")
        for feature in self.features:
            values = np.asarray(columns.column(feature))
            if values.shape != (len(worlds),):
                raise self.fail(
                    history, f"column {feature} has shape {values.shape}, expected ({len(worlds)},)"
                )
            if (values != values[0]).any():
                raise self.fail(
                    history, f"column {feature} of seat {seat} tells more than what the seat holds: {values}"
                )
        if self.features and has_matrix(columns):
            matrix = np.asarray(columns.matrix(self.features))
            if matrix.shape != (len(worlds), len(self.features)):
                raise self.fail(history, f"columns.matrix has shape {matrix.shape}")

    # ------------------------------------------------------------------ what it is worth

    def worth(self, history: Any) -> None:
        """The utility has a number for every world at the end."""
        if self.utility is None:
            return
        some = self.worlds[np.arange(min(len(self.worlds), DRAWN))]
        values = np.asarray(self.utility.evaluate(history, some, 0))
        if values.shape != (len(some),):
            raise self.fail(history, f"the utility has shape {values.shape} for {len(some)} worlds")
        if not np.isfinite(values.astype(float)).all():
            raise self.fail(history, f"the utility is not a number everywhere: {values}")
        if cost_of(self.utility) < 0:
            raise self.fail(
                history, f"the utility costs {cost_of(self.utility)} seconds, expected none or more"
            )
        if can_stop(self.utility):
            within = np.asarray(self.utility.within(history, some, 0, 60.0))
            known = ~np.isnan(within)
            if within.shape != values.shape or (within[known] != values[known]).any():
                raise self.fail(history, f"within says {within}, evaluate says {values}")
        if has_key(self.utility):
            known_worth = self.worths.setdefault(self.utility.key(history), values)
            if (known_worth != values).any():
                raise self.fail(history, "the key is that of another history, but the worth is not")


@dataclass(frozen=True)
class _Anything:
    """A strategy to which every action is plausible: what was done shows nothing."""

    game: Game

    def choices(self, history: Any, columns: Columns) -> Choices:
        proposals = tuple(Proposal(int(action)) for action in self.game.legal(history))
        return Choices(proposals, np.ones((len(columns), len(proposals)), dtype=bool))


class _Nothing:
    """A utility that wants nothing."""

    def evaluate(self, history: Any, worlds: Worlds, seat: int) -> np.ndarray:
        return np.zeros(len(worlds))


def _text(history: Any) -> str:
    return str(history) or "no action"
