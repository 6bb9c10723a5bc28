"""Where pieces are worked on: processes of this machine, or the workers of a Dask cluster; and what was done before.

A job is a function of this package and its arguments, so that it can be sent anywhere; no job knows of another. What
jobs give is handed on as it comes: whoever asked puts it in order.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from quorate.errors import InputError, MissingExtra, QuorateError
from quorate.scale.source import Damaged

AHEAD = 2  # jobs for each worker that wait for it
WORTH = 3.0, 30.0  # CPU seconds, or seconds, of work left, from which on more than one worker pays: each takes one
PATIENCE = 10  # seconds until a scheduler that does not answer is given up
ALONE = {  # a worker uses one core, and keeps memory for its next piece instead of giving it back
    **dict.fromkeys(("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    **dict.fromkeys(("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"), str(1 << 30)),
}
KEYS = ("AWS_", "AZURE_", "GOOGLE_", "HF_")  # how variables begin that open a store of files


@dataclass(frozen=True)
class Job:
    """A function and what it is given; ``what`` names the piece in messages."""

    function: Callable[..., Any]
    given: tuple[Any, ...]
    what: str

    def __call__(self) -> tuple[str, Any]:
        """What it gives, or what is wrong: exceptions of ours are told as texts, which any process can receive."""
        try:
            return "done", self.function(*self.given)
        except FileNotFoundError as error:
            return "absent", str(error)
        except Damaged as error:
            return "damaged", (error.fact, error.hint)
        except QuorateError as error:
            return "wrong", (error.fact, error.hint)
        finally:
            gc.collect(1)  # a panel and what it remembers know each other; a few large arrays alone do not set this off


class Pool(Protocol):
    """Whoever works jobs off."""

    def each(self, jobs: Sequence[Job]) -> Iterator[tuple[int, str, Any]]:
        """The number of each job, how it went, and what it gave, as they are done."""

    def rest(self) -> None:
        """No job comes for a while: what workers hold here may be needed by others."""


def timed(job: Job) -> tuple[tuple[float, float], tuple[str, Any]]:
    """What a job gives, and how long it took, in CPU seconds and with what it waited for."""
    begun = time.process_time(), time.monotonic()
    found = job()
    return (time.process_time() - begun[0], time.monotonic() - begun[1]), found


class Processes:
    """Worker processes of this machine. One that dies takes no other with it: its jobs are tried one by one.

    One is begun first; the others when its first jobs show that there is work for them.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._every = False  # whether all workers are begun
        self._keys: dict[str, str] = {}  # that the workers have

    def _begun(self) -> ProcessPoolExecutor:
        keys = {name: value for name, value in os.environ.items() if name.startswith(KEYS)}
        if keys != self._keys:
            self.stop()
        if self._pool is None:
            self._keys = keys
            self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"))
            atexit.register(self.stop)
            try:
                self._submitted(int).result()
            except BrokenProcessPool:
                self.stop()  # waits for the threads behind the pool: what they print stands above what is told here
                hint = 'in a script, ask below `if __name__ == "__main__":`, for workers import the script.'
                raise InputError("worker processes cannot be started.", hint) from None
        return self._pool

    def _submitted(self, function: Callable[..., Any], *given: Any) -> Future[Any]:
        """A job on its way. Where no worker is free this begins another, who inherits what is set meanwhile."""
        before = dict(os.environ)
        os.environ.update({name: value for name, value in ALONE.items() if name not in before})
        try:
            return self._begun().submit(function, *given)
        finally:
            for name in ALONE.keys() - before.keys():
                del os.environ[name]

    def stop(self) -> None:
        """End the workers."""
        pool, self._pool, self._every = self._pool, None, False
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def rest(self) -> None:
        """End the workers; the next job begins others."""
        self.stop()

    def each(self, jobs: Sequence[Job]) -> Iterator[tuple[int, str, Any]]:
        """Every job's outcome, as they are done; at most a few are under way at a time."""
        left = list(range(len(jobs)))[::-1]
        under_way: dict[Future[Any], int] = {}
        took: list[tuple[float, float]] = []  # CPU seconds, and seconds, of jobs that are done
        try:
            while left or under_way:
                self._begun()
                self._every = self._every or _worth(took, len(left))
                while left and len(under_way) < (AHEAD * self.workers if self._every else 1):
                    number = left.pop()
                    under_way[self._submitted(timed, jobs[number])] = number
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    number = under_way.pop(future)
                    try:
                        seconds, outcome = future.result()
                        took.append(seconds)
                        yield number, *outcome
                    except BrokenProcessPool:
                        suspects = [number, *under_way.values()]
                        under_way.clear()
                        self.stop()
                        yield from self._one_by_one(jobs, suspects)
                        break
        finally:
            for future in under_way:
                future.cancel()

    def _one_by_one(self, jobs: Sequence[Job], suspects: Sequence[int]) -> Iterator[tuple[int, str, Any]]:
        """Jobs that were under way when a worker died, each with a worker of its own."""
        for number in suspects:
            alone = Processes(1)
            try:
                yield number, *alone._submitted(jobs[number]).result()
            except BrokenProcessPool:
                said = f"{jobs[number].what}: working on it ended the process"
                yield number, "damaged", (f"{said}.", "is the file whole, and is there memory? --skip-bad skips it.")
            finally:
                alone.stop()


def _worth(took: Sequence[tuple[float, float]], left: int) -> bool:
    """Whether so many jobs are work enough for more than one worker, by what the first ones took; a worker's very first
    may have loaded what all need. Files far away are waited for, and take few CPU seconds."""
    least = [min(each) for each in zip(*took, strict=True)]
    known = len(took) > 1 or any(seconds > 1 for seconds in least[:1])
    return known and any(seconds * left > enough for seconds, enough in zip(least, WORTH, strict=True))


_known: dict[int, Processes] = {}


def processes(workers: int) -> Processes:
    """So many worker processes, which stay for the next question."""
    return _known.setdefault(workers, Processes(workers))


class Cluster:
    """A Dask cluster: jobs are futures, and locality, retries and workers that die are Dask's business."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._check()

    def _check(self) -> None:
        """The same packages everywhere, or a message."""
        import quorate

        def versions() -> dict[str, str]:
            from importlib.metadata import version
            from platform import python_version

            packages = ("quorate", "numpy", "polars", "scipy", "distributed")
            return {"python": python_version(), **{name: version(name) for name in packages}}

        here = versions()
        try:
            told = self.client.run(versions)
        except Exception as error:
            raise InputError(
                f"a worker of the cluster cannot load quorate ({type(error).__name__}: {error}).",
                f"install quorate {quorate.__version__} with the extras tables and cluster on every worker.",
            ) from None
        for worker, found in told.items():
            odd = [f"{n} {found.get(n)} (here {v})" for n, v in here.items() if found.get(n) != v]
            if odd:
                raise InputError(
                    f"worker {worker} has other versions: {', '.join(odd)}.", "install the same everywhere."
                )
        if not told:
            raise InputError("the cluster has no workers.", "start some: dask worker tcp://HOST:8786.")

    @property
    def workers(self) -> int:
        """How many cores there are."""
        return max(1, sum(map(int, self.client.nthreads().values())))

    def each(self, jobs: Sequence[Job]) -> Iterator[tuple[int, str, Any]]:
        """Every job's outcome, as they are done."""
        killed = _distributed().KilledWorker

        left = list(range(len(jobs)))[::-1]

        def submit() -> Any:
            number = left.pop()
            future = self.client.submit(jobs[number], pure=False, retries=2)
            numbers[future.key] = number
            return future

        numbers: dict[str, int] = {}
        under_way = _distributed().as_completed([submit() for _ in range(min(len(left), AHEAD * self.workers))])
        for future in under_way:
            number = numbers.pop(future.key)
            try:
                outcome = future.result()
            except killed:
                said = f"{jobs[number].what}: working on it ended several workers"
                outcome = "damaged", (f"{said}.", "is the file whole, and is there memory? --skip-bad skips it.")
            if outcome[0] == "absent" and len(self.client.scheduler_info()["workers"]) > 1:
                outcome = self._elsewhere(jobs[number]) or outcome
            future.release()
            if left:
                under_way.add(submit())
            yield number, *outcome

    def rest(self) -> None:
        """The cluster's memory is its own."""

    def _elsewhere(self, job: Job) -> tuple[str, Any] | None:
        """What a job gives on a worker that has the file, where one has none."""
        for worker in self.client.scheduler_info()["workers"]:
            found: tuple[str, Any] = self.client.submit(job, pure=False, workers=[worker]).result()
            if found[0] != "absent":
                return found
        return None


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtra("distributed", "cluster", "a cluster") from None
    return distributed


def cluster_of(given: Any) -> Cluster:
    """A cluster by its client, its address (tcp://host:8786), or so many workers here (local:4)."""
    dask = _distributed()
    if not isinstance(given, str):
        return Cluster(given)
    if given.startswith("local:"):
        number = given.removeprefix("local:")
        if not number.isdigit() or not int(number):
            raise InputError(f"'{given}' names no cluster.", "local:4 is four worker processes here.")
        local = dask.LocalCluster(
            n_workers=int(number), threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=40
        )
        client = dask.Client(local)
        atexit.register(local.close)
        atexit.register(client.close)
        return Cluster(client)
    try:
        client = dask.Client(given, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        said = f"no Dask scheduler answers at {given} ({type(error).__name__})."
        raise InputError(said, "start one: dask scheduler.") from None
    atexit.register(client.close)
    return Cluster(client)


class Checkpoint:
    """What jobs gave, kept in a folder: after a crash nothing is done twice. A folder's files are ours alone."""

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self.folder = None if folder is None else Path(folder)

    def kept(self, name: str) -> Any:
        """What was kept under a name; None where there is nothing, or half of something."""
        path = self._path(name)
        if path is None or not path.exists():
            return None
        mark, _, packed = path.read_bytes().partition(b"\n")
        return pickle.loads(packed) if mark == _mark(packed) else None

    def keep(self, name: str, found: Any) -> None:
        """Keep it: whole, or not at all."""
        path = self._path(name)
        if path is not None:
            packed = pickle.dumps(found, protocol=5)
            path.parent.mkdir(parents=True, exist_ok=True)
            begun = path.with_suffix(".part")
            begun.write_bytes(_mark(packed) + b"\n" + packed)
            begun.replace(path)

    def _path(self, name: str) -> Path | None:
        return None if self.folder is None else self.folder / f"{name}.kept"


def _mark(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=16).hexdigest().encode()
