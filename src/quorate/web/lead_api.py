"""What leads call to make studies: settings, items, pausing and closing."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select, update
from starlette.responses import Response

from quorate.errors import InputError
from quorate.store import items as item_files
from quorate.store import leads, rows, studies
from quorate.store.credentials import SCOPES, issue
from quorate.store.schema import assignment, audit, credential, item, judge, study, study_version, task
from quorate.store.work import Refused
from quorate.web.routing import Call, json_response, route
from quorate.web.security import csrf_of
from quorate.web.shapes import COUNT, ID, TEXT, array, maybe, obj

STUDY = {"type": "object"}
ANSWER = {"type": "object"}
STATES = ("offered", "active", "submitted", "expired", "excluded")
LONG = {"type": "string", "maxLength": 50_000_000}


@route("GET", "/api/me", "lead")
async def me(call: Call) -> Response:
    """The lead who is signed in, and the CSRF token of the session."""
    name = call.caller.name if call.caller else ""
    return json_response({"lead": {"id": call.lead, "name": name}, "csrf": csrf_of(call.secret)})


def counts(connection: Connection, study_id: str) -> dict[str, int]:
    """Assignments by their states."""
    query = select(assignment.c.state, func.count().label("n")).where(assignment.c.study_id == study_id)
    found = {r.state: r.n for r in connection.execute(query.group_by(assignment.c.state))}
    return {state: found.get(state, 0) for state in STATES}


def described(connection: Connection, row: dict[str, Any]) -> dict[str, Any]:
    """A study as leads see it in lists."""
    definition = studies.definition_of(connection, row["id"])

    def how_many(table: Any) -> int:
        return int(connection.execute(select(func.count()).where(table.c.study_id == row["id"])).scalar_one())

    return {
        "id": row["id"],
        "title": row["title"],
        "kind": next(iter(definition["pages"])),
        "kinds": list(definition["pages"]),
        "state": row["state"],
        "tasks": how_many(task),
        "items": how_many(item),
        "judges": how_many(judge),
        "counts": counts(connection, row["id"]),
        "created": row["created"],
        "deadline": definition["deadline"],
    }


@route("GET", "/api/studies", "lead")
async def list_studies(call: Call) -> Response:
    """The lead's studies, the newest first."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        query = select(study).where(study.c.lead_id == call.lead).order_by(study.c.created.desc(), study.c.id.desc())
        if call.caller and call.caller.study:
            query = query.where(study.c.id == call.caller.study)
        return [described(connection, row) for row in rows.every(connection, query)]

    return json_response({"studies": await call.read(job)})


@route("POST", "/api/studies", "lead", body=STUDY, gives={201: obj("id", id=ID)})
async def create_study(call: Call) -> Response:
    """A new study from its definition."""
    if call.caller and call.caller.study:
        raise Refused(403, "this token is for one study.")

    def job(connection: Connection) -> str:
        made = studies.create(connection, call.lead, call.body)
        studies.audited(connection, made, call.who, "create")
        return made

    return json_response({"id": await call.write(job)}, 201)


@route("GET", "/api/studies/{study}", "lead")
async def one_study(call: Call) -> Response:
    """A study with its settings, and the hash of their version."""

    def job(connection: Connection) -> dict[str, Any]:
        row = studies.found(connection, call.study)
        query = select(study_version.c.hash).where(study_version.c.study_id == call.study)
        mark = connection.execute(query.where(study_version.c.number == row["version"])).scalar_one()
        more = {"definition": studies.definition_of(connection, call.study), "version": row["version"], "hash": mark}
        return described(connection, row) | more

    return json_response(await call.read(job))


@route("PATCH", "/api/studies/{study}", "lead", body=STUDY, gives={200: ANSWER})
async def change_study(call: Call) -> Response:
    """Change settings: a new version."""

    def job(connection: Connection) -> int:
        number = studies.change(connection, call.study, call.body)
        studies.audited(connection, call.study, call.who, "change", version=number, settings=sorted(call.body))
        return number

    return json_response({"version": await call.write(job)})


ITEMS = obj("text", text=LONG, format={"type": "string", "enum": list(item_files.FORMATS)})
DRY = {"dry": {"type": "string", "enum": ["0", "1"]}}


@route("POST", "/api/studies/{study}/items", "lead", body=ITEMS, query=DRY, gives={200: ANSWER})
async def add_items(call: Call) -> Response:
    """Items from a table, JSON Lines or lines of text; with ?dry=1 only what would be read."""
    found, notes = item_files.read(call.body["text"], call.body.get("format", "csv"), "the items")
    if call.request.query_params.get("dry") == "1":
        tasks = len({r.get("task", "task-1") for r in found})
        preview = [{n: r.get(n) for n in item_files.COLUMNS} for r in found[:20]]
        return json_response({"items": len(found), "tasks": tasks, "preview": preview, "notes": notes})

    def job(connection: Connection) -> dict[str, Any]:
        made = studies.add_items(connection, call.study, found)
        studies.audited(connection, call.study, call.who, "items", **made)
        return made

    return json_response({**await call.write(job), "notes": notes})


def _becomes(state: str) -> Any:
    async def handler(call: Call) -> Response:
        def job(connection: Connection) -> None:
            connection.execute(update(study).where(study.c.id == call.study).values(state=state))
            studies.audited(connection, call.study, call.who, state)

        await call.write(job)
        return json_response({"state": state})

    return handler


for _word, _state, _said in (
    ("pause", "paused", "Hand out no more work; saves and submissions are still taken."),
    ("resume", "open", "Hand out work again."),
    ("close", "closed", "Take nothing more."),
    ("reopen", "open", "Open a closed study again."),
):
    _handler = _becomes(_state)
    _handler.__name__, _handler.__doc__ = f"{_word}_study", _said
    route("POST", f"/api/studies/{{study}}/{_word}", "lead", body=obj())(_handler)


@route("GET", "/api/studies/{study}/audit", "lead")
async def audit_log(call: Call) -> Response:
    """Who did what, the newest first."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        query = select(audit).where(audit.c.study_id == call.study).order_by(audit.c.number.desc()).limit(1000)
        return rows.every(connection, query)

    found = await call.read(job)
    told = [{"time": r["time"], "who": r["who"], "what": r["action"], "detail": r["detail"]} for r in found]
    return json_response({"audit": told})


# -- tokens and further leads ----------------------------------------------------------------------------------------

TOKEN = obj(
    "scopes",
    scopes=array({"type": "string", "enum": list(SCOPES)}, 4),
    study=maybe(ID),
    judge=maybe(ID),
    label=TEXT | {"maxLength": 200},
    days=COUNT | {"minimum": 1, "maximum": 3650},
)


@route("POST", "/api/tokens", "lead", body=TOKEN, gives={201: obj("token", token=TEXT)})
async def make_token(call: Call) -> Response:
    """A token for a program: of the lead, limited to one study if named, or of one judge (scope `judge`)."""
    if call.caller is None or call.caller.kind == "token":
        raise Refused(403, "a token cannot make another.", "sign in.")
    body = call.body

    def job(connection: Connection) -> str:
        lasts = body.get("days", 90) * 24 * 3_600_000
        about: dict[str, Any] = {"scopes": body["scopes"], "label": body.get("label", ""), "lasts": lasts}
        own = select(study.c.id).where(study.c.lead_id == call.lead)
        if body.get("judge"):
            who = rows.one(connection, select(judge).where(judge.c.id == body["judge"], judge.c.study_id.in_(own)))
            if who is None:
                raise Refused(404, "there is no such judge.")
            if body["scopes"] != ["judge"]:
                raise InputError("a judge's token has the scope 'judge' alone.")
            studies.audited(connection, who["study_id"], call.who, "token", judge=body["judge"])
            return issue(connection, "token", judge_id=body["judge"], **about)
        if "judge" in body["scopes"]:
            raise InputError("the scope 'judge' needs a judge.", "name one of the study's judges.")
        if body.get("study") and rows.one(connection, own.where(study.c.id == body["study"])) is None:
            raise Refused(404, "there is no such study.")
        studies.audited(connection, body.get("study"), call.who, "token", scopes=body["scopes"])
        return issue(connection, "token", lead_id=call.lead, study_id=body.get("study"), **about)

    return json_response({"token": await call.write(job)}, 201)


@route("GET", "/api/tokens", "lead")
async def list_tokens(call: Call) -> Response:
    """The lead's tokens, without their secrets."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        query = select(credential).where(credential.c.kind == "token", credential.c.lead_id == call.lead)
        return rows.every(connection, query)

    shown = ("id", "label", "scopes", "study_id", "expires", "created")
    return json_response({"tokens": [{n: r[n] for n in shown} for r in await call.read(job)]})


@route("DELETE", "/api/tokens/{token_id}", "lead", gives={204: None})
async def drop_token(call: Call) -> Response:
    """A token that works no more."""

    def job(connection: Connection) -> int:
        which = credential.delete().where(credential.c.id == call.path("token_id"), credential.c.lead_id == call.lead)
        return connection.execute(which.where(credential.c.kind == "token")).rowcount

    if not await call.write(job):
        raise Refused(404, "there is no such token.")
    return Response(status_code=204)


@route("POST", "/api/leads", "lead", body=obj("name", name=TEXT | {"minLength": 1}), gives={201: ANSWER})
async def add_lead(call: Call) -> Response:
    """Another lead: a link with which they set their password, once."""
    if call.caller is None or call.caller.kind == "token":
        raise Refused(403, "a token cannot make leads.", "sign in.")

    def job(connection: Connection) -> str:
        made = leads.add(connection, call.body["name"])
        studies.audited(connection, None, call.who, "lead", name=call.body["name"])
        return issue(connection, "first", lead_id=made)

    secret = await call.write(job)
    return json_response({"url": f"{call.bench.settings.root}/lead/first/{secret}"}, 201)
