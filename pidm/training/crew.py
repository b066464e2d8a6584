"""Work spread over processes by joblib: on this machine, or on a cluster by the name of its backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from pidm.training.settings import TrainingError

PATIENCE = 5
"""How often work is given out again after a worker was lost."""


class Crew:
    """Does lists of independent pieces of work, results in order.

    With one worker and no backend everything is done here. A worker that is lost loses nothing but time: its
    pieces are done again.
    """

    def __init__(self, workers: int = 1, backend: str | None = None, cluster: str | None = None) -> None:
        """`backend` as joblib calls it: loky (processes), dask, ray; `cluster`: address of a scheduler."""
        self.workers = max(workers, 1)
        self.backend = backend
        self.cluster = cluster
        self.lost = 0
        """How often workers were lost."""
        self._open = ExitStack()

    def __enter__(self) -> Crew:
        if self.backend == "dask":
            self._open.enter_context(self._dask())
        elif self.cluster:
            raise TrainingError("--cluster names a Dask scheduler: it needs --backend dask")
        if self.backend:
            from joblib import parallel_config

            try:
                self._open.enter_context(parallel_config(backend=self.backend, n_jobs=self.workers))
            except (ValueError, ImportError) as error:
                raise TrainingError(f"backend {self.backend!r}: {error}") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def _dask(self) -> Any:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise TrainingError("--backend dask needs the extra: pip install 'pidm[cluster]'") from None
        if self.cluster:
            return Client(self.cluster)
        cluster = LocalCluster(
            n_workers=self.workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
        self._open.enter_context(cluster)
        return Client(cluster)

    def do(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """The results of `work(*piece)`, in order and as they come, a wave of pieces at a time."""
        if self.workers == 1 and not self.backend:
            for piece in pieces:
                yield work(*piece)
            return
        wave = 2 * self.workers
        for start in range(0, len(pieces), wave):
            yield from self._wave(work, pieces[start : start + wave])

    def _wave(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> list[Any]:
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import BrokenProcessPool

        for attempt in range(PATIENCE):
            try:
                how = {} if self.backend else {"backend": "loky"}
                pool = Parallel(n_jobs=self.workers, batch_size=1, max_nbytes=None, **how)
                return list(pool(delayed(work)(*piece) for piece in pieces))
            except BrokenProcessPool:
                self.lost += 1
                if attempt == PATIENCE - 1:
                    raise
        raise AssertionError("unreachable")
