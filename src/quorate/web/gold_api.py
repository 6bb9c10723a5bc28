"""What leads call at the end: freezing a gold standard, its bundles, exports, and judgments made elsewhere."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, select
from starlette.responses import Response

from quorate.errors import InputError
from quorate.store import exports, freeze, imports, rows, studies
from quorate.store.schema import assignment, submission, task
from quorate.store.schema import freeze as table
from quorate.store.work import Refused
from quorate.web.lead_api import LONG
from quorate.web.results_api import child
from quorate.web.routing import Call, json_response, route
from quorate.web.shapes import TEXT, array, obj

FREEZE = obj(
    method=TEXT,
    methods={"type": "object", "additionalProperties": TEXT},
    report={"type": "boolean"},
    formats=array(TEXT, 50),
    note=TEXT,
)


@route("GET", "/api/studies/{study}/freezes", "lead")
async def list_freezes(call: Call) -> Response:
    """Gold standards frozen so far, and the methods of consensus that can be named for what was submitted."""

    def job(connection: Connection) -> tuple[list[dict[str, Any]], list[str]]:
        columns = (table.c.number, table.c.time, table.c.hash, table.c.as_of, table.c.manifest)
        query = select(*columns).where(table.c.study_id == call.study).order_by(table.c.number)
        there = select(task.c.kind).join(assignment).join(submission).where(task.c.study_id == call.study).distinct()
        pages = studies.definition_of(connection, call.study)["sequence"]["pages"]
        submitted = set(connection.execute(there).scalars())
        return rows.every(connection, query), [kind for kind in pages if kind in submitted]

    found, kinds = await call.read(job)
    told = []
    for row in found:
        about = json.loads(row["manifest"])
        method = ", ".join(about["methods"].values())
        one = {"n": row["number"], "time": row["time"], "as_of": row["as_of"], "method": method, "sha256": row["hash"]}
        told.append(
            one
            | {name: about[name] for name in ("items", "judges", "exclusions")}
            | {"formats": about.get("formats", [])}
        )
    return json_response({"freezes": told, "methods": await child(call.bench).ask(_offered, tuple(kinds))})


def _offered(address: str, kinds: tuple[str, ...]) -> list[dict[str, str]]:
    return freeze.offered(list(kinds))


@route("POST", "/api/studies/{study}/freeze", "lead", scope="freeze", body=FREEZE, gives={201: {"type": "object"}})
async def make_freeze(call: Call) -> Response:
    """Freeze a gold standard as of now: a bundle that anyone can recompute."""
    body = call.body
    number, kinds = await call.read(
        lambda c: (freeze.next_number(c, call.study), list(studies.definition_of(c, call.study)["pages"]))
    )
    methods = tuple(sorted((body.get("methods") or ({kinds[0]: body["method"]} if body.get("method") else {})).items()))
    formats = tuple(body["formats"]) if "formats" in body else None
    made = await child(call.bench).ask(_made, call.study, number, methods, body.get("report", True), formats)

    def job(connection: Connection) -> None:
        if freeze.next_number(connection, call.study) != number:
            raise Refused(409, "another freeze was made meanwhile.", "look at it, then try again.")
        freeze.store(connection, call.study, number, made)
        studies.audited(
            connection, call.study, call.who, "freeze", number=number, hash=made["hash"], note=body.get("note", "")
        )

    await call.write(job)
    return json_response({"n": number, "sha256": made["hash"], "as_of": made["as_of"]}, 201)


def _made(
    address: str,
    study: str,
    number: int,
    methods: tuple[tuple[str, str], ...],
    report: bool,
    formats: tuple[str, ...] | None,
) -> dict[str, Any]:
    return freeze.make(address, study, number, dict(methods), with_report=report, formats=formats)


@route("GET", "/api/studies/{study}/freezes/{number}/bundle.zip", "lead", gives={200: None})
async def bundle(call: Call) -> Response:
    """A gold standard as a file; `quorate verify` recomputes it."""
    number = call.path("number")
    if not number.isdigit() or len(number) > 9:
        raise Refused(404, "there is no such gold standard.")

    def job(connection: Connection) -> bytes | None:
        query = select(table.c.bundle).where(table.c.study_id == call.study, table.c.number == int(number))
        found: bytes | None = connection.execute(query).scalar_one_or_none()
        return found

    data = await call.read(job)
    if data is None:
        raise Refused(404, "there is no such gold standard.")
    return _file(data, f"gold-{number}.zip", "application/zip")


def _file(data: bytes, name: str, type_: str = "application/octet-stream") -> Response:
    return Response(data, media_type=type_, headers={"Content-Disposition": f'attachment; filename="{name}"'})


QUERY = {"format": TEXT, "kind": TEXT, "raw": TEXT}


@route("GET", "/api/studies/{study}/export", "lead", query=QUERY, gives={200: None})
async def export(call: Call) -> Response:
    """What was submitted and not excluded, in any format that judgments are written in."""
    query = call.request.query_params
    format, kind = query.get("format", "csv"), query.get("kind")
    if not format.replace("-", "").replace("_", "").isalnum():
        raise InputError("the format has no such name.", "csv, jsonl, parquet, ...: see `quorate formats`.")
    raw = query.get("raw") in ("1", "true", "yes")
    data = await child(call.bench).ask(exports.written, call.study, format, kind, raw)
    await call.write(lambda c: studies.audited(c, call.study, call.who, "export", format=format))
    return _file(data, f"judgments.{format}")


IMPORT = obj("name", "data", name=TEXT | {"minLength": 1, "maxLength": 200}, data=LONG, options={"type": "object"})


@route("POST", "/api/studies/{study}/import", "lead", body=IMPORT, gives={201: {"type": "object"}})
async def import_judgments(call: Call) -> Response:
    """Judgments made elsewhere, in any format; files that are no text in base 64."""
    body = call.body
    options = body.get("options") or {}
    allowed = {"format", "kind", "scale", "rename", "criteria", "encoding", "decimal", "sheet"}
    if set(options) - allowed or not all(isinstance(v, str) for v in options.values()):
        raise InputError("an option of reading is not known here.", f"options: {', '.join(sorted(allowed))}.")
    given = tuple(sorted(options.items()))
    found = await child(call.bench).ask(_read, body["name"], body["data"], given)

    def job(connection: Connection) -> dict[str, int]:
        made = imports.stored(connection, call.study, found)
        studies.audited(connection, call.study, call.who, "import", name=body["name"], **made)
        return made

    return json_response({**await call.write(job), "notes": found["notes"]}, 201)


def _read(address: str, name: str, data: str, options: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    return imports.read(name, data, dict(options))
