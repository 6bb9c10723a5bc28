"""Wide tables in which two columns name the rows: a system and what it was given, or a query and its document.

``model, segment, ann, bob``: each segment is a task, and what a system made of it the item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from quorate.formats.file_parts import Part
from quorate.formats.names import KNOWN, standing_for, stands_for, taken
from quorate.formats.vote_tables import with_task
from quorate.panel.columns import encode, keys
from quorate.panel.reading import Guess, option


def by_output(part: Part) -> Part:
    """The part with a task and an item for each row, where a system, or a thing, and what it belongs to name every row
    once, and neither does so alone."""
    if {"item", "judge"} & part.raw.keys():
        return part
    free = [n for n in part.raw if n not in KNOWN]
    system = "system" if "system" in part.raw else standing_for("system", free)
    found = next((way for way in _ways(part, free, system) if _names_rows(part, *way)), None)
    if found is None:
        return part
    item, *given = found
    told = [] if item == "system" else [taken(item, "system" if item == system else "item")]
    if given != ["task"]:
        said = f"the columns {' and '.join(map(repr, given))} together are taken as the task"
        both = Guess(said, option("input-option", f"task={','.join(given)}"))
        told.append(taken(given[0], "task") if len(given) == 1 else both)
    raw = with_task(part, given)
    column = raw.pop(item)
    raw |= {"item": column} | ({"system": column} if item == system else {})
    became = {**dict.fromkeys(given, "task"), item: "system" if item == system else "item"}
    return replace(part, raw=raw, guesses=(*part.guesses, *told), became=became)


def _ways(part: Part, free: list[str], system: str | None) -> Iterator[tuple[str, ...]]:
    """What may be the item of a row, and the one or two columns that may be its task."""
    about = [n for n in free if any(stands_for(n, role) is not None for role in ("task", "unit", "item"))]
    about = ["task"] if "task" in part.raw else [n for n in about if n != system]
    if system is not None:
        yield from ((system, n) for n in about)
        yield from ((system, a, b) for a in about for b in about if a != b and stands_for(b, "unit") is not None)
        return
    tasks = [n for n in about if n == "task" or stands_for(n, "task") is not None]
    yield from ((n, t) for t in tasks for n in free if n != t and stands_for(n, "item") is not None)


def _names_rows(part: Part, item: str, *given: str) -> bool:
    """Whether both together name every row once, and a task has several rows."""
    one, tasks = encode(part.raw[item]), [encode(part.raw[n]) for n in given]
    once = len(np.unique(keys(one, *tasks))) == len(part)
    return once and len(one.ids) > 1 and len(np.unique(keys(*tasks))) < len(part)
