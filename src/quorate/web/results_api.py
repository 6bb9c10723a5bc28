"""What leads call to watch a study: progress, intervals, server-sent events, adjudication, what to collect next."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response, StreamingResponse

from quorate.errors import QuorateError
from quorate.store import adaptive, figures, rows, states, studies, submissions
from quorate.store import adjudication as cases
from quorate.store.assignment import wanted
from quorate.store.ids import canonical, now, uuid7
from quorate.store.schema import assignment, audit, decision, event, judge, note, task, task_item
from quorate.store.work import Refused
from quorate.web.child import Figures
from quorate.web.judges_api import by_judge
from quorate.web.lead_api import counts
from quorate.web.routing import Bench, Call, json_response, route
from quorate.web.shapes import ID, TEXT, obj

log = logging.getLogger("quorate.web")
BEAT = 15.0  # seconds between signs of life of a stream
LOOK = 2.0  # seconds between looks at the database, for saves that another process took


def child(bench: Bench) -> Figures:
    """The process that computes, made when it is first asked."""
    if bench.figures is None:
        bench.figures = Figures(bench.database.address)
    found: Figures = bench.figures
    return found


async def _look(call: Call, what: str, stamp: int) -> int:
    """Every look at the figures is logged: whoever reads the result can see how often it was looked at before."""

    def job(connection: Connection) -> int:
        studies.audited(connection, call.study, call.who, "look", what=what, as_of=stamp)
        query = select(func.count()).where(audit.c.study_id == call.study, audit.c.action == "look")
        return int(connection.execute(query).scalar_one())

    return await call.write(job)


@route("GET", "/api/studies/{study}/progress", "lead")
async def progress(call: Call) -> Response:
    """Counts and point values as of the newest event; the look is logged."""
    found = await child(call.bench).ask(figures.progress, call.study)
    found["looks"] = await _look(call, "progress", found["as_of"])
    found |= await call.read(lambda c: _state_of(c, call.study))
    return json_response(found)


def _state_of(connection: Connection, study_id: str) -> dict[str, Any]:
    return {
        "counts": counts(connection, study_id),
        "by_task": _by_task(connection, study_id),
        "by_judge": by_judge(connection, study_id),
        "notes": _notes(connection, study_id),
        "plan": adaptive.standing(connection, study_id),
        "state": studies.found(connection, study_id)["state"],
        "title": studies.found(connection, study_id)["title"],
    }


def _by_task(connection: Connection, study_id: str) -> list[dict[str, Any]]:
    definition = studies.definition_of(connection, study_id)
    query = select(assignment.c.task_id, assignment.c.state, func.count().label("n")).where(
        assignment.c.study_id == study_id, assignment.c.occasion == 1
    )
    found = {(r.task_id, r.state): r.n for r in connection.execute(query.group_by("task_id", assignment.c.state))}
    every = rows.every(connection, select(task).where(task.c.study_id == study_id).order_by(task.c.place))
    return [
        {
            "id": t["id"],
            "title": t["name"],
            "kind": t["kind"],
            "role": t["role"],
            "wanted": wanted(t, definition),
            "submitted": found.get((t["id"], "submitted"), 0),
            "active": found.get((t["id"], "active"), 0) + found.get((t["id"], "offered"), 0),
        }
        for t in every
    ]


def _notes(connection: Connection, study_id: str) -> list[dict[str, Any]]:
    query = (
        select(note.c.text, note.c.time, judge.c.name.label("judge"), task.c.name.label("task"))
        .join(judge, judge.c.id == note.c.judge_id)
        .join(assignment, assignment.c.id == note.c.assignment_id, isouter=True)
        .join(task, task.c.id == assignment.c.task_id, isouter=True)
        .where(note.c.study_id == study_id, note.c.text != "")
        .order_by(note.c.time.desc())
        .limit(200)
    )
    return rows.every(connection, query)


@route("GET", "/api/studies/{study}/intervals", "lead")
async def intervals(call: Call) -> Response:
    """Agreement with its intervals, as of the newest event; the look is logged."""
    found = await child(call.bench).ask(figures.intervals, call.study)
    await _look(call, "intervals", found["as_of"])
    return json_response(found)


@route("GET", "/api/studies/{study}/events", "lead", gives={200: None})
async def stream(call: Call) -> Response:
    """Server-sent events: one for every batch of saves, numbered, so that a reader goes on where it stopped."""
    told = call.request.headers.get("last-event-id", "")
    start = (
        int(told) if told.isdigit() and len(told) < 19 else await call.read(lambda c: submissions.as_of(c, call.study))
    )
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(call, start), media_type="text/event-stream", headers=headers)


async def _stream(call: Call, last: int) -> AsyncIterator[str]:
    bench, waiting = call.bench, asyncio.Event()
    bench.changed.add(waiting)
    try:
        yield f"retry: 2000\nid: {last}\nevent: hello\ndata: {{}}\n\n"
        quiet = 0.0
        while not bench.stopping.is_set():
            newest, said = await call.read(lambda c, since=last: _since(c, call.study, since))  # type: ignore[misc]
            if newest > last:
                last, quiet = newest, 0.0
                yield f"id: {newest}\nevent: progress\ndata: {json.dumps(said)}\n\n"
            elif quiet >= BEAT:
                quiet = 0.0
                yield ": still here\n\n"
            try:
                await asyncio.wait_for(waiting.wait(), LOOK)
            except TimeoutError:
                quiet += LOOK
            waiting.clear()
    finally:
        bench.changed.discard(waiting)


def _since(connection: Connection, study_id: str, since: int) -> tuple[int, dict[str, Any]]:
    newest = submissions.as_of(connection, study_id)
    if newest <= since:
        return newest, {}
    query = select(event.c.kind, func.count().label("n")).where(event.c.study_id == study_id, event.c.number > since)
    kinds = {r.kind: r.n for r in connection.execute(query.group_by(event.c.kind))}
    return newest, {"as_of": newest, "events": kinds, "counts": counts(connection, study_id)}


# -- adjudication ----------------------------------------------------------------------------------------------------


@route("GET", "/api/studies/{study}/adjudication", "lead")
async def adjudication(call: Call) -> Response:
    """Tasks to be decided, the worst disagreement first."""
    return json_response(await child(call.bench).ask(cases.adjudication, call.study))


DECIDE = obj("task", "state", "reason", task=ID, state={"type": "object"}, reason=TEXT | {"minLength": 1})


@route("POST", "/api/studies/{study}/adjudication", "lead", body=DECIDE, gives={201: {"type": "object"}})
async def decide(call: Call) -> Response:
    """The lead's decision on a task, with a reason: a judgment beside the others."""
    body = call.body

    def job(connection: Connection) -> str:
        about = rows.one(connection, select(task).where(task.c.id == body["task"], task.c.study_id == call.study))
        if about is None:
            raise Refused(404, "there is no such task.")
        page = studies.definition_of(connection, call.study)["pages"][about["kind"]]
        query = select(task_item.c.item_id).where(task_item.c.task_id == about["id"])
        pairs = [{"id": p, "a": a, "b": b} for p, a, b in json.loads(about["pairs"] or "[]")]
        shown = {"kind": about["kind"], "items": list(connection.execute(query).scalars()), "pairs": pairs}
        if wrong := states.problems(body["state"], shown, page, complete=True):
            raise Refused(422, wrong[0]["fact"], wrong[0]["hint"], errors=wrong)
        made = uuid7()
        row = {"id": made, "study_id": call.study, "task_id": about["id"], "lead_id": call.lead}
        row |= {"state": canonical(body["state"]), "reason": body["reason"]}
        connection.execute(insert(decision).values({**row, "time": now()}))
        studies.audited(connection, call.study, call.who, "decide", task=about["id"], reason=body["reason"])
        return made

    return json_response({"id": await call.write(job)}, 201)


# -- what to collect next --------------------------------------------------------------------------------------------


@route("POST", "/api/studies/{study}/plan", "lead", body=obj(), gives={200: {"type": "object"}})
async def plan(call: Call) -> Response:
    """Adaptive collection: more judges where the verdict hangs on one of them, until the declared rule says stop."""
    return json_response(await planned(call.bench, call.study, call.who))


EVERY = 30.0  # seconds between plans that submissions bring about


def plan_soon(bench: Bench, study_id: str) -> None:
    """After a submission to a study with a stopping rule: look again, not too often, while others are answered."""
    moment = time.monotonic()
    if bench.planned.get(study_id, -EVERY) + EVERY <= moment:
        bench.planned[study_id] = moment
        task_ = asyncio.create_task(_plan_quietly(bench, study_id))
        bench.plans.add(task_)
        task_.add_done_callback(bench.plans.discard)


async def _plan_quietly(bench: Bench, study_id: str) -> None:
    try:
        await planned(bench, study_id, "server")
    except (QuorateError, SQLAlchemyError) as error:
        log.warning("no plan: %s", error)


async def planned(bench: Bench, study_id: str, who: str) -> dict[str, Any]:
    """Look at the figures and set what is wanted next; logged as a look."""
    found: dict[str, Any] = await child(bench).ask(adaptive.plan, study_id)
    await asyncio.wrap_future(bench.database.write(lambda c: adaptive.applied(c, study_id, found, who)))
    return found
