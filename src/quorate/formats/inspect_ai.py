"""Logs of Inspect: JSON, or ``.eval`` archives. A scorer is a judge, a sample a task, the model the system.

The letters C, P, I and N (correct, partial, incorrect, no answer) are 1, 0.5, 0 and 0, as Inspect's own metrics take
them; ``labels`` keeps the letters. Epochs and runs are occasions. A scorer with several values has a criterion for
each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from quorate.formats.archives import ZIP, Member, holds, inside
from quorate.formats.files import File
from quorate.formats.json_records import Record, whole
from quorate.formats.judgments import SHARED, Judgments, export
from quorate.formats.recognise import tells
from quorate.formats.registry import empty

SAMPLE = re.compile(r"(.*/)?samples/[^/]+(\.json|/sample\.json)")  # a sample in an archive, whole or in pieces
KEYS = ("eval eval.model samples|results|status",)  # of a log
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one log, or in a folder of them."""
    for log in [file] if _archive(file) else [f for f in inside(file) if _archive(f) or tells(f, KEYS)]:
        found.begin(log)
        _read_one(log, found, encoding)


def _read_one(file: File, found: Judgments, encoding: str) -> None:
    head, samples = _log(file, encoding)
    about = head.get("eval") if isinstance(head.get("eval"), dict) else {}
    system, name = (about or {}).get("model", "model"), (about or {}).get("task", "")
    status = head.get("status") or "success"
    ended = "" if status == "success" else f"the run ended with status '{status}'"
    if ended:
        found.note(f"{file.name}: {ended}")
    found.became("judge", "scores")
    several = bool(found.label_wanted)
    count = 0

    def take(number: int, sample: Record) -> None:
        nonlocal count
        count = number
        scores = sample.get("scores", {"score": sample["score"]} if sample.get("score") else None)
        if not isinstance(scores, dict) or not scores:
            found.skip("sample* without a score", ended)
            return
        task = f"{name}:{sample.get('id', count)}" if name else str(sample.get("id", count))
        cells = {"task": task, "item": f"{task}: {system}", "system": system}
        for judge, score in scores.items():
            value = score.get("value") if isinstance(score, dict) else score
            for criterion, one in _values(value):
                more = {} if criterion is None else {"criterion": criterion}
                given = one if several else LETTERS.get(one, one) if isinstance(one, str) else one
                again = found.occasion(judge, task, system, criterion)
                found.score(count, given, judge=judge, occasion=again, **cells, **more)

    found.each(enumerate(samples, 1), take)
    if not count:
        raise empty(file.name, "no samples in this log (they may have been logged elsewhere)")
    if not several:
        found.note("C, P, I and N are taken as 1, 0.5, 0 and 0 (--labels keeps the letters)")


def _values(value: Any) -> Iterator[tuple[str | None, Any]]:
    """A score's value, or its values by name; true and false are 1 and 0."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield name, float(one) if isinstance(one, bool) else one
    else:
        yield None, float(value) if isinstance(value, bool) else value


def _log(file: File, encoding: str) -> tuple[Record, Iterator[Record]]:
    """The head of a log, and its samples."""
    if not file.head.startswith(ZIP):
        log = whole(file, encoding)
        head = log if isinstance(log, dict) else {}
        return head, iter(head["samples"] if isinstance(head.get("samples"), list) else [])
    members = inside(file)
    head = {}
    for name in ("header.json", "_journal/start.json"):
        for member in members:
            if not head and member.name.endswith(name):
                with member.text() as stream:
                    head = json.load(stream)
    return head, (whole(m) for m in members if isinstance(m, Member) and SAMPLE.fullmatch(m.inner))


def _archive(file: File) -> bool:
    """A log that is an archive."""
    log = not file.folder and file.head.startswith(ZIP)
    return log and any(m.name.endswith(("/header.json", "/_journal/start.json")) for m in inside(file))


INSPECT = export(
    "inspect",
    "logs of Inspect, JSON or .eval: a scorer a judge, a model a system",
    ("scores",),
    walk,
    SHARED,
    why="a log holds far more than scores",
    extensions=("eval",),
    keys=KEYS,
    packed=lambda file: _archive(file) or holds(file, _archive),
    folders=True,
)
