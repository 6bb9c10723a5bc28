"""Potato: a folder per annotator with ``annotated_instances.jsonl`` or ``user_state.json``.

The folder is the judge (or the user that a record names), an instance an item, a scheme a criterion. Likert scales,
sliders and numbers are scores; radio buttons are labels; boxes to tick are choices of several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from quorate.formats.files import File
from quorate.formats.inside import holds, inside
from quorate.formats.json_records import Record, keys, records
from quorate.formats.judgments import SHARED, Judgments, read_only, reader
from quorate.formats.registry import Format
from quorate.formats.table_records import heads, rows

TICKED = (True, "true", "True", "on", "yes")
NUMBERED = re.compile(r"scale_\d+|slider|number|rating|value", re.IGNORECASE)
STATE, INSTANCES = "instance_id_to_label_to_value", "label_annotations"
MARK = ":::"  # between scheme and label in a table of all annotators


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file or folder."""
    members = [f for f in inside(file) if _is_one(f)]
    folders = {str(f.path.parent) for f in members if f.path and keys(f) and INSTANCES in keys(f)}
    for member in members or [file]:
        again = member.path is not None and str(member.path.parent) in folders
        if STATE in keys(member) and again:
            continue  # the same answers are in the instances beside it
        if MARK in " ".join(heads(member)) and folders:
            found.note(f"{member.name}: passed over, the annotators' own files are there")
            continue
        found.begin(member)
        judge = member.path.resolve().parent.name if member.path else member.stem

        def take(number: int, record: Record, judge: str = judge) -> None:
            for who, item, schemes in _instances(record, found):
                if str(item).endswith((".html", ".jsonl")):
                    found.skip("page* of a survey")
                else:
                    for scheme, given in schemes.items():
                        _scheme(number, scheme, given, found, {"judge": who or judge, "item": item})

        found.each(rows(member, encoding) if heads(member) else records(member, encoding), take)


def _instances(record: Record, found: Judgments) -> Iterator[tuple[Any, Any, Record]]:
    """The instances of a record: who annotated each, its id, and labels with their values by scheme."""
    if STATE in record:
        for item, given in record[STATE].items():
            yield record.get("user_id"), item, _paired(given)
    elif INSTANCES in record:
        if record.get("span_annotations"):
            found.skip("set* of spans")
        yield record.get("user"), record.get("id", record.get("instance_id")), record[INSTANCES]
    else:
        schemes: Record = {}
        for name, value in record.items():
            scheme, mark, label = name.partition(MARK)
            if mark and value:
                schemes.setdefault(scheme, {})[label] = value
        yield record.get("user"), record.get("instance_id"), schemes


def _paired(given: Any) -> Record:
    """By scheme, from pairs of a label (with its scheme) and a value; some versions have it so already."""
    if isinstance(given, dict):
        return given
    out: Record = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], dict):
            out.setdefault(str(one[0].get("schema")), {})[str(one[0].get("name"))] = one[1]
    return out


def _scheme(number: int, scheme: str, given: Any, found: Judgments, about: Record) -> None:
    """The answer to one scheme: labels that are ticked, or numbers."""
    if not isinstance(given, dict):
        found.wrong(number, f"the scheme '{scheme}' holds no labels")
        return
    found.became("criterion", scheme)
    ticked = [label for label, value in given.items() if value in TICKED or value == label]
    if ticked:
        found.score(number, ticked, criterion=scheme, **about)
    for label, value in given.items():
        if label in ticked:
            continue
        try:
            float(value)
        except (TypeError, ValueError):
            found.skip(f"free text* ('{scheme}')")
            continue
        one = NUMBERED.fullmatch(label) or label == scheme
        found.score(number, float(value), criterion=scheme if one else f"{scheme}: {label}", **about)


def _is_one(file: File) -> bool:
    there, names = keys(file), heads(file)
    return INSTANCES in there or STATE in there or ("user" in names and any(MARK in n for n in names))


def sniff(file: File) -> bool:
    """Instances with annotations by label, or the state of a user."""
    return holds(file, _is_one)


POTATO = Format(
    "potato",
    (),
    "Potato's folders, one per annotator: annotated instances or the state of a user",
    ("scores",),
    reader(walk),
    read_only("potato", "it is a folder per annotator"),
    sniff,
    "potato",
    SHARED,
    telling=True,
    folders=True,
)
