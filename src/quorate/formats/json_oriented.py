"""Tables that JSON holds by column, by row name or in one piece, as pandas and others write them; as records.

>>> records({"judge": ["ann", "bob"], "score": [3, 4]})
[{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
>>> records({"judge": {"0": "ann", "1": "bob"}, "score": {"0": 3, "1": 4}})
[{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
>>> records({"columns": ["judge", "score"], "index": [0, 1], "data": [["ann", 3], ["bob", 4]]})
[{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
>>> records({"r1": {"judge": "ann", "score": 3}, "r2": {"judge": "bob", "score": 4}})
[{'judge': 'ann', 'score': 3}, {'judge': 'bob', 'score': 4}]
"""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]


def records(value: Any) -> list[Record] | None:
    """The records of an object that is a table; None of one that is not."""
    if not isinstance(value, dict) or len(value) < 2:
        return None
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        return _split(value["columns"], value["data"])
    inside = list(value.values())
    if all(isinstance(v, list) for v in inside):
        return _zipped(list(value), inside)
    if all(isinstance(v, dict) for v in inside) and inside[0] and all(v.keys() == inside[0].keys() for v in inside):
        by_column = all(k.isdigit() for k in inside[0])
        return _zipped(list(value), [list(v.values()) for v in inside]) if by_column else inside
    return None


def _split(columns: list[Any], rows: list[Any]) -> list[Record] | None:
    if not rows or not all(isinstance(r, list) and len(r) == len(columns) for r in rows):
        return None
    return [dict(zip(map(str, columns), r, strict=True)) for r in rows]


def _zipped(names: list[str], columns: list[list[Any]]) -> list[Record] | None:
    plain = any(not isinstance(v, list | dict) for c in columns for v in c[:1])  # else they are lists of records
    if not columns[0] or not plain or len({len(c) for c in columns}) > 1:
        return None
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
