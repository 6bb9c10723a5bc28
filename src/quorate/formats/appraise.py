"""Appraise's exports of direct assessment (DA, DA+SQM) and error span annotation (ESA): a score from 0 to 100 a row.

The CSV has no header: user, system, segment, type (TGT, or a check: BAD, CHK, REF), languages, score, document, whether
the row is about the whole document, of ESA the error spans, and two times. The compiled data of a WMT task are JSON
Lines with ``system``, ``line_id``, ``annotator`` and ``esa_score``.
"""

from __future__ import annotations

import csv
from functools import partial

from quorate.formats.delimited import records
from quorate.formats.files import File
from quorate.formats.json_records import Record, keys
from quorate.formats.json_records import records as records_of
from quorate.formats.judgments import Judgments, read_only, reader
from quorate.formats.registry import ENCODING, Format, Option, flag

TYPES = ("TGT", "BAD", "CHK", "REF", "TUT")
CHECKS = Option("checks", "rows that check the annotators (BAD, REF) are read too: yes or no (default)", flag)
FIELDS = 9  # the least a row has
TRUE = ("true", "1")
SEGMENT = ("line_id", "segment_id", "seg_id", "item_id")


def walk(file: File, found: Judgments, encoding: str, checks: bool = False) -> None:
    """What is in one file."""
    if keys(file):
        found.each(records_of(file, encoding), partial(_record, found))
        return
    found.became("judge", "user (field 1)")
    found.became("system", "system (field 2)")
    found.became("task", "languages, document and segment (fields 5, 6, 8, 3)")
    found.became("score", "score (field 7)")
    languages: set[tuple[str, str]] = set()
    with file.text(encoding, newline="") as stream:
        for line, fields in records(file.name, stream, ","):
            if not fields:
                continue
            if len(fields) < FIELDS or not _kind(fields[3]):
                found.wrong(line, f"not a row of Appraise: {','.join(fields)[:60]}")
                continue
            user, system, segment, kind, source, target, score, document, whole = fields[:FIELDS]
            languages.add((source, target))
            if whole.strip().lower() in TRUE:
                found.skip("score* of a whole document")
            elif _kind(kind) in ("BAD", "REF", "TUT") and not checks:
                found.skip("row* to check the annotator", "--input-option checks=yes reads them")
            else:
                task = f"{source}-{target} {document}:{segment}"
                cells = {"judge": user, "task": task, "item": f"{task}: {system}", "system": system}
                found.score(line, score, **cells, **({"check": _kind(kind)} if checks else {}))


def _record(found: Judgments, number: int, record: Record) -> None:
    """A row of the compiled data of a WMT task, in JSON."""
    segment = next((record[n] for n in SEGMENT if n in record), number)
    task = " ".join(str(record[n]) for n in ("langs", "lp") if n in record) + f" {segment}"
    system = record.get("system")
    cells = {"judge": record.get("annotator"), "task": task.strip(), "system": system}
    if record.get("esa_score") is None or record.get("annotator") in (None, ""):
        found.skip("segment* without a score or an annotator")
    else:
        found.score(number, record["esa_score"], item=f"{task.strip()}: {system}", **cells)


def _kind(word: str) -> str:
    """TGT, BAD, ...; of a longer word such as TGT-GOLD its beginning."""
    return next((t for t in TYPES if word.strip().upper().startswith(t)), "")


def sniff(file: File) -> bool:
    """A first row with the type in its fourth field and a number in its seventh."""
    if file.folder or b"\0" in file.head[:1000]:
        return False
    if there := keys(file):
        return {"system", "annotator", "esa_score"} <= there and bool(there & set(SEGMENT))
    lines = file.head_lines
    try:
        fields = next(csv.reader([lines[0]])) if lines else []
    except csv.Error:
        return False
    return len(fields) >= FIELDS and bool(_kind(fields[3])) and fields[6].replace(".", "", 1).isdigit()


APPRAISE = Format(
    "appraise",
    (),
    "Appraise's direct assessments and error span annotations: user, system, segment, ..., score",
    ("scores",),
    reader(walk),
    read_only("appraise", "its segments are not in a panel"),
    sniff,
    "appraise",
    (CHECKS, ENCODING),
    telling=True,
)
