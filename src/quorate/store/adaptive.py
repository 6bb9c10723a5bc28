"""Adaptive collection: the rule that was declared beforehand, whether it says stop, and what to have judged next.

A page of orders, groups or scores asks for judges where the verdict of a task hangs on one of them. A page of votes
asks for the pairs whose votes are expected to tell most, as `quorate next` does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select, update

from quorate.errors import InputError, QuorateError
from quorate.store import panels, rows, studies, submissions
from quorate.store.assignment import pairs_each
from quorate.store.definition import PANELS, rule_question
from quorate.store.figures import JUST_VALUES, Judgments, by_task, reading, title_of
from quorate.store.ids import canonical
from quorate.store.schema import audit, task

SHOWN = 5  # tasks that are named as next
ENOUGH: dict[str, Any] = {"priority": 0.0, "why": "no more judges are wanted"}


def plan(address: str, study_id: str) -> dict[str, Any]:
    """Whether the declared rule says stop, and what each task of its page wants; runs in the child process.

    Every task gets as many judges as the rule asks for at least; then those with a priority get one more, up to the
    most, until the rule is met.
    """
    with reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        definition = studies.definition_of(connection, study_id)
        rule, kind = definition["stopping"], definition["stopping"]["page"]
        if not rule["method"]:
            raise InputError("the study declared no stopping rule.", "set stopping before judges begin.")
        found = [j for j in submissions.submitted(connection, study_id) if j["kind"] == kind]
        items = submissions.names(connection, study_id)
        query = select(task).where(task.c.study_id == study_id, task.c.kind == kind, task.c.role == "task")
        tasks = rows.every(connection, query.order_by(task.c.place))
    width = _width(found, items, rule)
    reached = width is not None and width <= rule["width"]
    judged = by_task(found, kind)
    votes = _votes(found, items, tasks, pairs_each(definition)) if kind == "vote" else {}
    out: dict[str, Any] = {}
    for one in tasks:
        own = judged.get(one["id"], [])
        judges = sorted({j["judge"] for j in own})
        enough = reached or (rule["most"] and len(judges) >= rule["most"])
        about = votes.get(one["id"]) or (ENOUGH if enough else _hangs(own, items, kind, judges))
        more = not enough and about["priority"] > 0 and rule["least"] <= len(judges)
        wanted = len(judges) + 1 if more else max(rule["least"], len(judges))
        out[one["id"]] = about | {"wanted": min(wanted, rule["most"] or wanted), "title": one["name"]}
    told = {"as_of": stamp, "stop": reached, "width": width, "rule": rule, "kind": kind}
    return told | {"next": [] if reached else _next(out, judged), "tasks": out}


def _next(tasks: Mapping[str, Any], judged: Mapping[str, Judgments]) -> list[dict[str, Any]]:
    """The tasks that are handed out first, with why."""
    open_ = {t: a for t, a in tasks.items() if len({j["judge"] for j in judged.get(t, [])}) < a["wanted"]}
    first = sorted(open_, key=lambda t: -open_[t]["priority"])[:SHOWN]
    return [{"task": t, "title": open_[t]["title"], "text": open_[t]["why"]} for t in first]


def _width(found: Judgments, items: Mapping[str, Any], rule: Mapping[str, Any]) -> float | None:
    """How wide the interval of the declared method is; the widest of several criteria or systems."""
    from quorate import verbs

    ask = getattr(verbs, rule_question(rule["method"], rule["page"]))
    try:
        answer = ask(panels.panel(panels.columns(found, items, rule["page"]), rule["page"]), rule["method"])
    except QuorateError:  # too little so far
        return None
    known = [o.interval for o in answer.findings[0].overall if o.interval is not None]
    return float(max(i.high - i.low for i in known)) if known else None


def _hangs(own: Judgments, items: Mapping[str, Any], kind: str, judges: Sequence[str]) -> dict[str, Any]:
    """The share of judges without whom the consensus of a task is another one."""
    if len(judges) < 2:
        return {"priority": 1.0, "why": f"{len(judges) or 'no'} judge{'' if judges else 's'} so far"}
    whole = comparable(own, items, kind)
    changed = sum(comparable([j for j in own if j["judge"] != who], items, kind) != whole for who in judges)
    why = f"leaving out one judge changes the consensus in {changed} of {len(judges)} cases"
    return {"priority": changed / len(judges), "why": why}


def comparable(own: Judgments, items: Mapping[str, Any], kind: str) -> Any:
    """The consensus of one task, in a form that can be compared."""
    from quorate.verbs import consensus as ask

    finding = ask(panels.panel(panels.columns(own, items, kind), kind), **JUST_VALUES).findings[0]
    if kind == "score":  # the order of the means: their last digits always change
        ordered = sorted((r for r in finding.rows() if r["value"] is not None), key=lambda r: -r["value"])
        return [(r.get("criterion"), r["item"]) for r in ordered]
    return [row[finding.called] for row in finding.rows()]


def _votes(
    found: Judgments, items: Mapping[str, Any], tasks: Sequence[Mapping[str, Any]], each: int
) -> dict[str, dict[str, Any]]:
    """Of each task its pairs, those first whose votes are expected to tell most, and what the first of them tell."""
    from quorate.table import parse
    from quorate.verbs import trust

    most = each or max((len(json.loads(t["pairs"])) for t in tasks), default=1)
    method = parse("next_pairs", "votes", "trust").with_(votes=most)
    try:
        told = trust(panels.panel(panels.columns(found, items, "vote"), "vote"), method, **JUST_VALUES).findings[0]
    except QuorateError:  # no votes so far
        return {}
    gain = {str(row["systems"]): (row["details"]["ask"], row["value"]) for row in told.rows()}
    met = Counter((j["task_id"], pair) for j in found for pair in j["state"]["choices"])
    out = {}
    for one in tasks:
        ranked = []
        for place, (pair, a, b) in enumerate(json.loads(one["pairs"])):
            names = [items[i]["system"] or items[i]["name"] for i in (a, b)]
            worth = gain.get(" and ".join(names)) or gain.get(" and ".join(reversed(names))) or (0, 0.0)
            ranked.append((-worth[0], -worth[1], met[one["id"], pair], place, [pair, a, b], names))
        ranked.sort()
        first = ranked[: each or len(ranked)]
        why = f"votes on {' and '.join(ranked[0][5])} tell most"
        about = {"priority": -sum(r[1] for r in first), "pairs": [r[4] for r in ranked], "why": why}
        out[one["id"]] = about
    return out


def applied(connection: Connection, study_id: str, found: Mapping[str, Any], who: str) -> None:
    """What each task wants is set as planned; the look that it took is logged."""
    for old in rows.every(connection, select(task).where(task.c.study_id == study_id)):
        about = found["tasks"].get(old["id"])
        if about is None:
            continue
        new = {"priority": about["priority"], "wanted": about["wanted"]}
        if "pairs" in about:
            new["pairs"] = canonical(about["pairs"])
        if any(old[name] != value for name, value in new.items()):
            connection.execute(update(task).where(task.c.id == old["id"]).values(new))
    said = {name: found[name] for name in ("as_of", "width", "stop", "next")}
    studies.audited(connection, study_id, who, "look", what="plan", **said)


def standing(connection: Connection, study_id: str) -> dict[str, Any] | None:
    """The declared rule in words, and how it stood when it was last looked at; None where there is none."""
    rule = studies.definition_of(connection, study_id)["stopping"]
    if not rule["method"]:
        return None
    query = select(audit.c.detail, audit.c.time).where(audit.c.study_id == study_id, audit.c.action == "look")
    plans = query.where(audit.c.detail.contains('"what":"plan"')).order_by(audit.c.number.desc()).limit(1)
    row = connection.execute(plans).one_or_none()
    last = None if row is None else {**json.loads(row.detail), "time": row.time}
    return {"rule": rule, "text": declared(rule), "last": last, "said": _said(rule, last)}


def declared(rule: Mapping[str, Any]) -> str:
    """The rule in a sentence."""
    from quorate.table import parse
    from quorate.words.numbers import two

    method = parse(rule["method"], PANELS[rule["page"]], rule_question(rule["method"], rule["page"]))
    what = title_of(method.declaration)
    most = f" and at most {rule['most']}" if rule["most"] else ""
    return (
        f"Declared beforehand: collect until the 95% interval of “{what}” is at most {two(rule['width'])} wide, "
        f"with at least {rule['least']}{most} judges a task."
    )


def _said(rule: Mapping[str, Any], last: Mapping[str, Any] | None) -> str:
    """Where it stands."""
    from quorate.words.numbers import two

    if last is None:
        return "Not looked at yet."
    if last["width"] is None:
        return "So far there is no interval, since judgments are too few or all alike: go on."
    if last["stop"]:
        return f"It is {two(last['width'])} wide: enough. No task gets more judges than it has to have."
    return f"It is {two(last['width'])} wide: go on."
