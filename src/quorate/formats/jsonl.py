"""JSON: one object per line, or one array of objects, each a row of the table; fields inside by their path.

Ids keep their type: 1 stays a number, "1" a text; true and false are the texts true and false. Lists and objects inside
are left aside and told, unless a path (``column="score=answers[].value"``) says what they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.formats import json_paths
from quorate.formats.column_builder import CHUNK, Ids, Numbers, Numeric, filled
from quorate.formats.file_parts import Part
from quorate.formats.files import Bad, File, Sink, bad_lines
from quorate.formats.json_paths import PlainRows, Row
from quorate.formats.json_records import BadJson, by_line, members, oriented, parse
from quorate.formats.names import clean, panel_columns, understood
from quorate.formats.registry import ENCODING, Format, Option, empty, text
from quorate.formats.table_options import OPTIONS
from quorate.formats.tables import Plan, plan, together
from quorate.panel.base import listed
from quorate.panel.columns import Coded, is_blank
from quorate.panel.kinds import PANELS, Panel
from quorate.panel.reading import Guess, option

HINT = 'each line is an object of plain values, such as {"judge": "ann", "item": "x", "score": 3}.'
RECORDS = Option("records", "the field of a JSON object that holds the list of records", text)


def read(files: Sequence[File], kind: str | None, *, encoding: str = "utf-8", **layout: Any) -> Panel:
    """A panel from JSON Lines files, or from JSON arrays."""
    return together([_read_one(f, kind, encoding, dict(layout)) for f in files], kind)


def _read_one(file: File, kind: str | None, encoding: str, layout: dict[str, Any]) -> Part:
    where = file.name
    columns, inside = layout.pop("column", None) or {}, layout.pop("records", None)
    with file.text(encoding) as stream:
        bad: Bad = []
        guesses: list[Guess] = []
        notes: list[str] = []
        if file.start.startswith(b"["):
            records = _named(members(where, stream), notes)
        elif _one_object(file):
            records = _inside(where, _whole(where, stream.read()), columns, inside, guesses, notes)
        else:
            records = _alone(where, by_line(stream, bad), columns, inside, guesses, notes)
        found = PlainRows(columns, layout.get("rename") or {}, bad)
        with _hinted(where, found, guesses):
            meant, part = _gather(where, found.rows(records), bad, kind, layout)
            notes += part.notes
            if found.aside:
                notes.append(f"{where}: left aside, for they are lists: {listed(list(found.aside), 10)}")
            return meant.shape(Part(where, part.raw, part.lines, notes, guesses=(*guesses, *part.guesses)))


@contextmanager
def _hinted(where: str, found: PlainRows, guesses: Sequence[Guess]) -> Iterator[None]:
    """Where a table cannot be understood and lists were left aside, how their fields are named.

    They are named within the records: where these are a list that was guessed, it is to be told as well.
    """
    try:
        yield
    except InputError as error:
        if not found.aside or error.problems:
            raise
        fields = ", ".join([*list(found.plain)[:10], *list(found.aside)[:20]])
        likely = json_paths.likely(found.plain, {**found.aside, **found.cells})
        if likely:
            told = " ".join([*(g.option for g in guesses), option("column", likely)])
            hint = f"{told} takes a row from each member of the list"
            raise InputError(
                f"{where}: the judgments seem to lie in lists.", f"{hint}; fields found: {fields}."
            ) from None
        numbered = "LIST[#] is the number of a member"
        told = f"--column judge=PATH,item=PATH,score=PATH ({numbered}): {fields}"
        named = f"Fields inside lists are named by their path, {told}."
        if len(found.plain) < 2:
            raise InputError(f"{where}: the judgments seem to lie in lists.", named) from None
        raise InputError(error.fact, f"{error.hint} {named}") from None


def _one_object(file: File) -> bool:
    """Whether the file is one object over several lines, or one line with a list of records."""
    head = file.start
    line, more, rest = head.partition(b"\n")
    if not head.startswith(b"{") or rest.strip()[:1] == b"{":
        return False
    try:
        record = parse(line.decode("utf-8", "replace"))
    except BadJson:
        return bool(more) and line.strip() == b"{"
    held = isinstance(record, dict) and (json_paths.lists(record) or oriented(record))
    return bool(held) and not rest.strip()


def _named(members: Iterator[tuple[int, Any]], notes: list[str]) -> Iterator[tuple[int, Any]]:
    """The members of an array; of an array of arrays the first one names the columns."""
    first = next(members, None)
    if first is None:
        return
    names = first[1]
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names) or not names:
        yield first
        yield from members
        return
    notes.append("the first of its arrays names the columns")
    for line, row in members:
        fits = isinstance(row, list) and len(row) == len(names)
        yield line, dict(zip(names, row, strict=True)) if fits else row


def _alone(
    where: str, records: Iterator[tuple[int, Any]], columns: Mapping[str, str], *told: Any
) -> Iterator[tuple[int, Any]]:
    """The records; where there is a single one, those that it holds."""
    first, second = next(records, None), next(records, None)
    if first is None:
        return
    held = second is None and isinstance(first[1], dict)
    if held and (told[0] or json_paths.lists(first[1]) or oriented(first[1])):
        yield from _inside(where, first[1], columns, *told)
        return
    yield first
    if second is not None:
        yield second
    yield from records


def _whole(where: str, text: str) -> Any:
    try:
        return parse(text)
    except BadJson as error:
        raise bad_lines(where, "not JSON", [(None, str(error))], HINT) from None


def _inside(
    where: str, record: Any, columns: Mapping[str, str], inside: str | None, guesses: list[Guess], notes: list[str]
) -> Iterator[tuple[int, Any]]:
    """The records in an object: those of the list that is named, or of the only list of objects, or of a table."""
    if inside is None and any(json_paths.steps(path)[0] in record for path in columns.values()):
        yield 1, record  # the paths are those of the whole
        return
    table = oriented(record) if inside is None else None
    if table is not None:
        notes.append(f"{where}: one object that holds {len(table):,} records by column or by name")
        yield from ((1, row) for row in table)
        return
    lists = json_paths.lists(record) if isinstance(record, dict) else []
    key = inside or (lists[0] if len(lists) == 1 else None)
    found = json_paths.field(record, json_paths.steps(key)) if key else None
    if not isinstance(found, list):
        paths = json_paths.all_paths(record)
        held = " or ".join(dict.fromkeys(p.partition("[]")[0] for p in paths if "[]." in p))
        names = f"records=FIELD names the list{f' ({held})' if held else ''}"
        raise InputError(
            f"{where}: one JSON object, and no single list of records in it.",
            f"--input-option {names}, --column score=FIELD[].score its fields; found: {', '.join(paths)}.",
        )
    if inside is None:
        guesses.append(Guess(f"the records are taken from the list '{key}'", f"--input-option records={key}"))
    for member in found:
        yield 1, member


def _gather(
    where: str, records: Iterator[tuple[int, Row]], bad: Bad, kind: str | None, layout: dict[str, Any]
) -> tuple[Plan, Part]:
    meant: Plan | None = None
    numeric = Numeric()
    columns: dict[str, Ids | Numbers] = {}
    names: dict[str, str] = {}  # key in the file -> column
    lines: list[NDArray[np.int64]] = []
    size = 0
    while chunk := list(islice(records, CHUNK)):
        if bad:
            continue
        rows = [row for _, row in chunk]
        keys = dict.fromkeys(k for row in rows for k in row)
        new = [k for k in keys if k not in names]
        if meant is None:
            meant = plan(where, new, kind, **layout)
            names = dict(zip(new, meant.names, strict=True))
            numeric = meant.numeric()
            columns = {n: numeric.column(n) for n in meant.names}
        for key in new:
            if key not in names:  # first seen in a later chunk: blank before
                names[key] = _later(where, key, meant, columns)
                columns[names[key]] = numeric.column(names[key])
                if size:
                    columns[names[key]].add([None] * size, 0)
        for key, name in names.items():
            columns[name].add([row.get(key) for row in rows], size)
        lines.append(np.array([line for line, _ in chunk], np.int64))
        size += len(rows)
    if bad:
        raise bad_lines(where, "not JSON Lines", bad, HINT)
    if meant is None:
        raise empty(where)
    return meant, filled(where, columns, np.concatenate(lines))


def _later(where: str, key: str, meant: Plan, columns: dict[str, Any]) -> str:
    renamed = {a: b for a, b in meant.rename.items() if clean(a) == clean(key)}
    name = understood(where, [key], renamed)[0]
    if name in columns:
        raise InputError(
            f"{where}: two keys mean the same column: '{key}' and '{name}'.", "use one of them throughout."
        )
    return name


# -- out -------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink, *, array: bool = False) -> None:
    """A panel as JSON Lines, or as one array of the same objects."""
    columns = {name: _cells(name, column) for name, column in panel_columns(panel).items()}
    heads = [json.dumps(n, ensure_ascii=False) + ": " for n in columns]
    before, between, after = ("[\n", ",\n", "\n]\n") if array else ("", "\n", "\n")
    with sink.text() as stream:
        stream.write(before)
        for start in range(0, len(panel), CHUNK):
            objects = (
                "{" + ", ".join(h + v for h, v in zip(heads, row, strict=True)) + "}"
                for row in zip(*(cells(start) for cells in columns.values()), strict=True)
            )
            stream.write((between if start else "") + between.join(objects))
        stream.write(after)


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
    return bool(lines) and lines[0].lstrip().startswith("{") and not _one_object(file)


def sniff_json(file: File) -> bool:
    """An array, or one object with a list of records."""
    return file.start.startswith(b"[") or _one_object(file)


def write_json(panel: Panel, sink: Sink) -> None:
    """A panel as one JSON array."""
    write(panel, sink, array=True)


JSONL = Format(
    "jsonl",
    ("jsonl", "ndjson"),
    "long table, one JSON object per line; ids keep their type",
    tuple(PANELS),
    read,
    write,
    sniff,
    "tables",
    (*OPTIONS, RECORDS, ENCODING),
)
JSON = Format(
    "json",
    ("json",),
    "long table, one JSON array of objects; nested fields by their path",
    tuple(PANELS),
    read,
    write_json,
    sniff_json,
    "json",
    (*OPTIONS, RECORDS, ENCODING),
)
