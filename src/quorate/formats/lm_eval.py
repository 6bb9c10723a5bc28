"""The samples that lm-evaluation-harness logs: ``samples_TASK_TIME.jsonl``, a document a line with its metrics.

A metric is a judge, a document of a task a task of the panel, the model (the folder that the harness writes to) the
system. Files of several models make a leaderboard.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from quorate.errors import InputError
from quorate.formats.archives import inside
from quorate.formats.files import File
from quorate.formats.json_records import Record, records
from quorate.formats.judgments import Judgments, export
from quorate.formats.recognise import tells
from quorate.formats.registry import ENCODING, Option, text

NAME = re.compile(r"(?:.*_)?samples_(?P<task>.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?")
SAMPLES = "doc_id resps|filtered_resps"  # keys of a document
OWN = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "schema_hash"),
}
MODEL = Option("model", "the system, where the folder does not name it", text)


def walk(file: File, found: Judgments, encoding: str, model: str | None = None) -> None:
    """What is in one file or folder."""
    members = [f for f in inside(file) if tells(f, (SAMPLES,))]
    if not members:
        hint = "run the harness with --log_samples, and give the files samples_TASK_TIME.jsonl."
        raise InputError(f"{file.name}: figures of a run without its samples.", hint)
    for member in members:
        found.begin(member)
        named = NAME.fullmatch(member.stem)
        name = named["task"] if named else member.stem
        system = model or (member.path.resolve().parent.name if member.path and named else member.stem)
        if model is None and file.folder:
            found.note("the systems are called after their folders")
        elif model is None:
            found.guess(f"the system is called {system}, after its folder", f"--input-option model={system}")
        found.each(records(member, encoding), partial(_document, found, name, system))


def _document(found: Judgments, name: str, system: str, number: int, record: Record) -> None:
    task = f"{name}:{record.get('doc_id', number)}"
    listed = record.get("metrics")
    metrics = listed if isinstance(listed, list) else [n for n in record if n not in OWN]
    used = record.get("filter")
    for metric in metrics:
        value: Any = record.get(metric)
        if isinstance(value, bool | int | float):
            judge = metric if used in (None, "none") else f"{metric},{used}"
            found.score(number, float(value), judge=judge, task=task, item=f"{task}: {system}", system=system)
        else:
            found.skip(f"value* of a metric that is no number ('{metric}')")


LM_EVAL = export(
    "lm-eval",
    "samples of lm-evaluation-harness: a metric a judge, a model a system",
    ("scores",),
    walk,
    (MODEL, ENCODING),
    why="documents and responses are not in a panel",
    keys=(SAMPLES, "results configs versions"),  # of figures alone the reader says what is needed instead
    folders=True,
)
