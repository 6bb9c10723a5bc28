"""What judges call: their tasks, saving, submitting, leaving. No answer here holds a system's name or a figure."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, insert, select
from starlette.responses import Response

from quorate.store import assignment as engine
from quorate.store import events, judges, rows, studies, work
from quorate.store.ids import is_uuid, now, uuid7
from quorate.store.schema import assignment, judge, note, study, task
from quorate.store.work import Refused
from quorate.web import markdown
from quorate.web.results_api import plan_soon
from quorate.web.routing import Call, json_response, route
from quorate.web.security import csrf_of
from quorate.web.shapes import ANY, COUNT, ID, TEXT, maybe, obj

TIME = maybe({"type": "integer", "minimum": 0, "maximum": 2**53})
SAVE = obj("base_seq", "state", base_seq=COUNT, state={"type": "object"}, device=TEXT | {"maxLength": 64})
SAVE["properties"] |= {"client_time": TIME, "elapsed_ms": TIME}
HEAD = maybe(obj(more=True, seq=COUNT, state=maybe({"type": "object"})))
SAVED = obj("seq", "replayed", seq=COUNT, replayed={"type": "boolean"})
CONFLICT = obj("head", head=HEAD, branch=maybe(obj("seq", seq=COUNT)), more=True)


@route("GET", "/api/judge", "judge", gives={200: {"type": "object"}})
async def judge_overview(call: Call) -> Response:
    """The judge's study and assignments."""
    found = await call.read(lambda c: overview(c, call.judge))
    found["csrf"] = csrf_of(call.secret)
    return json_response(found)


def overview(connection: Connection, judge_id: str) -> dict[str, Any]:
    """All that the judge's first page shows."""
    who = rows.the(connection, select(judge).where(judge.c.id == judge_id))
    about = studies.found(connection, who["study_id"])
    definition = studies.definition_of(connection, who["study_id"])
    query = (
        select(assignment, task.c.name, task.c.role)
        .join(task, task.c.id == assignment.c.task_id)
        .where(assignment.c.judge_id == judge_id)
        .order_by(assignment.c.place)
    )
    own = rows.every(connection, query)
    listed = [_listed(r) for r in own]
    more = who["state"] == "active" and engine.would_offer(connection, who["study_id"], judge_id)
    done = bool(own) and not more and who["state"] == "active" and all(_finished(r) for r in own)
    status = _status(who["state"], about["state"], definition, more, bool(listed))
    return {
        "study": {
            "id": who["study_id"],
            "title": definition["title"],
            "guidelines_html": markdown.html(definition["guidelines"]),
            "consent_html": markdown.html(definition["consent"]),
            "deadline": definition["deadline"],
            "paused": about["state"] == "paused",
        },
        "judge": {"id": judge_id, "name": who["name"], "consented": who["consented"] is not None},
        "assignments": listed,
        "completion": {"code": definition["completion_code"] if done else None, "done": done},
        "status": status,
        "more": more,
    }


def _listed(row: Any) -> dict[str, Any]:
    shown = json.loads(row["shown"])
    late = row["state"] in engine.OPEN and row["lease"] < now()
    return {
        "id": row["id"],
        "kind": shown["kind"],
        "title": row["name"],
        "items": len(shown.get("pairs") or shown["items"]),
        "state": "expired" if late else row["state"],
        "training": row["role"] == "training",
        "position": row["place"],
    }


def _finished(row: Any) -> bool:
    return row["state"] in ("submitted", "expired", "excluded") and (
        row["state"] == "submitted" or row["role"] != "training"
    )


def _status(judge_state: str, study_state: str, definition: studies.Definition, more: bool, begun: bool) -> str:
    if judge_state in ("withdrawn", "revoked"):
        return judge_state
    if study_state in ("paused", "closed"):
        return study_state
    if engine.over(definition):
        return "closed"
    return "open" if more or begun else "full"


def _consented(connection: Connection, judge_id: str) -> None:
    row = rows.the(connection, select(judge).where(judge.c.id == judge_id))
    work.consented(row["state"], row["consented"], studies.definition_of(connection, row["study_id"]))


@route("POST", "/api/judge/consent", "judge", body=obj())
async def give_consent(call: Call) -> Response:
    """The judge agrees to take part."""
    await call.write(lambda c: judges.consent(c, call.judge))
    return json_response({"consented": True})


@route("POST", "/api/judge/next", "judge", body=obj(), gives={200: {"type": "object"}, 204: None})
async def next_assignment(call: Call) -> Response:
    """Ask for another assignment."""

    def job(connection: Connection) -> dict[str, Any] | None:
        _consented(connection, call.judge)
        return engine.offer(connection, call.study, call.judge)

    found = await call.write(job)
    if found is None:
        return Response(status_code=204)
    return json_response({"assignment": {"id": found["id"], "state": found["state"], "position": found["place"]}})


@route("POST", "/api/judge/withdraw", "judge", body=obj())
async def withdraw(call: Call) -> Response:
    """Leave the study: everything the judge has said is erased."""

    def job(connection: Connection) -> None:
        judges.withdraw(connection, call.judge)
        studies.audited(connection, call.study, call.who, "withdraw")

    await call.write(job)
    return json_response({"withdrawn": True})


@route("POST", "/api/judge/note", "judge", body=obj("text", text=TEXT | {"minLength": 1}, assignment=maybe(ID)))
async def leave_note(call: Call) -> Response:
    """A note to the lead."""

    def job(connection: Connection) -> None:
        _consented(connection, call.judge)
        about = call.body.get("assignment")
        if about is not None:
            work.target_of(connection, about, call.judge)
        row = {"id": uuid7(), "study_id": call.study, "judge_id": call.judge, "assignment_id": about}
        connection.execute(insert(note).values({**row, "text": call.body["text"], "time": now()}))

    await call.write(job)
    return json_response({"noted": True})


@route("GET", "/api/assignments/{assignment}", "judge", gives={200: {"type": "object"}, 404: ANY})
async def assignment_view(call: Call) -> Response:
    """One assignment with its items and the state saved last."""

    def job(connection: Connection) -> dict[str, Any]:
        _consented(connection, call.judge)
        return work.view(connection, call.path("assignment"), call.judge)

    found = await call.read(job)
    found["guidelines_html"] = markdown.html(found.pop("guidelines"))
    return json_response(found)


@route(
    "PUT",
    "/api/assignments/{assignment}/events/{op}",
    "judge",
    body=SAVE,
    gives={200: SAVED, 409: CONFLICT, 410: ANY, 422: ANY},
)
async def save_event(call: Call) -> Response:
    """Save the whole state on top of the state it builds on; the same operation id again changes nothing."""
    body = call.body
    more = (body.get("device") or "", body.get("client_time"), body.get("elapsed_ms"))
    given = events.Save(call.path("op"), body["base_seq"], body["state"], *more)

    found = await call.write(lambda c: work.save(c, call.path("assignment"), call.judge, given))
    return json_response(found, found.pop("status"))


SUBMIT = obj("op", "base_seq", op=ID, base_seq=COUNT)


@route(
    "POST",
    "/api/assignments/{assignment}/submit",
    "judge",
    body=SUBMIT,
    gives={200: {"type": "object"}, 409: CONFLICT, 410: ANY, 422: ANY},
)
async def submit(call: Call) -> Response:
    """Hand in what was saved last."""
    if not is_uuid(call.body["op"]):
        raise Refused(422, "op is not an id.", "a UUID, in small letters.")

    def job(connection: Connection) -> tuple[dict[str, Any], bool]:
        _consented(connection, call.judge)
        rule = studies.definition_of(connection, call.study)["stopping"]
        given = (call.path("assignment"), call.judge, call.body["op"], call.body["base_seq"])
        return work.submit(connection, *given), bool(rule["method"])

    found, adaptive = await call.write(job)
    if adaptive:
        plan_soon(call.bench, call.study)
    return json_response(found)


@route("POST", "/api/assignments/{assignment}/reopen", "judge", body=obj(), gives={200: {"type": "object"}, 410: ANY})
async def reopen(call: Call) -> Response:
    """Open a submitted assignment again."""

    def job(connection: Connection) -> dict[str, Any]:
        _consented(connection, call.judge)
        return work.reopen(connection, call.path("assignment"), call.judge)

    return json_response(await call.write(job))


def study_title(connection: Connection, study_id: str) -> str:
    """A study's title."""
    return str(connection.execute(select(study.c.title).where(study.c.id == study_id)).scalar_one())
