"""Label Studio: tasks with their annotations (JSON), or a row per annotation (JSON_MIN, CSV, TSV).

A task is an item, a control of the labeling interface a criterion, whoever completed an annotation a judge. Choices and
taxonomies are labels, ratings and numbers scores; a ranker gives orderings (groupings with several buckets), a pairwise
control votes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any, cast

from quorate.formats.archives import inside
from quorate.formats.files import File, Sink
from quorate.formats.json_records import Record, records
from quorate.formats.judgments import MODELS, SHARED, Judgments, export, models_left, system_of
from quorate.formats.limits import annotation_rows, as_text, refuse
from quorate.formats.recognise import tells
from quorate.formats.table_records import any_rows, heads
from quorate.panel.base import many
from quorate.panel.kinds import Panel, Scores

# Keys of a value that is about a part of the item.
REGION = {"start", "end", "startOffset", "x", "y", "points", "ranges", "rle", "sequence", "globalOffsets"}
TEXT = ("text", "textarea", "datetime", "html", "video", "reactcode")
PLACES = (("left", "right"), ("1", "2"), ("a", "b"), ("A", "B"), ("one", "two"))
NAMES = re.compile(r"model|system|generator|engine|source", re.IGNORECASE)
ROWS = "annotator annotation_id lead_time|created_at|updated_at"  # columns that tell a flat export
META = {
    *("id", "inner_id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "history"),
    *("was_cancelled", "file_upload", "total_annotations", "cancelled_annotations", "total_predictions", "project"),
    *("meta", "comment_count"),
}
KEYS = ("annotations|completions data|annotations[].result", "task.data completed_by result", ROWS)
RESULT = re.compile(r'\[?\{"(choices|taxonomy|rating|number|selected|ranker)"')  # a control's answer, as JSON
FEW = 20  # values that a column of labels has at most, unless annotators differ in it


def walk(file: File, found: Judgments, encoding: str, models: bool = False) -> None:
    """What is in one file, or in a folder or an archive of them: a file per task or per annotation."""
    members = inside(file)
    taken = [f for f in members if members == (file,) or tells(f, KEYS, (ROWS,))]
    if len(taken) < len(members):
        passed = [f.base for f in members if f not in taken]
        found.note(f"{file.name}: {many(len(passed), 'other file')} passed over ({', '.join(passed[:5])})")
    for member in taken:
        found.begin(member)
        if heads(member) or tells(member, (ROWS,)):
            _rows(member, found, encoding)
        else:
            found.became("item", "id")
            found.became("judge", "completed_by")
            found.each(records(member, encoding), partial(_task, found, models))


def _task(found: Judgments, models: bool, number: int, task: Record) -> None:
    if isinstance(task.get("task"), dict) and "result" in task:  # as storages keep it: an annotation with its task
        task = {**task["task"], "annotations": [task]}
    done = task.get("annotations", task.get("completions"))
    data = task.get("data") if isinstance(task.get("data"), dict) else {}
    if not isinstance(done, list) or not all(isinstance(a, dict) for a in done):
        found.wrong(number, "no list of annotations")
        return
    about = {"item": task.get("id", task.get("inner_id", number)), **system_of(data or {}, found)}
    people = {"judge_kind": "human"} if models else {}
    for one in done:
        if one.get("was_cancelled") or one.get("skipped"):
            found.skip("cancelled annotation")
        else:
            _results(number, one, data, found, {**about, "judge": _who(one, found), **people})
    if task.get("drafts"):
        found.skip("draft", times=len(task["drafts"]))
    told = [p for p in task.get("predictions") or [] if isinstance(p, dict) and p.get("result")]
    if not models:
        models_left(found, "prediction", len(told))
        return
    for one in told:
        version = one.get("model_version") or one.get("model") or "model"
        _results(number, one, data, found, {**about, "judge": str(version), "judge_kind": "llm"})


def _who(annotation: Record, found: Judgments) -> Any:
    """Who completed an annotation: a number, or of a user the address or name."""
    by = annotation.get("completed_by", annotation.get("created_username"))
    if isinstance(by, dict):
        name = " ".join(str(by.get(n) or "") for n in ("first_name", "last_name")).strip()
        by = next((v for v in (by.get("email"), by.get("username"), name, by.get("id")) if v not in (None, "")), None)
    if by in (None, ""):
        found.note("annotations without completed_by are by the judge 'unknown'")
        return "unknown"
    return by


def _results(number: int, annotation: Record, data: Any, found: Judgments, about: Record) -> None:
    results = annotation.get("result")
    if not isinstance(results, list) or not all(isinstance(r, dict) for r in results):
        found.wrong(number, "an annotation has no list of results")
        return
    if not results:
        found.skip("empty annotation")
    seen: set[Any] = set()
    for result in results:
        value, name = result.get("value"), result.get("from_name") or result.get("type")
        if result.get("type") == "relation":
            found.skip("relation* between regions")
        elif not isinstance(value, dict):
            found.wrong(number, f"the control '{name}' has no value")
        else:
            again = name in seen
            seen.add(name)
            criterion = f"{name} ({result.get('to_name')})" if again else name
            _answer(number, criterion, value, data, str(result.get("to_name") or ""), found, about)


def _answer(number: int, name: Any, value: Record, data: Any, to_name: str, found: Judgments, about: Record) -> None:
    """One control's answer, known by the key it is under."""
    if "item_index" in value:
        about = {**about, "item": f"{about['item']}#{value['item_index']}"}
    if value.keys() & REGION:
        found.skip(f"mark* on a region ('{name}')")
    elif kind := next((k for k in ("choices", "taxonomy", "rating", "number") if k in value), None):
        found.became("criterion", str(name))
        say = found.choice if kind in ("choices", "taxonomy") else found.score
        say(number, value[kind], criterion=name, **about)
    elif "selected" in value:
        _vote(number, value["selected"], data or {}, to_name, found, about)
    elif "ranker" in value:
        _ranking(number, name, value["ranker"], found, about)
    else:
        what = next((k for k in TEXT if k in value), None)
        found.skip(f"free text* ('{name}')" if what else f"answer* of a sort that is no judgment ('{name}')")


def _vote(number: int, selected: Any, data: Record, to_name: str, found: Judgments, about: Record) -> None:
    if selected not in ("left", "right"):
        found.skip("pair* without a choice")
        return
    first, second = _sides(data, to_name, found)
    cells = {"task": about["item"], "judge": about["judge"], "model_a": first, "model_b": second}
    kinds = {"judge_kind": about["judge_kind"]} if "judge_kind" in about else {}
    found.add("votes", number, winner="model_a" if selected == "left" else "model_b", **cells, **kinds)


def _sides(data: Record, to_name: str, found: Judgments) -> tuple[Any, Any]:
    """The two systems of a pair: fields such as model1 and model2, or else the two texts' own names."""
    for one in (n for n in data if NAMES.search(n) and isinstance(data[n], str)):
        for a, b in PLACES:
            other = one.replace(a, b, 1)
            if other != one and isinstance(data.get(other), str):
                found.became("model_a", one)
                found.became("model_b", other)
                return data[one], data[other]
    names = [n.strip() for n in to_name.split(",")]
    first, second = names if len(names) == 2 else ("left", "right")
    found.note(f"no field names the two systems of a pair: they are called {first} and {second}")
    return first, second


def _ranking(number: int, name: Any, ranker: Any, found: Judgments, about: Record) -> None:
    buckets = ranker if isinstance(ranker, dict) else {"_": ranker}
    if not all(isinstance(b, list) and all(isinstance(i, str | int) for i in b) for b in buckets.values()):
        found.wrong(number, f"the ranker '{name}' has no list of items")
        return
    task, judge = about["item"], about["judge"]
    if len(buckets) == 1:
        found.order(number, ([i] for i in next(iter(buckets.values()))), task=task, judge=judge)
        return
    for bucket, members in buckets.items():
        for item in members:
            found.add("groupings", number, task=task, judge=judge, item=item, group=None if bucket == "_" else bucket)


def _rows(file: File, found: Judgments, encoding: str) -> None:
    """A row per annotation; which columns are controls is told by their content."""

    names = controls(any_rows(file, encoding), not heads(file), found)

    def take(number: int, row: Record) -> None:
        judge = row.get("annotator", row.get("completed_by"))
        if judge in (None, "", {}):
            found.skip("task* without an annotation")
            return
        if str(row.get("was_cancelled")).lower() == "true":
            found.skip("cancelled annotation")
            return
        who = _who({"completed_by": judge}, found)
        about = {"item": row.get("id", number), "judge": who, **system_of(row, found)}
        for name in names:
            value = row.get(name)
            if isinstance(value, str) and value[:1] in "[{":
                with suppress(ValueError):
                    value = json.loads(value)
            value = value[0] if isinstance(value, list) and len(value) == 1 else value
            if isinstance(value, dict):
                _answer(number, name, value, row, "", found, about)
            elif isinstance(value, list) and any(isinstance(v, dict) for v in value):
                found.skip(f"mark* on a region ('{name}')", times=len(value))
            elif value not in (None, ""):
                found.became("criterion", name)
                found.score(number, value, criterion=name, **about)

    found.each(any_rows(file, encoding), take)


def controls(rows: Iterable[tuple[int, dict[str, Any]]], ordered: bool, found: Judgments) -> list[str]:
    """The controls among the columns of a flat export, which does not say; the others are data of the tasks.

    JSON_MIN (``ordered``) writes data, then ``id``, then controls, then who annotated, unless the data have an ``id``
    of their own, which then comes first; CSV has its columns in the order of the alphabet. There a control is a column
    that annotators of one task fill differently; where no task has two, or they all agree, one with few values.
    """
    if found.criteria:
        return list(found.criteria)
    names: dict[str, None] = {}
    first: dict[str, dict[Any, int]] = {}
    differ: set[str] = set()
    values: dict[str, set[int]] = {}
    count = 0
    for _, row in rows:
        count += 1
        told = list(row)
        ordered = ordered and told[0] != "id" and "annotator" in row
        if ordered and "id" in row:
            names |= dict.fromkeys(told[told.index("id") + 1 : told.index("annotator")])
            continue
        for name in told:
            if name not in META and row[name] not in (None, ""):
                key = hash(str(row[name]))
                if RESULT.match(row[name] if isinstance(row[name], str) else json.dumps(row[name])):
                    differ.add(name)
                if first.setdefault(name, {}).setdefault(str(row.get("id")), key) != key:
                    differ.add(name)
                if len(seen := values.setdefault(name, set())) <= FEW:
                    seen.add(key)
    if ordered:
        return [n for n in names if n not in META]
    few = [n for n, seen in values.items() if len(seen) <= FEW and len(seen) * 2 <= max(count, 4)]
    chosen = [n for n in first if n in differ] or few
    rest = [n for n in first if n not in chosen]
    if chosen:
        found.guess(
            f"the columns {', '.join(chosen)} are taken as controls, {', '.join(rest) or 'none'} as data",
            f"--criteria {','.join(chosen)}",
        )
    return chosen


def write(panel: Panel, sink: Sink) -> None:
    """A panel of scores as one JSON array of tasks."""
    refuse(panel, "labelstudio", kinds=("scores",), counts=True)
    panel = cast(Scores, panel)
    rows = annotation_rows(panel, "labelstudio")
    as_text(panel.item, "item", "labelstudio"), as_text(panel.judge, "judge", "labelstudio")
    tasks: dict[Any, dict[Any, list[dict[str, Any]]]] = {}
    kind = "choices" if panel.scale else "number"
    for item, system, judge, occasion, criterion, given in rows:
        result = tasks.setdefault((item, system), {}).setdefault((judge, occasion), [])
        if given is not None and given == given:
            value = {kind: [given] if panel.scale else given}
            result.append({"from_name": criterion, "to_name": "item", "type": kind, "value": value})
    with sink.text() as stream:
        stream.write("[")
        for place, ((item, made_by), done) in enumerate(tasks.items()):
            data = {"item": item, **({"system": made_by} if made_by is not None else {})}
            found = [{"completed_by": judge, "was_cancelled": False, "result": r} for (judge, _), r in done.items()]
            stream.write(",\n" if place else "\n")
            json.dump({"id": item, "data": data, "annotations": found}, stream, ensure_ascii=False)
        stream.write("\n]\n")


LABELSTUDIO = export(
    "labelstudio",
    "Label Studio's JSON, JSON_MIN and CSV: an annotator a judge, a control a criterion",
    ("scores", "votes", "orderings", "groupings"),
    walk,
    (*SHARED, MODELS),
    write=write,
    keys=KEYS,
    columns=(ROWS,),
    folders=True,
)
