"""The pool of workers: independent pieces of work, done here, by processes of this machine, or by a cluster.

Results come in the order of the pieces and do not depend on who did them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from pidm.bridge.doubledummy import available_threads, share_processors
from pidm.core.garbage import collect_seldom
from pidm.errors import PidmError

PATIENCE = 5
"""How often the same piece of work is given out again after a worker was lost with it."""
BACKENDS = ("loky", "dask", "ray")


class PoolError(PidmError):
    """Workers that cannot be had, or that are lost again and again."""


class Pool:
    """Does pieces of work. A worker that is lost loses nothing but time: its pieces are done again.

    With one job and no backend everything is done here.
    """

    def __init__(self, jobs: int | None = 1, backend: str | None = None, cluster: str | None = None) -> None:
        """`jobs` processes, None for one a processor; `cluster` is the address of a running one."""
        if backend is not None and backend not in BACKENDS:
            raise PoolError(f"{backend!r} is no backend; expected one of {', '.join(BACKENDS)}")
        if cluster and backend not in ("dask", "ray"):
            raise PoolError("--cluster is the address of a cluster: it needs --backend dask or ray")
        self.jobs = max(jobs, 1) if jobs is not None else available_threads()
        self.backend = backend
        self.cluster = cluster
        self.lost = 0
        """How often workers were lost."""
        self._every = jobs is None and cluster is not None
        self._open = ExitStack()
        self._staff = ExitStack()
        self._workers: Any = None

    @property
    def here(self) -> bool:
        """Whether there are no workers: all is done in this process."""
        return self.jobs == 1 and self.backend is None

    def __enter__(self) -> Pool:
        if self.backend == "dask":
            self._open.enter_context(self._dask())
        elif self.backend == "ray":
            self._open.enter_context(self._ray())
        return self

    def __exit__(self, *error: object) -> None:
        self._staff.close()
        self._open.close()

    def _dask(self) -> Any:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise PoolError("--backend dask needs the extra: pip install 'pidm[cluster]'") from None
        if self.cluster:
            try:
                return Client(self.cluster)
            except (OSError, ValueError) as error:
                raise PoolError(f"no Dask cluster at {self.cluster}: {error}") from None
        cluster = LocalCluster(
            n_workers=self.jobs, threads_per_worker=1, processes=True, dashboard_address=None
        )
        self._open.enter_context(cluster)
        return Client(cluster)

    def _ray(self) -> Any:
        try:
            import ray
            from ray.util.joblib import register_ray
        except ImportError:
            raise PoolError("--backend ray needs the extra: pip install 'pidm[ray]'") from None
        register_ray()
        if self.cluster:
            return ray.init(address=self.cluster, log_to_driver=False)
        return ray.init(num_cpus=self.jobs, include_dashboard=False, log_to_driver=False)

    # ------------------------------------------------------------------ work

    def do(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """The results of `work(*piece)`, in order and as they come. To stop early, close the iterator."""
        if self.here:
            for piece in pieces:
                yield work(*piece)
            return
        from joblib.externals.loky.process_executor import BrokenProcessPool

        done = tried = 0
        while done < len(pieces):
            try:
                for result in self._given_out(work, pieces[done:]):
                    yield result
                    done, tried = done + 1, 0
            except BrokenProcessPool:
                self.lost += 1
                tried += 1
                if tried == PATIENCE:
                    raise PoolError(
                        f"a worker was lost {PATIENCE} times with the same piece of work: it may need more "
                        "memory than there is; fewer --jobs leave more for each"
                    ) from None

    def dismiss(self) -> None:
        """End the processes of this machine, with all that they hold."""
        self._staff.close()
        if not self.here and self.backend in (None, "loky"):
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(wait=True)

    def _given_out(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        """The results as they come; in waves, where the backend can give them back only together."""
        from joblib import delayed

        share = 1 if self.cluster else self.jobs
        calls = [delayed(_at_work)(share, work, piece) for piece in pieces]
        workers = self._hired()
        wave = len(calls) if workers.return_generator else 2 * self.jobs
        finished = False
        try:
            for start in range(0, len(calls), wave):
                results = iter(workers(calls[start : start + wave]))
                try:
                    yield from _one_by_one(results)
                finally:
                    _close(results)
            finished = True
        finally:
            if not finished:  # what was under way is given up, and these workers with it
                self._staff.close()

    def _hired(self) -> Any:
        """The workers, the same for all work: to hire the actors of a cluster takes seconds."""
        if self._workers is None:
            from joblib import Parallel, parallel_config

            # What a worker remembers looks like a leak to joblib, which then starts a new one: no harm done.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
            jobs = -1 if self._every else self.jobs
            self._staff.enter_context(parallel_config(backend=self.backend or "loky", n_jobs=jobs))
            # Ray gives results back only together.
            as_they_come = {} if self.backend == "ray" else {"return_as": "generator"}
            workers = Parallel(n_jobs=jobs, batch_size=1, max_nbytes=None, **as_they_come)
            self._workers = self._staff.enter_context(workers)
            self._staff.callback(self._forget)
        return self._workers

    def _forget(self) -> None:
        self._workers = None


def _one_by_one(results: Iterator[Any]) -> Iterator[Any]:
    for result in results:  # noqa: UP028  `yield from` would close them itself, with a warning
        yield result


def _close(results: Iterator[Any]) -> None:
    """That work is given up is what closing means: no warning."""
    close = getattr(results, "close", None)
    if close is not None:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "[0-9]+ tasks", UserWarning)
            close()


def _at_work(share: int, work: Callable[..., Any], piece: tuple[Any, ...]) -> Any:
    """In a process of its own, which takes its share of the processors."""
    share_processors(share)
    collect_seldom()
    return work(*piece)
