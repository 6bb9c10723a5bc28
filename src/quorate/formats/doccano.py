"""doccano: a file of labelled texts per annotator, alone, in a folder or in the zip archive that doccano hands out.

The file's name is the judge. JSON Lines, JSON and CSV; texts without a label are left out and counted, as are spans.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from quorate.formats.archives import holds, inside
from quorate.formats.files import File
from quorate.formats.json_records import Record
from quorate.formats.judgments import SHARED, Judgments, export, system_of
from quorate.formats.recognise import tells
from quorate.formats.table_records import any_rows, heads

LABELS = ("label", "labels", "cats")
TEXTS = ("text", "data", "filename")
OTHERS = (  # nobody is named who gave the labels
    "!judge|annotator|worker|rater|user|_task_hash|answer|score|judges|annotators|workers|raters|users|annotator_ids"
)
KEYS = (
    f"label[]|labels[]|cats[] text|data|filename {OTHERS}|annotations",
    f"annotations[].user text|data|filename {OTHERS}",
    f"entities[] relations[] text {OTHERS}",
)
COLUMNS = (f"label|labels|cats text|data|filename id {OTHERS}|annotations",)
ALONE = ("id text|data label Comments",)  # columns that tell a table of one annotator
SHARED_FILE = "all"  # what doccano calls the file where annotators share their labels


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file, folder or archive."""
    members = inside(file)
    taken = [f for f in members if _is_one(f)]
    passed = [f.base for f in members if f not in taken]
    if passed:
        found.note(f"{file.name}: {len(passed)} other files passed over ({', '.join(passed[:5])})")
    if len(taken) < 2:
        found.note(f"the file's name is the judge: {(taken or [file])[0].stem}")
    if any(f.stem == SHARED_FILE for f in taken):
        found.note("the file 'all' has the labels of annotators who share them: they are one judge")
    for member in taken or [file]:
        found.begin(member)
        found.each(any_rows(member, encoding), partial(_record, found, member.stem))


def _record(found: Judgments, judge: str, number: int, record: Record) -> None:
    key = next((n for n in LABELS if n in record), None)
    item = record.get("id", next((record[n] for n in TEXTS if n in record), number))
    about = {"item": item, **system_of(record, found)}
    if key is None and isinstance(record.get("annotations"), list):
        for one in record["annotations"]:  # as version 0 had them: all annotators in one file
            found.score(number, one.get("label"), judge=one.get("user", judge), **about)
        return
    if key is None and isinstance(record.get("entities"), list):
        found.skip("span", times=len(record["entities"]))
        return
    if key is None:
        found.wrong(number, f"no {', '.join(LABELS)}")
        return
    found.became("label", key)
    given: Any = record[key]
    if isinstance(given, str):
        given = [part for part in given.split("#") if part] if heads(found.file) else [given]
    if isinstance(given, dict):
        given = [label for label, value in given.items() if value and value >= 0.5]
    if not isinstance(given, list):
        found.score(number, given, judge=judge, **about)
    elif not given:
        found.skip("text* without a label")
    elif any(isinstance(label, list | dict) for label in given):
        found.skip("span", times=len(given))
    else:
        found.choice(number, given, judge=judge, **about)


def _is_one(file: File) -> bool:
    return tells(file, KEYS, COLUMNS)


DOCCANO = export(
    "doccano",
    "doccano's labelled texts, a file per annotator: a folder or zip archive of them",
    ("scores",),
    walk,
    SHARED,
    why="its texts are not in a panel",
    keys=KEYS,
    columns=ALONE,
    packed=lambda file: holds(file, _is_one),  # tables only in a folder or an archive
    folders=True,
)
