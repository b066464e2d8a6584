"""Every step of the tutorial and every example of the language reference, carried out as written."""

from __future__ import annotations

import doctest
import re
import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from pidm.authoring.lint import lint
from pidm.cli.app import app
from pidm.language.loading import load_system

DOCS = Path(__file__).parent.parent / "docs"


class Fence(NamedTuple):
    """A fenced piece of a page."""

    heading: str
    note: str
    """The comment before it: `file: club.yaml`."""
    language: str
    text: str
    line: int


def fences(page: str) -> Iterator[Fence]:
    heading = note = ""
    lines = (DOCS / page).read_text().splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif match := re.fullmatch(r"<!-- (.*) -->", line):
            note = match.group(1)
        elif line.startswith("```"):
            end = lines.index("```", number + 1)
            yield Fence(heading, note, line[3:], "\n".join(lines[number + 1 : end]) + "\n", number + 1)
            note, number = "", end
        number += 1


def write(fence: Fence, before: Fence | None) -> None:
    """Does to a file what the comment before the piece says; `with` replaces the piece before."""
    action, _, name = fence.note.partition(": ")
    if action == "replace":
        return
    if action == "with":
        assert before is not None
        path = Path(before.note.removeprefix("replace: "))
        assert path.read_text().count(before.text) == 1
        path.write_text(path.read_text().replace(before.text, fence.text))
        return
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if action == "append" else "") + fence.text)


def run(command: str) -> str:
    """What the command prints, errors included."""
    program, *arguments = shlex.split(command)
    assert program == "pidm"
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def matches(expected: list[str], found: list[str]) -> bool:
    """Lines `...` stand for any lines, `...` in a line for anything."""
    ends = {0}  # how many of the lines found the lines expected so far may cover
    for line in expected:
        if line == "...":
            ends = set(range(min(ends), len(found) + 1))
        else:
            pattern = ".*".join(re.escape(part) for part in line.split("..."))
            ends = {
                end + 1 for end in ends if end < len(found) and re.fullmatch(pattern, found[end].rstrip())
            }
        if not ends:
            return False
    return len(found) in ends


def converse(fence: Fence) -> None:
    """Runs the commands of a piece and compares what they print."""
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", fence.text, re.MULTILINE):
        found = run(command)
        if not matches(expected.splitlines(), found.rstrip("\n").splitlines()):
            pytest.fail(f"tutorial.md:{fence.line}: {command}\nexpected:\n{expected}\nfound:\n{found}", False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Path) -> Path:
    monkeypatch.setenv("PIDM_CACHE", str(store))
    monkeypatch.setattr("pidm.play.pool.available_threads", lambda: 1)  # processes would take longer
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_step_of_the_tutorial(folder: Path) -> None:
    steps = list(fences("tutorial.md"))
    assert [step.language for step in steps].count("yaml") >= 7
    for before, step in zip([None, *steps], steps):
        if step.language == "yaml":
            write(step, before)
            report = lint("club.yaml", 0, 0)
            assert report.in_order, report.findings
        elif step.language == "console":
            converse(step)
        else:
            parser = doctest.DocTestParser()
            test = parser.get_doctest(step.text, {}, "tutorial", "tutorial.md", step.line)
            assert doctest.DocTestRunner().run(test).failed == 0
    faults = ("hole", "forced", "violation", "never wins", "never matches")
    found = lint("club.yaml", 300, 1).findings
    # A few hands in 300 deals fall back on a last resort, which is not what their call shows.
    assert not [finding for finding in found if finding.kind in faults and finding.count > 3]


ABILITIES = [fence for fence in fences("language.md") if re.match(r"\d+\. ", fence.heading)]
HEADINGS = list(dict.fromkeys(fence.heading for fence in ABILITIES))


@pytest.mark.parametrize("heading", HEADINGS)
def test_each_ability_of_the_language_as_written(heading: str, folder: Path) -> None:
    path = Path("example.yaml")
    for piece in ABILITIES:
        if piece.heading != heading:
            continue
        if piece.note:
            write(piece, None)
            path = Path(piece.note.removeprefix("file: "))
            assert piece.text.startswith(f"# {path}\n")
        else:
            blocks = textwrap.indent(piece.text, "  ")
            path.write_text(f"system: Example\ninclude: [natural]\nrules:\n{blocks}")
    written = [block for block in load_system(path).blocks if not block.mark.path.startswith("/")]
    assert any(block.examples or any(line.examples for line in block.lines) for block in written)
    report = lint(path, 1, 0)
    assert report.in_order, report.findings
    assert not [one for one in report.findings if one.kind == "never matches"]


def test_the_reference_has_an_example_of_all_eighteen_abilities() -> None:
    assert [int(heading.split(".")[0]) for heading in HEADINGS] == [*range(1, 19)]
