"""Thread pools of numerical libraries: small matrices are multiplied fastest by one thread."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def _thread_pools() -> ThreadpoolController:
    """The thread pools of numpy and other libraries in this process."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """While it is open, every pool works with one thread: pools that fight for the processors lose time."""
    found: AbstractContextManager[Any] = _thread_pools().limit(limits=1)
    return found


FEW_ROWS = 8
"""So many rows are multiplied by layers of 256 and 128 units with one thread anyhow (OpenBLAS: up to 2^18
multiplications). With more, on a busy machine, threads mostly wait for each other."""


def few_threads(rows: int) -> AbstractContextManager[Any]:
    """One thread, unless there are so few rows that they are multiplied by one anyhow."""
    return one_thread() if rows > FEW_ROWS else nullcontext()
