"""Potato: a folder per annotator with ``annotated_instances.jsonl`` or ``user_state.json``, or one file of them all.

The folder is the judge (or the user that a record names), an instance an item, a scheme a criterion. Likert scales,
sliders and numbers are scores; radio buttons are labels; boxes to tick are choices of several; a ranking is an order, a
comparison of two a vote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from quorate.formats.archives import inside
from quorate.formats.cells import is_number
from quorate.formats.files import File
from quorate.formats.json_records import Record, keys
from quorate.formats.judgments import SHARED, Judgments, export
from quorate.formats.recognise import tells
from quorate.formats.table_records import any_rows, heads

TICKED = (True, "true", "True", "on", "yes")
NUMBERED = re.compile(r"scale_\d+|scale_value|slider|(number|text)_box|number|rating|value", re.IGNORECASE)
STATE, INSTANCES = "instance_id_to_label_to_value", "label_annotations"
# What tells such a file: of annotators' folders, of one file of them all, and of what ``potato export`` writes.
KEYS = (INSTANCES, STATE, "instance_id user_id labels spans")
COLUMNS = ("user *:::*", "instance_id user_id *.*")
RANKING, PAIR = "rank_order", "selection"  # what the answers of a ranking and of a comparison are called
MARKS = (":::", ".")  # between scheme and label in a table of all annotators
SPANS = ("_spans", "_room", "_room_id")  # what stands in the place of a label but is none
Answer = tuple[int, Record, Record]  # record, labels with their values, who and what


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file or folder."""
    members = [f for f in inside(file) if tells(f, KEYS, COLUMNS)]
    folders = {str(f.path.parent) for f in members if f.path and keys(f) and INSTANCES in keys(f)}
    schemes: dict[str, list[tuple[File, Answer]]] = {}
    for member in members or [file]:
        again = member.path is not None and str(member.path.parent) in folders
        if STATE in keys(member) and again:
            continue  # the same answers are in the instances beside it
        if heads(member) and folders:
            found.note(f"{member.name}: passed over, the annotators' own files are there")
            continue
        found.begin(member)
        judge = member.path.resolve().parent.name if member.path else member.stem

        def take(number: int, record: Record, judge: str = judge, member: File = member) -> None:
            for who, item, given in _instances(record, found):
                if str(item).endswith((".html", ".jsonl")):
                    found.skip("page* of a survey")
                    continue
                about = {"judge": who or judge, "item": item}
                for scheme, labels in given.items():
                    if isinstance(labels, dict):
                        schemes.setdefault(scheme, []).append((member, (number, labels, about)))
                    else:
                        found.wrong(number, f"the scheme '{scheme}' holds no labels")

        found.each(any_rows(member, encoding), take)
    for scheme, answers in schemes.items():
        fixed = _fixed([labels for _, (_, labels, _) in answers])

        def say(_: int, told: tuple[File, Answer], scheme: str = scheme, fixed: set[str] = fixed) -> None:
            found.begin(told[0])
            _scheme(scheme, told[1], fixed, found)

        found.each(((answer[0], (member, answer)) for member, answer in answers), say)


def _instances(record: Record, found: Judgments) -> Iterator[tuple[Any, Any, Record]]:
    """The instances of a record: who annotated each, its id, and labels with their values by scheme."""
    who = record.get("user", record.get("user_id"))
    if STATE in record:
        for item, given in record[STATE].items():
            yield who, item, _paired(given)
    elif INSTANCES in record or "labels" in record:
        if record.get("span_annotations") or record.get("spans"):
            found.skip("set* of spans")
        given = record.get(INSTANCES, record.get("labels"))
        yield who, record.get("id", record.get("instance_id")), _paired(given)
    else:
        yield who, record.get("instance_id"), _by_scheme(record)


def _by_scheme(row: Record) -> Record:
    """The labels of a row by scheme.

    >>> _by_scheme({"user": "ann", "mood:::glad": "true", "mood:::sad": "", "span_annotation": "[]"})
    {'mood': {'glad': 'true'}}
    """
    schemes: Record = {}
    sign = next((m for m in MARKS if any(m in name for name in row)), MARKS[0])
    for name, value in row.items():
        scheme, mark, label = name.partition(sign)
        if mark and value and scheme != "span_annotation" and label not in SPANS:
            schemes.setdefault(scheme, {})[label] = value
    return schemes


def _paired(given: Any) -> Record:
    """By scheme, from pairs of a label (with its scheme) and a value; some versions have it so already."""
    if isinstance(given, dict):
        return given
    out: Record = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], dict):
            out.setdefault(str(one[0].get("schema")), {})[str(one[0].get("name"))] = one[1]
    return out


def _fixed(answers: list[Record]) -> set[str]:
    """The labels that have one and the same value whenever they are there: options, whose value is their number.

    Numbers vary from answer to answer. A label that is there once tells nothing, so where another of its scheme varies
    it is a number too.
    """
    values: dict[str, set[str]] = {}
    for labels in answers:
        for label, value in labels.items():
            values.setdefault(label, set()).add(str(value))
    varies = any(len(v) > 1 for v in values.values())
    return set() if varies else {label for label in values if not NUMBERED.fullmatch(label)}


def _scheme(scheme: str, answer: Answer, fixed: set[str], found: Judgments) -> None:
    """The answer to one scheme: labels that are ticked, or numbers."""
    number, given, about = answer
    if RANKING in given:
        groups = [[i.strip() for i in tied.split("=")] for tied in str(given[RANKING]).split(",") if tied.strip()]
        found.order(number, groups, task=_task(scheme, about), judge=about["judge"])
        return
    if given.get(PAIR) in ("A", "B", "tie"):
        found.note("Potato does not name the two systems of a pair: they are called A and B, after their places")
        winner = {"A": "model_a", "B": "model_b"}.get(given[PAIR], "tie")
        sides = {"judge": about["judge"], "model_a": "A", "model_b": "B", "winner": winner}
        found.add("votes", number, task=_task(scheme, about), **sides)
        return
    found.became("criterion", scheme)
    ticked = [label for label, value in given.items() if value in TICKED or value == label or label in fixed]
    numbers = {label: value for label, value in given.items() if label not in ticked or is_number(label)}
    if ticked and not (len(given) == 1 and len(numbers) == 1):
        found.score(number, ticked, criterion=scheme, **about)
        return
    for label, value in numbers.items():
        told = label if label in ticked else value
        if is_number(told):
            one = NUMBERED.fullmatch(label) or label in ticked or label == scheme
            found.score(number, float(told), criterion=scheme if one else f"{scheme}: {label}", **about)
        else:
            found.skip(f"free text* ('{scheme}')")


def _task(scheme: str, about: Record) -> str:
    return f"{about['item']}: {scheme}"


POTATO = export(
    "potato",
    "Potato's folders, one per annotator: annotated instances or the state of a user",
    ("scores", "orderings", "votes"),
    walk,
    SHARED,
    why="it is a folder per annotator",
    keys=KEYS,
    columns=COLUMNS,
    folders=True,
)
