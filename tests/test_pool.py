"""The pool of workers: order, other backends, and workers that are killed."""

import os
import signal
from pathlib import Path

import pytest

from pidm.play.pool import PATIENCE, Pool, PoolError


def square(number):
    return number * number


def fall(marker, number):
    """Kills its own process, once."""
    if number == 2 and not Path(marker).exists():
        Path(marker).write_text("fallen")
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_fall(number):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("how", [(1,), (2,), (2, "loky"), (2, "dask")])
def test_results_come_in_order_whoever_works(how):
    with Pool(*how) as pool:
        assert list(pool.do(square, [(number,) for number in range(9)])) == [n * n for n in range(9)]
        first = pool.do(square, [(number,) for number in range(30)])
        assert [next(first), next(first)] == [0, 1]
        first.close()
        assert list(pool.do(square, [(5,)])) == [25], "after work was given up, the next is done"


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    with Pool(2) as pool:
        found = list(pool.do(fall, [(str(tmp_path / "marker"), number) for number in range(6)]))
        assert found == [0, 1, 4, 9, 16, 25] and pool.lost == 1


def test_work_that_kills_every_worker_is_an_error():
    with Pool(2) as pool:
        with pytest.raises(PoolError, match=f"lost {PATIENCE} times with the same piece"):
            list(pool.do(always_fall, [(1,)]))
        assert list(pool.do(square, [(3,), (4,)])) == [9, 16], "others are there for the next work"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"backend": "dusk"}, "'dusk' is no backend; expected one of loky, dask, ray"),
        ({"cluster": "tcp://here:1"}, "it needs --backend dask or ray"),
        ({"cluster": "tcp://here:1", "backend": "loky"}, "it needs --backend dask or ray"),
    ],
)
def test_options_that_make_no_pool(how, words):
    with pytest.raises(PoolError, match=words):
        Pool(2, **how)
