"""The page about the engine: its clients run, and it names every field of every answer."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pidm import Bidder
from pidm.engine import _KEYS, answer

PAGE = (Path(__file__).parent.parent / "docs" / "engine.md").read_text()
HAND = "KJ84.QT73.A5.982"


def client(language: str) -> str:
    found = re.search(rf"<!-- client: {language} -->\n```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("language", "run"), [("python", [sys.executable, "-c"]), ("javascript", ["node", "-e"])]
)
def test_the_clients_of_the_page_run(language: str, run: list[str]) -> None:
    if shutil.which(run[0]) is None:
        pytest.skip(f"no {run[0]} on this machine")
    here = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [*run, client(language)], capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert (done.stdout, done.returncode) == ("1 2C\n", 0), done.stderr


@pytest.fixture(scope="module")
def bidder() -> Bidder:
    return Bidder("two_over_one", limit=None)


@pytest.mark.parametrize("ask", _KEYS)
def test_every_field_of_every_answer_is_on_the_page(bidder: Bidder, ask: str) -> None:
    request = {"id": 1, "ask": ask, "hand": HAND, "auction": ["1N", "P"]}
    found = answer(
        bidder, json.dumps({key: request[key] for key in ("id", "ask", *_KEYS[ask]) if key in request})
    )
    assert "error" not in found, found
    for name in found:
        if ask == "explain" and name in ("auction", "dealer", "vul"):
            continue  # the request's own keys
        assert f"`{name}`" in PAGE, name


def test_every_key_of_a_request_is_on_the_page() -> None:
    for key in {"id", "ask", *(key for keys in _KEYS.values() for key in keys)}:
        assert f"| `{key}` |" in PAGE
