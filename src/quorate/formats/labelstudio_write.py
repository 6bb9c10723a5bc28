"""Scores as Label Studio's JSON: a task per item, an annotation per judge and occasion, a control per criterion."""

from __future__ import annotations

import json
from typing import Any, cast

from quorate.errors import InputError
from quorate.formats.files import Sink
from quorate.formats.limits import as_text, refuse
from quorate.panel.kinds import ONE_TASK, Panel, Scores


def write(panel: Panel, sink: Sink) -> None:
    """A panel of scores as one JSON array of tasks."""
    refuse(panel, "labelstudio", kinds=("scores",), counts=True)
    panel = cast(Scores, panel)
    extra = sorted(set(panel.labels) - {"criterion", "system"})
    if extra or panel.tasks != (ONE_TASK,):
        lost = [*extra, *(["tasks"] if panel.tasks != (ONE_TASK,) else [])]
        raise InputError(f"labelstudio cannot hold {', '.join(lost)}.", "csv, tsv, jsonl and parquet hold it.")
    as_text(panel.item, "item", "labelstudio"), as_text(panel.judge, "judge", "labelstudio")
    tasks: dict[Any, dict[Any, list[dict[str, Any]]]] = {}
    columns = panel.columns()
    size = len(panel)
    criterion = columns.get("criterion", ["score"] * size)
    system = columns.get("system", [None] * size)
    occasion = columns.get("occasion", [1] * size)
    values = columns[panel.value_name]
    for k in range(size):
        result = tasks.setdefault((columns["item"][k], system[k]), {}).setdefault(
            (columns["judge"][k], occasion[k]), []
        )
        if values[k] is None or values[k] != values[k]:
            continue
        kind = "choices" if panel.scale else "number"
        value = {kind: [values[k]] if panel.scale else values[k]}
        result.append({"from_name": criterion[k], "to_name": "item", "type": kind, "value": value})
    with sink.text() as stream:
        stream.write("[")
        for place, ((item, made_by), done) in enumerate(tasks.items()):
            data = {"item": item, **({"system": made_by} if made_by is not None else {})}
            found = [{"completed_by": judge, "was_cancelled": False, "result": r} for (judge, _), r in done.items()]
            stream.write(",\n" if place else "\n")
            json.dump({"id": item, "data": data, "annotations": found}, stream, ensure_ascii=False)
        stream.write("\n]\n")
