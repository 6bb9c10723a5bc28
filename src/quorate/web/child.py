"""A child process for figures: the server asks, and goes on saving while it waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from quorate.errors import InputError, QuorateError
from quorate.store.work import Refused

PATIENCE = 120.0  # seconds that a figure may take


class Figures:
    """One process that computes; it is started when it is first needed, and again if it was killed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._pool: ProcessPoolExecutor | None = None
        self._asked: dict[tuple[Any, ...], asyncio.Future[Any]] = {}

    async def ask(self, what: Callable[..., Any], *given: Any) -> Any:
        """The answer of a function that takes the database's address first; the same question waits with the first."""
        key = (what, *given)
        if key not in self._asked:
            future = asyncio.ensure_future(self._run(what, *given))
            self._asked[key] = future
            future.add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(self._asked[key])

    async def _run(self, what: Callable[..., Any], *given: Any) -> Any:
        loop = asyncio.get_running_loop()
        for last in (False, True):
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, context, initializer=_modest, max_tasks_per_child=200)
            try:
                running = loop.run_in_executor(self._pool, _told, what, self.address, *given)
                value, refused = await asyncio.wait_for(running, PATIENCE)
                if refused is not None:
                    raise InputError(*refused)
                return value
            except BrokenProcessPool:
                self.close()
                if last:
                    raise Refused(503, "the figures could not be computed.", "try again.") from None
            except TimeoutError:
                self.close()
                raise Refused(503, "the figures take too long.", "export the judgments and ask there.") from None
        return None

    def close(self) -> None:
        """Let the process go."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)


def _told(what: Callable[..., Any], *given: Any) -> tuple[Any, tuple[str, str] | None]:
    """A function's value, or what is wrong with its input: errors do not all travel between processes."""
    try:
        return what(*given), None
    except QuorateError as error:
        return None, (error.fact, error.hint)


def _modest() -> None:
    """Saving comes first: the child is nicer than the server, and uses one core."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if hasattr(os, "nice"):
        os.nice(5)
