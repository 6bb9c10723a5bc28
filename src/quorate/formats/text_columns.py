"""Columns of long tables that are no judgments: texts, units, scores; csv, tsv or jsonl, with the line of every row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats.files import File, PathLike
from quorate.formats.json_records import records, wrong_records
from quorate.formats.names import understood
from quorate.formats.table_records import table
from quorate.panel.columns import Source

TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson")


def read_columns(
    paths: Sequence[PathLike], rename: Mapping[str, str] | None = None, encoding: str | None = None
) -> tuple[dict[str, list[Any]], Source]:
    """The columns of csv, tsv or jsonl files, one below the other, and the line of each row."""
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    for path in paths:
        file = File(path)
        found = list((_objects if "json" in file.extension else table)(file, encoding or "utf-8"))
        heads, rows = found[0][1] if found else [], found[1:]
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


def _objects(file: File, encoding: str) -> Iterator[tuple[int, list[Any]]]:
    """Of JSON Lines the keys, then the objects, with words and numbers in them; models may be listed."""
    found, bad = list(records(file, encoding)), list[tuple[int | None, str]]()
    heads = list(dict.fromkeys(k for _, row in found for k in row))
    yield 0, heads
    for line, row in found:
        cells = [_joined(row.get(name)) if name == "models" else row.get(name) for name in heads]
        odd = [name for name, cell in zip(heads, cells, strict=True) if isinstance(cell, dict | list)]
        bad += [(line, f"'{name}' is neither a word nor a number") for name in odd[:1]]
        yield line, cells
    if bad:
        raise wrong_records(file, "not JSON of plain values", bad, 'such as {"task": "T1", "text": "..."}.')


def _joined(value: Any) -> Any:
    listed = isinstance(value, list) and all(isinstance(v, str) for v in value)
    return " ".join(value) if listed else value
