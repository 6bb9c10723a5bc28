"""What a lead sees of a study: the existing answers to the five questions, asked of what was submitted so far.

Everything here runs in a child process (:mod:`quorate.web.child`), so that saving never waits for a figure. It reads
the database, builds ordinary panels and asks the verbs; there is no statistics of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from quorate.errors import QuorateError
from quorate.store import answers as known_answers
from quorate.store import panels, submissions
from quorate.store.database import Database
from quorate.store.definition import PANELS
from quorate.table import QUESTIONS, Declaration, Method
from quorate.words.wording import ci, upper

JUST_VALUES: dict[str, Any] = {"resamples": 0, "permutations": 0}
FEW_ROWS = 10_000  # of which agreement by chance is known within a second
MOST_TASKS = 300  # that are told apart on the dashboard
Judgments = list[dict[str, Any]]


def progress(address: str, study_id: str) -> dict[str, Any]:
    """What can be said at once, kind by kind: words, point values, flags, consensus, hardest tasks, as of one event."""
    with reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
    lists = ("screens", "agreement", "flags", "consensus", "hardest")
    out: dict[str, Any] = {"as_of": stamp, **{name: [] for name in lists}}
    out["consistency"], out["gold"] = consistency(found, items), gold(found)
    for kind in kinds_of(found):
        made = panels.panel(panels.columns(found, items, kind), kind)
        at_once = {"resamples": 0} if len(made) <= FEW_ROWS else JUST_VALUES
        answers = asked(made, ("agreement", "judges", "consensus", "quality"), **at_once)
        out["screens"].append(screen(made, answers, kind))
        out["agreement"] += agreement(answers["agreement"])
        out["flags"] += flags(answers["judges"], kind)
        out["consensus"] += consensus(answers["consensus"], found, items, kind)
        out["hardest"] += hardest(found, items, kind)
    out["hardest"].sort(key=lambda h: h["value"])
    del out["hardest"][20:]
    return out


def intervals(address: str, study_id: str) -> dict[str, Any]:
    """The same words with intervals, how sure it is and what to do next: slower, on demand."""
    with reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        found = submissions.submitted(connection, study_id)
        items = submissions.names(connection, study_id)
    out: dict[str, Any] = {"as_of": stamp, "screens": [], "agreement": []}
    for kind in kinds_of(found):
        made = panels.panel(panels.columns(found, items, kind), kind)
        answers = asked(made, QUESTIONS)
        out["screens"].append(screen(made, answers, kind))
        out["agreement"] += agreement(answers["agreement"])
    return out


@contextmanager
def reading(address: str) -> Iterator[Connection]:
    """A connection to a database that is opened for it, and closed."""
    database = Database(address)
    try:
        with database.read() as connection:
            yield connection
    finally:
        database.close()


def kinds_of(found: Judgments) -> list[str]:
    """The kinds of page of which something was submitted."""
    return [kind for kind in PANELS if any(j["kind"] == kind and j["role"] != "training" for j in found)]


def asked(panel: Any, questions: Sequence[str], **options: Any) -> dict[str, Any]:
    """The answers to some of the five questions; None where there is nothing to answer yet."""
    from quorate import verbs

    out: dict[str, Any] = {}
    for question in questions:
        try:
            out[question] = getattr(verbs, question)(panel, **options)
        except QuorateError:  # too little so far, or no systems to speak of
            out[question] = None
    return out


def screen(panel: Any, answers: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The first screen of the report, of what there is so far; how sure it is and what to do take intervals."""
    from quorate.words.headline import first_screen

    told = first_screen(panel, {question: answers.get(question) for question in QUESTIONS})
    sure = "trust" in answers
    return {
        "kind": kind,
        "headline": told.headline,
        "sub": told.sub,
        "tiles": [
            {"name": t.name, "asks": t.asks, "word": t.word, "figure": upper(t.figure), "note": t.note, "tone": t.tone}
            for t in told.tiles
            if sure or t.name != "certainty"
        ],
        "steps": [{"do": s.do, "why": s.why} for s in told.steps] if sure else [],
    }


def title_of(declared: Declaration) -> str:
    """What a method is called in words: how its summary begins."""
    return re.split("[:,]", declared.summary)[0].strip().rstrip(".")


def agreement(answer: Any) -> list[dict[str, Any]]:
    """Every measure of an answer, for those who ask for it by name."""
    from quorate.words.numbers import figure

    out = []
    for finding in answer.findings if answer else ():
        for one in finding.overall:
            if not math.isfinite(float(one.value)):
                continue
            what = str(one.labels.get("criterion") or "")
            title = f"{title_of(finding.method.declaration)}, {what}" if what else title_of(finding.method.declaration)
            kind = finding.method.declaration.kind
            row = {"method": str(finding.method), "kind": kind, "title": title, "value": float(one.value)}
            row |= {"text": figure(one.value), "summary": finding.method.declaration.summary}
            if one.interval is not None:
                row |= {"low": one.interval.low, "high": one.interval.high}
                row["text"] += ci(one, figure)
            out.append(row)
    return out


def flags(answer: Any, kind: str) -> list[dict[str, Any]]:
    """Judges who are off, with what they do and the evidence."""
    from quorate.words.facts import named

    if answer is None:
        return []
    told = {str(f.data.get("judge")): f.text for f in named(answer.facts, "off")}
    return [
        {"judge": (who := str(f["judge"])), "kind": kind, "diagnosis": f["diagnosis"], "p": f["p"], "text": told[who]}
        for f in answer.more.get("flagged", ())
    ]


def consensus(answer: Any, found: Judgments, items: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """What the judges agree on so far, by the first method of the kind, task by task."""
    from quorate.words.numbers import two

    if answer is None:
        return []
    finding = answer.findings[0]
    ids = {j["task"]: j["task_id"] for j in found if j["kind"] == kind}
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

    first = methods(PANELS[kind], "agreement", default=True)[0]
    several = {t: own for t, own in by_task(found, kind).items() if len({j["judge"] for j in own}) > 1}
    if kind in ("order", "group") and several:  # whose figures are means over tasks: all at once
        every = [j for own in several.values() for j in own]
        rows = _asked_of(every, items, kind, first).rows()
        by_name = {str(row["task"]): float(row["value"]) for row in rows if row["value"] is not None}
        told = {t: [by_name[own[0]["task"]]] for t, own in several.items() if own[0]["task"] in by_name}
    else:
        some = list(several.items())[:MOST_TASKS]
        told = {t: [float(o.value) for o in _asked_of(own, items, kind, first).overall] for t, own in some}
    known = {t: [v for v in values if math.isfinite(v)] for t, values in told.items()}
    return {t: sum(values) / len(values) for t, values in known.items() if values}


def _asked_of(some: Judgments, items: Mapping[str, Any], kind: str, method: Method) -> Any:
    """What a method of agreement finds in some judgments."""
    from quorate.verbs import agreement as ask

    return ask(panels.panel(panels.columns(some, items, kind), kind), method, **JUST_VALUES).findings[0]


def by_task(found: Judgments, kind: str) -> dict[str, Judgments]:
    """The judgments of a kind, task by task."""
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
    from quorate.panel.base import many
    from quorate.table import methods
    from quorate.words.numbers import figure

    out = []
    for kind in kinds_of(found):
        again = {(j["judge"], j["task_id"]) for j in found if j["occasion"] == 2 and j["kind"] == kind}
        first = methods(PANELS[kind], "agreement", default=True)[0]
        for judge in sorted({judge for judge, _ in again}):
            own = [
                {**j, "judge": f"{judge}, occasion {j['occasion']}", "occasion": 1}
                for j in found
                if j["kind"] == kind and j["judge"] == judge and (judge, j["task_id"]) in again
            ]
            value = _asked_of(own, items, kind, first).value
            tasks = sum(1 for who, _ in again if who == judge)
            text = f"agreement {figure(value)} with their own earlier answers ({many(tasks, 'task')} repeated)"
            known = None if math.isnan(float(value)) else float(value)
            out.append({"judge": judge, "kind": kind, "value": known, "text": text})
    return out


def gold(found: Judgments) -> list[dict[str, Any]]:
    """Judges on tasks whose answer is known: the share that is right."""
    from quorate.words.numbers import share

    right: dict[str, list[float]] = {}
    for one in found:
        if one["role"] == "gold":
            right.setdefault(one["judge"], []).append(known_answers.compared(one["state"], one["shown"], one)[0])
    out = []
    for judge, shares in right.items():
        mean = sum(shares) / len(shares)
        out.append({"judge": judge, "value": mean, "text": f"{share(mean)} right on {len(shares)} known answers"})
    return sorted(out, key=lambda g: g["value"])
