"""What was learned, in words: as a player would say it."""

from __future__ import annotations

from collections.abc import Sequence

from pidm.bridge.calls import Call
from pidm.core.box import Box
from pidm.core.induction import Learned
from pidm.core.net import Node
from pidm.features import Feature
from pidm.language.words import words_of
from pidm.reading.learned_features import PASSES, WE, Circumstance, key_text
from pidm.reading.refinement import Refinement


def say(refinement: Refinement) -> list[str]:
    """What was learned, as a player would say it."""
    lines: list[str] = []
    for calls, node in refinement.conflicts():
        trees = [other for other in node.elses if other.priority is None]
        what = f"{calls[0]}, or {' or '.join(map(str, calls[1:]))}"
        if trees:
            lines.append(f"{what}:")
            for tree in trees:
                lines += [f"  {line}" for line in _say_tree(tree, node.box)]
        else:
            lines.append(f"{what}: {_say_leaf(node)}")
    return lines


def _say_tree(node: Node, above: Box) -> list[str]:
    """A tree as nested tests."""
    if node.proposals:
        return [_say_leaf(node)]
    lines: list[str] = []
    for high in node.children:
        test = _words(high.box.beyond(above))
        below = _say_tree(high, high.box)
        lines += [f"{test}: {below[0]}"] if len(below) == 1 else [f"{test}:", *(f"  {one}" for one in below)]
    for low in node.elses:
        below = _say_tree(low, low.box)
        lines += (
            [f"otherwise {below[0]}"] if len(below) == 1 else ["otherwise", *(f"  {one}" for one in below)]
        )
    return lines


def _say_leaf(node: Node) -> str:
    source = node.proposals[0].source
    first, *others = (str(Call(action)) for action in node.actions)
    if others:
        behind = source.examples if isinstance(source, Learned) else 0
        return f"{first} rather than {' or '.join(others)}, left open ({behind} examples)"
    return f"{first} ({source})" if isinstance(source, Learned) else first


def _words(box: Box) -> str:
    parts = []
    for feature, (low, high) in box.items():
        if feature == PASSES:
            parts.append(f"opened after {low:g}+ passes")
        elif isinstance(feature, Circumstance):
            parts.append("we are vulnerable" if feature == WE else "they are vulnerable")
        elif isinstance(feature, Feature):
            parts.append(words_of({feature: (low, high)}))
    return ", ".join(parts)


def summary(refinements: Sequence[Refinement]) -> str:
    """How much was learned, in one line."""
    settled = sum(1 for one in refinements for _ in one.conflicts())
    examples = sum(one.examples for one in refinements)
    return f"{len(refinements)} auctions, {settled} choices, {examples} examples"


def page(name: str, refinements: Sequence[Refinement]) -> str:
    """A page in Markdown: what was learned, by the opening bid."""
    parts = [f"# What training has added to {name}\n\n{summary(refinements)}.\n"]
    opening = None
    for one in sorted(refinements, key=lambda one: one.key):
        lines = say(one)
        if not lines:
            continue
        if one.key[:1] != opening:
            opening = one.key[:1]
            parts.append(f"## {' '.join(map(str, opening))}\n")
        text = "\n".join(lines)
        parts.append(f"### {key_text(one.key)}\n\n{one.examples} examples.\n\n```\n{text}\n```\n")
    return "\n".join(parts)
