"""Wide tables made long, and long ones wide: one column per judge, per item or per criterion.

A cell is a position (empty or 0: absent), a group (empty: left out) or a score, which is a number or a label (empty:
missing).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import SHOWN, InputError
from quorate.formats.cells import is_missing_number, missing_hint
from quorate.formats.column_builder import NOT_NUMBERS
from quorate.formats.file_parts import Part, stack
from quorate.formats.limits import as_text, refuse
from quorate.formats.names import KNOWN, clean
from quorate.panel.base import listed, many
from quorate.panel.columns import Coded, encode, frozen, is_blank, keys, narrow, numbers
from quorate.panel.kinds import ONE_TASK, Panel, Scores


def melt(
    part: Part,
    columns: Sequence[str],
    names: Sequence[str],
    across: str,
    extra: Mapping[str, Sequence[str]],
    down: str = "",
) -> Part:
    """A row for each of these columns of each row: its name in the column ``across``, its value in ``cell``.

    ``down`` is the column that names the rows; without one they are numbered from 1.
    """
    size, width = len(part), len(columns)
    other = "judge" if across in ("item", "place") else "item"
    beside: dict[str, Any] = {(other if n == down else n): encode(v) for n, v in part.raw.items() if n not in columns}
    if other not in beside:
        beside[other] = encode([str(k) for k in range(1, size + 1)])
    made = replace(part, raw=beside, notes=[]).take(np.repeat(np.arange(size), width))
    raw = dict(made.raw)
    for role, values in {across: names, **extra}.items():
        column = encode(list(values))
        raw[role] = Coded(column.ids, narrow(np.tile(column.codes, size), len(column.ids)))
    return replace(made, raw=raw | {"cell": _row_by_row(part, columns)})


def _row_by_row(part: Part, columns: Sequence[str]) -> Coded:
    """The cells of columns as one column: those of the first row, then of the second, ..."""
    cells = stack([encode(part.raw[c]) for c in columns])
    return Coded(cells.ids, frozen(cells.codes.reshape(len(columns), len(part)).T.ravel()))


def valued(part: Part, kind: str, labels: bool = False) -> Part:
    """The cells as what the kind has. Scores are labels if told so, or if none is a number."""
    raw = dict(part.raw)
    cells = raw.pop("cell")
    long = replace(part, raw=raw)
    if kind == "groupings":
        raw["group"] = cells
        return long
    if kind == "scores" and (labels or _no_number(cells)):
        raw["label"] = cells
        said = [] if labels else [f"{part.name}: no score is a number, so they are taken as labels"]
        return replace(long, notes=[*part.notes, *said])
    values = _cell_numbers(long, cells, "score" if kind == "scores" else "position")
    if kind == "scores":
        raw["score"] = values
        return long
    return _without_absent(replace(part, raw={"position": values, **raw}), values)


def _no_number(cells: Coded) -> bool:
    """There is something, and nothing of it is a number."""
    filled = [i for i in cells.ids if not is_blank(i)]
    return bool(filled) and all(cell_number(i) is None for i in filled)


def _cell_numbers(part: Part, cells: Coded, what: str) -> NDArray[np.float64]:
    """The cells as numbers, NaN where empty; every bad cell is told with its judge."""
    read = [cell_number(i) for i in cells.ids]
    bad = np.flatnonzero(np.array([n is None for n in read], bool)[cells.codes])
    if len(bad):
        judge = part.raw["judge"]
        said = (f"judge {judge.ids[judge.codes[r]]!r}: {what} {cells.ids[cells.codes[r]]!r}" for r in bad.tolist())
        codes = list(
            dict.fromkeys(str(i) for i, n in zip(cells.ids, read, strict=True) if n is None and is_missing_number(i))
        )
        hint = "each cell is a number or empty" + ("; labels=yes takes all as labels." if what == "score" else ".")
        raise part.source.error(
            f"{what} is not a number", bad, said, missing_hint(",".join(codes), what) if codes else hint
        )
    return np.array(read, np.float64)[cells.codes]


def cell_number(value: Any) -> float | None:
    """A cell's number, NaN if it is empty, None if it is something else."""
    if is_blank(value):
        return math.nan
    if isinstance(value, str) and NOT_NUMBERS.search(value):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isinf(number) else number


def _without_absent(part: Part, position: NDArray[np.float64]) -> Part:
    """The rows with a position; places of 0, and judges and items that have none, are noted."""
    nowhere = position == 0
    _check_first(part, position, nowhere)
    made = part.take(np.flatnonzero(~(np.isnan(position) | nowhere)))
    zeros = int(nowhere.sum())
    notes = [*part.notes, *([f"{part.name}: 0 is taken as no place ({many(zeros, 'cell')})"] if zeros else [])]
    for name, column in part.raw.items():
        if not isinstance(column, Coded):
            continue
        kept = set(made.raw[name].ids)
        gone = [i for i in column.ids if i not in kept]
        if gone:
            notes.append(f"{part.name}: no position at all for {name} {listed(gone, SHOWN)}")
    return replace(made, notes=notes)


def _check_first(part: Part, position: NDArray[np.float64], nowhere: NDArray[np.bool_]) -> None:
    """Places 0, 1, 2, ... of every judge are asked about: is 0 no place, or the first, or are these points?"""
    whose = keys(*(encode(part.raw[n]) for n in ("judge", "task") if n in part.raw))
    _, rows = np.unique(whose, return_inverse=True)
    order = np.lexsort((position, rows))
    often = np.bincount(rows)
    start = np.repeat(np.cumsum(often) - often, often)
    if often.min() > 2 and (position[order] == np.arange(len(rows)) - start).all():
        said = (f"judge {part.raw['judge'][r]!r}: position 0" for r in np.flatnonzero(nowhere).tolist())
        hint = (
            "the best item has position 1: if places count from 0, add 1 to each; if these are points, of which more "
            "is better, --kind scores; where there is no place, leave the cell empty."
        )
        raise part.source.error("each has 0, 1, 2, ... once: is 0 a place?", np.flatnonzero(nowhere), said, hint)


def melt_criteria(part: Part, criteria: Sequence[str], labels: bool = False, across: str = "criterion") -> Part:
    """A row for each criterion of each row, its score beside it; ``across`` is what a column is called there."""
    if across in part.raw or "score" in part.raw:
        raise InputError(
            f"{part.name}: the table has a column '{across}' or 'score' already.", "leave out criteria, or rename it."
        )
    width = len(criteria)
    beside: dict[str, Any] = {n: encode(v) for n, v in part.raw.items() if n not in criteria}
    made = replace(part, raw=beside).take(np.repeat(np.arange(len(part)), width))
    raw = dict(made.raw)
    raw[across] = Coded(tuple(criteria), narrow(np.tile(np.arange(width), len(part)), width))
    if labels:
        raw["label"] = _row_by_row(part, criteria)
    else:
        scores = [numbers(part.raw[c], c, part.source, blank_allowed=True) for c in criteria]
        raw["score"] = np.column_stack(scores).ravel()
    return replace(made, raw=raw)


def spread(panel: Panel) -> list[list[str]]:
    """The panel as a wide table, the first row its column names."""
    refuse(panel, "a wide table", counts=True, occasions=True, labels=True)
    judges = as_text(panel.judge, "judge", "a wide table")
    for judge in judges:
        if judge in KNOWN or clean(judge) != judge:
            raise InputError(f"a wide table cannot have a judge's column '{judge}'.", "write a long table.")
    rows: dict[tuple[int, int], int] = {}
    row = [
        rows.setdefault(key, len(rows))
        for key in zip(panel.task.codes.tolist(), panel.item.codes.tolist(), strict=True)
    ]
    if panel.kind == "groupings" and len(panel) < len(rows) * len(judges):
        raise InputError(
            "a wide table cannot tell an item that a judge left out from one the judge never had.",
            "write a long table.",
        )
    cells = [[""] * len(judges) for _ in rows]
    for at, judge_code, value in zip(row, panel.judge.codes.tolist(), _cells(panel), strict=True):
        cells[at][judge_code] = value
    items = as_text(panel.item, "item", "a wide table")
    head = [[items[i]] for _, i in rows]
    if panel.tasks == (ONE_TASK,):
        return [["item", *judges], *(h + c for h, c in zip(head, cells, strict=True))]
    tasks = as_text(panel.task, "task", "a wide table")
    head = [[tasks[t], items[i]] for t, i in rows]
    return [["task", "item", *judges], *(h + c for h, c in zip(head, cells, strict=True))]


def _cells(panel: Panel) -> list[str]:
    values: list[Hashable] = panel.columns()[panel.value_name]
    if isinstance(panel, Scores) and not panel.scale:
        return ["" if v != v else number(v) for v in values]
    return ["" if v is None else str(v) for v in values]


def number(value: Any) -> str:
    """A number's shortest text that reads back the same: 3, not 3.0."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
