"""Argilla: records with responses, as JSON or as rows of a data set, of versions 1 and 2.

A record is an item, a question a criterion, a user a judge. Rankings give orderings; of other questions labels, several
labels and ratings are scores. Suggestions are what models said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from quorate.formats.files import File, Sink
from quorate.formats.json_records import Record, records
from quorate.formats.judgments import MODELS, SHARED, Judgments, export, models_left, system_of
from quorate.formats.limits import annotation_rows, refuse
from quorate.panel.kinds import Panel

Answer = tuple[str, Any, Any, Any]  # question, user, value, status
LEFT = ("discarded", "draft", "pending")  # responses that are none
USER = ("user_id", "user", "username")


def walk(file: File, found: Judgments, encoding: str, models: bool = False) -> None:
    """What is in one file."""
    lists: dict[str, list[tuple[int, Any, Record]]] = {}  # of questions answered with several words

    def take(number: int, record: Record) -> None:
        item = next((record[n] for n in ("id", "external_id", "_server_id") if record.get(n) is not None), number)
        meta = record.get("metadata") if isinstance(record.get("metadata"), dict) else record
        about = {"item": item, **system_of(meta or {}, found)}
        suggested = list(_suggestions(record))
        for question, user, value, status in _responses(record):
            if status in LEFT:
                found.skip(f"{status} response")
            else:
                judge = {"judge": user, **({"judge_kind": "human"} if models else {})}
                _answer(number, question, value, found, {**about, **judge}, lists)
        if not models:
            models_left(found, "suggestion", len(suggested))
        for question, agent, value, _ in suggested if models else []:
            _answer(number, question, value, found, {**about, "judge": agent, "judge_kind": "llm"}, lists)

    found.each(records(file, encoding), take)
    _settle(found, lists)


def _responses(record: Record) -> Iterator[Answer]:
    """The responses of a record, in any of the forms that Argilla has given them."""
    told = record.get("responses")
    if isinstance(told, dict):  # by question
        for question, given in told.items():
            for one in given or []:
                yield question, _user(one), one["value"], one.get("status")
    elif isinstance(told, list):  # by user
        for one in told:
            for question, given in (one.get("values") or {}).items():
                yield question, _user(one), given["value"] if isinstance(given, dict) else given, one.get("status")
    for name, given in record.items():
        if name.endswith(".responses") and given:  # a row of a data set, version 2
            users, status = record.get(f"{name}.users") or [], record.get(f"{name}.status") or [None] * len(given)
            for user, value, state in zip(users, given, status, strict=True):
                yield name.removesuffix(".responses"), user, value, state
        elif f"{name}-suggestion" in record and given:  # version 1
            for one in _transposed(given):
                yield name, _user(one), one["value"], one.get("status")
    if "annotation_agent" in record and record.get("annotation") not in (None, []):  # version 0
        yield "annotation", record["annotation_agent"] or "unknown", record["annotation"], None


def _suggestions(record: Record) -> Iterator[Answer]:
    told = record.get("suggestions")
    if isinstance(told, dict):
        told = [{"question_name": question, **one} for question, one in told.items() if one]
    for one in told or []:
        if one.get("value") is not None:
            yield str(one.get("question_name", one.get("question_id"))), one.get("agent") or "model", one["value"], None
    for name, value in record.items():
        for mark in (".suggestion", "-suggestion"):
            if name.endswith(mark) and value is not None:
                more = record.get(f"{name}-metadata") or {}
                agent = record.get(f"{name}.agent") or (more.get("agent") if isinstance(more, dict) else None)
                yield name.removesuffix(mark), agent or "model", value, None
    for one in (record.get("prediction") or [])[:1] if "prediction_agent" in record else []:
        yield "annotation", record["prediction_agent"] or "model", one["label"], None


def _user(response: Record) -> Any:
    return next((response[n] for n in USER if response.get(n) is not None), "unknown")


def _transposed(given: Any) -> list[Record]:
    """Responses one by one; a data set may hold them as lists side by side."""
    if isinstance(given, dict):
        return [dict(zip(given, one, strict=True)) for one in zip(*given.values(), strict=True)]
    return list(given)


def _answer(number: int, question: str, value: Any, found: Judgments, about: Record, lists: Any) -> None:
    found.became("criterion", question)
    if isinstance(value, dict) and {"rank", "value"} <= value.keys():
        value = _transposed(value)
    if not isinstance(value, list) or not value:
        found.score(number, value, criterion=question, **about)
    elif all(isinstance(v, dict) and "rank" in v and "value" in v for v in value):
        places = sorted({v["rank"] for v in value})
        groups = [[v["value"] for v in value if v["rank"] == place] for place in places]
        found.order(number, groups, task=about["item"], judge=about["judge"])
    elif any(isinstance(v, dict) for v in value):
        found.skip(f"span annotation* ('{question}')")
    else:
        lists.setdefault(question, []).append((number, value, about))


def _settle(found: Judgments, lists: dict[str, list[tuple[int, Any, Record]]]) -> None:
    """Lists of words are rankings where each has the same words, in whatever order; else choices of several labels."""
    for question, given in lists.items():
        ranked = len(given[0][1]) > 1 and len({frozenset(map(str, v)) for _, v, _ in given}) == 1
        ranked = ranked and found.kind != "scores"
        if ranked and found.kind is None:
            found.guess(f"'{question}' is a ranking: all answers have the same words", "--kind orderings")
        take = _ranked if ranked else _several
        found.each(((n, (question, value, about)) for n, value, about in given), partial(take, found))


def _ranked(found: Judgments, number: int, told: tuple[str, Any, Record]) -> None:
    found.order(number, ([v] for v in told[1]), task=told[2]["item"], judge=told[2]["judge"])


def _several(found: Judgments, number: int, told: tuple[str, Any, Record]) -> None:
    found.score(number, told[1], criterion=told[0], **told[2])


def write(panel: Panel, sink: Sink) -> None:
    """A panel of scores as one JSON array of records, as version 2 writes them."""
    refuse(panel, "argilla", kinds=("scores",), counts=True, occasions=True)
    made: dict[Any, Record] = {}
    for item, system, judge, _, criterion, value in annotation_rows(panel, "argilla"):
        if value is not None and value == value:
            meta = {} if system is None else {"system": system}
            new: Record = {"id": item, "fields": {}, "metadata": meta, "suggestions": {}, "responses": {}}
            record = made.setdefault((item, system), new)
            record["responses"].setdefault(str(criterion), []).append({"value": value, "user_id": judge})
    with sink.text() as stream:
        stream.write("[" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in made.values()) + "]\n")


ARGILLA = export(
    "argilla",
    "Argilla's records, as JSON or rows of a data set: a user a judge, a question a criterion",
    ("scores", "orderings"),
    walk,
    (*SHARED, MODELS),
    write=write,
    keys=(
        "responses fields|suggestions|responses[].values",
        "*.responses",
        "*-suggestion *-suggestion-metadata",
        "annotation_agent prediction_agent",
    ),
)
