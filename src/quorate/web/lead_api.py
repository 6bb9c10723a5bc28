"""What leads call: studies, items, judges."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select
from starlette.responses import Response

from quorate.store import studies
from quorate.store.schema import assignment, item, judge, study, task
from quorate.web.routing import Call, json_response, route
from quorate.web.security import csrf_of
from quorate.web.shapes import TEXT, obj

STUDY = {"type": "object"}
STATES = ("offered", "active", "submitted", "expired", "excluded")


@route("GET", "/api/me", "lead")
async def me(call: Call) -> Response:
    """The lead who is signed in, and the CSRF token of the session."""
    assert call.caller is not None
    return json_response({"lead": {"id": call.lead, "name": call.caller.name}, "csrf": csrf_of(call.secret)})


def counts(connection: Connection, study_id: str) -> dict[str, int]:
    """Assignments by their states."""
    query = select(assignment.c.state, func.count().label("n")).where(assignment.c.study_id == study_id)
    found = {r.state: r.n for r in connection.execute(query.group_by(assignment.c.state))}
    return {state: found.get(state, 0) for state in STATES}


def described(connection: Connection, row: Any) -> dict[str, Any]:
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
        return [described(connection, row) for row in connection.execute(query).mappings().all()]

    return json_response({"studies": await call.read(job)})


@route("POST", "/api/studies", "lead", body=STUDY, gives={201: obj(id=TEXT, more=True)})
async def create_study(call: Call) -> Response:
    """A new study from its definition."""

    def job(connection: Connection) -> str:
        made = studies.create(connection, call.lead, call.body)
        studies.audited(connection, made, call.who, "create")
        return made

    return json_response({"id": await call.write(job)}, 201)
