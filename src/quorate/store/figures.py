"""What a lead sees of a study: the existing answers to the five questions, asked of what was submitted so far.

Everything here runs in a child process (:mod:`quorate.web.child`), so that saving never waits for a figure. It reads
the database, builds ordinary panels and asks the verbs; there is no statistics of its own.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, select

from quorate.store import answers, panels, rows, studies, submissions
from quorate.store.database import Database
from quorate.store.definition import PANELS
from quorate.store.schema import decision, task
from quorate.words.wording import ci

AT_ONCE: dict[str, Any] = {"resamples": 0, "permutations": 0}
MOST_TASKS = 300  # that are told apart on the dashboard
Judgments = list[dict[str, Any]]


def progress(address: str, study_id: str) -> dict[str, Any]:
    """Point values at once: agreement, flags, consensus, hardest tasks, consistency, all as of one event."""
    with reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
    out: dict[str, Any] = {"as_of": stamp, "agreement": [], "flags": [], "consensus": [], "hardest": []}
    out["sentences"] = []
    out["consistency"], out["gold"] = consistency(found, items), gold(found)
    for kind in _kinds(found):
        made = panels.panel(panels.columns(found, items, kind), kind)
        told, sentences = agreement(made, **AT_ONCE)
        out["agreement"] += told
        out["sentences"] += sentences
        out["flags"] += flags(made)
        out["consensus"] += consensus(made, found, items, kind)
        out["hardest"] += hardest(found, items, kind)
    out["hardest"].sort(key=lambda h: h["value"])
    del out["hardest"][20:]
    return out


def intervals(address: str, study_id: str) -> dict[str, Any]:
    """Agreement with its intervals: slower, on demand."""
    with reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
    told = [agreement(panels.panel(panels.columns(found, items, kind), kind)) for kind in _kinds(found)]
    sentences = [said for _, part in told for said in part]
    return {"as_of": stamp, "agreement": [row for part, _ in told for row in part], "sentences": sentences}


@contextmanager
def reading(address: str) -> Iterator[Connection]:
    """A connection to a database that is opened for it, and closed."""
    database = Database(address)
    try:
        with database.read() as connection:
            yield connection
    finally:
        database.close()


def _kinds(found: Judgments) -> list[str]:
    return [kind for kind in PANELS if any(j["kind"] == kind and j["role"] != "training" for j in found)]


def agreement(panel: Any, **options: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Every default method of a panel's kind, and what the answer says in words."""
    from quorate.verbs import agreement as ask
    from quorate.words.numbers import figure

    out = []
    answer = ask(panel, **options)
    for finding in answer.findings:
        for one in finding.overall:
            if not math.isfinite(float(one.value)):
                continue
            what = str(one.labels.get("criterion") or "")
            title = re.split("[:,]", finding.method.declaration.summary)[0].strip().rstrip(".")
            title = f"{title}, {what}" if what else title
            row = {"method": str(finding.method), "kind": panel.kind, "title": title, "value": float(one.value)}
            row |= {"text": figure(one.value), "summary": finding.method.declaration.summary}
            if one.interval is not None:
                row |= {"low": one.interval.low, "high": one.interval.high}
                row["text"] += ci(one, figure)
            out.append(row)
    return out, [str(fact) for fact in answer.facts if not getattr(fact, "expert", False)]


def flags(panel: Any) -> list[dict[str, Any]]:
    """Judges who are off, with what they do and the evidence."""
    from quorate.verbs import judges as ask
    from quorate.words.facts import named

    if len(panel.judges) < 3:
        return []
    answer = ask(panel, **AT_ONCE)
    told = {str(f.data.get("judge")): f.text for f in named(answer.facts, "off")}
    return [
        {"judge": str(f["judge"]), "diagnosis": f["diagnosis"], "p": f["p"], "text": told.get(str(f["judge"]), "")}
        for f in answer.more.get("flagged", ())
    ]


def consensus(panel: Any, found: Judgments, items: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """What the judges agree on so far, by the first method of the kind, task by task."""
    from quorate.verbs import consensus as ask
    from quorate.words.numbers import two

    finding = ask(panel, **AT_ONCE).findings[0]
    ids = {j["task"]: j["task_id"] for j in found}
    texts = {i["name"]: {"name": i["name"], "text": i["text"]} for i in items.values()}

    def spelled(groups: Any) -> list[list[Any]]:
        return [[texts.get(str(one), str(one)) for one in group] for group in groups]

    out: dict[str, dict[str, Any]] = {}
    for row in finding.rows():
        name = str(row["task"])
        if name not in out and len(out) >= MOST_TASKS:
            break
        about = {"task": ids.get(name), "title": name, "kind": kind, "method": str(finding.method)}
        one = out.setdefault(name, about)
        if finding.called == "ranking":
            one["order"] = spelled(row["ranking"])
        elif finding.called == "groups":
            one["groups"] = spelled(row["groups"])
        elif row[finding.called] is not None:
            item = str(row.get("item"))
            scored = one.setdefault("rows", {}).setdefault(
                item, {"item": item, "text": texts[item]["text"], "scores": {}}
            )
            scored["scores"][str(row.get("criterion") or "score")] = two(row[finding.called])
    return [{**one, "rows": list(one["rows"].values())} if "rows" in one else one for one in out.values()]


def task_agreement(found: Judgments, items: Mapping[str, Any], kind: str) -> dict[str, float]:
    """How much the judges of each task agree, by the first method of the kind; tasks by their ids."""
    from quorate.table import methods
    from quorate.verbs import agreement as ask

    first = methods(PANELS[kind], "agreement", default=True)[0]
    out: dict[str, float] = {}
    for task_id, own in _by_task(found, kind).items():
        if len({j["judge"] for j in own}) < 2 or len(out) >= MOST_TASKS:
            continue
        made = panels.panel(panels.columns(own, items, kind), kind)
        values = [float(o.value) for f in ask(made, first, **AT_ONCE).findings for o in f.overall]
        known = [v for v in values if math.isfinite(v)]
        if known:
            out[task_id] = sum(known) / len(known)
    return out


def _by_task(found: Judgments, kind: str) -> dict[str, Judgments]:
    out: dict[str, Judgments] = {}
    for one in found:
        if one["kind"] == kind and one["role"] != "training":
            out.setdefault(one["task_id"], []).append(one)
    return out


def hardest(found: Judgments, items: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """Tasks by how little their judges agree."""
    from quorate.words.numbers import figure

    names = {j["task_id"]: j["task"] for j in found}
    told = task_agreement(found, items, kind)
    return [
        {"task": t, "title": names[t], "kind": kind, "value": v, "text": f"agreement {figure(v)}"}
        for t, v in told.items()
    ]


def consistency(found: Judgments, items: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Judges against themselves: tasks that were planted again, first time against second."""
    from quorate.table import methods
    from quorate.verbs import agreement as ask
    from quorate.words.numbers import figure

    out = []
    for kind in _kinds(found):
        again = {(j["judge"], j["task_id"]) for j in found if j["occasion"] == 2 and j["kind"] == kind}
        first = methods(PANELS[kind], "agreement", default=True)[0]
        for judge in sorted({judge for judge, _ in again}):
            own = [
                {**j, "judge": f"{judge}, occasion {j['occasion']}", "occasion": 1}
                for j in found
                if j["kind"] == kind and j["judge"] == judge and (judge, j["task_id"]) in again
            ]
            value = ask(panels.panel(panels.columns(own, items, kind), kind), first, **AT_ONCE).findings[0].value
            tasks = sum(1 for who, _ in again if who == judge)
            text = f"{figure(value)} by {first} with the same task earlier ({tasks} repeated)"
            out.append({"judge": judge, "value": None if math.isnan(float(value)) else float(value), "text": text})
    return out


def gold(found: Judgments) -> list[dict[str, Any]]:
    """Judges on tasks whose answer is known: the share that is right."""
    from quorate.words.numbers import share

    right: dict[str, list[float]] = {}
    for one in found:
        if one["role"] == "gold":
            right.setdefault(one["judge"], []).append(answers.compared(one["state"], one["shown"], one)[0])
    out = []
    for judge, shares in right.items():
        mean = sum(shares) / len(shares)
        out.append({"judge": judge, "value": mean, "text": f"{share(mean)} right on {len(shares)} known answers"})
    return sorted(out, key=lambda g: g["value"])


# -- adjudication ----------------------------------------------------------------------------------------------------


def adjudication(address: str, study_id: str) -> dict[str, Any]:
    """Tasks with the worst disagreement first, every judgment of them, and a suggestion from the consensus."""
    with reading(address) as connection:
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
        definition = studies.definition_of(connection, study_id)
        about = {r["id"]: r for r in rows.every(connection, select(task).where(task.c.study_id == study_id))}
        decided = _decisions(connection, study_id)
    out = []
    for kind in _kinds(found):
        told = task_agreement(found, items, kind)
        for task_id, own in _by_task(found, kind).items():
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
    finding = ask(panels.panel(panels.columns(own, items, kind), kind), **AT_ONCE).findings[0]
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


# -- which task next -------------------------------------------------------------------------------------------------


def plan(address: str, study_id: str) -> dict[str, Any]:
    """Adaptive collection: whether the declared rule says stop, and how much each task's verdict hangs on one judge.

    A task's priority is the share of its judges without whom its consensus is another one; a task with fewer judges
    than the rule asks for comes first.
    """
    with reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        rule = studies.definition_of(connection, study_id)["stopping"]
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
    width = _width(found, items, rule["method"])
    reached = width is not None and width <= rule["width"]
    tasks = {}
    for kind in _kinds(found):
        for task_id, own in _by_task(found, kind).items():
            judges = sorted({j["judge"] for j in own})
            priority = 1.0 if len(judges) < 2 else _hangs(own, items, kind, judges)
            more = not reached and priority > 0 and rule["least"] <= len(judges) < rule["most"]
            wanted = len(judges) + 1 if more else max(rule["least"], len(judges))
            tasks[task_id] = {"priority": priority, "wanted": min(wanted, rule["most"] or wanted)}
    return {"as_of": stamp, "stop": reached, "width": width, "rule": rule, "tasks": tasks}


def _width(found: Judgments, items: Mapping[str, Any], method: str) -> float | None:
    """How wide the interval of the declared method is; the widest where it is of several criteria."""
    from quorate.errors import QuorateError
    from quorate.verbs import agreement as ask

    for kind in _kinds(found):
        try:
            answer = ask(panels.panel(panels.columns(found, items, kind), kind), method)
        except QuorateError:
            continue
        known = [o.interval for o in answer.findings[0].overall if o.interval is not None]
        if known:
            return float(max(i.high - i.low for i in known))
    return None


def _hangs(own: Judgments, items: Mapping[str, Any], kind: str, judges: Sequence[str]) -> float:
    """The share of judges without whom the consensus of a task is another one."""
    whole = comparable(own, items, kind)
    without = [comparable([j for j in own if j["judge"] != judge], items, kind) for judge in judges]
    return float(sum(w != whole for w in without) / len(judges))


def comparable(own: Judgments, items: Mapping[str, Any], kind: str) -> Any:
    """The consensus of one task, in a form that can be compared."""
    from quorate.verbs import consensus as ask

    finding = ask(panels.panel(panels.columns(own, items, kind), kind), **AT_ONCE).findings[0]
    if kind == "score":  # the order of the means: their last digits always change
        ordered = sorted((r for r in finding.rows() if r["value"] is not None), key=lambda r: -r["value"])
        return [(r.get("criterion"), r["item"]) for r in ordered]
    return [row[finding.called] for row in finding.rows()]
