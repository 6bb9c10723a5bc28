"""The data inside the page: the report's JSON, compressed, in as much detail as there is room for."""

from __future__ import annotations

import gzip
import json
from typing import Any

from quorate.reports.model import Report

DATA = 600_000  # bytes at most, compressed
DIGITS = 4  # where room is short
DETAILED, PLAIN = 10, 2  # bytes that a row takes at least, compressed, with and without details


def download(report: Report, most: int = DATA) -> tuple[bytes, str]:
    """The data and what is in it, in words: the whole, or what fits without details, digits, or rows of tasks."""
    found = report.to_dict()
    rows = sum(len(answer["results"]) for answer in _answers(found))
    data = _packed(found) if rows * DETAILED <= most else b""  # what cannot fit is not tried: packing takes long
    if data and len(data) <= most:
        return data, "every figure, by task, with details"
    for answer in _answers(found):
        answer["results"] = _columns(answer["results"])
    data = _packed(found) if rows * PLAIN <= most else b""
    if data and len(data) <= most:
        return data, f"every figure, by task, to {DIGITS} digits; details are in --format json"
    for answer in _answers(found):
        answer.pop("results", None)
    return _packed(found), "the overall figures; those by task are in --format json"


def _answers(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [s["answer"] for s in found["sections"].values() if s["answer"]]


def _columns(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows by method as columns, without details: the same names once instead of in every row.

    >>> _columns([{"task": "t", "method": "m", "value": 0.123456, "details": {}}])
    [{'method': 'm', 'task': ['t'], 'value': [0.1235]}]
    """
    methods: dict[str, dict[str, Any]] = {}
    for row in rows:
        columns = methods.setdefault(row["method"], {"method": row["method"]})
        for name, value in row.items():
            if name not in ("method", "details"):
                columns.setdefault(name, []).append(float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value)
    return list(methods.values())


def _packed(found: dict[str, Any]) -> bytes:
    text = json.dumps(found, ensure_ascii=False, default=str, allow_nan=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)
