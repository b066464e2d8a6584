"""The form that the data of a refinement must have.

Files can be damaged, or written by somebody who means no good: whatever is wrong is found here, with its
place, before a net is made of the data. What has this form can be read, asked and said without an end that
is out of sight.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from pidm.errors import PidmError
from pidm.language.source import Text

MAX_NODES = 20_000
MAX_DEPTH = 60
"""Nodes one below the other: real ones stand in a dozen rows."""
MAX_PATHS = 10_000
"""Ways from the root to its leaves: nodes may be shared, and words are found for every way."""
LARGEST = 1e6
"""Numbers beyond are a mistake."""

_WHOLE = re.compile(r"[+-]?\d{1,9}")
_DECIMAL = re.compile(r"[+-]?(\d{1,20}\.\d{0,20}|\.?\d{1,20})(e[+-]?\d{1,3})?", re.IGNORECASE)
_NAMED = {"null": None, "~": None, "": None, "true": True, "false": False}


_TEXTS = ("auction", "system", "rules", "says", "action")


class FormError(PidmError):
    """Data that is not of the form; the message begins with where in the data."""


def plain_data(node: Any, texts: bool = False) -> Any:
    """What a YAML text of a refinement says, as JSON would: numbers are numbers, unless texts stand there."""
    if isinstance(node, Text):
        if texts:
            return str(node)
        if node in _NAMED:
            return _NAMED[node]
        if _WHOLE.fullmatch(node):
            return int(node)
        return float(node) if _DECIMAL.fullmatch(node) else str(node)
    if isinstance(node, Mapping):
        return {str(key): plain_data(value, _is_text(key, value)) for key, value in node.items()}
    return [plain_data(value, texts) for value in node] if isinstance(node, Sequence) else node


def _is_text(key: str, value: Any) -> bool:
    """Whether what stands here are texts: a digest of the rules may look like a number."""
    return key in _TEXTS or (key == "source" and isinstance(value, Text))


def check_form(data: Any) -> None:
    """Refuse data that no refinement can be made of."""
    auction_of(data)
    _number(data.get("margin"), "margin")
    _count(data.get("examples"), "examples")
    for name in ("system", "partner", "round"):
        if not isinstance(data.get(name), str | int | float | None):
            _fail(name, "a text or a number", data[name])
    if "rules" not in data:
        _fail("rules", "a list", None)
    for number, one in enumerate(_list(data, "rules", "")):
        if not isinstance(one, str):
            _fail(f"rules[{number}]", "a text", one)
    _net(_mapping(data.get("net"), "net"))


def auction_of(data: Any) -> str:
    """The auction that the data is about."""
    auction = _mapping(data, "").get("auction")
    if not isinstance(auction, str):
        _fail("auction", "a text", auction)
    return auction


def _net(net: Mapping[str, Any]) -> None:
    nodes = _list(net, "nodes", "net")
    if not 0 < len(nodes) <= MAX_NODES:
        raise FormError(f"net.nodes: {len(nodes):,} nodes; expected 1 to {MAX_NODES:,}")
    if not isinstance(net.get("refined", False), bool):
        _fail("net.refined", "true or false", net["refined"])
    links = []
    for number, node in enumerate(nodes):
        place = f"net.nodes[{number}]"
        _mapping(node, place)
        _box(node.get("box", {}), f"{place}.box")
        for k, proposal in enumerate(_list(node, "propose", place)):
            _proposal(proposal, f"{place}.propose[{k}]")
        if node.get("priority") is not None:
            _number(node["priority"], f"{place}.priority")
        links.append([*_links(node, "children", place, nodes), *_links(node, "else", place, nodes)])
    for k, prohibition in enumerate(_list(net, "forbid", "net")):
        _proposal(prohibition, f"net.forbid[{k}]")
        _box(prohibition.get("box"), f"net.forbid[{k}].box")
    _check_links(links)


def _box(box: Any, place: str) -> None:
    for name, bounds in _mapping(box, place).items():
        if not isinstance(bounds, list) or len(bounds) != 2:
            _fail(f"{place}.{name}", "two bounds", bounds)
        for bound in bounds:
            if bound is not None:
                _number(bound, f"{place}.{name}")


def _proposal(proposal: Any, place: str) -> None:
    _mapping(proposal, place)
    if not isinstance(proposal.get("action"), str):
        _fail(f"{place}.action", "a call", proposal.get("action"))
    if not isinstance(proposal.get("position", 0), int):
        _fail(f"{place}.position", "a whole number", proposal["position"])
    source = proposal.get("source")
    if isinstance(source, list):
        if not 2 <= len(source) <= 3:
            _fail(f"{place}.source", "examples, how many agree, and what is lost", source)
        for one in source:
            _number(one, f"{place}.source")
    elif not isinstance(source, str | None):
        _fail(f"{place}.source", "a text or a list", source)


def _links(node: Mapping[str, Any], name: str, place: str, nodes: Sequence[Any]) -> Iterator[int]:
    for one in _list(node, name, place):
        if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one < len(nodes):
            _fail(f"{place}.{name}", f"numbers of nodes, 0 to {len(nodes) - 1}", one)
        yield one


def _check_links(links: Sequence[Sequence[int]]) -> None:
    """No circles, not too deep, not too many ways; without recursion, which is what they would exhaust."""
    depth: dict[int, int] = {}
    paths: dict[int, int] = {}
    open_: set[int] = set()
    stack = [0]
    while stack:
        node = stack[-1]
        if node in depth:
            stack.pop()
            continue
        waiting = [below for below in links[node] if below not in depth]
        if node in open_:
            if waiting:
                raise FormError(f"net.nodes[{node}]: nodes that lead to themselves, expected no circle")
            depth[node] = 1 + max((depth[below] for below in links[node]), default=0)
            paths[node] = sum(paths[below] for below in links[node]) or 1
            if depth[node] > MAX_DEPTH or paths[node] > MAX_PATHS:
                much = f"{depth[node]} rows and {paths[node]:,} ways down"
                raise FormError(f"net.nodes[{node}]: {much}; expected {MAX_DEPTH} and {MAX_PATHS:,} at most")
            stack.pop()
            continue
        open_.add(node)
        for below in waiting:
            if below in open_:
                raise FormError(f"net.nodes[{below}]: nodes that lead to themselves, expected no circle")
        stack += waiting


def _mapping(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        _fail(place, "a mapping", value)
    return value


def _list(data: Mapping[str, Any], name: str, place: str) -> list[Any]:
    value = data.get(name, [])
    if not isinstance(value, list):
        _fail(f"{place}.{name}" if place else name, "a list", value)
    return value


def _number(value: Any, place: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        _fail(place, "a number", value)
    if not math.isfinite(value) or abs(value) > LARGEST:
        _fail(place, f"a number up to {LARGEST:,.0f}", value)


def _count(value: Any, place: str) -> None:
    _number(value, place)
    if value < 0 or value != int(value):
        _fail(place, "how many, a whole number from 0 up", value)


def _fail(place: str, expected: str, found: Any) -> NoReturn:
    kinds = {dict: "a mapping", list: "a list", type(None): "nothing", bool: "true or false"}
    told = kinds.get(type(found)) or repr(str(found)[:40])
    raise FormError(
        f"{place}: expected {expected}, found {told}" if place else f"expected {expected}, found {told}"
    )
