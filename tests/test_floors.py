"""Imports point one way: no module knows of a floor above its own (also where only the types need it)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pidm
import pidm.features

HOMES = {"pidm": Path(pidm.__path__[0]), "pidm.features": Path(pidm.features.__path__[0])}

FLOORS: list[list[str]] = [
    ["pidm.draws", "pidm.errors", "pidm.files", "pidm.symbols", "pidm.threads", "pidm.systems"],
    ["pidm.core"],
    ["pidm.features", "pidm.games"],
    ["pidm.bridge"],
    ["pidm.records"],
    ["pidm.language"],
    ["pidm.reading"],
    ["pidm.models"],
    ["pidm.authoring"],
    ["pidm.play"],
    ["pidm.match", "pidm.training"],
    ["pidm.tuning"],
    ["pidm.web", "pidm.engine", "pidm.cli"],
    ["pidm", "pidm.__main__"],
]
"""From the ground up. Rooms of one floor do not know each other, except at the bottom and at the front."""
LEVEL = {room: level for level, floor in enumerate(FLOORS) for room in floor}
FRONT_ENDS = len(FLOORS) - 2


def modules() -> dict[str, Path]:
    """All modules by name; those of features stand beside the package in a checkout."""
    found = {}
    for package, home in HOMES.items():
        for path in home.rglob("*.py"):
            parts = path.relative_to(home).with_suffix("").parts
            if parts[0] in ("features", "systems") and package == "pidm":
                continue
            name = ".".join((package, *parts))
            found[name.removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of ours that a file imports anywhere, each with its line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, one.name) for one in node.names if one.name.startswith("pidm."))
        elif isinstance(node, ast.Attribute):  # after `import pidm`, what is taken from the front door
            if isinstance(node.value, ast.Name) and node.value.id == "pidm":
                yield from ((node.lineno, home) for home in homes("pidm", node.attr))
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: imports are written in full"
            if node.module and node.module.split(".")[0] == "pidm":
                for one in node.names:
                    yield from ((node.lineno, home) for home in homes(node.module, one.name))


def homes(module: str, name: str) -> list[str]:
    """Where a name that is imported from a module comes from."""
    if f"{module}.{name}" in MODULES:
        return [f"{module}.{name}"]
    if module == "pidm":  # the front door hands out what others made; the version is nobody's
        return [pidm._HOME[name]] if name in pidm._HOME else []
    return [module]


def room(module: str) -> str:
    """The room that a module belongs to."""
    parts = module.split(".")
    return ".".join(parts[:2]) if module != "pidm" else module


def test_every_room_has_its_floor() -> None:
    assert {room(module) for module in MODULES} <= LEVEL.keys()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_point_down(module: str) -> None:
    mine = room(module)
    for line, other in imported(MODULES[module]):
        theirs = room(other)
        if theirs == mine:
            continue
        above = LEVEL[theirs] > LEVEL[mine]
        beside = LEVEL[theirs] == LEVEL[mine] and LEVEL[mine] not in (0, FRONT_ENDS)
        assert not above and not beside, f"{MODULES[module]}:{line} imports {other}, which stands above it"


def test_a_module_that_looks_up_is_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pidm import Bidder\n"
        "def f():\n    import pidm.cli.app\n    from pidm.core import box\n    from pidm import __version__\n"
        "import pidm\nprint(pidm.__version__, pidm.Limit)\n"
    )
    assert sorted(imported(path)) == [
        (3, "pidm.play.bidder"),
        (5, "pidm.cli.app"),
        (6, "pidm.core.box"),
        (9, "pidm.core.limit"),
    ]


SAME_NAME = {"Block", "Line", "Utility"}
"""One thing on two floors: block and line of a file as its form and as rules, utilities of games and of
bridge."""


def test_a_word_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    twice = {name: modules for name, modules in homes.items() if len(modules) > 1}
    assert twice.keys() == SAME_NAME, f"these words name two classes: {twice}"


def test_modules_of_one_name_are_a_command_and_what_it_runs_or_a_protocol_and_its_bridge() -> None:
    rooms: dict[str, set[str]] = {}
    for module in MODULES:
        if module != room(module):
            rooms.setdefault(module.rsplit(".", 1)[1], set()).add(room(module))
    twice = {name: found - {"pidm.cli"} for name, found in rooms.items()}
    alike = {name for name, found in twice.items() if len(found) > 1}
    assert alike == {"cards", "columns"}, "say in the name what is inside"
