"""Words that editors complete, each with what it means: conditions, terms, calls and features."""

from __future__ import annotations

from typing import Any

from pidm.features.declare import classes

CONDITIONS = {
    "partner shows 5+ M": "what partner has shown guarantees it (`I`, `they`, `lho`, `rho` likewise)",
    "partner may hold 4+ M": "what partner has shown does not exclude it",
    "M is ours": "one of us has shown the suit by length",
    "M is mine": "I have shown the suit by length",
    "M is partner's": "partner has shown the suit by length",
    "X is theirs": "one of them has shown the suit by length (`lho's`, `rho's` likewise)",
    "X is unbid": "nobody has shown the suit by length",
    "agreed M": "the suit is agreed as trumps",
    "nothing agreed": "no trumps are agreed",
    "fit M": "eight cards are guaranteed between us",
    "forced": "a pass would break a force",
    "forced to game": "a pass would break a force to game",
    "game forcing": "our side is committed to game and has not reached it",
    "partner invited": "the last call of partner was an `invite`",
    "partner signed off": "the last call of partner was a `signoff`",
    "partner asks for takeout": "the last call of partner was `forcing: takeout`",
    "partner lets me correct": "the last call of partner was `forcing: correct`",
    "I invited": "my last call was an `invite`",
    "I signed off": "my last call was a `signoff`",
    "undiscussed": "no block of the system or its conventions speaks of this auction",
    "in stayman": "the convention has been started and not ended",
    "plays stayman": "the convention is on our card",
    "seat 1-2": "the opening seat from the dealer, of the player to call",
    "passed hand": "I passed before anybody bid",
    "partner passed": "partner passed before anybody bid",
    "balancing": "a pass would end the auction",
    "vul": "we are vulnerable",
    "they vul": "they are vulnerable",
    "favourable": "they are vulnerable, we are not",
    "unfavourable": "we are vulnerable, they are not",
    "contested": "they have bid or doubled",
    "uncontested": "they have neither bid nor doubled",
    "we opened": "our side made the first bid",
    "they opened": "their side made the first bid",
    "I opened": "I made the first bid",
    "partner opened": "partner made the first bid",
    "lho opened": "left-hand opponent made the first bid",
    "rho opened": "right-hand opponent made the first bid",
    "last bid < 3S": "compares the last bid of the auction (`<=`, `>`, `>=`, `is`, `!=`)",
    "last bid in X": "the strain of the last bid",
    "last bid by them": "they made the last bid",
    "last bid by us": "we made the last bid",
    "last bid by partner": "partner made the last bid",
    "last bid by me": "I made the last bid",
    "level 2-3": "the level of the last bid",
    "X > D": "the rank of suits, as in `for:`",
    "doubled": "the last bid stands doubled",
    "redoubled": "the last bid stands redoubled",
    "below game": "the last bid is lower than game in its strain",
    "call <= 3S": "compares the call of the line itself",
    "call is jump": "the call of the line is higher than need be",
    "I have bid": "I made a bid, not only passes and doubles",
    "partner has bid": "partner made a bid, not only passes and doubles",
    "I have doubled": "I doubled",
    "partner has doubled": "partner doubled",
    "imps": "the form of scoring",
    "matchpoints": "the form of scoring",
}
"""Every condition, with suits and numbers as an example."""

TERMS = {
    "any": "nothing in particular",
    "no agreement": "the call has no meaning: nobody makes it, and it shows nothing",
    "15-17 hcp": "a range of a feature: from-to, `12+` at least, `8` exactly, `0 or 3` one of several",
    "5+ S": "a suit length",
    "balanced": "4333, 4432 or 5332",
    "semibalanced": "balanced, 5422 or 6322",
    "unbalanced": "not balanced",
    "S >= H": "compares the lengths of two suits",
    "stopper in X": "at least a likely stopper in notrump",
    "no stopper in X": "no likely stopper in notrump",
    "their suits stopped": "a stopper in every suit that they have shown, unless partner has shown one there",
    "short X": "at most one card",
    "longest X": "no suit is longer",
    "solid X": "quality 8 or more",
    "good X": "quality 6 or more",
    "fair X": "quality 4 or more",
    "combined 25+ hcp": "mine together with the least that partner has shown",
    "combined best 25+ hcp": "mine together with the most that partner has shown",
}
"""The terms of a meaning that are no features."""

FORCES = {
    "round": "partner must not pass",
    "game": "we must not stop below game",
    "to 3M": "we must not stop below this bid",
    "takeout": "partner bids, unless to defend",
    "correct": "pass or correct: partner passes with the suit, else bids the own one",
    "invite": "partner goes on with more than a minimum",
    "signoff": "partner passes",
    "no": "not forcing",
}
"""What a call may ask of partner."""


def feature_words() -> dict[str, str]:
    """Every class of features as a term, and what it measures."""
    found = {}
    for one in classes():
        least = min(one.over.arguments, key=len)
        suits = "".join(("(X)", "(X,Y)")[len(least) - 1 : len(least)] if least else "")
        found[f"1+ {one.name}{suits}"] = one.meaning.partition("\n")[0]
    return found


def suggested(words: dict[str, str]) -> dict[str, Any]:
    """A part of a schema that offers words and refuses none."""
    return {"enum": list(words), "enumDescriptions": list(words.values())}


def described(words: dict[str, str]) -> str:
    """The words as a list, for the text that an editor shows beside a key."""
    return "\n".join(f"- `{word}`: {meaning}" for word, meaning in words.items())
