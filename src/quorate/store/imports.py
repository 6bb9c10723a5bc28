"""Judgments made elsewhere: read in any format, then stored as if they had been made here, each with its events."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select

from quorate.errors import InputError
from quorate.store import events, judges, rows, states, studies
from quorate.store.assignment import shown
from quorate.store.definition import PANELS
from quorate.store.ids import canonical, now, uuid7
from quorate.store.schema import assignment, item, judge, submission, task, task_item

KINDS = {panel: page for page, panel in PANELS.items()}


def read(name: str, data: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A file of judgments as plain columns: its text, or its bytes in base 64 where the name says so."""
    from quorate.formats import read as read_panel

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / (Path(name).name or "judgments.csv")
        binary = file.suffix.lower() in (".parquet", ".xlsx", ".gz", ".zip")
        try:
            file.write_bytes(base64.b64decode(data, validate=True) if binary else data.encode())
        except ValueError:
            raise InputError(f"{file.name}: not in base 64.", "files that are no text are sent in base 64.") from None
        return columns(read_panel(file, **options))


def columns(panel: Any) -> dict[str, Any]:
    """A panel as plain columns and its kind."""
    made = panel.columns()
    made.setdefault("task", ["1"] * len(panel))
    return {"kind": panel.kind, "columns": made, "notes": list(panel.notes)}


def stored(connection: Connection, study_id: str, given: Mapping[str, Any]) -> dict[str, int]:
    """Every judgment as an assignment with its event and submission; judges and items that are new are added."""
    kind = KINDS[given["kind"]]
    definition = studies.definition_of(connection, study_id)
    if kind not in definition["pages"]:
        has = ", ".join(definition["pages"])
        raise InputError(f"these are {given['kind']}, and the study has no page for them.", f"its pages: {has}.")
    table: dict[str, list[Any]] = given["columns"]
    by: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    for k in range(len(table["judge"])):
        row = {name: column[k] for name, column in table.items()}
        occasion = int(row.get("occasion") or 1) if kind != "vote" else 1
        by.setdefault((str(row["task"]), str(row["judge"]), occasion), []).append(row)
    page = definition["pages"][kind]
    made = {"judgments": 0, "judges": 0, "items": 0}
    targets: dict[str, dict[str, Any]] = {}
    people: dict[str, str] = {}
    for (name, who, occasion), own in by.items():
        if name not in targets:
            targets[name] = _task(connection, study_id, name, kind, page, by, made)
        if who not in people:
            people[who] = _judge(connection, study_id, who, made)
        _judgment(connection, study_id, targets[name], people[who], occasion, own, page)
        made["judgments"] += 1
    return made


def _names(row: Mapping[str, Any], kind: str) -> list[str]:
    return [str(row["model_a"]), str(row["model_b"])] if kind == "vote" else [str(row["item"])]


def _task(
    connection: Connection,
    study_id: str,
    name: str,
    kind: str,
    page: Mapping[str, Any],
    by: Mapping[tuple[str, str, int], Sequence[Mapping[str, Any]]],
    made: dict[str, int],
) -> dict[str, Any]:
    """The task of that name, with its items by the names that judgments have for them; a new one if there is none."""
    query = select(task).where(task.c.study_id == study_id, task.c.name == name, task.c.kind == kind)
    found = rows.one(connection, query)
    if found is None:
        wanted = dict.fromkeys(
            n for (t, _, _), rows_ in by.items() if t == name for r in rows_ for n in _names(r, kind)
        )
        known = {r["name"]: r["id"] for r in rows.every(connection, select(item).where(item.c.study_id == study_id))}
        members = []
        for one in wanted:
            called = f"{name}/{one}" if kind == "vote" else one
            if called not in known:
                known[called] = uuid7()
                row = {"id": known[called], "study_id": study_id, "name": called, "text": called}
                connection.execute(insert(item).values({**row, "system": one if kind == "vote" else None}))
                made["items"] += 1
            members.append((known[called], None))
        count = select(func.count()).where(task.c.study_id == study_id)
        place = connection.execute(count).scalar_one()
        studies.add_task(connection, study_id, name, kind, "task", place, 0, members, {**page, "pairs": 0})
        found = rows.the(connection, query)
    members_ = (
        select(item)
        .join(task_item, task_item.c.item_id == item.c.id)
        .where(task_item.c.task_id == found["id"])
        .order_by(task_item.c.place)
    )
    ids: dict[str, str] = {}
    for r in rows.every(connection, members_):
        ids.setdefault(str((r["system"] if kind == "vote" else None) or r["name"]), r["id"])
    return {**found, "ids": ids, "seen": shown(connection, found, 0)}


def _judge(connection: Connection, study_id: str, name: str, made: dict[str, int]) -> str:
    query = select(judge.c.id).where(judge.c.study_id == study_id, judge.c.name == name)
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        made["judges"] += 1
        found = judges.add(connection, study_id, name, "import")
    return str(found)


def _judgment(
    connection: Connection,
    study_id: str,
    target: Mapping[str, Any],
    judge_id: str,
    occasion: int,
    own: Sequence[Mapping[str, Any]],
    page: Mapping[str, Any],
) -> None:
    kind, ids = target["kind"], target["ids"]
    seen = target["seen"]
    for row in own:
        for name in _names(row, kind):
            if name not in ids:
                raise InputError(f"task '{target['name']}' of the study has no item '{name}'.")
    state = _STATES[kind](own, ids, seen, page)
    wrong = states.problems(state, seen, page, complete=False)
    if wrong:
        raise InputError(
            f"a judgment on '{target['name']}' does not fit the page: {wrong[0]['fact']}", wrong[0]["hint"]
        )
    clash = select(assignment.c.id).where(assignment.c.task_id == target["id"], assignment.c.judge_id == judge_id)
    if connection.execute(clash.where(assignment.c.occasion == occasion)).first():
        raise InputError(f"a judge has judged '{target['name']}' already.", "import judgments once.")
    last = select(func.max(assignment.c.place)).where(assignment.c.judge_id == judge_id)
    place = (connection.execute(last).scalar() or 0) + 1
    row = {"id": uuid7(), "study_id": study_id, "task_id": target["id"], "judge_id": judge_id, "occasion": occasion}
    row |= {"place": place, "shown": canonical(seen), "seed": 0, "lease": now(), "state": "submitted", "attempts": 1}
    connection.execute(insert(assignment), {**row, "feedback": None, "created": now()})
    saved = events.append(connection, row, events.Save(uuid7(), 0, state, "import", kind="import"), None)
    about = {"id": uuid7(), "assignment_id": row["id"], "seq": saved.seq, "time": now()}
    connection.execute(insert(submission), about)


Rows = Sequence[Mapping[str, Any]]


def _order(own: Rows, ids: Mapping[str, str], seen: Any, page: Any) -> dict[str, Any]:
    places: dict[float, list[str]] = {}
    for row in own:
        places.setdefault(float(row["position"]), []).append(ids[str(row["item"])])
    return {"kind": "order", "ranked": [places[p] for p in sorted(places)], "cannot_place": []}


def _group(own: Rows, ids: Mapping[str, str], seen: Any, page: Any) -> dict[str, Any]:
    groups: dict[str, list[str]] = {}
    out = []
    for row in own:
        one = ids[str(row["item"])]
        if row["group"] is None:
            out.append(one)
        else:
            groups.setdefault(str(row["group"]), []).append(one)
    named = [{"id": f"g{k}", "name": name, "items": items} for k, (name, items) in enumerate(groups.items(), 1)]
    return {"kind": "group", "groups": named, "unsure": [], "left_out": out}


def _score(own: Rows, ids: Mapping[str, str], seen: Any, page: Any) -> dict[str, Any]:
    scores: dict[str, dict[str, Any]] = {}
    only = page["criteria"][0]["id"]
    for row in own:
        value = row["score"]
        if value is not None and value == value:
            whole = int(value) if float(value).is_integer() else value
            scores.setdefault(ids[str(row["item"])], {})[str(row.get("criterion") or only)] = whole
    return {"kind": "score", "scores": scores}


def _vote(own: Rows, ids: Mapping[str, str], seen: Any, page: Any) -> dict[str, Any]:
    pairs = {frozenset((p["a"], p["b"])): p for p in seen["pairs"]}
    choices: dict[str, str] = {}
    for row in own:
        a, b = ids[str(row["model_a"])], ids[str(row["model_b"])]
        pair = pairs.get(frozenset((a, b)))
        if pair is None or pair["id"] in choices:
            raise InputError(
                f"'{row['model_a']}' against '{row['model_b']}' is no pair of the task, or voted on twice."
            )
        if row["winner"] == "tie":
            choices[pair["id"]] = "tie"
        else:
            winner = a if row["winner"] == "model_a" else b
            choices[pair["id"]] = "a" if pair["a"] == winner else "b"
    return {"kind": "vote", "choices": choices}


_STATES = {"order": _order, "group": _group, "score": _score, "vote": _vote}
