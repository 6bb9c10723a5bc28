"""Appraise's exports of direct assessment (DA, DA+SQM) and error span annotation (ESA): a score from 0 to 100 a row.

The CSV has no header: user, system, segment, type (TGT, or a check: BAD, CHK, REF), languages, score; of documents also
their name, whether the row is about the whole of one, and of ESA the error spans; then times and numbers of batches.
The JSON Lines have a score, or several targets with a score each, a line; the data of the WMT tasks a segment a line.
"""

from __future__ import annotations

import csv
import re
from functools import partial
from typing import Any

from quorate.formats.delimited import records
from quorate.formats.files import File
from quorate.formats.json_records import Record, keys
from quorate.formats.json_records import records as records_of
from quorate.formats.judgments import Judgments, export
from quorate.formats.registry import ENCODING, Option, flag

TYPES = ("TGT", "BAD", "CHK", "REF", "TUT")
CHECKED = ("BAD", "REF", "TUT")
CHECKS = Option(
    "checks", "rows that check the annotators (BAD, REF, repeated documents) are read too: yes or no (default)", flag
)
FIELDS = 7  # the least a row has
DOCUMENT = re.compile(r"#(bad|dup|incomplete)|-tutorial", re.IGNORECASE)  # in the name of a document that is a check
SEGMENT = ("line_id", "segment_id", "seg_id", "item_id")


def walk(file: File, found: Judgments, encoding: str, checks: bool = False) -> None:
    """What is in one file."""
    if there := keys(file):
        take = _segment if "scores" in there else _line
        found.became("judge", "annotator")
        found.became("system", "target_id" if "task_type" in there else "system" if "system" in there else "scores")
        found.each(records_of(file, encoding), partial(take, found, checks))
        return
    found.became("judge", "user (field 1)")
    found.became("system", "system (field 2)")
    found.became("score", "score (field 7)")
    with file.text(encoding, newline="") as stream:
        for line, fields in records(file.name, stream, ","):
            if not fields:
                continue
            if len(fields) < FIELDS or not _kind(fields[3]):
                found.wrong(line, f"not a row of Appraise: {','.join(fields)[:60]}")
                continue
            user, system, segment, kind, source, target, score = fields[:FIELDS]
            named = len(fields) > FIELDS + 1 and _truth(fields[FIELDS + 1]) is not None
            document, whole = fields[FIELDS : FIELDS + 2] if named else ("", "")
            used = "languages, document and segment (fields 5, 6, 8, 3)" if named else "languages and segment (5, 6, 3)"
            found.became("task", used)
            cells = {"judge": user, "system": system, "segment": segment, "document": document}
            _row(found, line, checks, score, kind, bool(_truth(whole)), f"{source}-{target}", **cells)


def _row(
    found: Judgments,
    at: int,
    checks: bool,
    score: Any,
    kind: str,
    whole: bool,
    languages: str,
    *,
    judge: Any,
    system: Any,
    segment: Any,
    document: Any = "",
) -> None:
    """One score, unless it is of another sort."""
    if whole:
        found.skip("score* of a whole document")
    elif (_kind(kind) in CHECKED or DOCUMENT.search(str(document))) and not checks:
        found.skip("row* to check the annotator", "--input-option checks=yes reads them")
    elif score is None or judge in (None, ""):
        found.skip("segment* without a score or an annotator")
    else:
        task = " ".join(t for t in (languages, f"{document}:{segment}" if document else str(segment)) if t)
        more = {"check": _kind(kind)} if checks else {}
        found.output(at, score, judge=judge, task=task, system=system, **more)


def _line(found: Judgments, checks: bool, number: int, record: Record) -> None:
    """A line of an export, with a score or several targets; or of the compiled data of a WMT task."""
    segment = next((record[n] for n in SEGMENT if n in record), number)
    languages = "-".join(str(record[n]) for n in ("source_language", "target_language") if n in record)
    languages = languages or " ".join(str(record[n]) for n in ("langs", "lp") if n in record)
    kind, whole = str(record.get("item_type") or "TGT"), bool(record.get("is_complete_document"))
    cells = {"judge": record.get("annotator"), "document": record.get("document_id", "")}
    for target in record.get("targets") or [record]:
        system = target.get("target_id", target.get("system"))
        score = target.get("score", target.get("esa_score"))
        place = record.get("source_id", segment) if "targets" in record else segment
        _row(found, number, checks, score, kind, whole, languages, system=system, segment=place, **cells)


def _segment(found: Judgments, checks: bool, number: int, record: Record) -> None:
    """A segment of the data of a WMT task with the scores of every system."""
    for system, scores in record["scores"].items():
        for one in scores if isinstance(scores, list) else []:
            cells = {"judge": one.get("annotator"), "system": system, "segment": record.get("doc_id", number)}
            _row(found, number, checks, one.get("score"), "TGT", False, str(record.get("langs", "")), **cells)


def _kind(word: str) -> str:
    """TGT, BAD, ...; of a longer word such as TGT-GOLD its beginning."""
    return next((t for t in TYPES if word.strip().upper().startswith(t)), "")


def _truth(word: str) -> bool | None:
    """True and false, as Appraise writes them; None of anything else."""
    return {"true": True, "false": False}.get(word.strip().lower())


def sniff(file: File) -> bool:
    """A first row with the type in its fourth field and a number in its seventh."""
    lines = file.head_lines
    try:
        fields = next(csv.reader([lines[0]])) if lines else []
    except csv.Error:
        return False
    return len(fields) >= FIELDS and bool(_kind(fields[3])) and fields[6].replace(".", "", 1).isdigit()


APPRAISE = export(
    "appraise",
    "Appraise's direct assessments and error span annotations: user, system, segment, ..., score",
    ("scores",),
    walk,
    (CHECKS, ENCODING),
    why="its segments are not in a panel",
    keys=(
        f"system annotator esa_score {'|'.join(SEGMENT)}",
        "annotator task_type item_type source_language",
        "scores src_text tgt_text doc_id",
    ),
    sniff=sniff,
)
