"""Panels from data frames, datasets, lists of dicts and dicts of lists; fields inside cells by their path."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.file_parts import Part
from quorate.formats.files import Bad, File
from quorate.formats.json_paths import PlainRows
from quorate.formats.tables import plan, together
from quorate.panel.base import listed
from quorate.panel.columns import Coded
from quorate.panel.kinds import Panel


def read_frames(frames: Sequence[Mapping[str, Any]], kind: str | None, **options: Any) -> Panel:
    """A panel from the columns of data frames."""
    parts = []
    for number, frame in enumerate(frames, 1):
        where = "data frame" if len(frames) == 1 else f"data frame {number}"
        columns, notes = _flat(where, frame, options)
        told = {n: v for n, v in options.items() if n != "column"} if notes is not None else options
        meant = plan(where, list(columns), kind, **told)
        raw = dict(zip(meant.names, columns.values(), strict=True))
        parts.append(meant.shape(Part(where, raw, notes=notes or [])))
    return together(parts, kind)


def _flat(
    where: str, columns: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[str] | None]:
    """Columns of plain values, and what was left aside; None where nothing was nested."""
    records = _records(columns)
    if records is None:
        return columns, None
    bad: Bad = []
    found = PlainRows(options.get("column") or {}, options.get("rename") or {}, bad)
    rows = [row for _, row in found.rows(enumerate(records, 1))]
    if bad:
        problems = [(None, f"row {row}: {said}") for row, said in bad]
        raise InputError(
            "not a table of plain values", "column=... names fields inside cells.", source=where, problems=problems
        )
    names = dict.fromkeys(n for row in rows for n in row)
    aside = [f"{where}: left aside, for they are lists: {listed(list(found.aside), 10)}"] if found.aside else []
    return {n: [row.get(n) for row in rows] for n in names}, aside


def _records(columns: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The rows, where cells hold lists or objects; else None."""
    if not any(isinstance(c, list) and any(map(_nested, set(map(type, c)))) for c in columns.values()):
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*map(_cells, columns.values()), strict=True)]


def _nested(kind: type) -> bool:
    """A list, an object, or an array, as pandas has lists from Parquet."""
    return issubclass(kind, list | dict | np.ndarray)


def _cells(column: Any) -> list[Any]:
    """The column's values as plain Python has them."""
    if isinstance(column, Coded):
        return column.values()
    return [_plain(v) for v in column] if isinstance(column, list) else column.tolist()


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


class Held(File):
    """The rows of a frame whose cells hold lists or objects, as JSON Lines, for readers of records."""

    def __init__(self, rows: Sequence[Any]) -> None:
        super().__init__("data frame.jsonl")
        self.name = "data frame"
        lines = (json.dumps(r, default=lambda v: v.tolist() if hasattr(v, "tolist") else str(v)) for r in rows)
        self._kept = "\n".join(lines).encode()


def as_records(columns: Mapping[str, Any]) -> File | None:
    """The rows of a frame as records, where its cells hold lists or objects; else None."""
    rows = _records(columns)
    return Held(rows) if rows else None
