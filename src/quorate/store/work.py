"""A judge's work: what an assignment shows, saving it, submitting it, opening it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from quorate.errors import QuorateError
from quorate.store import answers, events, rows, states, studies
from quorate.store.assignment import OPEN, free, over
from quorate.store.ids import canonical, now, uuid7
from quorate.store.schema import assignment, event, head, item, judge, study, study_version, submission, task
from quorate.store.studies import definition_of


class Refused(QuorateError):
    """A save or a submission that was not taken: the HTTP status, and what goes with it."""

    def __init__(self, status: int, fact: str, hint: str = "", **more: Any) -> None:
        super().__init__(fact, hint)
        self.status, self.more = status, more


def view(connection: Connection, assignment_id: str, judge_id: str) -> dict[str, Any]:
    """An assignment as its judge sees it: ids and texts, never systems, never other judges."""
    target = target_of(connection, assignment_id, judge_id)
    definition = definition_of(connection, target["study_id"])
    about = rows.the(connection, select(task).where(task.c.id == target["task_id"]))
    shown = json.loads(target["shown"])
    page = dict(definition["pages"][shown["kind"]])
    query = select(item.c.id, item.c.text, item.c.source, item.c.date).where(item.c.id.in_(shown["items"]))
    texts = {r.id: {"id": r.id, "text": r.text, "source": r.source, "date": r.date} for r in connection.execute(query)}
    found = connection.execute(select(head).where(head.c.assignment_id == assignment_id)).one_or_none()
    now_at = None
    if found is not None and found.seq:
        state = json.loads(found.state) if found.state else None
        now_at = {"seq": found.seq, "op": found.op, "state": state, "device": found.device, "time": found.time}
    return {
        "id": assignment_id,
        "kind": shown["kind"],
        "title": about["name"],
        "state": target["state"],
        "settings": {n: v for n, v in page.items() if n not in ("criteria", "pairs", "judges")},
        "items": [texts[i] for i in shown["items"]],
        "pairs": shown.get("pairs", []),
        "criteria": page.get("criteria", []),
        "head": now_at,
        "guidelines": definition["guidelines"],
        "rules": definition["rules"],
        "training": _training(target, about, definition),
    }


def _training(target: Mapping[str, Any], about: Mapping[str, Any], definition: Mapping[str, Any]) -> Any:
    if about["role"] != "training":
        return None
    left = definition["training"]["attempts"] - target["attempts"]
    return {"attempts_left": max(left, 0), "feedback": json.loads(target["feedback"] or "{}").get("feedback", [])}


def target_of(connection: Connection, assignment_id: str, judge_id: str, *, lock: bool = False) -> dict[str, Any]:
    """An assignment, if it is this judge's: another's is as unknown as one that is not there."""
    if lock:
        found = events.locked(connection, assignment_id)
    else:
        found = rows.one(connection, select(assignment).where(assignment.c.id == assignment_id))
    if found is None or found["judge_id"] != judge_id:
        raise Refused(404, "there is no such assignment.")
    return found


def save(connection: Connection, assignment_id: str, judge_id: str, given: events.Save) -> dict[str, Any]:
    """Store a state: what the judge gets back, or a refusal with the head that is there.

    All that it depends on is read by one query, since a writer that waits for a database waits for each.
    """
    found = _standing(connection, assignment_id, given.op)
    if found is None or found["judge_id"] != judge_id:
        raise Refused(404, "there is no such assignment.")
    definition = studies.by_hash(connection, found["definition"])
    consented(found["judge_state"], found["consented"], definition)
    if found["event_seq"] is not None:
        saved = events.replayed({name: found[f"event_{name}"] for name in _EVENT}, given)
        if not saved.same:
            raise Refused(422, "this operation id was used for another state.", "every save has an id of its own.")
    else:
        _open(connection, found)
        _valid(definition, found, given.state, complete=False)
        top = {name: found[f"head_{name}"] for name in _HEAD} if found["head_seq"] is not None else None
        saved = events.append(connection, found, given, top)
        _active(connection, found, definition)
    return _outcome(connection, assignment_id, saved)


_EVENT = ("seq", "branch", "state_hash", "salt", "kind")
_HEAD = ("seq", "last", "hash")


_OWN = ("id", "study_id", "task_id", "judge_id", "occasion", "shown", "lease", "state")
_STANDING = (  # built once: a save is asked for 200 times a second
    select(
        *(assignment.c[n] for n in _OWN),
        study.c.state.label("study_state"),
        study_version.c.hash.label("definition"),
        judge.c.state.label("judge_state"),
        judge.c.consented,
        *(head.c[n].label(f"head_{n}") for n in _HEAD),
        *(event.c[n].label(f"event_{n}") for n in _EVENT),
    )
    .join(study, study.c.id == assignment.c.study_id)
    .join(study_version, (study_version.c.study_id == study.c.id) & (study_version.c.number == study.c.version))
    .join(judge, judge.c.id == assignment.c.judge_id)
    .join(head, head.c.assignment_id == assignment.c.id, isouter=True)
    .join(event, (event.c.assignment_id == assignment.c.id) & (event.c.op == bindparam("op")), isouter=True)
    .where(assignment.c.id == bindparam("assignment"))
    .with_for_update(of=assignment)
)


def _standing(connection: Connection, assignment_id: str, op: str) -> dict[str, Any] | None:
    """An assignment with its study, judge and head, and the event of an operation if it is stored already."""
    row = connection.execute(_STANDING, {"assignment": assignment_id, "op": op}).mappings().one_or_none()
    return None if row is None else {str(name): value for name, value in row.items()}


def consented(judge_state: str, when: int | None, definition: Mapping[str, Any]) -> None:
    """Nothing is handed out or stored before the judge has agreed, where a study asks for it, nor after leaving."""
    if judge_state == "withdrawn":
        raise Refused(410, "you have left this study.")
    if when is None and definition["consent"]:
        raise Refused(403, "please read and accept the consent first.")


def _outcome(connection: Connection, assignment_id: str, saved: events.Saved) -> dict[str, Any]:
    if saved.won:
        return {"status": 200, "seq": saved.seq, "replayed": saved.replayed}
    return {"status": 409, "head": _head(connection, assignment_id), "branch": {"seq": saved.seq}}


def _head(connection: Connection, assignment_id: str) -> dict[str, Any] | None:
    found = connection.execute(select(head).where(head.c.assignment_id == assignment_id)).one_or_none()
    if found is None or not found.seq:
        return None
    state = json.loads(found.state) if found.state else None
    return {"seq": found.seq, "op": found.op, "state": state, "device": found.device, "time": found.time}


def _open(connection: Connection, target: dict[str, Any]) -> None:
    """An error unless the assignment takes work; one whose lease ran out is taken up again while there is room."""
    if target["study_state"] == "closed":
        raise Refused(410, "this study is closed.", "thank you: what you submitted is kept.")
    late = target["state"] in OPEN and target["lease"] < now()
    if target["state"] in OPEN and not late:
        return
    if (late or target["state"] == "expired") and _room(connection, target):
        return
    facts = {
        "submitted": ("this task has been submitted.", "open it again to change it."),
        "excluded": ("this task is closed.", ""),
    }
    raise Refused(410, *facts.get(target["state"], ("the time for this task ran out; others have taken it.", "")))


def _room(connection: Connection, target: Mapping[str, Any]) -> bool:
    connection.execute(select(study.c.id).where(study.c.id == target["study_id"]).with_for_update())
    definition = definition_of(connection, target["study_id"])
    state = connection.execute(select(judge.c.state).where(judge.c.id == target["judge_id"])).scalar_one()
    tasks = rows.every(connection, select(task).where(task.c.id == target["task_id"]))
    unlimited = tasks[0]["role"] != "task" or target["occasion"] > 1
    room = unlimited or bool(free(connection, target["study_id"], tasks, definition, set()))
    return state == "active" and not over(definition) and room


def _valid(definition: Mapping[str, Any], target: Mapping[str, Any], state: Any, *, complete: bool) -> None:
    shown = json.loads(target["shown"])
    found = states.problems(state, shown, definition["pages"][shown["kind"]], complete=complete)
    if found:
        raise Refused(422, found[0]["fact"], found[0]["hint"], errors=found)


def _active(connection: Connection, target: Mapping[str, Any], definition: Mapping[str, Any]) -> None:
    """The lease begins anew; not written for less than a tenth of it, up to a minute."""
    whole = definition["lease_minutes"] * 60_000
    lease = now() + whole
    if target["state"] == "active" and lease - target["lease"] < min(60_000, whole // 10):
        return
    connection.execute(update(assignment).where(assignment.c.id == target["id"]).values(state="active", lease=lease))


def submit(connection: Connection, assignment_id: str, judge_id: str, op: str, base: int) -> dict[str, Any]:
    """Hand in the head: an event of its own, and a submission; the same operation again is answered as before."""
    target = target_of(connection, assignment_id, judge_id, lock=True)
    before = connection.execute(
        select(event.c.kind, event.c.seq).where(event.c.assignment_id == assignment_id, event.c.op == op)
    ).one_or_none()
    if before is not None:
        if before.kind != "submit":
            raise Refused(422, "this operation id was used for a save.", "every operation has an id of its own.")
        return _submitted(connection, target)
    query = select(study.c.state).where(study.c.id == target["study_id"])
    _open(connection, {**target, "study_state": connection.execute(query).scalar_one()})
    found = connection.execute(select(head).where(head.c.assignment_id == assignment_id)).one_or_none()
    if found is None or not found.seq:
        raise Refused(422, "nothing has been judged yet.", errors=[{"where": "", "fact": "nothing judged", "hint": ""}])
    if base != found.seq:
        raise Refused(409, "this is not the newest state.", head=_head(connection, assignment_id), branch=None)
    state = json.loads(found.state)
    _valid(definition_of(connection, target["study_id"]), target, state, complete=True)
    saved = events.save(connection, target, events.Save(op, base, state, found.device, kind="submit"))
    row = {"id": uuid7(), "assignment_id": assignment_id, "seq": saved.seq, "time": now()}
    connection.execute(insert(submission).values(row))
    about = rows.the(connection, select(task).where(task.c.id == target["task_id"]))
    new: dict[str, Any] = {"state": "submitted", "attempts": target["attempts"] + 1}
    if about["role"] == "training":
        new |= _trained(connection, target, about, state)
    connection.execute(update(assignment).where(assignment.c.id == assignment_id).values(new))
    return _submitted(connection, {**target, **new})


def _trained(connection: Connection, target: Mapping[str, Any], about: Mapping[str, Any], state: Any) -> dict[str, Any]:
    """What a training task becomes: passed, or open again while there are attempts left."""
    definition = definition_of(connection, target["study_id"])
    share, wrong = answers.compared(state, json.loads(target["shown"]), about)
    passed = share >= definition["training"]["pass"]
    again = not passed and target["attempts"] + 1 < definition["training"]["attempts"]
    feedback = canonical({"passed": passed, "share": share, "feedback": wrong})
    return {"feedback": feedback, "state": "active" if again else "submitted"}


def _submitted(connection: Connection, target: Mapping[str, Any]) -> dict[str, Any]:
    about = rows.the(connection, select(task).where(task.c.id == target["task_id"]))
    open_ = select(assignment.c.id).where(assignment.c.judge_id == target["judge_id"], assignment.c.state.in_(OPEN))
    following = connection.execute(open_.where(assignment.c.id != target["id"]).order_by(assignment.c.place)).scalar()
    out: dict[str, Any] = {"state": target["state"], "next": following, "training": None}
    out["seq"] = connection.execute(select(head.c.seq).where(head.c.assignment_id == target["id"])).scalar()
    if about["role"] == "training":
        told = json.loads(target["feedback"] or "{}")
        training = _training(target, about, definition_of(connection, target["study_id"]))
        out["training"] = {**training, "passed": bool(told.get("passed"))}
    return out


def reopen(connection: Connection, assignment_id: str, judge_id: str) -> dict[str, Any]:
    """Open a submitted assignment again; what was submitted counts until it is submitted anew."""
    target = target_of(connection, assignment_id, judge_id, lock=True)
    role = connection.execute(select(task.c.role).where(task.c.id == target["task_id"])).scalar_one()
    where = connection.execute(select(study.c.state).where(study.c.id == target["study_id"])).scalar_one()
    if target["state"] in OPEN:
        return {"state": target["state"], "head": _head(connection, assignment_id)}
    if target["state"] != "submitted" or role == "training" or where == "closed":
        raise Refused(410, "this task cannot be opened again.")
    found = connection.execute(select(head).where(head.c.assignment_id == assignment_id)).one()
    given = events.Save(uuid7(), found.seq, json.loads(found.state), found.device, kind="reopen")
    events.save(connection, target, given)
    _active(connection, target, definition_of(connection, target["study_id"]))
    return {"state": "active", "head": _head(connection, assignment_id)}
