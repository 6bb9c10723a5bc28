"""Rows of tables, of text or JSON, as records or as columns, with the line each starts on."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats import json_records
from quorate.formats.column_builder import uneven
from quorate.formats.delimited import fitting, records
from quorate.formats.files import Bad, File, PathLike
from quorate.formats.names import understood
from quorate.formats.registry import empty
from quorate.panel.columns import Source

TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson")  # extensions of tables beside judgments: texts, units, scores


def delimiter_of(file: File) -> str:
    """What stands between the names in the first line of a table."""
    return fitting(file.head_lines[0]) if file.head_lines else ","


def heads(file: File) -> list[str]:
    """The names in the first line of a table; none if it is no text."""
    if file.folder or b"\0" in file.head[:1000] or file.start[:1] in (b"{", b"["):
        return []
    lines = file.head_lines
    try:
        return [n.strip() for n in next(csv.reader([lines[0]], delimiter=delimiter_of(file)))] if lines else []
    except csv.Error:
        return []


def rows(
    file: File, encoding: str = "utf-8", delimiter: str | None = None, quoted: bool = True
) -> Iterator[tuple[int, dict[str, str]]]:
    """Every row with its line, as a record; see :func:`table`."""
    names, found = None, table(file, encoding, delimiter, quoted)
    for line, fields in found:
        if names is None:
            names = fields
        else:
            yield line, dict(zip(names, fields, strict=True))
    if names is None:
        raise empty(file.name)


def table(
    file: File, encoding: str = "utf-8", delimiter: str | None = None, quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """The names of columns, then every row, each with its line.

    A row with too few or too many fields is an error once the others have been given. Without quoting a quote is a
    letter like others, and a line a row.
    """
    wrong: list[tuple[int, int]] = []  # line and number of fields
    names: list[str] = []
    with file.text(encoding, newline="" if quoted else "\n") as stream:
        split = ((k, line.rstrip("\r\n").split(delimiter)) for k, line in enumerate(stream, 1) if line.strip())
        for line, fields in records(file.name, stream, delimiter) if quoted else split:
            if not names and fields:
                names = [n.strip() for n in fields]
                yield line, names
            elif names and len(fields) == len(names):
                yield line, fields
            elif fields:
                wrong.append((line, len(fields)))
    if wrong:
        raise uneven(file.name, names, wrong)


def any_rows(file: File, encoding: str = "utf-8") -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a table of text, or of JSON."""
    return rows(file, encoding) if heads(file) else json_records.records(file, encoding)


# -- as columns: texts, units and scores beside judgments ----------------------------------------------------------


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


def read_texts(path: PathLike, who: str) -> list[tuple[str, str, str]]:
    """Rows of task, ``who`` (system, model, document) and text from a table."""
    found, source = read_columns([path], {})
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
    found, bad = list(json_records.records(file, encoding)), Bad()
    heads = list(dict.fromkeys(k for _, row in found for k in row))
    yield 0, heads
    for line, row in found:
        cells = [_joined(row.get(name)) if name == "models" else row.get(name) for name in heads]
        odd = [name for name, cell in zip(heads, cells, strict=True) if isinstance(cell, dict | list)]
        bad += [(line, f"'{name}' is neither a word nor a number") for name in odd[:1]]
        yield line, cells
    if bad:
        raise json_records.wrong_records(
            file, "not JSON of plain values", bad, 'such as {"task": "T1", "text": "..."}.'
        )


def _joined(value: Any) -> Any:
    listed = isinstance(value, list) and all(isinstance(v, str) for v in value)
    return " ".join(value) if listed else value
