"""Columns of long tables that are no judgments: texts, units, scores; csv, tsv or jsonl, with the line of every row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats.delimited import records
from quorate.formats.files import File, PathLike, bad_lines
from quorate.formats.names import understood
from quorate.panel.columns import Source

TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson")
Rows = list[tuple[int, Sequence[Any]]]  # line and cells


def read_columns(
    paths: Sequence[PathLike], rename: Mapping[str, str] | None = None, encoding: str | None = None
) -> tuple[dict[str, list[Any]], Source]:
    """The columns of csv, tsv or jsonl files, one below the other, and the line of each row."""
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    for path in paths:
        file = File(path)
        with file.text(encoding or "utf-8", newline="") as stream:
            heads, rows = _objects(stream, file.name) if "json" in file.extension else _cells(stream, file.name)
        for place, name in enumerate(understood(file.name, heads, rename or {})):
            filled = columns.setdefault(name, [None] * len(lines))
            filled += [row[place] for _, row in rows]
        lines += [line for line, _ in rows]
        for column in columns.values():
            column += [None] * (len(lines) - len(column))
    name = File(paths[0]).name if len(paths) == 1 else "tables"
    return columns, Source(name, np.array(lines, np.int64) if len(paths) == 1 else None)


def read_texts(path: PathLike, who: str, encoding: str | None = None) -> list[tuple[str, str, str]]:
    """Rows of task, ``who`` (system, model, document) and text from a table."""
    found, source = read_columns([path], {}, encoding)
    columns = {name.lower(): column for name, column in found.items()}
    needed(source.name, columns, "task", who, "text")
    cells = zip(*(columns[n] for n in ("task", who, "text")), strict=True)
    plain = (["" if c is None else str(c) for c in row] for row in cells)
    return [(task.strip(), name.strip(), text) for task, name, text in plain]


def needed(where: str, columns: Mapping[str, Any], *names: str) -> None:
    """An error if a table lacks a column."""
    for name in names:
        if name not in columns:
            if not columns:
                raise InputError(f"{where}: nothing in it.", f"its columns are {', '.join(names)}.")
            raise InputError(f"{where}: no column '{name}'.", suggest(name, columns, "Columns found"))


def _cells(stream: Any, where: str) -> tuple[list[str], Rows]:
    """Of csv and tsv: the first line names the columns, and every line has as many cells."""
    rows: Rows = [(line, row) for line, row in records(where, stream) if row]
    heads = list(rows.pop(0)[1]) if rows else []
    bad: list[tuple[int | None, str]] = [(line, f"{len(row)} fields") for line, row in rows if len(row) != len(heads)]
    if bad:
        hint = 'a cell with the separator in it is put between ".'
        raise bad_lines(where, f"the number of fields is not {len(heads)}", bad, hint)
    return heads, rows


def _objects(stream: Iterable[str], where: str) -> tuple[list[str], Rows]:
    """Of JSON Lines: an object a line, with words and numbers in it; models may be listed."""
    found: list[tuple[int, dict[str, Any]]] = []
    bad: list[tuple[int | None, str]] = []
    for number, line in enumerate(stream, 1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            why = _wrong(row)
            if why:
                bad.append((number, why))
            else:
                found.append((number, {k: " ".join(v) if isinstance(v, list) else v for k, v in row.items()}))
    if bad:
        raise bad_lines(where, "not JSON Lines of plain values", bad, 'such as {"task": "T1", "text": "..."}.')
    heads = list(dict.fromkeys(k for _, row in found for k in row))
    return heads, [(line, [row.get(h) for h in heads]) for line, row in found]


def _wrong(row: Any) -> str:
    if not isinstance(row, dict):
        return "not an object"
    for name, value in row.items():
        listed = name == "models" and isinstance(value, list) and all(isinstance(m, str) for m in value)
        if isinstance(value, dict | list) and not listed:
            return f"'{name}' is neither a word nor a number"
    return ""
