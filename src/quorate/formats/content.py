"""What a column is by what is in it, where no name tells: items of judges who have several rows each, and labels."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.formats.cells import is_numeral
from quorate.formats.file_parts import Part
from quorate.formats.names import KNOWN, standing_for, taken
from quorate.panel.columns import Coded, encode, is_blank, keys
from quorate.panel.reading import option

ONCE = 0.95  # of the rows: a judge has an item once, but for a few that come again
SHARED = 0.5  # of the rows are of items that several judges have
WORDS = 0.5  # of the rows at most are different labels


def holds_numbers(values: Any) -> bool:
    """Whether a column holds numbers alone, and at least one."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "iuf"
    filled = [i for i in encode(values).ids if not is_blank(i)]
    return bool(filled) and all(map(is_numeral, filled))


def item_by_content(part: Part) -> Part | None:
    """The part with judges and items, where a column is called after judges and one other alone can name the items.

    Judges have several rows each, an item once each, and items in common.
    """
    raw = part.raw
    free = [n for n in raw if n not in KNOWN]
    judge = "judge" if "judge" in raw else standing_for("judge", free)
    if judge is None or "item" in raw or "system" in raw:
        return None
    judges = encode(raw[judge])
    if len(judges.ids) in (1, len(judges)):
        return None
    task = [encode(raw["task"])] if "task" in raw else []
    found = [n for n in free if n != judge and _names_items(encode(raw[n]), judges, task)]
    worded = [n for n in found if not holds_numbers(raw[n])]
    found = worded or [n for n in found if n.lower().endswith(("id", "no", "number", "nr"))]
    if not found or len(np.unique(keys(*(encode(raw[n]) for n in found)))) > len(encode(raw[found[0]]).ids):
        return None  # none, or several that are not the same by other names
    new = {judge: "judge", found[0]: "item"}
    guesses = [taken(old, role) for old, role in new.items() if old != role]
    columns = {new.get(n, n): c for n, c in raw.items()}
    return replace(part, raw=columns, guesses=(*part.guesses, *guesses), became=new)


def _names_items(column: Coded, judges: Coded, task: list[Coded]) -> bool:
    """Whether every judge has each of these once, and most of them are had by several judges."""
    items = keys(column, *task)
    once = len(np.unique(np.stack([items, judges.codes.astype(np.int64)]), axis=1)[0])
    return bool(once >= ONCE * len(items) and had_by_several(items, judges) >= SHARED)


def had_by_several(what: NDArray[Any], judges: Coded) -> float:
    """The share of rows about something that more than one judge has a row about."""
    _, thing = np.unique(what, return_inverse=True)
    both = np.unique(np.stack([thing.ravel(), judges.codes.astype(np.int64)]), axis=1)[0]
    return float((np.bincount(both)[thing.ravel()] > 1).mean())


def one_row_each(part: Part) -> str:
    """The option that makes a long table of one whose names nobody knows: two columns that tell all rows apart."""
    if {"judge", "item"} & part.raw.keys():
        return ""
    columns = {n: encode(c) for n, c in list(part.raw.items())[:8]}
    again = [n for n, c in columns.items() if 1 < len(c.ids) < len(c) and not holds_numbers(part.raw[n])]
    for pair in combinations(again, 2):
        judge, item = sorted(pair, key=lambda n: len(columns[n].ids))
        rest = [n for n in columns if n not in pair and len(columns[n].ids) > 1]
        if rest and _names_items(columns[item], columns[judge], []):
            value = next((n for n in rest if holds_numbers(part.raw[n])), rest[-1])
            role = "score" if holds_numbers(part.raw[value]) else "label"
            return option("rename", f"{judge}=judge", f"{item}=item", f"{value}={role}")
    return ""


def label_by_content(part: Part) -> Part | None:
    """The part with labels: no column beside judge and item holds numbers, and one holds words that come again."""
    free = [n for n in part.raw if n not in KNOWN]
    if not {"judge", "item"} <= part.raw.keys() or any(holds_numbers(part.raw[n]) for n in free):
        return None
    found = [n for n in free if 1 < len(encode(part.raw[n]).ids) <= WORDS * len(part)]
    if len(found) != 1:
        return None
    raw = {"label" if n == found[0] else n: c for n, c in part.raw.items()}
    guesses = (*part.guesses, taken(found[0], "label"))
    return replace(part, raw=raw, guesses=guesses, became={**part.became, found[0]: "label"})
