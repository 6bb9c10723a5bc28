"""crowd-kit's tables: ``task, worker, label``, and of comparisons ``worker, left, right, label``.

What crowd-kit calls a task is what a worker labels: an item. Older tables say ``performer``.
"""

from __future__ import annotations

import csv
from typing import cast

from quorate.errors import InputError
from quorate.formats.files import File, Sink
from quorate.formats.judgments import SHARED, Judgments, export
from quorate.formats.limits import as_text, refuse
from quorate.formats.table_records import heads, rows
from quorate.panel.kinds import ONE_TASK, Panel, Scores

WORKERS = ("worker", "performer")


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file."""
    names = heads(file)
    worker = next(n for n in WORKERS if n in names)
    pairs = {"left", "right"} <= set(names)
    found.winner = "name"  # a label is one of the two
    used = {worker, "label", "task", *(("left", "right") if pairs else ())}
    found.became("judge", worker)
    found.became("winner" if pairs else "label", "label")
    if "task" in names:
        found.became("task" if pairs else "item", "task")
    found.became("", *(n for n in names if n and n not in used))
    for line, row in rows(file, encoding):
        if pairs:
            sides = {"model_a": row["left"], "model_b": row["right"]}
            task = {"task": row["task"]} if "task" in row else {}
            found.add("votes", line, judge=row[worker], winner=row["label"], **sides, **task)
        else:
            found.choice(line, row["label"], judge=row[worker], item=row["task"])


def write(panel: Panel, sink: Sink) -> None:
    """Scores or labels as ``task,worker,label``."""
    refuse(panel, "crowdkit", kinds=("scores",), counts=True, occasions=True, labels=True)
    panel = cast(Scores, panel)
    if panel.tasks != (ONE_TASK,):
        raise InputError("crowdkit holds one task: what it calls a task is an item.", "csv holds several.")
    items, judges = (as_text(c, n, "crowdkit") for c, n in ((panel.item, "item"), (panel.judge, "judge")))
    cells = zip(panel.item.codes.tolist(), panel.judge.codes.tolist(), panel.columns()[panel.value_name], strict=True)
    with sink.text() as stream:
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["task", "worker", "label"])
        out.writerows([items[i], judges[j], v] for i, j, v in cells if v is not None and v == v)


CROWDKIT = export(
    "crowdkit",
    "crowd-kit's tables: task, worker, label; or worker, left, right, label",
    ("scores", "votes"),
    walk,
    SHARED,
    write=write,
    columns=(
        "worker|performer label left right !judge|item|score|position|group|model_a|winner",
        "worker|performer label task !judge|item|score|position|group|model_a|winner",
    ),
)
