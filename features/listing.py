"""The catalogue as text, as data and as a page of the docs: all of it comes from the declarations."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from string import Template
from typing import Any

import numpy as np

from pidm.core.box import Range
from pidm.features.columns import HandColumns
from pidm.features.declare import FeatureClass, Over, catalogue, classes
from pidm.features.partner import Bounds

_INSTANCES = {
    Over.HAND: "the whole hand",
    Over.SUIT: "each suit",
    Over.ANY: "the whole hand and each suit",
    Over.TRUMP_SUIT: "each trump suit and each suit",
    Over.TRUMP_ANY: "each trump suit, the whole hand or each suit",
    Over.STRAIN_ANY: "each strain, the whole hand or each suit",
    Over.PAIR: "each pair of different suits",
}
_EXAMPLES = {
    Over.HAND: ((),),
    Over.SUIT: (("S",),),
    Over.ANY: ((), ("S",)),
    Over.TRUMP_SUIT: (("H", "S"),),
    Over.TRUMP_ANY: (("H",), ("H", "S")),
    Over.STRAIN_ANY: (("N",), ("H", "S")),
    Over.PAIR: (("S", "H"),),
}


def values(masks: Sequence[int], partner: Bounds | None = None) -> dict[str, float]:
    """Every feature of one hand, given as its four suit masks: from name to value."""
    columns = HandColumns(np.array([masks], dtype=np.uint16), partner)
    row = {str(feature): columns.column(feature)[0].item() for feature in catalogue()}
    return {name: value if isinstance(value, int) else round(value, 4) for name, value in row.items()}


def as_data() -> dict[str, dict[str, Any]]:
    """The catalogue: from the name of each feature to what was declared of it."""
    return {
        str(feature): {
            "family": feature.family,
            "range": list(feature.range),
            "whole_numbers": feature.declaration.whole_numbers,
            "dynamic": feature.dynamic,
            "meaning": feature.meaning,
        }
        for feature in catalogue()
    }


def as_text() -> str:
    """The catalogue for a terminal: one line for each class."""
    lines = []
    for family, members in _families():
        lines.append(f"\n{family}")
        lines += [f"  {' '.join(_spellings(each)):<34}{_ranges(each):<20}{each.meaning}" for each in members]
    lines.append(f"\n{len(classes())} classes, {len(catalogue())} features")
    return "\n".join(lines).lstrip("\n")


def values_as_text(found: dict[str, float]) -> str:
    """The values of one hand for a terminal: the instances of a class together."""
    lines = []
    for family, members in _families():
        lines.append(f"\n{family}")
        for each in members:
            named = [(",".join(feature.args), found[str(feature)]) for feature in each.instances]
            shown = "  ".join(f"{args}={value:.4g}" if args else f"{value:.4g}" for args, value in named)
            first, rest = f"  {each.name:<20}", " " * 22
            lines.append(textwrap.fill(shown, 110, initial_indent=first, subsequent_indent=rest))
    return "\n".join(lines).lstrip("\n")


def as_markdown() -> str:
    """The page of the docs about features."""
    lines = [Template(_INTRODUCTION).substitute(classes=len(classes()), features=len(catalogue()))]
    for family, members in _families():
        lines.append(f"## {family.capitalize()}\n")
        lines.append("| feature | instances | range | meaning |\n| --- | --- | --- | --- |")
        details = []
        for each in members:
            spelled = ", ".join(f"`{text}`" for text in _spellings(each))
            paper = f" ({each.paper})" if each.paper else ""
            instances = f"{_INSTANCES[each.over]}: {len(each.instances)}"
            lines.append(f"| {spelled}{paper} | {instances} | {_ranges(each)} | {each.meaning} |")
            if each.details:
                details.append(f"- **{each.name}**: " + " ".join(each.details.split()))
        lines.append("")
        if details:
            lines += [*(textwrap.fill(text, 110, subsequent_indent="  ") for text in details), ""]
    lines.append(_OWN)
    return "\n".join(lines)


def _families() -> Iterator[tuple[str, list[FeatureClass]]]:
    for family, members in groupby(classes(), key=lambda declared: declared.family):
        yield family, list(members)


def _spellings(declared: FeatureClass) -> list[str]:
    return [f"{declared.name}{_brackets(args)}" for args in _EXAMPLES[declared.over]]


def _brackets(args: Iterable[str]) -> str:
    inside = ",".join(args)
    return f"({inside})" if inside else ""


def _ranges(declared: FeatureClass) -> str:
    return ", ".join(_range(bounds) for bounds in (declared.hand, declared.suit) if bounds is not None)


def _range(bounds: Range) -> str:
    return f"{bounds[0]:g} to {bounds[1]:g}"


_INTRODUCTION = """# Features

What the engine knows of a hand: $classes classes, $features features, those of appendix A of the paper
(whose names stand in brackets). A system file uses them by the names below, with suits `S` `H` `D` `C`:
`hcp(S)`. Where a class has a trump suit or strain, it comes first: `losers(H)` are the losers of the hand
with hearts as trumps, `losers(H,S)` those of them that are spades. Sums are features too: `hcp + length(S)
+ length(H)`, `length(S) - length(H)`, `2*controls + length(S)`.

`pidm features` prints this catalogue, `pidm features AQ2.QJ854.K4.AJ3` the values of a hand, and `--json`
either as data. This page is printed by `pidm features --markdown`.

In Python there are columns of values for a batch of hands, uint16[n, 4 suits]:

```python
>>> import numpy as np
>>> from pidm import Hand
>>> from pidm.features import Feature, HandColumns
>>> texts = "AQ2.QJ854.K4.AJ3", "T5.AK954.QJ52.K3"
>>> hands = np.stack([Hand.from_str(text).array for text in texts])
>>> columns = HandColumns(hands)
>>> columns.column(Feature.parse("hcp")).tolist()
[17, 13]
>>> columns.matrix([Feature.parse("length(H)"), Feature.parse("hcp + length(H)")]).tolist()
[[5, 22], [5, 18]]

```

The dynamic features also depend on what partner has shown: bounds on other features, of which they use
those on `length(...)`, `hcp`, `aces(...)` and `kings(...)`. They average over what is not known, with
nothing shown over any partner:

```python
>>> fast = Feature.parse("fast(H)")
>>> [f"{value:.1f}" for value in columns.column(fast)]
['1.8', '2.8']
>>> splinter = {Feature.parse("length(H)"): (4, 5), Feature.parse("length(S)"): (0, 1)}
>>> [f"{value:.1f}" for value in columns.with_partner(splinter).column(fast)]
['1.4', '2.5']

```
"""

_OWN = """## One's own feature

A feature of one's own is one declaration; from then on system files, columns and this catalogue know it.
What it is computed from decides which decorator declares it:

| decorator | the function gets | and gives |
| --- | --- | --- |
| `suit_feature` | `cards`, every holding of a suit | a value for each; a whole hand has the sum |
| `trump_feature` | `cards`, and whether the suit is trumps | the same |
| `sum_feature` | `cards`, the suit, what stands in the brackets | what this suit adds, or None |
| `shape_feature` | `lengths` of all shapes, and suits as numbers | a value for each shape |
| `hand_feature` | `columns`, a `HandColumns`, and what stands in the brackets | a column |

`over` says which instances there are, `suit` and `hand` give the range for one suit and for the whole hand,
and the docstring is the meaning. A column of another length or with values outside the range is an error.
`cards.has("A")`, `cards.count("AKQ")` and `cards.length` are arrays over all 8,192 holdings:

```python
>>> from pidm.features import Over, hand_feature, remove, shape_feature, suit_feature
>>> @suit_feature("rags", suit=(0, 8), hand=(0, 13))
... def rags(cards):
...     \"\"\"The number of cards below the ten.\"\"\"
...     return cards.count("98765432")
>>> @shape_feature("spread", hand=(1, 13))
... def spread(lengths):
...     \"\"\"How many cards the longest suit has more than the shortest.\"\"\"
...     return lengths.max(axis=1) - lengths.min(axis=1)
>>> @hand_feature("hcp_outside", Over.SUIT, suit=(0, 37), whole_numbers=True)
... def hcp_outside(columns, suit):
...     \"\"\"High-card points outside the suit.\"\"\"
...     return columns.column(Feature.parse("hcp")) - columns.column(Feature.parse(f"hcp({suit})"))
>>> mine = "rags", "rags(S)", "spread", "hcp_outside(H)"
>>> HandColumns(hands).matrix([Feature.parse(name) for name in mine]).tolist()
[[6, 1, 3, 14], [7, 1, 3, 6]]
>>> for name in ("rags", "spread", "hcp_outside"):
...     remove(name)

```
"""
