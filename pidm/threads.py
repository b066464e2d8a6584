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


def few_threads(rows: int) -> AbstractContextManager[Any]:
    """One thread, unless there are so few rows that they are multiplied by one anyhow."""
    return one_thread() if rows > 48 else nullcontext()
