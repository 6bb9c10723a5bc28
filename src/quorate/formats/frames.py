"""Panels from data frames, datasets, lists of dicts and dicts of lists; fields inside cells by their path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.errors import InputError
from quorate.formats.jsonl import Bad, Rows
from quorate.formats.parts import Part
from quorate.formats.tables import plan, together
from quorate.panel.base import listed
from quorate.panel.frames import frame_columns
from quorate.panel.kinds import Panel


def read_frames(frames: Sequence[Any], kind: str | None, **options: Any) -> Panel:
    """A panel from data frames."""
    parts = []
    for number, frame in enumerate(frames, 1):
        where = "data frame" if len(frames) == 1 else f"data frame {number}"
        columns, notes = _flat(where, frame_columns(frame), options)
        told = {n: v for n, v in options.items() if n != "column"} if notes is not None else options
        meant = plan(where, list(columns), kind, **told)
        raw = dict(zip(meant.names, columns.values(), strict=True))
        parts.append(meant.shape(Part(where, raw, notes=notes or [])))
    return together(parts, kind)


def _flat(
    where: str, columns: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[str] | None]:
    """Columns of plain values, and what was left aside; None where nothing was nested."""
    nested = [n for n, c in columns.items() if isinstance(c, list) and any(isinstance(v, list | dict) for v in c)]
    if not nested:
        return columns, None
    bad: Bad = []
    found = Rows(options.get("column") or {}, options.get("rename") or {}, bad)
    cells = [c if isinstance(c, list) else c.tolist() for c in columns.values()]
    records = (dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True))
    rows = [row for _, row in found.rows(enumerate(records, 1))]
    if bad:
        problems = [(None, f"row {row}: {said}") for row, said in bad]
        raise InputError(
            "not a table of plain values", "column=... names fields inside cells.", source=where, problems=problems
        )
    names = dict.fromkeys(n for row in rows for n in row)
    aside = [f"{where}: left aside, for they are lists: {listed(list(found.aside), 10)}"] if found.aside else []
    return {n: [row.get(n) for row in rows] for n in names}, aside
