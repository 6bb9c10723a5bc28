"""Long tables of units and of texts: the columns of csv, tsv and jsonl files, with the line of every row."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.delimited import fitting
from quorate.formats.files import File, PathLike
from quorate.formats.names import understood
from quorate.panel.columns import Source

TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson")
Rows = list[tuple[int, Sequence[Any]]]  # line and cells
Problems = list[tuple[int | None, str]]


def read_columns(
    paths: Sequence[PathLike], rename: Mapping[str, str], encoding: str | None = None
) -> tuple[dict[str, list[Any]], Source]:
    """The columns of csv, tsv or jsonl files, one below the other, and the line of each row."""
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    for path in paths:
        file = File(path)
        with file.text(encoding or "utf-8", newline="") as stream:
            heads, rows = _objects(stream, file.name) if "json" in file.extension else _cells(stream.read(), file.name)
        for place, name in enumerate(understood(file.name, heads, rename)):
            filled = columns.setdefault(name, [None] * len(lines))
            filled += [row[place] for _, row in rows]
        lines += [line for line, _ in rows]
        for column in columns.values():
            column += [None] * (len(lines) - len(column))
    name = File(paths[0]).name if len(paths) == 1 else "tables"
    return columns, Source(name, np.array(lines, np.int64) if len(paths) == 1 else None)


def _cells(text: str, where: str) -> tuple[list[str], Rows]:
    """Of csv and tsv: the first line names the columns, and every line has as many cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=fitting(text.partition("\n")[0]))
    before = csv.field_size_limit(sys.maxsize)  # a text may be long
    try:
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise InputError(f"{where}: not a table ({error}, line {reader.line_num}).") from None
    finally:
        csv.field_size_limit(before)
    heads = rows.pop(0)[1] if rows else []
    bad: Problems = [(line, f"{len(row)} cells") for line, row in rows if len(row) != len(heads)]
    if bad:
        raise InputError(
            f"not as many cells as the {len(heads)} columns have names",
            'a cell with the separator in it is put between ".',
            source=where,
            problems=bad,
        )
    return heads, list(rows)


def _objects(stream: Iterator[str], where: str) -> tuple[list[str], Rows]:
    """Of JSON Lines: an object a line, with words and numbers in it; models may be listed."""
    found: list[tuple[int, dict[str, Any]]] = []
    bad: Problems = []
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
        raise InputError("not JSON Lines of units", "an object a line.", source=where, problems=bad)
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
