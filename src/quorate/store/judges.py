"""Judges of a study: invited by a personal link or sent by a crowd platform; revoked, withdrawn, erased."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from quorate.errors import InputError, UnknownId
from quorate.store import credentials
from quorate.store.ids import now, uuid7
from quorate.store.schema import assignment, credential, event, exclusion, head, judge, note, submission

MOST = 100_000


def add(connection: Connection, study_id: str, name: str, kind: str = "person", outside: str | None = None) -> str:
    """A judge; the name is a pseudonym, unique in the study."""
    name = name.strip()
    if not 0 < len(name) <= 200:
        raise InputError("a judge's name has 1 to 200 characters.")
    if kind not in ("person", "model", "import"):
        raise InputError(f"there is no kind of judge '{kind}'.", "a judge is a person or a model.")
    if connection.execute(select(func.count()).where(judge.c.study_id == study_id)).scalar_one() >= MOST:
        raise InputError(f"a study has at most {MOST:,} judges.")
    judge_id = uuid7()
    row: dict[str, Any] = {"id": judge_id, "study_id": study_id, "name": name, "kind": kind, "outside": outside}
    point = connection.begin_nested()
    try:
        connection.execute(insert(judge).values({**row, "state": "active", "consented": None, "created": now()}))
        point.commit()
    except IntegrityError:
        point.rollback()
        raise InputError(f"there is a judge '{name}' already.", "names are unique in a study.") from None
    return judge_id


def link(connection: Connection, judge_id: str) -> str:
    """A personal link's secret; links given before stop working."""
    connection.execute(credential.delete().where(credential.c.judge_id == judge_id, credential.c.kind == "link"))
    return credentials.issue(connection, "link", judge_id=judge_id)


def from_outside(connection: Connection, study_id: str, outside: str) -> str:
    """The judge whom a platform calls so; a new one under a pseudonym at the first visit."""
    found = connection.execute(
        select(judge.c.id).where(judge.c.study_id == study_id, judge.c.outside == outside)
    ).scalar_one_or_none()
    if found:
        return str(found)
    number = connection.execute(select(func.count()).where(judge.c.study_id == study_id)).scalar_one() + 1
    taken = set(connection.execute(select(judge.c.name).where(judge.c.study_id == study_id)).scalars())
    while f"judge-{number}" in taken:
        number += 1
    return add(connection, study_id, f"judge-{number}", outside=outside)


def consent(connection: Connection, judge_id: str) -> None:
    """The judge has agreed to take part."""
    connection.execute(update(judge).where(judge.c.id == judge_id, judge.c.consented.is_(None)).values(consented=now()))


def revoke(connection: Connection, study_id: str, judge_id: str) -> None:
    """No link or session of this judge works any more; what was submitted stays."""
    known(connection, study_id, judge_id)
    connection.execute(update(judge).where(judge.c.id == judge_id).values(state="revoked"))
    credentials.withdraw_all(connection, judge_id=judge_id)
    _give_back(connection, judge_id)


def withdraw(connection: Connection, judge_id: str) -> None:
    """The judge leaves the study: every payload is erased; the chain of hashes stays and can be verified."""
    own = select(assignment.c.id).where(assignment.c.judge_id == judge_id)
    connection.execute(update(event).where(event.c.assignment_id.in_(own)).values(state=None, salt=None))
    connection.execute(update(head).where(head.c.assignment_id.in_(own)).values(state=None))
    connection.execute(update(note).where(note.c.judge_id == judge_id).values(text=""))
    connection.execute(update(judge).where(judge.c.id == judge_id).values(state="withdrawn", outside=None))
    connection.execute(update(assignment).where(assignment.c.judge_id == judge_id).values(state="excluded"))


def _give_back(connection: Connection, judge_id: str) -> None:
    """Work that was begun or offered goes to others."""
    open_ = assignment.c.state.in_(("offered", "active"))
    connection.execute(update(assignment).where(assignment.c.judge_id == judge_id, open_).values(state="expired"))


def exclude(
    connection: Connection, study_id: str, reason: str, *, judge_id: str | None = None, assignment_id: str | None = None
) -> str:
    """Leave a judge, or one assignment, out of every figure, with a reason; the judgments stay."""
    if not reason.strip():
        raise InputError("an exclusion needs a reason.")
    if judge_id:
        known(connection, study_id, judge_id)
        which = assignment.c.judge_id == judge_id
    elif assignment_id:
        which = assignment.c.id == assignment_id
        query = select(assignment.c.id).where(which, assignment.c.study_id == study_id)
        if not connection.execute(query).first():
            raise UnknownId("there is no such assignment.")
    else:
        raise InputError("name the judge or the assignment to leave out.")
    made = uuid7()
    row = {"id": made, "study_id": study_id, "judge_id": judge_id, "assignment_id": assignment_id, "reason": reason}
    connection.execute(insert(exclusion).values({**row, "time": now(), "lifted": None}))
    connection.execute(update(assignment).where(which).values(state="excluded"))
    return made


def lift(connection: Connection, study_id: str, exclusion_id: str) -> None:
    """An exclusion that holds no more; it stays in the log."""
    row = connection.execute(
        select(exclusion).where(exclusion.c.id == exclusion_id, exclusion.c.study_id == study_id)
    ).one_or_none()
    if row is None:
        raise UnknownId("there is no such exclusion.")
    connection.execute(update(exclusion).where(exclusion.c.id == exclusion_id).values(lifted=now()))
    which = assignment.c.judge_id == row.judge_id if row.judge_id else assignment.c.id == row.assignment_id
    done = assignment.c.id.in_(select(submission.c.assignment_id))
    back = update(assignment).where(which, assignment.c.state == "excluded")
    connection.execute(back.where(done).values(state="submitted"))
    connection.execute(back.where(~done).values(state="expired"))


def known(connection: Connection, study_id: str, judge_id: str) -> None:
    """An error unless the judge is one of the study."""
    if not connection.execute(select(judge.c.id).where(judge.c.id == judge_id, judge.c.study_id == study_id)).first():
        raise UnknownId("there is no such judge in this study.")
