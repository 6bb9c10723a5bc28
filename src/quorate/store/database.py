"""The database: readers as many as asked for, and one writer that commits many saves at once.

Whoever writes hands a function to :meth:`Database.write` and gets a future. The writer thread takes all that wait,
runs each in one transaction, commits, and only then says that they are done: what is said to be
saved is on the disk. SQLite runs in WAL with ``synchronous=FULL`` and takes its lock with ``BEGIN IMMEDIATE``.
"""

from __future__ import annotations

import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from quorate.errors import InputError, MissingExtra, QuorateError

T = TypeVar("T")
Job = tuple[Callable[[Connection], Any], Future[Any]]
Done = tuple[Future[Any], Any, BaseException | None]
TOGETHER = 64  # saves that one commit may hold
BUSY = 10_000  # milliseconds that another process may hold SQLite's lock


class Unavailable(QuorateError, RuntimeError):
    """The database cannot be written just now: full disk, lost connection. Nothing was saved; trying again is safe."""


def data_folder() -> Path:
    """Where a user's studies are kept unless a database is named."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "quorate"


def address(given: str | None) -> URL:
    """The database that a path or URL names; without one, a file in the user's data folder."""
    if given is None:
        data_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        given = str(data_folder() / "studies.db")
    if "://" not in given:
        if not Path(given).absolute().parent.is_dir():
            raise InputError(f"{given}: there is no such folder.", "make it, or name another file with --database.")
        return URL.create("sqlite", database=given)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise InputError("the database URL cannot be read.", "postgresql://user@host/name, or a file.") from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        hint = "SQLite (a file) and PostgreSQL (postgresql://...) can."
        raise InputError(f"{url.get_backend_name()} cannot hold studies.", hint)
    return url


class Database:
    """One database, its readers and its writer."""

    def __init__(self, given: str | None = None) -> None:
        self.url = address(given)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._readers = self._engine(writing=False)
        self._writers = self._engine(writing=True)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._failed = False  # a job of the batch before did: savepoints at once
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self.committed: Callable[[], None] = lambda: None  # told after every commit

    def _engine(self, *, writing: bool) -> Engine:
        try:
            if self.sqlite:
                more: dict[str, Any] = {"connect_args": {"timeout": BUSY / 1000, "check_same_thread": False}}
            else:
                more = {"connect_args": {"connect_timeout": 5}}
                more["isolation_level"] = "READ COMMITTED" if writing else "REPEATABLE READ"  # a reader sees one moment
            engine = create_engine(self.url, pool_size=1 if writing else 8, max_overflow=0 if writing else 24, **more)
        except ModuleNotFoundError:
            raise MissingExtra("psycopg", "postgres", "a study in PostgreSQL") from None
        if self.sqlite:
            event.listen(engine, "connect", _connect)
            event.listen(engine, "begin", _begin_immediate if writing else _begin)
        return engine

    @property
    def address(self) -> str:
        """What another process needs to open it."""
        return self.url.render_as_string(hide_password=False)

    def read(self) -> Connection:
        """A connection for reading, to be used in a ``with``."""
        return self._readers.connect()

    def write(self, job: Callable[[Connection], T]) -> Future[T]:
        """Run ``job`` in the writer's next transaction; the future is done once it is committed."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
        future: Future[T] = Future()
        self._jobs.put((job, future))
        return future

    def now(self, job: Callable[[Connection], T]) -> T:
        """Write, and wait until it is committed."""
        return self.write(job).result()

    def close(self) -> None:
        """Commit what waits, then let go of the database."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(timeout=30)
            self._thread = None
        self._readers.dispose()
        self._writers.dispose()

    def _run(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch, last = [first], False
            while len(batch) < TOGETHER and not last:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                last = more is None
                if more is not None:
                    batch.append(more)
            self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[Job]) -> None:
        """All jobs in one transaction. If one fails, all are undone and done again, each behind a savepoint."""
        try:
            try:
                done = self._transaction(batch, savepoints=len(batch) > 1 and self._failed)
                self._failed = False
            except _JobFailed:
                self._failed = True
                done = self._transaction(batch, savepoints=True)
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            with suppress(Exception):
                self._writers.dispose()
            said = Unavailable("the database cannot be written just now.", "is the disk full, is the database up?")
            said.__cause__ = error
            done = [(future, None, said) for _, future in batch]
        for future, value, problem in done:
            if problem is None:
                future.set_result(value)
            else:
                future.set_exception(problem)
        if any(problem is None for _, _, problem in done):
            self.committed()

    def _transaction(self, batch: list[Job], *, savepoints: bool) -> list[Done]:
        done: list[Done] = []
        with self._writers.begin() as connection:
            for job, future in batch:
                if savepoints:
                    done.append((future, *_behind_savepoint(connection, job)))
                    continue
                try:
                    done.append((future, job(connection), None))
                except Exception as error:
                    if isinstance(error, DBAPIError) and not _only_this(error):
                        raise
                    raise _JobFailed from error
        return done


class _JobFailed(Exception):
    """A job of a batch failed: nothing of the batch is kept."""


def _behind_savepoint(connection: Connection, job: Callable[[Connection], Any]) -> tuple[Any, BaseException | None]:
    point = connection.begin_nested()
    try:
        value = job(connection)
        point.commit()
    except DBAPIError as error:
        if error.connection_invalidated or not _only_this(error):
            raise
        point.rollback()
        return None, error
    except Exception as error:  # the caller's own: its future tells
        point.rollback()
        return None, error
    return value, None


def _only_this(error: DBAPIError) -> bool:
    """Whether an error is about one job's rows, not about the database."""
    return type(error).__name__ in ("IntegrityError", "DataError", "ProgrammingError")


def _connect(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions begin when we say so
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def is_up(database: Database) -> bool:
    """Whether the database answers."""
    try:
        with database.read() as connection:
            return connection.execute(text("SELECT 1")).scalar() == 1
    except SQLAlchemyError:
        return False
