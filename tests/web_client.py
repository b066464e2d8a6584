"""The application of `pidm serve` for tests: an app of its own with one process that searches."""

import time
from contextlib import contextmanager

from starlette.testclient import TestClient

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
