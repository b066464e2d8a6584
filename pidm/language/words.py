"""Ranges of features in the words of a bridge player: "15-17 HCP, balanced, 5+ hearts"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pidm.core.box import INF
from pidm.features import Feature, Range, Sum

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "N": "notrump"}
ANY_HAND = "any hand"
"""What is said when there is nothing to say."""
_FIRST = ("hcp", "points", "balance", "length")
"""The order in which players say things: strength, shape, then the rest."""
_FLAGS = {
    "longest": ("longest in {suit}", "a suit longer than {suit}"),
    "long": ("not shortest in {suit}", "shortest in {suit}"),
    "first_bid": ("the suit to open is {suit}", "the suit to open is not {suit}"),
    "up_line": ("{suit} before {other} up the line", "{suit} not before {other} up the line"),
}
"""Features that say yes or no: the words for either."""
_COUNTED = {
    "controls": "controls",
    "top_honors": "top honours",
    "honors": "honours",
    "aces": "aces",
    "kings": "kings",
    "queens": "queens",
    "jacks": "jacks",
    "tens": "tens",
    "suits": "suits of four or more cards",
    "longest_major": "cards in the longer major",
    "longest_minor": "cards in the longer minor",
    "intermediates": "for intermediate cards",
    "nt_lindelof": "Lindelöf points for notrump",
    "lindelof": "Lindelöf points",
    "unsupported_losers": "losers without support",
    "ratio": "of the points in the two longest suits",
}
"""What follows the number; a suit is added as `in spades`."""
_SINGULAR = {
    "controls": "control",
    "top honours": "top honour",
    "honours": "honour",
    "aces": "ace",
    "kings": "king",
    "queens": "queen",
    "jacks": "jack",
    "tens": "ten",
    "losers": "loser",
    "key cards": "key card",
}


def words_of(bounds: Mapping[Feature, Range]) -> str:
    """All ranges in words, joined by commas; "any hand" when there is none."""
    spoken = sorted(bounds.items(), key=lambda item: _order(item[0]))
    words = [text for what, (low, high) in spoken if (text := say(what, low, high))]
    return ", ".join(dict.fromkeys(words)) or ANY_HAND


def _order(what: Feature) -> tuple[int, int, str]:
    in_a_suit = what.name == "hcp" and bool(what.args)  # said after the length of the suit
    place = _FIRST.index(what.name) if what.name in _FIRST and not in_a_suit else len(_FIRST)
    suit = "SHDC".index(what.args[0]) if what.args and what.args[0] in "SHDC" else -1
    return place, suit, str(what)


_CARDS = {"aces": "ace", "kings": "king", "queens": "queen", "jacks": "jack", "tens": "ten"}
"""Features that, of one suit, are about a single card."""
MOST_POINTS = 37
"""The high-card points that a hand may have; a range up to there has no upper end."""


def say(what: Feature, low: float, high: float) -> str:
    """One range in words; empty if it says nothing."""
    if low <= -INF and high >= INF:
        return ""
    if isinstance(what, Sum):
        return _sum(what, low, high)
    special = _SPECIAL.get(what.name)
    if special is not None:
        return special(what.args, low, high)
    if what.name in _FLAGS:
        yes, no = _FLAGS[what.name]
        names = {"suit": SUITS[what.args[0]], "other": SUITS.get(what.args[-1], "")}
        return (yes if low >= 1 else no if high < 1 else "").format(**names)
    if what.name in _CARDS and what.args:
        card = f"{_CARDS[what.name]} of {SUITS[what.args[0]]}"
        return f"the {card}" if low >= 1 else f"not the {card}" if high < 1 else ""
    if what.name in _COUNTED:
        return f"{counted(low, high, _COUNTED[what.name])}{_in(what.args)}"
    return f"{span(low, high)} {what.name.replace('_', ' ')}{_in(what.args)}"


def _in(args: tuple[str, ...]) -> str:
    """The suits of a feature: the last one is what it counts, one before it is trumps."""
    suits = [SUITS[one] for one in args if one in SUITS]
    if len(suits) == 2:
        return f" in {suits[1]} with {suits[0]} as trumps"
    return f" in {suits[0]}" if suits else ""


def _sum(what: Sum, low: float, high: float) -> str:
    """A sum of features, named part by part; what is alike is said once."""
    parts = what.terms
    names = {part.name for _, part in parts}
    if len(names) == 1 and all(weight == 1 for weight, _ in parts):
        name = names.pop()
        suits = " and ".join(SUITS[part.args[-1]] for _, part in parts if part.args)
        if name == "hcp" and not all(part.args for _, part in parts):
            return f"{span(low, high)} HCP with those in {suits} counted twice"
        if name == "length":
            return f"{span(low, high)} cards in {suits}"
        if name == "hcp" and suits:
            return f"{span(low, high)} HCP in {suits}"
        if suits:
            return f"{span(low, high)} {_noun(parts[0][1])} in {suits}"
    counted = {(weight, part.name) for weight, part in parts}
    if counted in ({(1, "controls"), (1, "points")}, {(1, "controls"), (1, "hcp")}) and len(parts) == 2:
        strength = next(part for _, part in parts if part.name != "controls")
        return f"{span(low, high)} {_noun(strength)} and controls together"
    if counted == {(2, "hcp"), (1, "tens")} and len(parts) == 2:
        return f"{span(low / 2, high / 2)} HCP with half a point for a ten"
    if counted == {(1, "hcp"), (4, "aces")} and len({part.args for _, part in parts}) == 1:
        return f"{span(low, high)} HCP{_in(parts[0][1].args)} with the ace counted twice"
    spoken = ""
    for weight, part in parts:
        sign = (" minus " if weight < 0 else " plus ") if spoken else ("minus " if weight < 0 else "")
        times = f"{abs(weight):g} times " if abs(weight) != 1 else ""
        spoken += f"{sign}{times}{_noun(part)}{'' if part.name in ('length', 'points') else _in(part.args)}"
    return f"{span(low, high)} for {spoken}"


def _noun(what: Feature) -> str:
    if what.name == "length":
        return SUITS[what.args[0]]
    if what.name == "points":
        return _points(what.args, 0, INF).removeprefix("0+ ")
    nouns = {"hcp": "HCP", "losers": "losers", "keycards": "key cards"}
    return nouns.get(what.name) or _COUNTED.get(what.name) or what.name.replace("_", " ")


def _balance(args: tuple[str, ...], low: float, high: float) -> str:
    shapes = ("4333", "4432", "5332")
    if low <= 0:
        if high >= 6:
            return ""
        if high == 2:
            return "balanced"
        if high == 3:
            return "balanced or semi-balanced"
        return f"shape {' or '.join(shapes[: int(high) + 1])}" if high < 2 else "no freak shape"
    if low == high and low < 3:
        return f"shape {shapes[int(low)]}"
    if low == high == 3:
        return "semi-balanced"
    if low >= 3:
        return "unbalanced" if high >= 6 else "unbalanced, no freak shape"
    return "not 4333" if low == 1 else "not 4333 or 4432"


def _length(args: tuple[str, ...], low: float, high: float) -> str:
    suit = SUITS[args[0]]
    if low <= 0 and high >= 13:
        return ""
    if high == 0:
        return f"no {suit}"
    return f"{span(low, high if high < 13 else INF)} {suit}"


def _compared(args: tuple[str, ...], low: float, high: float) -> str:
    one, other = SUITS[args[0]], SUITS[args[1]]
    if low >= 1:
        return f"more {one} than {other}" if low == 1 else f"{low:g} more {one} than {other}"
    if high <= -1:
        return f"fewer {one} than {other}"
    if low == high == 0:
        return f"as many {one} as {other}"
    if low == 0:
        return f"at least as many {one} as {other}"
    if high == 0:
        return f"at most as many {one} as {other}"
    if low <= -13:
        return f"{one} at most {high:g} longer than {other}"
    return f"{one} and {other} of like length"


def _stopper(args: tuple[str, ...], low: float, high: float) -> str:
    where = f"in {SUITS[args[-1]]}" + (f" with {SUITS[args[0]]} as trumps" if len(args) == 2 else "")
    if low >= 4:
        return f"double stopper {where}"
    if low >= 3:
        return f"sure stopper {where}"
    if low >= 2:
        return f"stopper {where}"
    if low >= 1:
        return f"half a stopper {where}"
    if high <= 0:
        return f"nothing like a stopper {where}"
    return f"no stopper {where}" if high <= 1 else ""


def _points(args: tuple[str, ...], low: float, high: float) -> str:
    high = INF if high >= MOST_POINTS else high
    if len(args) == 1 or args[1] == "all":
        return f"{span(low, high)} points with {SUITS[args[0]]} as trumps"
    return f"{span(low, high)} points in {SUITS[args[1]]} with {SUITS[args[0]]} as trumps"


def _hcp(args: tuple[str, ...], low: float, high: float) -> str:
    if args and args[0] in SUITS:
        return f"{span(low, high)} HCP in {SUITS[args[0]]}"
    return f"{span(low, INF if high >= MOST_POINTS else high)} HCP"


def _quality(args: tuple[str, ...], low: float, high: float) -> str:
    suit = SUITS[args[0]]
    if high <= 3:
        return f"poor {suit}"
    if low < 2:
        return f"{suit} of quality {span(low, high)} of 9"
    return f"{'very good' if low >= 6 else 'good' if low >= 4 else 'fair'} {suit}"


def _losers(args: tuple[str, ...], low: float, high: float) -> str:
    suit = f" in {SUITS[args[1]]}" if len(args) == 2 else ""
    trumps = "in notrump" if args[0] == "N" else f"with {SUITS[args[0]]} as trumps"
    return f"{counted(low, high, 'losers')}{suit} {trumps}"


def _keycards(args: tuple[str, ...], low: float, high: float) -> str:
    return f"{counted(low, high, 'key cards')} for {SUITS[args[0]]}"


def _two_lengths(args: tuple[str, ...], low: float, high: float) -> str:
    return f"{span(low, high)} cards in {SUITS[args[0]]} and {SUITS[args[1]]}"


def _biddable(args: tuple[str, ...], low: float, high: float) -> str:
    suit = SUITS[args[0]]
    if low >= 1:
        return f"biddable {suit}" if low == 1 else f"{suit} that can be bid {low:g} times"
    return f"{suit} not to be bid" if high < 1 else f"{suit} to be bid at most {_times(high)}"


def _times(number: float) -> str:
    return "once" if number == 1 else f"{number:g} times"


def _shortness(args: tuple[str, ...], low: float, high: float) -> str:
    where = f" in {SUITS[args[1]]}" if len(args) == 2 else ""
    return f"{span(low, high)} for shortness{where} with {SUITS[args[0]]} as trumps"


def _cover(args: tuple[str, ...], low: float, high: float) -> str:
    where = f" in {SUITS[args[1]]}" if len(args) == 2 else ""
    return f"covers {span(low, high)} of partner's losers{where} with {SUITS[args[0]]} as trumps"


def _fast(args: tuple[str, ...], low: float, high: float) -> str:
    where = f" in {SUITS[args[1]]}" if len(args) == 2 else ""
    how = "in notrump" if args[0] == "N" else f"with {SUITS[args[0]]} as trumps"
    return f"{counted(low, high, 'fast losers')}{where} {how}"


_SPECIAL: dict[str, Callable[[tuple[str, ...], float, float], str]] = {
    "balance": _balance,
    "length": _length,
    "diff": _compared,
    "stopper": _stopper,
    "trump_stopper": _stopper,
    "points": _points,
    "hcp": _hcp,
    "quality": _quality,
    "losers": _losers,
    "keycards": _keycards,
    "length2": _two_lengths,
    "biddable": _biddable,
    "dp": _shortness,
    "cover": _cover,
    "fast": _fast,
}


def counted(low: float, high: float, noun: str) -> str:
    """A range of things: `2+ controls`, `1 ace`, `no kings`."""
    if low <= 0 and high == 0:
        return f"no {noun}"
    if low == high == 1:
        return f"1 {_SINGULAR.get(noun, noun)}"
    return f"{span(low, high)} {noun}"


def span(low: float, high: float) -> str:
    """A range as players write it: 15-17, 5+, 0-3, 4."""
    if low == high:
        return f"{low:g}"
    if high >= INF or high > 100:
        return f"{low:g}+"
    return f"{max(low, 0):g}-{high:g}"


_NAMES = {"stayman", "drury", "blackwood", "lebensohl", "smolen", "gerber", "jacoby", "texas"}
"""Words that players write with a capital wherever they stand."""


def written_name(name: str) -> str:
    """A system or convention as players write its name: `jacoby_2nt` is Jacoby 2NT."""
    words = [word.capitalize() if word in _NAMES else word for word in name.split("_")]
    written = re.sub(r"\b(\d?)nt\b", r"\1NT", " ".join(words))
    return written[:1].upper() + written[1:]
