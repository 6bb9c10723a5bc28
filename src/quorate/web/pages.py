"""The pages: empty shells that load our scripts, the ways in, and static files."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from quorate.errors import InputError
from quorate.store import credentials, judges, leads, studies
from quorate.store.work import Refused
from quorate.web.judge_api import study_title
from quorate.web.routing import JUDGE, LEAD, Bench, Call, route
from quorate.web.security import csrf_of, same

HERE = Path(__file__).parent
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}
TYPES |= {".webmanifest": "application/manifest+json", ".ico": "image/x-icon", ".woff2": "font/woff2"}


class Templates:
    """Jinja2 with every value escaped."""

    def __init__(self) -> None:
        from jinja2 import Environment, FileSystemLoader

        self._environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)

    def response(self, name: str, values: dict[str, Any], status: int = 200) -> Response:
        """A page."""
        return HTMLResponse(self._environment.get_template(name).render(values), status)


def shell(call: Call, script: str, title: str, **data: str) -> Response:
    """A page whose content a script of ours draws."""
    root = call.bench.settings.root
    values = {"root": root, "csrf": csrf_of(call.secret), "title": title, "script": script, "data": data}
    found: Response = call.bench.templates.response("shell.html", values)
    return found


def _cookie(bench: Bench, response: Response, name: str, secret: str) -> None:
    path = bench.settings.root or "/"
    lasts = credentials.LASTS["session"] // 1000
    response.set_cookie(
        name, secret, max_age=lasts, path=path, httponly=True, samesite="lax", secure=bench.settings.secure
    )


def _come_in(call: Call, secret: str, cookie: str, to: str) -> Response:
    response = RedirectResponse(f"{call.bench.settings.root}{to}", 303)
    _cookie(call.bench, response, cookie, secret)
    return response


def _address(call: Call) -> str:
    return call.request.client.host if call.request.client else ""


# -- judges ----------------------------------------------------------------------------------------------------------


@route("GET", "/j/{token}", "nobody", page=True)
async def personal_link(call: Call) -> Response:
    """A judge's personal link: the secret moves from the address to a cookie."""
    call.bench.visits.take(_address(call))

    def job(connection: Connection) -> str | None:
        found = credentials.caller(connection, call.path("token"), "link")
        if found is None or found.judge_state == "revoked":
            return None
        return credentials.issue(connection, "session", judge_id=found.judge)

    secret = await call.write(job)
    if secret is None:
        raise Refused(404, "this link does not work, or no longer.", "Ask whoever sent it to you for another.")
    return _come_in(call, secret, JUDGE, "/judge")


@route("GET", "/s/{token}", "nobody", page=True)
async def platform_link(call: Call) -> Response:
    """A study's link for a crowd platform, which adds PROLIFIC_PID or workerId."""
    call.bench.visits.take(_address(call))
    query = call.request.query_params

    def job(connection: Connection) -> str | None:
        found = credentials.caller(connection, call.path("token"), "entry")
        if found is None or found.study is None:
            return None
        names = {"prolific": "PROLIFIC_PID", "worker": "workerId"}
        allowed = [names[e] for e in studies.definition_of(connection, found.study)["entry"]]
        outside = next((f"{name}:{query[name]}" for name in allowed if query.get(name)), None)
        if outside is None:
            raise Refused(400, f"the link lacks {' or '.join(allowed) or 'its parameter'}.", "Start from the platform.")
        if len(outside) > 200 or not outside.isprintable():
            raise Refused(400, "this is no participant's id.")
        judge_id = judges.from_outside(connection, found.study, outside)
        return credentials.issue(connection, "session", judge_id=judge_id)

    secret = await call.write(job)
    if secret is None:
        raise Refused(404, "this link does not work, or no longer.")
    return _come_in(call, secret, JUDGE, "/judge")


@route("GET", "/judge", "judge", page=True)
async def judge_page(call: Call) -> Response:
    """The judge's first page."""
    title = await call.read(lambda c: study_title(c, call.study))
    return shell(call, "judge", title, study=call.study, credential=call.judge)


@route("GET", "/judge/a/{assignment}", "judge", page=True)
async def task_page(call: Call) -> Response:
    """One assignment."""
    from quorate.store.work import view

    found = await call.read(lambda c: view(c, call.path("assignment"), call.judge))
    data = {"study": call.study, "credential": call.judge, "assignment": call.path("assignment")}
    return shell(call, "task", found["title"], **data)


# -- leads -----------------------------------------------------------------------------------------------------------


@route("GET", "/", "nobody", page=True)
async def front_page(call: Call) -> Response:
    """Leads begin at their studies; judges by their link."""
    return RedirectResponse(f"{call.bench.settings.root}/lead", 303)


@route("GET", "/lead/login", "nobody", page=True)
async def login_page(call: Call) -> Response:
    """Where a lead signs in."""
    return _login(call, None)


def _login(call: Call, error: str | None, status: int = 200) -> Response:
    secret = call.request.cookies.get("q_form") or secrets.token_urlsafe(24)
    values = {"root": call.bench.settings.root, "csrf": csrf_of(secret), "error": error}
    response: Response = call.bench.templates.response("login.html", values, status)
    _cookie(call.bench, response, "q_form", secret)
    return response


async def _form(call: Call) -> dict[str, str]:
    """A small form, with its CSRF token checked."""
    from urllib.parse import parse_qsl

    from quorate.web.routing import limited_body

    data = (await limited_body(call.request, 10_000)).decode("utf-8", "replace")
    form = dict(parse_qsl(data, keep_blank_values=True))
    if not same(form.get("csrf", ""), csrf_of(call.request.cookies.get("q_form", ""))):
        raise Refused(403, "the form is too old.", "Load the page again.")
    return form


@route("POST", "/lead/login", "nobody", page=True, raw=True)
async def login(call: Call) -> Response:
    """Sign in with a password."""
    call.bench.logins.take(_address(call))
    form = await _form(call)
    found = await call.read(lambda c: leads.by_password(c, form.get("password", ""), form.get("name") or None))
    if found is None:
        await call.write(lambda c: studies.audited(c, None, "nobody", "login failed"))
        return _login(call, "This password is not right.", 401)

    def job(connection: Connection) -> str:
        studies.audited(connection, None, f"lead {found}", "login")
        return credentials.issue(connection, "session", lead_id=found)

    return _come_in(call, await call.write(job), LEAD, "/lead")


@route("GET", "/lead/first/{token}", "nobody", page=True)
async def setup_page(call: Call) -> Response:
    """The link that works once: a lead sets a password."""
    call.bench.logins.take(_address(call))
    return _setup(call, None)


def _setup(call: Call, error: str | None, status: int = 200) -> Response:
    secret = call.request.cookies.get("q_form") or secrets.token_urlsafe(24)
    action = f"{call.bench.settings.root}/lead/first/{quote(call.path('token'))}"
    values = {"root": call.bench.settings.root, "csrf": csrf_of(secret), "action": action, "error": error}
    response: Response = call.bench.templates.response("setup.html", values, status)
    _cookie(call.bench, response, "q_form", secret)
    return response


@route("POST", "/lead/first/{token}", "nobody", page=True, raw=True)
async def setup(call: Call) -> Response:
    """Set the password, and sign in."""
    call.bench.logins.take(_address(call))
    form = await _form(call)
    if form.get("password") != form.get("again"):
        return _setup(call, "The two passwords differ.", 422)

    def job(connection: Connection) -> str:
        lead_id = leads.set_password(connection, call.path("token"), form.get("password", ""))
        studies.audited(connection, None, f"lead {lead_id}", "password set")
        return credentials.issue(connection, "session", lead_id=lead_id)

    try:
        secret = await call.write(job)
    except InputError as error:
        return _setup(call, error.fact, 422)
    return _come_in(call, secret, LEAD, "/lead")


@route("GET", "/lead/enter/{token}", "nobody", page=True)
async def enter(call: Call) -> Response:
    """Sign in by a link, as the demo prints it."""
    call.bench.logins.take(_address(call))

    def job(connection: Connection) -> str | None:
        found = credentials.caller(connection, call.path("token"), "link")
        return credentials.issue(connection, "session", lead_id=found.lead) if found and found.lead else None

    secret = await call.write(job)
    if secret is None:
        raise Refused(404, "this link does not work, or no longer.")
    return _come_in(call, secret, LEAD, "/lead")


@route("POST", "/lead/logout", "lead", body={"type": "object"})
async def logout(call: Call) -> Response:
    """Sign out: the session works no more."""
    await call.write(lambda c: credentials.withdraw(c, call.secret))
    return Response(status_code=204)


async def _lead_page(script: str, title: str, call: Call) -> Response:
    """A page of the lead."""
    data = {"study": call.path("study")} if "study" in call.request.path_params else {}
    return shell(call, script, title, **data)


_PAGES = {
    "/lead": ("lead/studies", "Studies"),
    "/lead/new": ("lead/new", "A new study"),
    "/lead/tokens": ("lead/tokens", "Tokens"),
    "/lead/s/{study}": ("lead/dashboard", "Study"),
    "/lead/s/{study}/invite": ("lead/invite", "Invite judges"),
    "/lead/s/{study}/adjudicate": ("lead/adjudicate", "Adjudicate"),
    "/lead/s/{study}/freeze": ("lead/freeze", "Freeze"),
    "/lead/s/{study}/settings": ("lead/settings", "Settings"),
}
for _path, (_script, _title) in _PAGES.items():
    _handler = partial(_lead_page, _script, _title)
    _handler.__name__ = f"page_{_script.replace('/', '_')}"  # type: ignore[attr-defined]
    _handler.__doc__ = _title
    route("GET", _path, "lead", page=True)(_handler)


# -- files -----------------------------------------------------------------------------------------------------------


def _static() -> dict[str, Path]:
    """Every static file by its path: nothing else is ever read from the disk."""
    folder = HERE / "static"
    return {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.suffix in TYPES}


@route("GET", "/static/{path:path}", "nobody")
async def static_file(call: Call) -> Response:
    """A script or a style sheet."""
    file = _static().get(call.path("path"))
    if file is None or not file.is_file():
        raise Refused(404, "there is no such file.")
    return FileResponse(file, media_type=TYPES[file.suffix], headers={"Cache-Control": "no-cache"})


@route("GET", "/worker.js", "nobody")
async def worker(call: Call) -> Response:
    """The service worker: at the root, so that it serves all judges' pages."""
    file = _static().get("worker.js")
    if file is None:
        raise Refused(404, "there is no such file.")
    return FileResponse(file, media_type=TYPES[".js"], headers={"Cache-Control": "no-cache"})
