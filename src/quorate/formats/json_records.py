"""JSON as tools write it: one array, an object a line, or one object; record by record, each with its number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import IO, Any

from quorate.errors import SHOWN, InputError
from quorate.formats.files import Bad, File, bad_lines
from quorate.formats.names import KNOWN, clean

Record = dict[str, Any]
BLOCK = 1 << 16  # characters read at a time
PIECE = 2**20  # bytes looked at to tell formats apart
DEEP = 6  # levels of keys that tell formats apart
_OPENING = re.compile(r"\s*(\[\s*){1,2}(?=\{)|\s*\[")  # of an array, or of arrays in an array
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class BadJson(ValueError):
    """What is wrong, for a line that is told beside it."""


def parse(text: str) -> Any:
    """A JSON value in which no key is there twice; a :class:`BadJson` says what is wrong."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise BadJson(f"{_why(error)} at place {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:
        raise BadJson(str(error)) from None


def _why(error: json.JSONDecodeError) -> str:
    """What is wrong, in the words of those who write JSON by hand."""
    before, after = error.doc[max(0, error.pos - 200) : error.pos].rstrip()[-1:], error.doc[error.pos : error.pos + 1]
    if before == "," and after in ("}", "]"):
        return f"a comma stands before {after}, which JSON does not allow; the value ends"
    if after == "'":
        return "a quote of another sort: JSON has texts between double quotes; one begins"
    return error.msg


def _object(pairs: list[tuple[str, Any]]) -> Record:
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [k for k, _ in pairs]
        raise BadJson(f"the key '{next(k for k in keys if keys.count(k) > 1)}' is there twice")
    return row


def members(where: str, stream: IO[str]) -> Iterator[tuple[int, Any]]:
    """The members of one JSON array with the line each begins on, read block by block."""
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    text, at, line, block = "", 0, 1, BLOCK
    opened = False
    done = False
    while True:
        more = stream.read(block)
        text, at = text[at:] + more, 0
        while True:
            start = at
            while at < len(text) and text[at] in " \t\r\n\ufeff,":
                at += 1
            line += text.count("\n", start, at)
            if at == len(text):
                break
            if not opened or text[at] == "]":
                done = opened
                opened = True
                at += 1
                if done:
                    break
                continue
            try:
                value, end = decoder.raw_decode(text, at)
            except json.JSONDecodeError as error:
                if more:
                    break  # perhaps cut in the middle
                raise _broken(where, line + text.count("\n", at, error.pos), _why(error)) from None
            except (ValueError, RecursionError) as error:
                raise _broken(where, line, str(error)) from None
            if end == len(text) and more:
                break  # a number may go on
            yield line, value
            line += text.count("\n", at, end)
            at = end
            block = BLOCK
        if done:
            return
        if not more:
            raise _broken(where, line, "the array is not closed")
        block = max(block, len(text) - at)  # a long member: twice as much each time


def _broken(where: str, line: int, what: str) -> InputError:
    return bad_lines(where, "not JSON", [(line, what)], "is the file whole? An array is [ ... ] of objects.")


def records(file: File, encoding: str = "utf-8") -> Iterator[tuple[int, Record]]:
    """Every object of a file with its number: the line it is on, or in an array its place from 1.

    What is not an object is an error that tells all such records, once the others have been given.
    """
    bad: Bad = []
    with file.text(encoding) as stream:
        found = _numbered(file.name, stream) if is_array(file) else _alone(_lines(file.name, stream, bad))
        for number, value in _flat(found):
            if isinstance(value, dict):
                yield number, value
            else:
                bad.append((number, f"not an object: {json.dumps(value)[:40]}"))
    if bad:
        raise wrong_records(file, "not JSON objects", bad, "each record is an object: {...}.")


def _flat(found: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """The records; those of arrays in an array, such as exports put together, one after the other."""
    for number, value in found:
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            yield from ((number, v) for v in value)
        else:
            yield number, value


def is_array(file: File) -> bool:
    """Whether the file is one JSON array, whose records are numbered, or has lines."""
    return file.start[:1] == b"["


def wrong_records(file: File, fact: str, bad: Bad, hint: str = "") -> InputError:
    """An error about records of a file, by their numbers or lines: the first ten are shown, all counted."""
    if not is_array(file):
        return bad_lines(file.name, fact, bad, hint)
    shown: Bad = [(None, f"record {n}: {said}") for n, said in bad[:SHOWN]]
    counted = f"{fact} ({len(bad)} record{'s' if len(bad) != 1 else ''})"
    return InputError(counted, hint, source=file.name, problems=shown, count=len(bad))


def whole(file: File, encoding: str = "utf-8") -> Any:
    """The one JSON value in a file."""
    with file.text(encoding) as stream:
        return _loaded(file.name, stream.read())


def _numbered(where: str, stream: IO[str]) -> Iterator[tuple[int, Any]]:
    """The members of an array by their number: often they all stand on one line."""
    return enumerate((value for _, value in members(where, stream)), 1)


def _lines(where: str, stream: IO[str], bad: Bad) -> Iterator[tuple[int, Any]]:
    """An object a line; one object over several lines is a single record."""
    start, first = next(((n, line) for n, line in enumerate(stream, 1) if line.strip()), (1, ""))
    if not first.rstrip().endswith("}"):
        yield start, _loaded(where, first + stream.read())
        return
    yield from by_line(chain([first], stream), bad, start)


def _alone(records: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """The records; of a single object that holds a table by column or by name, those of the table, numbered from 1."""
    first, second = next(records, None), next(records, None)
    table = oriented(first[1]) if first and second is None else None
    if table is not None:
        yield from enumerate(table, 1)
    else:
        yield from chain((r for r in (first, second) if r is not None), records)


def by_line(lines: Iterable[str], bad: Bad, start: int = 1) -> Iterator[tuple[int, Any]]:
    """A value a line, blank ones aside; what is wrong with a line is remembered."""
    for number, line in enumerate(lines, start):
        if line.strip():
            try:
                yield number, parse(line)
            except BadJson as error:
                bad.append((number, str(error)))


def _loaded(where: str, text: str) -> Any:
    try:
        return parse(text)
    except BadJson as error:
        raise InputError(f"{where}: not JSON: {error}.", "is the file whole? It may have been cut short.") from None


def oriented(value: Any) -> list[Record] | None:
    """The records of an object that holds a table by column, by row name or in one piece; None of one that does not.

    >>> oriented({"judge": ["ann", "bob"], "score": [3, 4]})
    [{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
    >>> oriented({"judge": {"0": "ann", "1": "bob"}, "score": {"0": 3, "1": 4}})
    [{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
    >>> oriented({"columns": ["judge", "score"], "index": [0, 1], "data": [["ann", 3], ["bob", 4]]})
    [{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
    >>> oriented({"r1": {"judge": "ann", "item": "x", "score": 3}, "r2": {"judge": "bob", "item": "x", "score": 4}})
    [{'judge': 'ann', 'item': 'x', 'score': 3}, {'judge': 'bob', 'item': 'x', 'score': 4}]
    >>> oriented({"ann": {"x": 1, "y": 2}, "bob": {"x": 2, "y": 2}})
    [{'name': 'ann', 'x': 1, 'y': 2}, {'name': 'bob', 'x': 2, 'y': 2}]
    >>> oriented({"ann": ["x", "y", "z"], "bob": ["y", "x", "z"]})
    [{'judge': 'ann', 'ranking': ['x', 'y', 'z']}, {'judge': 'bob', 'ranking': ['y', 'x', 'z']}]
    """
    if not isinstance(value, dict) or len(value) < 2:
        return None
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        return _split(value["columns"], value["data"])
    inside = list(value.values())
    if all(isinstance(v, list) for v in inside):
        ranked = _same_items(inside) and not any(clean(name) in KNOWN for name in value)
        made: list[Record] = [{"judge": name, "ranking": v} for name, v in value.items()]
        return made if ranked else _zipped(list(value), inside)
    if all(isinstance(v, dict) for v in inside) and inside[0] and all(v.keys() == inside[0].keys() for v in inside):
        by_column = all(k.isdigit() for k in inside[0])
        return _zipped(list(value), [list(v.values()) for v in inside]) if by_column else _with_names(value)
    return None


def _with_names(value: dict[str, Record]) -> list[Record]:
    """The records of an object with the names they have there, where they do not say judge and item themselves."""
    inside = next(iter(value.values()))
    said = {"judge", "item"} <= {clean(k) for k in inside} or "name" in inside or all(k.isdigit() for k in value)
    return [record if said else {"name": name, **record} for name, record in value.items()]


def _same_items(lists: list[list[Any]]) -> bool:
    """Whether all hold the same texts, at least three, each once: rankings."""
    first = lists[0]
    texts = len(first) > 2 and all(isinstance(i, str) for v in lists for i in v)
    return texts and all(len(set(v)) == len(v) == len(first) and set(v) == set(first) for v in lists)


def _split(columns: list[Any], rows: list[Any]) -> list[Record] | None:
    if not rows or not all(isinstance(r, list) and len(r) == len(columns) for r in rows):
        return None
    return [dict(zip(map(str, columns), r, strict=True)) for r in rows]


def _zipped(names: list[str], columns: list[list[Any]]) -> list[Record] | None:
    plain = any(not isinstance(v, list | dict) for c in columns for v in c[:1])  # else they are lists of records
    if not columns[0] or not plain or len({len(c) for c in columns}) > 1:
        return None
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


# -- what is in a record -------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def keys(file: File) -> frozenset[str]:
    """The keys of a file's first record with those inside, such as ``annotations[].result[].type``; none if not JSON.

    A key that holds a list is there twice: ``judge`` and ``judge[]``.

    The record need not be whole: a long one is looked at as far as the first million bytes go.
    """
    if file.folder or file.start[:1] not in (b"[", b"{"):
        return frozenset()
    with file.binary() as raw:
        text = raw.read(PIECE).decode("utf-8-sig", "replace")
    found: set[str] = set()
    path: list[str] = []  # of the containers that are open, each "" or "[]" or ".key"
    key = last = ""
    opening = _OPENING.match(text)
    base = opening.group().count("[") if opening else 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in "{[":
            path.append(f".{key}" * bool(key) + "[]" * (token == "["))
            key = ""
            if token == "[" and base < len(path) <= base + DEEP:
                found.add("".join(path[base:]).lstrip("."))
        elif token in "}]":
            if path:
                path.pop()
            if len(path) <= base:
                break
        elif token == ":":
            key = last[1:-1]
            if len(path) <= base + DEEP:
                found.add("".join([*path[base:], f".{key}"]).lstrip("."))
        elif token == ",":
            key = ""
        else:
            last = token
            key = ""
    return frozenset(found)


def at(record: Any, path: str) -> Any:
    """What is at a dotted path of a record, None if nothing.

    >>> at({"data": {"doc": {"id": 7}}}, "data.doc.id"), at({"a.b": 1}, "a.b")
    (7, 1)
    """
    if isinstance(record, dict) and path in record:
        return record[path]
    head, dot, rest = path.partition(".")
    return at(record[head], rest) if dot and isinstance(record, dict) and head in record else None
