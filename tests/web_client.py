"""The application of `pidm serve` for tests: an app of its own with one process that searches."""

import time
from contextlib import contextmanager

from starlette.testclient import TestClient
from typer.testing import CliRunner

from pidm.cli.app import app as commands
from pidm.web.app import make_app


@contextmanager
def client_of(folder, paths=(), searches=1):
    app = make_app(paths, ["testserver"], folder, searches)
    with TestClient(app) as client:
        yield client


def wait_for(found, seconds=240):
    """Ask again and again until there is an answer; a busy machine takes its time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = found()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError("nothing came")


def tiny_session(folder):
    """A training session of two nets, in some seconds."""
    asked = "--deals 25 --nets 2 --examples 4 --instances 40 --sample 15 --problems 2 --quiet"
    done = CliRunner().invoke(commands, ["cotrain", "two_over_one", "--out", str(folder), *asked.split()])
    assert done.exit_code == 0, done.output
    return folder
