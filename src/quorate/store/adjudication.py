"""Tasks on which judges disagree, the worst first, for the lead to decide: all that was said, and their consensus."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from quorate.store import panels, rows, studies, submissions
from quorate.store.figures import JUST_VALUES, MOST_TASKS, Judgments, by_task, kinds_of, reading, task_agreement
from quorate.store.schema import decision, task


def adjudication(address: str, study_id: str) -> dict[str, Any]:
    """Tasks with the worst disagreement first, every judgment of them, and a suggestion from the consensus."""
    with reading(address) as connection:
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
        definition = studies.definition_of(connection, study_id)
        about = {r["id"]: r for r in rows.every(connection, select(task).where(task.c.study_id == study_id))}
        decided = _decisions(connection, study_id)
    out = []
    for kind in kinds_of(found):
        told = task_agreement(found, items, kind)
        for task_id, own in by_task(found, kind).items():
            value = told.get(task_id)
            out.append(_case(own, about[task_id], items, definition["pages"][kind], value, decided.get(task_id)))
    out.sort(key=lambda case: (case["decided"] is not None, -(case["disagreement"] or -math.inf)))
    return {"tasks": out[:MOST_TASKS]}


def _decisions(connection: Connection, study_id: str) -> dict[str, dict[str, Any]]:
    query = select(decision).where(decision.c.study_id == study_id).order_by(decision.c.time, decision.c.id)
    told = {}
    for row in rows.every(connection, query):
        told[row["task_id"]] = {"reason": row["reason"], "time": row["time"], "state": json.loads(row["state"])}
    return told


def _case(
    own: Judgments,
    about: Mapping[str, Any],
    items: Mapping[str, Any],
    page: Mapping[str, Any],
    value: float | None,
    decided: Any,
) -> dict[str, Any]:
    from quorate.words.numbers import figure

    kind = about["kind"]
    shown = sorted(own[0]["shown"]["items"], key=lambda i: items[i]["name"])
    pairs = [{"id": p, "a": a, "b": b} for p, a, b in json.loads(about["pairs"] or "[]")]
    return {
        "id": about["id"],
        "title": about["name"],
        "kind": kind,
        "disagreement": None if value is None else 1 - value,
        "text": "one judge so far" if value is None else f"agreement {figure(value)}",
        "decided": decided,
        "settings": {n: v for n, v in page.items() if n not in ("criteria", "pairs", "judges")},
        "criteria": page.get("criteria", []),
        "items": [{n: items[i][n] for n in ("id", "text", "source", "date")} for i in shown],
        "pairs": pairs,
        "judgments": [{"judge": j["judge"], "state": _turned(j, pairs)} for j in own if j["occasion"] == 1],
        "suggestion": suggestion(own, items, kind),
    }


def _turned(judgment: Mapping[str, Any], pairs: Sequence[Mapping[str, str]]) -> Any:
    """A judge's state with the sides as they are shown to the lead."""
    if not pairs:
        return judgment["state"]
    first = {p["id"]: p["a"] for p in judgment["shown"]["pairs"]}
    turn = {"a": "b", "b": "a"}
    choices = {
        p["id"]: c if first[p["id"]] == p["a"] else turn.get(c, c)
        for p in pairs
        if (c := judgment["state"]["choices"].get(p["id"])) is not None
    }
    return {"kind": "vote", "choices": choices}


def suggestion(own: Judgments, items: Mapping[str, Any], kind: str) -> Any:
    """The consensus of one task as a state, where the kind's first method gives one."""
    from quorate.verbs import consensus as ask

    ids = {items[i]["name"]: i for i in own[0]["shown"]["items"]}
    finding = ask(panels.panel(panels.columns(own, items, kind), kind), **JUST_VALUES).findings[0]
    row = next(finding.rows())
    if kind == "order":
        ranked = [[ids[str(i)] for i in group] for group in row["ranking"]]
        placed = {i for group in ranked for i in group}
        return {"kind": kind, "ranked": ranked, "cannot_place": [i for i in ids.values() if i not in placed]}
    if kind == "group":
        groups = [
            {"id": f"g{k}", "name": "", "items": [ids[str(i)] for i in group]}
            for k, group in enumerate(row["groups"], 1)
        ]
        placed = {i for g in groups for i in g["items"]}
        return {"kind": kind, "groups": groups, "unsure": [], "left_out": [i for i in ids.values() if i not in placed]}
    if kind == "score":
        scores: dict[str, dict[str, int]] = {}
        for r in finding.rows():
            if r["value"] is not None:
                criterion = r.get("criterion") or next(iter(next(iter(own[0]["state"]["scores"].values()))))
                scores.setdefault(ids[str(r["item"])], {})[criterion] = round(r["value"])
        return {"kind": kind, "scores": scores}
    return None
