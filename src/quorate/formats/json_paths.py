"""Fields of records by path, and records as rows of plain values.

A path names a field inside an object, ``meta.author``; ``[]`` goes through a list, ``answers[].value``, and every
member of the list becomes a row of its own; ``[0]`` is one member, and ``[#]`` the number of each. Lists side by side
that are equally long belong together.

>>> rows({"id": 7, "by": ["ann", "bob"], "labels": ["yes", "no"]}, {"item": "id", "judge": "by[]", "label": "labels[]"})
[{'item': 7, 'judge': 'ann', 'label': 'yes'}, {'item': 7, 'judge': 'bob', 'label': 'no'}]
>>> rows({"id": 7, "expert": [{"v": 3}, {"v": 4}]}, {"item": "id", "judge": "expert[#]", "score": "expert[].v"})
[{'item': 7, 'judge': 1, 'score': 3}, {'item': 7, 'judge': 2, 'score': 4}]
>>> rows({"id": 7, "answers": [{"by": "ann", "v": 3}, {"by": "bob", "v": 4}]}, {"item": "id", "judge": "answers[].by"})
[{'item': 7, 'judge': 'ann'}, {'item': 7, 'judge': 'bob'}]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from quorate.errors import InputError
from quorate.formats.answers import one_cell
from quorate.formats.files import Bad
from quorate.formats.names import KNOWN, clean
from quorate.formats.written_orders import written

MOST_PATHS = 40  # told in a message
_STEP = re.compile(r"([^.\[\]]+)|\[(\d*)\]|\[#\]|\.")
NUMBER = -1  # the step for a member's number, after that through its list
HALF = re.compile("[\ud800-\udfff]")
Row = dict[str, Any]
Step = str | int | None  # a key, a place in a list, or all of a list


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
        elif found[0] == "[#]":
            out += [None, NUMBER]
        elif found[0] != ".":
            out.append(int(found[2]) if found[2] else None)
        at = found.end()
    return out


def rows(record: Any, columns: Mapping[str, str]) -> list[Row]:
    """The rows of a record: one for every member of the lists that the paths go through."""
    return _rows(record, {name: steps(path) if isinstance(path, str) else path for name, path in columns.items()})


def _rows(record: Any, columns: Mapping[str, list[Step]]) -> list[Row]:
    own = {n: field(record, s) for n, s in columns.items() if None not in s}
    inner: dict[tuple[Step, ...], dict[str, list[Step]]] = {}
    for name, path in columns.items():
        if None in path:
            at = path.index(None)
            inner.setdefault(tuple(path[:at]), {})[name] = path[at + 1 :]
    if not inner:
        return [own]
    lists = {prefix: _list(record, prefix) for prefix in inner}
    if len({len(members) for members in lists.values()}) > 1:
        said = " and ".join(f"{_told(prefix)} ({len(members)})" for prefix, members in lists.items())
        raise InputError(
            f"columns go through lists side by side that are not equally long: {said}.",
            "take columns of one list at a time, or of lists whose members belong together.",
        )
    out = []
    for number, members in enumerate(zip(*lists.values(), strict=True), 1):
        found = [_member(number, m, below) for m, below in zip(members, inner.values(), strict=True)]
        out += [own | {n: v for row in some for n, v in row.items()} for some in product(*found)]
    return out


def _member(number: int, member: Any, columns: Mapping[str, list[Step]]) -> list[Row]:
    numbers = {n: number for n, path in columns.items() if path == [NUMBER]}
    return [numbers | row for row in _rows(member, {n: p for n, p in columns.items() if n not in numbers})]


def _list(record: Any, path: tuple[Step, ...]) -> list[Any]:
    found = field(record, path)
    if found is not None and not isinstance(found, list):
        raise InputError(f"'{_told(path)}' is no list.", "[] goes through a list; leave it out.")
    return found or []


def _told(path: Sequence[Step]) -> str:
    return ".".join(map(str, path)) or "the record"


def field(record: Any, path: Sequence[Step]) -> Any:
    """What is at a path that goes through no list; None if nothing."""
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
    *("question_id", "prompt_id", "task_id", "case", "case_id", "question", "prompt", "instruction", "post"),
)
_OF_WHAT = ("criterion", "dimension", "aspect", "metric", "name")
_SAID = ("score", "rating", "label", "value", "mean", "choice")


def likely(plain: Iterable[str], inside: Iterable[str]) -> str:
    """The fields that are likely to be judge, item and score, as ``--column`` takes them; nothing if one is not there.

    >>> likely(["instance_id"], ["stats[].name.name", "stats[].count", "stats[].mean"])
    'item=instance_id,judge=stats[].name.name,score=stats[].mean'
    >>> likely(["case", "rater"], ["criteria[].name", "criteria[].score"])
    'item=case,judge=rater,score=criteria[].score,criterion=criteria[].name'
    >>> likely(["id"], ["annotations[].annotator", "annotations[].label"])
    'item=id,judge=annotations[].annotator,label=annotations[].label'
    >>> likely(["text"], ["annotators[]", "labels[]"])
    'item=text,judge=annotators[],label=labels[]'
    """
    plain, inside = list(plain), list(inside)
    fields = [*plain, *inside]
    found = {"item": _ending(plain, _WHAT), "judge": _ending(fields, _WHO), "score": _ending(inside, _SAID)}
    criterion = _ending(inside, _OF_WHAT) if found["judge"] in plain else ""  # several scores of one judge
    found |= {"criterion": criterion} if criterion and criterion != found["judge"] else {}
    if not all(found.values()):
        return ""
    if found["score"].removesuffix("[]").endswith(("label", "labels")):
        found = {"label" if role == "score" else role: path for role, path in found.items()}
    return ",".join(f"{role}={path}" for role, path in found.items())


def _ending(paths: Iterable[str], words: Sequence[str]) -> str:
    ends = {re.split(r"[.\]]+", p.removesuffix("[]"))[-1].lower(): p for p in reversed(list(paths))}
    return next((ends[w] for word in words for w in (word, f"{word}s", f"{word}_id") if w in ends), "")


def lists(record: Row) -> list[str]:
    """The keys of an object that hold lists of objects."""
    return [k for k, v in record.items() if isinstance(v, list) and v and isinstance(v[0], dict)]


def all_paths(record: Row) -> list[str]:
    """Every field of a record as a path."""
    row, aside = plain(record)
    return list(dict.fromkeys(chain(row, aside)))[:MOST_PATHS]


class PlainRows:
    """Rows of records: fields by path where they are named, the plain ones under their own names."""

    def __init__(self, columns: Mapping[str, str], rename: Mapping[str, str], bad: Bad) -> None:
        self._columns = columns
        self._known = {*KNOWN, *rename}
        self._bad = bad
        self.plain: dict[str, None] = {}  # fields that are no lists, and those in lists that are left aside
        self.aside: dict[str, None] = {}
        self.cells: dict[str, None] = {}  # lists of labels that are one cell

    def rows(self, records: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Row]]:
        """Each row with the line of its record; what is wrong with a record is remembered."""
        for line, record in records:
            if not isinstance(record, dict):
                self._bad.append((line, f"not an object: {json.dumps(record)[:40]}"))
                continue
            if not self._columns:
                given = record
                record = {k: one_cell(k, written(k, v)) for k, v in given.items()}
                self.cells |= {f"{k}[]": None for k, v in given.items() if isinstance(v, list) and v is not record[k]}
            nested = next((k for k, v in record.items() if isinstance(v, list) and clean(k) in self._known), None)
            if nested is not None and not self._columns:
                self._bad.append((line, f"'{nested}' holds a list or an object"))
                continue
            row, aside = plain(record)
            self.plain |= dict.fromkeys(row)
            self.aside |= dict.fromkeys(path for path in aside if path not in self._columns.values())
            found = rows(record, self._columns) if self._columns else [{}]
            for own in found:
                made = {k: v for k, v in row.items() if k not in own and k not in self._columns.values()} | own
                odd = next((k for k, v in own.items() if isinstance(v, list | dict)), None)
                if odd is not None:
                    self._bad.append((line, f"the field of '{odd}' holds a list or an object"))
                elif any(half(t) for pair in made.items() for t in pair if isinstance(t, str)):
                    self._bad.append((line, "there is half a character, a surrogate without the other one"))
                else:
                    yield line, made


def half(text: str) -> bool:
    """Whether there is a surrogate without its other half, which no output can hold."""
    return HALF.search(text) is not None
