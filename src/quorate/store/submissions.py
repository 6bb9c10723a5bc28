"""What was submitted: the newest of every assignment, without what is excluded."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, func, select

from quorate.store import rows
from quorate.store.schema import assignment, event, exclusion, item, judge, submission, task


def as_of(connection: Connection, study_id: str) -> int:
    """The number of the newest event of a study."""
    query = select(func.max(event.c.number)).where(event.c.study_id == study_id)
    return int(connection.execute(query).scalar() or 0)


def submitted(connection: Connection, study_id: str, *, excluded: bool = False) -> list[dict[str, Any]]:
    """The newest submission of every assignment, with its state; without those excluded unless asked for."""
    newest = (
        select(submission.c.assignment_id, func.max(submission.c.seq).label("seq"))
        .group_by(submission.c.assignment_id)
        .subquery()
    )
    query = (
        select(
            assignment.c.id,
            assignment.c.occasion,
            assignment.c.shown,
            assignment.c.state.label("standing"),
            task.c.id.label("task_id"),
            task.c.name.label("task"),
            task.c.kind,
            task.c.role,
            task.c.answer,
            judge.c.id.label("judge_id"),
            judge.c.name.label("judge"),
            judge.c.kind.label("judge_kind"),
            event.c.state,
            event.c.seq,
        )
        .join(newest, newest.c.assignment_id == assignment.c.id)
        .join(event, (event.c.assignment_id == assignment.c.id) & (event.c.seq == newest.c.seq))
        .join(task, task.c.id == assignment.c.task_id)
        .join(judge, judge.c.id == assignment.c.judge_id)
        .where(assignment.c.study_id == study_id, event.c.state.is_not(None))
        .order_by(task.c.place, judge.c.created, judge.c.name, assignment.c.occasion)
    )
    out = rows.every(connection, query)
    held = _excluded(connection, study_id)
    for row in out:
        row["shown"], row["state"] = json.loads(row["shown"]), json.loads(row["state"])
        row["excluded"] = row["id"] in held or row["judge_id"] in held
    return out if excluded else [r for r in out if not r["excluded"]]


def _excluded(connection: Connection, study_id: str) -> set[str]:
    query = select(exclusion).where(exclusion.c.study_id == study_id, exclusion.c.lifted.is_(None))
    return {str(r["judge_id"] or r["assignment_id"]) for r in rows.every(connection, query)}


def names(connection: Connection, study_id: str) -> dict[str, dict[str, Any]]:
    """Items by their ids."""
    return {r["id"]: r for r in rows.every(connection, select(item).where(item.c.study_id == study_id))}
