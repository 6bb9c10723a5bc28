"""Records in JSON: one object a line, one array of objects, or an object that holds such an array; fields by path.

A path names a field inside an object, ``meta.author``; ``[]`` goes through a list, ``answers[].value``, and every
member of the list becomes a row of its own; ``[0]`` is one member.

>>> rows({"id": 7, "answers": [{"by": "ann", "v": 3}, {"by": "bob", "v": 4}]}, {"item": "id", "judge": "answers[].by"})
[{'item': 7, 'judge': 'ann'}, {'item': 7, 'judge': 'bob'}]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import IO, Any

from quorate.errors import InputError
from quorate.formats.files import bad_lines

BLOCK = 1 << 16  # characters read at a time
MOST_PATHS = 40  # told in a message
_STEP = re.compile(r"([^.\[\]]+)|\[(\d*)\]|\.")
Row = dict[str, Any]
Step = str | int | None  # a key, a place in a list, or all of a list


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


def _object(pairs: list[tuple[str, Any]]) -> Row:
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


def steps(path: str) -> list[Step]:
    """A path as keys and places.

    >>> steps("responses.quality[].value"), steps("a[0]")
    (['responses', 'quality', None, 'value'], ['a', 0])
    """
    out: list[Step] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        if not found:
            raise InputError(f"'{path}' is no path.", "a path is like answers[].value or meta.author.")
        if found[1] is not None:
            out.append(found[1])
        elif found[0] != ".":
            out.append(int(found[2]) if found[2] else None)
        at = found.end()
    return out


def rows(record: Any, columns: Mapping[str, str]) -> list[Row]:
    """The rows of a record: one for every member of the lists that the paths go through."""
    return _rows(record, {name: steps(path) if isinstance(path, str) else path for name, path in columns.items()})


def _rows(record: Any, columns: Mapping[str, list[Step]]) -> list[Row]:
    own = {n: _field(record, s) for n, s in columns.items() if None not in s}
    inner: dict[tuple[Step, ...], dict[str, list[Step]]] = {}
    for name, path in columns.items():
        if None in path:
            at = path.index(None)
            inner.setdefault(tuple(path[:at]), {})[name] = path[at + 1 :]
    if not inner:
        return [own]
    if len(inner) > 1:
        lists = " and ".join(".".join(map(str, k)) or "the record" for k in inner)
        raise InputError(f"columns go through two lists side by side: {lists}.", "take columns of one list at a time.")
    [(prefix, below)] = inner.items()
    found = _field(record, list(prefix))
    if found is not None and not isinstance(found, list):
        raise InputError(f"'{'.'.join(map(str, prefix))}' is no list.", "[] goes through a list; leave it out.")
    return [own | row for member in found or () for row in _rows(member, below)]


def _field(record: Any, path: list[Step]) -> Any:
    for step in path:
        if isinstance(step, int):
            record = record[step] if isinstance(record, list) and step < len(record) else None
        else:
            record = record.get(step) if isinstance(record, dict) else None
    return record


def plain(record: Row) -> tuple[Row, list[str]]:
    """The plain values of a record, those of objects inside under dotted names; and the paths that are left aside."""
    row: Row = {}
    aside: list[str] = []
    for key, value in record.items():
        if isinstance(value, dict):
            inner, more = plain(value)
            row |= {f"{key}.{k}": v for k, v in inner.items()}
            aside += [f"{key}.{m}" for m in more]
        elif isinstance(value, list):
            aside += [f"{key}[]{m}" for m in _inside(value)]
        else:
            row[key] = value
    return row, aside


def _inside(values: list[Any]) -> list[str]:
    first = values[0] if values else None
    if isinstance(first, dict):
        inner, more = plain(first)
        return [f".{k}" for k in (*inner, *more)]
    return [f"[]{m}" for m in _inside(first)] if isinstance(first, list) else [""]


# Words at the end of a path that may name who judged, what was judged, and what was said of it; the first are likelier.
_WHO = ("judge", "annotator", "rater", "worker", "user", "user_id", "by", "metric", "name")
_WHAT = (
    *("item", "item_id", "instance_id", "example_id", "doc_id", "sample_id", "id", "uid", "text"),
    *("question_id", "prompt_id", "task_id", "case", "case_id", "question", "prompt", "instruction"),
)
_OF_WHAT = ("criterion", "dimension", "aspect", "metric", "name")
_SAID = ("score", "rating", "label", "value", "mean", "choice")


def likely(plain: Iterable[str], inside: Iterable[str]) -> str:
    """The fields that are likely to be judge, item and score, as ``--column`` takes them; nothing if one is not there.

    >>> likely(["instance_id"], ["stats[].name.name", "stats[].count", "stats[].mean"])
    'item=instance_id,judge=stats[].name.name,score=stats[].mean'
    >>> likely(["case", "rater"], ["criteria[].name", "criteria[].score"])
    'item=case,judge=rater,score=criteria[].score,criterion=criteria[].name'
    """
    plain, inside = list(plain), list(inside)
    fields = [*plain, *inside]
    found = {"item": _ending(plain, _WHAT), "judge": _ending(fields, _WHO), "score": _ending(inside, _SAID)}
    criterion = _ending(inside, _OF_WHAT) if found["judge"] in plain else ""  # several scores of one judge
    found |= {"criterion": criterion} if criterion and criterion != found["judge"] else {}
    return ",".join(f"{role}={path}" for role, path in found.items()) if all(found.values()) else ""


def _ending(paths: Iterable[str], words: Sequence[str]) -> str:
    ends = {re.split(r"[.\]]+", path)[-1].lower(): path for path in reversed(list(paths))}
    return next((ends[w] for w in words if w in ends), "")


def lists(record: Row) -> list[str]:
    """The keys of an object that hold lists of objects."""
    return [k for k, v in record.items() if isinstance(v, list) and v and isinstance(v[0], dict)]


def all_paths(record: Row) -> list[str]:
    """Every field of a record as a path."""
    row, aside = plain(record)
    return list(dict.fromkeys(chain(row, aside)))[:MOST_PATHS]
