"""The conformance check: the games that we have pass it, games that break a promise do not."""

import numpy as np
import pytest
from toy_games import BoundedMiniBridge, MiniBridge, MiniBridgeUtility, NumberGame, NumberUtility

from pidm.bridge.auction import Auction
from pidm.bridge.utilities import utility
from pidm.bridge.worlds import random_deals
from pidm.core.conformance import GameError, check
from pidm.core.game import Draft
from pidm.features import Feature
from pidm.reading.bridge_game import Bridge
from pidm.reading.table import Table
from systems import little_system

RULES = """
- title: Anything
  auction: ...
  bid:
    - 1N: 15-17 hcp, balanced
    - P: any
"""


@pytest.mark.parametrize(
    ("game", "worth", "features"),
    [
        (NumberGame(), NumberUtility(), ("number",)),
        (NumberGame(opponent=True), NumberUtility(), ("number",)),
        (MiniBridge(), MiniBridgeUtility(), ("points", "hearts", "spades")),
        (BoundedMiniBridge(tilt=True), MiniBridgeUtility(), ("points",)),
    ],
)
def test_toy_games_conform(game, worth, features):
    assert check(game, worth, features=features) > 20


def test_bridge_conforms(tmp_path):
    table = Table.of(little_system(tmp_path, RULES))
    deals = random_deals(50, np.random.default_rng(1))
    features = tuple(Feature.parse(name) for name in ("hcp", "length(S)", "balance"))
    found = check(Bridge(table), utility("ltc"), start=Auction(), worlds=deals, features=features, games=3)
    assert found > 10


def test_a_game_that_cannot_list_its_worlds_asks_for_some(tmp_path):
    with pytest.raises(GameError, match="give `start` and some `worlds`"):
        check(Bridge(Table.of(little_system(tmp_path, RULES))))


class IllegalAction(NumberGame):
    """Offers one bid more than it takes."""

    def after(self, history, action):
        if action == self.top:
            raise ValueError("no such bid")
        return super().after(history, action)


class TwoActors(NumberGame):
    def actor(self, history):
        return (0, 1) if len(history) == 1 else super().actor(history)


class FickleActor(NumberGame):
    asked = 0

    def actor(self, history):
        self.asked += 1
        return self.asked % 2


class Cycle(NumberGame):
    """A pass takes everything back."""

    def actor(self, history):
        return len(history) % 2

    def legal(self, history):
        return [0] if history else [1]

    def after(self, history, action):
        return () if action == 0 else (*history, action)

    def moves(self, history):
        return []


class Endless(NumberGame):
    def actor(self, history):
        return len(history) % 2

    def legal(self, history):
        return [0]


class NoAction(NumberGame):
    def legal(self, history):
        return [] if len(history) == 1 else super().legal(history)


class Twice(NumberGame):
    def legal(self, history):
        return [0, *super().legal(history)]


class Forgetful(NumberGame):
    def moves(self, history):
        return super().moves(history)[1:]


class Stranger(NumberGame):
    def actor(self, history):
        return 7


class Peeper(NumberGame):
    """Tells a seat what the other one holds."""

    def columns(self, worlds, seat):
        return super().columns(worlds[:, ::-1], seat)


class Swapped(NumberGame):
    def complete(self, seat, private, n, rng):
        return super().complete(1 - seat, private, n, rng)


class Careless(BoundedMiniBridge):
    def propose(self, history, seat, private, n, rng, models, ignore=()):
        return Draft(self.deals[:n], n)


class Greedy(BoundedMiniBridge):
    def propose(self, history, seat, private, n, rng, models, ignore=()):
        return super().propose(history, seat, private, 256, rng, models, ignore)


class Empty(NumberGame):
    def worlds(self):
        return self.deals[:0]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (IllegalAction(), r"after \(\): action 10 is legal, but cannot be taken: no such bid"),
        (TwoActors(), r"one seat acts, found \(0, 1\)"),
        (FickleActor(), "two actors, [01] and [01]"),
        (Cycle(), "the moves after action 1 are|a cycle"),
        (Endless(), "has not ended after 1000 actions"),
        (NoAction(), "no legal action, but the game is not over"),
        (Twice(), r"legal twice: \[0, 0, 1"),
        (Forgetful(), r"the moves after action 0 are \[\], expected those before and \(\(\), 0\)"),
        (Stranger(), "no seat 7 among 2"),
        (Peeper(), "column number of seat [01] tells more than what the seat holds"),
        (Swapped(), "complete gives seat"),
        (Careless(), "propose gives seat"),
        (Greedy(), "256 instances, expected at most"),
        (Empty(), "no worlds"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_wrong_games_are_refused(game, message):
    with pytest.raises(GameError, match=message):
        check(game, features=() if isinstance(game, BoundedMiniBridge) else ("number",))


def test_a_cycle_is_named(monkeypatch):
    """Also where the moves would give it away: only the path is looked at here."""
    from pidm.core import conformance

    monkeypatch.setattr(conformance._Checker, "step", lambda *_: None)
    with pytest.raises(GameError, match="a cycle: the same history as 2 actions before"):
        check(Cycle())


@pytest.mark.parametrize(
    ("worth", "message"),
    [
        (lambda history, worlds: np.zeros(3), r"shape \(3,\)"),
        (lambda history, worlds: np.full(len(worlds), np.nan), "not a number"),
    ],
)
def test_wrong_utilities_are_refused(worth, message):
    class Wrong:
        def evaluate(self, history, worlds, seat):
            return worth(history, worlds)

    with pytest.raises(GameError, match=message):
        check(NumberGame(), Wrong())


def test_promises_of_optional_members_are_checked():
    class Keyed(NumberUtility):
        def key(self, history):
            return len(history)

    class Stopping(NumberUtility):
        def within(self, history, worlds, seat, seconds):
            return self.evaluate(history, worlds, seat) + 1

    with pytest.raises(GameError, match="the key is that of another history"):
        check(NumberGame(), Keyed())
    with pytest.raises(GameError, match="within says"):
        check(NumberGame(), Stopping())
