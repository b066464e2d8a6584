"""Two small games with known optima, plugged in through the Game interface, and their exact solution.

Nothing here is used by the engine. `Exact` is written independently of it, world by world over all worlds
that exist, so that the search's answers can be compared with the truth.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from pidm.core.box import Box
from pidm.core.game import Draft
from pidm.core.net import DecisionNet, Triplet
from pidm.core.player import Player

PASS = 0


class Table:
    """Columns from a plain dictionary."""

    def __init__(self, columns):
        self.columns = {name: np.asarray(values) for name, values in columns.items()}

    def __len__(self):
        return len(next(iter(self.columns.values())))

    def column(self, feature):
        return self.columns[feature]

    def take(self, rows):
        return Table({name: values[rows] for name, values in self.columns.items()})


class ToyGame:
    """A game whose worlds can all be listed: int[n, seats, cards]. A history is a tuple of actions."""

    seats: int
    deals: np.ndarray
    start = ()

    def worlds(self):
        return self.deals

    def moves(self, history):
        return [(history[:k], action) for k, action in enumerate(history)]

    def after(self, history, action):
        assert action in self.legal(history), f"{action} after {history}"
        return (*history, action)

    def possible(self, seat, private):
        """All worlds in which the seat holds this."""
        return self.deals[(self.deals[:, seat] == np.array(private)).all(axis=1)]

    def complete(self, seat, private, n, rng):
        worlds = self.possible(seat, private)
        return worlds[rng.integers(len(worlds), size=n)]

    def propose(self, history, seat, private, n, rng, models, ignore=()):
        return None

    def private(self, worlds, row, seat):
        return tuple(worlds[row, seat].tolist())

    def columns(self, worlds, seat):
        return Table(self.features(worlds[:, seat]))


class NumberGame(ToyGame):
    """Two partners hold a number from 0 to 5 each and bid in turn, always higher, until one passes.

    The last bid is worth itself if it is not above the sum of the numbers, else it costs three. Passing at
    once is worth nothing. With `opponent`, a third seat bids as well, for the opposite result.
    """

    top = 10

    def __init__(self, opponent=False):
        self.seats = 3 if opponent else 2
        self.deals = np.array(list(itertools.product(range(6), repeat=self.seats)))[:, :, None]

    def actor(self, history):
        if history and history[-1] == PASS and (self.seats == 2 or history[-2:] == (PASS, PASS)):
            return None
        return None if self.last(history) == self.top else len(history) % self.seats

    def last(self, history):
        return max(history, default=PASS)

    def legal(self, history):
        return [PASS, *range(self.last(history) + 1, self.top + 1)]

    def features(self, held):
        return {"number": held[:, 0]}


@dataclass
class NumberUtility:
    """The worth of the last bid to a seat."""

    calls: int = 0
    cost: float = 0.0

    def evaluate(self, history, worlds, seat):
        self.calls += 1
        bid = max(history, default=PASS)
        total = worlds[:, :2, 0].sum(axis=1)
        worth = np.where(total >= bid, float(bid), -3.0) if bid else np.zeros(len(worlds))
        return worth if seat < 2 else -worth


class MiniBridge(ToyGame):
    """Four players, two suits of four cards, two cards each; bids 1H 1S 2H 2S are the actions 1 to 4.

    The auction ends as in bridge. Declarer's side takes a trick for each trump beyond two among its four
    cards, and one for each suit in which it holds the highest card.
    """

    seats = 4
    bids = (1, 2, 3, 4)

    def __init__(self):
        deals = []
        cards = set(range(8))  # 0-3 hearts, 4-7 spades, the highest last
        for a in itertools.combinations(sorted(cards), 2):
            for b in itertools.combinations(sorted(cards - {*a}), 2):
                for c in itertools.combinations(sorted(cards - {*a, *b}), 2):
                    deals.append((a, b, c, tuple(sorted(cards - {*a, *b, *c}))))
        self.deals = np.array(deals)

    def actor(self, history):
        over = len(history) >= 4 and history[-3:] == (PASS,) * 3
        return None if over else len(history) % 4

    def legal(self, history):
        return [PASS, *range(max(history, default=PASS) + 1, 5)]

    def features(self, held):
        return {
            "points": (held % 4).sum(axis=1),
            "hearts": (held < 4).sum(axis=1),
            "spades": (held >= 4).sum(axis=1),
        }


class MiniBridgeUtility:
    """Ten for each trick bid and made, minus twenty for each missing, for declarer's side; zero sum."""

    cost = 0.0

    def evaluate(self, history, worlds, seat):
        bid = max(history, default=PASS)
        if not bid:
            return np.zeros(len(worlds))
        side = history.index(bid) % 2
        level, trump = (bid + 1) // 2, (bid + 1) % 2
        cards = worlds[:, side::2].reshape(len(worlds), 4)
        tricks = np.maximum((cards // 4 == trump).sum(axis=1) - 2, 0)
        tricks += (cards == 3).any(axis=1).astype(int) + (cards == 7).any(axis=1)
        score = np.where(tricks >= level, 10.0 * level, -20.0 * (level - tricks))
        return score if seat % 2 == side else -score


class NetStrategy:
    """A strategy from a function that lists the triplets for a history."""

    def __init__(self, rules, default=(PASS,)):
        self.rules, self.default = rules, default
        self.nets = {}

    def choices(self, history, columns):
        if history not in self.nets:
            self.nets[history] = DecisionNet.build(self.rules(history), self.default)
        return self.nets[history].choices(columns)


def number_rules(history):
    """Bid at least twice your number if that is higher; several bids are plausible, the lowest first."""
    last = max(history, default=PASS)
    triplets = []
    for number in range(6):
        bids = [bid for bid in range(max(last + 1, number), min(last + 4, number + 5) + 1) if bid <= 10]
        for position, bid in enumerate([*bids, PASS] if last else bids):
            triplets.append(Triplet(bid, Box({"number": (number, number)}), 1, f"{number}", position))
    return triplets


def narrow_rules(history):
    """One action for each number: bid your number plus two, or pass if that is not higher."""
    last = max(history, default=PASS)
    return [
        Triplet(n + 2, Box({"number": (n, n)}), 1, f"{n}")
        for n in range(1, 6)
        if n + 2 > last and n + 2 <= 10
    ]


def bridge_rules(history):
    """Bid a suit with strength or length; weak bids and passes compete with each other."""
    last = max(history, default=PASS)
    triplets = []
    for bid in range(last + 1, 5):
        suit = "spades" if (bid + 1) % 2 else "hearts"
        level = (bid + 1) // 2
        triplets.append(Triplet(bid, Box({suit: (2, 2), "points": (2 * level, 6)}), 2, f"{bid} long", bid))
        triplets.append(Triplet(bid, Box({"points": (3 + level, 6)}), 1, f"{bid} strong", 10 + bid))
    triplets.append(Triplet(PASS, Box({"points": (0, 5)}), 1, "weak", 20))
    return triplets


class Exact:
    """The truth by brute force: all worlds, others by their preferred action, own turns by the best mean."""

    def __init__(self, game, player, seat):
        self.game, self.player, self.seat = game, player, seat

    def _plausible(self, strategy, history, world, seat):
        choices = strategy.choices(history, self.game.columns(world[None], seat))
        return choices.candidates(0) or (self.game.legal(history)[0],)

    def consistent(self, history, private):
        """All worlds that agree with every past action of the others."""

        def agrees(world):
            return all(
                action in self._plausible(self.player.model(actor).strategy, before, world, actor)
                for before, action in self.game.moves(history)
                if (actor := self.game.actor(before)) != self.seat
            )

        return [world for world in self.game.possible(self.seat, private) if agrees(world)]

    def values(self, history, private):
        """The exact worth of each candidate."""
        worlds = self.consistent(history, private)
        candidates = self._plausible(self.player.strategy, history, worlds[0], self.seat)
        return {a: self._mean(self.game.after(history, a), worlds) for a in candidates}

    def _mean(self, history, worlds):
        actor = self.game.actor(history)
        if actor is None:
            batch = np.array(worlds)
            return float(self.player.utility.evaluate(history, batch, self.seat).mean())
        if actor == self.seat:
            candidates = self._plausible(self.player.strategy, history, worlds[0], self.seat)
            return max(self._mean(self.game.after(history, action), worlds) for action in candidates)
        parts = {}
        for world in worlds:
            action = self._plausible(self.player.model(actor).strategy, history, world, actor)[0]
            parts.setdefault(action, []).append(world)
        return sum(len(p) * self._mean(self.game.after(history, a), p) for a, p in parts.items()) / len(
            worlds
        )


class BoundedMiniBridge(MiniBridge):
    """Mini-bridge that drafts worlds from what has been shown.

    Only the newest action is built in, the others are left to rejection. With `tilt`, worlds are drawn
    unevenly and carry weights.
    """

    def __init__(self, tilt=False):
        super().__init__()
        self.tilt = tilt
        self.asked = []

    def propose(self, history, seat, private, n, rng, models, ignore=()):
        self.asked.append(tuple(ignore))
        worlds = self.possible(seat, private)
        others = [
            (before, action)
            for position, (before, action) in enumerate(self.moves(history))
            if self.actor(before) != seat and position not in ignore
        ]
        if others:
            before, action = others[-1]
            actor = self.actor(before)
            shown = models[actor].strategy.choices(before, self.columns(worlds, actor)).allows(action)
            worlds = worlds[shown]
        if not len(worlds):
            return Draft(worlds, 0)
        if not self.tilt:
            return Draft(worlds[rng.integers(len(worlds), size=n)], n)
        chance = 1.0 + worlds[:, 0].sum(axis=1)
        chance /= chance.sum()
        rows = rng.choice(len(worlds), size=n, p=chance)
        return Draft(worlds[rows], n, 1 / chance[rows])


def common_knowledge(members):
    """Players by seat who all know everyone's strategy and utility, as the laws have it for systems."""
    players = {}
    for seat, (strategy, utility) in members.items():
        players[seat] = Player(strategy, utility, players)
    return players
