"""docs/architecture.md is true: every module is in its table, and every name in its walks exists.

Run as a program, it writes the table anew from the first lines of the modules.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest
from test_floors import FLOORS, MODULES

PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
TABLE = "## Every module"
ROOMS = sorted({name.split(".")[1] for name in MODULES if "." in name})
NAME = re.compile(rf"`((?:{'|'.join(ROOMS)})(?:\.[A-Za-z_]\w*)+)`")


def purpose(module: str) -> str:
    """The first sentence of what a module says of itself."""
    text = ast.get_docstring(ast.parse(MODULES[module].read_text(encoding="utf-8"))) or ""
    return re.sub(r"\s+", " ", text.split("\n\n")[0]).strip().replace("|", "\\|")


def table() -> str:
    """The tables of all modules: those at the top, then each room."""
    rooms = sorted({name for name in MODULES if name.count(".") == 1 and MODULES[name].name == "__init__.py"})
    inside = {room: sorted(name for name in MODULES if name.startswith(f"{room}.")) for room in rooms}
    listed = {name for names in inside.values() for name in names}
    top = sorted(MODULES.keys() - listed - set(rooms))
    parts = [_rows(top)]
    parts += [f"**{room}**: {purpose(room)}\n\n{_rows(names)}" for room, names in inside.items()]
    return "\n".join(parts)


def _rows(names: list[str]) -> str:
    rows = [f"| `{name}` | {purpose(name)} |" for name in names]
    return "\n".join(["| module | what it is for |", "|---|---|", *rows]) + "\n"


def test_every_module_is_in_the_table_and_nothing_else() -> None:
    written = PAGE.read_text(encoding="utf-8").split(TABLE)[1]
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", written, re.MULTILINE))
    headed = dict(re.findall(r"^\*\*([\w.]+)\*\*: (.*)$", written, re.MULTILINE))
    assert {**rows, **headed} == {name: purpose(name) for name in MODULES}, (
        f"run python {Path(__file__).name}"
    )
    assert written.split("\n\n", 2)[2] == table()


NAMES = sorted(set(NAME.findall(PAGE.read_text(encoding="utf-8").split(TABLE)[0]))) if PAGE.exists() else []


@pytest.mark.parametrize("name", NAMES)
def test_names_in_the_walks_exist(name: str) -> None:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(["pidm", *parts[:length]])
        if module in MODULES:
            found: object = import_module(module)
            for attribute in parts[length:]:
                found = getattr(found, attribute)
            return
    raise AssertionError(f"there is no module pidm.{name}")


def test_the_page_lists_the_rooms_as_they_stand() -> None:
    listed = re.findall(r"^    ([a-z]+(?:  [a-z]+)*)  ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    rooms = [["pidm." + name for name in line.split("  ")] for line in listed[1:-1]]  # front door and ground
    assert [sorted(floor) for floor in reversed(rooms)] == [sorted(floor) for floor in FLOORS[1:-1]]


def test_the_walks_name_many() -> None:
    assert len(NAMES) > 60


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    head, tail = page.split(TABLE)
    remark = tail.split("\n\n", 2)[1]
    PAGE.write_text(f"{head}{TABLE}\n\n{remark}\n\n{table()}", encoding="utf-8")
