"""From the rules that apply to the decision net of the player to call (appendix B)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pidm.bridge.calls import DOUBLE, REDOUBLE, Call
from pidm.core.net import DecisionNet, Triplet
from pidm.language.meaning import SettledBox
from pidm.language.rules import Order
from pidm.reading.matching import Applied


def net_of_rules(
    applied: Iterable[Applied], legal: Iterable[Call], forbidden: Collection[Call]
) -> DecisionNet:
    """The net of these rules; hands that find none take the default actions."""
    entries = [(one, box.box, _order(one, box)) for one in applied for box in one.boxes]
    ranks = {order: rank for rank, order in enumerate(sorted({order for _, _, order in entries}))}
    triplets = [
        Triplet(one.call, box, ranks[order], one.rule, position)
        for position, (one, box, order) in enumerate(entries)
    ]
    default: list[Call] = sorted(legal, key=_default_order)
    return DecisionNet.build(triplets, default, forbidden)


def _order(one: Applied, box: SettledBox) -> Order:
    """The order of one of the meanings of a rule."""
    if not box.priority:
        return one.order
    return one.order._replace(priority=one.order.priority + box.priority)


def _default_order(call: Call) -> tuple[bool, int]:
    """Without any rule: pass, else the lowest bid, and no double."""
    return call in (DOUBLE, REDOUBLE), int(call)
