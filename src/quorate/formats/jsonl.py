"""JSON Lines: one object per line, a row of the long table. Ids keep their type: 1 stays a number, "1" a text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.formats.files import File, Sink, bad_lines
from quorate.formats.gather import CHUNK, Ids, Numbers, column
from quorate.formats.names import clean, panel_columns, understood
from quorate.formats.parts import Part
from quorate.formats.registry import ENCODING, Format, empty
from quorate.formats.tables import OPTIONS, Plan, plan, together
from quorate.panel.columns import Coded, Source, is_blank
from quorate.panel.kinds import Panel

Row = dict[str, Any]


def read(files: Sequence[File], kind: str | None, *, encoding: str = "utf-8", **layout: Any) -> Panel:
    """A panel from JSON Lines files."""
    kinds, parts = [], []
    for file in files:
        with file.text(encoding) as stream:
            meant, part = _gather(file.name, stream, kind, layout)
        parts.append(meant.shape(part))
        kinds.append(meant.kind)
    return together(kinds, parts)


def _gather(where: str, stream: IO[str], kind: str | None, layout: dict[str, Any]) -> tuple[Plan, Part]:
    meant: Plan | None = None
    columns: dict[str, Ids | Numbers] = {}
    names: dict[str, str] = {}  # key in the file -> column
    lines: list[NDArray[np.int64]] = []
    size = 0
    bad: list[tuple[int | None, str]] = []
    for numbers, rows in _chunks(stream, bad):
        keys = dict.fromkeys(k for row in rows for k in row)
        new = [k for k in keys if k not in names]
        if meant is None:
            meant = plan(where, new, kind, **layout)
            names = dict(zip(new, meant.names, strict=True))
            columns = {n: column(n, meant.numeric) for n in meant.names}
        for key in new:
            if key not in names:  # first seen in a later chunk: blank before
                names[key] = _later(where, key, meant, columns)
                columns[names[key]] = column(names[key], meant.numeric)
                if size:
                    columns[names[key]].add([None] * size, 0)
        for key, name in names.items():
            columns[name].add([row.get(key) for row in rows], size)
        lines.append(np.array(numbers, np.int64))
        size += len(rows)
    if bad:
        hint = 'each line is an object of plain values, such as {"judge": "ann", "item": "x", "score": 3}.'
        raise bad_lines(where, "not JSON Lines", bad, hint)
    if meant is None:
        raise empty(where)
    source = Source(where, np.concatenate(lines))
    return meant, Part(where, {n: c.done(n, source) for n, c in columns.items()}, source.lines)


def _later(where: str, key: str, meant: Plan, columns: dict[str, Any]) -> str:
    renamed = {a: b for a, b in meant.rename.items() if clean(a) == clean(key)}
    name = understood(where, [key], renamed)[0]
    if name in columns:
        raise InputError(
            f"{where}: two keys mean the same column: '{key}' and '{name}'.", "use one of them throughout."
        )
    return name


def _chunks(stream: IO[str], bad: list[tuple[int | None, str]]) -> Iterator[tuple[list[int], list[Row]]]:
    lines = enumerate(stream, 1)
    while batch := list(islice(lines, CHUNK)):
        numbers, rows = [], []
        for number, line in batch:
            if line.strip():
                row = _row(line)
                if isinstance(row, str):
                    bad.append((number, row))
                else:
                    numbers.append(number)
                    rows.append(row)
        if rows and not bad:
            yield numbers, rows


def _row(line: str) -> Row | str:
    """The line's object, or what is wrong with it."""
    try:
        row = json.loads(line, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        return f"{error.msg} at place {error.pos + 1}"
    except (ValueError, RecursionError) as error:
        return str(error)
    if not isinstance(row, dict):
        return f"not an object: {line.strip()[:40]}"
    if "\\u" in line and any(half(t) for pair in row.items() for t in pair if isinstance(t, str)):
        return "there is half a character, a surrogate without the other one"
    nested = next((k for k, v in row.items() if isinstance(v, dict | list)), None)
    return f"'{nested}' holds a list or an object" if nested is not None else row


def half(text: str) -> bool:
    """Whether there is a surrogate without its other half, which no output can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _object(pairs: list[tuple[str, Any]]) -> Row:
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [k for k, _ in pairs]
        raise ValueError(f"the key '{next(k for k in keys if keys.count(k) > 1)}' is there twice")
    return row


# -- out -------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink) -> None:
    """A panel as JSON Lines."""
    columns = {name: _cells(name, column) for name, column in panel_columns(panel).items()}
    heads = [json.dumps(n, ensure_ascii=False) + ": " for n in columns]
    with sink.text() as stream:
        for start in range(0, len(panel), CHUNK):
            for row in zip(*(cells(start) for cells in columns.values()), strict=True):
                stream.write("{" + ", ".join(h + v for h, v in zip(heads, row, strict=True)) + "}\n")


def _cells(name: str, column: Any) -> Callable[[int], list[str]]:
    """A function that gives a chunk of the column's cells as JSON."""
    if isinstance(column, Coded):
        texts, codes = [_json(name, i) for i in column.ids], column.codes
        return lambda start: [texts[c] for c in codes[start : start + CHUNK].tolist()]
    return lambda start: ["null" if v != v else json.dumps(v) for v in column[start : start + CHUNK].tolist()]


def _json(what: str, given: Any) -> str:
    plain = given.item() if isinstance(given, np.generic) else given
    if not isinstance(plain, str | int | float) and not is_blank(plain):
        raise InputError(
            f"jsonl cannot hold the {what} {given!r}, a {type(given).__name__}.", "use texts or numbers as ids."
        )
    text = json.dumps(plain, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(plain)  # half characters: written as \uXXXX
    return text


def sniff(file: File) -> bool:
    """A first line that is an object."""
    lines = file.head_lines
    return bool(lines) and lines[0].lstrip().startswith("{")


_ALL = ("orderings", "groupings", "scores", "votes")
JSONL = Format(
    "jsonl",
    ("jsonl", "ndjson"),
    "long table, one JSON object per line; ids keep their type",
    _ALL,
    read,
    write,
    sniff,
    "tables",
    (*OPTIONS, ENCODING),
)
