"""Which columns of Label Studio's flat exports are controls, and which are data of the tasks.

The exports do not say. JSON_MIN writes data, then ``id``, then controls, then who annotated, unless the data have an
``id`` of their own, which then comes first; CSV has its columns in the order of the alphabet. There a control is a
column that annotators of one task fill differently; where no task has two annotators, or they all agree, one with few
values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from quorate.formats.judgments import Judgments

ROWS = "annotator annotation_id lead_time|created_at|updated_at"  # columns that tell a flat export
META = {
    *("id", "inner_id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "history"),
    *("was_cancelled", "file_upload", "total_annotations", "cancelled_annotations", "total_predictions", "project"),
    *("meta", "comment_count"),
}
RESULT = re.compile(r'\[?\{"(choices|taxonomy|rating|number|selected|ranker)"')  # a control's answer, as JSON
FEW = 20  # values that a column of labels has at most, unless annotators differ in it


def controls(rows: Iterable[tuple[int, dict[str, Any]]], ordered: bool, found: Judgments) -> list[str]:
    """The controls among the columns; ``ordered`` says that columns stand as JSON_MIN writes them."""
    if found.criteria:
        return list(found.criteria)
    names: dict[str, None] = {}
    first: dict[str, dict[Any, int]] = {}
    differ: set[str] = set()
    values: dict[str, set[int]] = {}
    count = 0
    for _, row in rows:
        count += 1
        told = list(row)
        ordered = ordered and told[0] != "id" and "annotator" in row
        if ordered and "id" in row:
            names |= dict.fromkeys(told[told.index("id") + 1 : told.index("annotator")])
            continue
        for name in told:
            if name not in META and row[name] not in (None, ""):
                key = hash(str(row[name]))
                if RESULT.match(row[name] if isinstance(row[name], str) else json.dumps(row[name])):
                    differ.add(name)
                if first.setdefault(name, {}).setdefault(str(row.get("id")), key) != key:
                    differ.add(name)
                if len(seen := values.setdefault(name, set())) <= FEW:
                    seen.add(key)
    if ordered:
        return [n for n in names if n not in META]
    few = [n for n, seen in values.items() if len(seen) <= FEW and len(seen) * 2 <= max(count, 4)]
    chosen = [n for n in first if n in differ] or few
    rest = [n for n in first if n not in chosen]
    if chosen:
        found.guess(
            f"the columns {', '.join(chosen)} are taken as controls, {', '.join(rest) or 'none'} as data",
            f"--criteria {','.join(chosen)}",
        )
    return chosen
