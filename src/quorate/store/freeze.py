"""Freezing: a gold standard of a study as of one event; immutable, numbered, hashed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, func, insert, select

from quorate.errors import InputError
from quorate.store import bundle, figures, rows, studies, submissions
from quorate.store.definition import PANELS
from quorate.store.ids import canonical, now, uuid7
from quorate.store.schema import (
    assignment,
    decision,
    event,
    exclusion,
    freeze,
    item,
    judge,
    study_version,
    submission,
    task,
)


def raw(connection: Connection, study_id: str) -> bundle.Raw:
    """All that a gold standard rests on."""
    newest = (
        select(submission.c.assignment_id, func.max(submission.c.seq).label("submitted"))
        .group_by(submission.c.assignment_id)
        .subquery()
    )
    assignments = (
        select(assignment.c.id, assignment.c.occasion, assignment.c.place, assignment.c.seed, assignment.c.shown)
        .add_columns(task.c.name.label("task"), task.c.kind, task.c.role, judge.c.id.label("judge_id"))
        .add_columns(judge.c.name.label("judge"), judge.c.kind.label("judge_kind"), newest.c.submitted)
        .join(task, task.c.id == assignment.c.task_id)
        .join(judge, judge.c.id == assignment.c.judge_id)
        .join(newest, newest.c.assignment_id == assignment.c.id, isouter=True)
        .where(assignment.c.study_id == study_id)
        .order_by(task.c.place, judge.c.created, judge.c.name, assignment.c.occasion)
    )
    out = rows.every(connection, assignments)
    for row in out:
        row["shown"] = _document(row["shown"])
    own = select(event).where(event.c.study_id == study_id).order_by(event.c.assignment_id, event.c.seq)
    left_out = select(exclusion).where(exclusion.c.study_id == study_id, exclusion.c.lifted.is_(None))
    decided = (
        select(decision.c.state, decision.c.reason, decision.c.time, task.c.name.label("task"))
        .join(task, task.c.id == decision.c.task_id)
        .where(decision.c.study_id == study_id)
        .order_by(decision.c.time, decision.c.id)
    )
    items = select(item.c.id, item.c.name, item.c.text, item.c.source, item.c.date, item.c.system)
    return {
        "study": studies.definition_of(connection, study_id),
        "items": rows.every(connection, items.where(item.c.study_id == study_id).order_by(item.c.name)),
        "assignments": out,
        "events": [{**e, "branch": bool(e["branch"])} for e in rows.every(connection, own)],
        "exclusions": rows.every(connection, left_out.order_by(exclusion.c.time)),
        "decisions": [{**d, "state": _document(d["state"])} for d in rows.every(connection, decided)],
    }


def _document(text: str) -> Any:
    return json.loads(text)


def make(
    address: str,
    study_id: str,
    number: int,
    methods: Mapping[str, str],
    *,
    with_report: bool = True,
    formats: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The bundle of a study as it is now; runs in the child process."""
    with figures.reading(address) as connection:
        stamp = submissions.as_of(connection, study_id)
        everything = raw(connection, study_id)
        row = studies.found(connection, study_id)
        query = select(study_version.c.hash).where(study_version.c.study_id == study_id)
        mark = connection.execute(query.where(study_version.c.number == row["version"])).scalar_one()
    chosen = _methods(everything, methods)
    about = {
        "study": study_id,
        "title": row["title"],
        "version": row["version"],
        "version_hash": mark,
        "number": number,
        "as_of": stamp,
        "methods": chosen,
        "seed": everything["study"]["seed"],
    }
    data, manifest = bundle.packed(everything, about, with_report=with_report, formats=formats)
    return {"bundle": data, "manifest": manifest, "hash": bundle.seal(manifest), "as_of": stamp}


def _methods(everything: bundle.Raw, wanted: Mapping[str, str]) -> dict[str, str]:
    """A method of consensus for every kind that has judgments: as named, or the kind's first."""
    from quorate.table import methods, parse

    kinds = [
        kind
        for kind in PANELS
        if any(j["kind"] == kind and j["role"] != "training" for j in bundle.judgments(everything))
    ]
    if not kinds:
        raise InputError("there is nothing to freeze yet.", "wait for the first submission.")
    for kind in wanted:
        if kind not in kinds:
            raise InputError(f"there are no judgments of kind '{kind}'.", f"kinds: {', '.join(kinds)}.")
    usual = {kind: str(methods(PANELS[kind], "consensus", default=True)[0]) for kind in kinds}
    return {kind: str(parse(wanted.get(kind, usual[kind]), PANELS[kind], "consensus")) for kind in kinds}


def by_kind(kinds: Sequence[str], named: Sequence[str]) -> dict[str, str]:
    """Methods that were named without their kinds: each is of the first kind that has such a method."""
    from quorate.errors import UnknownMethod
    from quorate.table import parse

    out: dict[str, str] = {}
    for text in named:
        for kind in kinds:
            with suppress(UnknownMethod):
                out.setdefault(kind, str(parse(text, PANELS[kind], "consensus")))
                break
        else:
            parse(text, PANELS[kinds[0]], "consensus")  # which says what there is
    return out


def offered(kinds: list[str]) -> list[dict[str, str]]:
    """Methods of consensus that can be named, the usual one of a kind first."""
    from quorate.table import declarations, methods

    out = []
    for kind in kinds:
        usual = methods(PANELS[kind], "consensus", default=True)[0].name
        for d in sorted(declarations(PANELS[kind], "consensus"), key=lambda d: d.name != usual):
            words = f"{figures.title_of(d)} ({d.name})"
            out.append({"id": d.name, "kind": kind, "title": d.signature, "words": words, "text": d.summary})
    return out


def next_number(connection: Connection, study_id: str) -> int:
    """The number of the next gold standard of a study."""
    query = select(func.max(freeze.c.number)).where(freeze.c.study_id == study_id)
    return int(connection.execute(query).scalar() or 0) + 1


def store(connection: Connection, study_id: str, number: int, made: Mapping[str, Any]) -> None:
    """Keep a bundle; a number is given once."""
    row = {"id": uuid7(), "study_id": study_id, "number": number, "as_of": made["as_of"], "time": now()}
    row |= {"manifest": canonical(made["manifest"]), "bundle": made["bundle"], "hash": made["hash"]}
    connection.execute(insert(freeze).values(row))
