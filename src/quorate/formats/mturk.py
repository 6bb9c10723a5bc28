"""Results of crowdsourcing platforms, a row per assignment: Mechanical Turk's batch results, and Toloka's.

A worker is a judge, a HIT (or what its ``Input.id`` names) an item, each ``Answer.*`` a criterion. Answers may be
values, options with true and false, or JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quorate.formats.files import File
from quorate.formats.judgments import SHARED, Judgments, export, system_of
from quorate.formats.registry import Option, flag
from quorate.formats.table_records import heads, rows

REJECTED = Option("rejected", "rejected assignments are read too: yes or no (default)", flag)
ITEM = re.compile(r"(?:id|.*[_.-]id|item|key|uid|guid)", re.IGNORECASE)


@dataclass(frozen=True)
class Platform:
    """What a platform calls its columns."""

    worker: str
    unit: str
    given: str  # before what workers were shown
    answer: str  # before what they answered
    status: str


MECHANICAL_TURK = Platform("WorkerId", "HITId", "Input.", "Answer.", "AssignmentStatus")
TOLOKA = Platform("ASSIGNMENT:worker_id", "ASSIGNMENT:task_id", "INPUT:", "OUTPUT:", "ASSIGNMENT:status")


def walk(file: File, found: Judgments, encoding: str, rejected: bool = False) -> None:
    """What is in one file."""
    names = heads(file)
    of = _platform(names) or MECHANICAL_TURK
    shown = [n for n in names if n.startswith(of.given)]
    ids = [n for n in shown if ITEM.fullmatch(n.removeprefix(of.given))]
    units = ids if len(ids) == 1 else [of.unit] if of.unit in names else shown
    found.became("judge", of.worker)
    found.became("item", *units)

    def take(line: int, row: dict[str, str]) -> None:
        if not row[of.worker]:
            found.skip("row* without a worker")
            return
        if row.get(of.status, "").lower() == "rejected" and not rejected:
            found.skip("rejected assignment", "--input-option rejected=yes reads them")
            return
        data = {n.removeprefix(of.given): row[n] for n in shown}
        item = " | ".join(row[n] for n in units if row[n]) or line
        about = {"judge": row[of.worker], "item": item, **system_of(data, found)}
        answers = {n.removeprefix(of.answer): row[n] for n in names if n.startswith(of.answer)}
        for name, value in _answers(answers).items():
            if value in ("", None):
                found.skip("empty answer")
            elif isinstance(value, dict):
                found.skip(f"answer* of a sort that is no judgment ('{name}')")
            else:
                found.became("criterion", name)
                found.score(line, value, criterion=name, **about)

    found.each(rows(file, encoding), take)


def _answers(row: Mapping[str, str]) -> dict[str, Any]:
    """Answers by name: options ticked with true and false are put together, JSON is opened.

    >>> _answers({"taskAnswers": '[{"mood": {"sad": false, "glad": true}, "stars": 4}]', "kind.label": "news"})
    {'mood': ['glad'], 'stars': 4, 'kind': 'news'}
    """
    out: dict[str, Any] = {}
    for name, text in row.items():
        stem, dot, option = name.rpartition(".")
        if text[:1] in ("[", "{") and (opened := _opened(text)) is not None:
            if isinstance(opened, dict) and name == "taskAnswers":
                out |= {n: _plain(v) for n, v in opened.items()}
            else:
                out[name] = _plain(opened)
        elif dot and option == "label":
            out[stem] = text
        elif dot and text.lower() in ("true", "false", "") and not isinstance(out.get(stem), str):
            chosen = out.setdefault(stem, [])
            chosen += [option] if text.lower() == "true" else []
        else:
            out[name] = text
    return {n: v for n, v in out.items() if v != []} | {n: "" for n, v in out.items() if v == []}


def _opened(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and all(isinstance(v, dict) for v in value):
        return {n: v for one in value for n, v in one.items()}
    return value


def _plain(value: Any) -> Any:
    """What was answered: of options the chosen ones, of a label its name."""
    if isinstance(value, dict):
        if value and all(isinstance(v, bool) for v in value.values()):
            return [option for option, on in value.items() if on]
        for name in ("label", "labels", "value"):
            if name in value:
                return value[name]
    return value


def _platform(names: list[str]) -> Platform | None:
    for of in (MECHANICAL_TURK, TOLOKA):
        if of.worker in names and any(n.startswith(of.answer) for n in names):
            return of
    return None


MTURK = export(
    "mturk",
    "batch results of Mechanical Turk, assignments of Toloka: a worker a judge, an answer a criterion",
    ("scores",),
    walk,
    (*SHARED, REJECTED),
    why="its assignments are not in a panel",
    columns=tuple(f"{of.worker} {of.answer}*" for of in (MECHANICAL_TURK, TOLOKA)),
)
