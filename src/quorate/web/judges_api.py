"""What leads call about judges: inviting, revoking, leaving out, opening again."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select
from starlette.responses import Response

from quorate.errors import InputError
from quorate.store import credentials, judges, rows, studies, work
from quorate.store.schema import assignment, credential, event, exclusion, judge, task
from quorate.store.work import Refused
from quorate.web.routing import Call, json_response, route
from quorate.web.shapes import COUNT, ID, TEXT, array, maybe, obj

NAME = TEXT | {"minLength": 1, "maxLength": 200}
INVITE = obj(
    judges=array(NAME, 1000),
    count=COUNT | {"minimum": 1, "maximum": 1000},
    kind={"type": "string", "enum": ["person", "model"]},
)


def site(call: Call) -> str:
    """The address of the server as the caller knows it."""
    return f"{call.request.url.scheme}://{call.request.headers['host']}{call.bench.settings.root}"


@route("POST", "/api/studies/{study}/invite", "lead", body=INVITE, gives={201: {"type": "object"}})
async def invite(call: Call) -> Response:
    """Judges by name, or so many under numbers: their personal links, told once; a new one for a judge who is there."""
    body = call.body
    if ("judges" in body) == ("count" in body):
        raise InputError("name the judges, or say how many.", "one of `judges` and `count`.")

    def job(connection: Connection) -> list[dict[str, str]]:
        query = select(judge.c.name, judge.c.id).where(judge.c.study_id == call.study)
        taken = {r.name: r.id for r in connection.execute(query)}
        free = (f"judge-{k}" for k in range(1, 10**9) if f"judge-{k}" not in taken)
        names = body["judges"] if "judges" in body else [next(free) for _ in range(body["count"])]
        out = []
        for name in names:
            known = taken.get(name.strip())
            made = known or judges.add(connection, call.study, name, body.get("kind", "person"))
            out.append({"judge": made, "name": name.strip(), "url": f"{site(call)}/j/{judges.link(connection, made)}"})
        studies.audited(connection, call.study, call.who, "invite", judges=[o["judge"] for o in out])
        return out

    return json_response({"links": await call.write(job)}, 201)


@route("POST", "/api/studies/{study}/entry", "lead", body=obj(), gives={201: {"type": "object"}})
async def entry_link(call: Call) -> Response:
    """The link that a crowd platform is given; it adds PROLIFIC_PID or workerId to it."""

    def job(connection: Connection) -> tuple[str, list[str]]:
        entry = studies.definition_of(connection, call.study)["entry"]
        if not entry:
            raise InputError("the study lets nobody in from a platform.", 'set entry = ["prolific"] or ["worker"].')
        studies.audited(connection, call.study, call.who, "entry link")
        return credentials.issue(connection, "entry", study_id=call.study), entry

    secret, entry = await call.write(job)
    query = {"prolific": "PROLIFIC_PID={{%PROLIFIC_PID%}}", "worker": "workerId=${workerId}"}[entry[0]]
    return json_response({"url": f"{site(call)}/s/{secret}?{query}"}, 201)


@route("GET", "/api/studies/{study}/judges", "lead")
async def list_judges(call: Call) -> Response:
    """Judges with what they have done."""
    return json_response({"judges": await call.read(lambda c: by_judge(c, call.study))})


def by_judge(connection: Connection, study_id: str) -> list[dict[str, Any]]:
    """One row a judge: assignments by state, minutes at work, when last seen."""
    query = select(assignment.c.judge_id, assignment.c.state, func.count().label("n"))
    states: dict[tuple[str, str], int] = {
        (r.judge_id, r.state): r.n
        for r in connection.execute(
            query.where(assignment.c.study_id == study_id).group_by(assignment.c.judge_id, assignment.c.state)
        )
    }
    longest = (
        select(assignment.c.judge_id, func.max(event.c.elapsed).label("took"), func.max(event.c.time).label("seen"))
        .join(event, event.c.assignment_id == assignment.c.id)
        .where(assignment.c.study_id == study_id)
        .group_by(assignment.c.judge_id, assignment.c.id)
    )
    took: dict[str, int] = {}
    seen: dict[str, int] = {}
    for r in connection.execute(longest):
        took[r.judge_id] = took.get(r.judge_id, 0) + (r.took or 0)
        seen[r.judge_id] = max(seen.get(r.judge_id, 0), r.seen or 0)
    links = select(credential.c.judge_id).where(credential.c.kind == "session", credential.c.judge_id.is_not(None))
    came = set(connection.execute(links).scalars())
    out = []
    for row in rows.every(connection, select(judge).where(judge.c.study_id == study_id).order_by(judge.c.created)):
        begun = row["id"] in seen or row["id"] in came
        state = row["state"] if row["state"] != "active" or begun else "invited"
        about = {"id": row["id"], "name": row["name"], "kind": row["kind"], "state": state}
        about |= {"submitted": states.get((row["id"], "submitted"), 0), "last_seen": seen.get(row["id"])}
        about["active"] = sum(states.get((row["id"], s), 0) for s in ("offered", "active"))
        out.append(about | {"minutes": round(took.get(row["id"], 0) / 60_000, 1)})
    return out


@route("GET", "/api/studies/{study}/judges/{judge}/assignments", "lead")
async def list_assignments(call: Call) -> Response:
    """The tasks that a judge has been given, in the judge's own order."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        judges.known(connection, call.study, call.path("judge"))
        shown = assignment.c.id, assignment.c.occasion, assignment.c.state, task.c.name.label("task")
        query = select(*shown).join(task, task.c.id == assignment.c.task_id)
        return rows.every(
            connection, query.where(assignment.c.judge_id == call.path("judge")).order_by(assignment.c.place)
        )

    return json_response({"assignments": await call.read(job)})


@route("POST", "/api/studies/{study}/judges/{judge}/revoke", "lead", body=obj())
async def revoke_judge(call: Call) -> Response:
    """Links and sessions of a judge work no more; what was submitted stays."""

    def job(connection: Connection) -> None:
        judges.revoke(connection, call.study, call.path("judge"))
        studies.audited(connection, call.study, call.who, "revoke", judge=call.path("judge"))

    await call.write(job)
    return json_response({"state": "revoked"})


@route("POST", "/api/studies/{study}/judges/{judge}/link", "lead", body=obj(), gives={201: {"type": "object"}})
async def new_link(call: Call) -> Response:
    """A new personal link; the one before works no more."""

    def job(connection: Connection) -> str:
        judges.known(connection, call.study, call.path("judge"))
        studies.audited(connection, call.study, call.who, "link", judge=call.path("judge"))
        return judges.link(connection, call.path("judge"))

    return json_response({"url": f"{site(call)}/j/{await call.write(job)}"}, 201)


@route("POST", "/api/studies/{study}/judges/{judge}/erase", "lead", body=obj())
async def erase_judge(call: Call) -> Response:
    """Erase what a judge has said, as the judge asked; the chain of hashes stays."""

    def job(connection: Connection) -> None:
        judges.known(connection, call.study, call.path("judge"))
        judges.withdraw(connection, call.path("judge"))
        studies.audited(connection, call.study, call.who, "erase", judge=call.path("judge"))

    await call.write(job)
    return json_response({"state": "withdrawn"})


@route("POST", "/api/studies/{study}/assignments/{assignment}/reopen", "lead", body=obj())
async def reopen_assignment(call: Call) -> Response:
    """Give a submitted assignment back to its judge."""

    def job(connection: Connection) -> dict[str, Any]:
        query = select(assignment).where(assignment.c.id == call.path("assignment"))
        found = rows.one(connection, query.where(assignment.c.study_id == call.study))
        if found is None:
            raise Refused(404, "there is no such assignment.")
        studies.audited(connection, call.study, call.who, "reopen", assignment=found["id"])
        return work.reopen(connection, found["id"], found["judge_id"])

    return json_response({"state": (await call.write(job))["state"]})


EXCLUDE = obj("reason", reason=TEXT | {"minLength": 1}, judge=maybe(ID), assignment=maybe(ID))


@route("GET", "/api/studies/{study}/exclusions", "lead")
async def list_exclusions(call: Call) -> Response:
    """What is left out, and why."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        query = (
            select(exclusion, judge.c.name)
            .join(judge, judge.c.id == exclusion.c.judge_id, isouter=True)
            .where(exclusion.c.study_id == call.study)
            .order_by(exclusion.c.time)
        )
        return rows.every(connection, query)

    return json_response({"exclusions": await call.read(job)})


@route("POST", "/api/studies/{study}/exclusions", "lead", body=EXCLUDE, gives={201: {"type": "object"}})
async def exclude(call: Call) -> Response:
    """Leave a judge or an assignment out of every figure, with a reason."""
    body = call.body

    def job(connection: Connection) -> str:
        about = {"judge_id": body.get("judge"), "assignment_id": body.get("assignment")}
        studies.audited(connection, call.study, call.who, "exclude", **about, reason=body["reason"])
        return judges.exclude(connection, call.study, body["reason"], **about)

    return json_response({"id": await call.write(job)}, 201)


@route("DELETE", "/api/studies/{study}/exclusions/{exclusion}", "lead", gives={204: None})
async def lift_exclusion(call: Call) -> Response:
    """Count what was left out again; the exclusion stays in the log."""

    def job(connection: Connection) -> None:
        judges.lift(connection, call.study, call.path("exclusion"))
        studies.audited(connection, call.study, call.who, "lift", exclusion=call.path("exclusion"))

    await call.write(job)
    return Response(status_code=204)
