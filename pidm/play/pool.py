"""Work spread over processes by joblib: on this machine, or on a cluster by the name of its backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from pidm.errors import PidmError

PATIENCE = 5
"""How often work is given out again after a worker was lost."""


class Crew:
    """Does lists of independent pieces of work, results in order.

    With one worker and no backend everything is done here. A worker that is lost loses nothing but time: its
    pieces are done again.
    """

    def __init__(self, workers: int = 1, backend: str | None = None, cluster: str | None = None) -> None:
        """`backend` as joblib calls it: loky (processes), dask, ray; `cluster`: address of a running one."""
        self.workers = max(workers, 1)
        self.backend = backend
        self.cluster = cluster
        self.lost = 0
        """How often workers were lost."""
        self._open = ExitStack()
        self._staff = ExitStack()
        self._workers: Any = None

    def __enter__(self) -> Crew:
        if self.backend == "dask":
            self._open.enter_context(self._dask())
        elif self.backend == "ray":
            self._open.enter_context(self._ray())
        elif self.cluster:
            raise PidmError("--cluster is the address of a cluster: it needs --backend dask or ray")
        if self.backend:
            from joblib import parallel_config

            try:
                self._open.enter_context(parallel_config(backend=self.backend, n_jobs=self.workers))
            except (ValueError, ImportError) as error:
                raise PidmError(f"backend {self.backend!r}: {error}") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._staff.close()
        self._open.close()

    def _dask(self) -> Any:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise PidmError("--backend dask needs the extra: pip install 'pidm[cluster]'") from None
        if self.cluster:
            return Client(self.cluster)
        cluster = LocalCluster(
            n_workers=self.workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
        self._open.enter_context(cluster)
        return Client(cluster)

    def _ray(self) -> Any:
        try:
            import ray
            from ray.util.joblib import register_ray
        except ImportError:
            raise PidmError("--backend ray needs the extra: pip install 'pidm[ray]'") from None
        register_ray()
        if self.cluster:
            return ray.init(address=self.cluster, log_to_driver=False)
        return ray.init(num_cpus=self.workers, include_dashboard=False, log_to_driver=False)

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
        from joblib import delayed
        from joblib.externals.loky.process_executor import BrokenProcessPool

        for attempt in range(PATIENCE):
            try:
                return list(self._pool()(delayed(work)(*piece) for piece in pieces))
            except BrokenProcessPool:
                self.lost += 1
                self._staff.close()
                if attempt == PATIENCE - 1:
                    raise
        raise AssertionError("unreachable")

    def _pool(self) -> Any:
        """The workers, the same for all waves: to hire the actors of a cluster takes seconds."""
        if self._workers is None:
            from joblib import Parallel

            how = {} if self.backend else {"backend": "loky"}
            self._workers = self._staff.enter_context(
                Parallel(n_jobs=self.workers, batch_size=1, max_nbytes=None, **how)
            )
            self._staff.callback(self._dismiss)
        return self._workers

    def _dismiss(self) -> None:
        self._workers = None
