"""Every example of every shipped system is bid as its author says."""

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from pidm.authoring.examples import failures, read_examples
from pidm.errors import SystemFileError
from pidm.language.finding import shipped, shipped_systems
from pidm.language.system import System

FILES = sorted(str(path.relative_to(shipped())) for path in shipped().rglob("*.yaml"))


@cache
def checked() -> tuple[dict[str, int], dict[str, list[str]], list[SystemFileError]]:
    """How many examples each file has, those that fail in a system that the file is part of, and mistakes."""
    counts: dict[str, int] = defaultdict(int)
    wrong: dict[str, list[str]] = defaultdict(list)
    mistakes: list[SystemFileError] = []
    for name in shipped_systems():
        system = System.load(name)
        examples = read_examples(system, mistakes)
        for example in examples:
            counts[of_file(example.text.mark.path)] += 1
        for failure in failures(system, examples):
            wrong[of_file(failure.example.text.mark.path)].append(f"{name}: {failure}")
    return counts, wrong, mistakes


def of_file(path: str) -> str:
    return str(Path(path).resolve().relative_to(shipped().resolve()))


@pytest.mark.parametrize("file", FILES)
def test_the_examples_of_a_file(file):
    _, wrong, _ = checked()
    assert not wrong[file], "\n".join(wrong[file])


def test_there_are_examples_and_they_can_be_read():
    counts, _, mistakes = checked()
    assert not mistakes
    assert sum(counts.values()) > 100
