"""A workbench in this process and callers of every kind: two leads, judges of two studies, tokens, nobody."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from quorate.store import credentials, judges
from quorate.store.database import Database
from quorate.web.app import make
from quorate.web.child import Figures
from quorate.web.security import csrf_of
from quorate.web.settings import Settings
from tests.workbench import Study, sqlite

PAGES = {"order": {}, "group": {}, "score": {}, "vote": {}}


@dataclass
class Caller:
    """Someone with a session or a token; keeps the CSRF token of the session."""

    client: TestClient
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """A request as this caller; the client's own cookie jar stays empty."""
        headers = {**self.headers, **more.pop("headers", {})}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        return self.client.request(method, path, json=body, headers=headers, follow_redirects=False, **more)

    def get(self, path: str, **more: Any) -> Any:
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.ask("POST", path, {} if body is None else body, **more)


@dataclass
class Site:
    """A server with two studies of two leads."""

    client: TestClient
    database: Database
    study: Study
    other: Study
    judge_id: str
    stranger_id: str

    def session(self, *, judge: str | None = None, lead: str | None = None) -> Caller:
        secret = self.database.now(lambda c: credentials.issue(c, "session", judge_id=judge, lead_id=lead))
        cookies = {"q_judge" if judge else "q_lead": secret}
        return Caller(self.client, cookies, {"X-CSRF": csrf_of(secret)})

    def token(self, *scopes: str, **whose: str) -> Caller:
        about: dict[str, Any] = {"scopes": scopes, **{f"{name}_id": value for name, value in whose.items()}}
        secret = self.database.now(lambda c: credentials.issue(c, "token", **about))
        return Caller(self.client, {}, {"Authorization": f"Bearer {secret}"})

    @property
    def judge(self) -> Caller:
        return self.session(judge=self.judge_id)

    @property
    def lead(self) -> Caller:
        return self.session(lead=self.study.lead)

    @property
    def nobody(self) -> Caller:
        return Caller(self.client)

    @property
    def stranger(self) -> Caller:
        """A judge of the other lead's study."""
        return self.session(judge=self.stranger_id)

    @property
    def other_lead(self) -> Caller:
        return self.session(lead=self.other.lead)


@contextmanager
def site(
    settings: Settings | None = None,
    *,
    on: AbstractContextManager[Database] | None = None,
    child: bool = False,
    **definition: Any,
) -> Iterator[Site]:
    """A server over an empty database: the one given, else SQLite in a folder that is removed at the end.

    Its figures are computed in a thread, as a child process has to import everything first; with ``child`` in one.
    """
    with on or sqlite() as database:
        given = {"pages": PAGES, **definition}
        study, other = Study(database, **given), Study(database, lead="ben", **given)
        judge_id, stranger_id = study.judge("bob"), other.judge("eve")
        app = make(settings or Settings(), database)
        if not child:
            app.state.bench.figures = Figures(database.address)
            app.state.bench.figures._pool = ThreadPoolExecutor(1)
        with TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as client:
            yield Site(client, database, study, other, judge_id, stranger_id)


def link_of(database: Database, judge_id: str) -> str:
    """A personal link's secret."""
    return database.now(lambda c: judges.link(c, judge_id))
