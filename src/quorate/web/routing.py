"""Routes: each says who may call it, what it takes and what it gives; all else is refused before it runs.

From the same declarations come the checks, the OpenAPI description and the tests that others cannot.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quorate.errors import QuorateError, UnknownId
from quorate.store import credentials
from quorate.store.credentials import Caller
from quorate.store.database import Database, Unavailable
from quorate.store.ids import is_uuid
from quorate.store.schema import study
from quorate.store.work import Refused
from quorate.web.security import SAFE, Buckets, TooMany, csrf_of, problem, same
from quorate.web.settings import Settings
from quorate.web.shapes import Shape, parsed, wrong

log = logging.getLogger("quorate.web")
T = TypeVar("T")
JUDGE, LEAD = "q_judge", "q_lead"  # cookies


@dataclass
class Bench:
    """The running workbench: what every route can reach."""

    settings: Settings
    database: Database
    templates: Any = None
    figures: Any = None  # the child process that computes
    saves: Buckets = field(init=False)
    logins: Buckets = field(init=False)
    visits: Buckets = field(init=False)
    changed: set[asyncio.Event] = field(default_factory=set)  # who waits for a commit
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    planned: dict[str, float] = field(default_factory=dict)  # when a study was planned last
    plans: set[Any] = field(default_factory=set)  # that are under way
    known: dict[str, tuple[float, Caller]] = field(default_factory=dict)  # callers of the last seconds

    def __post_init__(self) -> None:
        self.saves = Buckets(self.settings.saves, self.settings.saves * 10)
        self.logins = Buckets(self.settings.logins / 60, self.settings.logins)
        self.visits = Buckets(50, 500)


@dataclass
class Call:
    """One request with its caller, who has been let in."""

    request: Request
    bench: Bench
    caller: Caller | None
    body: Any = None
    secret: str = ""  # of the session, for its CSRF token

    def path(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    @property
    def judge(self) -> str:
        """The judge's id; only in routes for judges."""
        return self._own("judge")

    @property
    def lead(self) -> str:
        """The lead's id; only in routes for leads."""
        return self._own("lead")

    @property
    def study(self) -> str:
        """The study's id: the judge's, or the one in the path."""
        if "study" in self.request.path_params:
            return self.path("study")
        return self._own("study")

    def _own(self, name: str) -> str:
        """An id of the caller's; who has none is refused, whatever let him in."""
        found = getattr(self.caller, name, None)
        if not found:
            raise Refused(403, f"this is for a {name} only.")
        return str(found)

    @property
    def who(self) -> str:
        """The caller's name in the audit log."""
        if self.caller is None:
            return "nobody"
        return f"{'judge' if self.caller.judge else 'lead'} {self.caller.name}"

    async def read(self, job: Callable[[Connection], T]) -> T:
        """Run a query in a thread."""
        return await run_in_threadpool(_reading, self.bench.database, job)

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run a change in the writer's next transaction; it is committed when this returns."""
        return await asyncio.wrap_future(self.bench.database.write(job))


def _reading(database: Database, job: Callable[[Connection], T]) -> T:
    """Run a query; once more where the connection turns out to be an old one that was lost."""
    try:
        with database.read() as connection:
            return job(connection)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    with database.read() as connection:
        return job(connection)


Handler = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True)
class Declared:
    """A route as it is declared."""

    method: str
    path: str
    who: str  # judge, lead, nobody (anyone may call it)
    handler: Handler
    scope: str  # that a token needs
    summary: str
    body: Shape | None
    gives: Mapping[int, Shape | None]
    query: Mapping[str, Shape]
    raw: bool  # the body is no JSON
    page: bool  # HTML: refusals are pages too

    @property
    def name(self) -> str:
        """The handler's name: the operation's id."""
        return self.handler.__name__


ROUTES: list[Declared] = []


def route(
    method: str,
    path: str,
    who: str,
    *,
    scope: str = "",
    body: Shape | None = None,
    gives: Mapping[int, Shape | None] | None = None,
    query: Mapping[str, Shape] | None = None,
    raw: bool = False,
    page: bool = False,
) -> Callable[[Handler], Handler]:
    """Declare the function below as a route."""

    def declare(handler: Handler) -> Handler:
        summary = (handler.__doc__ or "").strip().split("\n")[0]
        wanted = scope or ("judge" if who == "judge" else "read" if method in SAFE else "write")
        about = (method, path, who, handler, wanted, summary, body, gives or {200: {}}, query or {}, raw, page)
        ROUTES.append(Declared(*about))
        return handler

    return declare


def starlette_routes(bench: Bench) -> list[Route]:
    """The declared routes, each behind its checks."""
    return [Route(d.path, functools.partial(_answer, d, bench), methods=[d.method]) for d in ROUTES]


async def _answer(declared: Declared, bench: Bench, request: Request) -> Response:
    try:
        call = await _let_in(declared, bench, request)
        found = await declared.handler(call)
        if declared.method not in (*SAFE, "PUT"):  # whoever was let in before may be revoked by it
            bench.known.clear()
        return found
    except Refused as refusal:
        refused = refusal.status, refusal.fact, refusal.hint, refusal.more
    except TooMany as limit:
        refused = 429, "too many requests.", "wait a little.", {"retry": limit.seconds}
    except UnknownId as error:
        refused = 404, error.fact, error.hint, {}
    except Unavailable as error:
        log.warning("unavailable: %s", error.__cause__)
        refused = 503, error.fact, error.hint, {"retry": 1}
    except SQLAlchemyError as error:
        log.warning("database: %s", error)
        refused = 503, "the database does not answer just now.", "try again.", {"retry": 1}
    except QuorateError as error:
        errors = [{"where": "", "fact": error.fact, "hint": error.hint}]
        refused = 422, error.fact, error.hint, {"errors": errors}
    except ClientDisconnect:
        refused = 413, "the request is too large, or was broken off.", "", {}
    status, fact, hint, more = refused
    if declared.page:
        return message_page(bench, status, fact, hint)
    return problem(status, fact, hint, **more)


def message_page(bench: Bench, status: int, fact: str, hint: str = "") -> Response:
    """A refusal as a page."""
    titles = {401: "Please sign in", 404: "Not here", 410: "Closed", 429: "One moment"}
    values = {
        "root": bench.settings.root,
        "title": titles.get(status, "Quorate"),
        "text": _sentence(fact),
        "hint": hint,
    }
    found: Response = bench.templates.response("message.html", values, status)
    return found


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


async def _let_in(declared: Declared, bench: Bench, request: Request) -> Call:
    """The call, if its caller may make it."""
    for name, value in request.path_params.items():
        if name not in ("token", "file", "number", "path") and not is_uuid(value):
            raise Refused(404, "there is nothing here.")
    caller, secret, bearer = await _caller(declared, bench, request)
    if declared.who != "nobody":
        if caller is None:
            raise Refused(401, "you are not signed in.", "open your personal link again.")
        if declared.scope not in caller.scopes:
            raise Refused(403, f"this token may not do that: it needs the scope '{declared.scope}'.")
        (bench.saves if caller.judge else bench.visits).take(caller.credential)
        told = request.headers.get("x-credential")
        if told is not None and told != (caller.judge or caller.credential):
            raise Refused(401, "another link was opened in this browser.", "open your own link again.")
        unsafe = request.method not in SAFE and not bearer
        if unsafe and not same(request.headers.get("x-csrf", ""), csrf_of(secret)):
            raise Refused(403, "the request does not come from our page.", "load the page again.")
    call = Call(request, bench, caller, secret=secret)
    if "study" in request.path_params and declared.who == "lead":
        await call.read(functools.partial(_own_study, call, request.path_params["study"]))
    await _body(declared, call)
    return call


async def _caller(declared: Declared, bench: Bench, request: Request) -> tuple[Caller | None, str, bool]:
    """Whoever calls, by the cookie of the route's role, or by a bearer token."""
    if declared.who == "nobody":
        return None, "", False
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    bearer = scheme.lower() == "bearer"
    secret = token.strip() if bearer else request.cookies.get(JUDGE if declared.who == "judge" else LEAD, "")
    if not secret:
        return None, "", bearer
    kind = "token" if bearer else "session"
    caller = await _by_secret(bench, secret, kind)
    if caller is not None and (caller.judge if declared.who == "judge" else caller.lead) is None:
        caller = None
    return caller, secret, bearer


REMEMBERED = 5.0  # seconds that a caller is known without asking the database


async def _by_secret(bench: Bench, secret: str, kind: str) -> Caller | None:
    """Whose secret it is; remembered for seconds, or until something is changed here."""
    moment = time.monotonic()
    until, caller = bench.known.get(f"{kind} {secret}", (0.0, None))
    if until > moment:
        return caller
    found = await run_in_threadpool(_reading, bench.database, lambda c: credentials.caller(c, secret, kind))
    if found is not None:
        if len(bench.known) > 10_000:
            bench.known.clear()
        bench.known[f"{kind} {secret}"] = (moment + REMEMBERED, found)
    return found


def _own_study(call: Call, study_id: str, connection: Connection) -> None:
    """Another lead's study is as unknown as one that is not there."""
    owner = connection.execute(select(study.c.lead_id).where(study.c.id == study_id)).scalar_one_or_none()
    limited = call.caller is not None and call.caller.study not in (None, study_id)
    if owner is None or owner != call.lead or limited:
        raise Refused(404, "there is no such study.")


async def _body(declared: Declared, call: Call) -> None:
    if declared.body is None or declared.raw:
        return
    most = call.bench.settings.judge_bytes if declared.who != "lead" else call.bench.settings.lead_bytes
    data = await limited_body(call.request, most)
    try:
        value = parsed(data or b"{}")
    except ValueError as error:
        raise Refused(400, str(error)) from None
    for said in wrong(value, declared.body):
        errors = [{"where": said.partition(":")[0], "fact": said, "hint": ""}]
        raise Refused(422, said, "see the API's description.", errors=errors)
    call.body = value


async def limited_body(request: Request, most: int) -> bytes:
    """The body, if it is not too large."""
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise Refused(413, "the request is too large.", f"at most {most:,} bytes.")
        pieces.append(piece)
    return b"".join(pieces)


def json_response(value: Any, status: int = 200) -> JSONResponse:
    """A value as JSON."""
    return JSONResponse(value, status)
