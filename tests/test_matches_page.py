"""Every command of the page about matches, run as written."""

import doctest
import os
import sys
from pathlib import Path

from test_tutorial import converse, fences, folder, write  # noqa: F401


def test_every_command_of_the_page(folder, monkeypatch):  # noqa: F811
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    steps = list(fences("matches.md"))
    assert [step.language for step in steps].count("console") >= 5
    for step in steps:
        if step.language == "yaml":
            write(step, None)
        elif step.language == "console":
            converse(step)
        else:
            test = doctest.DocTestParser().get_doctest(step.text, {}, "page", "matches.md", step.line)
            assert doctest.DocTestRunner().run(test).failed == 0
