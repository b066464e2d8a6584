"""Looking ahead without a tree: as a tree does where nobody chooses, within the limit; and what was known."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from toy_games import BoundedMiniBridge, MiniBridgeUtility, NetStrategy, bridge_rules

from pidm.core import playing_on
from pidm.core.choices import Choices, Proposal
from pidm.core.limit import Limit
from pidm.core.player import Player
from pidm.core.search import Beforehand, Search, SearchOptions
from pidm.errors import PidmError

RULES = NetStrategy(bridge_rules)


class Settled:
    """Does what is preferred and leaves nothing open."""

    def choices(self, history, columns):
        best = RULES.choices(history, columns).or_else(0).preferred()
        actions = np.unique(best)
        return Choices(tuple(Proposal(int(one)) for one in actions), best[:, None] == actions)


class InStep:
    """Plays every world on by itself."""

    def __init__(self, game, clock=None):
        self.game, self.clock, self.asked = game, clock, []

    def __call__(self, histories, worlds, seat):
        self.asked.append(len(worlds))
        if self.clock is not None:
            self.clock.now += self.clock.piece
        found = []
        for start in histories:
            ends = defaultdict(list)
            for row in range(len(worlds)):
                history = start
                while (actor := self.game.actor(history)) is not None:
                    columns = self.game.columns(worlds[row : row + 1], actor)
                    history = self.game.after(history, Settled().choices(history, columns).candidates(0)[0])
                ends[history].append(row)
            found.append([(history, np.array(rows)) for history, rows in ends.items()])
        return found


class Clock:
    now, piece = 0.0, 0.1

    def __call__(self):
        return self.now


GAME = BoundedMiniBridge()
OPEN = Choices(tuple(Proposal(one) for one in (0, 2, 3)), np.ones((1, 3), bool))


def decide(play_on=None, limit=None, clock=None, **options):
    player = Player(Settled(), MiniBridgeUtility(), play_on=play_on)
    search = Search(GAME, SearchOptions(depth=0, **options), **({"clock": clock} if clock else {}))
    limit = limit or Limit(instances=20_000)
    return search.decide((1,), (2, 7), player, limit, np.random.default_rng(3), OPEN)


def test_it_tells_what_a_tree_tells():
    tree, step = decide(sample_size=300), decide(InStep(GAME), sample_size=300)
    assert tree.candidates == step.candidates == (0, 2, 3)
    assert np.array_equal(tree.worths, step.worths) and tree.action == step.action
    for one, other in zip(tree.ends, step.ends):
        assert [end.history for end in one] == [end.history for end in other]


def test_it_goes_piece_by_piece_and_ends_in_time(monkeypatch):
    monkeypatch.setattr(playing_on, "PIECE", 20)
    clock = Clock()
    play_on = InStep(GAME, clock)
    found = decide(play_on, Limit(seconds=1.0), clock, sample_size=400)
    assert clock.now <= 1.0
    assert 2 <= len(play_on.asked) < 400 // 20
    known = ~np.isnan(found.worths).any(axis=0)
    assert known.sum() == 20 * len(play_on.asked) == found.worlds
    assert found.counters.cut == 3 * (~known).sum()
    assert found.action in found.candidates


def test_something_is_played_on_in_any_case(monkeypatch):
    monkeypatch.setattr(playing_on, "PIECE", 20)
    clock = Clock()
    clock.piece = 5.0
    play_on = InStep(GAME, clock)
    assert decide(play_on, Limit(seconds=1.0), clock, sample_size=100).worlds == 20
    assert play_on.asked == [20]


@pytest.mark.parametrize("size", [4, 400])
def test_what_was_known_counts_as_so_many_worlds(size):
    """A wrong belief stands against a few worlds and falls before many."""
    plain = decide(InStep(GAME), sample_size=size)
    means = dict(zip(plain.candidates, plain.means))
    worst, best = min(means, key=means.get), max(means, key=means.get)
    gap = means[best] - means[worst]
    assert gap > 0
    known = Beforehand({one: 2 * gap * (one == worst) for one in means}, 40)
    told = decide(InStep(GAME), sample_size=size, beforehand=known)
    # worlds * gap against 40 * 2 * gap
    assert told.action == (worst if size < 80 else best)
    assert np.array_equal(told.means, plain.means)  # what it tells is what it has seen


def test_beforehand_is_some_worlds():
    with pytest.raises(PidmError, match="0 worlds or more, not -1"):
        Beforehand({}, -1)
