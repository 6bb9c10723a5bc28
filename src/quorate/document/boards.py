"""A leaderboard as a table and as plain data: a row per system with its mean, interval, letters and tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate.document.blocks import Column, Table
from quorate.document.columns import column
from quorate.document.pivot import interval_column
from quorate.inference.board import Board
from quorate.inference.estimate import Estimate


def board_table(
    title: str, names: Sequence[Any], board: Board, head: str, more: Mapping[Column, Sequence[float]] | None = None
) -> Table:
    """The systems by their names, best first; ``more`` are further figures of the systems, by column."""
    inside = interval_column([Estimate(0.0, between) for between in board.intervals])
    columns = (column("system"), Column("mean", head, "figure"), replace(inside, minor=0))
    further = dict(more or {})
    rows = []
    for s in board.order:
        cells = (float(board.means[s]), board.intervals[s], board.letters[s], int(board.tasks[s]))
        rows.append((names[s], *cells, *(float(values[s]) for values in further.values())))
    return Table(title, (*columns, column("group"), column("tasks"), *further), tuple(rows))


def board_rows(names: Sequence[Any], board: Board) -> list[dict[str, Any]]:
    """The same as plain data, best first."""
    rows = []
    for s in board.order:
        ends = board.intervals[s]
        row = {"system": names[s], "mean": float(board.means[s]), "tasks": int(board.tasks[s])}
        rows.append({**row, "interval": ends.ends if ends else None, "group": board.letters[s]})
    return rows
