"""PIDM with co-trained decision nets on small games: the method of this project where the truth is known.

Partners start with nets that leave every action open, in a random order of preference, and refine them by
the core's own co-training (sections 4.2 and 4.3 of the specification): play, gather the open states, tag them
by PIDM, learn trees over the declared features of the game, exchange nets. Three ways to learn show what
unilateral learning loses: without exchange (each learns with the partner it knew at the start), with
exchange, and with joint changes on top, where an action of one partner and the other's answer change at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pidm.core.choices import Choices, Proposal
from pidm.core.columns import Columns
from pidm.core.cotraining import RefinedStrategy, cotrain, refine
from pidm.core.induction import Induction
from pidm.core.limit import Limit
from pidm.core.net import DecisionNet
from pidm.core.player import Player
from pidm.core.playing_out import play_out
from pidm.core.search import Search, SearchOptions
from pidm.errors import PidmError
from pidm.games.small import SmallGame
from pidm.games.tabular import Tabular

__all__ = ["LEARNING", "NetOptions", "Partners", "learn"]

LEARNING = ("alone", "exchange", "joint")
"""The ways to learn."""
ENOUGH = 1e-9
"""A gain below this is none."""
ALONG = 0.2
"""The chance that another holding takes part in a joint change."""
ANSWERS = 3
"""How many turns after it are learned anew."""

History = tuple[int, ...]


@dataclass(frozen=True)
class NetOptions:
    """How much is learned."""

    nets: int = 120
    """Nets that are refined in all, at most."""
    again: int = 4
    """How often the net of one history is learned, as partner's nets change."""
    instances: int = 2000
    """The limit of a decision that tags a state."""
    sample_size: int = 64
    """Worlds that it is based on."""
    joint: int = 300
    """Joint changes to try."""


class RandomStart:
    """The strategy to begin with: every action is plausible, in an order of preference drawn by history."""

    def __init__(self, game: SmallGame, seed: int) -> None:
        self._game, self._seed = game, seed
        self._nets: dict[History, DecisionNet] = {}

    def net(self, history: History) -> DecisionNet:
        """A new net for a history, without rules."""
        rng = np.random.default_rng([self._seed, len(history), *history])
        legal = list(self._game.legal(history))
        order = [Proposal(int(legal[k]), None, place) for place, k in enumerate(rng.permutation(len(legal)))]
        return DecisionNet.build([], order)

    def choices(self, history: Any, columns: Columns) -> Choices:
        """All legal actions, for every row."""
        if history not in self._nets:
            self._nets[history] = self.net(history)
        return self._nets[history].choices(columns)


@dataclass(eq=False)
class _Example:
    """A tagged state: at a history, what to do with a holding."""

    held: int
    action: int
    values: Mapping[int, float]
    """What PIDM took the actions to be worth; empty where it was not asked."""


@dataclass(eq=False)
class _Learner:
    """One seat: its own nets, and those that it knows of the others."""

    pair: Partners
    seat: int
    known: dict[int, RefinedStrategy]
    """By seat, its own included, as this player knows them."""
    learned: dict[History, int] = field(default_factory=dict)
    """How often each history was learned."""
    seen: dict[History, int] = field(default_factory=dict)
    """What news there had been then."""
    news: int = 0
    """How often it has heard of partner's nets."""

    @property
    def own(self) -> RefinedStrategy:
        return self.known[self.seat]

    def player(self, leave_open: History) -> Player:
        """This player as it is, but for one history at which everything is open again."""
        utility = self.pair.game
        players: dict[int, Player] = {}
        for seat, strategy in self.known.items():
            if seat == self.seat:
                nets = {history: net for history, net in strategy.nets.items() if history != leave_open}
                strategy = RefinedStrategy(self.pair.start, nets)
            players[seat] = Player(strategy, utility, players)
        return players[self.seat]

    # ------------------------------------------------------------------ the protocol of a partner

    def next_key(self) -> History | None:
        """The history of its own that comes up most among those where there is something new to learn."""
        visits: Counter[History] = Counter()
        game = self.pair.game
        for step in play_out(game, [()] * len(game.deals), game.deals, _Everyone(game, self.known)):
            if game.actor(step.history) == self.seat and len(game.legal(step.history)) > 1:
                visits[step.history] += len(step.rows)
        waiting = [
            history
            for history in visits
            if self.learned.get(history, 0) < self.pair.options.again
            and self.seen.get(history, -1) < self.news
        ]
        return max(waiting, key=lambda history: (visits[history], -len(history)), default=None)

    def cases(self, key: History) -> Sequence[Any]:
        """Everything that it may hold."""
        held: list[int] = self.pair.holdings(self.seat).tolist()
        return held

    def refine(self, key: History, examples: Sequence[_Example]) -> DecisionNet:
        """A net for the history, learned from scratch."""
        self.learned[key] = self.learned.get(key, 0) + 1
        self.seen[key] = self.news
        return self.pair.net(key, examples)

    def learn(self, key: History, net: DecisionNet) -> None:
        """Play it from now on."""
        self.own.nets[key] = net

    def hear(self, nets: Mapping[History, DecisionNet]) -> None:
        """Know that partner plays these."""
        self.news += 1
        for history, net in nets.items():
            seat = self.pair.game.actor(history)
            assert seat is not None
            self.known[seat].nets[history] = net


class _Everyone:
    """All players in one strategy, each history answered by who acts there."""

    def __init__(self, game: SmallGame, members: Mapping[int, RefinedStrategy]) -> None:
        self._game, self._members = game, members

    def choices(self, history: Any, columns: Columns) -> Choices:
        actor = self._game.actor(history)
        assert actor is not None
        return self._members[actor].choices(history, columns)


class Partners:
    """Partners who learn a game together."""

    def __init__(self, game: SmallGame, rng: np.random.Generator, options: NetOptions | None = None) -> None:
        self.game = game
        """The game."""
        self.options = options or NetOptions()
        """How much is learned."""
        self.start = RandomStart(game, int(rng.integers(2**31)))
        """How everyone begins."""
        self.rng = rng
        """Where chance comes from."""
        seats = range(game.seats)
        self.learners = [
            _Learner(self, seat, {s: RefinedStrategy(self.start) for s in seats}) for seat in seats
        ]
        """The players."""
        self.features = list(game.features(game.deals[:1, 0]))
        """The features that nets may ask for."""
        size = self.options.sample_size
        self._search = Search(game, SearchOptions(sample_size=size, nested_size=size // 4, few=1))

    @property
    def strategies(self) -> dict[int, RefinedStrategy]:
        """What everyone plays, by seat."""
        return {learner.seat: learner.own for learner in self.learners}

    def actor(self, history: History) -> int:
        """Who acts at a history at which somebody does."""
        seat = self.game.actor(history)
        assert seat is not None
        return seat

    def holdings(self, seat: int) -> np.ndarray:
        """int[n], everything that a seat may hold."""
        return np.unique(self.game.deals[:, seat])

    def columns(self, seat: int, held: Sequence[int] | np.ndarray) -> Columns:
        """The features of holdings of a seat; what the others hold does not matter to them."""
        deals = np.zeros((len(held), self.game.seats), dtype=int)
        deals[:, seat] = held
        return self.game.columns(deals, seat)

    def net(self, history: History, examples: Sequence[_Example]) -> DecisionNet:
        """The net of tagged examples."""
        net = self.start.net(history)
        refine(
            net,
            self.columns(self.actor(history), [example.held for example in examples]),
            [example.action for example in examples],
            self.features,
            Induction(depth=8, leaf=1, folds=0),
            [example.values for example in examples],
        )
        return net

    def tag(self, learner: _Learner, history: History, held: int) -> _Example:
        """What PIDM would do."""
        limit = Limit(instances=self.options.instances)
        found = self._search.decide(history, held, learner.player(history), limit, self.rng)
        values = dict(zip(found.candidates, found.means.tolist())) if found.worlds else {}
        return _Example(held, found.action, values)

    def value(self) -> float:
        """What the pair reaches in the mean over all worlds, everyone by preference."""
        everyone = _Everyone(self.game, self.strategies)
        groups: dict[History, np.ndarray] = {(): np.arange(len(self.game.deals))}
        total = 0.0
        while groups:
            history, rows = groups.popitem()
            deals = self.game.deals[rows]
            seat = self.game.actor(history)
            if seat is None:
                total += float(self.game.evaluate(history, deals, 0).sum())
                continue
            taken = everyone.choices(history, self.game.columns(deals, seat)).preferred()
            for action in np.unique(taken).tolist():
                groups[self.game.after(history, action)] = rows[taken == action]
        return total / len(self.game.deals)

    def cotrain(self, exchange: bool, watch: Callable[[float], None] | None = None) -> None:
        """Refine nets in turn; with exchange, each round starts from what the other one has just learned."""

        def tag(number: int, work: Sequence[tuple[int, History, Any]]) -> list[_Example]:
            return [self.tag(self.learners[place], key, held) for place, key, held in work]

        done = 0
        for step in cotrain(self.learners, tag, self.options.nets, 1 if exchange else 0):
            done += len(step.refined)
            if watch is not None:
                watch(done / self.options.nets)

    def change_jointly(self, watch: Callable[[float], None] | None = None) -> None:
        """Try joint changes: one holding of a player takes another action, and the next player answers anew.

        What is kept is what the pair gains from on all worlds, or does not lose by.
        """
        value = self.value()
        for number in range(self.options.joint):
            kept = [dict(learner.own.nets) for learner in self.learners]
            self._kick()
            reached = self.value()
            if reached < value - ENOUGH:
                for learner, nets in zip(self.learners, kept):
                    learner.own.nets = nets
                self.tell()
            value = max(value, reached)
            if watch is not None:
                watch((number + 1) / self.options.joint)

    def tell(self) -> None:
        """Let everyone know what everyone plays."""
        for learner in self.learners:
            for other in self.learners:
                learner.known[other.seat].nets = other.own.nets

    def _kick(self) -> None:
        """One joint change, at a random place of a random world."""
        deal = self.game.deals[[int(self.rng.integers(len(self.game.deals)))]]
        path = self._path(deal)
        history = path[int(self.rng.integers(len(path)))]
        legal = list(self.game.legal(history))
        action = int(legal[int(self.rng.integers(len(legal)))])
        self._move(history, action, int(deal[0, self.actor(history)]))
        self._answer(self.game.after(history, action), deal)

    def _path(self, deal: np.ndarray) -> list[History]:
        """The histories with a choice that a deal comes through."""
        everyone = _Everyone(self.game, self.strategies)
        path: list[History] = []
        history: History = ()
        while self.game.actor(history) is not None:
            if len(self.game.legal(history)) > 1:
                path.append(history)
            history = self._next(everyone, history, deal)
        return path

    def _next(self, everyone: _Everyone, history: History, deal: np.ndarray) -> History:
        """The history after what is done there with a deal."""
        taken = everyone.choices(history, self.game.columns(deal, self.actor(history))).preferred()
        return self.game.after(history, int(taken[0]))

    def _move(self, history: History, action: int, held: int) -> None:
        """Let one holding take an action, and perhaps some others along with it."""
        seat = self.actor(history)
        holdings = self.holdings(seat)
        everyone = _Everyone(self.game, self.strategies)
        now = everyone.choices(history, self.columns(seat, holdings)).preferred()
        now[(holdings == held) | (self.rng.random(len(holdings)) < ALONG)] = action
        self._set(history, [_Example(int(one), int(taken), {}) for one, taken in zip(holdings, now)])

    def _answer(self, history: History, deal: np.ndarray) -> None:
        """Let those who act next learn what the actions mean now."""
        for _ in range(ANSWERS):
            if self.game.actor(history) is None:
                break
            learner = self.learners[self.actor(history)]
            if len(self.game.legal(history)) > 1:
                self._set(history, [self.tag(learner, history, one) for one in learner.cases(history)])
            history = self._next(_Everyone(self.game, self.strategies), history, deal)

    def _set(self, history: History, examples: Sequence[_Example]) -> None:
        """Play from now on what these examples teach, and let everyone know."""
        own = self.learners[self.actor(history)].own
        own.nets = {**own.nets, history: self.net(history, examples)}
        self.tell()

    def policy(self, table: Tabular) -> np.ndarray:
        """What everyone prefers everywhere, as a policy of the tabular form."""
        policy = np.zeros(table.slots)
        everyone = _Everyone(self.game, self.strategies)
        for part in table.parts:
            columns = self.columns(part.seat, table.held[part.seat])
            rows = np.arange(len(columns))
            for node in part.nodes.tolist():
                taken = everyone.choices(table.histories[node], columns).preferred()
                children = np.arange(table.child[node], table.child[node] + table.width[node])
                place = (table.action[children][:, None] == taken).argmax(axis=0)
                policy[table.slot[children[place]] + rows] = 1.0
        return policy


def learn(
    table: Tabular,
    rng: np.random.Generator,
    how: str = "exchange",
    options: NetOptions | None = None,
    watch: Callable[[str, float], None] | None = None,
) -> Partners:
    """Co-train partners on a game, in one of the ways of `LEARNING`."""
    if how not in LEARNING:
        raise PidmError(f"{how!r} is no way to learn; expected {', '.join(LEARNING)}")
    game = table.game
    if not isinstance(game, SmallGame):
        raise PidmError("nets need the declared features of a game: expected a subclass of SmallGame")
    told = watch or (lambda what, part: None)
    pair = Partners(game, rng, options)
    pair.cotrain(how != "alone", lambda part: told("co-training", part))
    if how == "joint":
        pair.tell()
        pair.change_jointly(lambda part: told("joint changes", part))
    return pair
