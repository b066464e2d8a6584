"""All 259 features of one hand in plain Python, straight from their definitions.

The tests use it as an oracle, `scripts/benchmark` as the plain computation to compare with; so it is
written as one would write it for one hand at a time: each quantity of a suit once, what repeats from hand
to hand remembered.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product

SUITS = "SHDC"
RANK_BITS = {rank: 1 << bit for bit, rank in enumerate("23456789TJQKA")}
Shown = tuple[int, int, "float | None", "float | None", float]
"""Of partner's suit: least and most cards, chances of ace and king if anything was shown, strength."""
ANYTHING: Shown = (0, 13, None, None, 1.0)


HONORS = {"A": (4.3, 4.45), "K": (2.8, 2.8), "Q": (1.7, 1.55), "J": (0.9, 0.85), "T": (0.3, 0.35)}
ALONE = {"A": (-0.6, -1.0), "K": (-1.4, -1.4), "Q": (-1.1, -0.95), "J": (-0.4, -0.65)}
IN_TWO = {"A": (0.0, -0.15), "K": (-0.25, -0.3), "Q": (-0.4, -0.35), "J": (-0.25, -0.25)}
"""Of the count by tricks: in general, and with trumps."""


def whole_points(suits: list[float]) -> int:
    """The nearest point, from a half on the higher."""
    return max(math.floor(sum(suits) + 0.5), 0)


class Suit:
    """One suit of a hand."""

    def __init__(self, mask: int) -> None:
        self.mask = mask
        self.length = n = mask.bit_count()
        self.ace, self.king, self.queen, self.jack, self.ten, nine, eight = (
            1 if mask & RANK_BITS[rank] else 0 for rank in "AKQJT98"
        )
        a, k, q, j, t = self.ace, self.king, self.queen, self.jack, self.ten
        self.hcp = 4 * a + 3 * k + 2 * q + j
        self.tops = a + k + q
        self.honors = a + k + q + j + t
        self.intermediates = 2 * t + nine + 0.5 * eight
        self.short = max(3 - n, 0)
        rounds = min(n, 3)
        self.losers = rounds - a - (k if n >= 2 else 0) - (q if n >= 3 else 0)
        self.trump_losers = rounds - a - k - q
        self.stopper = self._stopper()
        self.quality = 2 * self.tops + (n >= 6)
        if j and self.tops:
            self.quality += 1
        if t and (self.tops or j):
            self.quality += 1
        self.biddable = self._biddable()

    def _stopper(self) -> int:
        n, a, k, q, j, t = self.length, self.ace, self.king, self.queen, self.jack, self.ten
        if (a and k) or (a and q and j) or (a and q and t) or (a and j and t) or (k and q and j):
            return 4
        if a or (k and q) or (k and j and t) or (q and j and t) or (q and j and n >= 4):
            return 3
        if (k and n >= 2) or (q and n >= 3) or (j and n >= 4):
            return 2
        if k or (q and n >= 2) or (j and n >= 3):
            return 1
        return 0

    def by_tricks(self, kind: int, beside_trumps: bool = False) -> float:
        """Halfway from plain points to what was fitted, to a sixteenth of a point."""
        held = [rank for rank in "AKQJT" if self.mask & RANK_BITS[rank]]
        fitted = sum(HONORS[rank][kind] for rank in held)
        for cards, corrections in ((1, ALONE), (2, IN_TWO)):
            if self.length == cards:
                fitted += sum(corrections[rank][kind] for rank in held if rank != "T")
        plain = self.hcp
        if beside_trumps:
            plain += self.short
            fitted += (3.6, 2.15, 0.75)[self.length] if self.length < 3 else 0
        return round(16 * (plain + fitted) / 2) / 16

    def _biddable(self) -> int:
        n = self.length
        if n < 4:
            return 0
        if n == 4:
            return 1
        return min(n - 4 + (1 if self.tops >= 2 or self.honors >= 3 else 0), 8)

    def ruff_stopper(self) -> int:
        """The stopper when there are trumps to ruff with."""
        if self.length == 0 or (self.length == 1 and self.ace):
            return 4
        return max(self.stopper, {1: 3, 2: 1}.get(self.length, 0))

    def honor_points(self) -> float:
        """High-card points as Lindelöf corrects them, but for the ace."""
        points = self.hcp + self.ten / 4
        if self.length == 1 and (self.king or self.queen or self.jack):
            points -= 1
        if self.length == 2 and (self.queen or self.jack):
            points -= 0.5
        return points


def balance(lengths: list[int]) -> int:
    """0 balanced to 6 freak."""
    shape = "".join(str(n) for n in sorted(lengths, reverse=True)) if max(lengths) < 8 else "8"
    named = {
        "4333": 0,
        "4432": 1,
        "5332": 2,
        "5422": 3,
        "6322": 3,
        "7222": 4,
        "4441": 4,
        "5431": 4,
        "6331": 4,
    }
    if shape in named:
        return named[shape]
    return 5 if shape in ("5521", "6421", "7321", "5440", "5530", "6430", "7330") else 6


def first_bid(lengths: list[int]) -> int:
    """The suit to open."""
    longest = max(lengths)
    if longest >= 5:
        return lengths.index(longest)
    _, _, diamonds, clubs = lengths
    if diamonds == clubs:
        return 2 if diamonds == 4 else 3
    return 2 if diamonds > clubs else 3


def up_line(lengths: list[int], last: int) -> int | None:
    """The suit to bid over the last one."""
    candidates = [suit for suit in range(4) if suit != last and lengths[suit] >= 4]
    longer = [suit for suit in candidates if lengths[suit] >= 5]
    if longer:
        longest = max(lengths[suit] for suit in longer)
        return next(suit for suit in longer if lengths[suit] == longest)
    for step in (1, 2, 3):
        if (last - step) % 4 in candidates:
            return (last - step) % 4
    return None


@cache
def chances(mine: int, least: int, most: int) -> list[tuple[int, float]]:
    """Partner's lengths with their chances."""
    ways = {n: math.comb(13 - mine, n) * math.comb(26 + mine, 13 - n) for n in range(least, most + 1)}
    total = sum(ways.values())
    if total == 0:
        return [(13 - mine, 1.0)]
    return [(n, way / total) for n, way in ways.items() if way]


@cache
def covered(tops: tuple[int, int, int], mine: int, trump: bool, spare: int, shown: Shown) -> float:
    """Expected cover cards in a suit."""
    expected = 0.0
    for hers, chance in chances(mine, shown[0], shown[1]):
        covers = 0
        for place, held in enumerate(tops, start=1):
            if held and hers >= place and (trump or mine >= place):
                covers += 1
        if not trump:
            covers += min(max(min(hers, 3) - mine, 0), spare)
        expected += chance * covers
    return expected


@cache
def fast_losers(tops: tuple[int, int, int], mine: int, role: str, shown: Shown) -> float:
    """Expected fast losers in a suit."""
    _, _, ace, king, strength = shown
    expected = 0.0
    for hers, chance in chances(mine, shown[0], shown[1]):
        each = min(strength * hers / max(13 - mine, 1), 1)
        partner = [each if ace is None else ace, each if king is None else king, each]
        most = {
            "side": min(mine, hers, 3),
            "trump": min(max(mine, hers), 3),
            "notrump": math.ceil((13 - mine - hers) / 2),
        }[role]
        for hers_tops in product((0, 1), repeat=3):
            if any(held and also for held, also in zip(tops, hers_tops)):
                continue
            weight = chance
            for held, also, likely in zip(tops, hers_tops, partner):
                if not held:
                    weight *= likely if also else 1 - likely
            lost = 13
            for place in range(3):
                if (tops[place] and mine > place) or (hers_tops[place] and hers > place):
                    lost = place
                    break
            expected += weight * min(lost, most)
    return expected


def all_features(
    masks: tuple[int, int, int, int], partner: tuple[Shown, ...] = (ANYTHING,) * 4
) -> dict[str, float]:
    """The value of each of the 259 features, by its spelling."""
    hand = [Suit(mask) for mask in masks]
    lengths = [suit.length for suit in hand]
    values: dict[str, float] = {}

    def each(name: str, of: list[float], whole: bool = True) -> None:
        if whole:
            values[name] = sum(of)
        for letter, value in zip(SUITS, of):
            values[f"{name}({letter})"] = value

    each("hcp", [suit.hcp for suit in hand])
    values["hcp_by_tricks"] = whole_points([suit.by_tricks(0) for suit in hand])
    for letter in SUITS:
        beside = [suit.by_tricks(1, name != letter) for name, suit in zip(SUITS, hand)]
        values[f"points_by_tricks({letter})"] = whole_points(beside)
    each("controls", [2 * suit.ace + suit.king for suit in hand])
    each("top_honors", [suit.tops for suit in hand])
    each("honors", [suit.honors for suit in hand])
    each("aces", [suit.ace for suit in hand])
    each("kings", [suit.king for suit in hand])
    each("queens", [suit.queen for suit in hand])
    each("jacks", [suit.jack for suit in hand])
    each("tens", [suit.ten for suit in hand])
    aces, hcp = values["aces"], values["hcp"]
    each("keycards", [aces + suit.king for suit in hand], False)
    is_open = [int(n >= 2 and not suit.ace and not suit.king) for n, suit in zip(lengths, hand)]
    each("open_suits", [sum(is_open) - one for one in is_open], False)

    values["balance"] = balance(lengths)
    values["suits"] = sum(n >= 4 for n in lengths)
    each("length", lengths, False)
    values["longest_major"], values["longest_minor"] = max(lengths[:2]), max(lengths[2:])
    each("longest", [int(n == max(lengths)) for n in lengths], False)
    each("long", [int(n > min(lengths)) for n in lengths], False)
    opening = first_bid(lengths)
    each("first_bid", [int(suit == opening) for suit in range(4)], False)
    each("biddable", [suit.biddable for suit in hand], False)
    each("intermediates", [suit.intermediates for suit in hand])
    each("stopper", [suit.stopper for suit in hand], False)
    each("quality", [suit.quality for suit in hand], False)

    tops = [(suit.ace, suit.king, suit.queen) for suit in hand]
    for i, one in enumerate(SUITS):
        choice = up_line(lengths, i)
        dp = points = losers = cover = 0
        spare = min(max(lengths[i] - 2, 0), 3)
        for k, other in enumerate(SUITS):
            suit, trump = hand[k], k == i
            short = 0 if trump else suit.short
            lost = suit.trump_losers if trump else suit.losers
            helped = covered(tops[k], suit.length, trump, spare, partner[k])
            values[f"dp({one},{other})"] = short
            values[f"points({one},{other})"] = suit.hcp + short
            values[f"losers({one},{other})"] = lost
            values[f"cover({one},{other})"] = helped
            ruffs = not trump and lengths[i] >= 3
            values[f"trump_stopper({one},{other})"] = suit.ruff_stopper() if ruffs else suit.stopper
            if not trump:
                values[f"diff({one},{other})"] = lengths[i] - lengths[k]
                values[f"length2({one},{other})"] = lengths[i] + lengths[k]
                values[f"up_line({other},{one})"] = int(k == choice)
            dp += short
            points += suit.hcp + short
            losers += lost
            cover += helped
        values[f"dp({one})"], values[f"points({one})"] = dp, points
        values[f"losers({one})"], values[f"cover({one})"] = losers, cover
    for strain in "SHDCN":
        total = 0.0
        for k, other in enumerate(SUITS):
            role = "notrump" if strain == "N" else "trump" if other == strain else "side"
            lost = values[f"fast({strain},{other})"] = fast_losers(tops[k], lengths[k], role, partner[k])
            total += lost
        values[f"fast({strain})"] = min(total, 13)

    by_length = sorted(hand, key=lambda suit: (suit.length, suit.hcp), reverse=True)
    values["ratio"] = (by_length[0].hcp + by_length[1].hcp) / hcp if hcp else 0
    honors = [suit.honor_points() for suit in hand]
    long = sum(
        max(suit.length - 4, 0) / 2 for suit in hand if suit.ace + suit.king + suit.queen + suit.jack >= 2
    )
    no_ace = 0 if aces else 1
    values["nt_lindelof"] = sum(honors) + long - no_ace
    total = sum(suit.losers for suit in hand)
    each("unsupported_losers", [total + (4 <= suit.length < 7 and not suit.jack) for suit in hand], False)
    values["lindelof"] = lindelof(hand, honors, partner) - no_ace
    return values


def lindelof(hand: list[Suit], honors: list[float], partner: tuple[Shown, ...]) -> float:
    """Lindelöf points but for the ace."""
    total = 0.0
    for suit, points, (least, most, *_) in zip(hand, honors, partner):
        n = suit.length
        if most <= 1:
            points = max(points - suit.king - suit.queen - suit.jack, 0)
        total += points + max(n - 4, 0)
        if n == 2:
            total += 0.5
        elif n < 2 and least < 5:
            total += 3 if n == 0 else 1.5
        total += 1.5 * min(max(n + least - 8, 0), least)
    return total
